/**
 * The record of every change, written in its own transaction as one row: an event for followers (contract section 16)
 * and an audit entry (section 17). A store adds `recordedText` to the statement that makes the change.
 */
import type { EventType } from '../../../contract/platform/event-types.ts'
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

/** Changes with their origins, column by column as the statement needs them. */
export interface Records {
  dates: string[]
  actorIds: (string | null)[]
  requestIds: (string | null)[]
  operations: string[]
  ids: string[]
  types: string[]
  subjects: string[]
  sequences: number[]
  data: string[]
  entityIds: string[]
  changes: string[]
}

/** `origins` is one origin for all changes, or one for each. */
export function recordsOf(origins: Origin | readonly Origin[], changes: readonly Change[]): Records {
  const each = Array.isArray(origins) ? (origins as Origin[]) : changes.map(() => origins as Origin)
  return {
    dates: each.map(({ businessDate }) => businessDate),
    actorIds: each.map(({ actorId }) => actorId),
    requestIds: each.map(({ requestId }) => requestId),
    operations: each.map(({ operation }) => operation),
    ids: changes.map(() => makeId()),
    types: changes.map(({ type }) => type),
    subjects: changes.map(({ subject }) => subject),
    sequences: changes.map(({ sequence }) => sequence),
    data: changes.map(({ data }) => JSON.stringify(data)),
    entityIds: changes.map(({ entityId }) => entityId),
    changes: changes.map((change) => JSON.stringify(change.changes)),
  }
}

const entryColumns = `business_date, actor_id, request_id, operation,
      id, type, action, entity, subject, sequence, data, entity_id, changes`

/** The number of parameters of `recordedText` and `singleRecordedText`. */
export const recordParameterCount = 11

/**
 * A common table expression, `noted`, that writes the records. An entry is also the event: `event` is a view of
 * numbered entries. Its parameters, `recordParameters`, start at `$first`. `when` is a condition on earlier
 * expressions, so that a change that did not happen writes nothing: `exists (select from changed)`. It may be a join,
 * which has no order, so the rows are sorted: positions must increase with a subject's numbers.
 */
export function recordedText(first: number, when = 'true'): string {
  const [dates, actors, requests, operations, ids, types, subjects, sequences, data, entityIds, changes] =
    Array.from({ length: recordParameterCount }, (_, index) => `$${first + index}`)
  return `
  noted as (
    insert into audit_entry (${entryColumns})
    select r.date, r.actor, r.request, r.operation,
      r.id, r.type, split_part(r.type, '.', 2), split_part(r.type, '.', 1), r.subject, r.sequence, r.data::jsonb, r.entity_id, r.changes::jsonb
    from unnest(${dates}::date[], ${actors}::uuid[], ${requests}::text[], ${operations}::text[],
      ${ids}::uuid[], ${types}::text[], ${subjects}::uuid[], ${sequences}::bigint[], ${linesOf(data!)},
      ${entityIds}::uuid[], ${linesOf(changes!)})
      with ordinality r (date, actor, request, operation, id, type, subject, sequence, data, entity_id, changes, ordinality)
    where ${when}
    order by r.ordinality
  )`
}

/**
 * The same for a single change. `from` is an expression with one row if the change happened, and none otherwise.
 * Without unnesting and sorting it saves a fifth of the database's time for an entry.
 */
export function singleRecordedText(first: number, from: string): string {
  const [date, actor, request, operation, id, type, subject, sequence, data, entityId, changes] = Array.from(
    { length: recordParameterCount },
    (_, index) => `$${first + index}`,
  )
  return `
  noted as (
    insert into audit_entry (${entryColumns})
    select ${date}::date, ${actor}::uuid, ${request}::text, ${operation}::text,
      ${id}::uuid, ${type}::text, split_part(${type}, '.', 2), split_part(${type}, '.', 1), ${subject}::uuid,
      ${sequence}::bigint, ${data}::text::jsonb, ${entityId}::uuid, ${changes}::text::jsonb
    from ${from}
  )`
}

/** The same for changes with an origin each. `from` is an expression with an entry's columns. */
export const recordedFromText = (from: string) => `
  noted as (
    insert into audit_entry (${entryColumns}) select ${entryColumns} from ${from}
  )`

export const singleRecordParameters = (origin: Origin, change: Change): Parameter[] => [
  origin.businessDate,
  origin.actorId,
  origin.requestId,
  origin.operation,
  makeId(),
  change.type,
  change.subject,
  change.sequence,
  JSON.stringify(change.data),
  change.entityId,
  JSON.stringify(change.changes),
]

/** JSON values as an array of text, joined by line ends, which JSON does not contain. This avoids escaping quotes. */
const linesOf = (parameter: string) => `string_to_array(${parameter}::text, e'\\n')`

export const recordParameters = (records: Records): Parameter[] => [
  records.dates,
  records.actorIds,
  records.requestIds,
  records.operations,
  records.ids,
  records.types,
  records.subjects,
  records.sequences,
  records.data.join('\n'),
  records.entityIds,
  records.changes.join('\n'),
]

const insertText = `with ${recordedText(1)} select`

/** Writes records in a statement of their own, in the change's transaction. */
export async function insertRecords(tx: Db, records: Records): Promise<void> {
  await runStatement(tx, insertText, recordParameters(records), { prepare: true })
}

/** The members of a new record that have a value, as changes from null. */
export function changesOfNew(record: object, except?: string): Change['changes'] {
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
