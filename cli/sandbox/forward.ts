/** `fordra sandbox forward`: moves the date of a sandbox and says what came of it. */
import { addDays } from '../../core/calendar/calendar.ts'
import { dateSteps, dayEndSteps } from '../../server/app.ts'
import type { DebtorModel } from '../../server/insight/sandbox/forward/debtor-model.ts'
import {
  forwardNights,
  requireSandbox,
  type ForwardedNights,
  type ForwardOptions,
} from '../../server/insight/sandbox/forward/forward-nights.ts'
import { readOutcome, type Outcome } from '../../server/insight/sandbox/forward/outcome.ts'
import type { Grouping } from '../../server/insight/sandbox/forward/outcome.store.ts'
import { startBusinessClock, type BusinessClock } from '../../server/platform/clock/business-clock.ts'
import type { Settings } from '../../server/platform/config.ts'
import { openConfigured, type OpenDatabase } from '../../server/platform/database/open-configured.ts'
import { startProgressBar } from '../progress-bar.ts'
import { loadSettings, report } from '../settings.ts'
import { readModel, typeModel, type ModelOptions } from './model-options.ts'
import { drawTable, writeMoney } from './table.ts'

export interface NightOptions extends ModelOptions {
  days?: number
  json?: boolean
  quiet?: boolean
}

export interface ForwardCommandOptions extends NightOptions {
  until?: string
  by: Grouping
}

/** A crash of the machine may cost the last moment of a night, which is done again: a sandbox is a copy. */
const sandboxNights = { beside: true, existing: true, unflushed: true } as const

/** Also beside a running server of the sandbox, which follows the date. */
export async function runForward(options: ForwardCommandOptions): Promise<void> {
  const model = readModel(options)
  if ((options.days === undefined) === (options.until === undefined))
    throw new Error('Say how far: --days 60, or --until 2027-06-30.')
  const settings = loadSettings()
  const database = await openConfigured(settings, report, sandboxNights)
  try {
    await requireSandbox(database.sql)
    await withClock(database, settings, async (clock) => {
      const until = options.until ?? addDays(clock.today(), options.days!)
      requireReachable(clock.today(), until)
      const moved = await moveNights({ database, clock, model }, { until }, options)
      const outcome = await readOutcome(database.sql, options.by)
      tell(options, { moved, outcome, model, until })
      if (moved.isInterrupted) process.exitCode = 130
    })
  } finally {
    await database.close()
  }
}

export const nightsMax = 3_660

function requireReachable(today: string, until: string): void {
  if (until < today)
    throw new Error(`The sandbox stands on ${today} already. It only goes forward: name a later day.`)
  if (until > addDays(today, nightsMax))
    throw new Error(
      `--until must be at most ${nightsMax} days ahead: ${addDays(today, nightsMax)} or before.`,
    )
}

const onError = (error: unknown) => report(`The date could not be read: ${(error as Error).message}`)

export async function withClock<T>(
  { sql }: Pick<OpenDatabase, 'sql'>,
  settings: Settings,
  work: (clock: BusinessClock) => Promise<T>,
): Promise<T> {
  const clock = await startBusinessClock(sql, {
    timeZone: settings.FORDRA_TIME_ZONE,
    steps: dateSteps,
    onError,
  })
  try {
    return await work(clock)
  } finally {
    clock.stop()
  }
}

interface Moved {
  database: Pick<OpenDatabase, 'sql' | 'url'>
  clock: BusinessClock
  model: DebtorModel
}

/** A first Ctrl-C waits for the end of the night, a second one does not; both can be gone on from. */
export async function moveNights(
  { database: { sql, url }, clock, model }: Moved,
  { until, signal: outer }: Pick<ForwardOptions, 'until' | 'signal'>,
  options: { json?: boolean; quiet?: boolean; about?: string },
): Promise<ForwardedNights> {
  const bar = startProgressBar(process.stderr, options.quiet !== true && options.json !== true)
  const own = new AbortController()
  const stop = () => own.abort()
  if (!outer) {
    process.once('SIGINT', stop)
    process.once('SIGTERM', stop)
  }
  try {
    return await forwardNights(
      { sql, url, clock, steps: dayEndSteps(), model },
      {
        until,
        signal: outer ?? own.signal,
        onNight: (done, total, date) =>
          bar.show(
            total === 0 ? 1 : done / total,
            `${options.about ?? ''}${date}, ${done} of ${total} nights`,
          ),
      },
    )
  } finally {
    bar.end()
    process.off('SIGINT', stop)
    process.off('SIGTERM', stop)
  }
}

interface Told {
  moved: ForwardedNights
  outcome: Outcome | undefined
  model: DebtorModel
  until: string
}

function tell({ json, by }: ForwardCommandOptions, { moved, outcome, model, until }: Told): void {
  const { date, isInterrupted } = moved
  if (json) {
    process.stdout.write(`${JSON.stringify({ date, isInterrupted, model, by, outcome: outcome ?? null })}\n`)
    return
  }
  const lines = outcome ? describeOutcome(outcome, by) : ['No night has passed yet.']
  const standing = isInterrupted
    ? `Interrupted after the night of ${date}. Go on with: fordra sandbox forward --until ${until}${typeModel(model)}`
    : `The sandbox stands on ${date}.`
  process.stdout.write(`${[...lines, '', standing].join('\n')}\n`)
}

function describeOutcome(outcome: Outcome, by: Grouping): string[] {
  const { from, to, nights, periods, totals, refusedByLaw, otherRefusals } = outcome
  const heads = [by, 'currency', 'collected', 'fees', 'letters', 'refused by law', 'cases closed']
  const rows = periods.map((one) => toRow(by === 'month' ? one.period.slice(0, 7) : one.period, one))
  const rules = refusedByLaw.map(({ rule, steps, fees }) => [rule, String(steps), String(fees)])
  return [
    `${nights} nights, ${from} to ${to}. Debtors behaved by a model, which predicts nothing.`,
    '',
    ...drawTable(heads, [...rows, ...totals.map((one) => toRow('total', one))]),
    ...(rules.length > 0 ? ['', ...drawTable(['rule', 'steps refused', 'fees left out'], rules, 1)] : []),
    ...(otherRefusals > 0 ? ['', `Refused by other rules of Fordra: ${otherRefusals} steps.`] : []),
  ]
}

const toRow = (name: string, one: Outcome['totals'][number]) => [
  name,
  one.currencyCode,
  writeMoney(one.collected, one.currencyCode),
  writeMoney(one.fees, one.currencyCode),
  String(one.letters),
  String(one.refusedSteps),
  String(one.closedCases),
]
