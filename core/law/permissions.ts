/**
 * May this be done to this case today? Asks the law pack of the case's governing country. Pure: strategies,
 * forms, letters, imports and the console all ask here. Without a pack everything is allowed. Not legal
 * advice.
 */
import { addDays, addMonths, latest } from '../calendar/calendar.ts'
import type { ShippedFee } from '../ledger/statutory-fees.ts'
import { textToMinor } from '../money/money.ts'
import { judgeAmount, findOthers } from './fees/fee-ceilings.ts'
import { findAnchor, type LegalCase } from './legal-case.ts'
import type { LawPack, PackRule, RuleOf, RuleSubject } from './pack.ts'
import { findPack, isInForce } from './packs.ts'
import type { LegalQuestion, LegalReason, Verdict } from './verdict.ts'

/** The statuses that go beyond demanding: what a strategy or a person does must be lawful for them. */
export const judgedStatuses: ReadonlySet<string> = new Set(['LEGAL', 'ENFORCEMENT'])

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

/** The case without letters that are too old to count. */
const leaveOutOld = (one: LegalCase, { validMonths }: RuleOf<'waiting'>, date: string): LegalCase =>
  validMonths === undefined
    ? one
    : { ...one, letters: one.letters.filter((letter) => addMonths(letter.date, validMonths) >= date) }

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
