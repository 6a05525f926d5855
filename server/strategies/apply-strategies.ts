/** Takes the collection steps that are due: at the day-end, and by the command `apply-strategies`, which can also list them. */
import type { StepAction } from '../../core/strategies.ts'
import { holdDate } from '../cases/ledger.store.ts'
import type { BusinessClock } from '../clock/business-clock.ts'
import type { CommandHandler } from '../commands/command.ts'
import type { DayEndStep } from '../commands/day-end.ts'
import { inTransaction, type Db } from '../database/transaction.ts'
import type { Origin } from '../http/caller.ts'
import { listDueSteps, type DueStep } from './strategies.store.ts'
import { takeStep } from './take-step.ts'

/** One set-based selection brings so many; they are taken in transactions of less. */
const listRows = 5000
const chunkRows = 100
const listedMax = 1000

export interface Applied {
  date: string
  taken: number
  refused: number
  /** Strategy and step to how many cases. */
  steps: Record<string, number>
  /** The first of those that were refused. */
  refusals: { caseNumber: string; step: string; reason: string }[]
}

const nameOf = ({ strategy, step }: DueStep) => `${strategy}/${step}`

/**
 * Takes what is due on the origin's business date, in chunks, each a transaction unless `db` is one. A step may make another one
 * due at once, so it goes round until nothing is taken; each step is taken once in the life of a case, so that ends.
 */
export async function applyStrategies(
  db: Db,
  origin: Origin,
  progress: (done: number) => Promise<void> = async () => {},
): Promise<Applied> {
  const applied: Applied = { date: origin.businessDate, taken: 0, refused: 0, steps: {}, refusals: [] }
  for (let before = -1; applied.taken > before;) {
    before = applied.taken
    for (let after: string | null = null, more = true; more;) {
      const due: DueStep[] = await listDueSteps(db, { date: origin.businessDate, after, limit: listRows })
      for (let at = 0; at < due.length; at += chunkRows) {
        await takeChunk(db, due.slice(at, at + chunkRows), origin, applied)
        await progress(applied.taken)
      }
      after = due.at(-1)?.caseGuid ?? null
      more = due.length === listRows
    }
  }
  return applied
}

/** Counts only what a transaction has stored: one that is begun again counts anew. */
async function takeChunk(db: Db, due: readonly DueStep[], origin: Origin, applied: Applied): Promise<void> {
  const counted = await inTransaction(db, async (tx) => {
    await holdDate(tx)
    const copy: Applied = { ...applied, steps: { ...applied.steps }, refusals: [...applied.refusals] }
    for (const one of due) await takeAndCount(tx, one, origin, copy)
    return copy
  })
  Object.assign(applied, counted)
}

async function takeAndCount(tx: Db, due: DueStep, origin: Origin, counted: Applied): Promise<void> {
  const outcome = await takeStep(tx, due, origin)
  if (outcome === 'taken') {
    counted.taken++
    counted.steps[nameOf(due)] = (counted.steps[nameOf(due)] ?? 0) + 1
  } else if (outcome !== 'passed') {
    counted.refused++
    const { caseNumber } = due
    if (counted.refusals.length < 100)
      counted.refusals.push({ caseNumber, step: nameOf(due), reason: outcome.refused })
  }
}

/** What would be done now, without doing it: the first step of each case. Those that it would make due come after it. */
export async function planStrategies(db: Db, date: string) {
  const steps: Record<string, number> = {}
  const would: { caseNumber: string; step: string; actions: string[] }[] = []
  let due = 0
  for (let after: string | null = null, more = true; more;) {
    const rows: DueStep[] = await listDueSteps(db, { date, after, limit: listRows })
    for (const row of rows) {
      const step = nameOf(row)
      steps[step] = (steps[step] ?? 0) + 1
      if (would.length < listedMax)
        would.push({ caseNumber: row.caseNumber, step, actions: row.actions.map(describe) })
    }
    due += rows.length
    after = rows.at(-1)?.caseGuid ?? null
    more = rows.length === listRows
  }
  return { date, due, steps, would, listedAll: would.length === due }
}

function describe(action: StepAction): string {
  switch (action.kind) {
    case 'fee':
      return `fee ${action.feeType}`
    case 'status':
      return `status ${action.status} ${action.subStatus}`
    case 'letter':
      return `letter ${action.letter}`
    case 'service':
      return `service ${action.service}`
  }
}

export const strategiesStep: DayEndStep = {
  name: 'apply-strategies',
  run: async (tx, { origin }) => ({ ...(await applyStrategies(tx, origin)) }),
}

export const applyStrategiesCommand = (clock: BusinessClock): CommandHandler => ({
  command: 'apply-strategies',
  run: async ({ sql, origin, progress }, [mode]) => {
    await clock.roll()
    const date = clock.today()
    if (mode === 'dry-run') return { dryRun: true, ...(await planStrategies(sql, date)) }
    return { ...(await applyStrategies(sql, { ...origin, businessDate: date }, progress)) }
  },
})
