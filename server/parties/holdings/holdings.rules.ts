/** What a client's third parties, accounts, customers, purchases and objects must fulfil: pure. */
import {
  currencyDecimals,
  isCountry,
  isCurrency,
  normaliseCountry,
  normaliseCurrency,
} from '../../../core/identity/codes.ts'
import { toMidnight } from '../../../core/calendar/date-time.ts'
import { checkEmail } from '../../../core/identity/email.ts'
import { checkIdNumber } from '../../../core/identity/id-number.ts'
import { cleanText } from '../../../core/identity/person-name.ts'
import { checkPhone } from '../../../core/identity/phone.ts'
import type { FieldErrors } from '../../platform/http/errors.ts'
import type { HoldingKind, HoldingRecord } from './holding-kinds.ts'

export interface HoldingContext {
  /** Of the installation: for phones, numbers and amounts without a country or currency of their own. */
  countryCode: string
  currencyCode: string
  today: string
}

export const noHolding = ({ members }: HoldingKind): HoldingRecord =>
  Object.fromEntries(members.map((name) => [name, null]))

/** The record that an input makes of the one before. Omitted and null members stay, the empty string clears. */
export function applyHoldingInput(
  kind: HoldingKind,
  before: HoldingRecord,
  input: Readonly<Record<string, unknown>>,
  context: HoldingContext,
  checks: FieldErrors,
): HoldingRecord {
  const record = { ...before }
  const given = new Set<string>()
  for (const [name, value] of Object.entries(input)) {
    if (value === null || value === undefined) continue
    const kept =
      typeof value === 'string' ? (name === 'description' ? value.trim() : cleanText(value)) : value
    record[name] = kept === '' ? null : (kept as string | number)
    if (record[name] !== null) given.add(name)
  }
  for (const name of kind.required) if (record[name] === null) checks.add(name, 'is required.')
  normaliseCodes(record, given, checks)
  normaliseContact(record, given, context, checks)
  for (const name of ['debtorGuid', 'customerGuid']) {
    if (given.has(name)) record[name] = String(record[name]).toLowerCase()
  }
  if (given.has('purchaseDate')) record['purchaseDate'] = toMidnight(String(record['purchaseDate']))
  checkAmount(record, context.currencyCode, checks)
  return record
}

function normaliseCodes(record: HoldingRecord, given: ReadonlySet<string>, checks: FieldErrors): void {
  if (given.has('countryCode')) {
    record['countryCode'] = normaliseCountry(String(record['countryCode']))
    if (!isCountry(record['countryCode']))
      checks.add('countryCode', 'must be a country of ISO 3166-1 such as SE.')
  }
  if (given.has('currencyCode')) {
    record['currencyCode'] = normaliseCurrency(String(record['currencyCode']))
    if (!isCurrency(record['currencyCode']))
      checks.add('currencyCode', 'must be a currency of ISO 4217 such as SEK.')
  }
}

function normaliseContact(
  record: HoldingRecord,
  given: ReadonlySet<string>,
  context: HoldingContext,
  checks: FieldErrors,
): void {
  const own = String(record['countryCode'] ?? '')
  const countryCode = isCountry(own) ? own : context.countryCode
  if (given.has('email')) {
    const checked = checkEmail(String(record['email']))
    if (checked.ok) record['email'] = checked.email
    else checks.add('email', checked.message)
  }
  if (given.has('phone')) {
    const checked = checkPhone(String(record['phone']), countryCode)
    if (checked.ok) record['phone'] = checked.phone
    else checks.add('phone', checked.message)
  }
  if (given.has('idNumber')) {
    const idNumber = String(record['idNumber'])
    const checked = checkIdNumber({ idNumber, countryCode, juridicalType: null, today: context.today })
    if (checked.ok) record['idNumber'] = checked.idNumber
    else checks.add('idNumber', checked.message)
  }
}

/** The currency that an amount is in: the record's, or the installation's, which is then the record's. */
function checkAmount(record: HoldingRecord, systemCurrency: string, checks: FieldErrors): void {
  const amount = record['amount']
  if (typeof amount !== 'number') return
  record['currencyCode'] ??= systemCurrency
  const decimals = currencyDecimals(String(record['currencyCode']))
  if (decimals !== null && !isWithinDecimals(amount, decimals)) {
    checks.add('amount', `must have at most ${decimals} decimals, as ${String(record['currencyCode'])} has.`)
  }
}

const isWithinDecimals = (amount: number, decimals: number) => Number(amount.toFixed(decimals)) === amount

/** An amount in the currency's minor unit. */
export const toMinorUnits = (amount: number, currencyCode: string): number =>
  Math.round(amount * 10 ** (currencyDecimals(currencyCode) ?? 2))

export const toMajorUnits = (minor: number, currencyCode: string): number =>
  minor / 10 ** (currencyDecimals(currencyCode) ?? 2)
