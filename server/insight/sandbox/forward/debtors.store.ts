/** What debtors can react to on a date, in an order that is the same in every copy of a sandbox. */
import { isOpen, owed } from '../../../claims/remaining-amounts.ts'
import { runStatement } from '../../../platform/database/statement.ts'
import type { Db } from '../../../platform/database/transaction.ts'

export interface OpenClaim {
  caseGuid: string
  currencyCode: string
  /** Minor units, as text. */
  owed: string
}

const claim = `c.id as "caseGuid", c.currency_code as "currencyCode", ${owed}::text as owed`
const isAnswerable = `${isOpen} and ${owed} > 0`

export interface AnswerableLetter extends OpenClaim {
  documentGuid: string
  /** The number of the case that the letter names. A letter for several claims has a row for each. */
  caseNumber: string
  /** Of the letters of that case, from 1. */
  number: number
  ageDays: number
}

const isLetter = (document: string) => `${document}.kind not in ('statement', 'plan')`

export const listLetters = (db: Db, date: string, daysMax: number): Promise<AnswerableLetter[]> =>
  runStatement<AnswerableLetter>(
    db,
    `select o.id as "documentGuid", b.case_number as "caseNumber", $1::date - o.business_date as "ageDays", ${claim},
       (select count(*)::int from document e where e.case_id = o.case_id and ${isLetter('e')}
         and (e.business_date, e.id) <= (o.business_date, o.id)) as number
     from document o join debt_case b on b.id = o.case_id
       cross join lateral (
         select o.case_id as id union select l.case_id from demand_letter_case l where l.document_id = o.id
       ) k
       join debt_case c on c.id = k.id
     where o.business_date between $1::date - $2::int and $1::date - 1 and ${isLetter('o')} and ${isAnswerable}
     order by o.business_date, b.case_number, number, c.case_number`,
    [date, daysMax],
    { prepare: true },
  )

export interface PromisedPayment extends OpenClaim {
  caseNumber: string
  /** Minor units, as text. */
  promised: string
}

/** The last promise of each case for the date. */
export const listPromises = (db: Db, date: string): Promise<PromisedPayment[]> =>
  runStatement<PromisedPayment>(
    db,
    `select distinct on (c.case_number) c.case_number as "caseNumber", k.promised_amount::text as promised, ${claim}
     from phone_call k join debt_case c on c.id = k.case_id
     where k.promised_date = $1::date and ${isAnswerable} order by c.case_number, k.id desc`,
    [date],
    { prepare: true },
  )

export interface DueInstalment extends OpenClaim {
  planGuid: string
  paymentNo: number
  /** Minor units, as text: what is still to be paid of it. */
  due: string
}

/** Of active plans, with one of the plan's cases: the payment is shared among them. */
export const listInstalments = (db: Db, date: string): Promise<DueInstalment[]> =>
  runStatement<DueInstalment>(
    db,
    `select distinct on (i.plan_id) i.plan_id as "planGuid", i.payment_no as "paymentNo",
       (i.amount - i.paid)::text as due, ${claim}
     from payment_plan_payment i join payment_plan_case pc on pc.plan_id = i.plan_id and pc.active
       join debt_case c on c.id = pc.case_id
     where i.due_date = $1::date and i.paid < i.amount and i.missed_date is null and ${isAnswerable}
     order by i.plan_id, i.payment_no, pc.number`,
    [date],
    { prepare: true },
  )
