/** Storing new debtors, one or many, with their addresses, events and audit entries, and what keeps doubles apart. */
import { listFieldNames } from '../../../contract/metadata/fields.ts'
import { addressMemberFields } from '../../../contract/parties/addresses.ts'
import { debtorMemberFields, mainAddressFields } from '../../../contract/parties/debtors.ts'
import { listColumnTypes, snakeCase } from '../../platform/database/columns.ts'
import { makeId } from '../../platform/database/make-id.ts'
import {
  rowParameterCount,
  rowParameters,
  rowsFrom,
  rowsIn,
  type ColumnTypes,
} from '../../platform/database/row-text.ts'
import { runStatement } from '../../platform/database/statement.ts'
import { batchQueries } from '../../platform/database/query-batcher.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { inWaitPlace, isLockTimeout } from '../../platform/database/driver/wait-places.ts'
import type { Sql } from '../../platform/database/driver/pool.ts'
import {
  initialChanges,
  recordStatement,
  recordParameters,
  toRecords,
  type Change,
} from '../../platform/events/record.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import { visibleDebtors } from './debtors.scope.ts'
import type { AddressRecord } from './addresses.rules.ts'
import type { DebtorRecord } from './debtors.rules.ts'
import { findColumns, recordNames, type StoredDebtor } from './debtors.store.ts'
import { compareTexts } from '../../../core/text/compare-texts.ts'

/** A debtor to be inserted with its main address. */
export interface NewDebtor {
  record: DebtorRecord
  mainAddress: AddressRecord | null
  /** The import's own reference. */
  sourceReference: string | null
  /** The reference and the day of registration in the installation that the debtor comes from. Default: new ones. */
  debtorReference?: string | null
  regDate?: string | null
}

export interface InsertedDebtor {
  debtorGuid: string
  debtorReference: string
}

/** The members of a debtor's row that come from its record and its address, with their columns. */
const recordPairs = recordNames.map((name) => [name, snakeCase(name)] as const)
const shownPairs = listFieldNames(mainAddressFields).map((name) => [name, snakeCase(name)] as const)
const addressPairs = listFieldNames(addressMemberFields).map((name) => [name, snakeCase(name)] as const)

const debtorTypes: ColumnTypes = {
  id: 'uuid',
  ...listColumnTypes(debtorMemberFields),
  ...listColumnTypes(mainAddressFields),
  preferred_channel: 'text',
  id_country_code: 'text',
  duplicate_number: 'int',
  reg_date: 'timestamptz',
  created_by_party_id: 'uuid',
  source_reference: 'text',
  event_sequence: 'bigint',
}
/** Where there is none, the debtor gets the next number. */
const referenceColumn = 'debtor_reference'
const givenTypes: ColumnTypes = { ...debtorTypes, [referenceColumn]: 'text' }
const addressTypes: ColumnTypes = {
  id: 'uuid',
  debtor_id: 'uuid',
  ...listColumnTypes(addressMemberFields),
  last_updated_at: 'timestamptz',
}

export interface InsertOptions {
  origin: Origin
  partyId: string | null
  duplicateNumber?: number
}

interface Made {
  debtor: NewDebtor
  options: InsertOptions
}

/**
 * Inserts debtors with their addresses, events and audit entries, all in one statement. A debtor whose identity number
 * or source reference there is already stays out: it is missing from the result, which is in the order of `debtors`.
 */
export const insertDebtors = (
  db: Db,
  debtors: readonly NewDebtor[],
  options: InsertOptions,
): Promise<(InsertedDebtor | undefined)[]> =>
  insertRows<InsertedDebtor>(
    db,
    debtors.map((debtor) => ({ debtor, options })),
    { select: 'd.id as "debtorGuid", d.debtor_reference as "debtorReference"' },
  )

type StoredRow = StoredDebtor & { version: number }

/**
 * The same for one debtor, whose stored record comes back in the same round trip. A create waits for an open transaction
 * that stores its identity number, for some seconds; few creates wait at once, so that connections stay for others.
 */
