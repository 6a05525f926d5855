/**
 * May this be done to this case today? Asks the law pack of the case's governing country. Pure: strategies,
 * forms, letters, imports and the console all ask here. Without a pack everything is allowed. Not legal
 * advice.
 */
import { addDays, addMonths, latest } from '../calendar/calendar.ts'
import {
  appliesTo,
  scaleFee,
  scaleMinimum,
  smallClaimFee,
  type ShippedFee,
} from '../ledger/statutory-fees.ts'
import { textToMinor } from '../money/money.ts'
import {
  circumstances,
  type Anchor,
  type LawPack,
  type PackRule,
  type RuleOf,
  type RuleSubject,
} from './pack.ts'
import { unstatedFee, type LegalCase } from './legal-case.ts'
import { findPack, isInForce } from './packs.ts'

export interface LegalQuestion {
  /** `fee:<type>`, `letter:<kind>` or `status:<status>`. */
  action: string
  date: string
  /** The fee to charge. Left out: is any fee allowed? */
  amount?: bigint
  /** Days from the letter to its deadline; null for a letter without one. Left out: not asked. */
  dueDays?: number | null
  /** The number of instalments of the plan that the fee is for. Left out: not asked. */
  instalments?: number
  /** True: the debtor was told what the plan costs before it is made. */
  isToldOfCosts?: boolean
  /** True: an administrator goes beyond every rule that leaves it to agreement. The others still hold. */
  overrides?: boolean
}

/** `guardian`: a strategy leaves it to a person, because the debtor is a minor with a guardian. */
export const legalReasons = [
  ...circumstances,
  'guardian',
  'agreement',
  'untold',
  'assessment',
  'count',
  'waiting',
  'spacing',
  'missing',
  'deadline',
  'ceiling',
  'total',
  'scale',
  'others',
  'noAmount',
] as const
export type LegalReason = (typeof legalReasons)[number]

/** The statuses that go beyond demanding: what a strategy or a person does must be lawful for them. */
export const judgedStatuses: ReadonlySet<string> = new Set(['LEGAL', 'ENFORCEMENT'])

export interface Verdict {
  action: string
  allowed: boolean
  /** Null when it is allowed. */
  reason: LegalReason | null
  /** The rule that refuses, or the one that sets `highest`. */
  rule: PackRule | null
  /** The first day on which it would be allowed, when only time is missing. */
  from: string | null
  /** The most that the fee may be, in minor units. Null when no rule limits it. */
  highest: bigint | null
  /** Who gets the letter. */
  recipient: 'debtor' | 'guardian'
}

const letterAnchors: Record<Exclude<Anchor, 'dueDate'>, string> = {
  reminder: 'reminder',
  reminderDeadline: 'reminder',
  noticeDeadline: 'notice',
  demandDeadline: 'demand',
}

const rulesByAction = new WeakMap<LawPack, Map<string, readonly PackRule[]>>()

/** The rules of a pack about an action, cached: those of its name, and those of all actions of its kind. */
function rulesAbout(pack: LawPack, action: string): readonly PackRule[] {
  const known = rulesByAction.get(pack) ?? new Map<string, readonly PackRule[]>()
  rulesByAction.set(pack, known)
  const found = known.get(action)
  if (found) return found
  const anyOfKind = `${action.slice(0, action.indexOf(':'))}:*`
  const about = pack.rules.filter(
    (rule) =>
      rule.status !== 'proposed' &&
      'actions' in rule &&
      (rule.actions.includes(action) || rule.actions.includes(anyOfKind)),
  )
  // Who the debtor is counts before how far the case has come.
  const [first, rest] = [true, false].map((isFirst) =>
    about.filter(({ subject }) => (subject === 'circumstance') === isFirst),
  ) as [PackRule[], PackRule[]]
  const rules = [...first, ...rest]
  // Fee types are free text: those that no pack knows are not kept.
  if (rules.some((rule) => 'actions' in rule && rule.actions.includes(action))) known.set(action, rules)
  return rules
}

const findOthers = (pack: LawPack, date: string) =>
  pack.rules.find((rule): rule is RuleOf<'others'> => rule.subject === 'others' && isInForce(rule, date))

/**
 * Answers one question about a case. `fees` is the fee table in force, of the installation or as shipped.
 * `only`: the subjects to ask, where what else must be true is not known.
 */
export function judge(
  asked: LegalCase,
  question: LegalQuestion,
  fees: readonly ShippedFee[],
  only?: ReadonlySet<RuleSubject>,
): Verdict {
  const { action, date } = question
  const one = countOpeningCosts(asked)
  const allowed: Verdict = {
    action,
    allowed: true,
    reason: null,
    rule: null,
    from: null,
    highest: null,
    recipient: 'debtor',
  }
  const pack = findPack(one.country)
  if (!pack) return allowed
  // A court that sets costs has heard the case.
  const others = findOthers(pack, date)
  if (action.startsWith('fee:') && others?.allowed.includes(action.slice('fee:'.length))) return allowed
  const rules = rulesAbout(pack, action).filter(
    (rule) =>
      isInForce(rule, date) &&
      (only === undefined || only.has(rule.subject)) &&
      !(question.overrides && rule.override) &&
      (rule.debtor === undefined || rule.debtor === 'all' || rule.debtor === one.debtor),
  )
  const refuse = (reason: LegalReason, rule: PackRule, more: Partial<Verdict> = {}): Verdict => ({
    ...allowed,
    allowed: false,
    reason,
    rule,
    ...more,
  })
  let { recipient } = allowed
  let late: Verdict | null = null
  for (const rule of rules) {
    const effect = applyRule(one, question, rule)
    if (effect === null) continue
    if (effect === 'guardian') recipient = effect
    else if ('from' in effect) {
      const { from } = effect
      if (from > date && (late === null || from > late.from!))
        late = refuse(rule.subject === 'spacing' ? 'spacing' : 'waiting', rule, { from })
    } else return refuse(effect.reason, rule)
  }
  if (late !== null) return late
  if (!action.startsWith('fee:')) return { ...allowed, recipient }
  return judgeAmount(one, question, { pack, rules, fees, allowed, refuse })
}

