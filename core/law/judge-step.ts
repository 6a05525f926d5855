/** Judges the actions of a strategy step, each after what the ones before it have done. Pure. */
import { addDays } from '../calendar/calendar.ts'
import type { StepAction } from '../cases/strategies.ts'
import type { ShippedFee } from '../ledger/statutory-fees.ts'
import type { PackRule } from './pack.ts'
import { findPack, isInForce } from './packs.ts'
import type { LegalCase } from './legal-case.ts'
import { judge, judgedStatuses } from './permissions.ts'
import type { LegalReason, Verdict } from './verdict.ts'

export interface StepVerdict {
  /** Why the step must not be taken now. Null when it may. */
  refused: Verdict | null
  /** The amount of each fee by type, in minor units, at most what the law allows. */
  fees: Map<string, { amount: bigint; rule: string | null }>
  /** The fees that the law leaves out, while the rest of the step goes ahead. */
  leftOut: Verdict[]
  /** The case after the step. */
  after: LegalCase
}

/** Refusals of a fee that leave the rest of the step as it is. Any other stops the whole step. */
const leavingOut: ReadonlySet<LegalReason> = new Set([
  'agreement',
  'count',
  'ceiling',
  'total',
  'scale',
  'others',
  'noAmount',
])

/** `amountOn` is the fee of the client's terms or the statute, in minor units; zero for none. */
export function judgeStep(
  one: LegalCase,
  actions: readonly StepAction[],
  { date, fees, amountOn }: { date: string; fees: readonly ShippedFee[]; amountOn(feeType: string): bigint },
): StepVerdict {
  const charged: StepVerdict['fees'] = new Map()
  const leftOut: Verdict[] = []
  let after = one
  const stop = (refused: Verdict): StepVerdict => ({ refused, fees: new Map(), leftOut: [], after: one })
  const minor = refuseMinor(one, actions, date)
  if (minor) return stop(minor)
  for (const action of actions) {
    if (action.kind === 'letter') {
      const { letter, dueDays = null } = action
      const verdict = judge(after, { action: `letter:${letter}`, date, dueDays }, fees)
      if (!verdict.allowed) return stop(verdict)
      const due = dueDays === null ? null : addDays(date, dueDays)
      after = { ...after, letters: [...after.letters, { kind: letter, date, due }] }
    }
    if (action.kind === 'status') {
      const verdict = judge(after, { action: `status:${action.status}`, date }, fees)
      if (!verdict.allowed) return stop(verdict)
    }
    if (action.kind !== 'fee') continue
    const { feeType: type } = action
    const wanted = amountOn(type)
    if (wanted === 0n) continue
    const verdict = judge(after, { action: `fee:${type}`, date }, fees)
    if (!verdict.allowed) {
      if (!leavingOut.has(verdict.reason!)) return stop(verdict)
      leftOut.push(verdict)
      continue
    }
    const { highest, rule } = verdict
    const amount = highest !== null && highest < wanted ? highest : wanted
    charged.set(type, { amount, rule: rule?.code ?? null })
    after = { ...after, fees: [...after.fees, { type, amount, date }] }
  }
  return { refused: null, fees: charged, leftOut, after }
}

const isOfMinors = (rule: PackRule) =>
  rule.subject === 'circumstance' && rule.circumstance === 'minor' && rule.status !== 'proposed'

/**
 * A strategy writes only to the main debtor. So no step writes to a minor, charges one or calls a service for
 * one, or goes to court, in any country: what goes to the guardian, a person sends.
 */
function refuseMinor(one: LegalCase, actions: readonly StepAction[], date: string): Verdict | null {
  const reaching = actions.find((action) => action.kind !== 'status' || judgedStatuses.has(action.status))
  if (!reaching || !one.circumstances.includes('minor')) return null
  const rule = findPack(one.country)?.rules.find((each) => isOfMinors(each) && isInForce(each, date))
  return {
    action: reaching.kind,
    allowed: false,
    reason: one.hasGuardian ? 'guardian' : 'minor',
    rule: rule ?? null,
    from: null,
    highest: null,
    recipient: one.hasGuardian ? 'guardian' : 'debtor',
  }
}
