/** Client records: third parties, accounts, customers, purchases and objects, each of one client. */
import type { TProperties } from 'typebox'
import { date, guid, inputSchema, lines, money, namesWithout, reference, text } from '../metadata/fields.ts'

const contact = { personalData: 'contact' } as const
const place = {
  street: text(100, 'Street', { personalData: 'address' }),
  zipCode: text(20, 'Postal code', { personalData: 'address' }),
  city: text(100, 'City', { personalData: 'address' }),
  countryCode: text(2, 'Country', { lookup: 'country' }),
}
const clientGuid = reference('Client', 'client')
const description = lines(1000, 'Description')
const currencyCode = text(3, 'Currency', { lookup: 'currency' })

export const thirdPartyFields = {
  thirdPartyGuid: guid('Third party', { readOnly: true }),
  clientGuid,
  name: text(200, 'Name', { personalData: 'name' }),
  idNumber: text(30, 'Identity or company number', { personalData: 'identity' }),
  email: text(254, 'E-mail', contact),
  phone: text(30, 'Phone', contact),
  ...place,
  description,
}
export const accountFields = {
  accountGuid: guid('Account', { readOnly: true }),
  clientGuid,
  accountNumber: text(50, 'Account number'),
  name: text(200, 'Name'),
  currencyCode,
  description,
}
export const customerFields = {
  customerGuid: guid('Customer', { readOnly: true }),
  clientGuid,
  customerNumber: text(50, 'Customer number'),
  name: text(200, 'Name', { personalData: 'name' }),
  debtorGuid: reference('Debtor', 'debtor'),
  email: text(254, 'E-mail', contact),
  phone: text(30, 'Phone', contact),
  ...place,
}
export const purchaseFields = {
  purchaseGuid: guid('Purchase', { readOnly: true }),
  clientGuid,
  purchaseNumber: text(50, 'Purchase number'),
  customerGuid: reference('Customer', 'customer'),
  purchaseDate: date('Date of purchase'),
  amount: money('Amount'),
  currencyCode,
  description,
}
export const objectFields = {
  objectGuid: guid('Object', { readOnly: true }),
  clientGuid,
  objectNumber: text(50, 'Object number'),
  name: text(200, 'Name'),
  ...place,
  description,
}

export const thirdPartyInputs = createInputs(thirdPartyFields, 'thirdPartyGuid')
export const accountInputs = createInputs(accountFields, 'accountGuid')
export const customerInputs = createInputs(customerFields, 'customerGuid')
export const purchaseInputs = createInputs(purchaseFields, 'purchaseGuid')
export const objectInputs = createInputs(objectFields, 'objectGuid')

/** Every field but the record's own key. A record stays with its client, which is given when it is made. */
function createInputs<F extends { clientGuid: typeof clientGuid } & TProperties, K extends keyof F & string>(
  fields: F,
  key: K,
) {
  return {
    create: inputSchema(fields, namesWithout(fields, [key])),
    edit: inputSchema(fields, namesWithout(fields, [key, 'clientGuid'])),
  }
}
