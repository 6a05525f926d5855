import { runStatement } from '../database/statement.ts'
import { columnsOf, selectOf } from '../database/columns.ts'
import type { Db } from '../database/transaction.ts'
import type { Caller } from '../http/caller.ts'
import type { HoldingKind, HoldingRecord } from './holding-kinds.ts'
import { majorOf } from './holdings.rules.ts'

export type StoredHolding = HoldingRecord & { version: number }

const guidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const selectFor = ({ members, columns = {}, computed = [], guidName }: HoldingKind) => {
  const stored = members.filter((name) => !computed.includes(name))
  const own = { ...columnsOf(stored, 'h', columns), [guidName]: 'h.id' }
  return `${selectOf(own)}${computed.includes('amount') ? ', h.amount_minor as amount' : ''}, h.version`
}

/** The record, if it is of a client that the caller may see. */
export async function findHolding(
  db: Db,
  caller: Caller,
  kind: HoldingKind,
  guid: string,
  { lock = false } = {},
): Promise<StoredHolding | undefined> {
  const [row] = await runStatement<StoredHolding>(
    db,
    `select ${selectFor(kind)} from ${kind.table} h
     where h.id = $1 and ($2::uuid[] is null or h.client_id = any($2::uuid[]))${lock ? ' for update' : ''}`,
    [guid, caller.partyIds],
    { prepare: true },
  )
  if (row && typeof row['amount'] === 'number')
    row['amount'] = majorOf(row['amount'], String(row['currencyCode']))
  return row
}

/** The identifier of a client that the caller may see, else null. */
export async function findClient(db: Db, caller: Caller, clientGuid: string): Promise<string | null> {
  if (!guidPattern.test(clientGuid)) return null
  const [row] = await db<{ id: string }[]>`
    select id from party where id = ${clientGuid}
      and (${caller.partyIds === null} or id = any(${[...(caller.partyIds ?? [])]}::uuid[]))`
  return row?.id ?? null
}

export async function isCustomerOf(db: Db, clientGuid: string, customerGuid: string): Promise<boolean> {
  if (!guidPattern.test(customerGuid) || !guidPattern.test(clientGuid)) return false
  const rows = await db`select from customer where id = ${customerGuid} and client_id = ${clientGuid}`
  return rows.length === 1
}

export async function isVisibleDebtor(db: Db, caller: Caller, debtorGuid: string): Promise<boolean> {
  if (!guidPattern.test(debtorGuid)) return false
  const rows = await db`
    select from debtor where id = ${debtorGuid}
      and (${caller.partyIds === null} or created_by_party_id = ${caller.partyId})`
  return rows.length === 1
}

export async function countUses(
  db: Db,
  { usedBy }: HoldingKind,
  guid: string,
): Promise<Record<string, number>> {
  const [notes] = await db<{ count: number }[]>`
    select count(*)::int as count from note where item_guid = ${guid}`
  const uses: Record<string, number> = { notes: notes!.count }
  for (const { what, table, column } of usedBy) {
    const [row] = await db<{ count: number }[]>`
      select count(*)::int as count from ${db(table)} where ${db(column)} = ${guid}`
    uses[what] = row!.count
  }
  return uses
}

export async function insertItem(
  tx: Db,
  kind: HoldingKind,
  guid: string,
  record: HoldingRecord,
): Promise<void> {
  const [primary, secondary] = kind.describe(record)
  await tx`
    insert into item (guid, type, primary_description, secondary_description, party_id)
    values (${guid}, ${kind.itemType}, ${primary}, ${secondary}, ${record['clientGuid'] as string})`
}

export async function updateItem(
  tx: Db,
  kind: HoldingKind,
  guid: string,
  record: HoldingRecord,
): Promise<void> {
  const [primary, secondary] = kind.describe(record)
  await tx`
    update item set primary_description = ${primary}, secondary_description = ${secondary} where guid = ${guid}`
}

export async function deleteItem(tx: Db, guid: string): Promise<void> {
  await tx`delete from favorite where target = ${guid}`
  await tx`delete from item where guid = ${guid}`
}
