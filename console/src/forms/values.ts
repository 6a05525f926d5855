/** Converts between the texts of a form and the values of the API. Pure. */
import { isDate } from '../../../core/calendar/calendar.ts'
import { isMoment } from '../format/days.ts'
import { countDecimals, hasPartUnits } from '../format/decimals.ts'
import { readNumber, writeAmount, writeNumber } from '../format/numbers.ts'
import type { FormField, FormValue, FormValues, Typed } from './definition.ts'

/** How the numbers of a form are written. */
export interface Writing {
  culture: string
  /** The currency of its amounts, where the form knows it. */
  currency?: string | undefined
}

/** The currency that a form is in: of its own field, or else of what it is about. */
export function findCurrency(
  values: Readonly<Record<string, unknown>>,
  otherwise?: string,
): string | undefined {
  const { currencyCode } = values
  return typeof currencyCode === 'string' && currencyCode !== '' ? currencyCode : otherwise
}

const isNumeric = ({ type }: FormField) => ['integer', 'decimal', 'money'].includes(type)
const isBoolean = ({ type, displayType }: FormField) => type === 'boolean' || displayType === 'checkbox'

const isMomentField = ({ type }: FormField) => type === 'datetime'
export const isDateOnly = (field: FormField): boolean =>
  !isMomentField(field) && (field.type === 'date' || field.displayType === 'date')
export const isDayField = (field: FormField): boolean => isDateOnly(field) || isMomentField(field)

/** The time of an instant by the reader's clock, `YYYY-MM-DDTHH:MM`. */
function toClock(instant: string): string {
  const date = new Date(instant)
  if (Number.isNaN(date.getTime())) return instant
  const minutes = date.getTime() / 60_000 - date.getTimezoneOffset()
  return new Date(minutes * 60_000).toISOString().slice(0, 16)
}

/** Formats a value for its input. */
export function toTyped(
  field: FormField,
  value: FormValue | null | undefined,
  { culture, currency }: Writing,
): Typed {
  if (isBoolean(field)) return value === true
  if (value === null || value === undefined) return ''
  if (isDateOnly(field)) return String(value).slice(0, 10)
  if (isMomentField(field)) return toClock(String(value))
  if (field.type === 'money' && typeof value === 'number' && currency !== undefined)
    return writeAmount(value, currency, culture)
  if (isNumeric(field) && typeof value === 'number' && field.lookupCode === '')
    return writeNumber(value, culture)
  return String(value)
}

/** A field's value for the service; null for an empty one, undefined for a text that is no number. */
export function toValue(field: FormField, typed: Typed, culture: string): FormValue | null | undefined {
  if (typeof typed === 'boolean') return typed
  const text = field.multiline > 1 ? typed : typed.trim()
  if (text === '') return null
  if (isMomentField(field) && isMoment(text)) return new Date(text).toISOString()
  return isNumeric(field) ? readNumber(text, culture) : text
}

/** The fields whose text has changed. A cleared text or date is sent as the empty string, which clears it. */
export function changedValues(
  fields: readonly FormField[],
  before: Record<string, Typed>,
  now: Record<string, Typed>,
  culture: string,
): Record<string, FormValue | null> {
  const changed = fields.filter(
    ({ code, displayType }) => displayType !== 'readonly' && before[code] !== now[code],
  )
  return Object.fromEntries(
    changed.map((field) => {
      const value = toValue(field, now[field.code]!, culture) ?? null
      const clears = value === null && !isNumeric(field)
      return [field.editCode || field.code, clears ? '' : value]
    }),
  )
}

/** The fields that are filled in, for a new record. */
export function filledValues(
  fields: readonly FormField[],
  now: Record<string, Typed>,
  culture: string,
): FormValues {
  const given = fields
    .filter(({ displayType }) => displayType !== 'readonly')
    .map((field) => [field.editCode || field.code, toValue(field, now[field.code]!, culture)] as const)
  return Object.fromEntries(
    given.filter((entry): entry is [string, FormValue] => entry[1] !== null && entry[1] !== undefined),
  )
}

export type Fault =
  | { key: 'fault.required' }
  | { key: 'fault.number' }
  | { key: 'fault.day' | 'fault.moment' }
  | { key: 'fault.decimals'; most: number; currency: string }
  | { key: 'fault.whole' }
  | { key: 'fault.length'; most: number; count: number }
  | { key: 'fault.least'; least: string }
  | { key: 'fault.most'; most: string }

/** Checks the input as far as the browser can. Never changes what was typed. */
export function findFault(field: FormField, typed: Typed, { culture, currency }: Writing): Fault | undefined {
  if (typeof typed === 'boolean' || field.displayType === 'readonly') return undefined
  if (typed.trim() === '') return field.required ? { key: 'fault.required' } : undefined
  const value = toValue(field, typed, culture)
  if (value === undefined) return { key: 'fault.number' }
  if (isDateOnly(field) && !isDate(typed)) return { key: 'fault.day' }
  if (isMomentField(field) && !isMoment(typed)) return { key: 'fault.moment' }
  if (field.type === 'integer' && !Number.isInteger(value)) return { key: 'fault.whole' }
  const partUnits = field.type === 'money' && currency ? findPartUnits(Number(value), currency) : undefined
  if (partUnits) return partUnits
  if (typeof value === 'string' && field.length > 0 && value.length > field.length)
    return { key: 'fault.length', most: field.length, count: value.length }
  if (field.minValue !== '' && isLess(value!, field.minValue))
    return { key: 'fault.least', least: field.minValue }
  if (field.maxValue !== '' && isLess(field.maxValue, value!))
    return { key: 'fault.most', most: field.maxValue }
  return undefined
}

function findPartUnits(amount: number, currency: string): Fault | undefined {
  if (!hasPartUnits(amount, currency)) return undefined
  const most = countDecimals(currency)
  return most === 0 ? { key: 'fault.whole' } : { key: 'fault.decimals', most, currency }
}

/** Checks an amount outside a form, which is never negative. Empty text has no fault. */
export function findAmountFault(text: string, { culture, currency }: Writing): Fault | undefined {
  if (text.trim() === '') return undefined
  const amount = readNumber(text, culture)
  if (amount === undefined) return { key: 'fault.number' }
  if (amount < 0) return { key: 'fault.least', least: '0' }
  return currency === undefined ? undefined : findPartUnits(amount, currency)
}

/** Compares numbers as numbers and dates as texts. */
function isLess(a: FormValue, b: FormValue): boolean {
  if (typeof a === 'number' || typeof b === 'number') return Number(a) < Number(b)
  return String(a).slice(0, 10) < String(b).slice(0, 10)
}