export async function insertDebtor(
  db: Db,
  debtor: NewDebtor,
  options: InsertOptions,
): Promise<StoredRow | undefined> {
  const made = { debtor, options }
  if (!('begin' in db)) return (await insertRows<StoredRow>(db, [made], { select: selectStored }))[0]
  try {
    return await insertBatched(db, made)
  } catch (error) {
    if (!isLockTimeout(error)) throw error
    const [row] = await inWaitPlace(db as Sql, waitsMs, (lockTimeoutMs) =>
      insertRows<StoredRow>(db, [made], { select: selectStored, lockTimeoutMs }),
    )
    return row
  }
}

/**
 * In the order of identity numbers, so that two batches never wait for each other. A batch gives up soon on the lock of
 * an open transaction, and each create is tried alone.
 */
const insertBatched = batchQueries<Made, StoredRow | undefined>(async (db, all) => {
  const inOrder = all.toSorted((one, other) => compareTexts(formatIdNumber(one), formatIdNumber(other)))
  const inserted = await insertRows<StoredRow>(db, inOrder, {
    select: selectStored,
    lockTimeoutMs: shortWaitMs,
  })
  return all.map((made) => inserted[inOrder.indexOf(made)])
})

const selectStored = `${findColumns}, d.version`

const formatIdNumber = ({ debtor: { record } }: Made) => `${record.idCountryCode} ${record.idNumber}`

interface InsertText {
  select: string
  /** For how long the statement waits for a lock. */
  lockTimeoutMs?: number
}

/** Longer than another create holds an identity number, as a rule. */
const shortWaitMs = 50
/** Then the request is answered 503, to be tried again. */
const waitsMs = 5_000
/** Evaluated once, before the first row is inserted. Ends with the statement, which is a transaction of its own. */
const limitWait = (parameter: number) =>
  `where (select set_config('lock_timeout', $${parameter}::text, true)) is not null`

/** The last parameter is the limit of the wait, if there is one. */
const insertText = ({ select, lockTimeoutMs }: InsertText) => `
  with inserted as (
    insert into debtor (${Object.keys(givenTypes).join(', ')})
    select ${Object.keys(debtorTypes).join(', ')},
      coalesce(n.${referenceColumn}, with_luhn_digit(nextval('debtor_reference_number')))
    from ${rowsFrom(givenTypes, 1)} n ${lockTimeoutMs === undefined ? '' : limitWait(1 + 3 * rowParameterCount)}
    on conflict do nothing
    returning *, debtor_search_keys(debtor) as search_keys
  ),
  placed as (
    insert into address (${Object.keys(addressTypes).join(', ')})
    select * from ${rowsFrom(addressTypes, 1 + rowParameterCount)} n
    where debtor_id in (select id from inserted)
  ),
  described as (
    insert into item (guid, type, primary_description, secondary_description, debtor_id, search_keys)
    select id, 3, full_name, debtor_reference, id, search_keys from inserted
  ),
  ${recordStatement(1 + 2 * rowParameterCount, 'r.subject in (select id from inserted)')}
  select ${select} from inserted d`

async function insertRows<T extends { debtorGuid: string }>(
  db: Db,
  all: readonly Made[],
  text: InsertText,
): Promise<(T | undefined)[]> {
  const rows = all.map(makeRows)
  const records = toRecords(
    rows.flatMap(({ changes }, index) => changes.map(() => all[index]!.options.origin)),
    rows.flatMap(({ changes }) => changes),
  )
  const parameters = [
    ...rowParameters(
      givenTypes,
      rows.map(({ debtor }) => debtor),
    ),
    ...rowParameters(
      addressTypes,
      rows.flatMap(({ address }) => address),
    ),
    ...recordParameters(records),
    ...(text.lockTimeoutMs === undefined ? [] : [`${text.lockTimeoutMs}ms`]),
  ]
  const inserted = await runStatement<T>(db, insertText(text), parameters, { prepare: true })
  const byGuid = new Map(inserted.map((row) => [row.debtorGuid, row as T]))
  return rows.map(({ debtor }) => byGuid.get(debtor.id))
}

