/** Lists payments of all debtors, one row for each case that a payment was allocated to. */
import { AllPaymentsItem } from '../../contract/payments/all-payments.ts'
import { selectList } from '../platform/database/columns.ts'
import {
  listRows,
  type ListContext,
  type ListSource,
  type Page,
  type PageQuery,
} from '../platform/database/list.ts'
import type { Db } from '../platform/database/transaction.ts'
import type { Caller } from '../platform/http/caller.ts'
import { visiblePayments } from '../claims/cases.scope.ts'
import { filterableProperties } from '../platform/odata/properties.ts'

const columns = {
  movementGuid: 'm.id',
  paymentGuid: 'm.payment_id',
  valueDate: 'm.value_date::timestamptz',
  bookedDate: 'm.booked_date::timestamptz',
  currencyCode: 'c.currency_code',
  toThirdParty: "(m.kind = 'thirdPartyPayment')",
  reversed: "(exists (select from movement r where r.reverses_id = m.id and r.kind = 'reversal'))",
  payerReference: 'y.payer_reference',
  caseGuid: 'm.case_id',
  caseNumber: 'c.case_number',
  debtorGuid: 'c.main_debtor_id',
  mainDebtorName: 'd.full_name',
  clientGuid: 'c.client_id',
  clientName: 'p.name',
}
const source: ListSource<'payment'> = {
  entity: 'payment',
  from: 'movement m',
  joins: {
    y: { join: 'join payment y on y.id = m.payment_id', changesKeptAs: 'payment', indexed: [] },
    c: { join: 'join debt_case c on c.id = m.case_id', changesKeptAs: 'debt_case', indexed: [] },
    p: { join: 'join party p on p.id = c.client_id', changesKeptAs: 'party', indexed: [], after: 'c' },
    d: { join: 'join debtor d on d.id = c.main_debtor_id', changesKeptAs: 'debtor', indexed: [], after: 'c' },
  },
  key: 'm.id',
  select: selectList({ ...columns, amount: 'm.amount / c.minor_per_unit::float8' }),
  properties: filterableProperties(AllPaymentsItem, {
    ...columns,
    // A plain column, so that the index applies.
    valueDate: 'm.value_date',
    amount: 'm.amount::numeric / c.minor_per_unit',
  }),
  amounts: { currency: 'c.currency_code', perUnit: 'c.minor_per_unit', minor: { amount: 'm.amount' } },
}

export const listAllPayments = (
  db: Db,
  caller: Caller,
  query: PageQuery,
  context: ListContext,
): Promise<Page<AllPaymentsItem>> =>
  listRows<AllPaymentsItem, 'payment'>(db, source, visiblePayments(caller), query, context)
