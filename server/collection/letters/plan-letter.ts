/** What a letter says about a payment plan: its schedule, its costs, and the payment that comes next. */
import { createHash } from 'node:crypto'
import type { Language } from '../../../contract/platform/languages.ts'
import { locales } from '../../../contract/platform/languages.ts'
import { texts } from '../../../core/text/texts.ts'
import { requireDebtor } from '../../parties/debtors/debtor-lock.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError, notFound } from '../../platform/http/errors.ts'
import type { PlanRecord } from '../../plans/plan-record.ts'
import { findPlan } from '../../plans/plans.store.ts'
import type { LetterData } from './letter-data.ts'
import { formatAmount, formatDay } from './letter-formats.ts'

export type LetterPlan = Pick<
  PlanRecord,
  'planGuid' | 'active' | 'rows' | 'currencyCode' | 'annualPercentage' | 'cases'
>

/** Throws a 403 or 404 for a plan that the caller may not see, and a 422 for one that has ended. */
export async function findLetterPlan(
  db: Db,
  caller: Caller,
  { debtorGuid, planGuid }: { debtorGuid: string; planGuid: string },
): Promise<LetterPlan> {
  if (!caller.accessCodes.has('paymentplan.read'))
    throw new ApiError('forbidden', 'A letter about a payment plan needs the access code paymentplan.read.')
  const plan = await findPlan(db, caller, await requireDebtor(db, caller, debtorGuid), planGuid)
  if (!plan) throw notFound('payment plan')
  if (plan.active !== 0) return plan
  const message = 'The payment plan has ended. Write a letter about one that is proposed or active.'
  throw new ApiError('unprocessable', message, { errors: { paymentPlanGuid: [message] } })
}

/** The schedule as a table, payments already made included. */
export function composePlan(
  { rows, currencyCode, annualPercentage }: LetterPlan,
  language: Language,
): NonNullable<LetterData['plan']> {
  const words = texts[language].letter
  const money = (minor: bigint) => formatAmount(language, minor, currencyCode)
  const parts = ['instalment', 'interest', 'fee', 'amount'] as const
  const rate = new Intl.NumberFormat(locales[language], { maximumFractionDigits: 2 })
  return {
    title: words.planSchedule,
    columns: [
      words.planNumber,
      words.due,
      words['column.principal'],
      words['column.interest'],
      words['column.costs'],
      words['column.toPay'],
    ],
    rows: rows.map((row) => [
      String(row.paymentNo),
      formatDay(language, row.dueDate),
      ...parts.map((part) => money(row[part])),
    ]),
    totals: parts.map((part) => money(rows.reduce((sum, row) => sum + row[part], 0n))),
    facts: annualPercentage === null ? [] : [[words.planRate, `${rate.format(annualPercentage)} %`]],
  }
}

/** The amount and date of the next unpaid payment. Undefined when all are paid. */
export function planPayment(
  { rows, currencyCode }: LetterPlan,
  language: Language,
): { amount: string; due: string } | undefined {
  const next = rows.find(({ paid, amount }) => paid < amount)
  return (
    next && {
      amount: `${formatAmount(language, next.amount - next.paid, currencyCode)} ${currencyCode}`,
      due: formatDay(language, next.dueDate),
    }
  )
}

/** Of what the letter says of each payment: number, day, amount, and what was paid. The database makes the same. */
export const digestPlan = (rows: LetterPlan['rows']): string =>
  createHash('sha256')
    .update(rows.map((row) => [row.paymentNo, row.dueDate, row.amount, row.paid].join(':')).join())
    .digest('hex')
