/**
 * Runs in a worker thread: loads one service's module, and runs its handler when told. Everything that the handler does to
 * the installation is asked of the server by a message.
 */
import { registerHooks } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import {
  ServiceApiError,
  type ServiceApi,
  type ServiceContext,
  type ServiceDefinition,
} from './define-service.ts'
import type { FromThread, Requested, ToThread } from './protocol.ts'

const port = parentPort!
const say = (message: FromThread) => port.postMessage(message)
const helper = new URL('define-service.ts', import.meta.url).href

// Wherever the services folder is, this import leads to the helper of this version.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'fordra/service'
      ? { url: helper, format: 'module-typescript', shortCircuit: true }
      : next(specifier, context),
})

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

function ask(run: string, requested: Requested): Promise<unknown> {
  const call = ++calls
  return new Promise((resolve, reject) => {
    waiting.set(call, { resolve, reject })
    say({ kind: 'call', run, call, requested })
  })
}

function contextOf(run: string, given: Extract<ToThread, { kind: 'run' }>['context']): ServiceContext {
  const api: ServiceApi = {
    call: (name, request = {}) => ask(run, { what: 'operation', name, request }) as Promise<never>,
  }
  return {
    ...given,
    api,
    transaction: async (work) => {
      await ask(run, { what: 'begin' })
      try {
        const result = await work(api)
        await ask(run, { what: 'commit' })
        return result
      } catch (error) {
        await ask(run, { what: 'undo' })
        throw error
      }
    },
    sendMail: async ({ subject, text }) => void (await ask(run, { what: 'mail', subject, text })),
    log: (text) => say({ kind: 'log', run, text: String(text).slice(0, 1000) }),
  }
}

async function runHandler(
  definition: ServiceDefinition,
  { run, input, context }: Extract<ToThread, { kind: 'run' }>,
): Promise<void> {
  const atRest = process.getActiveResourcesInfo().length
  try {
    const result = await definition.handler(input as Record<string, unknown>, contextOf(run, context))
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
