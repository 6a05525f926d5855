/** Reads and checks the code and the steps of a strategy, for the API, the strategy's form and the simulation. Pure. */
import type { StrategyStepInput } from '../../../contract/collection/strategies.ts'
import {
  caseStatusCodes,
  caseStatuses,
  changeStatus,
  hasSubStatus,
  services,
  type OpenStatus,
  type CasePlace,
  type SubStatus,
} from '../../../core/cases/case-lifecycle.ts'
import { isCountry, isCurrency, normaliseCountry, normaliseCurrency } from '../../../core/identity/codes.ts'
import type { StepAction, StrategyStep } from '../../../core/cases/strategies.ts'
import type { FieldErrors } from '../../platform/http/errors.ts'
import { readAction, type KnownNames } from './actions.rules.ts'

const codePattern = /^[A-Z][A-Z0-9_-]{0,49}$/
const openStatuses = caseStatusCodes.filter((code): code is OpenStatus => code !== 'CLOSED')
const stepsMax = 100
const daysMax = 36_500
const amountMax = 1e12

/** Reads the code of a strategy or of a step. */
export function readCode(given: string | null | undefined, member: string, checks: FieldErrors): string {
  const code = given?.trim().toUpperCase() ?? ''
  if (!codePattern.test(code))
    checks.add(member, 'must be 1 to 50 characters: first a letter, then letters, digits, _ or -.')
  return code
}

/** Adds each error to `checks` under its place in the input: `steps[2].status`. */
export function readSteps(
  given: readonly StrategyStepInput[] | null | undefined,
  known: KnownNames,
  checks: FieldErrors,
): StrategyStep[] {
  if (!given?.length || given.length > stepsMax) {
    checks.add('steps', `must be a list of 1 to ${stepsMax} steps.`)
    return []
  }
  const seen = new Set<string>()
  return given.map((input, index) => {
    const at = `steps[${index}]`
    const step = readStep(input, at, known, checks)
    if (seen.has(step.code))
      checks.add(`${at}.code`, 'is the code of an earlier step. Each step needs its own code.')
    seen.add(step.code)
    return step
  })
}

function readStep(
  input: StrategyStepInput,
  at: string,
  known: KnownNames,
  checks: FieldErrors,
): StrategyStep {
  const code = readCode(input.code, `${at}.code`, checks)
  const status = readChoice(input.status, openStatuses, `${at}.status`, checks)
  const subStatus = readSubStatus(status, input.subStatus, `${at}.subStatus`, checks)
  const service = input.service ? readChoice(input.service, services, `${at}.service`, checks) : null
  if (input.afterDays < 0 || input.afterDays > daysMax)
    checks.add(`${at}.afterDays`, `must be from 0 to ${daysMax}.`)
  const countries = readIsoCodes(input.countries, `${at}.countries`, countryCodes, checks)
  const currencies = readIsoCodes(input.currencies, `${at}.currencies`, currencyCodes, checks)
  const amounts = readAmounts(input, currencies !== null, at, checks)
  const source = input.source?.trim() || null
  if (source !== null && source.length > 1000)
    checks.add(`${at}.source`, 'must have at most 1000 characters.')
  const actions = readActions(input, at, known, checks)
  if (status !== null) checkTransitions({ status, subStatus }, actions, at, checks)
  return {
    code,
    status: status ?? 'NEW',
    ...(subStatus !== null && { subStatus }),
    ...(service !== null && { service }),
    afterDays: input.afterDays,
    ...(countries !== null && { countries }),
    ...(currencies !== null && { currencies }),
    ...amounts,
    ...(typeof input.onPlan === 'boolean' && { onPlan: input.onPlan }),
    actions: actions.filter((action) => action !== null),
    ...(source !== null && { source }),
  }
}

function readChoice<T extends string>(
  given: string | null | undefined,
  values: readonly T[],
  member: string,
  checks: FieldErrors,
): T | null {
  const found = values.find((value) => value === given?.trim().toUpperCase())
  if (found === undefined) checks.add(member, `must be one of ${values.join(', ')}.`)
  return found ?? null
}

