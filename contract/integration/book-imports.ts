/**
 * The columns of files that carry clients with their terms, and debtors with addresses and extra fields, from one
 * installation to another.
 */
import { Type, type Static } from 'typebox'
import { PartyInput } from '../access/parties.ts'
import { ClientTermsInput } from '../cases/case-inputs.ts'
import { date, text } from '../metadata/fields.ts'
import { AddressInput } from '../parties/addresses.ts'
import { DebtorInput } from '../parties/debtors.ts'
import { all, closed, list } from './carried-fields.ts'

export const PartyRow = Type.Object(
  {
    ...PartyInput.properties,
    ...all({ countryCode: text(2, 'Country'), currencyCode: text(3, 'Currency') }),
    ...ClientTermsInput.properties,
  },
  closed,
)
export type PartyRow = Static<typeof PartyRow>

const { properties: addressMembers } = AddressInput
const CarriedAddress = Type.Object(
  { ...addressMembers, ...all({ fullAddress: text(500, 'Full address') }) },
  closed,
)
const CarriedExtraField = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100 }),
    value: Type.Array(Type.String({ maxLength: 4000 }), { maxItems: 100 }),
  },
  closed,
)

/** Besides what D2 takes, what only a file gives. */
export const DebtorRow = Type.Object(
  {
    ...DebtorInput.properties,
    ...all({
      keptReference: text(20, 'Debtor reference in the installation that it comes from; none for a new one'),
      regDate: date('Registered there'),
      preferredChannel: text(20, 'Preferred channel'),
      idCountryCode: text(2, 'Country of the identity number'),
      addresses: list(CarriedAddress, 100, 'Addresses, in place of the main address'),
      extraFields: list(CarriedExtraField, 200, 'Extra fields'),
    }),
  },
  closed,
)
export type DebtorRow = Static<typeof DebtorRow>
