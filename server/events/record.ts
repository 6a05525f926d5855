/**
 * What every change leaves behind in its own transaction: an event for those who follow along (contract section 16) and
 * an audit entry for those who ask later (section 17). A store adds `recorded` to the statement that makes the change.
 */
import { makeId } from '../database/make-id.ts'
import type { Db } from '../database/transaction.ts'
import type { Origin } from '../http/caller.ts'

export interface Change {
  /** The event's type, such as `address.updated`; its first part is the entity, its second the action. */
  type: string
  entityId: string
  /** The record whose changes are told in order: the debtor, for all that belongs to a debtor. */
  subject: string
  /** The subject's next number, without gaps. */
  sequence: number
  /** What the event says: identifiers and names of members, never personal data. */
  data: Record<string, unknown>
  /** Member name to its value before and after. */
  changes: Record<string, [before: unknown, after: unknown]>
}

/** Some changes with their origin, a column at a time as the statement takes them. */
export interface Records {
  origin: Origin
  ids: string[]
  types: string[]
  subjects: string[]
  sequences: number[]
  data: string[]
  entityIds: string[]
  changes: string[]
}

export const recordsOf = (origin: Origin, changes: readonly Change[]): Records => ({
  origin,
  ids: changes.map(() => makeId()),
  types: changes.map(({ type }) => type),
  subjects: changes.map(({ subject }) => subject),
  sequences: changes.map(({ sequence }) => sequence),
  data: changes.map(({ data }) => JSON.stringify(data)),
  entityIds: changes.map(({ entityId }) => entityId),
  changes: changes.map((change) => JSON.stringify(change.changes)),
})

/**
 * Three more common table expressions that write the records. `when` is a condition on the expressions before it, so
 * that a change that did not happen leaves nothing: `exists (select from changed)`. It may be a join, which keeps no
 * order, so that is asked for: positions rise with the numbers of a subject.
 */
export const recorded = (db: Db, records: Records, when = db`true`) => db`
  recorded as materialized (
    select * from unnest(${records.ids}::uuid[], ${records.types}::text[], ${records.subjects}::uuid[],
      ${records.sequences}::bigint[], ${linesOf(db, records.data)}, ${records.entityIds}::uuid[], ${linesOf(db, records.changes)})
      with ordinality r (id, type, subject, sequence, data, entity_id, changes, ordinality)
    where ${when}
  ),
  told as (
    insert into event (id, type, subject, sequence, data)
    select id, type, subject, sequence, data::jsonb from recorded order by ordinality
  ),
  noted as (
    insert into audit_entry (business_date, actor_id, request_id, operation, action, entity, entity_id, subject, changes)
    select ${records.origin.businessDate}::date, ${records.origin.actorId}::uuid, ${records.origin.requestId}::text,
      ${records.origin.operation}::text, split_part(type, '.', 2), split_part(type, '.', 1), entity_id, subject, changes::jsonb
    from recorded order by ordinality
  )`

/** JSON as an array of text. It has no line ends, and as one text with these no quotes to escape on its way. */
const linesOf = (db: Db, json: readonly string[]) => db`string_to_array(${json.join('\n')}, e'\\n')`

/** Writes records by themselves, inside the transaction of the change. */
export async function insertRecords(tx: Db, records: Records): Promise<void> {
  await tx`with ${recorded(tx, records)} select`
}

/** The members of a new record that have a value, as changes from nothing. */
export function changesOfNew(record: object, except?: string): Change['changes'] {
  const changes: Change['changes'] = {}
  for (const [name, value] of Object.entries(record)) {
    if (value !== null && value !== undefined && name !== except) changes[name] = [null, value]
  }
  return changes
}

/** The members whose value differs. */
export function changesBetween(before: object, after: object): Change['changes'] {
  const old = before as Record<string, unknown>
  return Object.fromEntries(
    Object.entries(after)
      .filter(([name, value]) => JSON.stringify(old[name] ?? null) !== JSON.stringify(value ?? null))
      .map(([name, value]) => [name, [old[name] ?? null, value ?? null]]),
  )
}
