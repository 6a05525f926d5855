/** What runs behind the requests: jobs asked for, done and woken, webhooks delivered, and what an event adds to a change. */
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import type { Sql } from '../../server/platform/database/driver/pool.ts'
import { Worker } from 'node:worker_threads'
import { readSettings } from '../../server/platform/config.ts'
import { openDatabase } from '../../server/platform/database/database.ts'
import { makeId } from '../../server/platform/database/make-id.ts'
import { agencyItself } from '../../server/platform/http/caller.ts'
import { inTransaction } from '../../server/platform/database/transaction.ts'
import { insertRecords, toRecords, type Change } from '../../server/platform/events/record.ts'
import { deliverWebhook } from '../../server/integration/feed/deliver.ts'
import { createDeliveries } from '../../server/integration/feed/create-deliveries.ts'
import { createWebhook } from '../../server/integration/feed/webhooks.changes.ts'
import { insertJob, insertJobs } from '../../server/platform/jobs/jobs.store.ts'
import { QueueHealth } from '../../server/platform/jobs/queue-health.ts'
import { startJobs } from '../../server/platform/jobs/run-jobs.ts'
import { openOutbound } from '../../server/platform/outbound/post.ts'
import { dropDatabase, prepareDatabase, type BenchServer } from '../load/databases.ts'
import { computeMedian, computePercentile } from '../report/statistics.ts'
import { formatTable, formatMark } from '../report/table.ts'

const targets = { asked: 30_000, done: 2_000, wokenMs: 20, delivered: 1_000, eventShare: 0.1 }
const jobsAtOnce = 1_000
const jobsAsked = 30_000
const jobsDone = 10_000
const wakings = 200
const deliveries = 10_000
const connections = 16
const turnMs = 250
const usualAtOnce = readSettings({}).FORDRA_JOBS
const moreAtOnce = 8
const origin = { actorId: null, requestId: null, operation: 'bench', businessDate: '2026-01-01' }

interface JobOptions {
  debtors: number
  seconds: number
  rounds: number
  json: string | undefined
  report: (line: string) => void
}

export async function runJobBench(server: BenchServer, options: JobOptions): Promise<void> {
  const url = await prepareDatabase(server, options.debtors, options.report)
  const sql = openDatabase(url, { max: connections, applicationName: 'fordra bench' })
  try {
    const asked: number[] = []
    const done: number[] = []
    const doneByMore: number[] = []
    const delivered: number[] = []
    const woken: number[] = []
    for (let round = 1; round <= options.rounds; round++) {
      options.report(`  round ${round} of ${options.rounds}`)
      asked.push(await measureAsking(sql))
      done.push(await measureDoing(url, sql, usualAtOnce))
      doneByMore.push(await measureDoing(url, sql, moreAtOnce))
      woken.push(...(await measureWaking(url, sql)))
      delivered.push(await measureDelivering(sql))
    }
    const eventShare = await measureEvents(sql, options)
    await print(options, { asked, done, doneByMore, woken, delivered, eventShare })
  } finally {
    await sql.end({ timeout: 5 })
    await dropDatabase(server, url)
  }
}

const perSecond = async (count: number, work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await work()
  return (count * 1000) / (performance.now() - began)
}

const trivialJob = { kind: 'trivial', name: 'bench', payload: {}, askedBy: null, requestId: null }

/** Two who ask at a time, as there are two processors: while one batch is put together the other one is written. */
async function askFor(sql: Sql, count: number): Promise<void> {
  let left = count
  const ask = async () => {
    while (left > 0) {
      left -= jobsAtOnce
      await insertJobs(
        sql,
        Array.from({ length: jobsAtOnce }, () => trivialJob),
      )
    }
  }
  await Promise.all([ask(), ask()])
}

async function clearJobs(sql: Sql): Promise<void> {
  await sql`truncate graphile_worker._private_jobs`
  await sql`truncate job_run`
}

async function measureAsking(sql: Sql): Promise<number> {
  const rate = await perSecond(jobsAsked, () => askFor(sql, jobsAsked))
  await clearJobs(sql)
  return rate
}

/** Runs jobs of a kind that does nothing but say so, as many at once as a node does by default. */
const startTrivial = (url: string, sql: Sql, run: () => void, concurrency = usualAtOnce) =>
  startJobs({
    url,
    sql,
    registry: {
      kinds: [{ kind: trivialJob.kind, run: async () => run() }],
      tasks: {},
      schedules: [],
      schedulers: [],
      sweeps: [],
    },
    today: () => origin.businessDate,
    concurrency,
    health: new QueueHealth(),
    onError: (error) => process.stderr.write(`${String(error)}\n`),
  })

async function measureDoing(url: string, sql: Sql, atOnce: number): Promise<number> {
  await askFor(sql, jobsDone)
  let count = 0
  const all = Promise.withResolvers<void>()
  const rate = await perSecond(jobsDone, async () => {
    const onRun = () => {
      if (++count === jobsDone) all.resolve()
    }
    const runner = await startTrivial(url, sql, onRun, atOnce)
    await all.promise
    // Stopping waits until each has been written down as done.
    await runner.stop()
  })
  const [left] = await sql<{ count: number }[]>`select count(*)::int from job_run where status <> 'completed'`
  if (left!.count > 0) throw new Error(`${left!.count} jobs were not done.`)
  await clearJobs(sql)
  return rate
}

/** Milliseconds from asking to the beginning of the work, on a node with nothing else to do. */
async function measureWaking(url: string, sql: Sql): Promise<number[]> {
  let begun: (() => void) | undefined
  const runner = await startTrivial(url, sql, () => begun?.())
  const times: number[] = []
  for (let waking = 0; waking < wakings; waking++) {
    const running = Promise.withResolvers<void>()
    begun = running.resolve
    const began = performance.now()
    await insertJob(sql, trivialJob)
    await running.promise
    times.push(performance.now() - began)
  }
  await runner.stop()
  await clearJobs(sql)
  return times
}

