/** Holds a fee that somebody enters to the law of its case. */
import { fillPlaceholders } from '../../core/text/fill-in.ts'
import { formatMinor } from '../../core/money/money.ts'
import { judge } from '../../core/law/permissions.ts'
import type { Verdict } from '../../core/law/verdict.ts'
import { describeRule } from '../../core/law/rule-name.ts'
import { texts } from '../../core/text/texts.ts'
import type { CaseRow } from '../claims/case-lock.ts'
import type { Db } from '../platform/database/transaction.ts'
import { findReader, type Reader } from '../platform/dictionary/reader.ts'
import type { Caller } from '../platform/http/caller.ts'
import { ApiError } from '../platform/http/errors.ts'
import { countInstalments, findFeeTables, findLegalCases } from './legal-cases.store.ts'

/** The rule that a fee was judged by, kept with the fee and in the audit trail. */
export interface FeeLaw {
  rule?: string
  /** Why an administrator went beyond the rule. */
  overrideReason?: string
  /** The demand group for which the fee was charged, once for all its cases. */
  demandGroup?: string
  /** The principal of its cases, in minor units, where the law judges the fee by it. */
  jointPrincipal?: number
}

/**
 * Why the law refuses, in one sentence for the reader: the reason, the first day or the highest amount, and the rule. What is
 * stored has the rule's code too: it is read by programs, and by people of any language.
 */
export function describeRefusal(
  { reason, rule, from, highest }: Verdict,
  {
    reader: { language, formats },
    currency,
    isStored = false,
  }: { reader: Reader; currency: string; isStored?: boolean },
): string {
  const words = texts[language].law
  const sentence = fillPlaceholders(words[reason!], {
    date: from === null ? '' : formats.day(from),
    amount: highest === null ? '' : formats.money(highest, currency),
    days: rule !== null && 'days' in rule ? String(rule.days) : '',
    count: rule !== null && 'most' in rule ? String(rule.most) : '',
  })
  if (rule === null) return sentence
  const unverified = rule.status === 'verified' ? '' : `, ${words.unverified}`
  const code = isStored ? `${rule.code}, ` : ''
  return `${sentence} (${code}${describeRule(language, rule)}${unverified})`
}

/** Fees for a payment plan: without a plan there is nothing to pay for. */
const planFees: ReadonlySet<string> = new Set(['paymentPlan', 'planInvoice', 'planReminder'])

export const isPlanFee = (feeType: string): boolean => planFees.has(feeType)

/**
 * Throws a 422 that names the rule when a fee may not be charged. A statutory or contractual amount above the
 * ceiling is lowered to it; an amount that somebody entered is refused. An override needs a reason and the
 * access code `case.admin`, and a rule that leaves it to agreement.
 */
export async function requireLawfulFee(
  tx: Db,
  caller: Caller,
  row: CaseRow,
  fee: {
    feeType: string
    amount: bigint
    valueDate: string
    isOwn: boolean
    overrideReason: string | null
  },
): Promise<FeeLaw & { highest: bigint }> {
  const one = (await findLegalCases(tx, [row.caseGuid], fee.valueDate)).get(row.caseGuid)!
  const fees = (await findFeeTables(tx, [one.country], fee.valueDate))(one.country)
  const action = `fee:${fee.feeType}`
  const plan = isPlanFee(fee.feeType) && { instalments: await countInstalments(tx, row.caseGuid) }
  const asked = { action, date: fee.valueDate, ...plan }
  const open = judge(one, asked, fees)
  const amount =
    !fee.isOwn && open.allowed && open.highest !== null && open.highest < fee.amount
      ? open.highest
      : fee.amount
  const verdict = judge(one, { ...asked, amount }, fees)
  const rule = verdict.rule === null ? {} : { rule: verdict.rule.code }
  if (verdict.allowed) return { highest: amount, ...rule }
  const { overrideReason } = fee
  const left = findRemaining(verdict, {
    caller,
    overrideReason,
    judgeOthers: () => judge(one, { ...asked, amount, overrides: true }, fees),
  })
  if (left === null) return { highest: amount, ...rule, overrideReason: overrideReason! }
  const member = left.reason === 'waiting' || left.reason === 'spacing' ? 'valueDate' : 'amount'
  throw unlawful(left, caller, {
    currency: row.currencyCode,
    member: left.highest === null && member === 'amount' ? 'feeType' : member,
  })
}

/**
 * What still refuses where an administrator goes beyond a rule that leaves it to agreement: another rule may refuse
 * too. Null when nothing does.
 */
export function findRemaining(
  refused: Verdict,
  {
    caller,
    overrideReason,
    judgeOthers,
  }: { caller: Caller; overrideReason: string | null; judgeOthers(): Verdict },
): Verdict | null {
  if (!refused.rule?.override || overrideReason === null || !caller.accessCodes.has('case.admin'))
    return refused
  const others = judgeOthers()
  return others.allowed ? null : others
}

/** The 422 that names the rule, and the first day or the highest amount. */
export function unlawful(
  verdict: Verdict,
  caller: Caller,
  { currency, member }: { currency: string; member: string },
): ApiError {
  const detail = describeRefusal(verdict, { reader: findReader(caller.language), currency })
  return new ApiError('unprocessable', detail, {
    errors: { [member]: [detail] },
    members: {
      rule: verdict.rule?.code ?? null,
      ...(verdict.from !== null && { allowedFrom: verdict.from }),
      ...(verdict.highest !== null && { highest: formatMinor(verdict.highest, currency) }),
    },
  })
}
