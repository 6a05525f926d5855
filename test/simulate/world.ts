/** A run as its parts see it: clients, operations and checks. */
import type { Database } from '../../server/platform/database/database.ts'
import type { Fixture, Laboratory } from './laboratory.ts'
import type { Model } from './model.ts'
import type { Random } from './random.ts'
import type { Receivers } from './receivers.ts'
import type { Scheduler } from './scheduling/scheduler.ts'
import type { SimulatedNode } from './simulated-node.ts'

export interface Attempt {
  /** Sent as `X-Request-Id`, by which the audit trail names it. */
  id: string
  node: string
  /** Undefined when the node died first. */
  status?: number
  body?: string
  etag?: string
  replayed?: boolean
  /** False for an answer that the client lost. */
  heard: boolean
}

export interface RequestRecord {
  operation: number
  name: string
  method: string
  path: string
  keyed: boolean
  /** Whether a success writes to the audit trail: always, or perhaps. */
  audited: 'always' | 'perhaps' | 'never'
  ifMatch?: string
  /** The answer may hold secrets that a repetition does not show. */
  secret: boolean
  /** A dry run, or a key that was used for something else. */
  changesNothing?: boolean
  attempts: Attempt[]
  /** The attempt whose answer the client took for good. */
  final?: Attempt
}

export type Body = Record<string, unknown>

export interface Answer {
  status: number
  body: Body
  text: string
  etag: string | undefined
}

export interface Sent {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  body?: unknown
  token?: string | null
  audited?: RequestRecord['audited']
  /** Without an idempotency key, although the operation takes one. */
  unkeyed?: boolean
  ifMatch?: string | undefined
  secret?: boolean
  headers?: Record<string, string>
}

/** Faults of the surroundings and how often a seed has them. */
export interface Faults {
  lost: number
  doubled: number
  /** Whether nodes and the database die. */
  crashes: boolean
  /** The share of webhook calls and mails that fail. */
  receivers: number
  /** The share of operations that two clients begin at once on the same record. */
  twins: number
}

/** Sends requests as a client. */
export interface Sender {
  send(name: string, path: string, sent?: Sent): Promise<Answer | undefined>
}

export interface World {
  readonly seed: number
  readonly fixture: Fixture
  readonly laboratory: Laboratory
  readonly faults: Faults
  readonly model: Model
  readonly requests: RequestRecord[]
  readonly scheduler: Scheduler
  readonly receivers: Receivers
  /** The client that follows the event feed. */
  readonly follower: {
    poll(client: Sender, random: Random): Promise<void>
    readAll(client: Sender): Promise<void>
    findFaults(): Promise<string[]>
  }
  /** Whether a node, a connection or the database has died so far: then 503 is an answer. */
  disturbed: boolean
  /** True while nodes must not start, because their database is replaced. */
  isMoving: boolean
  sql: Database
  note(line: string): void
  fail(fault: string): void
  startNode(): SimulatedNode
  killNode(node: SimulatedNode): void
  crashDatabase(): Promise<void>
  restoreDatabase(): Promise<void>
  readyNodes(): SimulatedNode[]
  findNode(random: Random): Promise<SimulatedNode>
  checkAnswer(record: RequestRecord, attempt: Attempt): void
  /** What holds at every moment. */
  check(): Promise<void>
}
