/** Runs jobs on this node: the queue (graphile-worker) with our history, schedules and detection of dead nodes. */
import { EventEmitter } from 'node:events'
import {
  run,
  type Job,
  type JobHelpers,
  type Runner,
  type RunnerOptions,
  type WorkerPool,
} from 'graphile-worker'
import type { Sql } from '../database/driver/pool.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { attemptJob, type AttemptContext } from './attempt.ts'
import { freeDeadNodes, freeLostJobs, holdLivenessLock, type LivenessLock } from './dead-nodes.ts'
import type { JobRegistry } from './job.ts'
import { queueLostJobs } from './lost-jobs.ts'
import { endAttempts, listCancelled, startAttempts, trackedTask } from './jobs.store.ts'
import { queueLogger } from './queue-log.ts'
import type { QueueHealth } from './queue-health.ts'
import { openQueuePool } from './queue-pool.ts'
import { batchQueries } from '../database/query-batcher.ts'
import { isPassing } from '../database/transaction.ts'
import { enqueueScheduled } from './schedules.ts'

export interface JobOptions {
  /** The database address for the queue's own driver. */
  url: string
  sql: Sql
  registry: JobRegistry
  today: () => string
  /** Maximum concurrent jobs of this node. */
  concurrency: number
  onError: (error: unknown) => void
  /** Learns whether the queue goes on. */
  health: QueueHealth
}

export interface JobRunner {
  /** Takes no more jobs, lets running ones finish for a while, then returns unfinished ones to the queue. */
  stop(): Promise<void>
}

/** Connections of the queue itself, besides those of the jobs' work. More are rarely open. */
const leastConnections = 4
const watchEveryMs = 1_000
const sweepEveryMs = 60_000
/** How long a running job may continue after a stop request, and how long it then has to notice the abort. */
const finishWithinMs = 5_000
const noticeWithinMs = 5_000

const roomEveryMs = 20
/** How long a fetched job waits for a free slot before the node returns it. */
const givenBackAfterMs = 1_000

type QueuedTask = (payload: unknown, helpers: JobHelpers) => Promise<void>

interface RunningJob {
  kind: string
  controller: AbortController
}

/** The jobs that this node has taken from the queue. */
interface HeldJobs {
  /** The pool's id; undefined until the queue runs. */
  poolId?: string
  /** The queue's own ids of running jobs. */
  queueIds: Set<string>
  /** Ids of fetched jobs that wait for a free slot. */
  fetchedIds: Set<string>
}

/** Starts and ends of jobs at the same moment are written in one statement: one round trip, one flush to disk. */
const startBatched = batchQueries(startAttempts, { delaysFirst: true })
const endBatched = batchQueries(endAttempts, { delaysFirst: true })

export async function startJobs(options: JobOptions): Promise<JobRunner> {
  const { sql, registry, onError, health } = options
  const running = new Map<string, RunningJob>()
  const held: HeldJobs = { queueIds: new Set(), fetchedIds: new Set() }
  let stopping = false
  const context: AttemptContext = {
    sql,
    start: (id) => startBatched(sql, id),
    end: (ending) => endBatched(sql, ending),
    databaseUrl: options.url,
    kinds: new Map(registry.kinds.map((kind) => [kind.kind, kind])),
    today: options.today,
    isStopping: () => stopping,
  }
  const pool = openQueuePool(options.url, Math.max(leastConnections, options.concurrency), onError)
  const supervisor = superviseQueue(
    { ...queueOptions(options, { running, held, context }), pgPool: pool },
    { held, health, isStopping: () => stopping, onError },
  )
  const watch = startWatch(options, { running, held })
  await supervisor.started
  health.watch(() => held.queueIds.size >= options.concurrency)
  return {
    stop: async () => {
      stopping = true
      health.stop()
      await watch.stop()
      await supervisor.stop(() => {
        for (const { controller } of running.values()) controller.abort(new Error('The service stops.'))
      })
      await pool.end()
    },
  }
}

