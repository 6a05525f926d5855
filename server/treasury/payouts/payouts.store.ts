import { PayoutBatch, type Payout, type PayoutBatchDetail } from '../../../contract/treasury/payouts.ts'
import { memberColumns, selectList } from '../../platform/database/columns.ts'
import { findRow } from '../../platform/database/find-row.ts'
import {
  listRows,
  type ListContext,
  type ListSource,
  type Page,
  type PageQuery,
} from '../../platform/database/list.ts'
import { rowsIn } from '../../platform/database/row-text.ts'
import { runStatement } from '../../platform/database/statement.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { notFound } from '../../platform/http/errors.ts'
import { agencyOnly } from '../../payments/agency-money.scope.ts'
import { filterableProperties } from '../../platform/odata/properties.ts'

const columns = {
  ...memberColumns(Object.keys(PayoutBatch.properties), 'pb', { payoutBatchGuid: 'id' }),
  amount: '(pb.amount / pb.minor_per_unit::float8)',
  businessDate: 'pb.business_date::timestamptz',
  executionDate: 'pb.execution_date::timestamptz',
}
const source: ListSource<'payoutbatch'> = {
  entity: 'payoutbatch',
  from: 'payout_batch pb',
  key: 'pb.id',
  select: selectList(columns),
  properties: filterableProperties(PayoutBatch, columns),
  amounts: { currency: 'pb.currency_code', perUnit: 'pb.minor_per_unit', minor: { amount: 'pb.amount' } },
  defaultOrder: { terms: [], keyDescending: true, text: 'pb.id desc', reversedText: 'pb.id' },
}

export const listPayouts = (
  db: Db,
  caller: Caller,
  query: PageQuery,
  context: ListContext,
): Promise<Page<PayoutBatch>> =>
  listRows<PayoutBatch, 'payoutbatch'>(db, source, agencyOnly('payoutbatch', caller), query, context)

/** Throws a 404 when the batch does not exist or the caller is restricted to clients. */
export async function requirePayout(db: Db, caller: Caller, batchGuid: string): Promise<PayoutBatch> {
  const found = await findRow<PayoutBatch, 'payoutbatch'>(
    db,
    source,
    batchGuid,
    agencyOnly('payoutbatch', caller),
  )
  if (!found) throw notFound('payout')
  return found
}

export const listPayoutLines = (db: Db, batchGuid: string): Promise<Payout[]> =>
  db<Payout[]>`
    select p.id as "payoutGuid", p.number, p.client_id as "clientGuid", c.name as "clientName", p.account,
      p.amount / b.minor_per_unit::float8 as amount,
      (select count(*)::int from trust_entry e join trust_transaction t on t.id = e.transaction_id
        where t.payout_id = p.id and e.account = 'client') as cases
    from payout p join payout_batch b on b.id = p.batch_id join party c on c.id = p.client_id
    where p.batch_id = ${batchGuid} order by p.number`

export async function findPayoutContent(db: Db, batchGuid: string): Promise<string> {
  const [row] = await db<{ content: string }[]>`select content from payout_batch where id = ${batchGuid}`
  return row!.content
}

/**
 * What the agency owes a client of the collected money. Minor units. Negative when the client owes the agency.
 */
export interface DueClient {
  clientGuid: string
  clientName: string
  account: string | null
  currencyCode: string
  amount: number
  /** How many cases it comes from. */
  cases: number
}

/** With the cases that the money comes from. */
export interface DueCases extends DueClient {
  byCase: { caseGuid: string; amount: number }[]
}

/** By case, what is not paid out. */
const heldByCase = `
  select client_id, currency_code, case_id, 1 as cases, sum(amount)::bigint as amount, max(counts_from) as counts_from
  from held_money group by client_id, currency_code, case_id`

/** The same by its definition, for a day before a booking: the business date was moved back. */
const heldByDefinition = `
  select client_id, currency_code, case_id, 1 as cases, clients_share - paid_out as amount, $1::date as counts_from
  from client_money($1)`

const owedCases = (held: string) => `select * from (${held}) held where amount <> 0 or counts_from > $1::date`

/** By client: what is counted, and what each case changes that is not counted yet. */
const heldByClient = `
  select client_id, currency_code, null::uuid as case_id, cases, amount, counts_from from held_total
  union all
  select n.client_id, n.currency_code, n.case_id, (known.amount + n.amount <> 0)::int - (known.amount <> 0)::int,
    n.amount, n.counts_from
  from (
    select client_id, currency_code, case_id, sum(amount)::bigint as amount, max(counts_from) as counts_from
    from held_money where not counted group by client_id, currency_code, case_id
  ) n, lateral (
    select coalesce(sum(h.amount), 0) as amount from held_money h where h.case_id = n.case_id and h.counted) known`

const amounts = `jsonb_agg(jsonb_build_object('caseGuid', case_id, 'amount', amount) order by case_id) as "byCase"`

const writeDue = (held: string, more: string) => `
  select p.id as "clientGuid", p.name as "clientName", nullif(trim(p.bank_account_no), '') as account, due.*
  from (
    select client_id, currency_code as "currencyCode", sum(amount)::bigint as amount, sum(cases)::int as cases, ${more}
      bool_or(counts_from > $1::date) as "isLater"
    from (${held}) owed where $2::text is null or currency_code = $2
    group by client_id, currency_code having sum(cases) > 0 or bool_or(counts_from > $1::date)
  ) due join party p on p.id = due.client_id
  order by due."currencyCode", p.name, p.id`

