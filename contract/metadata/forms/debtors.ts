import { listAllCases } from '../../cases/all-cases.ts'
import * as addresses from '../../parties/addresses.ts'
import * as debtors from '../../parties/debtors.ts'
import * as extraFields from '../../parties/extra-fields.ts'
import { form } from './form.ts'

const person = {
  code: 'person',
  columns: 2,
  noTopDivider: true,
  fields: [
    'idNumber',
    'juridicalType',
    'firstname',
    'middlename',
    'lastname',
    'nameSuffix',
    'fullName',
    'dateOfBirth',
    'placeOfBirth',
    'gender',
    'underAged',
  ],
} as const
const contact = {
  code: 'contact',
  columns: 2,
  fields: [
    'email',
    'cellularPhone',
    'homePhone',
    'workPhone',
    'telefax',
    'preferredChannel',
    'conversationNotificationChannel',
    'conversationNotificationEmail',
    'conversationNotificationCellularPhone',
  ],
} as const
const permission = {
  code: 'contactpermission',
  columns: 2,
  fields: [
    'emailConsent',
    'smsConsent',
    'phoneConsent',
    'timeZone',
    'protectedIdentity',
    'forwardingAddress',
  ],
} as const
const address = {
  code: 'address',
  columns: 2,
  fields: [
    'street',
    'houseNo',
    'houseNoExtension',
    'zipCode',
    'city',
    'stateCode',
    'countryCode',
    'fullAddress',
  ],
} as const
const more = {
  code: 'more',
  columns: 2,
  fields: [
    'languageCode',
    'cultureCode',
    'currencyCode',
    'domicile',
    'municipalCode',
    'vatNumber',
    'naceCode',
  ],
} as const
/** How a debtor is reached changes more often than anything else. */
const reached = { email: 'email', cellularPhone: 'cellularPhone', workPhone: 'workPhone' }
const idnumber = { code: 'idnumber', fields: ['idNumber', 'countryCode'] } as const

export const debtorCreate = form({
  entity: 'debtor',
  type: 'create',
  fields: debtors.debtorFields,
  groups: [person, address, contact, permission, more],
  keys: ['debtorGuid', 'debtorReference'],
  takes: {},
  open: debtors.createDebtor,
  submit: { access: debtors.createDebtor.access, method: 'POST', body: debtors.DebtorForm },
  list: debtors.listDebtors,
  recalculations: [idnumber],
})
export const debtorEdit = form({
  entity: 'debtor',
  type: 'edit',
  fields: debtors.debtorFields,
  groups: [
    person,
    contact,
    permission,
    more,
    { code: 'record', columns: 2, fields: ['debtorReference', 'regDate'] },
  ],
  keys: ['debtorGuid'],
  takes: { id: 'debtor' },
  record: 'id',
  open: debtors.getDebtor,
  submit: { access: debtors.updateDebtor.access, method: 'PATCH', body: debtors.DebtorChangeForm },
  remove: debtors.updateDebtor,
  list: debtors.listDebtors,
  rows: [
    { list: debtors.listDebtors, key: 'debtorGuid', cells: { ...reached, homePhone: 'homePhone' } },
    { list: listAllCases, key: 'mainDebtorGuid', cells: reached },
  ],
  recalculations: [{ code: 'idnumber', fields: ['idNumber'] }],
})

const place = {
  code: 'address',
  columns: 2,
  noTopDivider: true,
  fields: [
    'addressType',
    'fullName',
    'street',
    'houseNo',
    'houseNoExtension',
    'zipCode',
    'city',
    'stateCode',
    'countryCode',
  ],
} as const
const validity = {
  code: 'validity',
  columns: 2,
  fields: ['defaultAddress', 'validFrom', 'validTo', 'addressNotValidDate'],
} as const

export const addressCreate = form({
  entity: 'address',
  type: 'create',
  fields: addresses.addressFields,
  groups: [place, validity],
  keys: ['addressGuid', 'fullAddress'],
  takes: { id: 'debtor' },
  open: addresses.createAddress,
  submit: addresses.createAddress,
  list: addresses.listAddresses,
})
export const addressEdit = form({
  entity: 'address',
  type: 'edit',
  fields: addresses.addressFields,
  groups: [
    place,
    validity,
    { code: 'record', columns: 2, fields: ['fullAddress', 'validatedAt', 'lastUpdatedAt', 'validOverride'] },
  ],
  keys: ['addressGuid'],
  takes: { id: 'debtor', subId: 'address' },
  record: 'subId',
  open: addresses.getAddress,
  submit: addresses.updateAddress,
  remove: addresses.deleteAddress,
  list: addresses.listAddresses,
})

const extraField = {
  entity: 'extrafield',
  fields: extraFields.ExtraFieldInput.properties,
  groups: [{ code: 'extrafield', columns: 1, noTopDivider: true, fields: ['name', 'value'] }],
  keys: [],
  list: extraFields.listExtraFields,
  required: ['name'],
  /** One value per line. */
  lists: { value: '\n' },
} as const

export const extraFieldCreate = form({
  ...extraField,
  type: 'create',
  takes: { id: 'debtor' },
  open: extraFields.createExtraField,
  submit: extraFields.createExtraField,
})
export const extraFieldEdit = form({
  ...extraField,
  type: 'edit',
  takes: { id: 'debtor', name: 'extra field' },
  record: 'name',
  open: extraFields.getExtraField,
  submit: extraFields.updateExtraField,
  remove: extraFields.deleteExtraField,
})
