import { Job } from '../../contract/jobs.ts'
import { columnsOf, selectOf } from '../database/columns.ts'
import { listRows, type ListContext, type ListSource, type Page, type PageQuery } from '../database/list.ts'
import { makeId } from '../database/make-id.ts'
import { runStatement } from '../database/statement.ts'
import type { Db } from '../database/transaction.ts'
import {
  insertRecords,
  recordsOf,
  singleRecordedText,
  singleRecordParameters,
  type Change,
} from '../events/record.ts'
import type { Origin } from '../http/caller.ts'
import { unrestricted } from '../http/restriction.ts'
import { propertiesOf } from '../odata/properties.ts'
import type { JobResult } from './job.ts'

/** The queue's name for every job with a history. */
export const trackedTask = 'job'

export interface NewJob {
  kind: string
  name: string
  payload: object
  askedBy: string | null
  requestId: string | null
  attemptsMax?: number
  /** At most one job that has not ended has it. */
  uniqueKey?: string
}

export const attemptsUsual = 10

/**
 * Asks for jobs, in the caller's transaction; returns their ids. One whose unique key is taken is left out. The queue's
 * own limit of attempts is out of reach: attempts are counted here, where a sudden end counts too.
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
      from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as given (id uuid, kind text, name text, payload jsonb,
        attempts_max int, asked_by uuid, request_id text, unique_key text)
      on conflict (unique_key) where status in ('waiting', 'running') do nothing
      returning id, kind
    ),
    queued as (
      select count(*) from graphile_worker.add_jobs(array(select ${specOf(db)} from made))
    )
    select made.id from made, queued order by made.id`
  return made.map(({ id }) => id)
}

const specOf = (db: Db) => db`
  row(${trackedTask}::text, json_build_object('id', made.id), null, null, 1000, made.id::text, null, array[made.kind])::graphile_worker.job_spec`

/** Asks for one job; undefined when its unique key is taken. */
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
  /** Of the job's events so far. */
  eventSequence: number
}

/**
 * Begins an attempt, which ends the one before if that still runs somewhere. Undefined when the job has ended. It does not
 * wait for the disk: an attempt that a crashed database has forgotten cannot end the job.
 */
export async function startAttempt(db: Db, id: string): Promise<Attempt | undefined> {
  const [row] = await db<Attempt[]>`
    update job_run set status = 'running', attempts = attempts + 1, started_at = coalesce(started_at, now()),
      attempt_id = ${makeId()}
    where id = ${id} and status in ('waiting', 'running')
    returning id, kind, name, payload, attempts, attempts_max as "attemptsMax", asked_by as "askedBy",
      request_id as "requestId", attempt_id as "attemptId", cancel_requested as "cancelRequested",
      event_sequence as "eventSequence", set_config('synchronous_commit', 'off', true) as "unflushed"`
  return row
}

export type AttemptKey = Pick<Attempt, 'id' | 'attemptId'>
export type End = { status: 'completed' | 'failed' | 'cancelled'; result?: JobResult; lastError?: string }

/** Ends a job with its event, in one statement, if the attempt is the one that counts; tells whether it was. */
export async function endAttempt(db: Db, attempt: Attempt, end: End, origin: Origin): Promise<boolean> {
  const sequence = attempt.eventSequence + 1
  const record = singleRecordParameters(origin, endChange({ ...attempt, sequence }, end.status))
  const result = end.result === undefined ? null : JSON.stringify(end.result)
  const [row] = await runStatement<{ ended: number }>(
    db,
    endText,
    [attempt.id, attempt.attemptId, end.status, sequence, result, end.lastError ?? null, ...record],
    { prepare: true },
  )
  return row!.ended === 1
}

const endText = `
  with ended as (
    update job_run set status = $3, ended_at = now(), attempt_id = null, event_sequence = $4,
      result = $5::text::jsonb, last_error = $6
    where id = $1 and status = 'running' and attempt_id = $2
    returning id
  ),
  ${singleRecordedText(7, 'ended')}
  select count(*) as ended from ended`

