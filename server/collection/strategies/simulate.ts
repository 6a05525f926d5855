/** Simulates a strategy over days, on an example case or on the cases that follow it. Changes nothing. */
import type {
  MadeUpCase,
  Simulation,
  SimulationInput,
} from '../../../contract/collection/strategy-simulation.ts'
import {
  caseStatusCodes,
  caseStatuses,
  hasSubStatus,
  services,
  type OpenStatus,
} from '../../../core/cases/case-lifecycle.ts'
import { addDays } from '../../../core/calendar/calendar.ts'
import { currencyDecimals, isCountry, isCurrency } from '../../../core/identity/codes.ts'
import { toMidnight } from '../../../core/calendar/date-time.ts'
import { fromMinor, readAmount, toMinor } from '../../../core/money/money.ts'
import { simulateTogether, type Claim, type TogetherStep } from '../../../core/cases/simulate-together.ts'
import type { Period, SimulatedCase } from '../../../core/cases/simulated-case.ts'
import type { StrategyStep } from '../../../core/cases/strategies.ts'
import { imagineCase, type LegalCase } from '../../../core/law/legal-case.ts'
import { isGuid } from '../../../core/text/guid.ts'
import { computeFeeAmount, type FeeFacts } from '../../ledger/fees.store.ts'
import { findFeesBetween } from '../../ledger/rates/statutory-fees.store.ts'
import { readNumerator } from '../../ledger/stored-interest.ts'
import { findSystemSettings, type Environment } from '../../metadata/system/system-settings.changes.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { invalid, FieldErrors, notFound } from '../../platform/http/errors.ts'
import { describeAction } from './describe-action.ts'
import { findCasesToSimulate, listStepsByVersion, type StoredSimulatedCase } from './simulate.store.ts'
import type { CallableService } from './actions.rules.ts'
import { findWeeks, type FollowedClaim } from './simulated-weeks.ts'
import { findKnownNames } from './strategies.changes.ts'
import { readSteps } from './strategies.rules.ts'
import { findStrategy } from './strategies.store.ts'

const casesMax = 2000
const courseMax = 1000

export interface SimulationContext {
  today: string
  services: readonly CallableService[]
  /** The installation's defaults for an example case. */
  environment: Environment
}

interface SimulatedClaim extends Claim {
  caseNumber: string | null
  lastLetter: FollowedClaim['lastLetter']
  channel: FollowedClaim['channel']
}

/** Throws a 400 that names each wrong member, or a 404. */
export async function simulate(
  db: Db,
  input: SimulationInput,
  context: SimulationContext,
): Promise<Simulation> {
  const checks = new FieldErrors()
  const draft = input.steps
    ? readSteps(input.steps, await findKnownNames(db, input.steps, context.services), checks)
    : null
  if (!draft && !input.strategyGuid) checks.add('steps', 'is required when strategyGuid is left out.')
  if (!input.case && !input.strategyGuid)
    checks.add('case', 'is required when strategyGuid is left out: there are no stored cases to simulate.')
  const made = input.case ? await readExampleCase(db, { ...input, case: input.case }, context, checks) : null
  checks.throwIfAny()
  const { claims, isSample } = await listClaims(db, input, { draft, made, context })
  const period = { from: context.today, days: input.days }
  const course = groupClaims(claims)
    .flatMap((group) => runTogether(group, period))
    .toSorted((a, b) => a.step.day - b.step.day)
  const { settings } = await findSystemSettings(db, context.environment)
  return {
    from: toMidnight(context.today),
    days: input.days,
    cases: claims.length,
    isSample,
    steps: countSteps(course),
    ...(await findWeeks(db, followClaims(claims, course), { period, settings })),
    course: course.slice(0, courseMax).map(toAction),
  }
}

