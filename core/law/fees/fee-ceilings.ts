/** The most that a fee may be, by the rules of a law pack about amounts. */
import { addDays } from '../../calendar/calendar.ts'
import {
  appliesTo,
  scaleFee,
  scaleMinimum,
  smallClaimFee,
  type ShippedFee,
} from '../../ledger/statutory-fees.ts'
import { textToMinor } from '../../money/money.ts'
import { findAnchor, unstatedFee, type LegalCase } from '../legal-case.ts'
import type { LawPack, PackRule, RuleOf } from '../pack.ts'
import { isInForce } from '../packs.ts'
import type { LegalQuestion, LegalReason, Verdict } from '../verdict.ts'

/** The rule of a country that refuses fees which no other rule knows. */
export const findOthers = (pack: LawPack, date: string) =>
  pack.rules.find((rule): rule is RuleOf<'others'> => rule.subject === 'others' && isInForce(rule, date))

interface AmountContext {
  pack: LawPack
  rules: readonly PackRule[]
  fees: readonly ShippedFee[]
  allowed: Verdict
  refuse: (reason: LegalReason, rule: PackRule, more?: Partial<Verdict>) => Verdict
}

/** Judges a fee by its ceilings: the lowest of them counts. */
export function judgeAmount(
  one: LegalCase,
  { action, date, amount, overrides, instalments }: LegalQuestion,
  { pack, rules, fees, allowed, refuse }: AmountContext,
): Verdict {
  const type = action.slice('fee:'.length)
  let lowest: { highest: bigint; rule: RuleOf<'ceiling' | 'total' | 'scale' | 'offset'> } | null = null
  let isKnown = false
  for (const rule of rules) {
    if (rule.subject !== 'ceiling' && rule.subject !== 'total' && rule.subject !== 'scale') continue
    if (rule.subject !== 'total' || rule.fees.includes(type)) isKnown ||= rule.subject !== 'total'
    else continue
    const highest = findHighest(one, { rule, type, date, fees, instalments })
    if (highest === null) {
      if (rule.subject === 'total') continue
      return refuse('noAmount', rule)
    }
    if (lowest === null || highest < lowest.highest) lowest = { highest, rule }
  }
  if (!isKnown) {
    const others = findOthers(pack, date)
    if (others && !(overrides && others.override)) return refuse('others', others)
  }
  if (lowest === null) return allowed
  for (const rule of rules) {
    if (rule.subject !== 'offset') continue
    const overlap = sumOverlap(one, type, rule)
    if (overlap > 0n) lowest = { highest: lowest.highest - overlap, rule }
  }
  const { rule } = lowest
  const highest = lowest.highest < 0n ? 0n : lowest.highest
  if (highest === 0n || (amount !== undefined && amount > highest))
    return refuse(rule.subject === 'offset' ? 'total' : rule.subject, rule, { highest })
  return { ...allowed, rule, highest }
}

/** What was charged of the other kind: costs for the compensation, the compensation for costs. */
function sumOverlap(one: LegalCase, type: string, { compensation, actions }: RuleOf<'offset'>): bigint {
  if (type !== compensation) {
    // Costs of unstated kind are taken for costs of collection.
    return one.fees.reduce((sum, fee) => (fee.type === compensation ? sum + fee.amount : sum), 0n)
  }
  const types = actions.map((action) => action.slice('fee:'.length))
  return sumFees(
    one,
    types.filter((cost) => cost !== compensation),
  )
}

/** The most that a rule leaves for a fee. Null when the table names no amount in the case's currency. */
function findHighest(
  one: LegalCase,
  {
    rule,
    type,
    date,
    fees,
    instalments,
  }: {
    rule: RuleOf<'ceiling' | 'total' | 'scale'>
    type: string
    date: string
    fees: readonly ShippedFee[]
    instalments: number | undefined
  },
): bigint | null {
  if (rule.subject === 'scale') {
    if (one.currency !== scaleCurrency) return null
    return scaleCeiling(date, one, rule) - sumFees(one, rule.fees)
  }
  if (rule.subject === 'total') {
    const cap = findAmount(one, { type: one.isEnforceable ? rule.enforceable : rule.fee, date, fees })
    return cap === null ? null : cap.amount - sumFees(one, rule.fees)
  }
  if (instalments !== undefined && instalments <= (rule.instalmentsAbove ?? 0)) return 0n
  const stage = rule.stages?.findLast(({ after, days, untitledInstalmentsAbove: above }) => {
    if (above !== undefined && (one.isEnforceable || (instalments ?? 0) <= above)) return false
    const anchor = after === undefined ? date : findAnchor(one, after)
    return anchor !== null && addDays(anchor, days ?? 0) <= date
  })
  const found = findAmount(one, { type: rule.fee, date, fees, stage: stage?.stage })
  if (found === null) return null
  const isSecond = found.second !== null && one.fees.some((fee) => fee.type === type)
  const highest = isSecond ? found.second! : found.amount
  return rule.sum ? highest - sumFees(one, rule.sum) : highest
}

function findAmount(
  one: LegalCase,
  {
    type,
    date,
    fees,
    stage,
  }: { type: string; date: string; fees: readonly ShippedFee[]; stage?: string | undefined },
): { amount: bigint; second: bigint | null } | null {
  const { country, debtor, currency, principal: own } = one
  const principal = one.jointPrincipal ?? own
  for (const row of fees) {
    if (row.type !== type || row.currency !== currency || row.amount === null) continue
    if (stage !== undefined && (row.stage ?? stage) !== stage) continue
    if (!appliesTo(row, { country: country!, debtor, date, principal })) continue
    return {
      amount: textToMinor(row.amount, currency),
      second: row.second ? textToMinor(row.second, currency) : null,
    }
  }
  return null
}

const scaleCurrency = 'EUR'

/**
 * Part of a lawyer's fee by the German scale, in cents, rounded down; at least the smallest fee. The scale is that of
 * the day on which the agency got the claim (RVG § 60), at the latest that of the fee.
 */
function scaleCeiling(date: string, one: LegalCase, { factor, later, valueShare }: RuleOf<'scale'>): bigint {
  const { principal, orderDate = date } = one
  const joint = one.jointPrincipal ?? principal
  const left = one.remainingPrincipal ?? joint
  const day = date < orderDate ? date : orderDate
  const anchor = later && findAnchor(one, later.after)
  const isLater = later && anchor && addDays(anchor, later.days) <= date
  const value = valueShare === undefined ? joint : takeShare(left < joint ? left : joint, valueShare)
  const small = valueShare === undefined ? smallClaimFee(value, day) : null
  const part = takeShare(small ?? scaleFee(value, day), isLater ? later.factor : factor)
  return part > scaleMinimum ? part : scaleMinimum
}

/** A share as decimal text, of which two decimals count. Rounded down. */
function takeShare(amount: bigint, share: string): bigint {
  const [whole = '0', fraction = ''] = share.split('.')
  return (amount * BigInt(whole + fraction.padEnd(2, '0').slice(0, 2))) / 100n
}

const sumFees = ({ fees }: LegalCase, types: readonly string[]): bigint =>
  fees.reduce(
    (sum, { type, amount }) => (types.includes(type) || type === unstatedFee ? sum + amount : sum),
    0n,
  )
