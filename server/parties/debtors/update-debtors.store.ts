/** Storing changes of debtors with their events and audit entries. Changes at the same time go in one statement. */
import { snakeCase } from '../../platform/database/columns.ts'
import { makeId } from '../../platform/database/make-id.ts'
import { rowParameters, rowsFrom, type ColumnTypes } from '../../platform/database/row-text.ts'
import { runStatement } from '../../platform/database/statement.ts'
import { batchQueries, changeBatches } from '../../platform/database/query-batcher.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { recordFromStatement, type Change } from '../../platform/events/record.ts'
import type { Origin } from '../../platform/http/caller.ts'
import type { DebtorRecord } from './debtors.rules.ts'
import { recordNames, type DebtorForChange } from './debtors.store.ts'

/** A change of a debtor as it was read; `duplicateNumber` is stored with a new identity number. */
export interface DebtorUpdate {
  debtorGuid: string
  before: DebtorForChange
  changes: Change['changes']
  duplicateNumber: number
  origin: Origin
}

const givenTypes: ColumnTypes = {
  id: 'uuid',
  read_version: 'int',
  read_sequence: 'bigint',
  /** The new values by column; the other columns stay. */
  members: 'text',
  is_searched: 'boolean',
  entry_id: 'uuid',
  business_date: 'date',
  actor_id: 'uuid',
  request_id: 'text',
  operation: 'text',
  data: 'text',
  changes: 'text',
}

const columns = [...recordNames.map(snakeCase), 'duplicate_number']

/** A debtor that somebody else holds, or has changed since it was read, is passed over: nobody waits for another's. */
const updateText = `
  with held as (
    select g.*, jsonb_populate_record(d, g.members::jsonb) as wanted
    from ${rowsFrom(givenTypes, 1)} g
    join debtor d on d.id = g.id and d.version = g.read_version and d.event_sequence = g.read_sequence
    for no key update of d skip locked
  ),
  changed as (
    update debtor d set version = d.version + 1, event_sequence = d.event_sequence + 1,
      ${columns.map((column) => `${column} = (h.wanted).${column}`).join(', ')}
    from held h where d.id = h.id
    returning h.*, d.event_sequence, d.full_name,
      case when h.is_searched then debtor_search_keys(d) end as search_keys
  ),
  described as (
    update item i set primary_description = c.full_name, search_keys = c.search_keys
    from changed c where i.guid = c.id and c.is_searched
  ),
  entry as (
    select entry_id as id, business_date, actor_id, request_id, operation,
      'debtor.updated' as type, 'updated' as action, 'debtor' as entity, id as subject, id as entity_id,
      event_sequence as sequence, data::jsonb as data, changes::jsonb as changes
    from changed
  ),
  ${recordFromStatement('entry')}
  select entry_id as id from changed`

/** Returns whether the change was stored: not if somebody else held or changed the debtor meanwhile. */
export const updateDebtor = (db: Db, update: DebtorUpdate): Promise<boolean> =>
  updateBatched(db, update, batchKind(update))

/**
 * A new identity number waits for an open transaction that stores the same one, so it goes alone. A new name waits for
 * who holds the debtor's cases, so names go apart from the other members, which wait for nothing.
 */
function batchKind({ changes }: DebtorUpdate): unknown {
  if ('idNumber' in changes || 'idCountryCode' in changes) return Symbol('alone')
  return 'fullName' in changes ? 'names' : 'others'
}

const updateBatched = batchQueries<DebtorUpdate, boolean>(async (db, all) => {
  const rows = all.map(makeRow)
  const stored = await runStatement<{ id: string }>(db, updateText, rowParameters(givenTypes, rows), {
    prepare: true,
  })
  const ids = new Set(stored.map(({ id }) => id))
  return rows.map((row) => ids.has(row.entry_id))
}, changeBatches)

/** The members that the search finds a debtor by: those of the function `debtor_search_keys`, and the name. */
export const searchedMembers: readonly (keyof DebtorRecord)[] = [
  'fullName',
  'idNumber',
  'homePhone',
  'workPhone',
  'cellularPhone',
  'email',
  'conversationNotificationEmail',
  'conversationNotificationCellularPhone',
]

function makeRow({ debtorGuid, before, changes, duplicateNumber, origin }: DebtorUpdate) {
  const { idCountryCode: country, ...audited } = changes
  const members = Object.fromEntries(
    Object.entries(changes).map(([name, [, value]]) => [snakeCase(name), value]),
  )
  if ('idNumber' in changes || country) members['duplicate_number'] = duplicateNumber
  return {
    id: debtorGuid,
    read_version: before.version,
    read_sequence: before.eventSequence,
    members: JSON.stringify(members),
    is_searched: searchedMembers.some((name) => name in changes),
    entry_id: makeId(),
    business_date: origin.businessDate,
    actor_id: origin.actorId,
    request_id: origin.requestId,
    operation: origin.operation,
    data: JSON.stringify({ debtorGuid, changed: Object.keys(audited) }),
    changes: JSON.stringify(audited),
  }
}
