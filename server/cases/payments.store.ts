/** Finding what a payment is for, and payments themselves. */
import type { Db } from '../database/transaction.ts'
import type { Caller } from '../http/caller.ts'
import { casesOf } from '../http/restriction.ts'
import { caseRowSelect, type CaseRow } from './case-lock.ts'

/** The case or the debtor that a payer's reference names; nothing when it fits none that the caller may see. */
export async function findByReference(
  db: Db,
  caller: Caller,
  numbers: { caseNumbers: string[]; debtorReferences: string[] },
): Promise<{ caseGuid: string | null; debtorGuid: string | null } | undefined> {
  const scope = casesOf(caller).at(3)
  const [row] = await db.unsafe<{ caseGuid: string | null; debtorGuid: string | null }[]>(
    `select c.id as "caseGuid", null::uuid as "debtorGuid" from debt_case c
     where c.case_number = any($1::text[]) and ${scope.text}
     union all
     select null, d.id from debtor d
     where d.debtor_reference = any($2::text[])
       and exists (select from case_debtor cd join debt_case c on c.id = cd.case_id where cd.debtor_id = d.id and ${scope.text})
     limit 1`,
    [numbers.caseNumbers, numbers.debtorReferences, ...scope.parameters] as never,
    { prepare: true },
  )
  return row
}

/** The open cases that a debtor owes, of the clients that the caller may see, the one registered first first. */
export async function listOwedCases(
  db: Db,
  caller: Caller,
  debtorGuid: string,
): Promise<{ caseGuid: string; currencyCode: string }[]> {
  const scope = casesOf(caller).at(2)
  return db.unsafe(
    `select c.id as "caseGuid", c.currency_code as "currencyCode"
     from case_debtor cd join debt_case c on c.id = cd.case_id
     where cd.debtor_id = $1 and cd.debtor_role in ('MAIN_DEBTOR', 'CO_DEBTOR', 'GUARANTOR', 'ESTATE')
       and c.status <> 'CLOSED' and ${scope.text} order by c.running_number`,
    [debtorGuid, ...scope.parameters] as never,
    { prepare: true },
  )
}

/**
 * Holds cases in the order of their identifiers, so that two that hold several never wait for each other: these, and those
 * that are in a payment plan with one of them now or, with `ended`, were once.
 */
export async function lockCases(
  tx: Db,
  caller: Caller,
  caseGuids: readonly string[],
  { ended = false } = {},
): Promise<CaseRow[]> {
  const scope = casesOf(caller).at(3)
  return tx.unsafe<CaseRow[]>(
    `select ${caseRowSelect} from debt_case c
     where (c.id = any($1::uuid[]) or c.id in (
         select other.case_id from payment_plan_case own join payment_plan_case other on other.plan_id = own.plan_id
         where own.case_id = any($1::uuid[]) and (own.active or ($2 and own.movements_before is not null))))
       and ${scope.text} order by c.id for update`,
    [[...caseGuids], ended, ...scope.parameters] as never,
    { prepare: true },
  )
}

export interface PaymentRow {
  paymentGuid: string
  amount: number
  currencyCode: string
  valueDate: string
  toThirdParty: boolean
  reversedDate: string | null
  movements: { movementGuid: string; caseGuid: string }[]
}

export async function findPayment(db: Db, paymentGuid: string): Promise<PaymentRow | undefined> {
  const [row] = await db<PaymentRow[]>`
    select p.id as "paymentGuid", p.amount, p.currency_code as "currencyCode", p.value_date as "valueDate",
      p.to_third_party as "toThirdParty", p.reversed_date as "reversedDate",
      (select jsonb_agg(jsonb_build_object('movementGuid', m.id, 'caseGuid', m.case_id)) from movement m
        where m.payment_id = p.id) as movements
    from payment p where p.id = ${paymentGuid}`
  return row
}

/** A payment that stands with the same payer's reference for the same debtor. */
export async function findSamePayment(
  db: Db,
  debtorGuid: string,
  payerReference: string,
): Promise<{ paymentGuid: string; caseGuid: string | null } | undefined> {
  const [row] = await db<{ paymentGuid: string; caseGuid: string | null }[]>`
    select id as "paymentGuid", case_id as "caseGuid" from payment
    where debtor_id = ${debtorGuid} and lower(payer_reference) = lower(${payerReference}) and reversed_date is null`
  return row
}

/** Marks a payment as reversed; false when it was already. */
export async function updateReversed(
  tx: Db,
  paymentGuid: string,
  { reason, date }: { reason: string; date: string },
): Promise<boolean> {
  const rows = await tx`
    update payment set reversed_date = ${date}, reversal_reason = ${reason}, version = version + 1
    where id = ${paymentGuid} and reversed_date is null returning id`
  return rows.length === 1
}
