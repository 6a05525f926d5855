/** Reads cases of all debtors: the worklist, one case by its guid, its movements and its notes. */
import {
  AllCasesItem,
  type CaseByGuid,
  type CaseMovements,
  type Note,
} from '../../contract/cases/all-cases.ts'
import { fromMinor } from '../../core/money/money.ts'
import { selectList } from '../platform/database/columns.ts'
import {
  listRows,
  type ListContext,
  type ListSource,
  type Page,
  type PageQuery,
} from '../platform/database/list.ts'
import { runStatement } from '../platform/database/statement.ts'
import type { Db } from '../platform/database/transaction.ts'
import type { Reader } from '../platform/dictionary/reader.ts'
import type { Caller } from '../platform/http/caller.ts'
import { notFound } from '../platform/http/errors.ts'
import type { PastDay } from '../ledger/as-of/past-day.ts'
import { visibleCases } from '../claims/cases.scope.ts'
import { visibleCaseNotes } from '../metadata/search/items.scope.ts'
import { noteSource } from '../metadata/search/debtor-notes.store.ts'
import { filterableProperties } from '../platform/odata/properties.ts'
import {
  describeDetail,
  describeMovement,
  paymentWay,
  type DescribedMovement,
  type PaymentWay,
} from '../claims/movement-text.ts'
import { amountsExact, amountsOut, caseAmounts, caseJoins, listColumns } from './cases.store.ts'

const columns = {
  ...listColumns,
  clientGuid: 'c.client_id',
  debtorGuid: 'c.main_debtor_id',
  mainDebtorGuid: 'c.main_debtor_id',
  hold: 'c.hold',
  limitationDate: 'c.limitation_date::timestamptz',
  paymentReferenceNumber: 'c.payment_reference_number',
}
const from = 'debt_case c'
export const caseRows: ListSource<'case'> = {
  entity: 'case',
  from,
  joins: { ...caseJoins, p: { ...caseJoins.p, few: { from: 'party p', condition: 'c.client_id = p.id' } } },
  key: 'c.id',
  select: selectList({ ...columns, ...amountsOut } satisfies Record<keyof AllCasesItem, string>),
  properties: filterableProperties(AllCasesItem, {
    ...columns,
    ...amountsExact,
    // Plain columns, so that the indexes apply.
    registrationDate: 'c.registration_date',
    closureDate: 'c.closure_date',
    limitationDate: 'c.limitation_date',
  }),
  totalsKeptAs: 'debt_case',
  amounts: caseAmounts,
}

export const listAllCases = (
  db: Db,
  caller: Caller,
  query: PageQuery,
  context: ListContext,
): Promise<Page<AllCasesItem>> =>
  listRows<AllCasesItem, 'case'>(db, caseRows, visibleCases(caller), query, context)

/**
 * A case without its lists and links. The place columns are its status underneath a hold, plan or closure.
 */
export type ListedCase = Omit<
  CaseByGuid,
  'links' | 'debtors' | 'invoices' | 'contact' | 'plan' | 'asOf' | 'knownAt'
> & {
  placeStatus: string
  placeSubStatus: string
  version: number
}

const caseSelect = selectList({
  ...columns,
  ...amountsOut,
  description: 'c.description',
  withheldFee: 'nullif(c.withheld_fee, 0) / c.minor_per_unit::float8',
  claimKind: 'c.claim_kind',
  interruptedBy: 'c.interrupted_by',
  interruptedDate: 'c.interrupted_date::timestamptz',
  placeStatus: 'c.place_status',
  placeSubStatus: 'c.place_sub_status',
  version: 'c.version',
} satisfies Record<keyof ListedCase, string>)

/**
 * Throws a 404 when the case does not exist or the caller may not see it; `what` names the requested
 * resource.
 */
export async function requireCase(
  db: Db,
  caller: Caller,
  caseGuid: string,
  what = 'case',
): Promise<ListedCase> {
  const scope = visibleCases(caller).at(2)
  const [row] = await runStatement<ListedCase>(
    db,
    `select ${caseSelect} from ${from} ${caseJoins.p.join} ${caseJoins.m.join} where c.id = $1 and ${scope.text}`,
    [caseGuid, ...scope.parameters],
    { prepare: true },
  )
  if (!row) throw notFound(what)
  return row
}

export type AddedDebtor = CaseByGuid['debtors'][number] & { addedDate: string }

