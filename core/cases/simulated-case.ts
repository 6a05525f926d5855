/** A case in the simulation of a strategy, and what one step does to it. Not legal advice. */
import { changeStatus, type CaseLifecycle, type CasePlace, type CaseService } from './case-lifecycle.ts'
import { interestDenominator } from '../interest/interest.ts'
import type { StepVerdict } from '../law/judge-step.ts'
import type { LegalCase } from '../law/legal-case.ts'
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
  /** The amount of a fee on a day, in minor units. Zero when unknown. The principal of all claims where it counts. */
  feeOn(feeType: string, date: string, jointPrincipal?: bigint): bigint
  /** What the law needs to know of the case on the first day. Null when no law applies. */
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
  /** The fees charged on the case. */
  fees: readonly ChargedFee[]
  /** The letter that demands the case, also when another case bears it. Null without one. */
  letter: LetterKind | null
}

export type LetterKind = Extract<StepAction, { kind: 'letter' }>['letter']

export interface ChargedFee {
  feeType: string
  /** In minor units. */
  amount: bigint
}

export interface Period {
  /** The first day, YYYY-MM-DD. */
  from: string
  days: number
}

/** A case on a day of the simulation. */
export interface SimulatedState {
  place: CasePlace
  since: string
  fees: bigint
  /** The fees of the last step. */
  charged: readonly ChargedFee[]
  law: LegalCase | null
}

/** Rounds half up, like the accrual of a case. */
export function remainingOn(
  { remaining, interestPerDay }: SimulatedCase,
  { fees }: Pick<SimulatedState, 'fees'>,
  days: number,
): bigint {
  const interest = interestPerDay * BigInt(days)
  return remaining + fees + (2n * interest + interestDenominator) / (2n * interestDenominator)
}

/** In minor units. */
export interface JudgedAmounts {
  remaining: bigint
  /** The amount that a step's limits are compared with: the sum of the claims that are demanded together. */
  judged: bigint
}

/** True if the step is for the case as it stands, however long it has stood there. */
export function isFor(
  step: StrategyStep,
  { service, country, currency, minorPerUnit }: SimulatedCase,
  { place }: SimulatedState,
  { remaining, judged }: JudgedAmounts,
): boolean {
  const units = Number(judged) / minorPerUnit
  return (
    remaining > 0n &&
    step.status === place.status &&
    (step.subStatus === undefined || step.subStatus === place.subStatus) &&
    (step.service === undefined || step.service === service) &&
    (step.countries === undefined || (country !== null && step.countries.includes(country))) &&
    (step.currencies === undefined || step.currencies.includes(currency)) &&
    (step.amountFrom === undefined || units >= step.amountFrom) &&
    (step.amountBelow === undefined || units < step.amountBelow) &&
    (step.onPlan === undefined || step.onPlan === (place.subStatus === 'PAYMENT_PLAN'))
  )
}

/** The state after the step, or the reason why it is refused. */
export function takeStep(
  step: StrategyStep,
  start: SimulatedCase,
  { before, law }: { before: SimulatedState; law: StepVerdict | null },
  date: string,
): SimulatedState | string {
  if (law?.refused) return law.refused.rule === null ? law.refused.reason! : law.refused.rule.text
  let { place, since } = before
  const charged: ChargedFee[] = []
  for (const action of step.actions) {
    if (action.kind === 'fee') {
      const { feeType } = action
      const amount = law ? (law.fees.get(feeType)?.amount ?? 0n) : start.feeOn(feeType, date)
      if (amount > 0n) charged.push({ feeType, amount })
    }
    if (action.kind !== 'status') continue
    const life: CaseLifecycle = { place, hold: null, beforePlan: start.beforePlan, closureCode: null }
    const result = changeStatus(life, action.status, action.subStatus)
    if (!result.ok) return result.message
    const now = result.life.place
    if (now.status !== place.status || now.subStatus !== place.subStatus) since = date
    place = now
  }
  const fees = charged.reduce((sum, { amount }) => sum + amount, before.fees)
  return { place, since, fees, charged, law: law?.after ?? null }
}
