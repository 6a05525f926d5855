import { Job } from '../../../contract/platform/jobs.ts'
import { memberColumns, selectList } from '../database/columns.ts'
import { findRow } from '../database/find-row.ts'
import { listRows, type ListContext, type ListSource, type Page, type PageQuery } from '../database/list.ts'
import { makeId } from '../database/make-id.ts'
import { rowParameters, rowsFrom, rowsIn } from '../database/row-text.ts'
import { runStatement } from '../database/statement.ts'
import type { Db } from '../database/transaction.ts'
import { insertRecords, recordFromStatement, toRecords, type Change } from '../events/record.ts'
import type { Origin } from '../http/caller.ts'
import type { Scope } from '../database/row-scope.ts'
import { tellAskers } from '../notifications/tell-askers.ts'
import { filterableProperties } from '../odata/properties.ts'
import type { JobResult } from './job.ts'

/** The queue's task name for every job with a history. */
export const trackedTask = 'job'

export interface NewJob {
  kind: string
  name: string
  payload: object
  askedBy: string | null
  requestId: string | null
  attemptsMax?: number
  /** At most one unfinished job has this key. */
  uniqueKey?: string
}

const attemptsUsual = 10

const newJobTypes = {
  id: 'uuid',
  kind: 'text',
  name: 'text',
  payload: 'jsonb',
  attempts_max: 'int',
  asked_by: 'uuid',
  request_id: 'text',
  unique_key: 'text',
}

/**
 * Enqueues jobs in the caller's transaction and returns their ids. Jobs whose unique key is in use are skipped. The
 * queue's own limit of attempts is never reached: attempts are counted here, crashes included.
 */
export async function insertJobs(db: Db, jobs: readonly NewJob[]): Promise<string[]> {
  const rows = jobs.map((job) => ({
    id: makeId(),
    kind: job.kind,
    name: job.name,
    payload: job.payload,
    attempts_max: job.attemptsMax ?? attemptsUsual,
    asked_by: job.askedBy,
    request_id: job.requestId,
    unique_key: job.uniqueKey ?? null,
  }))
  const made = await db<{ id: string }[]>`
    with made as (
      insert into job_run (id, kind, name, payload, attempts_max, asked_by, request_id, unique_key)
      select id, kind, name, payload, attempts_max, asked_by, request_id, unique_key
      from ${rowsIn(db, newJobTypes, rows)} given
      on conflict (unique_key) where status in ('waiting', 'running') do nothing
      returning id, kind
    ),
    queued as (
      select count(*) from graphile_worker.add_jobs(array(select ${jobSpec(db)} from made))
    )
    select made.id from made, queued order by made.id`
  return made.map(({ id }) => id)
}

/** The queue's entry of a row of `made`, by the job's id. */
export const jobSpec = (db: Db) => db`
  row(${trackedTask}::text, json_build_object('id', made.id), null, null, 1000, made.id::text, null, array[made.kind])::graphile_worker.job_spec`

/** Enqueues one job; undefined when its unique key is in use. */
export const insertJob = async (db: Db, job: NewJob): Promise<string | undefined> =>
  (await insertJobs(db, [job]))[0]

export interface Attempt {
  id: string
  kind: string
  name: string
  payload: unknown
  attempts: number
  attemptsMax: number
  askedBy: string | null
  requestId: string | null
  attemptId: string
  cancelRequested: boolean
}

/**
 * Starts attempts at jobs, in order. Each replaces an earlier attempt that may still run somewhere. Undefined for a
 * finished job. The commit does not wait for the disk: an attempt that a crashed database lost cannot end the job.
 */
export async function startAttempts(db: Db, ids: readonly string[]): Promise<(Attempt | undefined)[]> {
  const started = ids.map((job) => ({ job, attempt: makeId() }))
  const rows = await runStatement<Attempt>(db, startText, rowParameters(startTypes, started), {
    prepare: true,
  })
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => byId.get(id))
}

const startTypes = { job: 'uuid', attempt: 'uuid' }
const startText = `
  update job_run set status = 'running', attempts = attempts + 1, started_at = coalesce(started_at, now()),
    attempt_id = given.attempt
  from ${rowsFrom(startTypes, 1)} given
  where id = given.job and status in ('waiting', 'running')
  returning id, kind, name, payload, attempts, attempts_max as "attemptsMax", asked_by as "askedBy",
    request_id as "requestId", attempt_id as "attemptId", cancel_requested as "cancelRequested",
    set_config('synchronous_commit', 'off', true) as "unflushed"`

