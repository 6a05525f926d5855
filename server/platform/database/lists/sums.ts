/** Adds up amounts over all rows of a list that match, by currency. */
import { invalid } from '../../http/errors.ts'
import { closeNames } from '../../odata/properties.ts'
import { inWaitPlace, isLockTimeout } from '../driver/wait-places.ts'
import type { Sql } from '../driver/pool.ts'
import { runStatement, type Parameter } from '../statement.ts'
import type { Db } from '../transaction.ts'
import { matchAll, writeTables, type Listing } from './listing.ts'
import type { ListSource } from './list-source.ts'

/** The sums of the matching rows in one currency. */
export interface CurrencySum {
  currencyCode: string | null
  count: number
  amounts: Record<string, number>
}

/** The members that `sums` names. Throws a 400 for one that is no amount of the list. */
export function readSums({ amounts }: ListSource, sums: string): string[] {
  const known = Object.keys(amounts?.minor ?? {})
  const asked = sums.split(',').map((name) => name.trim().toLowerCase())
  const found = asked.map((name) => known.find((one) => one.toLowerCase() === name))
  const unknown = asked.find((_name, index) => found[index] === undefined)
  if (unknown === undefined) return [...new Set(found as string[])]
  const close = closeNames(unknown, known)
  const hint = close.length > 0 ? `Did you mean ${close.join(', ')}?` : `The amounts are ${known.join(', ')}.`
  throw invalid({ sums: [`names what is no amount of this list. ${hint}`] })
}

interface SumsQuery {
  text: string
  parameters: readonly Parameter[]
}

/** Minor units are added up exactly. Each currency has one number of them to the unit, also where that has changed. */
export function writeSumsQuery(listing: Listing, members: readonly string[]): SumsQuery {
  const { source, filtered } = listing
  const { currency, perUnit, minor } = source.amounts!
  const { branches, parameters } = matchAll(listing)
  const sums = members.map((name, index) => `sum(${minor[name]!}) / (${perUnit})::numeric as a${index}`)
  const columns = [`${currency} as currency`, 'count(*) as rows', ...sums].join(', ')
  const parts = branches.map(
    (where) => `select ${columns}
      from ${writeTables(source, filtered, `${where} ${columns}`)} where ${where} group by ${currency}, ${perUnit}`,
  )
  const totals = members.map((_name, index) => `coalesce(sum(a${index}), 0)::float8 as a${index}`)
  return {
    text: `select currency as "currencyCode", sum(rows)::int as count, ${totals.join(', ')}
      from (${parts.join(' union all ')}) part group by currency order by currency nulls last`,
    parameters,
  }
}

/**
 * Null when adding up takes longer than the limit. Of a pool, a quarter of the connections add up at the same time, so
 * that pages do not wait for sums.
 */
export async function addUp(
  db: Db,
  query: SumsQuery,
  { members, limitMs }: { members: readonly string[]; limitMs: number },
): Promise<CurrencySum[] | null> {
  if (!('begin' in db)) return readSumRows(db, query, members)
  const pool = db as Sql
  try {
    return await inWaitPlace(pool, limitMs, (remainingMs) =>
      pool.begin(async (tx) => {
        await tx.unsafe(`set local statement_timeout = ${remainingMs}`)
        return readSumRows(tx, query, members)
      }),
    )
  } catch (error) {
    if (isLate(error)) return null
    throw error
  }
}

const isLate = (error: unknown): boolean =>
  isLockTimeout(error) || (error as { code?: unknown } | null)?.code === '57014'

type SumRow = Pick<CurrencySum, 'currencyCode' | 'count'> & Record<string, number>

async function readSumRows(
  db: Db,
  { text, parameters }: SumsQuery,
  members: readonly string[],
): Promise<CurrencySum[]> {
  const rows = await runStatement<SumRow>(db, text, parameters)
  return rows.map(({ currencyCode, count, ...sums }) => ({
    currencyCode,
    count,
    amounts: Object.fromEntries(members.map((name, index) => [name, sums[`a${index}`]!])),
  }))
}
