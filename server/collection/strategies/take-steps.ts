/**
 * Takes steps of many cases at once, set-based: of each case all of its actions or none, by the functions that a person's
 * own request stands on too, so that ledger, events and audit are the same.
 */
import { addDays } from '../../../core/calendar/calendar.ts'
import * as lives from '../../../core/cases/case-lifecycle.ts'
import type { StepAction } from '../../../core/cases/strategies.ts'
import { lockCases, type CaseRow } from '../../claims/case-lock.ts'
import { bisect } from '../../platform/database/bisect.ts'
import { inSavepoint, type Db } from '../../platform/database/transaction.ts'
import { holdDate } from '../../ledger/ledger.store.ts'
import { insertLetterFees, needsLetter } from '../letter-fees/letter-fees.store.ts'
import { writeLetters } from '../letters/write-letter.ts'
import type { Origin } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { insertJobs } from '../../platform/jobs/jobs.store.ts'
import { queueLetters } from '../../platform/messages/messages.store.ts'
import { bookActions, type BookedAction, type ChargedFee, type HeldStep } from './book-actions.ts'
import { stepOperation, strategyCaller } from './strategy-caller.ts'
import { formUnits, type StepUnit } from '../demands/joint-steps.ts'
import { judgeUnit, keepGroups, splitUnit } from '../demands/take-together.ts'
import { judgeSteps } from './step-law.ts'
import { noteRefused, noteTaken, type DueStep } from './due-steps.store.ts'

export interface Refusal {
  due: DueStep
  reason: string
}

export interface TakenSteps {
  taken: DueStep[]
  refused: Refusal[]
}

/**
 * Takes the steps, at most one of a case, and those of cases that are demanded together as one. One that is another's by now, or no longer due, is passed over; one that is refused
 * is undone and noted with its reason.
 */
export async function takeSteps(tx: Db, due: readonly DueStep[], origin: Origin): Promise<TakenSteps> {
  if (due.length === 0) return { taken: [], refused: [] }
  const units = await formUnits(tx, due, origin.businessDate)
  // Most refusals are foreseen one by one. The others are found by splitting.
  const parts = await bisect(units, {
    run: (part) => inSavepoint(tx, () => takeAll(tx, part, origin)),
    isAttributable: (error) => error instanceof ApiError,
    fail: (part, error) => {
      if (!(error instanceof ApiError)) throw error
      const refused = part[0]!.steps.flatMap(({ due: one, isDue }) =>
        isDue ? { due: one, reason: error.message } : [],
      )
      return refuse(tx, refused, origin)
    },
  })
  return { taken: parts.flatMap(({ taken }) => taken), refused: parts.flatMap(({ refused }) => refused) }
}

async function refuse(tx: Db, refused: readonly Refusal[], { businessDate }: Origin): Promise<TakenSteps> {
  const told = refused.map(({ due, reason }) => ({ due, reason: reason.slice(0, 500) }))
  await noteRefused(tx, told, businessDate)
  return { taken: [], refused: told }
}

async function takeAll(tx: Db, units: readonly StepUnit[], origin: Origin): Promise<TakenSteps> {
  await holdDate(tx)
  const rows = await lockCases(
    tx,
    strategyCaller,
    units.flatMap(({ steps }) => steps.map(({ due }) => due.caseGuid)),
  )
  const byCase = new Map(rows.map((row) => [row.caseGuid, row]))
  const still = units.map((unit) => ({
    ...unit,
    steps: unit.steps.filter(({ due }) => isStillDue(due, byCase.get(due.caseGuid))),
  }))
  const judge = await judgeSteps(
    tx,
    still.flatMap(({ steps }) => steps.map(({ due }) => ({ due, row: byCase.get(due.caseGuid)! }))),
    origin.businessDate,
  )
  const foreseen: Refusal[] = []
  const possible = still.flatMap((unit) => {
    const steps = unit.steps.filter(({ due, isDue }) => {
      const { refused } = judge.judgeOne(due.caseGuid)
      // As by hand: what the life cycle does not allow is told before what the law does not.
      const wrong = foresee(due, byCase.get(due.caseGuid)!)
      const reasons = wrong.length > 0 || refused === null ? wrong : [{ due, reason: refused }]
      if (isDue) foreseen.push(...reasons)
      return reasons.length === 0
    })
    return splitUnit({ ...unit, steps }, judge.isApart)
  })
  const noted = await noteTaken(
    tx,
    possible.flatMap(({ steps }) => steps.map(({ due }) => due)),
    origin.businessDate,
  )
  const held = possible
    .map((unit) => ({ ...unit, steps: unit.steps.filter(({ due }) => noted.has(due.caseGuid)) }))
    .flatMap((unit) => judgeUnit(unit, { judge, byCase }))
  await act(tx, await keepGroups(tx, held, origin.businessDate), origin)
  const { refused } = await refuse(tx, foreseen, origin)
  return { taken: held.map(({ due }) => due), refused }
}

