/**
 * A change of members that stand for themselves: what they become follows from what is given alone, whatever else the record
 * holds. So nothing has to be read before, and one statement finds the debtor, changes it and notes what it was. What it
 * does not change, for whatever reason, is left to the way that reads the record first, and can tell the reason.
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

/**
 * Changes them if the caller may see the debtor, wants the version that there is, and all of them become something else.
 * Returns the new version, else undefined: then, or when another change came in between, nothing has been written.
 */
export async function changeAtOnce(
  db: Db,
  caller: Caller,
  { debtorGuid, change, ifMatch }: { debtorGuid: string; change: FreeChange; ifMatch: IfMatch },
  origin: Origin,
): Promise<number | undefined> {
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
    JSON.stringify({ debtorGuid, changed: names }),
    ...names.map((name) => change[name]!),
    ...scope.parameters,
  ]
  const [row] = await runStatement<{ version: number }>(db, changeText(names, scope.text), parameters, {
    prepare: true,
  })
  return row?.version
}

/** Null for any version. */
const wantedVersions = (ifMatch: IfMatch): number[] | null =>
  ifMatch === undefined || ifMatch === '*'
    ? null
    : ifMatch.flatMap((tag) => (/^"\d{1,9}"$/.test(tag) ? [Number(tag.slice(1, -1))] : []))

/** Parameters before those of the members. */
const fixedCount = 8

const texts = new Map<string, string>()

/** The same text for the same members and scope, so that it is put together once. */
function changeText(names: readonly FreeMember[], scope: string): string {
  const key = `${names.join()} ${scope}`
  let text = texts.get(key)
  if (text === undefined) {
    if (texts.size === textsMax) texts.clear()
    text = writeChange(names, scope)
    texts.set(key, text)
  }
  return text
}
const textsMax = 200

/**
 * `o` is the row as it was when the statement began. Of a row that somebody else has changed since, PostgreSQL looks at
 * the newest version, which then is not that of `o`: nothing is changed, rather than noted with a wrong value before.
 */
function writeChange(names: readonly FreeMember[], scope: string): string {
  const members = names.map((name, index) => {
    const column = columnName(name)
    return { name, column, value: `$${fixedCount + 1 + index}::${freeMembers[name]}` }
  })
  const listOf = (write: (member: (typeof members)[number]) => string, between = ', ') =>
    members.map(write).join(between)
  const isSearched = members.some(({ column }) => isSearchedColumn(column))
  return `
  with changed as (
    update debtor d set version = d.version + 1, event_sequence = d.event_sequence + 1,
      ${listOf(({ column, value }) => `${column} = ${value}`)}
    from debtor o
    where d.id = $1 and o.id = d.id and o.version = d.version and ($2::int[] is null or d.version = any($2::int[]))
      and ${listOf(({ column, value }) => `d.${column} is distinct from ${value}`, ' and ')} and ${scope}
    returning d.id, d.version, d.event_sequence, ${listOf(({ column }) => `o.${column}`)}
      ${isSearched ? ', d.full_name, debtor_search_keys(d) as search_keys' : ''}
  ),
  ${isSearched ? `${describedText},` : ''}
  entry as (
    select $3::uuid as id, $4::date as business_date, $5::uuid as actor_id, $6::text as request_id, $7::text as operation,
      'debtor.updated' as type, 'updated' as action, 'debtor' as entity, id as subject, id as entity_id,
      event_sequence as sequence, $8::text::jsonb as data,
      jsonb_build_object(${listOf(({ name, column, value }) => `'${name}', jsonb_build_array(${column}, ${value})`)}) as changes
    from changed
  ),
  ${recordedFromText('entry')}
  select version from changed`
}
