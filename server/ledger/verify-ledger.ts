/**
 * Verifies the ledger: transactions balance, stored balances equal the entries, and both follow from the
 * rules.
 */
import type { LedgerCheck } from '../access/serve/slice.ts'
import { JobFailure } from '../platform/jobs/job.ts'
import { deriveLedger } from '../../core/ledger/case-ledger.ts'
import { compareTransactions } from '../../core/ledger/case-transaction.ts'
import type { Db } from '../platform/database/transaction.ts'
import { accruedInterestSql } from './accrual.ts'
import { accrualColumns, deriveWith } from './booking.ts'
import { loadHistories } from './ledger.store.ts'
import { readNumerator } from './stored-interest.ts'

export interface LedgerProof {
  cases: number
  transactions: number
  faults: LedgerFault[]
}

/** A fault. Without a case and a debtor it concerns the ledger as a whole. */
export interface LedgerFault {
  caseNumber: string | null
  debtorGuid: string | null
  fault: string
}

export const describeFault = ({ caseNumber, debtorGuid, fault }: LedgerFault): string => {
  if (caseNumber !== null) return `Case ${caseNumber}: ${fault}.`
  return debtorGuid === null ? `The ledger: ${fault}.` : `Debtor ${debtorGuid}: ${fault}.`
}

const faultsMax = 100
const chunkRows = 500

/** Fault text, and a query for the ids of the cases that have the fault. */
const checks: Record<string, string> = {
  'a transaction does not sum to zero, or has no entries': `
    select t.case_id from ledger_transaction t left join ledger_entry e on e.transaction_id = t.id
    group by t.id having coalesce(sum(e.amount), 1) <> 0`,
  'a reversal is not the opposite of what it reverses': `
    select t.case_id from ledger_transaction t join ledger_transaction o on o.id = t.reverses_id
    where (t.case_id, t.kind, t.value_date) is distinct from (o.case_id, o.kind, o.value_date) or exists (
      select from (select account, invoice_id, amount from ledger_entry where transaction_id = o.id) a
      full join (select account, invoice_id, -amount as amount from ledger_entry where transaction_id = t.id) b
        on a.account = b.account and a.invoice_id is not distinct from b.invoice_id and a.amount = b.amount
      where a.account is null or b.account is null)`,
  'the stored balances are not the sums of the entries': `
    select c.id from debt_case c left join (
      select case_id, sum(original_principal) as op, sum(original_interest) as oi, sum(original_fee) as of,
        sum(added_interest) as ai, sum(added_fee) as af, sum(paid_principal) as pp, sum(paid_interest) as pi,
        sum(paid_fee) as pf, sum(paid_to_third_party) as pt, sum(written_off_principal) as wp,
        sum(written_off_interest) as wi, sum(written_off_fee) as wf, sum(credit) as cr
      from ledger_line where value_date <= (select business_date from business_clock) group by case_id
    ) s on s.case_id = c.id
    where (c.original_principal, c.original_interest, c.original_fee, c.added_interest, c.added_fee, c.paid_principal,
        c.paid_interest, c.paid_fee, c.paid_to_third_party, c.written_off_principal, c.written_off_interest,
        c.written_off_fee, c.credit)
      is distinct from (coalesce(op, 0), coalesce(oi, 0), coalesce(of, 0), coalesce(ai, 0), coalesce(af, 0),
        coalesce(pp, 0), coalesce(pi, 0), coalesce(pf, 0), coalesce(pt, 0), coalesce(wp, 0), coalesce(wi, 0),
        coalesce(wf, 0), coalesce(cr, 0))`,
  'the accrued interest does not match the accrual line on the business date': `
    select c.id from debt_case c, business_clock b
    where c.accrued_interest <> coalesce(${accruedInterestSql('b.business_date')}, 0)
      or c.accrual_from > b.business_date or c.accrual_until < b.business_date`,
  'the case numbers have a gap': `
    select null::uuid from case_counter n where n.last_number - 100000 <> (select count(*) from debt_case)`,
  'the paid amounts of a payment plan do not match the payments on its cases': `
    select one.case_id from payment_plan pp join payment_plan_case one on one.plan_id = pp.id and one.number = 1
    where pp.active = 1 and (select sum(n.paid) from payment_plan_payment n where n.plan_id = pp.id) <> least(
      (select sum(n.amount) from payment_plan_payment n where n.plan_id = pp.id),
      (select coalesce(sum(m.amount), 0) from payment_plan_case pc join movement m on m.case_id = pc.case_id
        where pc.plan_id = pp.id and m.number > pc.movements_before
          and m.kind in ('payment', 'thirdPartyPayment', 'creditUse')
          and not exists (select from movement r where r.reverses_id = m.id)))`,
  'a case has a plan status without an active payment plan, or an active plan without the plan status': `
    select c.id from debt_case c left join payment_plan_case pc on pc.case_id = c.id and pc.active
    where (c.before_plan_status is null) <> (pc.case_id is null)`,
  'a payment does not equal the sum of its movements': `
    select p.case_id from payment p where p.amount <> (select coalesce(sum(m.amount), 0) from movement m where m.payment_id = p.id)`,
}