/** The case may have changed since the steps were listed; held from here on, it does not. */
const isStillDue = (due: DueStep, row: CaseRow | undefined): boolean =>
  row !== undefined &&
  row.closureCode === null &&
  row.hold === null &&
  row.remainingMinor > 0 &&
  row.placeStatus === due.status &&
  row.placeSubStatus === due.subStatus

/** The transition that there is not, before anything is done. */
export function foresee(due: DueStep, row: CaseRow): Refusal[] {
  let place: lives.CasePlace = { status: row.placeStatus, subStatus: row.placeSubStatus }
  const beforePlan =
    row.beforePlanStatus === null
      ? null
      : { status: row.beforePlanStatus, subStatus: row.beforePlanSubStatus! }
  for (const action of due.actions) {
    if (action.kind !== 'status') continue
    const life: lives.CaseLifecycle = { place, hold: null, beforePlan, closureCode: null }
    const result = lives.changeStatus(life, action.status, action.subStatus)
    if (!result.ok) return [{ due, reason: result.message }]
    place = result.life.place
  }
  return []
}

type Letter = Extract<StepAction, { kind: 'letter' }>
type Call = Extract<StepAction, { kind: 'service' }>

/** What is booked, and the letters that follow it: these tell of the case as it then is. */
interface Phase {
  booked: BookedAction[]
  letters: Letter[]
}

function splitPhases(actions: readonly StepAction[]): Phase[] {
  const phases: Phase[] = [{ booked: [], letters: [] }]
  for (const action of actions) {
    const last = phases.at(-1)!
    if (action.kind === 'letter') last.letters.push(action)
    else if (action.kind === 'fee' || action.kind === 'status') {
      if (last.letters.length === 0) last.booked.push(action)
      else phases.push({ booked: [action], letters: [] })
    }
  }
  return phases
}

async function act(tx: Db, held: readonly HeldStep[], origin: Origin): Promise<void> {
  const works = held.map((one) => ({ ...one, phases: splitPhases(one.due.actions) }))
  const fees: ChargedFee[] = []
  const letters = new Map<string, string>()
  for (let phase = 0; ; phase++) {
    const now = works.filter(({ phases }) => phase < phases.length)
    if (now.length === 0) break
    const booked = now.map(({ phases, ...one }) => ({ ...one, actions: phases[phase]!.booked }))
    fees.push(...(await bookActions(tx, booked, { origin, tells: phase === 0, isFresh: phase === 0 })))
    const sent = await sendLetters(
      tx,
      now
        .filter(isBearing)
        .flatMap(({ phases, ...one }) => phases[phase]!.letters.map((letter) => ({ ...one, letter }))),
      origin,
    )
    for (const { caseGuid, documentGuid } of sent)
      if (!letters.has(caseGuid)) letters.set(caseGuid, documentGuid)
  }
  await insertLetterFees(
    tx,
    fees.flatMap(({ caseGuid, movementGuid, feeType }) => {
      const documentGuid = letters.get(caseGuid)
      return documentGuid === undefined || !needsLetter(feeType) ? [] : [{ documentGuid, movementGuid }]
    }),
  )
  await callServices(tx, held.filter(isBearing))
}

/** What goes to the debtor goes once for cases that are demanded together. */
const isBearing = ({ joint }: HeldStep): boolean => joint === null || joint.isBearing

async function sendLetters(
  tx: Db,
  letters: readonly (HeldStep & { letter: Letter })[],
  origin: Origin,
): Promise<{ caseGuid: string; documentGuid: string }[]> {
  const sent: { caseGuid: string; documentGuid: string }[] = []
  for (const [operation, group] of Map.groupBy(letters, ({ due }) => stepOperation(due))) {
    const requests = group.map(({ due: { debtorGuid, caseGuid }, letter, joint }) => ({
      debtorGuid,
      caseGuid,
      kind: letter.letter,
      language: null,
      dueDate: letter.dueDays === undefined ? null : addDays(origin.businessDate, letter.dueDays),
      together: joint && { caseGuids: joint.caseGuids, reference: joint.reference },
    }))
    const documentGuids = await writeLetters(tx, strategyCaller, requests, { ...origin, operation })
    await queueLetters(tx, documentGuids)
    sent.push(...requests.map(({ caseGuid }, index) => ({ caseGuid, documentGuid: documentGuids[index]! })))
  }
  return sent
}

async function callServices(tx: Db, held: readonly HeldStep[]): Promise<void> {
  const calls = held.flatMap(({ due }) =>
    due.actions.flatMap((action) => (action.kind === 'service' ? [{ due, action }] : [])),
  )
  if (calls.length > 0) await insertJobs(tx, calls.map(makeServiceJob))
}

const makeServiceJob = ({ due, action }: { due: DueStep; action: Call }) => ({
  kind: 'service',
  name: action.service,
  payload: { item: { type: 'debtor', guid: due.debtorGuid }, input: action.input ?? {}, scope: null },
  askedBy: action.userGuid,
  requestId: null,
})
