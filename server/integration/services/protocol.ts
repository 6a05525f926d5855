/** What goes between the server and the thread of a service. The thread has no other way to the installation. */
import type { ServiceContext, ServiceDefinition } from './define-service.ts'

/** How often a run may ask something, and how many lines it may log; more of these are dropped. */
export const callsMax = 10_000
export const logLinesMax = 100

/** Why a run fails that asked for something and did not wait: nobody could tell whether it was done. */
export const unawaited =
  'It ended before everything that it asked for was answered: each call is to be awaited.'

/** What the thread tells of its module: the definition without its handler. */
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

export type Requested =
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
  | { kind: 'call'; run: string; call: number; requested: Requested }
  | { kind: 'log'; run: string; text: string }
  /** `leaves`: something that it started goes on, such as a timer, and would do so in the midst of another run. */
  | { kind: 'done'; run: string; result: object | null; leaves: boolean }
  /** `told`: what the caller may read of it. */
  | { kind: 'failed'; run: string; told: string | null; error: string }
