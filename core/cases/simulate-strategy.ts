/** Simulates a strategy on a case over days without payments or other changes. Not legal advice. */
import { addDays, daysBetween } from '../calendar/calendar.ts'
import { changeStatus, type CaseLifecycle, type CasePlace, type CaseService } from './case-lifecycle.ts'
import { interestDenominator } from '../interest/interest.ts'
import { judgeStep, type StepVerdict } from '../law/judge-step.ts'
import type { LegalCase } from '../law/permissions.ts'
import type { ShippedFee } from '../ledger/statutory-fees.ts'
import type { StepAction, StrategyStep } from './strategies.ts'

export interface SimulatedCase {
  place: CasePlace
  service: CaseService
  /** The country of the client. Null when unknown. */
  country: string | null
  currency: string
  /** Minor units per unit of the currency. */
  minorPerUnit: number
  /** The remaining amount on the first day, in minor units. */
  remaining: bigint
  /** Interest per day, as a numerator over `interestDenominator`. */
  interestPerDay: bigint
  /** The day since which the case has its status, YYYY-MM-DD. */
  since: string
  beforePlan: CasePlace | null
  /** Codes of the steps already taken. */
  taken: readonly string[]
  /** Codes of the steps that were refused on the first day. They are tried again on the next. */
  refusedToday: readonly string[]
  /** The amount of a fee on a day, in minor units. Zero when unknown. */
  feeOn(feeType: string, date: string): bigint
  /** What the law needs to know of the case on the first day. Null when no law is asked. */
  law: LegalCase | null
  /** The fee table of the governing country. */
  lawFees: readonly ShippedFee[]
}

export interface SimulatedStep {
  /** 0 is the first day. */
  day: number
  date: string
  step: string
  actions: readonly StepAction[]
  /** The values after the step. */
  place: CasePlace
  remaining: bigint
  /** Why the step is refused; it then changes nothing. Null when it is taken. */
  refused: string | null
}

/** The steps in the order taken, from the first to the last day, both inclusive. */
export function simulateStrategy(
  steps: readonly StrategyStep[],
  start: SimulatedCase,
  { from, days }: { from: string; days: number },
): SimulatedStep[] {
  const taken = new Set(start.taken)
  const course: SimulatedStep[] = []
  let state: SimulatedState = { place: start.place, since: start.since, fees: 0n, law: start.law }
  // Steps that the law lets wait, with the day from which they may be taken.
  const waiting = new Map<string, string>()
  for (let day = 0; day <= days; day++) {
    const date = addDays(from, day)
    const isTried = (code: string) =>
      taken.has(code) ||
      date < (waiting.get(code) ?? date) ||
      (day === 0 && start.refusedToday.includes(code))
    const remaining = () => remainingOn(start, state, daysBetween(from, date))
    for (;;) {
      const next = steps.find((step) => !isTried(step.code) && isDue(step, start, state, date, remaining()))
      if (!next) break
      const law = state.law && judgeLaw(next, start, state.law, date)
      if (law?.refused?.from) {
        waiting.set(next.code, law.refused.from)
        continue
      }
      taken.add(next.code)
      const outcome = takeStep(next, start, { before: state, law }, date)
      if (typeof outcome !== 'string') state = outcome
      const refused = typeof outcome === 'string' ? outcome : null
      const { code: step, actions } = next
      course.push({ day, date, step, actions, place: state.place, remaining: remaining(), refused })
    }
  }
  return course
}

interface SimulatedState {
  place: CasePlace
  since: string
  fees: bigint
  law: LegalCase | null
}

const judgeLaw = (step: StrategyStep, start: SimulatedCase, law: LegalCase, date: string): StepVerdict =>
  judgeStep(law, step.actions, {
    date,
    fees: start.lawFees,
    amountOn: (feeType) => start.feeOn(feeType, date),
  })

/** Rounds half up, like the accrual of a case. */
function remainingOn(
  { remaining, interestPerDay }: SimulatedCase,
  { fees }: SimulatedState,
  days: number,
): bigint {
  const interest = interestPerDay * BigInt(days)
  return remaining + fees + (2n * interest + interestDenominator) / (2n * interestDenominator)
}

function isDue(
  step: StrategyStep,
  { service, country, currency, minorPerUnit }: SimulatedCase,
  { place, since }: SimulatedState,
  date: string,
  remaining: bigint,
): boolean {
  const units = Number(remaining) / minorPerUnit
  return (
    remaining > 0n &&
    step.status === place.status &&
    (step.subStatus === undefined || step.subStatus === place.subStatus) &&
    (step.service === undefined || step.service === service) &&
    addDays(since, step.afterDays) <= date &&
    (step.countries === undefined || (country !== null && step.countries.includes(country))) &&
    (step.currencies === undefined || step.currencies.includes(currency)) &&
    (step.amountFrom === undefined || units >= step.amountFrom) &&
    (step.amountBelow === undefined || units < step.amountBelow) &&
    (step.onPlan === undefined || step.onPlan === (place.subStatus === 'PAYMENT_PLAN'))
  )
}

/** The state after the step, or the reason why it is refused. */
function takeStep(
  step: StrategyStep,
  start: SimulatedCase,
  { before, law }: { before: SimulatedState; law: StepVerdict | null },
  date: string,
): SimulatedState | string {
  if (law?.refused) return law.refused.rule === null ? law.refused.reason! : law.refused.rule.text
  let { place, since, fees } = before
  for (const action of step.actions) {
    if (action.kind === 'fee')
      fees += law ? (law.fees.get(action.feeType)?.amount ?? 0n) : start.feeOn(action.feeType, date)
    if (action.kind !== 'status') continue
    const life: CaseLifecycle = { place, hold: null, beforePlan: start.beforePlan, closureCode: null }
    const result = changeStatus(life, action.status, action.subStatus)
    if (!result.ok) return result.message
    const now = result.life.place
    if (now.status !== place.status || now.subStatus !== place.subStatus) since = date
    place = now
  }
  return { place, since, fees, law: law?.after ?? null }
}
