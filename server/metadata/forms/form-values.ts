/** Converts records to form values and back: texts, numbers and booleans by field code. */
import { formFields, type Form } from '../../../contract/metadata/forms/form.ts'
import type { FormValues } from '../../../contract/metadata/forms.ts'
import type { MemberErrors } from '../../platform/http/errors.ts'
import { ApiError, invalid } from '../../platform/http/errors.ts'
import type { ListWriting } from '../../../contract/metadata/forms/form.ts'
import type { ClientRestriction } from '../../../contract/access/users.ts'
import { joinList, splitList } from './list-text.ts'

/** The values of the named members; members without a value are omitted. */
export function toFormValues(
  form: Form,
  record: object,
  names: readonly string[] = formFields(form),
): FormValues {
  const members = record as Record<string, unknown>
  const values: FormValues = {}
  for (const name of [...form.keys, ...names]) {
    const value = members[name]
    const separator = form.lists?.[name]
    if (separator !== undefined && Array.isArray(value)) values[name] = writeList(value, separator)
    else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      values[name] = value
  }
  return values
}

/** The body for the operation on the same resource: lists become arrays again. */
export function toOperationBody(
  form: Form,
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const input = { ...values }
  const errors: MemberErrors = {}
  for (const [name, separator] of Object.entries(form.lists ?? {})) {
    const value = input[name]
    if (value === undefined || value === null) continue
    if (typeof value === 'string') input[name] = readList(value, separator)
    else errors[name] = ['must be a text in quotes or null.']
  }
  if (Object.keys(errors).length > 0) throw invalid(errors)
  return input
}

/** Replaces the path of an array element by the field's code, because a form has no arrays. */
export function toFieldErrors(form: Form, error: unknown): unknown {
  if (!(error instanceof ApiError) || !error.errors || !form.lists) return error
  const paths = Object.keys(error.errors)
  const findListCode = (path: string) => {
    const code = path.split(/[[.]/, 1)[0]!
    return Object.hasOwn(form.lists!, code) ? code : path
  }
  if (paths.every((path) => findListCode(path) === path)) return error
  // Without a prototype, because a path may be `constructor`.
  const errors = Object.create(null) as MemberErrors
  for (const path of paths) (errors[findListCode(path)] ??= []).push(...error.errors[path]!)
  return error.kind === 'invalid'
    ? invalid(errors)
    : new ApiError(error.kind, error.message, { ...error, errors })
}

function writeList(elements: unknown[], writing: ListWriting): string {
  if (writing !== 'clients') return joinList(elements as string[], writing)
  const clients = elements as ClientRestriction[]
  return joinList(
    clients.map((one) => `${one.partyReferenceCode}${one.includeSubParties ? '/*' : ''}`),
    ',',
  )
}

function readList(text: string, writing: ListWriting): unknown[] {
  if (writing !== 'clients') return splitList(text, writing)
  return splitList(text, ',').map((one) => {
    const includeSubParties = one.endsWith('/*')
    return { partyReferenceCode: includeSubParties ? one.slice(0, -2) : one, includeSubParties }
  })
}
