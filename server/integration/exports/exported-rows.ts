/** The rows of exports of payments and invoices: which members `$filter` and `$orderby` may name. The API has no list of these rows. */
import { Type } from 'typebox'

const guid = Type.String({ format: 'uuid' })
const text = Type.Unsafe<string | null>({ type: ['string', 'null'] })
const day = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  format: 'date-time',
  'x-field': { kind: 'date' },
})
const caseMembers = {
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
  ...caseMembers,
  kind: Type.String(),
  valueDate: day,
  bookedDate: day,
  reversed: Type.Boolean(),
  amount: Type.Number(),
})
export const ExportedInvoice = Type.Object({
  invoiceGuid: guid,
  ...caseMembers,
  invoiceNumber: text,
  invoiceDate: day,
  dueDate: day,
  description: text,
  principal: Type.Number(),
})
