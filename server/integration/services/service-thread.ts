/**
 * Runs in a worker thread: loads one service's module and runs its handler on request. The handler reaches the
 * installation only by messages to the server.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { registerHooks } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import { besideModule } from '../../platform/beside-module.ts'
import {
  ServiceApiError,
  ServiceFailure,
  type ServiceApi,
  type ServiceContext,
  type ServiceDefinition,
} from './define-service.ts'
import {
  callsMax,
  logLinesMax,
  unawaitedCall,
  type FromThread,
  type ServiceRequest,
  type ToThread,
} from './protocol.ts'

const port = parentPort!
const say = (message: FromThread) => port.postMessage(message)
const helper = besideModule('define-service', import.meta.url).href
const format = helper.endsWith('.ts') ? 'module-typescript' : 'module'

// This import resolves to the helper of this version, wherever the services folder is.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'fordra/service' ? { url: helper, format, shortCircuit: true } : next(specifier, context),
})

/** A whole run, or a transaction within it. `open` ends with the transaction that is open in it. */
interface Scope {
  open: Promise<void> | undefined
}

/** The nested transaction that the current code belongs to. Empty outside any. */
const scopes = new AsyncLocalStorage<Scope>()
let calls = 0
const waiting = new Map<number, { resolve(body: unknown): void; reject(error: Error): void }>()

async function load(): Promise<ServiceDefinition | undefined> {
  const { default: definition } = (await import(workerData as string)) as { default?: ServiceDefinition }
  if (typeof definition?.handler !== 'function') {
    say({ kind: 'broken', reason: 'has no default export made by defineService with a handler.' })
    return undefined
  }
  const { handler: _handler, ...facts } = definition
  say({ kind: 'ready', facts: JSON.parse(JSON.stringify(facts)) as typeof facts })
  return definition
}

function ask(run: string, requested: ServiceRequest): Promise<unknown> {
  const call = ++calls
  return new Promise((resolve, reject) => {
    waiting.set(call, { resolve, reject })
    say({ kind: 'call', run, call, requested })
  })
}

/**
 * The handler's context. Calls made inside a transaction belong to it. Calls made beside an open transaction wait for
 * its end, or a rollback would undo them too.
 */
function createContext(
  run: string,
  given: Extract<ToThread, { kind: 'run' }>['context'],
  whole: Scope,
): ServiceContext {
  let lines = 0
  let asked = 0
  const scopeHere = () => scopes.getStore() ?? whole
  const askHere = async (requested: ServiceRequest) => {
    if (++asked > callsMax) throw new Error(`A service can make at most ${callsMax} calls.`)
    const scope = scopeHere()
    while (scope.open) await scope.open
    return ask(run, requested)
  }
  const api: ServiceApi = {
    call: (name, request = {}) => askHere({ what: 'operation', name, request }) as Promise<never>,
  }
  const transaction: ServiceContext['transaction'] = async (work) => {
    const outer = scopeHere()
    while (outer.open) await outer.open
    const { promise, resolve } = Promise.withResolvers<void>()
    outer.open = promise
    const inner: Scope = { open: undefined }
    try {
      await ask(run, { what: 'begin' })
      const result = await scopes.run(inner, () => work(api))
      while (inner.open) await inner.open
      await ask(run, { what: 'commit' })
      return result
    } catch (error) {
      while (inner.open) await inner.open
      await ask(run, { what: 'undo' })
      throw error
    } finally {
      outer.open = undefined
      resolve()
    }
  }
  return {
    ...given,
    api,
    transaction,
    sendMail: async ({ subject, text }) => void (await askHere({ what: 'mail', subject, text })),
    log: (text) => {
      if (++lines <= logLinesMax) say({ kind: 'log', run, text: String(text).slice(0, 1000) })
    },
  }
}

async function runHandler(
  definition: ServiceDefinition,
  { run, input, context }: Extract<ToThread, { kind: 'run' }>,
): Promise<void> {
  const atRest = process.getActiveResourcesInfo().length
  try {
    const whole: Scope = { open: undefined }
    const result = await definition.handler(
      input as Record<string, unknown>,
      createContext(run, context, whole),
    )
    if (waiting.size > 0 || whole.open) throw new ServiceFailure(unawaitedCall)
    say({
      kind: 'done',
      run,
      result: result === undefined ? null : (JSON.parse(JSON.stringify(result)) as object),
      leaves: process.getActiveResourcesInfo().length > atRest,
    })
  } catch (error) {
    const { name, message } = (error ?? {}) as Error
    const isTold = name === 'ServiceFailure' || name === 'ServiceApiError'
    say({
      kind: 'failed',
      run,
      told: isTold ? String(message).slice(0, 500) : null,
      error: `${name}: ${message}`.slice(0, 1000),
    })
  }
}

try {
  const definition = await load()
  port.on('message', (message: ToThread) => {
    if (message.kind === 'run') void runHandler(definition!, message)
    else {
      const { resolve, reject } = waiting.get(message.call)!
      waiting.delete(message.call)
      if (message.problem) reject(new ServiceApiError(message.problem))
      else resolve(message.body)
    }
  })
} catch (error) {
  say({ kind: 'broken', reason: `could not be loaded: ${(error as Error).message}`.slice(0, 1000) })
}
