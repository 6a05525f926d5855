/** Runs one invocation of a service: a module in its thread, or an address by a signed call. */
import { Webhook } from 'standardwebhooks'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/errors.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import { OutboundFailure } from '../../platform/outbound/post.ts'
import type { LoadedService } from './load-services.ts'
import { unawaitedCall } from './protocol.ts'
import { answerRequests } from './requests.ts'
import type { ServiceItem } from './services.store.ts'
import { ThreadFailure, ThreadTimeout, type Threads } from './threads.ts'

export interface Invocation {
  /** The same in every attempt. */
  id: string
  attempt: number
  definition: LoadedService
  item: ServiceItem | null
  input: Record<string, unknown>
  caller: Caller
  origin: Origin
  signal: AbortSignal
}

export interface ServiceRunner {
  service: ServerContext
  threads: Threads
}

const answerBytesMax = 1_048_576

/**
 * Runs the service in the given transaction, which the caller must roll back when this throws: `service-failed`,
 * `service-timeout`, or an error of the request. Returns the service's result. The caller records its end.
 */
export async function runService(
  runner: ServiceRunner,
  invocation: Invocation,
  tx: Db,
): Promise<object | null> {
  const { definition } = invocation
  const { how, code, timeoutMs } = definition
  try {
    const result =
      'file' in how
        ? await runThread(runner, invocation, how, tx)
        : await callAddress(runner, invocation, how)
    requireStorable(result)
    return result
  } catch (error) {
    if (error instanceof ThreadTimeout) {
      throw new ApiError('service-timeout', `The service ${code} was ended after ${timeoutMs / 1000} s.`)
    }
    if (error instanceof ThreadFailure) {
      runner.service.app.log.info(
        { service: code, job: invocation.id, error: error.message },
        'a service failed',
      )
      throw new ApiError('service-failed', `The service ${code} failed: ${storable(error.told)}`)
    }
    throw error
  }
}

/** PostgreSQL stores neither NUL nor lone surrogates. */
const isStorable = (text: string) => text.isWellFormed() && !text.includes('\0')
const storable = (text: string) => text.toWellFormed().replaceAll('\0', '\ufffd')

function requireStorable(result: object | null): void {
  JSON.stringify(result, (name, value: unknown) => {
    if (!isStorable(name) || (typeof value === 'string' && !isStorable(value)))
      throw new ThreadFailure(
        'It returned a text with NUL or an incomplete character, which cannot be stored.',
      )
    return value
  })
}

async function runThread(
  { service, threads }: ServiceRunner,
  invocation: Invocation,
  module: { file: string; memoryMb: number },
  tx: Db,
): Promise<object | null> {
  const { id, attempt, item, input, caller, origin, signal, definition } = invocation
  // No statement of the service runs much longer than the service's own timeout.
  await tx`select set_config('statement_timeout', ${String(definition.timeoutMs)}, true)`
  const { userId: userGuid, role, accessCodes } = caller
  const requests = answerRequests({ service, tx, caller, origin: { ...origin, isService: true }, item })
  try {
    const result = await threads.run(module, {
      id,
      timeoutMs: definition.timeoutMs,
      signal,
      answer: requests.answer,
      log: (text) => service.app.log.info({ service: definition.code, job: id, text }, 'a service says'),
      message: {
        kind: 'run',
        run: id,
        input,
        context: {
          id,
          attempt,
          item,
          caller: { userGuid, role, accessCodes: [...accessCodes] },
          businessDate: origin.businessDate,
        },
      },
    })
    if (!(await requests.close())) throw new ThreadFailure(unawaitedCall)
    return result
  } finally {
    // Its last call may still be running: wait for it, so that nothing runs behind the transaction.
    await requests.close()
  }
}

async function callAddress(
  { service: { outbound } }: ServiceRunner,
  { id, definition, item, input, caller, origin, signal }: Invocation,
  { url, secret }: { url: string; secret: string },
): Promise<object | null> {
  const { code, timeoutMs } = definition
  const failed = (why: string) => new ApiError('service-failed', `The service ${code} failed: ${why}`)
  const at = new Date()
  const data = {
    service: code,
    item,
    input,
    caller: { userGuid: caller.userId },
    businessDate: origin.businessDate,
  }
  const body = JSON.stringify({ type: 'service.invoked', timestamp: at.toISOString(), data })
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  }
  const answer = await outbound
    .post(url, { headers, body, timeoutMs, bytesMax: answerBytesMax, signal })
    .catch((error: unknown) => {
      if (!(error instanceof OutboundFailure)) throw error
      if (error.message.startsWith('No answer')) throw new ThreadTimeout()
      throw failed(error.message)
    })
  if (answer.status < 200 || answer.status > 299) throw failed(`its address answered ${answer.status}.`)
  if (answer.cut) throw failed('its address answered with more than 1 MB.')
  return readObject(answer.body.toString('utf8'))
}

/** The result of an address, if it is a JSON object. */
function readObject(text: string): object | null {
  try {
    const value = JSON.parse(text) as unknown
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}
