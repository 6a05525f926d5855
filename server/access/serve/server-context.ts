import type { FastifyInstance } from 'fastify'
import type { Sql } from '../../platform/database/driver/pool.ts'
import type { BusinessClock } from '../../platform/clock/business-clock.ts'
import type { ListMemory } from '../../platform/database/list.ts'
import type { CustomFields } from '../../platform/dictionary/custom-fields.ts'
import type { QueueHealth } from '../../platform/jobs/queue-health.ts'
import type { Settings } from '../../platform/config.ts'
import type { Anchor } from '../../platform/events/anchor.ts'
import type { TimeStamper } from '../../platform/events/time-stamper.ts'
import type { Outbound } from '../../platform/outbound/post.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { MoneyReader } from './money-reader.ts'
import type { InternalCall } from './internal-call-types.ts'
import type { Replica } from '../../platform/http/replica.ts'
import type { SandboxMark } from '../../platform/sandbox/sandbox.ts'
import type { Counts } from '../../platform/http/limits/counts.ts'
import type { WorkGate } from '../../platform/http/limits/work-gate.ts'
import type { RateLimiter } from '../../platform/http/rate-limit.ts'

/** The dependencies of every slice. */
export interface ServerContext {
  app: FastifyInstance
  sql: Sql
  /** Those under which the installation runs: a sandbox is held back. */
  settings: Settings
  /** Undefined for an installation that is no sandbox. */
  sandbox: SandboxMark | undefined
  clock: BusinessClock
  sessions: Sessions
  limiter: RateLimiter
  /** Requests that are open, by user, or by address before sign-in. */
  open: Counts
  /** Requests that are worked on. */
  gate: WorkGate
  totals: ListMemory
  /** Closes read-only connections, such as those to a standby, in every pool that needs the primary. */
  leaveReadOnly(): void
  /** Null when no replica is configured. */
  replica: Replica | null
  /** The installation's custom fields and overrides. */
  customFields: CustomFields
  /** Where heads of the audit trail and erasures are recorded outside the database. */
  anchor: Anchor
  /** Undefined without a time stamp authority. */
  timeStamper: TimeStamper | undefined
  /** Calls to configured outside addresses. */
  outbound: Outbound
  /** Operations by name, for internal calls with a caller's rights. */
  operations: Map<string, InternalCall>
  /** Read what a dry run has booked, one for each set of books. */
  moneyReaders: MoneyReader[]
  /** Whether this node's job queue goes on. */
  queue: QueueHealth
  version: string
}
