/** Recognises columns by their values: e-mail addresses, identity numbers, phones, days, amounts, codes. */
import { checkEmail } from '../../../../core/identity/email.ts'
import { checkIdNumber } from '../../../../core/identity/id-number.ts'
import { checkPhone } from '../../../../core/identity/phone.ts'
import { dateOrders, readDay, readDecimal, type DateOrder, type DecimalSign } from '../reading/value-style.ts'

/** The countries whose identity numbers have a check digit. */
const idCountries = ['SE', 'NO', 'DK', 'FI'] as const
const currencies = new Set(['SEK', 'NOK', 'DKK', 'EUR', 'ISK', 'USD', 'GBP', 'CHF', 'PLN'])
const countries = new Set(['SE', 'NO', 'DK', 'FI', 'DE', 'IS', 'AX', 'GB', 'PL', 'NL'])

/** The share of a column's values that must fit. Columns hold some wrong ones. */
const enough = 0.8

/** True for values with the recognised form. The order is that of precedence. */
const forms: readonly [form: ValueForm, fits: (value: string, context: RecogniseContext) => boolean][] = [
  ['email', (value) => value.includes('@') && checkEmail(value).ok],
  [
    'idNumber',
    (value, { today }) =>
      /^[\d A+-]{10,14}[A-Z\d]?$/.test(value) &&
      idCountries.some(
        (countryCode) => checkIdNumber({ idNumber: value, countryCode, juridicalType: null, today }).ok,
      ),
  ],
  ['currency', (value) => currencies.has(value.toUpperCase())],
  ['country', (value) => countries.has(value.toUpperCase())],
  ['date', (value) => isDay(value)],
  ['zipCode', (value) => /^\d{3} \d{2}$/.test(value)],
  [
    'amount',
    (value) => /[.,]\d{2}$/.test(value) && (readDecimal(value, ',') ?? readDecimal(value, '.')) !== undefined,
  ],
  [
    'phone',
    (value, { countryCode }) => /^(\+|00?)[\d ()/-]{6,}$/.test(value) && checkPhone(value, countryCode).ok,
  ],
]
export type ValueForm =
  'email' | 'idNumber' | 'currency' | 'country' | 'date' | 'zipCode' | 'amount' | 'phone'

export interface RecogniseContext {
  today: string
  countryCode: string
}

const isDay = (value: string) =>
  /^\d{4}-\d\d-\d\d(T|$)/.test(value) || dateOrders.some((order) => readDay(value, order) !== undefined)

/** The form of nearly all values; undefined for none. */
export function recogniseValues(values: readonly string[], context: RecogniseContext): ValueForm | undefined {
  const given = values.filter((value) => value !== '')
  if (given.length === 0) return undefined
  return forms.find(
    ([, fits]) => given.filter((value) => fits(value, context)).length >= enough * given.length,
  )?.[0]
}

/** The fields that values of a form may be, the likeliest first. */
export const fieldsByForm: Readonly<Record<ValueForm, readonly string[]>> = {
  email: ['email'],
  idNumber: ['idNumber'],
  currency: ['currencyCode'],
  country: ['countryCode'],
  date: ['dueDate', 'valueDate', 'purchaseDate', 'firstDueDate', 'dateOfBirth'],
  zipCode: ['zipCode'],
  amount: ['principal', 'amount'],
  phone: ['cellularPhone', 'cellularPhoneNumber', 'phone'],
}

/** The order of days that are not YYYY-MM-DD; null when all are. */
export function guessDates(values: readonly string[]): DateOrder | null {
  const others = values.filter((value) => value !== '' && !/^\d{4}-\d\d-\d\d(T|$)/.test(value))
  const fitting = (order: DateOrder) => others.filter((value) => readDay(value, order) !== undefined).length
  const best = (['dmy', 'mdy', 'ymd'] as const)
    .map((order) => ({ order, count: fitting(order) }))
    .toSorted((one, other) => other.count - one.count)[0]!
  if (best.count === 0) return null
  return fitting('ymd') === best.count ? 'ymd' : best.order
}

/** The decimal sign that the amounts show; null when they have neither sign nor groups. */
export function guessDecimals(values: readonly string[]): DecimalSign | null {
  const votes = { '.': 0, ',': 0 }
  let isGrouped = false
  for (const value of values) {
    const [comma, point] = [value.lastIndexOf(','), value.lastIndexOf('.')]
    if (/\d[ \u00a0\u202f'’]\d{3}/.test(value)) isGrouped = true
    if (comma < 0 && point < 0) continue
    const sign = comma > point ? ',' : '.'
    const digits = value.length - Math.max(comma, point) - 1
    if ((comma >= 0 && point >= 0) || digits !== 3) votes[sign] += 1
    else isGrouped = true
  }
  if (votes[','] === votes['.']) return isGrouped ? ',' : null
  return votes[','] > votes['.'] ? ',' : '.'
}
