/** Answers what a service asks for while it runs: in one transaction, one thing after the other, with the caller's rights. */
import { inSavepoint, type Db } from '../../platform/database/transaction.ts'
import { toApiError } from '../../platform/http/app.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import { ApiError, toProblem } from '../../platform/http/errors.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import { findReader } from '../../platform/dictionary/reader.ts'
import { requireAddressee } from '../../claims/contact-permission.ts'
import { queueEmail } from '../../platform/messages/messages.store.ts'
import { callsMax, type CallProblem, type ServiceRequest } from './protocol.ts'
import { findMailbox, type ServiceItem } from './services.store.ts'

export interface RequestContext {
  service: ServerContext
  tx: Db
  caller: Caller
  origin: Origin
  item: ServiceItem | null
}

type Answer = { body?: unknown; problem?: CallProblem }

const depthMax = 10

/** A service may call operations that need an access code, except those that invoke services. */
function operationFor(service: ServerContext, name: string) {
  const found = service.operations.get(name)
  const isOpen = found && typeof found.operation.access !== 'string' && found.operation.accepts !== true
  if (!isOpen) {
    const names = [...service.operations.values()].filter(
      ({ operation }) => typeof operation.access !== 'string',
    )
    throw new ApiError(
      'not-found',
      `A service cannot call ${String(name).slice(0, 50)}. It can call ${names.map(({ operation }) => operation.name).join(', ')}.`,
    )
  }
  return found
}

export interface Requests {
  answer(requested: ServiceRequest): Promise<Answer>
  /**
   * Lets the current call finish and accepts no more, so that the transaction can end. Returns whether all calls were
   * answered.
   */
  close(): Promise<boolean>
}

/** Nested transactions within a run's transaction. */
function nestTransactions(tx: Db) {
  let depth = 0
  return {
    isOpen: () => depth > 0,
    begin: async () => {
      if (depth === depthMax)
        throw new ApiError('unprocessable', `Transactions nest at most ${depthMax} deep.`)
      await tx.unsafe(`savepoint service_${++depth}`)
    },
    end: async (how: 'commit' | 'undo') => {
      if (depth === 0) throw new ApiError('unprocessable', 'No transaction is open.')
      if (how === 'undo') await tx.unsafe(`rollback to savepoint service_${depth}`)
      await tx.unsafe(`release savepoint service_${depth--}`)
    },
  }
}

export function answerRequests(context: RequestContext): Requests {
  const { service, tx, caller, origin } = context
  const transactions = nestTransactions(tx)
  let last: Promise<unknown> = Promise.resolve()
  let calls = 0
  let waiting = 0
  let closed = false
  const perform = async (requested: ServiceRequest): Promise<unknown> => {
    if (requested.what === 'mail') return sendMail(context, requested)
    if (requested.what !== 'operation')
      return requested.what === 'begin' ? transactions.begin() : transactions.end(requested.what)
    const { params, query, body, ifMatch } = requested.request
    const { call } = operationFor(service, requested.name)
    const given = {
      params: { ...params },
      query: { ...query },
      body,
      ...(ifMatch !== undefined && { ifMatch }),
    }
    return (await call({ db: tx, caller, origin, ...given })).body
  }
  const answer = async (requested: ServiceRequest): Promise<Answer> => {
    if (closed) throw new Error('The service has ended.')
    if (++calls > callsMax)
      throw new ApiError('unprocessable', `A service can make at most ${callsMax} calls.`)
    if (requested.what !== 'operation' && requested.what !== 'mail') return { body: await perform(requested) }
    return inSavepoint(tx, () => perform(requested)).then(
      (body) => ({ body }),
      (error: unknown) => ({ problem: problemFor(error) }),
    )
  }
  return {
    answer: (requested) => {
      waiting++
      const answered = last.then(() => answer(requested)).finally(() => waiting--)
      last = answered.catch(() => {})
      return answered
    },
    close: async () => {
      closed = true
      const isWhole = waiting === 0 && !transactions.isOpen()
      await last
      return isWhole
    },
  }
}

function problemFor(error: unknown): CallProblem {
  const { status, code = 'internal', detail, errors } = toProblem(toApiError(error), { path: '', id: '' })
  return { status, code, detail, ...(errors && { errors }) }
}

async function sendMail(
  { tx, item, caller, origin }: RequestContext,
  { subject, text }: Extract<ServiceRequest, { what: 'mail' }>,
): Promise<void> {
  if (item === null) throw new ApiError('unprocessable', 'A global service has no one to write to.')
  const needed = `${item.type}.write` as const
  if (!caller.accessCodes.has(needed))
    throw new ApiError('forbidden', `Writing to a ${item.type} needs ${needed}.`)
  const isSubject = typeof subject === 'string' && /^[^\p{Cc}]{1,200}$/u.test(subject)
  if (!isSubject || typeof text !== 'string' || text === '' || text.length > 2000) {
    throw new ApiError(
      'invalid',
      'An e-mail needs a subject of one line up to 200 characters and a text up to 2000.',
    )
  }
  const mailbox = await findMailbox(tx, await findAddressee({ tx, item, caller, origin }))
  if (!mailbox) throw new ApiError('unprocessable', `The ${item.type} has no e-mail address.`)
  const debtorGuid = item.type === 'debtor' ? item.guid : null
  const userGuid = item.type === 'user' ? item.guid : null
  await queueEmail(tx, { ...mailbox, subject, text, debtorGuid, userGuid })
}

/** The item itself; of a minor the guardian. Throws a 422 when nobody may be written to by e-mail. */
async function findAddressee({
  tx,
  item,
  caller,
  origin,
}: Pick<RequestContext, 'tx' | 'caller' | 'origin'> & { item: ServiceItem }): Promise<ServiceItem> {
  if (item.type !== 'debtor') return item
  const question = {
    debtorGuid: item.guid,
    caseGuid: null,
    channel: 'email',
    at: new Date().toISOString(),
    date: origin.businessDate,
  } as const
  const { recipientGuid } = await requireAddressee(tx, question, findReader(caller.language))
  return { ...item, guid: recipientGuid! }
}
