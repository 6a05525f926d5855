/** The work around a form handler: find the form, check access and input, separate custom fields. */
import type { Access, Form } from '../../../contract/metadata/forms/form.ts'
import { isGuid } from '../../../core/text/guid.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError, invalid, type MemberErrors } from '../../platform/http/errors.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { compileInputCheck, type InputCheck } from './check-input.ts'
import type { CustomField } from '../../platform/dictionary/custom-field.ts'
import type { CustomFields } from '../../platform/dictionary/custom-fields.ts'
import { resolveLabel } from './define-form.ts'
import { toFieldErrors } from './form-values.ts'
import type { FormHandler } from '../../platform/dictionary/handler.ts'
import type { FormRegistry } from './registry.ts'
import { resolveForm, type ResolvedForm } from './resolve-form.ts'

export interface OpenForm {
  handler: FormHandler
  form: Form
  resolved: ResolvedForm
  check: InputCheck
}

/** Looks up a value for a caller, reduced to what the engine needs. */
export type HasLookupValue = (db: Db, caller: Caller, lookupCode: string, key: string) => Promise<boolean>

export class FormEngine {
  readonly registry: FormRegistry
  readonly #customFields: CustomFields
  readonly #made = new Map<FormHandler, OpenForm & { rows: readonly CustomField[] }>()

  constructor(registry: FormRegistry, customFields: CustomFields) {
    this.registry = registry
    this.#customFields = customFields
  }

  /** Finds the form and checks access as `need` says. Throws a 404 or 403. */
  async open(
    caller: Caller,
    { entity, type }: { entity: string; type: string },
    need: (form: Form) => Access | undefined,
  ): Promise<OpenForm> {
    const handler = this.registry.require(caller, entity, type, need)
    const rows = await this.#customFields.of(handler.form.entity)
    const made = this.#made.get(handler)
    if (made?.rows === rows) return made
    const resolved = resolveForm(handler.form, handler.storedIn ? rows : [])
    const opened = {
      handler,
      form: handler.form,
      resolved,
      check: compileInputCheck(handler.form, resolved),
      rows,
    }
    this.#made.set(handler, opened)
    return opened
  }
}

export interface RecordParameters {
  id: string
  subId: string
  name: string
}

const parameters = ['id', 'subId', 'name'] as const

/**
 * The parameters that identify the record. Unknown and missing ones throw a 400. Initial values and recalculations may
 * omit the record.
 */
export function readParameters(
  form: Form,
  query: Partial<RecordParameters>,
  mayLack: boolean,
): RecordParameters {
  const errors: MemberErrors = {}
  const place: RecordParameters = { id: '', subId: '', name: '' }
  const last = parameters.findLastIndex((one) => query[one])
  parameters.forEach((one, index) => {
    const isInPlace = one === 'id' && form.idGives !== undefined
    const what = isInPlace ? form.idGives?.noun : form.takes[one]
    const given = query[one]?.trim() ?? ''
    if (what === undefined) {
      if (query[one] !== undefined)
        errors[one] = [`is not a parameter of the form ${form.entity}/${form.type}.`]
    } else if (given === '') {
      if (one !== form.removes && !isInPlace && (!mayLack || index < last))
        errors[one] = [`is required: it says which ${what}.`]
    } else if (one !== 'name' && !isGuid(given)) {
      errors[one] = ['must be a GUID such as 0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70.']
    } else place[one] = one === 'name' ? given : given.toLowerCase()
  })
  if (Object.keys(errors).length > 0) throw invalid(errors)
  return place
}

/** The body with what the parameter `id` gives in its place. Two that differ throw a 400. */
export function withGivenId(
  { idGives }: Form,
  { id }: RecordParameters,
  body: Record<string, unknown>,
): Record<string, unknown> {
  if (!idGives || id === '') return body
  const { field, noun } = idGives
  const given = body[field]
  if (typeof given === 'string' && given.trim() !== '' && given.trim().toLowerCase() !== id)
    throw invalid({ [field]: [`names another ${noun} than the parameter id. Send one of the two.`] })
  return { ...body, [field]: id }
}

/** True if the parameters identify a record rather than only its parent. */
export const namesRecord = (form: Form, place: RecordParameters): boolean =>
  form.record === 'only' || (form.record !== undefined && place[form.record] !== '')

/** Runs a form's work. Its errors name fields by code, and `labels` by label in the caller's language. */
export async function withFieldLabels<T>(
  { form, resolved }: OpenForm,
  caller: Caller,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const told = toFieldErrors(form, error)
    if (!(told instanceof ApiError) || !told.errors) throw told
    const labels = Object.keys(told.errors).flatMap((code) => {
      const field = resolved.fields.get(code)
      return field ? [[code, resolveLabel(field, caller.language, form.entity)]] : []
    })
    if (labels.length === 0) throw told
    const { errors, headers, members } = told
    throw new ApiError(told.kind, told.message, {
      errors,
      headers,
      members: { ...members, labels: Object.fromEntries(labels) as Record<string, string> },
    })
  }
}

/** The 405 of a form that does not support the method. */
export function methodNotAllowed({ entity, type, submit, remove, record }: Form, what: string): ApiError {
  const methods = ['GET', submit.method === 'POST' ? 'POST' : 'PATCH', ...(remove ? ['DELETE'] : [])]
  return new ApiError(
    'method-not-allowed',
    `The form ${entity}/${type} does not ${what}${record === undefined ? '' : ' records'}. It takes ${methods.join(', ')}.`,
    { headers: { allow: methods.join(', ') } },
  )
}
