/** The rules for a user: pure, for the API, the forms and the import alike. */
import type { Static } from 'typebox'
import { userMemberFields, type UserChange, type UserInput } from '../../../contract/access/users.ts'
import {
  isCountry,
  isLanguage,
  normaliseCountry,
  normaliseCulture,
  normaliseLanguage,
} from '../../../core/identity/codes.ts'
import { checkEmail } from '../../../core/identity/email.ts'
import { findLoginFault } from '../../../core/identity/login.ts'
import { checkPhone } from '../../../core/identity/phone.ts'
import type { FieldErrors } from '../../platform/http/errors.ts'
import { mergeMembers, noMembers } from '../../platform/http/merge-members.ts'
import { checkPhoto } from './photo.ts'

type Members = { [Name in keyof typeof userMemberFields]: Static<(typeof userMemberFields)[Name]> }

/** The members of a user that callers set, checked and normalised. Null where there is no value. */
export type UserRecord = Members & {
  email: string
  fullName: string
  userRole: number
  mfaType: number
  apiUser: boolean
  disabled: boolean
}

export const noUser: UserRecord = {
  ...noMembers(userMemberFields),
  email: '',
  fullName: '',
  userRole: 0,
  mfaType: 0,
  apiUser: false,
  disabled: false,
}

type Input = Partial<UserInput> | UserChange

/**
 * The record after applying an input (to `noUser` for a new user). Omitted and null members stay; the empty string
 * clears. Errors are added to `checks`. `systemCountry` applies to phone numbers without a country.
 */
export function applyUserInput(
  before: UserRecord,
  input: Input,
  systemCountry: string,
  checks: FieldErrors,
): UserRecord {
  const record = merge(before, input)
  if (record.userRole === 0) checks.add('userRole', 'is required: 1 to 14.')
  if (!record.fullName) checks.add('fullName', 'is required.')
  if (!record.email) checks.add('email', 'is required.')
  else if ('email' in input) {
    const checked = checkEmail(record.email)
    if (checked.ok) record.email = checked.email
    else checks.add('email', checked.message)
  }
  if ('userCode' in input && record.userCode?.normalize('NFKC').includes('@')) {
    checks.add('userCode', 'must not have an @: only e-mails have one.')
  }
  refuseLookAlikes(before, record, checks)
  normaliseCodes(record, input, checks)
  normalisePhones(record, input, systemCountry, checks)
  checkPhoto(record, (input as { photoImage?: string | null }).photoImage, checks)
  return record
}

/** Refuses new logins that look like another. An old one that is stored already may stay, or its user could not be changed. */
function refuseLookAlikes(before: UserRecord, record: UserRecord, checks: FieldErrors): void {
  for (const name of ['email', 'userCode'] as const) {
    const login = record[name]
    const fault = login === null || login === before[name] ? undefined : findLoginFault(login)
    if (fault !== undefined) checks.add(name, fault)
  }
}

function merge(before: UserRecord, input: object): UserRecord {
  const record = mergeMembers(before, input, { known: noUser, verbatim: 'photoImage' })
  if (record.photoImageType === null || record.photoImage === null)
    record.photoImageType = record.photoImage = null
  // A cleared e-mail is reported as missing.
  record.email ??= ''
  record.fullName ??= ''
  return record
}

const codes = {
  languageCode: [isLanguage, normaliseLanguage, 'must be a language of ISO 639-1 such as sv.'],
  countryFormat: [isCountry, normaliseCountry, 'must be a country of ISO 3166-1 such as SE.'],
  countryCode: [isCountry, normaliseCountry, 'must be a country of ISO 3166-1 such as SE.'],
  cultureCode: [Boolean, normaliseCulture, 'must be a culture such as sv-SE.'],
} as const

function normaliseCodes(record: UserRecord, input: object, checks: FieldErrors): void {
  for (const [name, [isKnown, spell, message]] of Object.entries(codes)) {
    const member = name as keyof typeof codes
    if (!(member in input) || record[member] === null) continue
    const spelt = spell(record[member])
    if (spelt !== null && isKnown(spelt)) record[member] = spelt
    else checks.add(member, message)
  }
}

const phones = ['phoneNumber', 'cellularPhoneNumber', 'pbxPhoneNumber'] as const

function normalisePhones(
  record: UserRecord,
  input: object,
  systemCountry: string,
  checks: FieldErrors,
): void {
  const given = record.countryCode ?? record.countryFormat ?? systemCountry
  const country = isCountry(given) ? given : systemCountry
  for (const name of phones) {
    if (!(name in input) || record[name] === null) continue
    const checked = checkPhone(record[name], country)
    if (checked.ok) record[name] = checked.phone
    else checks.add(name, checked.message)
  }
}
