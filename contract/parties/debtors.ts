import { Type, type Static } from 'typebox'
import {
  code,
  date,
  flag,
  guid,
  inputSchema,
  key,
  links,
  listFieldNames,
  namesWithout,
  outputSchema,
  text,
} from '../metadata/fields.ts'
import { operation } from '../platform/operation.ts'
import { page, pageQuery } from '../platform/page.ts'
import { Problem } from '../platform/problem.ts'

const name = { personalData: 'name' } as const
const contact = { personalData: 'contact' } as const
const address = { personalData: 'address' } as const

export const juridicalTypes = { 0: 'natural person', 1: 'legal person' }
export const genders = { 0: 'unknown', 1: 'male', 2: 'female' }
export const notificationChannels = { 0: 'none', 1: 'e-mail', 2: 'SMS', 3: 'e-mail and SMS' }

export const preferredChannels = ['EMAIL', 'SMS', 'PHONE', 'LETTER'] as const

export const mainAddressFields = {
  street: text(100, 'Street', address),
  houseNo: text(20, 'House number', address),
  houseNoExtension: text(20, 'House number extension', address),
  city: text(100, 'City', address),
  zipCode: text(20, 'Zip code', address),
  stateCode: text(10, 'State', address),
  countryCode: text(2, 'Country', { lookup: 'country' }),
}
const addressFields = { ...mainAddressFields, fullAddress: text(500, 'Full address', address) }

/** What callers give and change. Each is a column of the table `debtor`, its name in snake case. */
export const debtorMemberFields = {
  idNumber: text(30, 'Identity or company number', { personalData: 'identity' }),
  juridicalType: code('Juridical type', juridicalTypes, { lookup: 'juridicaltype' }),
  placeOfBirth: text(100, 'Place of birth', { personalData: 'birth' }),
  dateOfBirth: date('Date of birth', { personalData: 'birth' }),
  underAged: flag('Under age', { personalData: 'birth' }),
  gender: code('Gender', genders, { lookup: 'gender', personalData: 'birth' }),
  cultureCode: text(20, 'Culture', { lookup: 'culture' }),
  fullName: text(200, 'Full name', name),
  firstname: text(100, 'First name', name),
  middlename: text(100, 'Middle name', name),
  lastname: text(100, 'Last name', name),
  nameSuffix: text(50, 'Name suffix', name),
  domicile: text(100, 'Domicile', address),
  municipalCode: text(10, 'Municipality', { lookup: 'municipality' }),
  vatNumber: text(30, 'VAT number'),
  naceCode: text(10, 'NACE code'),
  homePhone: text(30, 'Home phone', contact),
  workPhone: text(30, 'Work phone', contact),
  cellularPhone: text(30, 'Cellular phone', contact),
  telefax: text(30, 'Telefax', contact),
  email: text(254, 'E-mail', contact),
  languageCode: text(2, 'Language', { lookup: 'language' }),
  currencyCode: text(3, 'Currency', { lookup: 'currency' }),
  conversationNotificationChannel: code('Conversation notification', notificationChannels, {
    lookup: 'conversationnotificationchannel',
  }),
  conversationNotificationEmail: text(254, 'Notification e-mail', contact),
  conversationNotificationCellularPhone: text(30, 'Notification phone', contact),
  emailConsent: text(10, 'Consent to e-mail', { lookup: 'channelconsent' }),
  smsConsent: text(10, 'Consent to SMS', { lookup: 'channelconsent' }),
  phoneConsent: text(10, 'Consent to calls', { lookup: 'channelconsent' }),
  timeZone: text(50, 'Time zone'),
  protectedIdentity: flag('Protected identity'),
  forwardingAddress: text(300, 'Forwarding address', address),
}

/** The dictionary of a debtor: every field once. */
export const debtorFields = {
  debtorGuid: guid('Debtor', { readOnly: true }),
  debtorReference: key(20, 'Debtor reference', { readOnly: true }),
  ...debtorMemberFields,
  ...addressFields,
  preferredChannel: text(20, 'Preferred channel', { lookup: 'preferredchannel' }),
  regDate: date('Registered', { readOnly: true }),
  links,
}

/** Every field but those that only D3 gives. */
export const DebtorListItem = outputSchema(
  debtorFields,
  namesWithout(debtorFields, [
    'gender',
    'cultureCode',
    'firstname',
    'middlename',
    'lastname',
    'nameSuffix',
    'vatNumber',
    'telefax',
    'conversationNotificationChannel',
    'conversationNotificationEmail',
    'conversationNotificationCellularPhone',
    'emailConsent',
    'smsConsent',
    'phoneConsent',
    'timeZone',
    'protectedIdentity',
    'forwardingAddress',
    'fullAddress',
    'preferredChannel',
    'regDate',
    'links',
  ]),
  { $id: 'DebtorListItem' },
)
export type DebtorListItem = Static<typeof DebtorListItem>

