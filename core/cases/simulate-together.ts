/**
 * Simulates a strategy on claims that may be demanded together, as the night takes their steps: one letter and one fee
 * for all, on the oldest (docs/domain/demand-groups.md).
 */
import { addDays } from '../calendar/calendar.ts'
import { findBundling, isBundled, joinLegalCases, mayBeBundled, type Bundling } from '../law/bundling.ts'
import { judgeStep, type StepVerdict } from '../law/judge-step.ts'
import {
  isFor,
  remainingOn,
  takeStep,
  type ChargedFee,
  type JudgedAmounts,
  type Period,
  type SimulatedCase,
  type SimulatedState,
  type SimulatedStep,
} from './simulated-case.ts'
import type { StrategyStep } from './strategies.ts'

/** A claim to simulate. */
export interface Claim {
  steps: readonly StrategyStep[]
  start: SimulatedCase
  /** Null for a claim that is demanded by itself whatever the law says. */
  together: {
    /** The same for claims of the same parties, currency, law and service. */
    key: string
    /** The group in which it was demanded before. */
    group: string | null
    /** What the client wants. */
    wish: boolean | null
  } | null
}

/** A step of one of the claims. */
export interface TogetherStep {
  /** The index of the claim. */
  claim: number
  step: SimulatedStep
  /** The index of the claim that bears the letter and the fee: another one when this claim goes with it. */
  bearing: number
  /** How many claims the step was taken for at once. */
  together: number
}

/** A claim on its way through the days. */
interface Standing extends Claim {
  index: number
  state: SimulatedState
  group: string | null
  taken: Set<string>
  /** Steps that the law lets wait, with the day from which they may be taken. */
  waiting: Map<string, string>
}

interface Today {
  day: number
  date: string
  course: TogetherStep[]
}

interface Due {
  one: Standing
  step: StrategyStep
}

/** A claim in a unit; `isDue` is false for one that is demanded early with the others. */
interface Member extends Due {
  isDue: boolean
}

/** The steps in the order taken. The claims are given the oldest first. */
export function simulateTogether(claims: readonly Claim[], { from, days }: Period): TogetherStep[] {
  const standing = claims.map((claim, index): Standing => {
    const { place, since, law, taken } = claim.start
    const state = { place, since, fees: 0n, charged: [], law }
    const group = claim.together?.group ?? null
    return { ...claim, index, state, group, taken: new Set(taken), waiting: new Map() }
  })
  const course: TogetherStep[] = []
  for (let day = 0; day <= days; day++) {
    const now: Today = { day, date: addDays(from, day), course }
    for (;;) {
      const due = standing.flatMap((one) => {
        const step = one.steps.find((each) => isDue(each, one, standing, now))
        return step ? [{ one, step }] : []
      })
      if (due.length === 0) break
      takeRound(due, standing, now)
    }
  }
  return course
}

/** Takes the due steps, one of a claim. Each of them is then taken, refused or waiting. */
function takeRound(due: readonly Due[], standing: readonly Standing[], now: Today): void {
  const done = new Set<Standing>()
  for (const lead of due) {
    if (done.has(lead.one)) continue
    const bundling = findStepBundling(lead, now)
    const members = bundling === null ? [] : findMembers(lead, { due, standing, done }, now)
    if (bundling === null || members.length < 2) {
      done.add(lead.one)
      takeAlone(lead, now)
      continue
    }
    for (const { one } of members) done.add(one)
    takeTogether(members, bundling, now)
  }
}

const computeRemaining = ({ start, state }: Standing, { day }: Today): bigint =>
  remainingOn(start, state, day)

/** Of a step that was taken, or refused on the first day, nothing is tried again. */
const isTried = ({ taken, start }: Standing, code: string, { day }: Today): boolean =>
  taken.has(code) || (day === 0 && start.refusedToday.includes(code))

/** Claims that are demanded together are one amount to the limits of a step, as in the night. */
function judgeAmounts(one: Standing, standing: readonly Standing[], now: Today): JudgedAmounts {
  const remaining = computeRemaining(one, now)
  const { together, state } = one
  const law = state.law
  if (together === null || law === null) return { remaining, judged: remaining }
  const { country, debtor } = law
  if (findBundling(country, { date: now.date, debtor, wish: together.wish }) === null)
    return { remaining, judged: remaining }
  const judged = standing
    .filter((other) => standsBeside(other, one))
    .reduce((sum, other) => sum + computeRemaining(other, now), 0n)
  return { remaining, judged }
}

/** True for claims of the same parties and group that stand at the same place; of a claim itself too. */
const standsBeside = (one: Standing, lead: Standing): boolean =>
  one.together !== null &&
  one.together.key === lead.together!.key &&
  one.group === lead.group &&
  one.state.law !== null &&
  one.state.place.status === lead.state.place.status &&
  one.state.place.subStatus === lead.state.place.subStatus

const isDue = (step: StrategyStep, one: Standing, standing: readonly Standing[], now: Today): boolean =>
  !isTried(one, step.code, now) &&
  now.date >= (one.waiting.get(step.code) ?? now.date) &&
  addDays(one.state.since, step.afterDays) <= now.date &&
  isFor(step, one.start, one.state, judgeAmounts(one, standing, now))

function findStepBundling({ one, step }: Due, { date }: Today): Bundling | null {
  const { together, state } = one
  if (together === null || state.law === null || !mayBeBundled(step.actions)) return null
  const { country, debtor } = state.law
  const bundling = findBundling(country, { date, debtor, wish: together.wish })
  return bundling !== null && isBundled(bundling, step.actions) ? bundling : null
}

