/**
 * A change of members that stand for themselves: what they become follows from what is given alone, whatever else the record
 * holds. So nothing has to be read before, and one statement finds the debtor, changes it and notes what it was.
 */
import type { DebtorChange } from '../../contract/debtors.ts'
import { makeId } from '../database/make-id.ts'
import { runStatement, type Parameter } from '../database/statement.ts'
import type { Db } from '../database/transaction.ts'
import { recordedFromText } from '../events/record.ts'
import type { Caller, Origin } from '../http/caller.ts'
import { MemberChecks } from '../http/errors.ts'
import { debtorsOf } from '../http/restriction.ts'
import type { IfMatch } from '../http/version.ts'
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

const isFree = (name: string): name is FreeMember => Object.hasOwn(freeMembers, name)

export type FreeChange = Partial<Record<FreeMember, Parameter>>

/** What an input makes of members that stand for themselves; undefined when it gives others too, none, or a wrong one. */
export function freeChangeOf(input: DebtorChange, context: DebtorContext): FreeChange | undefined {
  const names = Object.entries(input).flatMap(([name, value]) => (value === null ? [] : [name]))
  if (names.length === 0 || !names.every(isFree)) return undefined
  const checks = new MemberChecks()
  const record = applyDebtorInput({ ...noDebtor, fullName: 'Anyone' }, input, context, checks)
  return checks.any ? undefined : Object.fromEntries(names.map((name) => [name, record[name]]))
}

/**
 * Changes them where the version is one that the caller wants. Returns the version that was found and whether anything
 * changed; undefined when there is no such debtor, or none that the caller may see.
 */
export async function changeAtOnce(
  db: Db,
  caller: Caller,
  { debtorGuid, change, ifMatch }: { debtorGuid: string; change: FreeChange; ifMatch: IfMatch },
  origin: Origin,
): Promise<{ version: number; changed: boolean } | undefined> {
  const names = Object.keys(change) as FreeMember[]
  const scope = debtorsOf(caller).at(fixedCount + names.length + 1)
  const parameters = [
    debtorGuid,
    wantedVersions(ifMatch),
    makeId(),
    origin.businessDate,
    origin.actorId,
    origin.requestId,
    origin.operation,
    ...names.map((name) => change[name]!),
    ...scope.parameters,
  ]
  const [row] = await runStatement<{ version: number; changed: boolean }>(
    db,
    changeText(names, scope.text),
    parameters,
    { prepare: true },
  )
  return row
}

/** Null for any version. */
const wantedVersions = (ifMatch: IfMatch): number[] | null =>
  ifMatch === undefined || ifMatch === '*'
    ? null
    : ifMatch.flatMap((tag) => (/^"\d{1,9}"$/.test(tag) ? [Number(tag.slice(1, -1))] : []))

/** Parameters before those of the members. */
const fixedCount = 7

function changeText(names: readonly FreeMember[], scope: string): string {
  const members = names.map((name, index) => {
    const column = columnName(name)
    const value = `$${fixedCount + 1 + index}::${freeMembers[name]}`
    return { name, column, value, isOther: `${column} is distinct from ${value}` }
  })
  const listOf = (write: (member: (typeof members)[number]) => string, between = ', ') =>
    members.map(write).join(between)
  const isSearched = members.some(({ column }) => isSearchedColumn(column))
  return `
  with held as (
    select d.id, d.version, d.event_sequence, ${listOf(({ column }) => `d.${column}`)}
    from debtor d where d.id = $1 and ${scope} for no key update
  ),
  told as (
    select * from held
    where ($2::int[] is null or version = any($2::int[])) and (${listOf(({ isOther }) => isOther, ' or ')})
  ),
  changed as (
    update debtor d set version = t.version + 1, event_sequence = t.event_sequence + 1,
      ${listOf(({ column, value }) => `${column} = ${value}`)}
    from told t where d.id = t.id
    returning d.id${isSearched ? ', d.full_name, debtor_search_keys(d) as search_keys' : ''}
  ),
  ${isSearched ? `${describedText},` : ''}
  entry as (
    select $3::uuid as id, $4::date as business_date, $5::uuid as actor_id, $6::text as request_id, $7::text as operation,
      'debtor.updated' as type, 'updated' as action, 'debtor' as entity, id as subject, id as entity_id,
      event_sequence + 1 as sequence,
      jsonb_build_object('debtorGuid', id, 'changed',
        array_remove(array[${listOf(({ name, isOther }) => `case when ${isOther} then '${name}' end`)}], null)) as data,
      ${listOf(({ name, column, value, isOther }) => `case when ${isOther} then jsonb_build_object('${name}', jsonb_build_array(${column}, ${value})) else '{}' end`, ' || ')} as changes
    from told
  ),
  ${recordedFromText('entry')}
  select held.version, exists (select from told) as changed from held`
}