function queueOptions(
  { registry, concurrency, onError }: JobOptions,
  { running, held, context }: { running: Map<string, RunningJob>; held: HeldJobs; context: AttemptContext },
): RunnerOptions {
  const limits = registry.kinds.flatMap(({ kind, concurrency: limit }) =>
    limit === undefined ? [] : [{ kind, limit }],
  )
  const countRunning = (kind: string) => [...running.values()].filter((one) => one.kind === kind).length
  const isFull = (kind: string) => limits.some((one) => one.kind === kind && countRunning(kind) >= one.limit)
  /** Marks the job as known to this node while it runs. */
  const trackTask = (task: QueuedTask) => async (payload: unknown, helpers: JobHelpers) => {
    held.queueIds.add(helpers.job.id)
    held.fetchedIds.delete(helpers.job.id)
    try {
      await task(payload, helpers)
    } finally {
      held.queueIds.delete(helpers.job.id)
    }
  }
  const tasks = Object.entries(registry.tasks).map(([name, task]) => [
    name,
    trackTask((payload, { abortSignal }) => task(payload, abortSignal)),
  ])
  return {
    concurrency,
    noHandleSignals: true,
    pollInterval: 2_000,
    gracefulShutdownAbortTimeout: finishWithinMs,
    logger: queueLogger((message) => onError(new Error(message))),
    // A job's flag is its kind: kinds at their concurrency limit are left to other nodes.
    forbiddenFlags: () => {
      const full = limits.filter(({ kind }) => isFull(kind)).map(({ kind }) => kind)
      return full.length > 0 ? full : null
    },
    parsedCronItems: [],
    // With a single one, a cut connection causes an unhandled rejection (0.18), which ends the process.
    preset: {
      worker: {
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
        // Fetches up to the concurrency limit. Jobs that cannot start soon return to the queue for other nodes.
        localQueue: { size: concurrency, ttl: givenBackAfterMs },
      },
    },
    taskList: {
      ...Object.fromEntries(tasks),
      [trackedTask]: trackTask(async (given, { job }) => {
        const { id } = given as { id: string }
        const controller = new AbortController()
        const kind = Object.keys(job.flags ?? {})[0] ?? ''
        // Several may have been fetched at the same moment, before any was counted.
        while (isFull(kind) && !context.isStopping()) await sleep(roomEveryMs)
        running.set(id, { kind, controller })
        try {
          await attemptJob(context, id, controller)
        } finally {
          running.delete(id)
        }
      }),
    },
  }
}

/** Events of the library that show that the queue still fetches jobs. */
const aliveEvents = [
  'localQueue:getJobs:complete',
  'worker:getJob:empty',
  'job:start',
  'job:complete',
] as const

/** Notes which jobs the library has fetched, and tells `health` that the queue is alive. */
function followQueue(
  events: NonNullable<RunnerOptions['events']>,
  { fetchedIds }: HeldJobs,
  health: QueueHealth,
): void {
  fetchedIds.clear()
  events.on('localQueue:getJobs:complete', ({ jobs }: { jobs: Job[] }) => {
    for (const { id } of jobs) fetchedIds.add(id)
  })
  for (const event of aliveEvents) events.on(event, () => health.sign())
  events.on('localQueue:returnJobs', ({ jobs }: { jobs: Job[] }) => {
    for (const { id } of jobs) fetchedIds.delete(id)
  })
}

/** Resolves when the queue has shown no sign of life for twice `stillAfterMs`, after which its health is bad. */
function untilStill(health: QueueHealth) {
  const { promise: reached, resolve } = Promise.withResolvers<void>()
  const timer = setInterval(() => {
    if (health.stillSeconds() * 1_000 > 2 * health.stillAfterMs) resolve()
  }, 250)
  return { reached, stop: () => clearInterval(timer) }
}

interface Supervision extends Pick<JobOptions, 'health' | 'onError'> {
  held: HeldJobs
  isStopping: () => boolean
}

