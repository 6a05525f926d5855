/**
 * A change of members that stand for themselves: what they become follows from what is given alone, whatever else the record
 * holds. So nothing has to be read before, and one statement finds the debtor, changes it and notes what it was. What it
 * does not change, for whatever reason, is left to the way that reads the record first, and can tell the reason.
 */
import type { DebtorChange } from '../../../contract/parties/debtors.ts'
import { makeId } from '../../platform/database/make-id.ts'
import { oneRowFrom, rowParameters, rowsFrom, type ColumnTypes } from '../../platform/database/row-text.ts'
import { KeptTexts, runStatement, type Parameter } from '../../platform/database/statement.ts'
import { batchQueries } from '../../platform/database/query-batcher.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { recordedFromText } from '../../platform/events/record.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import { MemberChecks } from '../../platform/http/errors.ts'
import { visibleDebtors } from './debtors.scope.ts'
import type { Scope } from '../../platform/database/row-scope.ts'
import type { IfMatch } from '../../platform/http/version.ts'
import { columnName, isSearchedColumn, describedText } from './debtors.store.ts'
import { applyDebtorInput, noDebtor, type DebtorContext } from './debtors.rules.ts'

/** Which ones, with the types of their columns. */
const freeMembers = {
  placeOfBirth: 'text',
  gender: 'int',
  cultureCode: 'text',
  domicile: 'text',
  municipalCode: 'text',
  naceCode: 'text',
  email: 'text',
  languageCode: 'text',
  currencyCode: 'text',
  conversationNotificationChannel: 'int',
  conversationNotificationEmail: 'text',
} as const
type FreeMember = keyof typeof freeMembers

const freeNames = Object.keys(freeMembers) as FreeMember[]
const isFree = (name: string) => Object.hasOwn(freeMembers, name)

export type FreeChange = Partial<Record<FreeMember, Parameter>>

/** What an input makes of members that stand for themselves; undefined when it gives others too, none, or a wrong one. */
export function freeChangeOf(input: DebtorChange, context: DebtorContext): FreeChange | undefined {
  const names = Object.entries(input).flatMap(([name, value]) => (value === null ? [] : [name]))
  if (names.length === 0 || !names.every(isFree)) return undefined
  const checks = new MemberChecks()
  const record = applyDebtorInput({ ...noDebtor, fullName: 'Anyone' }, input, context, checks)
  if (checks.any) return undefined
  // In one order, whatever the caller's: each order would be a statement of its own.
  return Object.fromEntries(
    freeNames.filter((name) => names.includes(name)).map((name) => [name, record[name]]),
  )
}

/** What is wanted besides the members, as columns of a row. */
const wantedTypes = {
  id: 'uuid',
  versions: 'int[]',
  entry_id: 'uuid',
  business_date: 'date',
  actor_id: 'uuid',
  request_id: 'text',
  operation: 'text',
  data: 'text',
} as const

interface Wanted {
  scope: Scope<'debtor'>
  names: readonly FreeMember[]
  row: Readonly<Record<string, Parameter>>
}

/**
 * Changes them if the caller may see the debtor, wants the version that there is, all of them become something else, and
 * nobody else is changing the debtor just now. Returns the new version, else undefined: then nothing has been written.
 */
export async function changeAtOnce(
  db: Db,
  caller: Caller,
  { debtorGuid, change, ifMatch }: { debtorGuid: string; change: FreeChange; ifMatch: IfMatch },
  origin: Origin,
): Promise<number | undefined> {
  const names = Object.keys(change) as FreeMember[]
  const row = {
    id: debtorGuid,
    versions: wantedVersions(ifMatch),
    entry_id: makeId(),
    business_date: origin.businessDate,
    actor_id: origin.actorId,
    request_id: origin.requestId,
    operation: origin.operation,
    data: JSON.stringify({ debtorGuid, changed: names }),
    ...change,
  } satisfies Record<keyof typeof wantedTypes, Parameter>
  const wanted = { scope: visibleDebtors(caller), names, row }
  // Who sees everything sees it alike; of restricted callers each has a condition of their own.
  const seesAll = wanted.scope.at(1).text === 'true'
  return seesAll ? changeBatched(db, wanted, names.join()) : (await changeAll(db, [wanted]))[0]
}

