import { isGuid } from '../../../core/text/guid.ts'
import { memberColumns, selectList, snakeCase } from '../../platform/database/columns.ts'
import { rowParameters, rowsFrom } from '../../platform/database/row-text.ts'
import { rowsHelper, runStatement } from '../../platform/database/statement.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { visibleClients } from '../clients/clients.scope.ts'
import { visibleDebtors } from '../debtors/debtors.scope.ts'
import type { HoldingKind, HoldingRecord } from './holding-kinds.ts'
import { toMajorUnits } from './holdings.rules.ts'

export type StoredHolding = HoldingRecord & { version: number }

const selectFor = ({ members, columns = {}, computed = [], guidName }: HoldingKind) => {
  const stored = members.filter((name) => !computed.includes(name))
  const own = { ...memberColumns(stored, 'h', columns), [guidName]: 'h.id' }
  return `${selectList(own)}${computed.includes('amount') ? ', h.amount_minor as amount' : ''}, h.version`
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
    row['amount'] = toMajorUnits(row['amount'], String(row['currencyCode']))
  return row
}

/** The identifier of a client that the caller may see, else null. */
export async function findClient(db: Db, caller: Caller, clientGuid: string): Promise<string | null> {
  if (!isGuid(clientGuid)) return null
  const scope = visibleClients(caller).at(2)
  const [row] = await runStatement<{ id: string }>(
    db,
    `select p.id from party p where p.id = $1 and ${scope.text}`,
    [clientGuid, ...scope.parameters],
    { prepare: true },
  )
  return row?.id ?? null
}

export async function isClientCustomer(db: Db, clientGuid: string, customerGuid: string): Promise<boolean> {
  if (!isGuid(customerGuid) || !isGuid(clientGuid)) return false
  const rows = await db`select from customer where id = ${customerGuid} and client_id = ${clientGuid}`
  return rows.length === 1
}

export async function isVisibleDebtor(db: Db, caller: Caller, debtorGuid: string): Promise<boolean> {
  if (!isGuid(debtorGuid)) return false
  const scope = visibleDebtors(caller).at(2)
  const rows = await runStatement(
    db,
    `select from debtor d where d.id = $1 and ${scope.text}`,
    [debtorGuid, ...scope.parameters],
    { prepare: true },
  )
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

export async function insertItems(
  tx: Db,
  kind: HoldingKind,
  made: readonly { guid: string; members: HoldingRecord }[],
): Promise<void> {
  const items = made.map(({ guid, members }) => {
    const [primary, secondary] = kind.describe(members)
    const descriptions = { primary_description: primary, secondary_description: secondary }
    return { guid, type: kind.itemType, ...descriptions, party_id: members['clientGuid'] as string }
  })
  await tx`insert into item ${rowsHelper(tx, items)}`
}

export interface HoldingNumber {
  clientGuid: string
  number: string
}

const numberTypes = { clientGuid: 'uuid', number: 'text' }

/** Of numbers, those that the clients have given already: from `numberKey` to the record's GUID. */
export async function findNumbers(
  db: Db,
  { table, number }: HoldingKind,
  wanted: readonly HoldingNumber[],
): Promise<Map<string, string>> {
  if (number === undefined || wanted.length === 0) return new Map()
  const column = snakeCase(number.member)
  const rows = await runStatement<HoldingNumber & { guid: string }>(
    db,
    `select h.client_id as "clientGuid", h.${column} as number, h.id as guid
     from ${rowsFrom(numberTypes, 1)} w
     join ${table} h on h.client_id = w.clientGuid and h.${column} = w.number`,
    rowParameters(numberTypes, wanted),
    { prepare: true },
  )
  return new Map(rows.map((row) => [numberKey(row), row.guid]))
}

export const numberKey = ({ clientGuid, number }: HoldingNumber): string => `${clientGuid} ${number}`

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
