import { Type, type Static } from 'typebox'
import { mainAddressFields, ofDebtor } from './debtors.ts'
import {
  date,
  dateTime,
  flag,
  guid,
  inputSchema,
  listFieldNames,
  namesWithout,
  outputSchema,
  text,
} from '../metadata/fields.ts'
import { operation } from '../platform/operation.ts'
import { page, pageQuery } from '../platform/page.ts'
import { Problem } from '../platform/problem.ts'

/** What callers give and change, and the address in one line, which follows. Each is a column in snake case. */
export const addressMemberFields = {
  addressType: text(20, 'Type', { lookup: 'addresstype' }),
  fullName: text(200, 'Name', { personalData: 'name' }),
  ...mainAddressFields,
  fullAddress: text(500, 'Full address', { readOnly: true, personalData: 'address' }),
  addressNotValidDate: date('Marked not valid'),
  defaultAddress: flag('Default address'),
  validFrom: date('Valid from'),
  validTo: date('Valid to'),
}
/** The dictionary of a debtor's address: every field once. */
export const addressFields = {
  addressGuid: guid('Address', { readOnly: true }),
  ...addressMemberFields,
  validatedAt: dateTime('Validated', { readOnly: true }),
  lastUpdatedAt: dateTime('Last updated', { readOnly: true }),
  validOverride: flag('Validity overridden', { readOnly: true }),
}

export const Address = outputSchema(addressFields, listFieldNames(addressFields), { $id: 'Address' })
export type Address = Static<typeof Address>

export const AddressInput = inputSchema(addressFields, namesWithout(addressMemberFields, ['fullAddress']), {
  $id: 'AddressInput',
})
export type AddressInput = Static<typeof AddressInput>

const ofAddress = Type.Object({ debtorGuid: guid('Debtor'), addressGuid: guid('Address') })
const example = {
  addressType: 'LEGAL',
  street: 'Kungsgatan',
  houseNo: '4',
  zipCode: '111 43',
  city: 'Stockholm',
  countryCode: 'SE',
  defaultAddress: true,
  validFrom: '2026-01-01',
}
/** Field collectors (role 14) maintain addresses and extra fields. */
const write = { access: ['debtor.write'], roles: [14] } as const

export const listAddresses = operation({
  id: 'D8',
  name: 'listAddresses',
  method: 'GET',
  path: '/debtors/:debtorGuid/addresses',
  area: 'Debtors',
  summary: "List a debtor's addresses",
  access: ['debtor.read'],
  params: ofDebtor,
  query: pageQuery,
  status: 200,
  response: page(Address),
  example: { query: { $orderby: 'validFrom desc' } },
})
export const createAddress = operation({
  id: 'D9',
  name: 'createAddress',
  method: 'POST',
  path: '/debtors/:debtorGuid/addresses',
  area: 'Debtors',
  summary: 'Create an address',
  description: 'Setting `defaultAddress` clears the flag of the previous default address.',
  ...write,
  params: ofDebtor,
  body: AddressInput,
  status: 201,
  response: Address,
  versioned: true,
  example: { body: example },
})
export const getAddress = operation({
  id: 'D10',
  name: 'getAddress',
  method: 'GET',
  path: '/debtors/:debtorGuid/addresses/:addressGuid',
  area: 'Debtors',
  summary: 'Get an address',
  access: ['debtor.read'],
  params: ofAddress,
  status: 200,
  response: Address,
  versioned: true,
})
export const updateAddress = operation({
  id: 'D11',
  name: 'updateAddress',
  method: 'PATCH',
  path: '/debtors/:debtorGuid/addresses/:addressGuid',
  area: 'Debtors',
  summary: 'Update an address',
  description:
    'A member that is omitted or null stays unchanged; the empty string clears a text or date member. `fullAddress` follows from the parts; an address in one line keeps that line until its parts have a street and a place.',
  ...write,
  params: ofAddress,
  body: AddressInput,
  status: 200,
  response: Problem,
  versioned: true,
  example: { body: { houseNo: '6', validTo: '' } },
})
export const confirmAddress = operation({
  id: 'confirmAddress',
  name: 'confirmAddress',
  method: 'POST',
  path: '/debtors/:debtorGuid/addresses/:addressGuid/confirm',
  area: 'Debtors',
  summary: 'Confirm an address',
  description:
    'Says that the address is right: sets `validatedAt` and clears `addressNotValidDate`. `validOverride` is true when a person thereby overrules a service that had marked the address as not valid, until it is marked again or changed.',
  ...write,
  params: ofAddress,
  status: 200,
  response: Problem,
  versioned: true,
})
export const deleteAddress = operation({
  id: 'D12',
  name: 'deleteAddress',
  method: 'DELETE',
  path: '/debtors/:debtorGuid/addresses/:addressGuid',
  area: 'Debtors',
  summary: 'Delete an address',
  description: 'Deleting the default address makes the newest valid LEGAL address the default.',
  ...write,
  params: ofAddress,
  status: 200,
  response: Problem,
  versioned: true,
})
