/** Holds the fees of a plan to the law of its cases. */
import type { RuleSubject } from '../../../core/law/pack.ts'
import type { LegalCase } from '../../../core/law/legal-case.ts'
import { judge, type Verdict } from '../../../core/law/permissions.ts'
import type { ShippedFee } from '../../../core/ledger/statutory-fees.ts'
import { formatMinor } from '../../../core/money/money.ts'
import { describeRefusal } from '../../ledger/lawful-fees.ts'
import { findFeeTables, findLegalCases, toLegalType } from '../../ledger/legal-cases.store.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { findReader } from '../../platform/dictionary/reader.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/errors.ts'
import type { PlanFeeType } from '../locked-plans.ts'
import type { PlanFees } from '../plan-record.ts'

export type PlanFeeName = keyof PlanFees

const bookedAs: Record<PlanFeeName, PlanFeeType> = {
  registrationFee: 'planRegistration',
  invoiceFee: 'planInvoice',
  reminderFee: 'planReminder',
}
export const planFeeNames = Object.keys(bookedAs) as PlanFeeName[]

/** True if a plan or its terms have any fee. */
export const hasFees = (fees: {
  readonly [N in PlanFeeName]?: bigint | number | null | undefined
}): boolean => planFeeNames.some((name) => Boolean(fees[name]))

/** What is asked of a fee that is agreed with the plan: its amount, kind and number, and not its day. */
const agreed: ReadonlySet<RuleSubject> = new Set(['count', 'ceiling', 'total', 'scale', 'offset'])

/** What the law of a case says of the fees of a plan. */
export interface PlanLaw {
  judge(name: PlanFeeName, amount: bigint, instalments: number | null): Verdict
  /** True if the plan may not have the fee. How many reminders were charged is asked when a payment is late. */
  refuses(name: PlanFeeName, verdict: Verdict): boolean
}

export async function openPlanLaw(db: Db, caseGuid: string, date: string): Promise<PlanLaw> {
  const one = (await findLegalCases(db, [caseGuid], date)).get(caseGuid)!
  return judgePlanFees(one, (await findFeeTables(db, [one.country], date))(one.country), date)
}

export function judgePlanFees(one: LegalCase, fees: readonly ShippedFee[], date: string): PlanLaw {
  return {
    judge: (name, amount, instalments) => {
      const action = `fee:${toLegalType(bookedAs[name], one.country)}`
      return judge(one, { action, date, amount, ...(instalments !== null && { instalments }) }, fees, agreed)
    },
    refuses: (name, { allowed, reason }) => !allowed && !(name === 'reminderFee' && reason === 'count'),
  }
}

/** The fees of a client's terms, each at most what the law allows. */
export function limitFees(law: PlanLaw, fees: PlanFees, instalments: number | null): PlanFees {
  const limit = (name: PlanFeeName): bigint => {
    if (fees[name] === 0n) return 0n
    const verdict = law.judge(name, fees[name], instalments)
    return law.refuses(name, verdict) ? (verdict.highest ?? 0n) : fees[name]
  }
  return {
    registrationFee: limit('registrationFee'),
    invoiceFee: limit('invoiceFee'),
    reminderFee: limit('reminderFee'),
  }
}

/**
 * Throws a 422 that names the rule, and the highest amount where there is one, when the law does not allow the registration
 * or the reminder fee of the plan. The invoice fee is agreed with the debtor; the review by the law reports it. Returns the rule by which the registration fee was judged, or null.
 */
export function requireLawfulFees(
  law: PlanLaw,
  caller: Pick<Caller, 'language'>,
  plan: PlanFees & { currencyCode: string; numberOfPayments: number },
): string | null {
  let rule: string | null = null
  for (const name of ['registrationFee', 'reminderFee'] as const) {
    if (plan[name] === 0n) continue
    const verdict = law.judge(name, plan[name], plan.numberOfPayments)
    if (law.refuses(name, verdict)) throw refuse(name, verdict, plan.currencyCode, caller)
    if (name === 'registrationFee') rule = verdict.rule?.code ?? null
  }
  return rule
}

function refuse(
  name: PlanFeeName,
  verdict: Verdict,
  currency: string,
  { language }: Pick<Caller, 'language'>,
): ApiError {
  const detail = describeRefusal(verdict, { reader: findReader(language), currency })
  return new ApiError('unprocessable', detail, {
    errors: { [name]: [detail] },
    members: {
      rule: verdict.rule?.code ?? null,
      ...(verdict.highest !== null && { highest: formatMinor(verdict.highest, currency) }),
    },
  })
}

/** What the law allows of the reminder of a late payment today: nothing before its day or beyond its number. */
export async function findReminderFee(
  db: Db,
  { caseGuid, amount, date }: { caseGuid: string; amount: bigint; date: string },
): Promise<{ amount: bigint; rule?: string }> {
  const found = (await findLegalCases(db, [caseGuid], date)).get(caseGuid)!
  // On a plan little may be demanded. A late payment of that plan may.
  const one = {
    ...found,
    circumstances: found.circumstances.filter((circumstance) => circumstance !== 'plan'),
  }
  const fees = (await findFeeTables(db, [one.country], date))(one.country)
  const action = `fee:${toLegalType('planReminder', one.country)}`
  const verdict = judge(one, { action, date, amount }, fees)
  const rule = verdict.rule === null ? {} : { rule: verdict.rule.code }
  if (verdict.allowed) return { amount, ...rule }
  const isLower = verdict.reason === 'ceiling' || verdict.reason === 'total' || verdict.reason === 'scale'
  return { amount: isLower ? (verdict.highest ?? 0n) : 0n, ...rule }
}