/** Null for any version. */
const wantedVersions = (ifMatch: IfMatch): number[] | null =>
  ifMatch === undefined || ifMatch === '*'
    ? null
    : ifMatch.flatMap((tag) => (/^"\d{1,9}"$/.test(tag) ? [Number(tag.slice(1, -1))] : []))

/** Of the same members, by callers who see the same. */
async function changeAll(db: Db, all: readonly Wanted[]): Promise<(number | undefined)[]> {
  const [{ scope: visible, names, row }] = all as [Wanted]
  const types = typesOf(names)
  const isOne = all.length === 1
  const given = isOne
    ? Object.keys(types).map((name) => row[name]!)
    : rowParameters(
        types,
        all.map((one) => one.row),
      )
  const scope = visible.at(1 + given.length)
  const { text, prepare } = texts.textOf(`${names.join()} ${isOne} ${scope.text}`, () =>
    writeChange(names, isOne ? oneRowFrom(types, 1) : rowsFrom(types, 1), scope.text),
  )
  const changed = await runStatement<{ id: string; version: number }>(
    db,
    text,
    [...given, ...scope.parameters],
    {
      prepare,
    },
  )
  const versions = new Map(changed.map(({ id, version }) => [id, version]))
  return all.map((one) => versions.get(one.row['entry_id'] as string))
}

const changeBatched = batchQueries(changeAll)

const typesOf = (names: readonly FreeMember[]): ColumnTypes => ({
  ...wantedTypes,
  ...Object.fromEntries(names.map((name) => [name, freeMembers[name]])),
})

/** Of members that are changed in all combinations. */
const texts = new KeptTexts(100)

/**
 * A debtor that somebody else holds is passed over: nobody waits for what has nothing to do with them. Of one that was
 * changed since the statement began PostgreSQL holds the newest version, and looks at the conditions again.
 */
function writeChange(names: readonly FreeMember[], given: string, scope: string): string {
  const members = names.map((name) => {
    const column = columnName(name)
    return { name, column, was: `was_${column}` }
  })
  const listOf = (write: (member: (typeof members)[number]) => string, between = ', ') =>
    members.map(write).join(between)
  const isSearched = members.some(({ column }) => isSearchedColumn(column))
  return `
  with held as (
    select g.*, was.*
    from ${given} g cross join lateral (
      select ${listOf(({ column, was }) => `d.${column} as ${was}`)} from debtor d
      where d.id = g.id and (g.versions is null or d.version = any(g.versions))
        and ${listOf(({ name, column }) => `d.${column} is distinct from g.${name}`, ' and ')} and ${scope}
      for no key update skip locked
    ) was
  ),
  changed as (
    update debtor d set version = d.version + 1, event_sequence = d.event_sequence + 1,
      ${listOf(({ name, column }) => `${column} = h.${name}`)}
    from held h where d.id = h.id
    returning h.*, d.version, d.event_sequence ${isSearched ? ', d.full_name, debtor_search_keys(d) as search_keys' : ''}
  ),
  ${isSearched ? `${describedText},` : ''}
  entry as (
    select entry_id as id, business_date, actor_id, request_id, operation,
      'debtor.updated' as type, 'updated' as action, 'debtor' as entity, id as subject, id as entity_id,
      event_sequence as sequence, data::jsonb as data,
      jsonb_build_object(${listOf(({ name, was }) => `'${name}', jsonb_build_array(${was}, ${name})`)}) as changes
    from changed
  ),
  ${recordedFromText('entry')}
  select entry_id as id, version from changed`
}
