/**
 * The record of every change, written in its own transaction as one row: an event for followers (contract section 16)
 * and an audit entry (section 17). A store adds `recordStatement` to the statement that makes the change.
 */
import type { EventType } from '../../../contract/platform/event-types.ts'
import { rowParameters, rowsFrom } from '../database/row-text.ts'
import { runStatement, type Parameter } from '../database/statement.ts'
import { makeId } from '../database/make-id.ts'
import type { Db } from '../database/transaction.ts'
import type { Origin } from '../http/caller.ts'

export interface Change {
  /** The event's type, such as `address.updated`: entity, then action. */
  type: EventType
  entityId: string
  /** The record whose events are numbered: the debtor, for all records of a debtor. */
  subject: string
  /** The subject's next event number, without gaps. */
  sequence: number
  /** The event's data: identifiers and member names, never personal data. */
  data: Record<string, unknown>
  /** Each changed member with its value before and after. */
  changes: Record<string, readonly [before: unknown, after: unknown]>
}

/** A change as a row of the audit trail. `place` keeps the order: positions rise with the numbers of a subject. */
const recordTypes = {
  business_date: 'date',
  actor_id: 'uuid',
  request_id: 'text',
  operation: 'text',
  id: 'uuid',
  type: 'text',
  subject: 'uuid',
  sequence: 'bigint',
  data: 'jsonb',
  entity_id: 'uuid',
  changes: 'jsonb',
  place: 'int',
}
export type Records = readonly Readonly<Record<keyof typeof recordTypes, unknown>>[]

/** `origins` is that of all changes, or of each. */
export const toRecords = (origins: Origin | readonly Origin[], changes: readonly Change[]): Records =>
  changes.map((change, place) => {
    const origin = Array.isArray(origins) ? (origins as Origin[])[place]! : (origins as Origin)
    return {
      business_date: origin.businessDate,
      actor_id: origin.actorId,
      request_id: origin.requestId,
      operation: origin.operation,
      id: makeId(),
      type: change.type,
      subject: change.subject,
      sequence: change.sequence,
      data: change.data,
      entity_id: change.entityId,
      changes: change.changes,
      place,
    }
  })

const entryColumns = `business_date, actor_id, request_id, operation,
      id, type, action, entity, subject, sequence, data, entity_id, changes`

/**
 * One more common table expression, `noted`, that writes the records: an entry is the event too (`event` is a view of
 * those that have a number). Its parameters, `recordParameters`, begin at `$first`. `when` is a condition on the
 * expressions before it, so that a change that did not happen leaves nothing: `exists (select from changed)`. It may be
 * a join, which keeps no order, so that is asked for.
 */
export const recordStatement = (first: number, when = 'true'): string => `
  noted as (
    insert into audit_entry (${entryColumns})
    select r.business_date, r.actor_id, r.request_id, r.operation,
      r.id, r.type, split_part(r.type, '.', 2), split_part(r.type, '.', 1), r.subject, r.sequence, r.data, r.entity_id, r.changes
    from ${rowsFrom(recordTypes, first)} r
    where ${when}
    order by r.place
  )`

/** The same for changes with an origin each. `from` is an expression with an entry's columns. */
export const recordFromStatement = (from: string) => `
  noted as (
    insert into audit_entry (${entryColumns}) select ${entryColumns} from ${from}
  )`

export const recordParameters = (records: Records): Parameter[] => rowParameters(recordTypes, records)

const insertText = `with ${recordStatement(1)} select`

/** Writes records in a statement of their own, in the change's transaction. */
export async function insertRecords(tx: Db, records: Records): Promise<void> {
  await runStatement(tx, insertText, recordParameters(records), { prepare: true })
}

/** The members of a new record that have a value, as changes from null. */
export function initialChanges(record: object, except?: string): Change['changes'] {
  const changes: Change['changes'] = {}
  for (const [name, value] of Object.entries(record)) {
    if (value !== null && value !== undefined && name !== except) changes[name] = [null, value]
  }
  return changes
}

const isSame = (one: unknown, other: unknown) =>
  one === other || JSON.stringify(one) === JSON.stringify(other)

/** The members whose values differ. */
export function changesBetween(before: object, after: object): Change['changes'] {
  const old = before as Record<string, unknown>
  return Object.fromEntries(
    Object.entries(after)
      .filter(([name, value]) => !isSame(old[name] ?? null, value ?? null))
      .map(([name, value]) => [name, [old[name] ?? null, value ?? null]]),
  )
}
