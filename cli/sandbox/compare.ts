/** `fordra sandbox compare`: the same portfolio and the same debtors under two strategies. */
import { addDays } from '../../core/calendar/calendar.ts'
import type { DebtorModel } from '../../server/insight/sandbox/forward/debtor-model.ts'
import { inClones } from '../../server/insight/sandbox/forward/clone.ts'
import { requireSandbox } from '../../server/insight/sandbox/forward/forward-nights.ts'
import { readOutcome, type Figures, type Outcome } from '../../server/insight/sandbox/forward/outcome.ts'
import {
  requireStrategy,
  setStrategy,
  type NamedStrategy,
} from '../../server/insight/sandbox/forward/strategies-set-aside.ts'
import { BackupRefused } from '../../server/platform/backups/archive.ts'
import type { Settings } from '../../server/platform/config.ts'
import { openConfigured } from '../../server/platform/database/open-configured.ts'
import { loadSettings, report } from '../settings.ts'
import { moveNights, withClock, type NightOptions } from './forward.ts'
import { readModel } from './model-options.ts'
import { drawTable, writeMoney } from './table.ts'

export interface CompareOptions extends NightOptions {
  days: number
}

interface Tried {
  strategy: NamedStrategy
  outcome: Outcome
}

interface Comparison {
  model: DebtorModel
  from: string
  to: string
  nights: number
  tried: [Tried, Tried]
}

/** The sandbox itself is only read. */
export async function runCompare(a: string, b: string, options: CompareOptions): Promise<void> {
  const model = readModel(options)
  const settings = loadSettings()
  const database = await openConfigured(settings, report, { beside: true, existing: true })
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  try {
    await requireSandbox(database.sql)
    const strategies = [
      await requireStrategy(database.sql, a),
      await requireStrategy(database.sql, b),
    ] as const
    // PostgreSQL clones a database only while nobody is connected to it.
    await Promise.all([database.sql.end({ timeout: 5 }), database.lists?.end({ timeout: 5 })])
    const tried = await inClones(database.url, async (urls) => {
      const run = (at: 0 | 1) =>
        tryStrategy(urls[at], strategies[at], { settings, model, signal: stopping.signal, options })
      return [await run(0), await run(1)] satisfies [Tried, Tried]
    })
    const { from, to, nights } = tried[0].outcome
    tell(options, { model, from, to, nights, tried })
  } catch (error) {
    if (!stopping.signal.aborted) throw error
    report((error as Error).message)
    process.exitCode = 130
  } finally {
    process.off('SIGINT', stop)
    process.off('SIGTERM', stop)
    await database.close()
  }
}

interface Trial {
  settings: Settings
  model: DebtorModel
  signal: AbortSignal
  options: CompareOptions
}

/** What leads to the sandbox itself, not to its clones. */
function withoutSource(settings: Settings): Settings {
  const own = { ...settings }
  for (const name of ['FORDRA_DIRECT_URL', 'FORDRA_REPLICA_URL', 'FORDRA_ARCHIVE'] as const) delete own[name]
  return own
}

async function tryStrategy(
  url: string,
  strategy: NamedStrategy,
  { settings, model, signal, options }: Trial,
): Promise<Tried> {
  const own = { ...withoutSource(settings), DATABASE_URL: url }
  // A clone is dropped in the end, whatever a crash has taken from it.
  const database = await openConfigured(own, report, { unflushed: true })
  try {
    await setStrategy(database.sql, strategy)
    return await withClock(database, settings, async (clock) => {
      const start = clock.today()
      const about = `${strategy.code}: `
      const until = addDays(start, options.days)
      const moved = await moveNights({ database, clock, model }, { until, signal }, { ...options, about })
      if (moved.isInterrupted)
        throw new BackupRefused('Interrupted. The sandbox is as it was; its clones are dropped.')
      return { strategy, outcome: (await readOutcome(database.sql, 'month', start))! }
    })
  } finally {
    await database.close()
  }
}

const members = ['collected', 'fees', 'letters', 'refusedSteps', 'closedCases'] as const

interface Compared {
  currencyCode: string
  figure: (typeof members)[number]
  a: number
  b: number
  /** Of the second strategy, less the first. */
  difference: number
}

const findTotals = (totals: readonly Figures[], code: string) =>
  totals.find(({ currencyCode }) => currencyCode === code)

/** A currency in which one of the two has nothing counts as zero there. */
function compareTotals([{ outcome: a }, { outcome: b }]: Comparison['tried']): Compared[] {
  const codes = [...new Set([...a.totals, ...b.totals].map(({ currencyCode }) => currencyCode))].toSorted()
  return codes.flatMap((currencyCode) =>
    members.map((figure) => {
      const [one, other] = [a, b].map(({ totals }) => findTotals(totals, currencyCode)?.[figure] ?? 0)
      return { currencyCode, figure, a: one!, b: other!, difference: subtract(other!, one!) }
    }),
  )
}

/** Without the noise of binary fractions; no currency has more than four decimals. */
const subtract = (one: number, other: number) => Math.round((one - other) * 10_000) / 10_000

interface ComparedRule {
  rule: string
  /** Steps and fees refused. */
  a: number
  b: number
  difference: number
}

const countRefused = ({ refusedByLaw }: Outcome, rule: string) => {
  const found = refusedByLaw.find((one) => one.rule === rule)
  return found ? found.steps + found.fees : 0
}

function compareRules([{ outcome: a }, { outcome: b }]: Comparison['tried']): ComparedRule[] {
  const rules = [...new Set([...a.refusedByLaw, ...b.refusedByLaw].map(({ rule }) => rule))].toSorted()
  return rules.map((rule) => {
    const [one, other] = [countRefused(a, rule), countRefused(b, rule)]
    return { rule, a: one, b: other, difference: other - one }
  })
}

function tell({ json }: CompareOptions, comparison: Comparison): void {
  const { model, from, to, nights, tried } = comparison
  const figures = compareTotals(tried)
  const refusedByLaw = compareRules(tried)
  const [a, b] = tried.map(({ strategy }) => strategy)
  if (json) {
    process.stdout.write(`${JSON.stringify({ from, to, nights, model, a, b, figures, refusedByLaw })}\n`)
    return
  }
  const heads = [a!.code, b!.code, 'difference']
  const rows = figures.map((one) => [
    words[one.figure],
    one.currencyCode,
    ...[one.a, one.b].map((value) => writeFigure(one, value)),
    writeSigned(one),
  ])
  const rules = refusedByLaw.map((one) => [one.rule, String(one.a), String(one.b), sign(one.difference)])
  const lines = [
    `${nights} nights, ${from} to ${to}, on the same portfolio. Debtors behaved by a model, which predicts nothing.`,
    '',
    ...drawTable(['', 'currency', ...heads], rows),
    ...(rules.length > 0 ? ['', ...drawTable(['steps and fees refused by', ...heads], rules, 1)] : []),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

const words: Record<(typeof members)[number], string> = {
  collected: 'collected',
  fees: 'fees booked',
  letters: 'letters',
  refusedSteps: 'steps refused by law',
  closedCases: 'cases closed',
}

const writeFigure = ({ figure, currencyCode }: Compared, value: number): string =>
  figure === 'collected' || figure === 'fees' ? writeMoney(value, currencyCode) : String(value)

const writeSigned = (one: Compared): string =>
  `${one.difference > 0 ? '+' : ''}${writeFigure(one, one.difference)}`

const sign = (count: number): string => (count > 0 ? `+${count}` : String(count))
