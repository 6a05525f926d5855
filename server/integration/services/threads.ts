/** Worker threads for services: started on demand, reused after a successful run, terminated after any other. */
import { Worker } from 'node:worker_threads'
import { besideModule } from '../../platform/beside-module.ts'
import { resultLengthMax } from './define-service.ts'
import { callsMax, logLinesMax, type FromThread, type ServiceFacts, type ToThread } from './protocol.ts'

export interface ThreadModule {
  file: string
  memoryMb: number
}

/** How the server answers the messages of a run. */
export interface ThreadRun {
  id: string
  message: Extract<ToThread, { kind: 'run' }>
  timeoutMs: number
  signal: AbortSignal
  /** Answers a call. A rejection means a server error and ends the run. */
  answer(
    requested: Extract<FromThread, { kind: 'call' }>['requested'],
  ): Promise<{ body?: unknown; problem?: Extract<ToThread, { kind: 'answer' }>['problem'] }>
  log(text: string): void
}

export class ThreadTimeout extends Error {}
/** `told` is shown to the caller; the message is for the log. */
export class ThreadFailure extends Error {
  readonly told: string
  constructor(told: string, message = told) {
    super(message)
    this.told = told
  }
}

const loadWithinMs = 10_000
const watchEveryMs = 100
const idleMax = 4
/** Only code that bypasses the helper sends more messages. */
const messagesMax = callsMax + logLinesMax + 1

export interface Threads {
  run(module: ThreadModule, run: ThreadRun): Promise<object | null>
  close(): Promise<void>
}

interface Thread {
  worker: Worker
  file: string
}

export function openThreads(): Threads {
  const idle: Thread[] = []
  const all = new Set<Worker>()
  const take = async (module: ThreadModule): Promise<Thread> => {
    const index = idle.findIndex(({ file }) => file === module.file)
    if (index >= 0) return idle.splice(index, 1)[0]!
    const { worker } = await startThread(module)
    all.add(worker)
    // A timer that a run left behind may end its thread later.
    worker.once('exit', () => {
      all.delete(worker)
      const at = idle.findIndex((one) => one.worker === worker)
      if (at >= 0) idle.splice(at, 1)
    })
    return { worker, file: module.file }
  }
  return {
    run: async (module, run) => {
      const thread = await take(module)
      try {
        const { result, leaves } = await runOn(thread.worker, module, run)
        // A thread with active work, or one that has just exited, is not kept.
        if (leaves) void thread.worker.terminate()
        else if (all.has(thread.worker)) idle.push(thread)
        if (idle.length > idleMax) void idle.shift()!.worker.terminate()
        return result
      } catch (error) {
        await thread.worker.terminate()
        throw error
      }
    },
    close: async () => {
      await Promise.all([...all].map((worker) => worker.terminate()))
    },
  }
}

/** Starts a thread that loads the module. Throws ThreadFailure when loading fails or takes too long. */
export async function startThread(
  { file, memoryMb }: ThreadModule,
  withinMs = loadWithinMs,
): Promise<{ worker: Worker; facts: ServiceFacts }> {
  const worker = new Worker(besideModule('service-thread', import.meta.url), {
    workerData: file,
    env: {},
    argv: [],
    execArgv: ['--disable-warning=ExperimentalWarning'],
    // Console output is dropped: it may be personal data. Services use `log`.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
  })
  worker.stdout.resume()
  worker.stderr.resume()
  worker.unref()
  try {
    const facts = await new Promise<ServiceFacts>((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new ThreadFailure(`took longer than ${withinMs / 1000} s to load.`)),
        withinMs,
      )
      worker.once('exit', () => reject(new ThreadFailure('ended while it was loaded.')))
      worker.once('error', (error) =>
        reject(new ThreadFailure(`could not be loaded: ${(error as Error).message}`)),
      )
      worker.once('message', (message: FromThread | null) => {
        clearTimeout(timer)
        if (message?.kind === 'ready') resolve(message.facts)
        else
          reject(new ThreadFailure(message?.kind === 'broken' ? message.reason : 'speaks before its turn.'))
      })
    })
    worker.removeAllListeners('exit').removeAllListeners('error')
    // An idle thread may exit through a timer of its module.
    worker.on('error', () => {})
    return { worker, facts }
  } catch (error) {
    await worker.terminate()
    throw error
  }
}

type Done = Extract<FromThread, { kind: 'done' }>

/** Buffers are outside of the heap, which the thread's own limit covers. */
const watchMemory = (worker: Worker, memoryMb: number, reject: (error: Error) => void) =>
  setInterval(() => {
    worker.getHeapStatistics().then(
      (heap) => {
        if (heap.external_memory > memoryMb * 1_048_576) reject(tooMuchMemory(memoryMb))
      },
      () => {},
    )
  }, watchEveryMs)

function runOn(worker: Worker, { memoryMb }: ThreadModule, run: ThreadRun): Promise<Done> {
  const ending = new AbortController()
  let messages = 0
  const { promise, resolve, reject } = Promise.withResolvers<Done>()
  const timer = setTimeout(() => reject(new ThreadTimeout()), run.timeoutMs)
  const memory = watchMemory(worker, memoryMb, reject)
  const heed = (message: FromThread) => {
    if (!('run' in message) || message.run !== run.id || ending.signal.aborted) return
    if (message.kind === 'done') finish(message, resolve, reject)
    else if (message.kind === 'failed')
      reject(new ThreadFailure(message.told ?? 'It ended with an error.', message.error))
    else if (message.kind === 'log') run.log(message.text)
    else if (typeof message.requested !== 'object' || message.requested === null)
      reject(new ThreadFailure('It made an unknown call.'))
    else
      run.answer(message.requested).then(
        (answer) =>
          worker.postMessage({
            kind: 'answer',
            run: run.id,
            call: message.call,
            ...answer,
          } satisfies ToThread),
        reject,
      )
  }
  // A module can reach the port itself and send anything.
  const onMessage = (message: unknown) => {
    try {
      if (++messages > messagesMax) reject(new ThreadFailure('It sent too many messages.'))
      else if (typeof message === 'object' && message !== null) heed(message as FromThread)
    } catch (error) {
      reject(new ThreadFailure('It ended with an error.', (error as Error).message))
    }
  }
  const onError = (error: Error & { code?: string }) =>
    reject(
      error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? tooMuchMemory(memoryMb)
        : new ThreadFailure('It ended with an error.', `${error.name}: ${error.message}`),
    )
  const onExit = () => reject(new ThreadFailure('It ended itself.'))
  const onAbort = () => reject(run.signal.reason as Error)
  worker.on('message', onMessage).on('error', onError).on('exit', onExit)
  run.signal.addEventListener('abort', onAbort)
  if (run.signal.aborted) onAbort()
  worker.postMessage(run.message)
  return promise.finally(() => {
    ending.abort()
    clearTimeout(timer)
    clearInterval(memory)
    worker.off('message', onMessage).off('error', onError).off('exit', onExit)
    run.signal.removeEventListener('abort', onAbort)
  })
}

const tooMuchMemory = (memoryMb: number) =>
  new ThreadFailure(`It took more than its ${memoryMb} MB of memory.`)

function finish(done: Done, resolve: (done: Done) => void, reject: (error: Error) => void): void {
  const { result } = done
  if (typeof result !== 'object' || Array.isArray(result))
    reject(new ThreadFailure('It returned something other than an object.'))
  else if (JSON.stringify(result).length > resultLengthMax)
    reject(new ThreadFailure('It returned more than 1 MB.'))
  else resolve(done)
}
