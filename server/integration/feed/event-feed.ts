/**
 * Reads the events in an order that never skips one. Positions are assigned before a transaction commits, so a later
 * position may become visible earlier. Events are therefore ordered by transaction, and shown once every transaction
 * with a lower number has ended. The audit trail is sealed the same way.
 */
import type { Sql } from '../../platform/database/driver/pool.ts'
import type { AccessCode } from '../../../contract/access/access.ts'
import { eventTypes, type EventEntity, type EventType } from '../../../contract/platform/event-types.ts'
import { runStatement, type Parameter } from '../../platform/database/statement.ts'
import type { Event } from '../../../contract/platform/events.ts'
import { inTransaction, type Db } from '../../platform/database/transaction.ts'
import { indexByTransaction, sealLock } from '../../platform/events/audit-seal.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { visibleEvents } from './events.scope.ts'

export interface Cursor {
  xid: number
  position: number
}

/** Which events: exact types and whole entities (`debtor.*`). Both empty means all. */
export interface EventTypes {
  exact: string[]
  entities: string[]
}

const isWhole = (type: string) => type.endsWith('.*')

export function readTypes(types: readonly string[]): EventTypes {
  return {
    exact: types.filter((type) => !isWhole(type)),
    entities: types.filter(isWhole).map((type) => type.slice(0, -2)),
  }
}

/** A condition on `event e` with its parameters. */
interface Condition {
  text: string
  parameters: Parameter[]
}

export function typeCondition({ exact, entities }: EventTypes, first: number): Condition {
  if (exact.length + entities.length === 0) return { text: 'true', parameters: [] }
  return {
    text: `(e.type = any($${first}::text[]) or split_part(e.type, '.', 1) = any($${first + 1}::text[]))`,
    parameters: [exact, entities],
  }
}

const readEntity = (type: EventType) => type.split('.')[0] as EventEntity

/** The access code needed to see an entity's events. */
const accessCodes: Partial<Record<EventEntity, AccessCode>> = {
  debtor: 'debtor.read',
  address: 'debtor.read',
  extrafield: 'debtor.read',
  case: 'case.read',
  invoice: 'case.read',
  payment: 'payment.read',
  paymentfile: 'payment.read',
  payout: 'payment.read',
  suspense: 'payment.read',
  paymentplan: 'paymentplan.read',
  user: 'user.read',
  service: 'service.read',
}

const everyEntity = [...new Set(eventTypes.map(readEntity))]

/**
 * The entities whose events a caller may read; null for all. Entities without an access code are for administrators of
 * the whole installation.
 */
export function readableEntities(caller: Caller): string[] | null {
  const isAdministrator = caller.partyIds === null && caller.accessCodes.has('system.admin')
  const readable = everyEntity.filter((entity) => {
    const code = accessCodes[entity]
    return code === undefined ? isAdministrator : caller.accessCodes.has(code)
  })
  return readable.length === everyEntity.length ? null : readable
}

/** A condition on `event e`: the events that a caller may read. */
export function callerCondition(caller: Caller, first: number): Condition {
  const entities = readableEntities(caller)
  if (entities === null) return { text: 'true', parameters: [] }
  const own = `split_part(e.type, '.', 1) = any($${first}::text[])`
  if (caller.partyIds === null) return { text: own, parameters: [entities] }
  const scope = visibleEvents(caller).at(first + 1)
  return {
    text: `(${own} and ${scope.text})`,
    parameters: [entities, ...scope.parameters],
  }
}

/** Events examined per statement: few at first, because most readers want most of them; then more, for rare types. */
const windowSize = (window: number, limit: number) => (window === 0 ? limit * 2 : 5_000)
const windowsMax = 20

export interface EventPage {
  next: number
  value: Event[]
}

/** The events after a position that the caller may see. `next` is past all events that were examined and skipped. */
export async function readEvents(
  db: Db,
  caller: Caller,
  { after, types, limit }: { after: number; types: EventTypes; limit: number },
): Promise<EventPage> {
  const wanted = typeCondition(types, 5)
  const seen = callerCondition(caller, 5 + wanted.parameters.length)
  const value: Event[] = []
  let cursor = await findCursor(db, after)
  let next = after
  for (let window = 0; window < windowsMax; window++) {
    const left = limit - value.length
    const rows = await runStatement<Event & { xid: number; wanted: boolean }>(
      db,
      `select e.position, e.id, e.type, e.version, e.occurred_at as "occurredAt", e.sequence, e.subject, e.data, e.xid, e.wanted
       from (
         select w.*, sum(wanted::int) over (order by xid, position) as number, lead(position) over (order by xid, position) is null as last
         from (
           select e.*, (${wanted.text} and ${seen.text}) as wanted from event e
           where (e.xid, e.position) > ($1::bigint, $2::bigint) and e.xid < ${horizon}
           order by e.xid, e.position limit $3
         ) w
       ) e
       where (wanted and number <= $4) or last
       order by e.xid, e.position`,
      [
        cursor.xid,
        cursor.position,
        windowSize(window, limit),
        left,
        ...wanted.parameters,
        ...seen.parameters,
      ],
      { prepare: true },
    )
    const found = rows.filter((row) => row.wanted).slice(0, left)
    value.push(...found.map(toEvent))
    // A full page ends at its last event. Otherwise the whole window was examined.
    const end = value.length === limit ? found.at(-1) : rows.at(-1)
    if (!end) break
    next = end.position
    cursor = { xid: end.xid, position: end.position }
    if (value.length === limit) break
  }
  return { next, value }
}

const horizon = 'pg_snapshot_xmin(pg_current_snapshot())::text::bigint'

const toEvent = ({ position, id, type, version, occurredAt, sequence, subject, data }: Event): Event => ({
  position,
  id,
  type,
  version,
  occurredAt,
  sequence,
  subject,
  data,
})

async function findCursor(db: Db, after: number): Promise<Cursor> {
  const [row] = await db<Cursor[]>`
    select xid, position from event where position <= ${after} order by position desc limit 1`
  return row ?? { xid: -1, position: 0 }
}

/** The current end of the feed. */
export async function findFeedEnd(db: Db): Promise<Cursor> {
  const [row] = await db.unsafe<Cursor[]>(
    `select xid, position from event where xid < ${horizon} order by xid desc, position desc limit 1`,
  )
  return row ?? { xid: -1, position: 0 }
}

/**
 * Transaction numbers start over in a database that was restored into another cluster. Older events are then placed
 * before all new ones, in the order of their positions.
 */
export async function settleRestoredEvents(sql: Sql): Promise<void> {
  if (!(await isRestored(sql))) return
  await inTransaction(sql, async (tx) => {
    await tx`select pg_advisory_xact_lock(${sealLock})`
    if (!(await isRestored(tx))) return
    // The seals' entries can no longer be found by the feed's transaction numbers, so they get an index of their own.
    // With millions of events this takes a while.
    await indexByTransaction(tx)
    await tx`update audit_entry set feed_xid = 0 where sequence is not null`
    await tx`update webhook set after_xid = 0`
  })
}

async function isRestored(db: Db): Promise<boolean> {
  const [row] = await db<{ restored: boolean }[]>`
    select coalesce((select max(xid) from event) >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint, false) as restored`
  return row!.restored
}