async function selectDue<Row extends DueClient>(
  db: Db,
  { held, more = '' }: { held: string; more?: string },
  parameters: [today: string, currencyCode: string | null],
): Promise<Row[]> {
  const rows = await runStatement<Row & { isLater: boolean }>(db, writeDue(held, more), parameters)
  if (!rows.some(({ isLater }) => isLater)) return rows
  return runStatement<Row>(db, writeDue(owedCases(heldByDefinition), more), parameters)
}

/**
 * Clients with a balance on the business date, in one currency or all: collected money not paid out, or more paid out than
 * collected.
 */
export const listDue = (db: Db, currencyCode: string | null, today: string): Promise<DueClient[]> =>
  selectDue<DueClient>(db, { held: heldByClient }, [today, currencyCode])

export const listDueCases = (db: Db, currencyCode: string, today: string): Promise<DueCases[]> =>
  selectDue<DueCases>(db, { held: owedCases(heldByCase), more: `${amounts},` }, [today, currencyCode])

export interface Agency {
  name: string
  account: string | null
}

export async function findPayingAgency(db: Db): Promise<Agency> {
  const [row] = await db<Agency[]>`
    select name, nullif(trim(bank_account_no), '') as account from party where parent_id is null`
  return row!
}

export interface NewPayout {
  id: string
  number: number
  clientGuid: string
  account: string
  amount: number
  transactionId: string
  cases: { caseGuid: string; amount: number }[]
}

export interface NewBatch {
  id: string
  currencyCode: string
  minorPerUnit: number
  businessDate: string
  executionDate: string
  account: string
  createdBy: string | null
}

const payoutTypes = {
  id: 'uuid',
  number: 'int',
  clientGuid: 'uuid',
  account: 'text',
  amount: 'bigint',
  transactionId: 'uuid',
  cases: 'jsonb',
}

/** Inserts a batch and books each payout off the bank account. Returns the batch's number. */
export async function insertBatch(tx: Db, batch: NewBatch, payouts: readonly NewPayout[]): Promise<number> {
  const amount = payouts.reduce((sum, one) => sum + one.amount, 0)
  const [row] = await tx<{ number: number }[]>`
    insert into payout_batch (id, currency_code, minor_per_unit, business_date, execution_date, account, amount, payouts,
      content, created_by, event_sequence)
    values (${batch.id}, ${batch.currencyCode}, ${batch.minorPerUnit}, ${batch.businessDate}, ${batch.executionDate},
      ${batch.account}, ${amount}, ${payouts.length}, '', ${batch.createdBy}, 1)
    returning number`
  const given = tx`${rowsIn(tx, payoutTypes, payouts)} n`
  await tx`select set_config('fordra.held_money', 'written', true)`
  await tx`
    insert into payout (id, batch_id, number, client_id, account, amount)
    select id, ${batch.id}, number, clientGuid, account, amount from ${given}`
  await tx`
    insert into trust_transaction (id, kind, currency_code, value_date, booked_date, payout_id)
    select transactionId, 'payout', ${batch.currencyCode}, ${batch.businessDate}, ${batch.businessDate}, id from ${given}`
  await tx`
    insert into trust_entry (transaction_id, line, account, case_id, amount)
    select transactionId, 1, 'bank', null, -amount from ${given}
    union all
    select n.transactionId, 1 + c.line, 'client', (c.value ->> 'caseGuid')::uuid, (c.value ->> 'amount')::bigint
    from ${given}, lateral jsonb_array_elements(n.cases) with ordinality c (value, line)`
  await settleHeldMoney(tx, payouts)
  return row!.number
}

/**
 * Removes what was paid out from the money that is held, and from what is counted of it. A payment that came after the
 * payouts were computed may be removed too: what remains of it is inserted again.
 */
const settleHeldMoney = (tx: Db, payouts: readonly NewPayout[]) => tx`
  with paid as (
    select (c.value ->> 'caseGuid')::uuid as case_id, (c.value ->> 'amount')::bigint as amount
    from ${tx`${rowsIn(tx, payoutTypes, payouts)} n`}, lateral jsonb_array_elements(n.cases) c (value)
  ), removed as (
    delete from held_money h using paid where h.case_id = paid.case_id
    returning h.case_id, h.client_id, h.currency_code, h.counts_from, h.amount, h.counted
  ), counted as (
    update held_total t set amount = t.amount - r.amount, cases = t.cases - r.cases
    from (
      select client_id, currency_code, sum(amount) as amount, count(*) as cases
      from removed where counted group by client_id, currency_code
    ) r where t.client_id = r.client_id and t.currency_code = r.currency_code
  )
  insert into held_money (id, case_id, client_id, currency_code, counts_from, amount)
  select gen_random_uuid(), r.case_id, r.client_id, r.currency_code, max(r.counts_from), sum(r.amount) - min(paid.amount)
  from removed r join paid using (case_id)
  group by r.case_id, r.client_id, r.currency_code having sum(r.amount) <> min(paid.amount)`

export const updateContent = (tx: Db, batchGuid: string, content: string) =>
  tx`update payout_batch set content = ${content} where id = ${batchGuid}`

export type LeftOut = PayoutBatchDetail['leftOut']
