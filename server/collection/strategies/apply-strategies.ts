/**
 * Takes the due collection steps at the day-end and with the command `apply-strategies`, which can also just
 * list them.
 */
import type { BusinessClock } from '../../platform/clock/business-clock.ts'
import type { CommandHandler } from '../../platform/jobs/command.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { countWork, runChunks, type ChunkedWork, type PartedWork } from '../../platform/jobs/chunked-work.ts'
import { describeAction } from './describe-action.ts'
import {
  countServedCases,
  findStretch,
  listDueSteps,
  type DueStep,
  type Half,
  type Stretch,
} from './strategies.store.ts'
import { takeSteps, type TakenSteps } from './take-steps.ts'

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

/** Where the next chunk starts, and the number of steps taken before this round through all cases. */
interface Round {
  after: string | null
  takenBefore: number
  /** Refused ones too: a case may go by a later step then. */
  refusedBefore: number
}

/**
 * Takes the steps due on the business date. A step may make another step due, and after a refused one the next
 * of the case is tried, so rounds repeat until there is none. This ends because each step is taken at most
 * once per case, and refused at most once a day.
 */
export const applyStrategies = (cases = takenAtOnce): PartedWork<Applied, Round> => ({
  parts: [applyToHalf('low', cases), applyToHalf('high', cases)],
  join: (figures) => figures.reduce(addApplied, nothingApplied),
})

const nothingApplied: Applied = { taken: 0, refused: 0, steps: {}, refusals: [] }

const applyToHalf = (half: Half, cases: number): ChunkedWork<Applied, Round> => ({
  none: nothingApplied,
  count: (db) => countServedCases(db, half),
  run: async (tx, { figures, place }, origin) => {
    const { after, ...before } = place ?? { after: null, takenBefore: 0, refusedBefore: 0 }
    // A step changes only its own case, those that are demanded with it, and what the claims of its debtor owe together.
    const isLater = before.takenBefore + before.refusedBefore > 0
    const touchedOn = isLater ? origin.businessDate : null
    const stretch = await findStretch(tx, { half, after, touchedOn }, cases)
    const due = await listDueSteps(tx, origin.businessDate, stretch)
    const now = addSteps(figures, await takeSteps(tx, due, origin))
    const next =
      stretch.upto === null
        ? { after: null, takenBefore: now.taken, refusedBefore: now.refused }
        : { after: stretch.upto, ...before }
    const isDone =
      stretch.upto === null && now.taken === before.takenBefore && now.refused === before.refusedBefore
    return { figures: now, place: next, isDone, worked: stretch.cases }
  },
})

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
  for (let after: string | null = null, more = true; more;) {
    const stretch: Stretch = await findStretch(db, { half: null, after }, listedAtOnce)
    const rows = await listDueSteps(db, date, stretch)
    for (const row of rows) {
      const step = stepName(row)
      steps[step] = (steps[step] ?? 0) + 1
      if (would.length < listedMax)
        would.push({ caseNumber: row.caseNumber, step, actions: row.actions.map(describeAction) })
    }
    due += rows.length
    after = stretch.upto
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