type Row = Record<string, unknown> & { id: string }

function makeRows({
  debtor: { record, mainAddress, sourceReference, debtorReference = null, regDate = null },
  options: { origin, partyId, duplicateNumber = 0 },
}: Made): { debtor: Row; address: Row[]; changes: Change[] } {
  const id = makeId()
  const debtor: Row = { id }
  fillRow(debtor, record, recordPairs)
  if (mainAddress) fillRow(debtor, mainAddress, shownPairs)
  debtor['duplicate_number'] = duplicateNumber
  debtor['reg_date'] = `${regDate ?? origin.businessDate}T00:00:00Z`
  debtor[referenceColumn] = debtorReference
  debtor['created_by_party_id'] = partyId
  debtor['source_reference'] = sourceReference
  debtor['event_sequence'] = mainAddress ? 2 : 1
  const created: Change = {
    type: 'debtor.created',
    entityId: id,
    subject: id,
    sequence: 1,
    data: { debtorGuid: id },
    changes: initialChanges(record, 'idCountryCode'),
  }
  if (!mainAddress) return { debtor, address: [], changes: [created] }
  const addressId = makeId()
  const address: Row = { id: addressId, debtor_id: id }
  fillRow(address, mainAddress, addressPairs)
  address['last_updated_at'] = new Date().toISOString()
  const placed: Change = {
    type: 'address.created',
    entityId: addressId,
    subject: id,
    sequence: 2,
    data: { debtorGuid: id, addressGuid: addressId },
    changes: initialChanges(mainAddress),
  }
  return { debtor, address: [address], changes: [created, placed] }
}

/** Members without a value are left out, which makes them null in the row and halves the JSON of a bulk insert. */
function fillRow<T>(row: Row, members: T, pairs: readonly (readonly [keyof T, string])[]): void {
  for (const [name, column] of pairs) {
    const value = members[name]
    if (value !== null) row[column] = value
  }
}

/** Debtors with the same identity number and country: their number, and one that the caller may see. */
export async function findDuplicate(
  db: Db,
  caller: Caller,
  record: DebtorRecord,
): Promise<{ count: number; debtorGuid: string | null }> {
  const scope = visibleDebtors(caller).at(3)
  const [row] = await runStatement<{ count: number; debtorGuid: string | null }>(
    db,
    `select coalesce(max(d.duplicate_number) + 1, 0) as count,
       (array_agg(d.id order by d.id) filter (where ${scope.text}))[1] as "debtorGuid"
     from debtor d where d.id_number = $1 and d.id_country_code = $2`,
    [record.idNumber, record.idCountryCode, ...scope.parameters],
  )
  return row!
}

/** Which of some import references there are. */
export async function findSourceReferences(db: Db, references: readonly string[]): Promise<Set<string>> {
  const rows = await db<{ reference: string }[]>`
    select source_reference as reference from debtor
    where source_reference = any(array(select unnest(${[...references]}::text[])))`
  return new Set(rows.map(({ reference }) => reference))
}

/** For each record the number that the next debtor with its identity number and country gets: 0 when there is none. */
export async function findNextDuplicateNumbers(db: Db, records: readonly DebtorRecord[]): Promise<number[]> {
  const given = records.map(({ idNumber, idCountryCode }, position) => ({
    idNumber,
    idCountryCode,
    position,
  }))
  const types = { idNumber: 'text', idCountryCode: 'text', position: 'int' }
  const rows = await db<{ next: number }[]>`
    select coalesce((select max(duplicate_number) + 1 from debtor d
      where d.id_number = n.idNumber and d.id_country_code = n.idCountryCode), 0) as next
    from ${rowsIn(db, types, given)} n
    order by n.position`
  return rows.map(({ next }) => next)
}
