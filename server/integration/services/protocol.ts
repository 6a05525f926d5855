/** The messages between the server and a service's thread. The thread has no other access to the installation. */
import type { ServiceContext, ServiceDefinition } from './define-service.ts'

/** Maximum calls and log lines per run. A further call throws; a further line is dropped. */
export const callsMax = 10_000
export const logLinesMax = 100

/** The failure of a run that did not await a call: whether the call was done is unknown. */
export const unawaitedCall = 'It ended before all of its calls were answered. Await each call.'

/** The definition without its handler, as the thread reports it. */
export type ServiceFacts = Omit<ServiceDefinition, 'handler'>

export type ToThread =
  | {
      kind: 'run'
      run: string
      input: unknown
      context: Omit<ServiceContext, 'api' | 'transaction' | 'sendMail' | 'log'>
    }
  | { kind: 'answer'; run: string; call: number; body?: unknown; problem?: CallProblem }

export interface CallProblem {
  status: number
  code: string
  detail: string
  errors?: Record<string, string[]>
}

export type ServiceRequest =
  | {
      what: 'operation'
      name: string
      request: { params?: object; query?: object; body?: unknown; ifMatch?: string }
    }
  | { what: 'begin' | 'commit' | 'undo' }
  | { what: 'mail'; subject: string; text: string }

export type FromThread =
  | { kind: 'ready'; facts: ServiceFacts }
  | { kind: 'broken'; reason: string }
  | { kind: 'call'; run: string; call: number; requested: ServiceRequest }
  | { kind: 'log'; run: string; text: string }
  /** `leaves`: something it started is still active, such as a timer, and would continue during another run. */
  | { kind: 'done'; run: string; result: object | null; leaves: boolean }
  /** `told`: the part that the caller may read. */
  | { kind: 'failed'; run: string; told: string | null; error: string }