/** Events of as many debtors to one webhook, laid out and delivered. */
async function measureDelivering(sql: Sql): Promise<number> {
  const settings = readSettings({ FORDRA_PRIVATE_TARGETS: '1' })
  const outbound = openOutbound({ allowPrivate: true })
  const receiver = new Worker(new URL('../drive/receiver.ts', import.meta.url))
  try {
    const [port] = (await once(receiver, 'message')) as [number]
    const input = { url: `http://127.0.0.1:${port}/`, types: ['debtor.*'] }
    const { webhookGuid } = await createWebhook(sql, agencyItself, input, { origin, settings, outbound })
    const debtors = await sql<{ id: string; sequence: number }[]>`
      update debtor set event_sequence = event_sequence + 1
      where id in (select id from debtor order by id limit ${deliveries}) returning id, event_sequence as sequence`
    const changes = debtors.map(({ id, sequence }): Change => {
      const data = { debtorGuid: id, changed: [] }
      return { type: 'debtor.updated', entityId: id, subject: id, sequence, data, changes: {} }
    })
    await inTransaction(sql, (tx) => insertRecords(tx, toRecords(origin, changes)))
    const rate = await perSecond(debtors.length, async () => {
      while ((await createDeliveries(sql)) > 0)
        await deliverWebhook(
          { sql, settings, outbound, log: console },
          webhookGuid,
          AbortSignal.timeout(60_000),
        )
    })
    const [left] = await sql<{ count: number }[]>`
      select count(*)::int from webhook_delivery where webhook_id = ${webhookGuid} and status = 'delivered'`
    if (left!.count !== debtors.length) throw new Error(`${left!.count} of ${debtors.length} were delivered.`)
    await sql`delete from webhook where id = ${webhookGuid}`
    return rate
  } finally {
    outbound.close()
    await receiver.terminate()
  }
}

/**
 * What telling an event adds to a change of a debtor that leaves its audit entry anyway. An event is its entry, with a
 * number and what it says, so that this is the cost of those columns and of their index.
 */
async function measureEvents(sql: Sql, { seconds, rounds }: JobOptions): Promise<number> {
  const debtors = await sql<{ id: string }[]>`select id from debtor order by random() limit 10000`
  let next = 0
  const changeFor = async (told: boolean, ms: number) => {
    const began = performance.now()
    let count = 0
    const work = async () => {
      while (performance.now() < began + ms) {
        const { id } = debtors[next++ % debtors.length]!
        await changeDebtor(sql, id, told)
        count++
      }
    }
    await Promise.all(Array.from({ length: 4 }, work))
    return (count * 1000) / (performance.now() - began)
  }
  await changeFor(true, seconds * 1000)
  // In many short turns, each kind first in every other one: the difference is smaller than what a machine's speed drifts by.
  const turns = Math.ceil((rounds * seconds * 1000) / turnMs / 2) * 2
  const shares: number[] = []
  for (let turn = 0; turn < turns; turn++) {
    const order = turn % 2 === 0 ? [true, false] : [false, true]
    const rates = new Map<boolean, number>()
    for (const told of order) rates.set(told, await changeFor(told, turnMs))
    shares.push(rates.get(false)! / rates.get(true)! - 1)
  }
  return computeMedian(shares)
}

const changeDebtor = (sql: Sql, id: string, told: boolean) => sql`
  with changed as (
    update debtor set version = version + 1, event_sequence = event_sequence + 1, home_phone = '+46' || (version + 700000000)
    where id = ${id} returning id, event_sequence
  )
  insert into audit_entry (business_date, operation, action, entity, subject, entity_id, changes, id, type, sequence, data)
  select ${origin.businessDate}, ${origin.operation}, 'updated', 'debtor', id, id, '{"homePhone":["+46700000001","+46700000002"]}',
    ${told ? makeId() : null}::uuid, ${told ? 'debtor.updated' : null}::text,
    case when ${told} then event_sequence end, case when ${told} then jsonb_build_object('debtorGuid', id) end
  from changed`

interface Figures {
  asked: number[]
  done: number[]
  doneByMore: number[]
  woken: number[]
  delivered: number[]
  eventShare: number
}

function rateRow(name: string, rates: number[], target: number): string[] {
  const median = computeMedian(rates)
  return [name, `${median.toFixed(0)}/s`, `${target}/s ${formatMark(median >= target)}`]
}

async function print({ json }: JobOptions, figures: Figures): Promise<void> {
  const woken = Float64Array.from(figures.woken).toSorted()
  const wokenMs = computePercentile(woken, 99)
  const rows = [
    rateRow(`jobs asked for, ${jobsAtOnce} at a time by two`, figures.asked, targets.asked),
    rateRow(`jobs done, ${usualAtOnce} at once`, figures.done, targets.done),
    rateRow(`jobs done, ${moreAtOnce} at once`, figures.doneByMore, targets.done),
    [
      `a job begins, p99`,
      `${wokenMs.toFixed(1)} ms`,
      `${targets.wokenMs} ms ${formatMark(wokenMs <= targets.wokenMs)}`,
    ],
    rateRow('webhooks delivered', figures.delivered, targets.delivered),
    [
      'an event adds to an update',
      `${(figures.eventShare * 100).toFixed(1)}%`,
      `10% ${formatMark(figures.eventShare <= targets.eventShare)}`,
    ],
  ]
  process.stdout.write(`${formatTable(['', 'measured', 'target'], rows)}\n`)
  if (json !== undefined)
    await writeFile(json, JSON.stringify({ targets, ...figures, woken: wokenMs }, null, 2))
}