const miscountFault = 'the last event number does not match the last one in the audit trail'

/**
 * Finds cases and debtors whose stored last event number differs from the audit trail. Event numbers have no
 * gaps. One pass over the index of the trail serves both.
 */
const findMiscounted = (db: Db) => db<LedgerFault[]>`
  select kept."caseNumber", kept."debtorGuid", ${miscountFault}::text as fault
  from (
    select id, case_number as "caseNumber", null::uuid as "debtorGuid", event_sequence from debt_case
    union all
    select id, null, id, event_sequence from debtor
  ) kept
  left join (
    select subject, max(sequence) as last from audit_entry where sequence is not null group by subject
  ) trail on trail.subject = kept.id
  where kept.event_sequence <> coalesce(trail.last, 0)
  order by kept.id
  limit ${faultsMax}`

/** Checks all cases: by set-based statements, and then each against its ledger derived from scratch; and what counts events. */
export async function verifyLedger(db: Db): Promise<LedgerProof> {
  const [counted] = await db<{ cases: number; transactions: number }[]>`
    select (select count(*) from debt_case) as cases, (select count(*) from ledger_transaction) as transactions`
  const faults: LedgerFault[] = []
  for (const [fault, text] of Object.entries(checks)) {
    const rows = await db.unsafe<{ caseNumber: string | null }[]>(
      `select distinct c.case_number as "caseNumber" from (${text}) f (id) left join debt_case c on c.id = f.id limit ${faultsMax}`,
    )
    faults.push(...rows.map(({ caseNumber }) => ({ caseNumber, debtorGuid: null, fault })))
  }
  faults.push(...(await findMiscounted(db)))
  await deriveAll(db, faults)
  return { ...counted!, faults: faults.slice(0, faultsMax) }
}

async function deriveAll(db: Db, faults: LedgerFault[]): Promise<void> {
  for (let after = '00000000-0000-0000-0000-000000000000'; faults.length < faultsMax;) {
    const rows = await db<KeptRow[]>`
      select c.id, c.case_number as "caseNumber", c.accrued_interest as accrued, c.accrual_per_day::text as "perDay",
        coalesce(c.accrual_exact + c.accrual_per_day * (b.business_date - c.accrual_from), 0)::text as exact,
        c.accrual_until = b.business_date as "endsToday"
      from debt_case c, business_clock b where c.id > ${after} order by c.id limit ${chunkRows}`
    if (rows.length === 0) return
    const histories = await loadHistories(
      db,
      rows.map(({ id }) => id),
    )
    rows.forEach((row, index) => {
      const fault = findCaseFault(row, histories[index]!)
      if (fault !== null) faults.push({ caseNumber: row.caseNumber, debtorGuid: null, fault })
    })
    after = rows.at(-1)!.id
  }
}

interface KeptRow {
  id: string
  caseNumber: string
  accrued: number
  perDay: string
  /** The exact accrued interest on the business date. */
  exact: string
  /** True when the accrual line ends on the business date. The rate after it belongs to the next line. */
  endsToday: boolean | null
}

function findCaseFault(
  row: KeptRow,
  history: Awaited<ReturnType<typeof loadHistories>>[number],
): string | null {
  const { input, businessDate } = history
  const { whole } = deriveWith(history, [])
  const { reverse, append } = compareTransactions(history.stored, whole.transactions)
  if (reverse.length > 0 || append.length > 0)
    return 'the stored transactions differ from those derived from the movements'
  const columns = accrualColumns(deriveLedger(input, businessDate), { businessDate, input })
  if (
    columns.accrued_interest !== row.accrued ||
    readNumerator(columns.accrual_exact) !== readNumerator(row.exact) ||
    (readNumerator(columns.accrual_per_day) !== readNumerator(row.perDay) && row.endsToday !== true)
  )
    return 'the accrued interest differs from what the terms give'
  return null
}

export const checkLedger: LedgerCheck = async (sql) => {
  const { cases, transactions, faults } = await verifyLedger(sql)
  const [first] = faults
  if (first) throw new JobFailure(`${describeFault(first)} Faults found: ${faults.length}.`)
  return { cases, ledgerTransactions: transactions }
}