export type AttemptKey = Pick<Attempt, 'id' | 'attemptId'>
export type End = { status: 'completed' | 'failed' | 'cancelled'; result?: JobResult; lastError?: string }

export interface Ending {
  attempt: Attempt
  end: End
  /** The result as JSON. */
  result: string | null
  businessDate: string
  /** Reported progress that is not stored yet. */
  progress?: Progress | undefined
}

export interface Progress {
  done: number
  total: number | null
}

/**
 * Ends jobs with their events in one statement, each only if its attempt is current. Returns for each whether it was.
 */
export async function endAttempts(db: Db, endings: readonly Ending[]): Promise<boolean[]> {
  const given = endings.map(({ attempt, end, result, businessDate, progress }) => ({
    job: attempt.id,
    attempt: attempt.attemptId,
    outcome: end.status,
    result,
    error: end.lastError,
    date: businessDate,
    done: progress?.done,
    total: progress?.total,
    event: makeId(),
    ...jobEvent(attempt, end.status),
  }))
  const rows = await runStatement<{ id: string }>(db, endText, rowParameters(endTypes, given), {
    prepare: true,
  })
  const ended = new Set(rows.map(({ id }) => id))
  return endings.map(({ attempt }) => ended.has(attempt.id))
}

const endTypes = {
  job: 'uuid',
  attempt: 'uuid',
  outcome: 'text',
  result: 'text',
  error: 'text',
  date: 'date',
  done: 'bigint',
  total: 'bigint',
  event: 'uuid',
  type: 'text',
  data: 'jsonb',
}
const endText = `
  with ended as (
    update job_run set status = outcome, ended_at = now(), attempt_id = null, event_sequence = event_sequence + 1,
      result = given.result::jsonb, last_error = error, progress_done = coalesce(done, progress_done),
      progress_total = case when done is null then progress_total else total end
    from ${rowsFrom(endTypes, 1)} given
    where job_run.id = job and status = 'running' and attempt_id = attempt
    returning date as business_date, asked_by as actor_id, request_id, left(name, 50) as operation, event as id, type,
      outcome as action, 'job' as entity, job as subject, event_sequence as sequence, data, job as entity_id, '{}'::jsonb as changes
  ),
  ${recordFromStatement('ended')},
  ${tellAskers('ended')}
  select subject as id from ended`

const jobEvent = (
  { id, kind, name }: { id: string; kind: string; name: string },
  action: End['status'],
): Pick<Change, 'type' | 'data'> => ({
  type: `job.${action}`,
  data: { jobId: id, kind, name },
})

/** Returns a job to the queue: for a retry after a failure, or from a stopping node, which uses up no attempt. */
export async function releaseAttempt(db: Db, attempt: AttemptKey, lastError: string | null): Promise<void> {
  await db`
    update job_run set status = 'waiting', attempt_id = null, last_error = coalesce(${lastError}, last_error),
      attempts = attempts - ${lastError === null ? 1 : 0}
    where id = ${attempt.id} and status = 'running' and attempt_id = ${attempt.attemptId}`
}

/** Saves progress. Returns whether the attempt is current and the job is not cancelled. */
export async function saveProgress(db: Db, attempt: AttemptKey, { done, total }: Progress): Promise<boolean> {
  const [row] = await db<{ goesOn: boolean }[]>`
    update job_run set progress_done = ${done}, progress_total = ${total}
    where id = ${attempt.id} and attempt_id = ${attempt.attemptId} returning not cancel_requested as "goesOn"`
  return row?.goesOn ?? false
}

/** The given jobs that are to be cancelled. */
export async function listCancelled(db: Db, ids: readonly string[]): Promise<string[]> {
  const rows = await db<
    { id: string }[]
  >`select id from job_run where id = any(${[...ids]}::uuid[]) and cancel_requested`
  return rows.map(({ id }) => id)
}

/** Cancels a waiting job at once and asks a running one to stop; undefined when no unfinished job has the id. */
export async function cancelJob(
  tx: Db,
  id: string,
  origin: Origin,
): Promise<'cancelled' | 'asked' | undefined> {
  const [row] = await tx<{ status: string; kind: string; name: string; sequence: number }[]>`
    update job_run set cancel_requested = true,
      status = case status when 'waiting' then 'cancelled' else status end,
      ended_at = case status when 'waiting' then now() end,
      event_sequence = event_sequence + case status when 'waiting' then 1 else 0 end
    where id = ${id} and status in ('waiting', 'running') returning status, kind, name, event_sequence as sequence`
  if (!row) return undefined
  if (row.status === 'running') return 'asked'
  await tx`select from graphile_worker.remove_job(${id})`
  const { kind, name, sequence } = row
  const event = jobEvent({ id, kind, name }, 'cancelled')
  await insertRecords(tx, toRecords(origin, [{ ...event, entityId: id, subject: id, sequence, changes: {} }]))
  return 'cancelled'
}

