/**
 * What every change leaves behind in its own transaction: an event for those who follow along (contract section 16) and
 * an audit entry for those who ask later (section 17). A store adds `recorded` to the statement that makes the change.
 */
import { v7 as uuidv7 } from 'uuid'
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

/** The rows of `event` and `audit_entry` for some changes, as parameters of the statement that makes them. */
export interface Records {
  events: object[]
  entries: object[]
}

export function recordsOf(origin: Origin, changes: readonly Change[]): Records {
  return {
    events: changes.map(({ type, subject, sequence, data }) => ({
      id: uuidv7(),
      type,
      subject,
      sequence,
      data,
    })),
    entries: changes.map((change) => {
      const [entity, action] = change.type.split('.')
      return {
        business_date: origin.businessDate,
        actor_id: origin.actorId,
        request_id: origin.requestId,
        operation: origin.operation,
        action,
        entity,
        entity_id: change.entityId,
        subject: change.subject,
        changes: change.changes,
      }
    }),
  }
}

/**
 * Two more common table expressions that write the records. `when` is a condition on the expressions before it, so that
 * a change that did not happen leaves nothing: `exists (select from changed)`. It may be a join, which keeps no order, so
 * that is asked for: positions rise with the numbers of a subject.
 */
export const recorded = (db: Db, records: Records, when = db`true`) => db`
  told as (
    insert into event (id, type, subject, sequence, data)
    select id, type, subject, sequence, data
    from jsonb_populate_recordset(null::event, ${db.json(records.events as never)}) with ordinality
    where ${when} order by ordinality
  ),
  noted as (
    insert into audit_entry (business_date, actor_id, request_id, operation, action, entity, entity_id, subject, changes)
    select business_date, actor_id, request_id, operation, action, entity, entity_id, subject, changes
    from jsonb_populate_recordset(null::audit_entry, ${db.json(records.entries as never)}) with ordinality
    where ${when} order by ordinality
  )`

/** Writes records by themselves, inside the transaction of the change. */
export async function insertRecords(tx: Db, records: Records): Promise<void> {
  await tx`with ${recorded(tx, records)} select`
}

/** The members of a new record that have a value, as changes from nothing. */
export const changesOfNew = (record: object): Change['changes'] =>
  Object.fromEntries(
    Object.entries(record)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => [name, [null, value]]),
  )

/** The members whose value differs. */
export function changesBetween(before: object, after: object): Change['changes'] {
  const old = before as Record<string, unknown>
  return Object.fromEntries(
    Object.entries(after)
      .filter(([name, value]) => JSON.stringify(old[name] ?? null) !== JSON.stringify(value ?? null))
      .map(([name, value]) => [name, [old[name] ?? null, value ?? null]]),
  )
}
