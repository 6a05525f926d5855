/** Reads money in suspense and books its settlement. */
import { Suspense } from '../../contract/treasury/suspense.ts'
import { memberColumns, selectList } from '../platform/database/columns.ts'
import { findRow } from '../platform/database/find-row.ts'
import {
  listRows,
  type ListContext,
  type ListSource,
  type Page,
  type PageQuery,
} from '../platform/database/list.ts'
import { makeId } from '../platform/database/make-id.ts'
import type { Db } from '../platform/database/transaction.ts'
import type { Caller } from '../platform/http/caller.ts'
import { notFound } from '../platform/http/errors.ts'
import { agencyOnly } from './agency-money.scope.ts'
import { filterableProperties } from '../platform/odata/properties.ts'

const columns = {
  ...memberColumns(Object.keys(Suspense.properties), 'su', { suspenseGuid: 'id', paymentGuid: 'payment_id' }),
  paymentFileGuid: 'e.file_id',
  account: 'e.account',
  references: 'e.payment_references',
  payerName: 'e.payer_name',
  message: 'e.message',
  amount: '(su.amount / su.minor_per_unit::float8)',
  dividedFrom: 'su.divided_from',
  valueDate: 'su.value_date::timestamptz',
  settledDate: 'su.settled_date::timestamptz',
}
const source: ListSource<'suspense'> = {
  entity: 'suspense',
  from: 'suspense su join payment_file_entry e on e.id = su.entry_id',
  key: 'su.id',
  select: selectList(columns),
  properties: filterableProperties(Suspense, columns),
  amounts: { currency: 'su.currency_code', perUnit: 'su.minor_per_unit', minor: { amount: 'su.amount' } },
}

export const listSuspense = (
  db: Db,
  caller: Caller,
  query: PageQuery,
  context: ListContext,
): Promise<Page<Suspense>> =>
  listRows<Suspense, 'suspense'>(db, source, agencyOnly('suspense', caller), query, context)

/** Throws a 404 when the item does not exist or the caller is restricted to clients. */
export async function requireSuspense(db: Db, caller: Caller, suspenseGuid: string): Promise<Suspense> {
  const found = await findRow<Suspense, 'suspense'>(db, source, suspenseGuid, agencyOnly('suspense', caller))
  if (!found) throw notFound('money in suspense')
  return found
}

/**
 * Suspense money locked for the rest of the transaction. Dates are YYYY-MM-DD, the amount is in minor units.
 */
export interface HeldSuspense {
  currencyCode: string
  amount: number
  valueDate: string
  status: Suspense['status']
  eventSequence: number
  today: string
}

export async function lockSuspense(tx: Db, suspenseGuid: string): Promise<HeldSuspense> {
  const [row] = await tx<HeldSuspense[]>`
    select currency_code as "currencyCode", amount, value_date as "valueDate", status, event_sequence as "eventSequence",
      (select business_date from business_clock) as today
    from suspense where id = ${suspenseGuid} for update`
  return row!
}

/** Splits a part off money in suspense: a row of its own, which is open. Minor units. */
export async function insertPart(
  tx: Db,
  suspenseGuid: string,
  part: { suspenseGuid: string; amount: number },
): Promise<void> {
  await tx`
    insert into suspense (id, entry_id, currency_code, minor_per_unit, amount, value_date, reason, divided_from)
    select ${part.suspenseGuid}, entry_id, currency_code, minor_per_unit, ${part.amount}, value_date, reason, id
    from suspense where id = ${suspenseGuid}`
}

/** Stores what the parts leave. Minor units. */
export async function updateRest(tx: Db, suspenseGuid: string, rest: number): Promise<void> {
  await tx`
    update suspense set amount = ${rest}, version = version + 1, event_sequence = event_sequence + 1
    where id = ${suspenseGuid}`
}

export interface Settlement {
  suspenseGuid: string
  status: 'ALLOCATED' | 'REFUNDED'
  paymentGuid: string | null
  note: string | null
  settledBy: string | null
  valueDate: string
}

/**
 * Settles suspense money and takes it off the bank account of the trust books: it is now on a case, or was
 * paid out.
 */
export async function settleSuspense(tx: Db, held: HeldSuspense, settlement: Settlement): Promise<void> {
  const { suspenseGuid, status, paymentGuid, note, settledBy, valueDate } = settlement
  const transactionId = makeId()
  const kind = status === 'ALLOCATED' ? 'suspenseAllocation' : 'suspenseRefund'
  await tx`
    update suspense set status = ${status}, payment_id = ${paymentGuid}, settled_date = ${held.today},
      settled_by = ${settledBy}, note = ${note}, version = version + 1, event_sequence = event_sequence + 1
    where id = ${suspenseGuid}`
  await tx`
    insert into trust_transaction (id, kind, currency_code, value_date, booked_date, suspense_id)
    values (${transactionId}, ${kind}, ${held.currencyCode}, ${valueDate}, ${held.today}, ${suspenseGuid})`
  await tx`
    insert into trust_entry (transaction_id, line, account, amount)
    values (${transactionId}, 1, 'suspense', ${held.amount}), (${transactionId}, 2, 'bank', ${-held.amount})`
}