export interface Takeover {
  /** Who goes on in place of the user who requested the job. */
  askedBy: string
  /** Jobs of other kinds stay those of their user. */
  exceptKinds: readonly string[]
}

/**
 * Retries failed or cancelled jobs with all their attempts; returns how many. Null retries every failed one. Of those
 * with the same unique key only the newest is retried, because only one may wait.
 */
export async function retryJobs(tx: Db, id: string | null, takeover?: Takeover): Promise<number> {
  const rows = await tx<{ count: number }[]>`
    with made as (
      update job_run j set status = 'waiting', attempts = 0, cancel_requested = false, ended_at = null,
        progress_done = null, progress_total = null,
        asked_by = case when j.kind = any(${[...(takeover?.exceptKinds ?? [])]}::text[]) then j.asked_by
          else coalesce(${takeover?.askedBy ?? null}::uuid, j.asked_by) end
      where (case when ${id}::uuid is null then status = 'failed' else id = ${id} and status in ('failed', 'cancelled') end)
        and not exists (select from job_run o where o.unique_key = j.unique_key
          and (o.status in ('waiting', 'running') or (${id}::uuid is null and o.status = 'failed' and o.id > j.id)))
      returning id, kind
    )
    select count(*) as count from graphile_worker.add_jobs(array(select ${jobSpec(tx)} from made))`
  return rows[0]!.count
}

export interface JobCounts {
  waiting: number
  running: number
  failed: number
  /** Seconds since the oldest waiting job was enqueued; 0 if none waits. */
  oldestSeconds: number
}

/** The numbers of waiting, running and failed jobs, each up to `max`. */
export async function countJobs(db: Db, max: number): Promise<JobCounts> {
  const [row] = await db<JobCounts[]>`
    select (select count(*)::int from (select from job_run where status = 'waiting' limit ${max}) w) as waiting,
      (select count(*)::int from (select from job_run where status = 'running' limit ${max}) r) as running,
      (select count(*)::int from (select from job_run where status = 'failed' limit ${max}) f) as failed,
      coalesce((select greatest(0, extract(epoch from now() - created_at)) from job_run
        where status = 'waiting' order by created_at limit 1), 0)::float8 as "oldestSeconds"`
  return row!
}

/** Deletes the history of old jobs. */
export async function purgeJobs(db: Db): Promise<void> {
  await db`delete from job_run where status in ('completed', 'cancelled') and ended_at < now() - interval '90 days'`
  await db`delete from schedule_slot where created_at < now() - interval '1 year'`
}

const columns = memberColumns(Object.keys(Job.properties), 'j', {
  jobId: 'id',
  requestedBy: 'asked_by::text',
})
const source: ListSource<'job'> = {
  entity: 'job',
  from: 'job_run j',
  key: 'j.id',
  select: selectList(columns),
  properties: filterableProperties(Job, columns),
  defaultOrder: { terms: [], keyDescending: true, text: 'j.id desc', reversedText: 'j.id' },
}
const listedResult = 'case when octet_length(j.result::text) <= 10000 then j.result end'
const listSource = { ...source, select: selectList({ ...columns, result: listedResult }) }

/** Newest first, without large results. */
export const listJobs = (
  db: Db,
  scope: Scope<'job'>,
  query: PageQuery,
  context: ListContext,
): Promise<Page<Job>> => listRows<Job, 'job'>(db, listSource, scope, query, context)

export const findJob = (db: Db, scope: Scope<'job'>, id: string): Promise<Job | undefined> =>
  findRow<Job, 'job'>(db, source, id, scope)

/** Which of the jobs are in the scope. */
export async function filterJobs(
  db: Db,
  scope: Scope<'job'>,
  jobIds: readonly string[],
): Promise<Set<string>> {
  const { text, parameters } = scope.at(2)
  const rows = await runStatement<{ id: string }>(
    db,
    `select j.id from job_run j where j.id = any($1::uuid[]) and ${text}`,
    [[...jobIds], ...parameters],
    { prepare: true },
  )
  return new Set(rows.map(({ id }) => id))
}
