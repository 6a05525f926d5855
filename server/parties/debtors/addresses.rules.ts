/** What an address must fulfil, and what follows: pure, for the API, the forms and the import alike. */
import { listDays, listFieldNames } from '../../../contract/metadata/fields.ts'
import { addressMemberFields, type AddressInput } from '../../../contract/parties/addresses.ts'
import { mainAddressFields, type DebtorInput } from '../../../contract/parties/debtors.ts'
import { checkZipCode, formatAddress, parseAddress } from '../../../core/identity/address.ts'
import { isCountry } from '../../../core/identity/codes.ts'
import { cleanText } from '../../../core/identity/person-name.ts'
import type { FieldErrors } from '../../platform/http/errors.ts'
import { mergeMembers, noMembers } from '../../platform/http/merge-members.ts'

/** The members of an address that are stored, checked and normalised; null where there is none. */
export type AddressRecord = Required<AddressInput> & {
  addressType: string
  defaultAddress: boolean
  fullAddress: string | null
}

export const noAddress: AddressRecord = {
  ...noMembers(addressMemberFields),
  addressType: 'LEGAL',
  defaultAddress: false,
}

const days = listDays(addressMemberFields)

/**
 * The record that an input makes of the one before (`noAddress` for a new one). Omitted and null members stay, the
 * empty string clears. What is wrong is added to `checks`. `countryCode` is that of an address without one.
 * An address given in one line that could not be split keeps that line until its parts have a street and a place.
 */
export function applyAddressInput(
  before: AddressRecord,
  input: AddressInput,
  countryCode: string,
  checks: FieldErrors,
): AddressRecord {
  const record = mergeMembers(splitLine(before, countryCode), input, { days })
  record.addressType ??= noAddress.addressType
  checkPlace(record, input, checks)
  if (record.validFrom !== null && record.validTo !== null && record.validTo < record.validFrom) {
    checks.add('validTo', 'must not be before validFrom.')
  }
  const isLine = before.fullAddress !== null && before.fullAddress !== formatParts(before, countryCode)
  if (!isLine || isComplete(record)) record.fullAddress = formatParts(record, countryCode)
  return record
}

const formatParts = (record: AddressRecord, countryCode: string): string | null =>
  formatAddress({ ...record, countryCode: record.countryCode ?? countryCode })

const isComplete = ({ street, city, zipCode }: AddressRecord): boolean =>
  street !== null && (city !== null || zipCode !== null)

/** The parts of an address that has nothing but its line, where the country lets them be told. */
function splitLine(record: AddressRecord, countryCode: string): AddressRecord {
  if (record.fullAddress === null || placeMembers.some((name) => record[name] !== null)) return record
  const parsed = parseAddress(record.fullAddress, { countryCode: record.countryCode ?? countryCode })
  if (parsed === null) return record
  const parts = {
    ...parsed,
    fullName: record.fullName ?? parsed.fullName,
    countryCode: record.countryCode ?? parsed.countryCode,
  }
  return { ...record, ...parts }
}

function checkPlace(record: AddressRecord, input: AddressInput, checks: FieldErrors): void {
  if (record.countryCode === null) return
  record.countryCode = record.countryCode.toUpperCase()
  if (!isCountry(record.countryCode)) {
    checks.add('countryCode', 'must be a country of ISO 3166-1 such as SE.')
    return
  }
  const touched = typeof input.zipCode === 'string' || typeof input.countryCode === 'string'
  if (!touched || record.zipCode === null) return
  const checked = checkZipCode(record.zipCode, record.countryCode)
  if (checked.ok) record.zipCode = checked.zipCode
  else checks.add('zipCode', checked.message)
}

const mainAddress = listFieldNames(mainAddressFields)
const placeMembers = mainAddress.filter((name) => name !== 'countryCode')

/**
 * The main address of a new debtor: the default LEGAL one; null when the input has no part of one. A combined address
 * is split into parts where its country lets them be told. One that contradicts the parts given adds an error at each.
 */
export function readMainAddress(
  input: DebtorInput,
  countryCode: string,
  checks: FieldErrors,
): AddressRecord | null {
  const parts = Object.fromEntries(mainAddress.map((name) => [name, input[name]]))
  const lines = (input.fullAddress ?? '').split(/\r?\n/).map(cleanText)
  const line = lines.filter((one) => one !== '').join(', ')
  if (line === '' && mainAddress.every((name) => !input[name])) return null
  const record = applyAddressInput({ ...noAddress, defaultAddress: true }, parts, countryCode, checks)
  if (line === '') return record
  const country = record.countryCode ?? countryCode
  const parsed = parseAddress(line, { countryCode: country })
  const given = placeMembers.filter((name) => record[name] !== null)
  const contradict = (names: readonly string[]) => {
    checks.add(
      'fullAddress',
      `contradicts ${names.join(', ')}. Send either the combined address or its parts.`,
    )
    for (const name of names) checks.add(name, 'contradicts fullAddress.')
  }
  if (
    parsed &&
    parsed.countryCode !== null &&
    parsed.countryCode !== country &&
    record.countryCode !== null
  ) {
    contradict(['countryCode'])
    return record
  }
  const read = parsed && { ...record, ...parsed, countryCode: record.countryCode ?? parsed.countryCode }
  const whole = read && formatParts(read, countryCode)
  if (read && withoutBlanks(read.zipCode) === withoutBlanks(record.zipCode)) record.zipCode = read.zipCode
  if (given.length === 0) return read ? { ...read, fullAddress: whole } : { ...record, fullAddress: line }
  const own = Object.fromEntries(given.map((name) => [name, record[name]]))
  for (const filled of read ? [{ ...read, ...own }, { ...record, ...pickPlace(read) }, record] : [record])
    if (hasSameWords(formatParts(filled, countryCode), whole ?? line))
      return { ...filled, fullAddress: formatParts(filled, countryCode) }
  if (!read && !isComplete(record) && given.every((name) => hasWords(line, record[name]!)))
    return { ...record, fullAddress: line }
  contradict(given)
  return record
}

const withoutBlanks = (text: string | null) => text?.replaceAll(' ', '')
const pickPlace = ({ zipCode, city, fullName }: AddressRecord) => ({ zipCode, city, fullName })

const listWords = (text: string | null): string[] => (text ?? '').toLowerCase().match(/\p{L}+|\d+/gu) ?? []
const hasSameWords = (one: string | null, other: string | null): boolean =>
  listWords(one).toSorted().join(' ') === listWords(other).toSorted().join(' ')
const hasWords = (text: string, part: string): boolean =>
  ` ${listWords(text).join(' ')} `.includes(` ${listWords(part).join(' ')} `)
