/**
 * Figures of what waits, of every slice, for /metrics: read from the database when somebody asks, every few seconds at most
 * however many ask, and left out while it does not answer. Every node tells the same, but for its own
 * queue, replica, anchor folder and time stamps.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { Gauge } from 'prom-client'
import { countWaitingDeliveries, type DeliveryCounts } from './integration/feed/webhooks.store.ts'
import type { MissingRate } from '../core/interest/rate-watch.ts'
import { listMissingRates } from './ledger/rates/missing-rates.ts'
import { registry } from './platform/telemetry/metrics.ts'
import type { ServerContext } from './access/serve/server-context.ts'
import { countJobs, type JobCounts } from './platform/jobs/jobs.store.ts'
import { findDrillAge } from './insight/drill/restore-drill.ts'
import { countUnsent, type UnsentCount } from './platform/messages/messages.store.ts'

interface Told {
  jobs: JobCounts
  deliveries: DeliveryCounts
  messages: UnsentCount[]
  /** Seconds for which the job queue of this node has stood still. */
  queue: number
  /** Seconds that the replica is behind. */
  replica: number | null
  /** Seconds since the trail was anchored. */
  anchor: number | undefined
  /** Seconds for which a head has waited for its time stamp. */
  timeStamp: number
  /** Seconds since the last restore drill that found a right backup; null if there was none. */
  drill: number | null
  /** Reference rates that are missing, or will be within a month. */
  rates: MissingRate[]
}

type Sources = { [Name in keyof Told]?: () => Promise<Told[Name] | undefined> }

/** The figures of this process are those of the service that was started last. */
const running: Sources[] = []

/** More than so many are not counted: a count takes milliseconds whatever waits. */
const countedMax = 100_000

/** Has the figures of a service told, until the function that it returns is called. */
export function showMetrics({
  sql,
  replica,
  queue,
  anchor,
  timeStamper,
}: Pick<ServerContext, 'sql' | 'replica' | 'queue' | 'anchor' | 'timeStamper'>): () => void {
  const sources: Sources = {
    jobs: keepFor(freshMs, () => countJobs(sql, countedMax)),
    deliveries: keepFor(freshMs, () => countWaitingDeliveries(sql, countedMax)),
    messages: keepFor(freshMs, () => countUnsent(sql, countedMax)),
    drill: keepFor(freshMs, () => findDrillAge(sql)),
    rates: keepFor(freshMs, () => listMissingRates(sql)),
    queue: async () => queue.stillSeconds(),
    anchor: async () =>
      anchor.anchoredAt === undefined ? undefined : (performance.now() - anchor.anchoredAt) / 1000,
    ...(timeStamper && { timeStamp: () => timeStamper.waitingSeconds() }),
    ...(replica && { replica: keepFor(freshMs, () => replica.findLag()) }),
  }
  running.push(sources)
  return () => void running.splice(running.indexOf(sources), 1)
}

const freshMs = 5_000
const withinMs = 2_000

/**
 * Reads at most so often and tells meanwhile what was read last: undefined where that failed or takes too long. What takes
 * long is not begun once more.
 */
export function keepFor<T>(
  keptMs: number,
  read: () => Promise<T>,
  now: () => number = () => performance.now(),
): () => Promise<T | undefined> {
  let told: Promise<T | undefined> = Promise.resolve(undefined)
  let readAt = -Infinity
  let isReading = false
  return () => {
    if (isReading || now() - readAt < keptMs) return told
    readAt = now()
    isReading = true
    const reading = read().catch(() => undefined)
    void reading.finally(() => (isReading = false))
    told = Promise.race([reading, wait(withinMs, undefined, { ref: false })])
    return told
  }
}

/** Labels and value. */
type Value = [labels: Record<string, string>, value: number]

function defineFigure<Name extends keyof Told>(
  source: Name,
  { name, help, label }: { name: string; help: string; label?: string },
  listValues: (told: Told[Name]) => Value[],
): void {
  const gauge: Gauge = new Gauge({
    name,
    help,
    labelNames: label === undefined ? [] : [label],
    registers: [registry],
    collect: async () => {
      const told = await running.at(-1)?.[source]?.()
      gauge.reset()
      // Without labels there would be a 0, which nobody has counted.
      if (label === undefined) gauge.remove()
      for (const [labels, value] of told === undefined ? [] : listValues(told)) gauge.set(labels, value)
    },
  })
}

defineFigure(
  'jobs',
  {
    name: 'fordra_jobs',
    help: 'Jobs that wait, run or have failed, 100000 of each at most.',
    label: 'status',
  },
  ({ waiting, running: atWork, failed }) => [
    [{ status: 'waiting' }, waiting],
    [{ status: 'running' }, atWork],
    [{ status: 'failed' }, failed],
  ],
)
defineFigure(
  'jobs',
  {
    name: 'fordra_job_oldest_waiting_seconds',
    help: 'Since the oldest job that waits was asked for; 0 where none waits.',
  },
  ({ oldestSeconds }) => [[{}, oldestSeconds]],
)
defineFigure(
  'queue',
  {
    name: 'fordra_job_queue_still_seconds',
    help: 'For how long the job queue of this server has stood still; 0 while it goes on.',
  },
  (seconds) => [[{}, seconds]],
)
defineFigure(
  'deliveries',
  {
    name: 'fordra_webhook_deliveries_waiting',
    help: 'Deliveries to webhooks that wait, of paused ones too, 100000 at most.',
  },
  ({ waiting }) => [[{}, waiting]],
)
defineFigure(
  'deliveries',
  {
    name: 'fordra_webhooks_paused',
    help: 'Webhooks that were paused; disabled ones are not counted.',
  },
  ({ paused }) => [[{}, paused]],
)
defineFigure(
  'messages',
  {
    name: 'fordra_messages_unsent',
    help: 'Messages of the outbox that are not sent and have not expired, 100000 at most.',
    label: 'channel',
  },
  (channels) => channels.map(({ channel, unsent }) => [{ channel }, unsent]),
)
defineFigure(
  'messages',
  {
    name: 'fordra_message_oldest_unsent_seconds',
    help: 'Since the oldest of these messages was written; 0 where there is none.',
    label: 'channel',
  },
  (channels) => channels.map(({ channel, oldestSeconds }) => [{ channel }, oldestSeconds]),
)
defineFigure(
  'replica',
  { name: 'fordra_replica_lag_seconds', help: 'How far the replica is behind; 0 where it has everything.' },
  (seconds) => (seconds === null ? [] : [[{}, seconds]]),
)
defineFigure(
  'anchor',
  {
    name: 'fordra_audit_anchor_age_seconds',
    help: 'Since this server last found the audit trail to be what it anchored, and anchored its newest seal.',
  },
  (seconds) => (seconds === undefined ? [] : [[{}, seconds]]),
)
defineFigure(
  'timeStamp',
  {
    name: 'fordra_audit_time_stamp_wait_seconds',
    help: 'For how long anchored heads of the audit trail have waited for a time stamp; 0 where none waits.',
  },
  (seconds) => [[{}, seconds]],
)
defineFigure(
  'drill',
  {
    name: 'fordra_restore_drill_age_seconds',
    help: 'Since the last restore drill that found its backup to be right.',
  },
  (seconds) => (seconds === null ? [] : [[{}, seconds]]),
)
defineFigure(
  'rates',
  {
    name: 'fordra_reference_rates_missing',
    help: 'Reference rates whose next half-year is not known and begins within a month, or has begun.',
    label: 'series',
  },
  (missing) => missing.map(({ series }) => [{ series }, 1]),
)