/** Every field but those of the main address. */
export const Debtor = outputSchema(debtorFields, namesWithout(debtorFields, listFieldNames(addressFields)), {
  $id: 'Debtor',
})
export type Debtor = Static<typeof Debtor>

/** What D4 takes: every member. D2 takes the main address too. */
export const DebtorChange = inputSchema(debtorFields, listFieldNames(debtorMemberFields), {
  $id: 'DebtorChange',
})
export type DebtorChange = Static<typeof DebtorChange>
export const DebtorInput = inputSchema(
  debtorFields,
  [...listFieldNames(debtorMemberFields), ...listFieldNames(addressFields)],
  { $id: 'DebtorInput' },
)
export type DebtorInput = Static<typeof DebtorInput>

/** The forms take what D2 and D4 do not: the channel by which the debtor prefers to be reached. */
export const DebtorForm = inputSchema(
  debtorFields,
  [...listFieldNames(debtorMemberFields), ...listFieldNames(addressFields), 'preferredChannel'],
  { $id: 'DebtorForm' },
)
export const DebtorChangeForm = inputSchema(
  debtorFields,
  [...listFieldNames(debtorMemberFields), 'preferredChannel'],
  { $id: 'DebtorChangeForm' },
)
export type DebtorForm = Static<typeof DebtorForm>
export type DebtorChangeForm = Static<typeof DebtorChangeForm>

export const ofDebtor = Type.Object({ debtorGuid: guid('Debtor') })

const allowDuplicate = {
  'X-Allow-Duplicate': '`true` allows a second debtor with the same identity number and country.',
}

export const listDebtors = operation({
  id: 'D1',
  name: 'listDebtors',
  method: 'GET',
  path: '/debtors',
  area: 'Debtors',
  summary: 'List debtors',
  description: 'The address shown is the default address that is valid on the system date.',
  access: ['debtor.read'],
  query: pageQuery,
  status: 200,
  response: page(DebtorListItem),
  example: { query: { $filter: "startswith(fullName,'And') and city eq 'Malmö'", $orderby: 'fullName' } },
})
export const createDebtor = operation({
  id: 'D2',
  name: 'createDebtor',
  method: 'POST',
  path: '/debtors',
  area: 'Debtors',
  summary: 'Create a debtor',
  description:
    'Needs `fullName` or `lastname`. The identity number is checked by the rules of the country and normalised; a personal number also gives date of birth and gender. The main address becomes the default LEGAL address. `fullAddress` is split into its parts where the form of its country allows it, and kept in one line otherwise. A `fullName` or `fullAddress` that contradicts its parts is refused.',
  access: ['debtor.write'],
  headers: allowDuplicate,
  body: DebtorInput,
  status: 201,
  response: Debtor,
  problems: ['conflict'],
  versioned: true,
  example: {
    body: {
      idNumber: '19900101-2385',
      firstname: 'Åsa',
      lastname: 'Lindqvist',
      street: 'Storgatan',
      houseNo: '12',
      zipCode: '211 42',
      city: 'Malmö',
      countryCode: 'SE',
      cellularPhone: '070-174 06 05',
      email: 'asa.lindqvist@example.com',
      languageCode: 'sv',
      currencyCode: 'SEK',
    },
  },
})
export const getDebtor = operation({
  id: 'D3',
  name: 'getDebtor',
  method: 'GET',
  path: '/debtors/:debtorGuid',
  area: 'Debtors',
  summary: 'Get a debtor',
  access: ['debtor.read'],
  params: ofDebtor,
  status: 200,
  response: Debtor,
  versioned: true,
})
export const updateDebtor = operation({
  id: 'D4',
  name: 'updateDebtor',
  method: 'PATCH',
  path: '/debtors/:debtorGuid',
  area: 'Debtors',
  summary: 'Update a debtor',
  description:
    'A member that is omitted or null stays unchanged; the empty string clears a text or date member. `fullName` alone is for companies and for persons without `lastname`; otherwise it is derived from the parts of the name.',
  access: ['debtor.write'],
  headers: allowDuplicate,
  params: ofDebtor,
  body: DebtorChange,
  status: 200,
  response: Problem,
  problems: ['conflict'],
  versioned: true,
  example: { body: { cellularPhone: '+46 70 174 06 05', email: '' } },
})
