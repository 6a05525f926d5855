/** The rows that a write of the product makes, without its event and audit entry, its checks and its answer. */
import type { DemoDebtor } from '../../cli/demo/debtors.ts'
import { searchedMembers } from '../../server/parties/debtors/update-debtors.store.ts'
import { snakeCase } from '../../server/platform/database/columns.ts'
import { anyValue, type Statement } from '../scenarios/statements.ts'

const debtorColumns = {
  idNumber: 'id_number',
  juridicalType: 'juridical_type',
  fullName: 'full_name',
  firstname: 'firstname',
  middlename: 'middlename',
  lastname: 'lastname',
  dateOfBirth: 'date_of_birth',
  gender: 'gender',
  placeOfBirth: 'place_of_birth',
  cellularPhone: 'cellular_phone',
  homePhone: 'home_phone',
  workPhone: 'work_phone',
  email: 'email',
  languageCode: 'language_code',
  currencyCode: 'currency_code',
  vatNumber: 'vat_number',
  naceCode: 'nace_code',
  conversationNotificationChannel: 'conversation_notification_channel',
} as const
const addressColumns = {
  street: 'street',
  houseNo: 'house_no',
  houseNoExtension: 'house_no_extension',
  city: 'city',
  zipCode: 'zip_code',
  stateCode: 'state_code',
  countryCode: 'country_code',
} as const

const debtorNames = Object.keys(debtorColumns) as (keyof typeof debtorColumns)[]
const addressNames = Object.keys(addressColumns) as (keyof typeof addressColumns)[]
const numbersFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => `$${first + index}`).join(', ')
const addressFrom = 3 + debtorNames.length

/** Parameters: the debtor's and the address' key, then the members in order. */
export const bareCreateText = `
  with made as (
    insert into debtor (id, ${Object.values(debtorColumns).join(', ')}, ${Object.values(addressColumns).join(', ')}, reg_date)
    values ($1, ${numbersFrom(3, debtorNames.length)}, ${numbersFrom(addressFrom, addressNames.length)}, now())
    returning *, debtor_search_keys(debtor) as search_keys
  ),
  placed as (
    insert into address (id, debtor_id, address_type, default_address, last_updated_at, ${Object.values(addressColumns).join(', ')})
    select $2::uuid, id, 'LEGAL', true, now(), ${addressNames.map((_, index) => `$${addressFrom + index}::text`).join(', ')} from made
  ),
  described as (
    insert into item (guid, type, primary_description, secondary_description, debtor_id, search_keys)
    select id, 3, full_name, debtor_reference, id, search_keys from made
  )
  select id, debtor_reference from made`

export function bareCreateParameters(
  keys: [debtor: string, address: string],
  input: Partial<DemoDebtor>,
): (string | number | null)[] {
  const named = { ...input, fullName: input.fullName ?? `${input.firstname} ${input.lastname}` }
  return [...keys, ...[...debtorNames, ...addressNames].map((name) => named[name] ?? null)]
}

/** The same for pgbench, which makes the keys and the identity number itself and has one input for the rest. */
export function makeBareCreate(input: Partial<DemoDebtor>): Statement {
  const text = bareCreateText.replace('($1,', '(gen_random_uuid(),').replace('$2::uuid', 'gen_random_uuid()')
  const numbered = { ...input, idNumber: `number ${anyValue}` }
  return { text, parameters: bareCreateParameters(['', ''], numbered), prepared: true }
}

const nameParts = new Set(['firstname', 'middlename', 'lastname', 'nameSuffix'])

/**
 * Parameters: the debtor's key and the member's value. A part of a name goes into the full name. The search item is kept
 * where the search finds the debtor by the member: the reference's own search reads it.
 */
export function writeUpdate(member: string): string {
  const column = snakeCase(member)
  const parts = ['firstname', 'middlename', 'lastname', 'name_suffix'].map((part) =>
    part === column ? '$2::text' : part,
  )
  const isNamePart = nameParts.has(member)
  const name = isNamePart ? `, full_name = concat_ws(' ', ${parts.join(', ')})` : ''
  const update = `update debtor d set ${column} = $2${name}, version = version + 1 where id = $1::uuid`
  if (!isNamePart && !(searchedMembers as readonly string[]).includes(member)) return update
  return `with changed as (${update} returning id, full_name, debtor_search_keys(d) as search_keys)
    update item i set primary_description = c.full_name, search_keys = c.search_keys from changed c where i.guid = c.id`
}

/** Parameters: the address' key and the member's value. The debtor has a copy of the address that is shown. */
export function writeAddressUpdate(member: string): string {
  const column = snakeCase(member)
  return `with changed as (update address set ${column} = $2::text where id = $1::uuid returning debtor_id, default_address)
    update debtor d set ${column} = $2::text from changed where d.id = changed.debtor_id and changed.default_address`
}
