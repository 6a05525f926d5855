import type { FastifyInstance } from 'fastify'
import type { Sql } from 'postgres'
import type { BusinessClock } from '../../platform/clock/business-clock.ts'
import type { ListMemory } from '../../platform/database/list.ts'
import type { CustomFields } from '../../platform/dictionary/custom-fields.ts'
import type { Settings } from '../../platform/config.ts'
import type { Outbound } from '../../platform/outbound/post.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { InsideCall } from './inside-call.ts'
import type { Replica } from '../../platform/http/replica.ts'
import type { RateLimiter } from '../../platform/http/rate-limit.ts'

/** What every slice is wired with. */
export interface Service {
  app: FastifyInstance
  sql: Sql
  settings: Settings
  clock: BusinessClock
  sessions: Sessions
  limiter: RateLimiter
  totals: ListMemory
  /** Ends the connections that take no writes, as those to a standby, of every pool that should lead to the primary. */
  leaveReadOnly(): void
  /** Null where none is configured. */
  replica: Replica | null
  /** The fields that this installation added, and what it changed of the dictionary's. */
  customFields: CustomFields
  /** Calls to addresses that somebody configured. */
  outbound: Outbound
  /** The operations by name, to be called from inside with a caller's rights. */
  operations: Map<string, InsideCall>
  version: string
}
