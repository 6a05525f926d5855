/**
 * The columns of import files of third parties, accounts, customers, purchases and objects: the fields of their forms,
 * with references instead of GUIDs.
 */
import { Type, type TObject } from 'typebox'
import { text } from '../metadata/fields.ts'
import * as holdings from '../parties/holdings.ts'

const references = {
  partyReferenceCode: Type.Optional(text(200, "Client: the source's own reference, or the client's code")),
  debtorReference: Type.Optional(text(200, "Debtor: the source's own reference, or our reference number")),
  customerNumber: Type.Optional(
    text(200, "Customer of the same client: the source's own reference, or the customer's number"),
  ),
}

function rowSchema(
  inputs: { create: TObject },
  more: readonly ('debtorReference' | 'customerNumber')[] = [],
): TObject {
  const {
    clientGuid: _client,
    debtorGuid: _debtor,
    customerGuid: _customer,
    ...members
  } = inputs.create.properties
  return Type.Object(
    {
      partyReferenceCode: references.partyReferenceCode,
      ...members,
      ...Object.fromEntries(more.map((name) => [name, references[name]])),
    },
    { additionalProperties: false },
  )
}

export const ThirdPartyRow = rowSchema(holdings.thirdPartyInputs)
export const AccountRow = rowSchema(holdings.accountInputs)
export const CustomerRow = rowSchema(holdings.customerInputs, ['debtorReference'])
export const PurchaseRow = rowSchema(holdings.purchaseInputs, ['customerNumber'])
export const ObjectRow = rowSchema(holdings.objectInputs)