/** What the debtor owes from before the registration counts as a fee of this agency does. */
const countOpeningCosts = (one: LegalCase): LegalCase =>
  one.openingCosts ? { ...one, fees: [...one.fees, one.openingCosts] } : one

/** What a rule says before amounts are checked: a reason to refuse, a first day, another recipient, or nothing. */
function applyRule(
  one: LegalCase,
  { action, date, dueDays, isToldOfCosts }: LegalQuestion,
  rule: PackRule,
): { reason: LegalReason } | { from: string } | 'guardian' | null {
  switch (rule.subject) {
    case 'circumstance':
      if (!one.circumstances.includes(rule.circumstance)) return null
      return rule.guardian && one.hasGuardian && !action.startsWith('fee:')
        ? 'guardian'
        : { reason: rule.circumstance }
    case 'agreement':
      if (rule.what === 'planCosts') return isToldOfCosts === true ? null : { reason: 'untold' }
      return one.reminderFeeAgreed ? null : { reason: 'agreement' }
    case 'assessment': {
      const isAsked = one.claimKind !== undefined && rule.claims.includes(one.claimKind)
      return isAsked && one.isHardshipAssessed !== true ? { reason: 'assessment' } : null
    }
    case 'count':
      return countDone(one, rule.each ? [action] : rule.actions) < findMost(one, rule)
        ? null
        : { reason: 'count' }
    case 'waiting': {
      if (rule.titled === 'allowed' && one.isEnforceable) return null
      const anchor = findAnchor(leaveOutOld(one, rule, date), rule.after)
      if (anchor !== null) return { from: addDays(anchor, rule.days) }
      return rule.missing === 'refused' ? { reason: 'missing' } : null
    }
    case 'spacing': {
      const last = lastDone(one, rule.actions)
      return last === null ? null : { from: addDays(last, rule.days) }
    }
    case 'deadline':
      return dueDays === undefined || (dueDays ?? 0) >= rule.days ? null : { reason: 'deadline' }
    default:
      return null
  }
}

interface AmountContext {
  pack: LawPack
  rules: readonly PackRule[]
  fees: readonly ShippedFee[]
  allowed: Verdict
  refuse: (reason: LegalReason, rule: PackRule, more?: Partial<Verdict>) => Verdict
}

/** Judges a fee by its ceilings: the lowest of them counts. */
function judgeAmount(
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

/** The case without letters that are too old to count. */
const leaveOutOld = (one: LegalCase, { validMonths }: RuleOf<'waiting'>, date: string): LegalCase =>
  validMonths === undefined
    ? one
    : { ...one, letters: one.letters.filter((letter) => addMonths(letter.date, validMonths) >= date) }

/** The day that a waiting time counts from. Null when it has not come about. */
function findAnchor(one: LegalCase, anchor: Anchor): string | null {
  if (anchor === 'dueDate') return one.dueDate
  const kind = letterAnchors[anchor]
  let last = anchor === 'noticeDeadline' ? one.noticeDeadline : null
  for (const letter of one.letters) {
    if (letter.kind !== kind || letter.isHeld) continue
    const day = anchor === 'reminder' ? letter.date : (letter.due ?? letter.date)
    last = last === null ? day : latest(last, day)
  }
  return last
}

/** How often a count allows an action for this claim. */
function findMost(one: LegalCase, { most, fewer }: RuleOf<'count'>): number {
  if (!fewer) return most
  const principal = one.jointPrincipal ?? one.principal
  return one.isEnforceable || principal <= textToMinor(fewer.upTo, one.currency) ? fewer.most : most
}

/** How often actions were done. A notice of the creditor's own counts as one. */
function countDone(one: LegalCase, actions: readonly string[]): number {
  const fees = one.fees.filter(({ type }) => actions.includes(`fee:${type}`)).length
  const letters = one.letters.filter(({ kind }) => actions.includes(`letter:${kind}`)).length
  const notices = one.noticeDeadline !== null && actions.includes('letter:notice') ? 1 : 0
  return fees + letters + notices
}

function lastDone(one: LegalCase, actions: readonly string[]): string | null {
  const days = [
    ...one.fees.filter(({ type }) => actions.includes(`fee:${type}`)),
    ...one.letters.filter(({ kind }) => actions.includes(`letter:${kind}`)),
  ].map(({ date }) => date)
  return days.length === 0 ? null : days.reduce(latest)
}
