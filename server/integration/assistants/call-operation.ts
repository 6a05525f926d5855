/** Calls the operation of a tool inside the service: with the rights and in the turn of its caller, as over HTTP. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../../../contract/platform/operation.ts'
import { problems } from '../../../contract/platform/problem.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import { untilDeparture } from '../../platform/database/lists/departure.ts'
import { describeError, toApiError } from '../../platform/http/app.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { describeRefusal } from './describe-refusal.ts'

export interface Exchange {
  request: FastifyRequest
  reply: FastifyReply
}

/** Returns the answer's body. */
export async function callOperation(
  service: ServerContext,
  { request, reply }: Exchange,
  operation: Operation,
  input: Record<string, unknown>,
): Promise<unknown> {
  const caller = request.caller!
  const isWrite = operation.method !== 'GET'
  const atEnd = (then: () => void) => reply.raw.once('close', then)
  const leave = await service.gate.enter({ caller: caller.userId, isWrite }, atEnd)
  const call = () =>
    service.operations.get(operation.name)!.call({
      db: service.sql,
      caller,
      origin: {
        actorId: caller.userId,
        requestId: nameAssistant(caller.assistant, request.id),
        operation: operation.id,
        businessDate: service.clock.today(),
      },
      ...splitInput(operation, input),
    })
  try {
    if (!isWrite) return (await untilDeparture(watchDeparture(reply), call)).body
    const { body } = await call()
    await service.replica?.noteWrite(caller.userId)
    return body
  } finally {
    leave()
  }
}

const requestIdMax = 128

/** The id of the request in the audit trail, with the program that acted for the user. */
const nameAssistant = (name: string | undefined, requestId: string): string => {
  const plain = (name ?? '')
    .normalize('NFKD')
    .replace(/[^a-z0-9]+/gi, '-')
    .slice(0, 40)
  return ['assistant', ...(plain === '' ? [] : [plain]), requestId].join(':').slice(0, requestIdMax)
}

const memberNames = (schema: unknown) =>
  Object.keys((schema as { properties?: object } | undefined)?.properties ?? {})

function splitInput({ params, query }: Operation, input: Record<string, unknown>) {
  const pick = (names: readonly string[]) =>
    Object.fromEntries(names.filter((name) => Object.hasOwn(input, name)).map((name) => [name, input[name]]))
  return { params: pick(memberNames(params)), query: pick(memberNames(query)), body: input['body'] }
}

/** Aborts when the assistant leaves before it is answered. */
function watchDeparture(reply: FastifyReply): AbortSignal {
  const departure = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished)
      departure.abort(new ApiError('invalid', 'The connection ended before the answer.'))
  })
  return departure.signal
}

/** A refusal in words. What went wrong on our side is logged, and the assistant learns nothing of it. */
export function describeFailure(error: unknown, { request }: Exchange): string {
  const { kind, message, errors } = toApiError(error)
  const [status] = problems[kind]
  if (status >= 500 && !(error instanceof ApiError))
    request.log.error({ ...describeError(error), requestId: request.id }, 'request failed')
  return describeRefusal(status, kind, message, errors)
}
