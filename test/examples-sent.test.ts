/** Every request example of the API document, sent to a running service: none is refused for its shape. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { operations } from '../contract/api.ts'
import { formOperationList } from '../contract/metadata/form-operations.ts'
import type { OperationObject, ParameterObject } from '../contract/openapi/openapi-document.ts'
import { openApiDocument } from '../contract/openapi/openapi.ts'
import type { Operation } from '../contract/platform/operation.ts'
import { startApi, type TestApi } from '../server/testing/api.ts'
import { makeRecords } from '../server/testing/records/samples.ts'

const document = openApiDocument({ version: '1' })
let api: TestApi
/** Real records, by the name of the member or parameter that takes them. */
const real: Record<string, string> = {}
/** The same by what they are. */
let known: Record<string, string> = {}

before(async () => {
  api = await startApi({ FORDRA_SERVICES: join(import.meta.dirname, '../services') })
  // The business date of the examples.
  await api.setDate('2026-11-21')
  known = (await makeRecords(api)).known
  const make = async (method: string, path: string, body: object, member: string) => {
    const answer = await api.call<Record<string, string>>(method, path, { body })
    assert.equal(answer.status, 201, answer.text)
    return answer.body[member]!
  }
  const debtorGuid = known['debtor']!
  Object.assign(real, {
    debtorGuid,
    clientGuid: known['client'],
    caseGuid: known['case'],
    caseGuids: known['case'],
  })
  real['addressGuid'] = await make(
    'POST',
    `/debtors/${debtorGuid}/addresses`,
    {
      addressType: 'LEGAL',
      street: 'Storgatan',
      houseNo: '1',
      zipCode: '211 42',
      city: 'Malmö',
      countryCode: 'SE',
    },
    'addressGuid',
  )
  const objection = { matter: 'OBJECTION', reason: 'The goods came back.' }
  const objections = `/system/forms/objection/create?id=${known['case']}`
  known['objection'] = await make('POST', objections, objection, 'objectionGuid')
  await make('POST', `/debtors/${debtorGuid}/extrafields`, { name: 'employer', value: ['Bageri'] }, 'name')
  real['paymentplanGuid'] = await make(
    'POST',
    `/debtors/${debtorGuid}/paymentplans`,
    { paymentPlanType: 1, numberOfPayments: 6 },
    'paymentPlanGuid',
  )
  real['returnedFrom'] = real['addressGuid']!
  // Without the wait of a long poll.
  real['wait'] = '0'
  real['userGuid'] = await api.addUser({
    email: 'examples@agency.example',
    password: 'a long enough password',
  })
  real['ownerGuid'] = real['userGuid']!
})
after(() => api.close())

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The debtor of every example, also as the `id` of a form. */
const exampleDebtor = '0198f2c4-7c1e-7a3b-9d52-3f60c1a2b4e1'

/** The example with the guids of real records. */
function withReal(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => withReal(one, name))
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([member, one]) => [member, withReal(one, member)]))
  if (name !== 'wait' && typeof value !== 'string') return value
  return value === exampleDebtor ? real['debtorGuid'] : (real[name] ?? value)
}

/** The record that a form's parameter names, such as _The case._ */
const knownRecord = (description = '') => known[/^The (.+)\.$/.exec(description)?.[1] ?? '']

function describeRequest(operation: Operation): { path: string; type: string | undefined; body: unknown } {
  const template = operation.path.replaceAll(/:(\w+)/g, '{$1}')
  const method = operation.method.toLowerCase() as 'get'
  const found = document.paths[template]![method] as OperationObject
  const parameters = (found.parameters ?? []).filter((one): one is ParameterObject => 'in' in one)
  const path = parameters
    .filter((one) => one.in === 'path')
    .reduce(
      (text, { name, example }) =>
        text.replace(`{${name}}`, encodeURIComponent(String(withReal(example, name)))),
      template,
    )
  const query = new URLSearchParams(
    parameters
      .filter((one) => one.in === 'query' && one.example !== undefined)
      .map(({ name, example, description }) => [
        name,
        knownRecord(description) ?? String(withReal(example, name)),
      ]),
  )
  const [[type, media] = []] = Object.entries(found.requestBody?.content ?? {})
  return { path: query.size > 0 ? `${path}?${query}` : path, type, body: media && withReal(media.example) }
}

const isSession = ({ access, area }: Operation) => access === 'session' || area === 'Authentication'

/** Sent by somebody of their own where the request concerns its own session. */
const send = async (operation: Operation, request: ReturnType<typeof describeRequest>) => {
  const { path, type, body } = request
  const raw =
    type === 'application/x-www-form-urlencoded'
      ? new URLSearchParams(body as Record<string, string>).toString()
      : String(body)
  return api.call<{ errors?: Record<string, string[]> }>(operation.method, path, {
    ...(isSession(operation) && { token: await api.signIn(2) }),
    ...(type && (type === 'application/json' ? { body } : { raw, headers: { 'content-type': type } })),
  })
}
const isDelete = ({ method }: Operation) => Number(method === 'DELETE')
const named = ({ method, path }: Operation) => `${method} ${path}`

const all: readonly Operation[] = [...operations, ...formOperationList]
for (const operation of all.toSorted((a, b) => isDelete(a) - isDelete(b))) {
  test(`the example of ${named(operation)} is taken`, async () => {
    const { status, text } = await send(operation, describeRequest(operation))
    // Codes and tokens of an example are invented, and so are some records: that is no fault of its shape.
    const isInvented =
      /0198f2c4-|auth\/oidc|There is no such (?!address\. The reference)/.test(text) ||
      [401, 409, 422].includes(status)
    assert.ok(status < 400 || (status !== 400 && isInvented), text)
  })
}

const inputs = operations.filter(({ body, bodyType }) => body !== undefined && bodyType === undefined)
for (const operation of inputs) {
  test(`the document demands what ${named(operation)} demands`, async () => {
    const request = describeRequest(operation)
    const body = request.body as Record<string, unknown>
    const { required = [], properties = {} } = inputSchema(operation)
    for (const [member, { type }] of Object.entries(properties)) {
      const others = Object.fromEntries(Object.entries(body).filter(([name]) => name !== member))
      const lacks = required.includes(member) ? [] : [others]
      const nulled = [type].flat().includes('null') ? [{ ...body, [member]: null }] : []
      for (const sent of [...lacks, ...nulled]) {
        const { status, body: problem } = await send(operation, { ...request, body: sent })
        const told = status === 400 ? (problem.errors?.[member] ?? []) : []
        // What depends on another member stands in the description: no schema here says it.
        const demanded = told.filter((text) => /^is required(?! (when|unless|with)|, or )/.test(text))
        assert.deepEqual(demanded, [], `${member}: ${told.join(' ')}`)
      }
    }
  })
}

interface InputSchema {
  required?: string[]
  properties?: Record<string, { type?: string | string[] }>
}

/** The schema of the body in the document. */
function inputSchema(operation: Operation): InputSchema {
  const template = operation.path.replaceAll(/:(\w+)/g, '{$1}')
  const found = document.paths[template]![operation.method.toLowerCase() as 'get'] as OperationObject
  const { schema } = found.requestBody!.content['application/json']!
  const name = String((schema as { $ref?: string }).$ref)
    .split('/')
    .at(-1)!
  return (document.components.schemas[name] ?? schema) as InputSchema
}