export const listCaseDebtors = (db: Db, caseGuid: string): Promise<AddedDebtor[]> =>
  db<AddedDebtor[]>`
    select d.id as "debtorGuid", d.full_name as "fullName", cd.debtor_role as "debtorRole",
      cd.added_date as "addedDate"
    from case_debtor cd join debtor d on d.id = cd.debtor_id where cd.case_id = ${caseGuid}
    order by cd.debtor_role <> 'MAIN_DEBTOR', cd.added_date, d.id`

export const listCaseInvoices = (db: Db, caseGuid: string): Promise<CaseByGuid['invoices']> =>
  db<CaseByGuid['invoices']>`
    select i.id as "invoiceGuid", i.invoice_number as "invoiceNumber", i.invoice_date::timestamptz as "invoiceDate",
      i.due_date::timestamptz as "dueDate", i.principal / c.minor_per_unit::float8 as principal, i.description
    from invoice i join debt_case c on c.id = i.case_id where i.case_id = ${caseGuid} order by i.number`

export const listCaseNotes = (
  db: Db,
  caller: Caller,
  caseGuid: string,
  query: PageQuery,
  context: ListContext,
): Promise<Page<Note>> =>
  listRows<Note, 'note'>(db, noteSource, visibleCaseNotes(caller, caseGuid), query, context)

type StoredMovement = Omit<CaseMovements['movements'][number], 'text' | 'detail' | 'amount' | 'kind'> &
  DescribedMovement & { way: PaymentWay | null }
type StoredTransaction = Omit<CaseMovements['transactions'][number], 'entries'> & {
  entries: { account: string; invoiceGuid: string | null; amount: number }[]
}

/**
 * The movements of a case and the transactions derived from them, both in booking order. As of a day: those booked and
 * valued by then.
 */
export async function findMovements(
  db: Db,
  { caseGuid, caseNumber, currencyCode }: ListedCase,
  { reader, day }: { reader: Reader; day: PastDay | null },
): Promise<CaseMovements> {
  const valued = day?.asOf ?? '9999-12-31'
  const booked = day?.knownAt ?? '9999-12-31'
  const [movements, transactions] = await Promise.all([
    db<StoredMovement[]>`
      select m.id as "movementGuid", m.number, m.kind, m.value_date::timestamptz as "valueDate",
        m.booked_date::timestamptz as "bookedDate", m.amount, m.invoice_id as "invoiceGuid", m.payment_id as "paymentGuid",
        m.reverses_id as "reversesGuid", exists (
          select from movement r where r.reverses_id = m.id and r.booked_date <= ${booked}) as reversed,
        coalesce(i.invoice_number, i.number::text) as "invoiceNumber", m.details, ${db.unsafe(paymentWay('p'))} as way
      from movement m left join invoice i on i.id = m.invoice_id
        left join payment p on p.id = m.payment_id and m.reverses_id is null
      where m.case_id = ${caseGuid}
        and m.value_date <= ${valued} and m.booked_date <= ${booked} order by m.number`,
    db<StoredTransaction[]>`
      select t.id as "transactionGuid", t.number, t.kind, t.value_date::timestamptz as "valueDate",
        t.booked_date::timestamptz as "bookedDate", t.movement_id as "movementGuid", t.reverses_id as "reversesGuid",
        (select jsonb_agg(jsonb_build_object('account', e.account, 'invoiceGuid', e.invoice_id, 'amount', e.amount)
          order by e.line) from ledger_entry e where e.transaction_id = t.id) as entries
      from ledger_transaction t where t.case_id = ${caseGuid} and t.value_date <= ${valued} and t.booked_date <= ${booked}
      order by t.number`,
  ])
  const money = (minor: number) => fromMinor(BigInt(minor), currencyCode)
  return {
    caseNumber,
    currencyCode,
    movements: movements.map(({ invoiceNumber, details, way, ...movement }) => ({
      ...movement,
      amount: money(movement.amount),
      text: describeMovement({ ...movement, invoiceNumber, details }, currencyCode, reader),
      detail: describeDetail({ invoiceNumber, details, way }, reader.language),
    })),
    transactions: transactions.map((transaction) => ({
      ...transaction,
      entries: transaction.entries.map((entry) => ({ ...entry, amount: money(entry.amount) })),
    })),
  }
}
