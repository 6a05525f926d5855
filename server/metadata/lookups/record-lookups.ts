/** Lookups of records that the caller may see. Items are found by an index; the other tables are small and scanned. */
import { itemAccess, itemTypes, type ItemType } from '../../../contract/metadata/items.ts'
import { lookupValuesMax } from '../../../contract/metadata/lookups.ts'
import { foldText } from '../../../core/text/fold-text.ts'
import { isGuid } from '../../../core/text/guid.ts'
import { visibleHandlers } from '../../access/users/users.scope.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { findItem } from '../search/items.store.ts'
import { findLookupItems, type LookupItem } from '../search/lookup-items.store.ts'
import type { SqlText } from '../../platform/odata/writer.ts'
import type { LookupMatch, Lookup, LookupRequest } from './lookup.ts'
import { bestMatches } from './match.ts'
import { runStatement } from '../../platform/database/statement.ts'

const record = { closed: true, short: false } as const

const described = (name: string | null, code: string | null) =>
  code ? `${name ?? ''} (${code})` : (name ?? '')
const toMatchable = ({ guid, primaryDescription, secondaryDescription }: LookupItem) => ({
  key: guid,
  code: secondaryDescription,
  description: described(primaryDescription, secondaryDescription),
})

/** Items of one type: the key is the GUID, the code the reference. */
function itemLookup(type: ItemType): Lookup {
  return {
    ...record,
    access: [itemAccess[type]],
    search: async ({ db, caller }, text) => {
      if (isGuid(text.trim())) return toFound(await findItem(db, caller, { guid: text.trim(), type }))
      const items = await findLookupItems(db, caller, { type, text, most: lookupValuesMax })
      const values = items.map(toMatchable)
      const best = bestMatches(values, text, lookupValuesMax)
      // A case is also found by references that its description does not show.
      const others = type === 1 ? values.filter((value) => !best.includes(value)) : []
      return [...best, ...others].slice(0, lookupValuesMax)
    },
    find: async ({ db, caller }, key) =>
      isGuid(key) ? toFound(await findItem(db, caller, { guid: key, type }))[0] : undefined,
  }
}

const toFound = (item: LookupItem | undefined): LookupMatch[] => (item ? [toMatchable(item)] : [])

interface Table {
  from: string
  key: string
  /** The reference that users know a record by, in addition to its name. */
  code: string
  name: string
  scope(caller: Caller, firstParameter: number): SqlText
}

const everything: SqlText = { text: 'true', parameters: [] }

const parties: Table = {
  from: 'party p',
  key: 'p.reference_code',
  code: 'p.reference_code',
  name: 'p.name',
  scope: ({ partyIds }, first) =>
    partyIds === null ? everything : { text: `p.id = any($${first}::uuid[])`, parameters: [[...partyIds]] },
}
const users: Table = {
  from: 'app_user u',
  key: 'u.id::text',
  code: "coalesce(u.user_code, '')",
  name: 'u.full_name',
  scope: ({ partyIds }, first) =>
    partyIds === null
      ? everything
      : { text: `u.party_id = any($${first}::uuid[])`, parameters: [[...partyIds]] },
}
/** A restricted user sees the groups that they could grant. */
const accessGroups: Table = {
  from: 'access_group g',
  key: 'g.code',
  code: 'g.code',
  name: 'g.name',
  scope: ({ partyIds, accessCodes }, first) =>
    partyIds === null
      ? everything
      : { text: `g.access_codes <@ $${first}::text[]`, parameters: [[...accessCodes]] },
}

/** The users whom a case can be assigned to. */
const caseHandlers: Table = {
  ...users,
  scope: (caller, first) => visibleHandlers(caller).at(first),
}
/** The access groups that such a user is in. */
const caseTeams: Table = {
  ...accessGroups,
  key: 'g.id::text',
  scope: (caller, first) => {
    const { text, parameters } = visibleHandlers(caller).at(first)
    return {
      text: `exists (select from user_access_group x join app_user u on u.id = x.user_id
        where x.access_group_id = g.id and ${text})`,
      parameters,
    }
  },
}

/** The strategies of the installation, which every user may list. */
const strategies: Table = {
  from: 'strategy s',
  key: 's.code',
  code: 's.code',
  name: 's.name',
  scope: () => everything,
}

type Row = { key: string; code: string; name: string }
const toRow = ({ key, code, name }: Row) => ({ key, code, description: described(name, code || null) })

/** Tables of at most some thousand rows, which are scanned in full. */
function tableLookup(table: Table, access: Lookup['access'] & object): Lookup {
  const select = `select ${table.key} as key, ${table.code} as code, ${table.name} as name from ${table.from}`
  const folded = { code: `fold_text(${table.code})`, name: `fold_text(${table.name})` }
  const query = async ({ db, caller }: LookupRequest, where: string, order: string, value: string) => {
    const scope = table.scope(caller, 3)
    return runStatement<Row>(
      db,
      `${select} where ${scope.text} and ${where} order by ${order}, ${table.name} collate fordra_order limit $1`,
      [lookupValuesMax, value, ...scope.parameters],
      { prepare: true },
    )
  }
  const order = `${folded.code} <> $2::text, position($2::text in ${folded.code}) <> 1, position($2::text in ${folded.code}) = 0,
    position($2::text in ${folded.name}) <> 1`
  return {
    ...record,
    access,
    search: async (request, text) => {
      const typed = foldText(text.trim())
      const where = `(lower(${table.key}) = $2::text or ${folded.code} like '%' || ${likePattern} || '%' or ${folded.name} like '%' || ${likePattern} || '%')`
      const rows = await query(request, where, order, typed)
      return bestMatches(rows.map(toRow), text, lookupValuesMax)
    },
    find: async (request, key) => {
      const [row] = await query(request, `lower(${table.key}) = lower($2::text)`, '1', key)
      return row && toRow(row)
    },
  }
}

/** The typed text, escaped for a LIKE pattern. */
const likePattern = String.raw`regexp_replace($2::text, '[\\%_]', '\\\&', 'g')`

const itemNames: Record<ItemType, string> = {
  1: 'case',
  2: 'client',
  3: 'debtor',
  4: 'thirdparty',
  5: 'invoice',
  6: 'account',
  7: 'customer',
  8: 'purchase',
  9: 'object',
}
const types = Object.keys(itemTypes).map(Number) as ItemType[]

export const recordLookups: Readonly<Record<string, Lookup>> = {
  ...Object.fromEntries(types.map((type) => [itemNames[type], itemLookup(type)])),
  party: tableLookup(parties, ['client.read', 'user.read']),
  user: tableLookup(users, ['user.read']),
  accessgroup: tableLookup(accessGroups, ['user.read']),
  casehandler: tableLookup(caseHandlers, ['case.write']),
  caseteam: tableLookup(caseTeams, ['case.write']),
  strategy: tableLookup(strategies, ['client.read', 'system.admin']),
}
