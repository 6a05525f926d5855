/** What an address must fulfil, and what follows: pure, for the API, the forms and the import alike. */
import { listFieldNames } from '../../../contract/metadata/fields.ts'
import { addressMemberFields, type AddressInput } from '../../../contract/parties/addresses.ts'
import { mainAddressFields, type DebtorInput } from '../../../contract/parties/debtors.ts'
import { checkZipCode, formatAddress } from '../../../core/identity/address.ts'
import { isCountry } from '../../../core/identity/codes.ts'
import { toMidnight } from '../../../core/calendar/date-time.ts'
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

const dates = ['addressNotValidDate', 'validFrom', 'validTo'] as const

/**
 * The record that an input makes of the one before (`noAddress` for a new one). Omitted and null members stay, the
 * empty string clears. What is wrong is added to `checks`. `countryCode` is that of an address without one.
 */
export function applyAddressInput(
  before: AddressRecord,
  input: AddressInput,
  countryCode: string,
  checks: FieldErrors,
): AddressRecord {
  const record = mergeMembers(before, input)
  record.addressType ??= noAddress.addressType
  for (const name of dates) if (record[name] !== null) record[name] = toMidnight(record[name])
  checkPlace(record, input, checks)
  if (record.validFrom !== null && record.validTo !== null && record.validTo < record.validFrom) {
    checks.add('validTo', 'must not be before validFrom.')
  }
  record.fullAddress =
    formatAddress({ ...record, countryCode: record.countryCode ?? countryCode }) ?? record.fullAddress
  return record
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

/** The main address of a new debtor: the default LEGAL one; null when the input has no part of one. */
export function readMainAddress(
  input: DebtorInput,
  countryCode: string,
  checks: FieldErrors,
): AddressRecord | null {
  const parts = Object.fromEntries(mainAddress.map((name) => [name, input[name]]))
  const combined = cleanText(input.fullAddress ?? '') || null
  if (combined === null && mainAddress.every((name) => !input[name])) return null
  const record = applyAddressInput({ ...noAddress, defaultAddress: true }, parts, countryCode, checks)
  const hasParts = mainAddress.some((name) => name !== 'countryCode' && record[name] !== null)
  return hasParts ? record : { ...record, fullAddress: combined ?? record.fullAddress }
}
