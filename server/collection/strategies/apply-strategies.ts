/**
 * Takes the due collection steps at the day-end and with the command `apply-strategies`, which can also just
 * list them.
 */
import type { BusinessClock } from '../../platform/clock/business-clock.ts'
import type { CommandHandler } from '../../platform/jobs/command.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { countWork, runChunks, type ChunkedWork, type PartedWork } from '../../platform/jobs/chunked-work.ts'
import { describeAction } from './describe-action.ts'
import { listDueSteps, listStepsOfDebtors, type DueStep } from './due-steps.store.ts'
import { takeSteps, type TakenSteps } from './take-steps.ts'
import {
  countWaiting,
  findStretch,
  type Half,
  type Stretch,
  type WaitingCase,
} from './waiting-cases.store.ts'

/** Cases per transaction. */
const takenAtOnce = 1000
const listedAtOnce = 5000
const listedMax = 1000
const refusalsMax = 100

export interface Applied {
  taken: number
  refused: number
  /** Number of cases by strategy and step. */
  steps: Record<string, number>
  /** The first refusals, up to `refusalsMax`. */
  refusals: { caseNumber: string; step: string; reason: string }[]
}

const stepName = ({ strategy, step }: DueStep) => `${strategy}/${step}`

/** Where the next chunk starts. */
interface Place {
  /** The last case of the stretch before; null at the beginning and at the end. */
  passed: WaitingCase | null
  /** True once the last stretch was taken. */
  isLast: boolean
  /** The debtors of whom the chunk before took or refused a step: it may have made others of theirs due. */
  touched: readonly string[]
}

const atStart: Place = { passed: null, isLast: false, touched: [] }

/**
 * Takes the steps due on the business date. A step may make another step of its debtor due, and after a refused one the
 * next of the case is tried. So the cases of those debtors are looked at again, in a transaction of its own, until there is
 * none. This ends because each step is taken at most once per case, and refused at most once a day.
 */
export const applyStrategies = (cases = takenAtOnce): PartedWork<Applied, Place> => ({
  parts: [applyToHalf('low', cases), applyToHalf('high', cases)],
  join: (figures) => figures.reduce(addApplied, nothingApplied),
})

const nothingApplied: Applied = { taken: 0, refused: 0, steps: {}, refusals: [] }

const applyToHalf = (half: Half, cases: number): ChunkedWork<Applied, Place> => ({
  none: nothingApplied,
  count: (db, { businessDate }) => countWaiting(db, half, businessDate),
  run: async (tx, { figures, place }, origin) => {
    const date = origin.businessDate
    // A place that an earlier version stored has no `passed`: the night begins again, and takes no step twice.
    const { passed, isLast, touched } = { ...atStart, ...place }
    const stretch = touched.length > 0 ? null : await findStretch(tx, { half, date, after: passed }, cases)
    const due = await (stretch
      ? listDueSteps(tx, date, stretch.caseGuids)
      : listStepsOfDebtors(tx, date, touched))
    const done = await takeSteps(tx, due, origin)
    const next: Place = {
      passed: stretch ? stretch.last : passed,
      isLast: stretch ? stretch.last === null : isLast,
      touched: listTouched(done),
    }
    return {
      figures: addSteps(figures, done),
      place: next,
      isDone: next.isLast && next.touched.length === 0,
      worked: stretch?.caseGuids.length ?? 0,
    }
  },
})

const listTouched = ({ taken, refused }: TakenSteps): string[] => [
  ...new Set([...taken, ...refused.map(({ due }) => due)].map(({ debtorGuid }) => debtorGuid)),
]

function addSteps(before: Applied, { taken, refused }: TakenSteps): Applied {
  const steps: Applied['steps'] = {}
  for (const due of taken) steps[stepName(due)] = (steps[stepName(due)] ?? 0) + 1
  const refusals = refused.map(({ due, reason }) => ({
    caseNumber: due.caseNumber,
    step: stepName(due),
    reason,
  }))
  return addApplied(before, { taken: taken.length, refused: refused.length, steps, refusals })
}

function addApplied(one: Applied, other: Applied): Applied {
  const steps = { ...one.steps }
  for (const [name, cases] of Object.entries(other.steps)) steps[name] = (steps[name] ?? 0) + cases
  return {
    taken: one.taken + other.taken,
    refused: one.refused + other.refused,
    steps,
    refusals: [...one.refusals, ...other.refusals].slice(0, refusalsMax),
  }
}

/**
 * Lists the steps that would be taken now: the first due step of each case, without steps that become due
 * through it.
 */
export async function planStrategies(db: Db, date: string) {
  const steps: Record<string, number> = {}
  const would: { caseNumber: string; step: string; actions: string[] }[] = []
  let due = 0
  for (let after: WaitingCase | null = null, more = true; more;) {
    const stretch: Stretch = await findStretch(db, { half: null, date, after }, listedAtOnce)
    const rows = await listDueSteps(db, date, stretch.caseGuids)
    for (const row of rows) {
      const step = stepName(row)
      steps[step] = (steps[step] ?? 0) + 1
      if (would.length < listedMax)
        would.push({ caseNumber: row.caseNumber, step, actions: row.actions.map(describeAction) })
    }
    due += rows.length
    after = stretch.last
    more = after !== null
  }
  return { date, due, steps, would, listedAll: would.length === due }
}

export const applyStrategiesCommand = (clock: BusinessClock): CommandHandler => ({
  command: 'apply-strategies',
  run: async ({ sql, origin, progress }, [mode]) => {
    await clock.roll()
    const date = clock.today()
    if (mode === 'dry-run') return { dryRun: true, ...(await planStrategies(sql, date)) }
    const work = applyStrategies()
    const total = await countWork(sql, work, origin)
    const applied = await runChunks(sql, work, { ...origin, businessDate: date }, (worked) =>
      progress(Math.min(worked, total), total),
    )
    return { date, ...applied }
  },
})