function readSubStatus(
  status: OpenStatus | null,
  given: string | null | undefined,
  member: string,
  checks: FieldErrors,
): SubStatus | null {
  const wanted = given?.trim().toUpperCase()
  if (!wanted || status === null) return null
  if (hasSubStatus(status, wanted)) return wanted
  checks.add(
    member,
    `must be a sub-status of ${status} (${caseStatuses[status].subStatuses.join(', ')}), or empty for any.`,
  )
  return null
}

interface IsoCodeKind {
  normalise(text: string): string
  has(code: string): boolean
  what: string
}
const countryCodes: IsoCodeKind = {
  normalise: normaliseCountry,
  has: isCountry,
  what: 'countries of ISO 3166-1 such as SE',
}
const currencyCodes: IsoCodeKind = {
  normalise: normaliseCurrency,
  has: isCurrency,
  what: 'currencies of ISO 4217 such as SEK',
}

function readIsoCodes(
  given: readonly string[] | null | undefined,
  member: string,
  { normalise, has, what }: IsoCodeKind,
  checks: FieldErrors,
): string[] | null {
  if (!given || given.length === 0) return null
  const found = [...new Set(given.map(normalise))]
  if (!found.every(has)) checks.add(member, `must be ${what}, or empty for any.`)
  return found
}

function readAmounts(
  { amountFrom, amountBelow }: StrategyStepInput,
  hasCurrency: boolean,
  at: string,
  checks: FieldErrors,
): Pick<StrategyStep, 'amountFrom' | 'amountBelow'> {
  for (const [name, amount] of Object.entries({ amountFrom, amountBelow })) {
    if (amount === null || amount === undefined) continue
    if (amount < 0 || amount > amountMax || Math.abs(amount * 100 - Math.round(amount * 100)) > 1e-6)
      checks.add(`${at}.${name}`, 'must be an amount of at least zero with at most two decimals.')
    if (!hasCurrency)
      checks.add(`${at}.currencies`, `is required when ${name} is given: name the currencies of the amount.`)
  }
  const [from, below] = [amountFrom ?? null, amountBelow ?? null]
  if (from !== null && below !== null && below <= from)
    checks.add(`${at}.amountBelow`, 'must be above amountFrom, or no case can match.')
  return { ...(from !== null && { amountFrom: from }), ...(below !== null && { amountBelow: below }) }
}

function readActions(
  { actions }: StrategyStepInput,
  at: string,
  known: KnownNames,
  checks: FieldErrors,
): (StepAction | null)[] {
  // The contract limits a step to 10.
  if (actions.length === 0) checks.add(`${at}.actions`, 'must be a list of 1 to 10 actions.')
  return actions.map((action, index) => readAction(action, `${at}.actions[${index}]`, known, checks))
}

/**
 * Checks that the status rules allow the status changes of a step, one after the other. A step without a sub-status starts
 * in any sub-status: a change that is possible from one of them is accepted.
 */
function checkTransitions(
  from: { status: OpenStatus; subStatus: SubStatus | null },
  actions: readonly (StepAction | null)[],
  at: string,
  checks: FieldErrors,
): void {
  let places: CasePlace[] =
    from.subStatus === null
      ? caseStatuses[from.status].subStatuses.map((subStatus) => ({ status: from.status, subStatus }))
      : [{ status: from.status, subStatus: from.subStatus }]
  for (const [index, action] of actions.entries()) {
    if (action?.kind !== 'status') continue
    const outcomes = places.map((place) =>
      changeStatus(
        { place, hold: null, beforePlan: null, closureCode: null },
        action.status,
        action.subStatus,
      ),
    )
    const reached = outcomes.flatMap((one) => (one.ok ? [one.life.place] : []))
    const refusal = outcomes.find((one) => !one.ok)
    if (reached.length === 0 && refusal && !refusal.ok) {
      checks.add(`${at}.actions[${index}].status`, `cannot be reached: ${refusal.message}`)
      return
    }
    places = reached
  }
}
