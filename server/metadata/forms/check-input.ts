/** Checks the input of a form against the operation's body and the custom fields, and separates the two. */
import type { TSchema } from 'typebox'
import type { Language } from '../../../contract/platform/languages.ts'
import type { Form } from '../../../contract/metadata/forms/form.ts'
import { datePart, isDateTime, toMidnight } from '../../../core/calendar/date-time.ts'
import { cleanText } from '../../../core/identity/person-name.ts'
import { ApiError, FieldErrors, invalid, type MemberErrors } from '../../platform/http/errors.ts'
import { compileCheck, type Check } from '../../platform/http/validation.ts'
import type { CustomValue } from '../../platform/dictionary/custom-fields.store.ts'
import { toOperationBody } from './form-values.ts'
import type { ResolvedField, ResolvedForm } from './resolve-form.ts'

export interface CheckedInput {
  /** The body for the operation on the same resource. */
  body: Record<string, unknown>
  /** Values of custom fields; null clears one. */
  custom: Record<string, CustomValue | null>
}

export type InputCheck = (
  values: Record<string, unknown>,
  mode: 'create' | 'store' | 'recalculate',
  language: Language,
) => CheckedInput

/** By the schema of the whole body. */
const schemasOfParts = new WeakMap<TSchema, TSchema>()

/** The schema of any members of a body: the same one each time, so that it is compiled once. */
function findSchemaOfParts(body: TSchema): TSchema {
  const schema = schemasOfParts.get(body) ?? ({ ...body, required: [] } as TSchema)
  schemasOfParts.set(body, schema)
  return schema
}

/** Made once for a resolved form. */
export function compileInputCheck(form: Form, resolved: ResolvedForm): InputCheck {
  const whole = compileCheck(form.submit.body)
  const subset = compileCheck(findSchemaOfParts(form.submit.body))
  const own = [...resolved.fields.values()].filter(({ custom }) => custom)
  const codes = new Set(own.map(({ code }) => code))
  const checkOwn = compileCustomValueCheck(own)
  return (values, mode, language) => {
    const errors: MemberErrors = {}
    const entries = Object.entries(values)
    for (const [code] of entries) if (resolved.hidden.has(code)) errors[code] = ['is not known here.']
    const given = Object.fromEntries(entries.filter(([code]) => codes.has(code)))
    const rest = Object.fromEntries(
      entries.filter(([code]) => !codes.has(code) && !resolved.hidden.has(code)),
    )
    const body = collect(errors, () => {
      const input = toOperationBody(form, rest)
      ;(mode === 'create' ? whole : subset)(input)
      return input
    })
    const custom = collect(errors, () => checkOwn(given, language))
    if (mode !== 'recalculate') requireValues(resolved, values, mode, errors)
    if (Object.keys(errors).length > 0) throw invalid(errors)
    return { body: body!, custom: custom! }
  }
}

/** Runs a check and adds its errors to `errors`. */
function collect<T>(errors: MemberErrors, check: () => T): T | undefined {
  try {
    return check()
  } catch (error) {
    if (!(error instanceof ApiError) || !error.errors) throw error
    Object.assign(errors, error.errors)
    return undefined
  }
}

/** Custom values as stored; null for a cleared one. Throws a 400 that names each wrong value. */
export function compileCustomValueCheck(
  own: readonly ResolvedField[],
): (given: Record<string, unknown>, language?: Language) => Record<string, CustomValue | null> {
  const check = compileCheck({
    type: 'object',
    properties: Object.fromEntries(own.map(({ code, schema }) => [code, schema])),
  } as TSchema)
  return (given, language) => customValues(own, given, { check, errors: new FieldErrors(language) })
}

function customValues(
  own: readonly ResolvedField[],
  given: Record<string, unknown>,
  { check, errors }: { check: Check; errors: FieldErrors },
): Record<string, CustomValue | null> {
  // A cleared field needs no check, whatever its type.
  const filled = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== '' && value !== null),
  )
  check(filled)
  const values: Record<string, CustomValue | null> = {}
  for (const field of own) {
    const value = given[field.code]
    if (value === undefined || value === null) continue
    const kept = value === '' ? null : normalise(field, value as CustomValue)
    const fault = kept === null ? null : checkValue(field, kept, errors)
    if (fault === null) values[field.code] = kept
    else errors.add(field.code, fault)
  }
  errors.throwIfAny()
  return values
}

function normalise({ custom }: ResolvedField, value: CustomValue): CustomValue | null {
  if (typeof value !== 'string') return value
  switch (custom!.type) {
    case 'date':
      return toMidnight(value)
    case 'datetime':
      return new Date(value).toISOString()
    case 'guid':
      return value.toLowerCase()
    case 'text':
      return value
    default:
      return cleanText(value) || null
  }
}

/** Four decimals for money: the maximum of any ISO 4217 currency. */
const decimalsMax = { money: 4, decimal: 6 } as const

function checkValue(
  { custom, minValue, maxValue }: ResolvedField,
  value: CustomValue,
  errors: FieldErrors,
): string | null {
  if (custom!.type === 'money' || custom!.type === 'decimal') {
    const most = decimalsMax[custom!.type]
    return Number(Number(value).toFixed(most)) === value ? null : `must have at most ${most} decimals.`
  }
  if (custom!.type !== 'date' && custom!.type !== 'datetime') return null
  const day = datePart(String(value))
  if (isDateTime(minValue) && day < datePart(minValue))
    return `must be ${errors.day(datePart(minValue))} or later.`
  if (isDateTime(maxValue) && day > datePart(maxValue))
    return `must be ${errors.day(datePart(maxValue))} or earlier.`
  return null
}

/** Checks the fields that the administrator made required, both custom and built-in. */
function requireValues(
  resolved: ResolvedForm,
  values: Record<string, unknown>,
  mode: 'create' | 'store',
  errors: MemberErrors,
): void {
  for (const field of resolved.fields.values()) {
    if (!field.requiredHere || field.readOnly || errors[field.code]) continue
    const value = values[field.code]
    const isEmpty = typeof value === 'string' && value.trim() === ''
    const isMissing = mode === 'create' && (value === undefined || value === null)
    if (isEmpty || isMissing) errors[field.code] = ['is required.']
  }
}
