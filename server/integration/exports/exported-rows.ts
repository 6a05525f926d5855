/** Rows of exports that the API has no list for: the members to filter and sort by. */
import { Type } from 'typebox'

const guid = Type.String({ format: 'uuid' })
const text = Type.Unsafe<string | null>({ type: ['string', 'null'] })
const day = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  format: 'date-time',
  'x-field': { kind: 'date' },
})
const ofCase = {
  caseGuid: guid,
  caseNumber: Type.String(),
  clientReferenceNumber: text,
  clientName: Type.String(),
  debtorGuid: guid,
  currencyCode: Type.String(),
}
export const ExportedPayment = Type.Object({
  paymentGuid: guid,
  movementGuid: guid,
  ...ofCase,
  kind: Type.String(),
  valueDate: day,
  bookedDate: day,
  reversed: Type.Boolean(),
  amount: Type.Number(),
})
export const ExportedInvoice = Type.Object({
  invoiceGuid: guid,
  ...ofCase,
  invoiceNumber: text,
  invoiceDate: day,
  dueDate: day,
  description: text,
  principal: Type.Number(),
})
