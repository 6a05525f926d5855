import * as contract from '../../../contract/integration/services.ts'
import type { ServiceScope } from '../../../contract/integration/services.ts'
import { makeId } from '../../platform/database/make-id.ts'
import { inSavepoint, inTransaction, type Db } from '../../platform/database/transaction.ts'
import { requireDebtor } from '../../parties/debtors/debtor-lock.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import { ApiError, notFound } from '../../platform/http/errors.ts'
import { serve } from '../../access/serve/route.ts'
import type { Answer } from '../../access/serve/handler-request.ts'
import { JobFailure, type JobKind } from '../../platform/jobs/job.ts'
import { insertJob } from '../../platform/jobs/jobs.store.ts'
import { requireJobAsker } from '../../access/serve/job-asker.ts'
import type { AccessCode } from '../../../contract/access/access.ts'
import { findUserSummary } from '../../access/users/users.store.ts'
import type { LoadedService } from './load-services.ts'
import { runService, type Invocation, type ServiceRunner } from './run-service.ts'
import { insertEndedInvocation, recordInvocation, type ServiceItem } from './services.store.ts'

/** Synchronous service runs per node. One more is answered with 503. */
const synchronousMax = 8

interface Request {
  db: Db
  caller: Caller
  origin: Origin
  query: { async?: boolean }
  body: Record<string, unknown>
}

export function serveServices(runner: ServiceRunner, services: readonly LoadedService[]): void {
  const { service } = runner
  const waited = { count: 0 }
  const invoke = async (
    request: Request,
    code: string,
    target: { scope: ServiceScope; item: ServiceItem | null },
  ): Promise<Answer<Record<string, never>>> => {
    const definition = findService(services, code, target.scope)
    requireAccess(definition, request.caller)
    if (target.item) await requireItem(request.db, request.caller, target.item)
    definition.checkInput(request.body)
    const invoked = { runner, definition, request, item: target.item }
    if (request.query.async === true) return invokeLater(invoked)
    if (waited.count >= synchronousMax) {
      throw new ApiError(
        'overloaded',
        'Too many services are running. Try again in a moment, or with async=true.',
        {
          headers: { 'retry-after': '1' },
        },
      )
    }
    waited.count++
    return invokeNow(invoked).finally(() => waited.count--)
  }

  serve(service, contract.invokeUserService, async ({ params, ...request }) =>
    invoke(request, params.serviceDefinition, {
      scope: 'user',
      item: { type: 'user', guid: params.userGuid },
    }),
  )
  serve(service, contract.invokeGlobalUserService, async ({ params, ...request }) =>
    invoke(request, params.serviceDefinition, { scope: 'global', item: null }),
  )
  serve(service, contract.invokeDebtorService, async ({ params, ...request }) =>
    invoke(request, params.serviceDefinition, {
      scope: 'debtor',
      item: { type: 'debtor', guid: params.debtorGuid },
    }),
  )
  serve(service, contract.invokeGlobalDebtorService, async ({ params, ...request }) =>
    invoke(request, params.serviceDefinition, { scope: 'global', item: null }),
  )
}

function findService(services: readonly LoadedService[], code: string, scope: ServiceScope): LoadedService {
  const found = services.find((one) => one.code === code && one.scope === scope)
  if (found) return found
  const known = services.filter((one) => one.scope === scope).map((one) => one.code)
  const right = known.length === 0 ? 'There are none.' : `There are ${known.join(', ')}.`
  throw new ApiError('not-found', `There is no ${scope} service ${code.slice(0, 50)}. ${right}`)
}

function requireAccess({ code, access }: LoadedService, caller: Caller): void {
  if (caller.accessCodes.has(access)) return
  throw new ApiError(
    'forbidden',
    `The service ${code} needs the access code ${access}, which neither your role nor your access groups give you.`,
  )
}

async function requireItem(db: Db, caller: Caller, { type, guid }: ServiceItem): Promise<void> {
  if (type === 'debtor') await requireDebtor(db, caller, guid)
  else if (!(await findUserSummary(db, caller, guid))) throw notFound('user')
}

interface Invoked {
  runner: ServiceRunner
  definition: LoadedService
  request: Request
  item: ServiceItem | null
}

interface Payload {
  item: ServiceItem | null
  input: Record<string, unknown>
  /** The scope of the caller's token, if it was narrowed. */
  scope: AccessCode[] | null
}

