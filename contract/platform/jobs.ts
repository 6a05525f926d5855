import { Type, type Static } from 'typebox'
import { dateTime, guid, key, outputSchema, text } from '../metadata/fields.ts'
import { operation } from './operation.ts'
import { page, pageQuery } from './page.ts'
import { Problem } from './problem.ts'

const wholeOrNull = (title: string) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], title, 'x-field': {} })

const fields = {
  jobId: guid('Job'),
  kind: key(50, 'Kind, such as command or service'),
  name: key(100, 'Which command or service'),
  status: Type.Unsafe<'waiting' | 'running' | 'completed' | 'failed' | 'cancelled'>({
    type: 'string',
    enum: ['waiting', 'running', 'completed', 'failed', 'cancelled'],
    title: 'Status',
    description: '`failed` when no attempt is left. The job then waits to be retried by hand.',
  }),
  attempts: Type.Integer({ title: 'Attempts begun' }),
  attemptsMax: Type.Integer({ title: 'Attempts at most' }),
  progressDone: wholeOrNull('How much is done'),
  progressTotal: wholeOrNull('Of how much'),
  result: Type.Unsafe<Record<string, unknown> | null>({
    type: ['object', 'null'],
    additionalProperties: true,
    title: 'Result',
    'x-field': { unfilterable: true },
  }),
  lastError: text(500, 'Why the last attempt failed'),
  requestedBy: text(36, 'Guid of the user who asked for it; null for the system itself'),
  requestId: text(128, 'Through which request'),
  createdAt: dateTime('Asked for at'),
  startedAt: dateTime('First begun at'),
  endedAt: dateTime('Ended at'),
}

export const Job = outputSchema(fields, Object.keys(fields) as (keyof typeof fields)[], { $id: 'Job' })
export type Job = Static<typeof Job>

const ofJob = Type.Object({ jobId: guid('Job') })
const administrators = { area: 'System', access: ['system.admin'] } as const

export const listJobs = operation({
  id: 'listJobs',
  name: 'listJobs',
  method: 'GET',
  path: '/jobs',
  ...administrators,
  summary: 'List jobs',
  description:
    'Commands and asynchronous services, newest first unless `$orderby` is given. A result of more than 10,000 bytes is null here; `GET /jobs/{jobId}` returns it. A caller restricted to clients sees only services and bulk actions of their own.',
  query: pageQuery,
  status: 200,
  response: page(Job),
  example: { query: { $filter: "status eq 'failed'", $orderby: 'createdAt desc' } },
})
export const getJob = operation({
  id: 'getJob',
  name: 'getJob',
  method: 'GET',
  path: '/jobs/:jobId',
  area: 'System',
  summary: 'Get a job',
  description:
    'Without `system.admin`, only jobs that the caller requested. A caller restricted to clients sees only services and bulk actions of their own. The result of a service that another user requested needs `service.read` and `debtor.read`. A caller who was restricted to clients after the request gets no result of a service.',
  access: ['system.admin', 'service.write'],
  params: ofJob,
  status: 200,
  response: Job,
})
export const cancelJob = operation({
  id: 'cancelJob',
  name: 'cancelJob',
  method: 'POST',
  path: '/jobs/:jobId/cancel',
  ...administrators,
  summary: 'Cancel a job',
  description:
    'A waiting job is cancelled at once. A running job gets a signal to stop, and its uncommitted work is rolled back.',
  params: ofJob,
  status: 200,
  response: Problem,
  problems: ['conflict'],
})
export const retryJob = operation({
  id: 'retryJob',
  name: 'retryJob',
  method: 'POST',
  path: '/jobs/:jobId/retry',
  ...administrators,
  summary: 'Retry a job',
  description: 'Retries a failed or cancelled job, with all its attempts again.',
  params: ofJob,
  status: 200,
  response: Problem,
  problems: ['conflict'],
})
