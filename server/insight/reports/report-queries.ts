/**
 * The queries of the reports, one statement each, within the caller's restriction. Amounts are in minor
 * units. They come from ledger entries, or from the balances of a case, which are sums of its entries
 * (`apply_entries`).
 */
import { isOpen, owed, owedFee, owedInterest, owedPrincipal } from '../../claims/remaining-amounts.ts'
import { runStatement, type Parameter } from '../../platform/database/statement.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { agencyOnly } from '../../payments/agency-money.scope.ts'
import { visiblePlans, visiblePlanPayments } from '../../plans/plans.scope.ts'
import { visibleCases } from '../../claims/cases.scope.ts'

/** Days as YYYY-MM-DD, both inclusive. */
export interface ReportRange {
  from: string
  to: string
  /** The last booking date. Null where all bookings count. */
  knownAt: string | null
  /** Null for all clients that the caller may see. */
  clientGuid: string | null
}

/** A row of a report: texts, counts, and amounts in minor units of `currencyCode`. */
export type ReportRow = Record<string, string | number | null> & { currencyCode: string }

/** Condition for visible cases `c`, of all clients or one. Its parameters start at `first`. */
function casesWhere(caller: Caller, clientGuid: string | null, first: number) {
  const scope = visibleCases(caller).at(first + 1)
  return {
    text: `${scope.text} and ($${first}::uuid is null or c.client_id = $${first}::uuid)`,
    parameters: [clientGuid, ...scope.parameters],
  }
}

const run = (db: Db, text: string, parameters: readonly Parameter[]): Promise<ReportRow[]> =>
  runStatement<ReportRow>(db, text, parameters)

/** Cases and their amounts by client, currency and status, as of the business date. */
export function listPortfolio(db: Db, caller: Caller, { clientGuid }: ReportRange): Promise<ReportRow[]> {
  const where = casesWhere(caller, clientGuid, 1)
  return run(
    db,
    `select p.name as client, c.currency_code as "currencyCode", c.status, count(*)::int as cases,
       sum(c.original_principal + c.original_interest + c.original_fee)::text as original,
       sum(c.paid_principal + c.paid_interest + c.paid_fee)::text as paid,
       sum(c.written_off_principal + c.written_off_interest + c.written_off_fee)::text as "writtenOff",
       sum(${owedPrincipal})::text as principal, sum(${owedInterest})::text as interest,
       sum(${owedFee})::text as fee, sum(${owed})::text as sum
     from debt_case c join party p on p.id = c.client_id where ${where.text}
     group by p.name, p.id, c.currency_code, c.status
     order by p.name, p.id, c.currency_code, array_position(array['NEW', 'PRECOLLECTION', 'AMICABLE', 'LEGAL', 'ENFORCEMENT',
       'SURVEILLANCE', 'CLOSED'], c.status)`,
    where.parameters,
  )
}

const bucket = (condition: string) => `coalesce(sum(o.owed) filter (where ${condition}), 0)::text`

/** Amounts owed on open cases by client and currency, by days since the earliest due date. */
export function listAging(db: Db, caller: Caller, { clientGuid }: ReportRange): Promise<ReportRow[]> {
  const where = casesWhere(caller, clientGuid, 1)
  return run(
    db,
    `select p.name as client, o.currency_code as "currencyCode", count(*)::int as cases,
       ${bucket('o.days <= 0')} as "notDue", ${bucket('o.days between 1 and 30')} as days30,
       ${bucket('o.days between 31 and 60')} as days60, ${bucket('o.days between 61 and 90')} as days90,
       ${bucket('o.days between 91 and 180')} as days180, ${bucket('o.days between 181 and 365')} as days365,
       ${bucket('o.days > 365')} as older, ${bucket('o.days is null')} as "noDueDate", sum(o.owed)::text as sum
     from (
       select c.client_id, c.currency_code, ${owed} as owed,
         (select business_date from business_clock) - (select min(i.due_date) from invoice i where i.case_id = c.id) as days
       from debt_case c where ${isOpen} and ${where.text}
     ) o join party p on p.id = o.client_id
     group by p.name, p.id, o.currency_code order by p.name, p.id, o.currency_code`,
    where.parameters,
  )
}

/** True for what was booked by then. */
const booked = (alias: string, parameter: number) =>
  `($${parameter}::date is null or ${alias}.booked_date <= $${parameter}::date)`

const clientMoney = `client_money($1, coalesce($2::date, '9999-12-31'::date))`

const part = (account: string) =>
  `coalesce(-sum(e.amount) filter (where t.kind <> 'thirdPartyPayment' and e.account = 'receivable:${account}'), 0)::text`