function followClaims(
  claims: readonly SimulatedClaim[],
  course: readonly SimulatedAction[],
): FollowedClaim[] {
  const byClaim = Map.groupBy(course, ({ simulated }) => simulated)
  return claims.map((claim) => ({
    start: claim.start,
    lastLetter: claim.lastLetter,
    channel: claim.channel,
    course: (byClaim.get(claim) ?? []).map(({ step }) => step),
  }))
}

/** Claims that may be demanded together, the oldest first; each other case by itself. */
function groupClaims(claims: readonly SimulatedClaim[]): SimulatedClaim[][] {
  const byKey = Map.groupBy(claims, (simulated) => simulated.together?.key ?? simulated)
  return [...byKey.values()].map((group) => group.toSorted(byCaseNumber))
}

/** The case registered first is the oldest. */
const byCaseNumber = ({ caseNumber: a }: SimulatedClaim, { caseNumber: b }: SimulatedClaim): number =>
  (a ?? '').length - (b ?? '').length || ((a ?? '') < (b ?? '') ? -1 : 1)

interface SimulatedAction extends Omit<TogetherStep, 'claim' | 'bearing'> {
  simulated: SimulatedClaim
  bearing: SimulatedClaim
}

const runTogether = (group: readonly SimulatedClaim[], period: Period): SimulatedAction[] =>
  simulateTogether(group, period).map(({ claim, bearing, ...one }) => ({
    ...one,
    simulated: group[claim]!,
    bearing: group[bearing]!,
  }))

async function listClaims(
  db: Db,
  { strategyGuid, running, days }: SimulationInput,
  {
    draft,
    made,
    context,
  }: { draft: StrategyStep[] | null; made: SimulatedCase | null; context: SimulationContext },
): Promise<{ claims: SimulatedClaim[]; isSample: boolean }> {
  if (!strategyGuid) return { claims: [invent(made!, draft!)], isSample: false }
  if (!isGuid(strategyGuid)) throw invalid({ strategyGuid: ['must be a GUID.'] })
  const strategy = await findStrategy(db, strategyGuid)
  if (!strategy) throw notFound('strategy')
  const versions = await listStepsByVersion(db, strategyGuid)
  const newest = draft ?? versions.get(strategy.version)!
  if (made) return { claims: [invent(made, newest)], isSample: false }
  const found = await findCasesToSimulate(db, strategyGuid, {
    today: context.today,
    days,
    limit: casesMax + 1,
  })
  const claims = found.slice(0, casesMax).map((one) => ({
    caseNumber: one.caseNumber,
    lastLetter: one.lastLetter,
    channel: one.channel,
    together: one.together,
    start: simulationStart(one),
    steps: running || !isUnderWay(one) ? newest : versions.get(one.version)!,
  }))
  return { claims, isSample: found.length > casesMax }
}

const invent = (start: SimulatedCase, steps: readonly StrategyStep[]): SimulatedClaim => ({
  caseNumber: null,
  lastLetter: null,
  channel: 'letter',
  start,
  steps,
  together: null,
})

const isUnderWay = ({ stored }: StoredSimulatedCase) => stored.taken.length > 0

function simulationStart({ stored, fees, law }: StoredSimulatedCase): SimulatedCase {
  const { remaining, interestPerDay, ...rest } = stored
  return {
    ...rest,
    remaining: BigInt(remaining),
    interestPerDay: readNumerator(interestPerDay),
    country: fees.country,
    feeOn: feeLookup(fees),
    law,
    lawFees: fees.statutes,
  }
}

/** Fees that cannot be booked count as zero here. */
const feeLookup =
  (facts: FeeFacts) =>
  (feeType: string, date: string, jointPrincipal?: bigint): bigint => {
    const principal = jointPrincipal === undefined ? facts.principal : Number(jointPrincipal)
    const amount = computeFeeAmount({ ...facts, principal }, feeType, date)
    const read = amount === null ? null : readAmount(amount, facts.currencyCode)
    return read?.ok ? read.minor : 0n
  }

