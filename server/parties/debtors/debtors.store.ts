import { listFieldNames } from '../../../contract/metadata/fields.ts'
import { Debtor, DebtorListItem, mainAddressFields } from '../../../contract/parties/debtors.ts'
import { memberColumns, selectList, snakeCase } from '../../platform/database/columns.ts'
import { findRow, type RowSource } from '../../platform/database/find-row.ts'
import { runStatement } from '../../platform/database/statement.ts'
import {
  listRows,
  type ListContext,
  type ListSource,
  type Page,
  type PageQuery,
} from '../../platform/database/list.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { visibleDebtors } from './debtors.scope.ts'
import { filterableProperties, withLookups, type Lookup } from '../../platform/odata/properties.ts'
import { noDebtor, type DebtorRecord } from './debtors.rules.ts'

const listColumns = memberColumns(Object.keys(DebtorListItem.properties), 'd', { debtorGuid: 'id' })
/** The search item of a debtor has its e-mail and phone numbers: an index of their columns would make changes slow. */
const contactLookup = (kind: 'e' | 'p'): Lookup => ({
  key: 'd.id',
  select: (values, match) => `select contact.guid from item contact
    where contact.lexemes @@ contact_question('${kind}', ${values}, '${match === 'whole' ? '' : ':*'}')`,
})
const lookups = new Map([
  ['email', contactLookup('e')],
  // A country with its trunk or area code, such as +4670, is the beginning of a large part of all numbers.
  ['cellularphone', { ...contactLookup('p'), shortestBeginning: 7 }],
])
const listSource: ListSource<'debtor'> = {
  entity: 'debtor',
  from: 'debtor d',
  key: 'd.id',
  select: selectList(listColumns),
  properties: withLookups(filterableProperties(DebtorListItem, listColumns, ['zipCode']), lookups),
  totalsKeptAs: 'debtor',
  named: 'd.full_name',
}

export const listDebtors = (
  db: Db,
  caller: Caller,
  query: PageQuery,
  context: ListContext,
): Promise<Page<DebtorListItem>> =>
  listRows<DebtorListItem, 'debtor'>(db, listSource, visibleDebtors(caller), query, context)

export type StoredDebtor = Omit<Debtor, 'links'>

const { links: _, ...storedMembers } = Debtor.properties
export const findColumns = selectList(memberColumns(Object.keys(storedMembers), 'd', { debtorGuid: 'id' }))

/** The list of debtors, with their address of the moment. */
export const debtorListRows = listSource

/** Whole debtors, for an export. */
export const debtorRows: ListSource<'debtor'> = { ...listSource, select: findColumns }

const oneDebtor = { entity: 'debtor', from: 'debtor d', key: 'd.id' } as const
const findSource = { ...oneDebtor, select: `${findColumns}, d.version`, keyMember: 'debtorGuid' }

export const findDebtor = (
  db: Db,
  caller: Caller,
  debtorGuid: string,
): Promise<(StoredDebtor & { version: number }) | undefined> =>
  findRow(db, findSource, debtorGuid, visibleDebtors(caller))

export const recordNames = listFieldNames(noDebtor)
const changeSource: RowSource<'debtor'> = {
  ...oneDebtor,
  select: `${selectList(memberColumns(recordNames, 'd'))}, d.id as "debtorGuid", d.version,
    d.event_sequence as "eventSequence", d.country_code as "countryCode"`,
  keyMember: 'debtorGuid',
  isChanged: true,
}

export interface DebtorForChange {
  record: DebtorRecord
  version: number
  eventSequence: number
  /** Of the address shown, to read national phone numbers by. */
  countryCode: string | null
}

export async function findDebtorForChange(
  db: Db,
  caller: Caller,
  debtorGuid: string,
): Promise<DebtorForChange | undefined> {
  const row = await findRow<
    DebtorRecord & Omit<DebtorForChange, 'record'> & { debtorGuid: string },
    'debtor'
  >(db, changeSource, debtorGuid, visibleDebtors(caller))
  if (!row) return undefined
  const { debtorGuid: _guid, version, eventSequence, countryCode, ...record } = row
  return { record, version, eventSequence, countryCode }
}

const shownColumns = listFieldNames(mainAddressFields).map(snakeCase)
const shownBy = (alias: string) => shownColumns.map((column) => `${alias}.${column}`).join(', ')

/** Brings the copy of the shown address up to date: for one debtor, or for all whose validity begins or ends. */
const shownAddress = `
  update debtor d set (${shownColumns.join(', ')}) = row (${shownBy('a')})
  from touched t left join address a on a.debtor_id = t.debtor_id and a.default_address
    and (a.valid_from is null or a.valid_from <= $1::date) and (a.valid_to is null or a.valid_to >= $1::date)
    and (a.address_not_valid_date is null or a.address_not_valid_date > $1::date)
  where d.id = t.debtor_id and (${shownBy('d')}) is distinct from (${shownBy('a')})`

export async function refreshShownAddress(tx: Db, debtorGuid: string, today: string): Promise<void> {
  await runStatement(
    tx,
    `with touched as (select $2::uuid as debtor_id) ${shownAddress}`,
    [today, debtorGuid],
    {
      prepare: true,
    },
  )
}

const between = (column: string) => `${column} between $2::date - 1 and $3::date + 1`

/** What follows from the business date: which address is shown, and who is under age. */
export async function rollDebtors(tx: Db, { from, to }: { from: string; to: string }): Promise<void> {
  const [first, last] = from < to ? [from, to] : [to, from]
  await runStatement(
    tx,
    `with touched as (
       select debtor_id from address where default_address and ${between('valid_from')}
       union select debtor_id from address where default_address and ${between('valid_to')}
       union select debtor_id from address where default_address and ${between('address_not_valid_date')}
     ) ${shownAddress}`,
    [to, first, last],
  )
  // Of age from the 18th birthday on; who was born on 29 February from 1 March (core/identity/age.ts).
  await tx`
    update debtor set under_aged = not under_aged
    where date_of_birth between ${first}::date - interval '18 years 2 days' and ${last}::date - interval '18 years' + interval '2 days'
      and under_aged is distinct from
        ((extract(year from date_of_birth)::int + 18)::text || to_char(date_of_birth, '-MM-DD') > ${to})`
}