/** Restarts the queue's runner: it ends when the database fails at the wrong moment, or stands still. */
function superviseQueue(
  options: RunnerOptions,
  { held, health, isStopping, onError }: Supervision,
): { started: Promise<void>; stop(abort: () => void): Promise<void> } {
  let runner: Runner | undefined
  let liveness: LivenessLock | undefined
  const start = async () => {
    const events: NonNullable<RunnerOptions['events']> = new EventEmitter()
    const created = new Promise<string>((resolve) => {
      events.once('pool:create', ({ workerPool }: { workerPool: WorkerPool }) => resolve(workerPool.id))
    })
    followQueue(events, held, health)
    runner = await run({ ...options, events })
    const poolId = await created
    liveness = await holdLivenessLock(options.pgPool!, poolId)
    held.poolId = poolId
    return runner
  }
  const abandon = (still: Runner | undefined) => {
    onError(new Error('The job queue of this node stood still and is started again.'))
    void still?.kill('The queue stands still.').catch(() => {})
    health.sign()
  }
  const started = start()
  const loop = (async () => {
    let current: Runner | undefined = await started
    while (!isStopping()) {
      const still = untilStill(health)
      await Promise.race([current?.promise.catch(onError), still.reached])
      still.stop()
      liveness?.stop()
      if (isStopping()) return
      if (health.stillSeconds() > 0) abandon(current)
      await sleep(1_000)
      current = await start().catch((error: unknown) => {
        onError(error)
        return undefined
      })
    }
  })()
  loop.catch(onError)
  return {
    started: started.then(() => {}),
    stop: async (abort) => {
      const aborting = setTimeout(abort, finishWithinMs)
      const killing = setTimeout(
        () => void runner?.kill('The service stops.').catch(onError),
        finishWithinMs + noticeWithinMs,
      )
      const stopped = Promise.resolve(runner?.stop()).catch(() => {})
      const ended = Promise.allSettled([stopped, runner?.promise, loop])
      // Does not wait longer for the library.
      await Promise.race([ended, sleep(finishWithinMs + 2 * noticeWithinMs, undefined, { ref: false })])
      clearTimeout(aborting)
      clearTimeout(killing)
      liveness?.stop()
    },
  }
}

/**
 * Every second: frees jobs of dead nodes, cancels jobs, and enqueues due work. At the start and every minute: enqueues jobs
 * again that the queue has lost. A failure of one does not affect the others.
 */
function startWatch(
  { sql, registry, onError }: JobOptions,
  { running, held }: { running: Map<string, RunningJob>; held: HeldJobs },
): { stop(): Promise<void> } {
  const stopped = new AbortController()
  const duties = [
    () => freeDeadNodes(sql),
    async () => {
      if (held.poolId !== undefined)
        await freeLostJobs(sql, held.poolId, [...held.queueIds, ...held.fetchedIds])
    },
    async () => {
      if (running.size === 0) return
      for (const id of await listCancelled(sql, [...running.keys()])) {
        running.get(id)?.controller.abort(new Error('The job was cancelled.'))
      }
    },
    ...registry.schedules.map((schedule) => () => enqueueScheduled(sql, schedule, new Date())),
    ...registry.schedulers.map((schedule) => () => schedule(sql)),
  ]
  const sweeps = [queueLostJobs, ...registry.sweeps].map((sweep) => () => sweep(sql))
  let sweptAt = -Infinity
  const round = async () => {
    const isSweepDue = performance.now() - sweptAt >= sweepEveryMs
    if (isSweepDue) sweptAt = performance.now()
    for (const duty of isSweepDue ? [...duties, ...sweeps] : duties) {
      try {
        await duty()
      } catch (error) {
        onError(error)
        // The database is down: the others would fail too.
        if (isPassing(error)) return
      }
    }
  }
  const loop = (async () => {
    while (!stopped.signal.aborted) {
      await round()
      await sleep(watchEveryMs, undefined, { signal: stopped.signal }).catch(() => {})
    }
  })()
  return {
    stop: async () => {
      stopped.abort()
      await loop
    },
  }
}
