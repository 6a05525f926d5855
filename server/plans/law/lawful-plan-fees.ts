/** Holds the fees of a plan to the law of its cases. */
import type { Circumstance, PackRule, RuleSubject } from '../../../core/law/pack.ts'
import type { LegalCase } from '../../../core/law/legal-case.ts'
import { judge } from '../../../core/law/permissions.ts'
import type { LegalQuestion, Verdict } from '../../../core/law/verdict.ts'
import type { ShippedFee } from '../../../core/ledger/statutory-fees.ts'
import { formatMinor } from '../../../core/money/money.ts'
import { describeRefusal } from '../../ledger/lawful-fees.ts'
import { findStandstills } from '../../ledger/explanation-facts.store.ts'
import { findFeeTables, findLegalCases, toCircumstance, toLegalType } from '../../ledger/legal-cases.store.ts'
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

/** The rules that apply to a fee when a plan is agreed: those about its amount, kind and number, and not about its day. */
const agreed: ReadonlySet<RuleSubject> = new Set(['count', 'ceiling', 'total', 'scale', 'offset'])

/**
 * The registration fee is charged when the plan begins: who the debtor is then counts too, what the debtor was told, and
 * that the claim is overdue.
 */
const charged: ReadonlySet<RuleSubject> = new Set([...agreed, 'circumstance', 'agreement', 'waiting'])

/** What the law of a case says of the fees of a plan. */
export interface PlanLaw {
  judge(name: PlanFeeName, amount: bigint, instalments: number | null): Verdict
  /** True if the plan may not have the fee. The number of reminders is checked when a payment is late. */
  refuses(name: PlanFeeName, verdict: Verdict): boolean
}

/** `isToldOfCosts`: the debtor was told of the costs before the plan is made, or still can be. */
export async function openPlanLaw(
  db: Db,
  caseGuid: string,
  date: string,
  isToldOfCosts = true,
): Promise<PlanLaw> {
  const one = (await findLegalCases(db, [caseGuid], date)).get(caseGuid)!
  const fees = (await findFeeTables(db, [one.country], date))(one.country)
  return judgePlanFees(one, fees, { date, isToldOfCosts })
}

/** Whether a letter about a plan, which shows its costs, was sent or handed over. */
export async function wasToldOfCosts(db: Db, planGuid: string): Promise<boolean> {
  const letters = await db`
    select from document o where o.kind = 'plan' and o.data ->> 'planGuid' = ${planGuid}
      and o.debtor_id = (select debtor_id from payment_plan where id = ${planGuid})
      and not exists (select from message m where m.document_id = o.id and m.sent_at is null) limit 1`
  return letters.length > 0
}

export function judgePlanFees(
  found: LegalCase,
  fees: readonly ShippedFee[],
  { date, isToldOfCosts = true }: { date: string; isToldOfCosts?: boolean },
): PlanLaw {
  const one = leavePlan(found)
  return {
    judge: (name, amount, instalments) => {
      const subjects = name === 'registrationFee' ? charged : agreed
      const action = `fee:${toLegalType(bookedAs[name], one.country)}`
      const more = { isToldOfCosts, ...(instalments !== null && { instalments }) }
      const early = name === 'invoiceFee' ? findUndemanded(one, { action, date, amount }, fees) : null
      if (early !== null) return early
      const single = judge(one, { action, date, amount, ...more }, fees, subjects)
      const times = name === 'invoiceFee' && sharesCeiling(single.rule) ? BigInt(instalments ?? 1) : 1n
      if (times === 1n || single.highest === null) return single
      const all = judge(one, { action, date, amount: amount * times, ...more }, fees, subjects)
      return { ...all, highest: single.highest / times }
    },
    refuses: (name, { allowed, reason }) => !allowed && !(name === 'reminderFee' && reason === 'count'),
  }
}

const waiting: ReadonlySet<RuleSubject> = new Set(['waiting'])

/**
 * The refusal of notices that the debtor owes only after a letter that was not sent. Null when there is none. Whether
 * the claim is due is checked when a notice is charged.
 */
function findUndemanded(
  one: LegalCase,
  question: LegalQuestion,
  fees: readonly ShippedFee[],
): Verdict | null {
  const verdict = judge(one, question, fees, waiting)
  const { rule } = verdict
  return rule?.subject === 'waiting' && rule.after !== 'dueDate' ? verdict : null
}

/** On a plan little may be demanded. Its own payments may. */
const leavePlan = (one: LegalCase): LegalCase => ({
  ...one,
  circumstances: one.circumstances.filter((circumstance) => circumstance !== 'plan'),
})

/** What held the case on an earlier day, as the law calls it. */
async function findCircumstancesOn(db: Db, caseGuid: string, day: string): Promise<Circumstance[]> {
  const standstills = await findStandstills(db, caseGuid, null)
  return standstills
    .filter(({ from, to }) => from <= day && (to === null || day < to))
    .flatMap(({ kind, reason }) => (kind === 'DISPUTE' ? 'disputed' : toCircumstance(reason)))
}

/** True if all fees of the kind, and others with them, have one ceiling. */
const sharesCeiling = (rule: PackRule | null): boolean =>
  rule?.subject === 'ceiling' && rule.sum !== undefined

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
 * Throws a 422 that names the rule, and the highest amount where there is one, when the law does not allow a fee of the
 * plan. Returns the rule by which the registration fee was judged, or null.
 */
export function requireLawfulFees(
  law: PlanLaw,
  caller: Pick<Caller, 'language'>,
  plan: PlanFees & { currencyCode: string; numberOfPayments: number },
): string | null {
  let rule: string | null = null
  for (const name of planFeeNames) {
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

/**
 * What the law allows of a notice or a reminder of a payment on its day: nothing before its day or beyond its number.
 * `uncharged`: fees of the same case that are not booked yet.
 */
export async function findLawfulFee(
  db: Db,
  {
    name,
    caseGuid,
    amount,
    date,
    today,
    uncharged = [],
  }: {
    name: Exclude<PlanFeeName, 'registrationFee'>
    caseGuid: string
    amount: bigint
    date: string
    today: string
    uncharged?: readonly { type: PlanFeeType; amount: bigint }[]
  },
): Promise<{ amount: bigint; rule?: string }> {
  const found = (await findLegalCases(db, [caseGuid], date)).get(caseGuid)!
  // What is made up for after a hold was not sent while it lasted.
  const before = date < today ? await findCircumstancesOn(db, caseGuid, date) : []
  const one = {
    ...leavePlan(found),
    circumstances: [...leavePlan(found).circumstances, ...before],
    fees: [
      ...found.fees,
      ...uncharged.map((fee) => ({ ...fee, type: toLegalType(fee.type, found.country), date })),
    ],
  }
  const fees = (await findFeeTables(db, [one.country], date))(one.country)
  const action = `fee:${toLegalType(bookedAs[name], one.country)}`
  const verdict = judge(one, { action, date, amount }, fees)
  const rule = verdict.rule === null ? {} : { rule: verdict.rule.code }
  if (verdict.allowed) return { amount, ...rule }
  const isLower = verdict.reason === 'ceiling' || verdict.reason === 'total' || verdict.reason === 'scale'
  return { amount: isLower ? (verdict.highest ?? 0n) : 0n, ...rule }
}
