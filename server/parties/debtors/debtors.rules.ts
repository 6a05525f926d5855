/** What a debtor must fulfil, and what follows from what: pure, for the API, the forms and the import alike. */
import { listDays } from '../../../contract/metadata/fields.ts'
import {
  debtorMemberFields,
  preferredChannels,
  type DebtorChangeForm,
  type DebtorForm,
} from '../../../contract/parties/debtors.ts'
import { isUnderAged } from '../../../core/identity/age.ts'
import { checkEmail } from '../../../core/identity/email.ts'
import {
  isCurrency,
  isLanguage,
  isNace,
  normaliseCulture,
  normaliseCurrency,
  normaliseLanguage,
} from '../../../core/identity/codes.ts'
import { datePart, isTimeZone, toMidnight } from '../../../core/calendar/date-time.ts'
import { canBeBornOn, checkIdNumber } from '../../../core/identity/id-number.ts'
import { consents } from '../../../core/law/contact.ts'
import { composeFullName } from '../../../core/identity/person-name.ts'
import { checkPhone } from '../../../core/identity/phone.ts'
import { checkVatNumber } from '../../../core/identity/vat-number.ts'
import type { FieldErrors } from '../../platform/http/errors.ts'
import { mergeMembers, noMembers } from '../../platform/http/merge-members.ts'

/** The members of a debtor that callers set, checked and normalised; null where there is none. */
export type DebtorRecord = Required<DebtorChangeForm> & {
  fullName: string
  /** The country whose rules the identity number was checked by. */
  idCountryCode: string | null
}

export const noDebtor: DebtorRecord = {
  ...noMembers(debtorMemberFields),
  fullName: '',
  preferredChannel: null,
  idCountryCode: null,
}

const days = listDays(debtorMemberFields)

export interface DebtorContext {
  /** The country whose rules hold for numbers without a country of their own. */
  countryCode: string
  /** The country of the identity number, where it is told apart. */
  idCountryCode?: string
  /** The business date. */
  today: string
}

/**
 * The record that an input makes of the one before (`noDebtor` for a new one). Omitted and null members stay, the empty
 * string clears. What followed from a date of birth goes with it. What is wrong is added to `checks`.
 */
export function applyDebtorInput(
  before: DebtorRecord,
  input: DebtorForm | DebtorChangeForm,
  context: DebtorContext,
  checks: FieldErrors,
): DebtorRecord {
  const record = mergeMembers(before, input, { known: noDebtor, days })
  normalizeTexts(record, input, context.countryCode, checks)
  record.preferredChannel = record.preferredChannel?.toUpperCase() ?? null
  if (record.preferredChannel !== null && !preferredChannels.some((one) => one === record.preferredChannel))
    checks.add('preferredChannel', `must be one of ${preferredChannels.join(', ')}.`)
  checkContact(record, checks)
  checkDates(record, input, context.today, checks)
  applyIdNumber(record, input, context, checks)
  checkBirth(record, before, context, checks)
  applyNames(record, before, input, checks)
  if (record.juridicalType === null && record.lastname !== null) record.juridicalType = 0
  if (record.dateOfBirth !== null) record.underAged = isUnderAged(datePart(record.dateOfBirth), context.today)
  else if (before.dateOfBirth !== null && typeof input.underAged !== 'boolean') record.underAged = null
  return record
}

const phones = [
  'homePhone',
  'workPhone',
  'cellularPhone',
  'telefax',
  'conversationNotificationCellularPhone',
] as const
const emails = ['email', 'conversationNotificationEmail'] as const

const codes = {
  languageCode: [isLanguage, normaliseLanguage, 'must be a language of ISO 639-1 such as sv.'],
  currencyCode: [isCurrency, normaliseCurrency, 'must be a currency of ISO 4217 such as SEK.'],
  cultureCode: [Boolean, normaliseCulture, 'must be a culture such as sv-SE.'],
  naceCode: [isNace, (text: string) => text, 'must be a NACE code such as 62.01.'],
} as const

function normalizeTexts(record: DebtorRecord, input: object, countryCode: string, checks: FieldErrors): void {
  const given = (name: keyof DebtorRecord) => name in input && record[name] !== null
  for (const name of phones) {
    if (!given(name)) continue
    const checked = checkPhone(record[name]!, countryCode)
    if (checked.ok) record[name] = checked.phone
    else checks.add(name, checked.message)
  }
  for (const name of emails) {
    if (!given(name)) continue
    const checked = checkEmail(record[name]!)
    if (checked.ok) record[name] = checked.email
    else checks.add(name, checked.message)
  }
  if (given('vatNumber')) {
    const checked = checkVatNumber(record.vatNumber!, countryCode)
    if (checked.ok) record.vatNumber = checked.vatNumber
    else checks.add('vatNumber', checked.message)
  }
  for (const [name, [isKnown, spell, message]] of Object.entries(codes)) {
    const member = name as keyof typeof codes
    if (!given(member)) continue
    const spelt = spell(record[member]!)
    if (spelt !== null && isKnown(spelt)) record[member] = spelt
    else checks.add(member, message)
  }
}

function checkContact(record: DebtorRecord, checks: FieldErrors): void {
  for (const name of ['emailConsent', 'smsConsent', 'phoneConsent'] as const) {
    record[name] = record[name]?.toUpperCase() ?? null
    if (record[name] !== null && !consents.some((one) => one === record[name]))
      checks.add(name, `must be one of ${consents.join(', ')}.`)
  }
  if (record.timeZone !== null && !isTimeZone(record.timeZone))
    checks.add('timeZone', 'must be a time zone such as Europe/Stockholm.')
}

