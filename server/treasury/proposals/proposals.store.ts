/** Finds what the proposals for money in suspense are made of. */
import { isOpen, owed } from '../../claims/remaining-amounts.ts'
import { runStatement } from '../../platform/database/statement.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { OpenCase } from './proposals.rules.ts'

export interface ProposedMoney {
  currencyCode: string
  minorPerUnit: number
  /** Minor units. */
  amount: number
  references: string[]
  message: string | null
  payerName: string | null
  isOpen: boolean
}

export async function findMoney(db: Db, suspenseGuid: string): Promise<ProposedMoney> {
  const [row] = await db<ProposedMoney[]>`
    select su.currency_code as "currencyCode", su.minor_per_unit as "minorPerUnit", su.amount::float8 as amount,
      e.payment_references as references, e.message, e.payer_name as "payerName", su.status = 'OPEN' as "isOpen"
    from suspense su join payment_file_entry e on e.id = su.entry_id where su.id = ${suspenseGuid}`
  return row!
}

const paidBefore = 20

/** The debtors of the cases that the same payer has paid, also where a person allocated the money. */
export async function findPaidDebtors(db: Db, payerName: string): Promise<string[]> {
  const rows = await db<{ debtor: string }[]>`
    with entry as (
      select id, payment_id from payment_file_entry
      where lower(payer_name) = lower(${payerName}) and payer_name is not null order by id desc limit ${paidBefore})
    select distinct c.main_debtor_id as debtor from (
      select payment_id from entry union select su.payment_id from suspense su join entry on entry.id = su.entry_id) paid
    join movement m on m.payment_id = paid.payment_id join debt_case c on c.id = m.case_id`
  return rows.map(({ debtor }) => debtor)
}

const casesMax = 100

/** The open cases by their keys or main debtors, in a currency, the oldest first. */
export const listOpenCases = (
  db: Db,
  { caseGuids, debtorGuids }: { caseGuids: readonly string[]; debtorGuids: readonly string[] },
  currencyCode: string,
): Promise<OpenCase[]> =>
  runStatement<OpenCase>(
    db,
    `select c.id as "caseGuid", c.case_number as "caseNumber", d.id as "debtorGuid", d.full_name as "debtorName",
       p.name as "clientName", ${owed}::float8 as remaining
     from debt_case c join debtor d on d.id = c.main_debtor_id join party p on p.id = c.client_id
     where (c.id = any($1::uuid[]) or c.main_debtor_id = any($2::uuid[])) and c.currency_code = $3 and ${isOpen}
     order by c.running_number limit ${casesMax}`,
    [[...caseGuids], [...debtorGuids], currencyCode],
    { prepare: true },
  )

/** The cases that an invoice is of. */
export async function findInvoiceCases(db: Db, invoiceGuids: readonly string[]): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select distinct case_id as id from invoice where id = any(${[...invoiceGuids]}::uuid[])`
  return rows.map(({ id }) => id)
}