const toPayload = ({ request: { caller, body }, item }: Invoked): Payload => ({
  item,
  input: body,
  scope: caller.narrowed === true ? [...caller.accessCodes] : null,
})

async function invokeLater(invoked: Invoked): Promise<Answer<Record<string, never>>> {
  const { definition, request } = invoked
  const jobId = await insertJob(request.db, {
    kind: 'service',
    name: definition.code,
    payload: toPayload(invoked),
    askedBy: request.caller.userId,
    requestId: request.origin.requestId,
  })
  return { body: {}, accepted: true, location: `/jobs/${jobId}` }
}

async function invokeNow(invoked: Invoked): Promise<Answer<Record<string, never>>> {
  const { runner, definition, request, item } = invoked
  const { db, caller, origin, body } = request
  const id = makeId()
  const invocation: Invocation = {
    id,
    attempt: 1,
    definition,
    item,
    input: body,
    caller,
    origin,
    signal: new AbortController().signal,
  }
  const history = {
    id,
    code: definition.code,
    payload: toPayload(invoked),
    askedBy: caller.userId,
    requestId: origin.requestId,
    startedAt: new Date().toISOString(),
  }
  try {
    await inNestedTransaction(db, async (tx) => {
      const result = await runService(runner, invocation, tx)
      await insertEndedInvocation(tx, { ...history, result, lastError: null })
      await recordInvocation(tx, { id, code: definition.code, item, origin }, 'completed')
    })
  } catch (error) {
    if (error instanceof ApiError && error.kind.startsWith('service-')) {
      await inTransaction(runner.service.sql, async (tx) => {
        await insertEndedInvocation(tx, { ...history, result: null, lastError: error.message })
        await recordInvocation(tx, { id, code: definition.code, item, origin }, 'failed')
      })
    }
    throw error
  }
  return { body: {}, location: `/jobs/${id}` }
}

/**
 * Runs work in a transaction, or in a savepoint of an existing one. The failure record is written on another
 * connection, so the work's locks must be released first.
 */
const inNestedTransaction = (db: Db, work: (tx: Db) => Promise<void>): Promise<void> =>
  'begin' in db ? inTransaction(db, work) : inSavepoint(db, () => work(db))

/** The user that a job runs as. Throws JobFailure when the user may no longer call the service. */
const requireCaller = (
  db: Db,
  { code, access }: LoadedService,
  { userId, scope }: { userId: string; scope: AccessCode[] | null },
): Promise<Caller> =>
  requireJobAsker(db, userId, {
    what: code,
    access: [...contract.invokeDebtorService.access, access],
    scope,
  })

/** The service may have changed since the job was enqueued. Throws JobFailure: a retry would not help. */
function requireCallable(definition: LoadedService, { item, input }: Payload): void {
  const { code, scope } = definition
  if (scope !== (item?.type ?? 'global'))
    throw new JobFailure(
      `The service ${code} can no longer be called for ${item ? `a ${item.type}` : 'all'}.`,
    )
  try {
    definition.checkInput(input)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw new JobFailure(`The input does not fit the service ${code}: ${error.message}`)
  }
}

/** The jobs of services, requested with `async=true` or by strategies. */
export function serviceJobs(runner: ServiceRunner, services: readonly LoadedService[]): JobKind<Payload> {
  return {
    kind: 'service',
    run: async (job) => {
      const { item, input, scope } = job.payload
      const definition = services.find(({ code }) => code === job.name)
      if (!definition) throw new JobFailure(`This installation no longer has the service ${job.name}.`)
      const asker = { userId: job.askedBy!, scope }
      const caller = await requireCaller(job.sql, definition, asker)
      requireCallable(definition, job.payload)
      if (item) {
        await requireItem(job.sql, caller, item).catch((error: unknown) => {
          throw error instanceof ApiError ? new JobFailure(error.message) : error
        })
      }
      const { id, attempt, origin, signal } = job
      const invocation = { id, attempt, definition, item, input, caller, origin, signal }
      await job.complete(async (tx) => {
        const result = await runService(runner, invocation, tx)
        // A service may run for minutes. What it did is undone for a user who may no longer do it.
        await requireCaller(tx, definition, asker)
        await recordInvocation(tx, { id, code: definition.code, item, origin }, 'completed')
        return { ...result }
      })
    },
    onFailed: (tx, { id, name, payload, origin }) =>
      recordInvocation(tx, { id, code: name, item: payload.item, origin }, 'failed'),
  }
}