/** The claims that stand where the leading one stands, with the step that it takes. The oldest first. */
function findMembers(
  { one: lead, step }: Due,
  {
    due,
    standing,
    done,
  }: { due: readonly Due[]; standing: readonly Standing[]; done: ReadonlySet<Standing> },
  now: Today,
): Member[] {
  return standing.flatMap((one) => {
    if (done.has(one) || !standsBeside(one, lead)) return []
    const own = one.steps.find(
      (each) =>
        each.code === step.code &&
        !isTried(one, each.code, now) &&
        isFor(each, one.start, one.state, judgeAmounts(one, standing, now)),
    )
    // What is done is what the leading claim's version of the step says.
    if (!own) return []
    const isDueToo = due.some((each) => each.one === one && each.step.code === step.code)
    return [{ one, step, isDue: isDueToo }]
  })
}

const judgeAlone = ({ one: { start, state }, step }: Due, { date }: Today): StepVerdict | null =>
  state.law &&
  judgeStep(state.law, step.actions, {
    date,
    fees: start.lawFees,
    amountOn: (feeType) => start.feeOn(feeType, date),
  })

const tell = (
  { one, step }: Due,
  now: Today,
  {
    refused = null,
    bearing = one,
    together = 1,
  }: { refused?: string | null; bearing?: Standing; together?: number },
) => {
  const { code, actions } = step
  // What goes to the debtor goes once.
  const own = bearing === one ? actions : actions.filter(({ kind }) => kind === 'status')
  const letter = actions.find((action) => action.kind === 'letter')?.letter ?? null
  const effect =
    refused === null ? { fees: one.state.charged, letter } : { fees: [] as ChargedFee[], letter: null }
  const told = {
    step: code,
    actions: own,
    place: one.state.place,
    remaining: computeRemaining(one, now),
    refused,
  }
  now.course.push({
    claim: one.index,
    step: { day: now.day, date: now.date, ...told, ...effect },
    bearing: bearing.index,
    together,
  })
}

/** A step that the law refuses waits for its day, or is over. */
function refuse(due: Due, { refused }: StepVerdict, now: Today): void {
  const { one, step } = due
  if (refused!.from) {
    one.waiting.set(step.code, refused!.from)
    return
  }
  one.taken.add(step.code)
  tell(due, now, { refused: refused!.rule === null ? refused!.reason! : refused!.rule.text })
}

function takeAlone(due: Due, now: Today): void {
  const { one, step } = due
  const law = judgeAlone(due, now)
  if (law?.refused) return refuse(due, law, now)
  one.taken.add(step.code)
  const outcome = takeStep(step, one.start, { before: one.state, law }, now.date)
  if (typeof outcome !== 'string') one.state = outcome
  tell(due, now, { refused: typeof outcome === 'string' ? outcome : null })
}

/** Those that may not take the step, or about which something is special, go by themselves. */
function takeTogether(members: readonly Member[], bundling: Bundling, now: Today): void {
  const able = members.filter((member) => {
    const { one, step } = member
    const law = judgeAlone(member, now)!
    const isAble =
      !law.refused && typeof takeStep(step, one.start, { before: one.state, law }, now.date) !== 'string'
    if (!isAble && member.isDue) takeAlone(member, now)
    return isAble
  })
  const isApart = ({ one }: Member) => one.state.law!.circumstances.length > 0
  for (const member of able) if (isApart(member) && member.isDue) takeAlone(member, now)
  const rest = able.filter((member) => !isApart(member))
  if (!rest.some((member) => member.isDue)) return
  if (rest.length === 1) takeAlone(rest[0]!, now)
  else takeJointly(rest, bundling, now)
}

function takeJointly(members: readonly Member[], { isJointPrincipal }: Bundling, now: Today): void {
  const [first, ...others] = members as readonly [Member, ...Member[]]
  const { start, state } = first.one
  const legal = others.map(({ one }) => one.state.law!)
  const joint = joinLegalCases(state.law!, legal, isJointPrincipal)
  const law = judgeStep(joint, first.step.actions, {
    date: now.date,
    fees: start.lawFees,
    amountOn: (feeType) => start.feeOn(feeType, now.date, joint.jointPrincipal),
  })
  if (law.refused) {
    for (const member of members) if (member.isDue) refuse(member, law, now)
    return
  }
  // What the claims share has one name, so that it counts once.
  const name = `${first.one.index} ${first.step.code} ${now.date}`
  const letters = law.after.letters
    .slice(joint.letters.length)
    .map((one, index) => ({ ...one, id: `${name} ${index}` }))
  const fees = law.after.fees
    .slice(joint.fees.length)
    .map((one, index) => ({ ...one, id: `${name} ${index}` }))
  const group = first.one.group ?? name
  for (const [index, member] of members.entries()) {
    const { one, step } = member
    const before = one.state.law!
    const after = { ...before, letters: [...before.letters, ...letters], fees: [...before.fees, ...fees] }
    const own = index === 0 ? { ...law, after } : { refused: null, fees: new Map(), leftOut: [], after }
    one.taken.add(step.code)
    // Each was tried before.
    one.state = takeStep(step, one.start, { before: one.state, law: own }, now.date) as SimulatedState
    one.group = group
    tell(member, now, { bearing: first.one, together: members.length })
  }
}