const earliestBirth = '1800-01-01'

function checkDates(record: DebtorRecord, input: object, today: string, checks: FieldErrors): void {
  if (!('dateOfBirth' in input) || record.dateOfBirth === null) return
  const day = datePart(record.dateOfBirth)
  if (day > today || day < earliestBirth) {
    checks.add(
      'dateOfBirth',
      `must be from ${checks.day(earliestBirth)} to the system date, ${checks.day(today)}.`,
    )
  }
}

/** Checks the identity number where it or the kind of person is given; birth and gender follow when omitted. */
function applyIdNumber(
  record: DebtorRecord,
  input: DebtorForm | DebtorChangeForm,
  context: DebtorContext,
  checks: FieldErrors,
): void {
  if (record.idNumber === null) {
    record.idCountryCode = null
    return
  }
  const numberGiven = typeof input.idNumber === 'string' && input.idNumber !== ''
  if (!numberGiven && typeof input.juridicalType !== 'number') return
  if (numberGiven) record.idCountryCode = context.idCountryCode ?? context.countryCode
  record.idCountryCode ??= context.countryCode
  const checked = checkIdNumber({
    idNumber: record.idNumber,
    countryCode: record.idCountryCode,
    juridicalType:
      typeof input.juridicalType === 'number' || !numberGiven ? (record.juridicalType as 0 | 1 | null) : null,
    today: context.today,
    bornOn: typeof input.dateOfBirth === 'string' ? datePart(input.dateOfBirth) : undefined,
  })
  if (!checked.ok) {
    checks.add(numberGiven ? 'idNumber' : 'juridicalType', checked.message)
    return
  }
  record.idNumber = checked.idNumber
  record.juridicalType = checked.juridicalType
  if (!numberGiven) return
  if (typeof input.dateOfBirth !== 'string' && checked.dateOfBirth !== null)
    record.dateOfBirth = toMidnight(checked.dateOfBirth)
  if (typeof input.gender !== 'number' && checked.gender !== 0) record.gender = checked.gender
}

/** A person's date of birth must not contradict the identity number. What stays as it was is not refused. */
function checkBirth(
  record: DebtorRecord,
  before: DebtorRecord,
  { countryCode, today }: DebtorContext,
  checks: FieldErrors,
): void {
  const { idNumber, dateOfBirth, juridicalType } = record
  if (idNumber === null || dateOfBirth === null || juridicalType === 1) return
  const parts = ['idNumber', 'dateOfBirth', 'juridicalType', 'idCountryCode'] as const
  if (parts.every((name) => record[name] === before[name])) return
  const country = record.idCountryCode ?? countryCode
  const bornOn = datePart(dateOfBirth)
  const checked = checkIdNumber({ idNumber, countryCode: country, juridicalType: 0, today, bornOn })
  if (!checked.ok || canBeBornOn(country, checked.dateOfBirth, bornOn)) return
  checks.add('dateOfBirth', 'contradicts the date of birth in idNumber. Correct the one that is wrong.')
  checks.add('idNumber', 'has another date of birth than dateOfBirth. Correct the one that is wrong.')
}

const fullNameMax = 200
const nameParts = ['firstname', 'middlename', 'lastname', 'nameSuffix'] as const

/**
 * A person's full name is composed of its parts if there are any. A company's is as given, and never split. `mergeMembers`
 * has already stored a given full name.
 */
function applyNames(
  record: DebtorRecord,
  before: DebtorRecord,
  input: DebtorForm | DebtorChangeForm,
  checks: FieldErrors,
): void {
  const partsGiven = nameParts.filter((name) => typeof input[name] === 'string')
  const fullGiven = typeof input.fullName === 'string' && input.fullName !== ''
  const nameChanges = partsGiven.length > 0 || (record.lastname !== null && input.fullName !== undefined)
  const isComposed = record.juridicalType === 1 ? !fullGiven && before.fullName === '' : nameChanges
  if (isComposed) {
    const composed = record.lastname === null ? null : composeFullName(record)
    // The full name that the debtor has already, sent again, is no change.
    const isNew = fullGiven && record.fullName !== before.fullName
    if (composed !== null && isNew && !isSameName(record.fullName, composed))
      refuseContradiction(partsGiven, checks)
    if (composed !== null) record.fullName = composed
    else if (!fullGiven && partsGiven.length > 0) record.fullName = ''
  }
  requireFullName(record, checks)
}

/** A full name that differs from its parts would be lost. */
function refuseContradiction(partsGiven: readonly string[], checks: FieldErrors): void {
  checks.add(
    'fullName',
    partsGiven.length > 0
      ? `contradicts ${partsGiven.join(', ')}. Send either the full name or its parts.`
      : 'follows from the parts of the name of a person who has a lastname. Send firstname, middlename, lastname or nameSuffix; or an empty lastname with the fullName to give it whole.',
  )
  for (const name of partsGiven) checks.add(name, 'contradicts fullName.')
}

function requireFullName({ fullName }: DebtorRecord, checks: FieldErrors): void {
  if (!fullName)
    checks.add(
      'lastname',
      'is required when fullName is not given. Send a lastname, or a fullName for a company.',
    )
  else if (fullName.length > fullNameMax)
    checks.add(
      'fullName',
      `is longer than ${fullNameMax} characters when composed of its parts. Shorten them.`,
    )
}

/** True for the same words in any order and case, as in `Lindqvist, Åsa`. */
const isSameName = (one: string, other: string): boolean => sortWords(one) === sortWords(other)
const sortWords = (name: string): string =>
  (name.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).toSorted().join(' ')