function endChange(
  { id, kind, name, sequence }: { id: string; kind: string; name: string; sequence: number },
  action: End['status'],
): Change {
  const data = { jobId: id, kind, name }
  return { type: `job.${action}`, entityId: id, subject: id, sequence, data, changes: {} }
}

/** Puts a job back: to be tried again after a failure, or given back by a node that stops, which costs no attempt. */
export async function releaseAttempt(db: Db, attempt: AttemptKey, lastError: string | null): Promise<void> {
  await db`
    update job_run set status = 'waiting', attempt_id = null, last_error = coalesce(${lastError}, last_error),
      attempts = attempts - ${lastError === null ? 1 : 0}
    where id = ${attempt.id} and status = 'running' and attempt_id = ${attempt.attemptId}`
}

/** Writes down progress; tells whether the attempt still counts and is not to be cancelled. */
export async function noteProgress(
  db: Db,
  attempt: AttemptKey,
  done: number,
  total: number | null,
): Promise<boolean> {
  const [row] = await db<{ goesOn: boolean }[]>`
    update job_run set progress_done = ${done}, progress_total = ${total}
    where id = ${attempt.id} and attempt_id = ${attempt.attemptId} returning not cancel_requested as "goesOn"`
  return row?.goesOn ?? false
}

/** Those of the given jobs that are to be cancelled. */
export async function listCancelled(db: Db, ids: readonly string[]): Promise<string[]> {
  const rows = await db<
    { id: string }[]
  >`select id from job_run where id = any(${[...ids]}::uuid[]) and cancel_requested`
  return rows.map(({ id }) => id)
}

/** Cancels a waiting job at once and asks a running one to stop; undefined when there is none that has not ended. */
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
  await insertRecords(tx, recordsOf(origin, [endChange({ id, ...row }, 'cancelled')]))
  return 'cancelled'
}

/** Has failed or cancelled jobs tried anew, with all their attempts; returns how many. Null for every failed one:
 * of those with the same unique key the newest, since only one of them may wait. */
export async function retryJobs(tx: Db, id: string | null): Promise<number> {
  const rows = await tx<{ count: number }[]>`
    with made as (
      update job_run j set status = 'waiting', attempts = 0, cancel_requested = false, ended_at = null,
        progress_done = null, progress_total = null
      where (case when ${id}::uuid is null then status = 'failed' else id = ${id} and status in ('failed', 'cancelled') end)
        and not exists (select from job_run o where o.unique_key = j.unique_key
          and (o.status in ('waiting', 'running') or (${id}::uuid is null and o.status = 'failed' and o.id > j.id)))
      returning id, kind
    )
    select count(*) as count from graphile_worker.add_jobs(array(select ${specOf(tx)} from made))`
  return rows[0]!.count
}

/** Removes the history of jobs that ended long ago. */
export async function purgeJobs(db: Db): Promise<void> {
  await db`delete from job_run where status in ('completed', 'cancelled') and ended_at < now() - interval '90 days'`
  await db`delete from schedule_slot where created_at < now() - interval '1 year'`
}

const columns = columnsOf(Object.keys(Job.properties), 'j', { jobId: 'id', requestedBy: 'asked_by::text' })
const source: ListSource<'job'> = {
  entity: 'job',
  from: 'job_run j',
  key: 'j.id',
  select: selectOf(columns),
  properties: propertiesOf(Job, columns),
  defaultOrder: { terms: [], keyDescending: true, text: 'j.id desc', reversedText: 'j.id' },
}

/** Newest first. Whoever may read jobs reads all of them. */
export const listJobs = (db: Db, query: PageQuery, context: ListContext): Promise<Page<Job>> =>
  listRows<Job, 'job'>(
    db,
    source,
    unrestricted('job', 'Jobs are listed by system.admin alone.'),
    query,
    context,
  )

export async function findJob(db: Db, id: string): Promise<Job | undefined> {
  const [row] = await runStatement<Job>(db, `select ${source.select} from job_run j where j.id = $1`, [id])
  return row
}