/** Payments by client, currency and month of the value date. A reversal reduces the month of its payment. */
export function listCollected(
  db: Db,
  caller: Caller,
  { from, to, knownAt, clientGuid }: ReportRange,
): Promise<ReportRow[]> {
  const where = casesWhere(caller, clientGuid, 4)
  return run(
    db,
    `select p.name as client, c.currency_code as "currencyCode", to_char(t.value_date, 'YYYY-MM') as month,
       ${part('principal')} as principal, ${part('interest')} as interest, ${part('cost')} as fee,
       coalesce(-sum(e.amount) filter (where t.kind <> 'thirdPartyPayment'), 0)::text as sum,
       coalesce(-sum(e.amount) filter (where t.kind = 'thirdPartyPayment'), 0)::text as "thirdParty"
     from ledger_transaction t join ledger_entry e on e.transaction_id = t.id
       join debt_case c on c.id = t.case_id join party p on p.id = c.client_id
     where t.kind in ('payment', 'thirdPartyPayment', 'creditUse') and e.account like 'receivable:%'
       and t.value_date between $1 and $2 and ${booked('t', 3)} and ${where.text}
     group by p.name, p.id, c.currency_code, month order by p.name, p.id, c.currency_code, month`,
    [from, to, knownAt, ...where.parameters],
  )
}

/**
 * Money received on each client's cases: the shares of client and agency, and the client's money not paid out
 * yet.
 */
export function listTrust(
  db: Db,
  caller: Caller,
  { to, knownAt, clientGuid }: ReportRange,
): Promise<ReportRow[]> {
  const where = casesWhere(caller, clientGuid, 3)
  return run(
    db,
    `select p.name as client, c.currency_code as "currencyCode", sum(m.received)::text as received,
       sum(m.received - m.clients_share)::text as "agencysShare", sum(m.clients_share)::text as "clientsShare",
       sum(m.paid_out)::text as "paidOut", sum(m.clients_share - m.paid_out)::text as held
     from ${clientMoney} m join debt_case c on c.id = m.case_id join party p on p.id = c.client_id
     where ${where.text} group by p.name, p.id, c.currency_code
     having sum(m.received) <> 0 or sum(m.paid_out) <> 0 order by p.name, p.id, c.currency_code`,
    [to, knownAt, ...where.parameters],
  )
}

/**
 * The bank account in the books compared with its owners: clients, agency, debtors' credit and suspense.
 * `difference` must be zero. It covers all clients, so a restricted caller gets no rows.
 */
export function listTrustBalance(db: Db, caller: Caller, { to, knownAt }: ReportRange): Promise<ReportRow[]> {
  const scope = agencyOnly('suspense', caller).at(3)
  return run(
    db,
    `with cases as (
       select c.currency_code, sum(e.amount) filter (where e.account = 'bank') as bank,
         -sum(e.amount) filter (where e.account = 'credit') as credit
       from ledger_transaction t join ledger_entry e on e.transaction_id = t.id join debt_case c on c.id = t.case_id
       where e.account in ('bank', 'credit') and t.value_date <= $1 and ${booked('t', 2)} group by 1
     ), trust as (
       select t.currency_code, sum(e.amount) filter (where e.account = 'bank') as bank,
         -sum(e.amount) filter (where e.account = 'suspense') as suspense
       from trust_transaction t join trust_entry e on e.transaction_id = t.id where t.value_date <= $1 and ${booked('t', 2)} group by 1
     ), shares as (
       select currency_code, sum(clients_share - paid_out) as held, sum(received - clients_share) as own
       from ${clientMoney} group by 1
     ), balance as (
       select currency_code, (coalesce(c.bank, 0) + coalesce(t.bank, 0)) as bank, coalesce(s.held, 0) as held,
         coalesce(s.own, 0) as own, coalesce(c.credit, 0) as credit, coalesce(t.suspense, 0) as suspense
       from cases c full join trust t using (currency_code) full join shares s using (currency_code)
     )
     select currency_code as "currencyCode", bank::text, held::text, own::text as "agencysShare", credit::text, suspense::text,
       (bank - held - own - credit - suspense)::text as difference
     from balance where ${scope.text} and (bank, held, own, credit, suspense) <> (0, 0, 0, 0, 0) order by 1`,
    [to, knownAt, ...scope.parameters],
  )
}

/**
 * Plans by currency and type: their states, and the paid share of payments that fell due while they were
 * active.
 */
export function listPlanPerformance(
  db: Db,
  caller: Caller,
  { clientGuid }: ReportRange,
): Promise<ReportRow[]> {
  const scope = visiblePlans(caller).at(2)
  const payments = visiblePlanPayments(caller).at(2 + scope.parameters.length)
  return run(
    db,
    `select pp.currency_code as "currencyCode", pp.plan_type::text as "planType",
       count(*) filter (where pp.active = 2)::int as proposed, count(*) filter (where pp.active = 1)::int as active,
       count(*) filter (where pp.end_reason = 'COMPLETED')::int as completed,
       count(*) filter (where pp.end_reason = 'BREACHED')::int as breached,
       count(*) filter (where pp.end_reason = 'CANCELLED')::int as cancelled,
       coalesce(sum(d.due), 0)::text as due, coalesce(sum(d.paid), 0)::text as paid,
       coalesce(sum(d.missed), 0)::int as missed
     from payment_plan pp left join lateral (
       select sum(n.amount) as due, sum(n.paid) as paid, count(n.missed_date) as missed from payment_plan_payment n
       where n.plan_id = pp.id and n.due_date <= (select business_date from business_clock) and ${payments.text}
     ) d on true
     where ${scope.text} and ($1::uuid is null or exists (
       select from payment_plan_case pc where pc.plan_id = pp.id and pc.client_id = $1::uuid))
     group by 1, 2 order by 1, 2`,
    [clientGuid, ...scope.parameters, ...payments.parameters],
  )
}
