/** A request of every operation and of every form, with the records of one client. */
import { operations } from '../../../contract/api.ts'
import type { OperationObject, ParameterObject } from '../../../contract/openapi/openapi-document.ts'
import { openApiDocument } from '../../../contract/openapi/openapi.ts'
import type { Form } from '../../../contract/metadata/forms/form.ts'
import type { Operation } from '../../../contract/platform/operation.ts'
import { takesDryRun } from '../../../contract/platform/operation-rules.ts'
import type { TestApi } from '../api.ts'
import { formPath, formQuery, formValues, type ClientWorld } from './form-requests.ts'

export interface DrawnRequest {
  /** The operation, or the form with what is done by it. */
  name: string
  method: string
  path: string
  body?: unknown
  takesDryRun: boolean
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The example with the client's records in place of those of the document. */
function withRecords(value: unknown, world: ClientWorld, name = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => withRecords(one, world, name.replace(/s$/, '')))
  if (isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([member, one]) => [member, withRecords(one, world, member)]),
    )
  const isName = /guid$|number$|reference(code)?$/i.test(name)
  return typeof value === 'string' && isName ? (world.members[name] ?? value) : value
}

const document = openApiDocument({ version: '1' })

/** Undefined for a body that is no JSON: a file, or a form of OAuth. */
function drawOperation(operation: Operation, world: ClientWorld): DrawnRequest | undefined {
  const template = operation.path.replaceAll(/:(\w+)/g, '{$1}')
  const found = document.paths[template]![operation.method.toLowerCase() as 'get'] as OperationObject
  const parameters = (found.parameters ?? []).filter((one): one is ParameterObject => 'in' in one)
  const readParameter = ({ name, example }: ParameterObject) =>
    String(withRecords(example ?? '', world, name))
  const path = parameters
    .filter((one) => one.in === 'path')
    .reduce((text, one) => text.replace(`{${one.name}}`, encodeURIComponent(readParameter(one))), template)
  const query = new URLSearchParams(
    parameters
      .filter((one) => one.in === 'query' && (one.required || /guid$/i.test(one.name)))
      .map((one): [string, string] => [one.name, readParameter(one)]),
  )
  const [[type, media] = []] = Object.entries(found.requestBody?.content ?? {})
  if (type !== undefined && type !== 'application/json') return undefined
  return {
    name: `${operation.method} ${operation.path}`,
    method: operation.method,
    path: query.size > 0 ? `${path}?${query}` : path,
    ...(media && { body: withRecords(media.example, world) }),
    takesDryRun: takesDryRun(operation),
  }
}

/** Those that sign in or out, or change how the caller does, are left out. */
const isSession = ({ area, path }: Operation) =>
  area === 'Authentication' || /^\/(auth|oauth2|users\/current)\b/.test(path)

export const drawOperations = (world: ClientWorld): DrawnRequest[] =>
  operations
    .filter((one) => !isSession(one) && !/^\/system\/forms?\b/.test(one.path))
    .flatMap((one) => drawOperation(one, world) ?? [])

export async function drawForms(api: TestApi, world: ClientWorld): Promise<DrawnRequest[]> {
  const drawn: DrawnRequest[] = []
  for (const { form } of api.app.forms.all) drawn.push(...(await drawForm(api, form, world)))
  return drawn
}

/** S1 to S5 of a form. */
async function drawForm(api: TestApi, form: Form, world: ClientWorld): Promise<DrawnRequest[]> {
  const body = await formValues(api, form, world)
  const path = formPath(form)
  const query = formQuery(form, world)
  const request = (what: string, method: string, at: string, more: object = {}): DrawnRequest => ({
    name: `${form.entity}/${form.type} ${what}`,
    method,
    path: at,
    takesDryRun: false,
    ...more,
  })
  const recalculations = form.recalculations ?? []
  return [
    request('read', 'GET', `${path}?${query}&initialValues=true`),
    request('submit', form.submit.method === 'POST' ? 'POST' : 'PATCH', `${path}?${query}`, {
      body,
      takesDryRun: true,
    }),
    ...recalculations.map(({ code }) =>
      request('recalculate', 'POST', `${path}/recalculate?recalc=${code}&${query}`, { body }),
    ),
    ...(form.remove
      ? [request('remove', 'DELETE', `${path}?${formQuery(form, world, true)}`, { takesDryRun: true })]
      : []),
  ]
}
