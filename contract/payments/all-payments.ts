/**
 * Payments on cases of all debtors: a list that the specification does not have. The form `payment/register` registers
 * a payment.
 */
import { Type, type Static } from 'typebox'
import { caseFields } from '../cases/cases.ts'
import { guid, key, outputSchema, text } from '../metadata/fields.ts'
import { operation } from '../platform/operation.ts'
import { pageQuery } from '../platform/page.ts'
import { pageWithSums, withSums } from '../platform/sums.ts'

const day = (title: string) => Type.String({ format: 'date-time', title, 'x-field': { kind: 'date' } })
const fields = {
  ...caseFields,
  movementGuid: guid('Movement on the case'),
  paymentGuid: guid('Payment'),
  valueDate: day('Counts from'),
  bookedDate: day('Booked'),
  amount: Type.Number({ title: 'Amount', 'x-field': { kind: 'money' } }),
  toThirdParty: Type.Boolean({ title: 'Paid to the client or another party' }),
  payerReference: text(100, "Payer's reference", { personalData: 'name' }),
  reversed: Type.Boolean({ title: 'Reversed' }),
  clientGuid: guid('Client'),
  debtorGuid: guid('Debtor'),
  mainDebtorName: key(200, 'Main debtor', { personalData: 'name' }),
}

export const AllPaymentsItem = outputSchema(
  fields,
  [
    'movementGuid',
    'paymentGuid',
    'valueDate',
    'bookedDate',
    'amount',
    'currencyCode',
    'toThirdParty',
    'reversed',
    'payerReference',
    'caseGuid',
    'caseNumber',
    'debtorGuid',
    'mainDebtorName',
    'clientGuid',
    'clientName',
  ],
  { $id: 'AllPaymentsItem' },
)
export type AllPaymentsItem = Static<typeof AllPaymentsItem>

export const listAllPayments = operation({
  id: 'listAllPayments',
  name: 'listAllPayments',
  method: 'GET',
  path: '/payments',
  area: 'Debtors',
  summary: 'List payments on cases of all debtors',
  description:
    'A payment divided among cases has a row for each, with the amount for that case. Only the clients that the caller may see.',
  access: ['payment.read'],
  query: withSums(pageQuery, ['amount']),
  status: 200,
  response: pageWithSums(AllPaymentsItem, ['amount']),
  example: {
    query: { $filter: 'valueDate ge 2026-11-01 and reversed eq false', $orderby: 'valueDate desc' },
  },
})