const code = (text: string | null | undefined, fallback: string) => text?.trim().toUpperCase() || fallback

async function readExampleCase(
  db: Db,
  { case: given, days }: { case: MadeUpCase; days: number },
  { today, environment }: SimulationContext,
  checks: FieldErrors,
): Promise<SimulatedCase | null> {
  const [status, service] = [code(given.status, 'NEW'), code(given.service, 'COLLECTION')]
  const country = code(given.country, environment.countryCode)
  const currency = code(given.currency, environment.currencyCode)
  const open = caseStatusCodes.find((one): one is OpenStatus => one === status && one !== 'CLOSED')
  if (!open) checks.add('case.status', `must be one of ${caseStatusCodes.slice(0, -1).join(', ')}.`)
  const subStatus = code(given.subStatus, caseStatuses[open ?? 'NEW'].subStatuses[0])
  const known = hasSubStatus(open ?? 'NEW', subStatus)
  if (open && !known)
    checks.add('case.subStatus', `must be one of ${caseStatuses[open].subStatuses.join(', ')}.`)
  const served = services.find((one) => one === service)
  if (!served) checks.add('case.service', `must be one of ${services.join(', ')}.`)
  if (!isCountry(country)) checks.add('case.country', 'must be an ISO 3166-1 country code, for example SE.')
  if (!isCurrency(currency))
    checks.add('case.currency', 'must be an ISO 4217 currency code, for example SEK.')
  const amount = isCurrency(currency) ? readAmount(given.amount, currency) : null
  if (amount && !(amount.ok && amount.minor > 0n))
    checks.add('case.amount', amount.ok ? 'must be above zero.' : amount.message)
  if (!open || !known || !served || !amount?.ok) return null
  const terms = { currencyCode: currency, fees: {} }
  const juridicalType = given.business ? 1 : 0
  const statutes = await findFeesBetween(db, country, { from: today, to: addDays(today, days) })
  const facts = {
    terms,
    juridicalType,
    principal: Number(amount.minor),
    currencyCode: currency,
    country,
    statutes,
  }
  return {
    place: { status: open, subStatus },
    service: served,
    country,
    currency,
    minorPerUnit: 10 ** currencyDecimals(currency)!,
    remaining: toMinor(given.amount, currency),
    interestPerDay: 0n,
    since: today,
    beforePlan: null,
    taken: [],
    refusedToday: [],
    feeOn: feeLookup(facts),
    law: exampleLaw(facts, today),
    lawFees: statutes,
  }
}

/** An example case fell due a month ago, and what the law wants agreed was agreed. */
const exampleLaw = (
  { country, juridicalType, currencyCode, principal }: FeeFacts,
  today: string,
): LegalCase =>
  imagineCase({
    country,
    debtor: juridicalType === 1 ? 'business' : 'consumer',
    currency: currencyCode,
    principal: BigInt(principal),
    dueDate: addDays(today, -30),
  })

function countSteps(course: readonly SimulatedAction[]): Simulation['steps'] {
  const byStep = Map.groupBy(course, ({ step }) => step.step)
  return [...byStep].map(([step, all]) => {
    const refused = all.filter((one) => one.step.refused !== null).length
    const together = all.filter((one) => one.together > 1).length
    return { step, taken: all.length - refused, refused, together }
  })
}

const toAction = ({
  simulated: { caseNumber, start },
  bearing,
  step,
  together,
}: SimulatedAction): Simulation['course'][number] => ({
  day: step.day,
  date: toMidnight(step.date),
  caseNumber,
  step: step.step,
  actions: step.actions.map(describeAction),
  status: step.place.status,
  subStatus: step.place.subStatus,
  remaining: fromMinor(step.remaining, start.currency),
  currency: start.currency,
  refused: step.refused,
  together,
  demandedWith: bearing.caseNumber === caseNumber ? null : bearing.caseNumber,
})
