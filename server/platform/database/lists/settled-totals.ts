/**
 * Totals of lists whose rows are only added, such as the audit trail. What matched among the rows of ended transactions
 * matches for ever: it is counted once, and a total adds the rows of later transactions, which are few.
 */
import type { SqlText } from '../../odata/writer.ts'
import { runStatement } from '../statement.ts'
import type { Db } from '../transaction.ts'
import { writeTables, type Listing, type Settled } from './listing.ts'
import { countMatching } from './matching-keys.ts'

/** From here on the later rows are counted again with the others. */
const manyLater = 1_000

/** All transactions below have ended. */
const horizon = 'pg_snapshot_xmin(pg_current_snapshot())::text::bigint'

/** Whether a row that matches does so for ever: neither the filter nor the restriction names another table. */
export const isSettling = ({ source, branches, parts, filtered }: Listing): boolean =>
  source.addedBy !== undefined &&
  parts.length === 0 &&
  branches.length === 1 &&
  writeTables(source, filtered, branches[0]) === source.from

const countLater = ({ source, branches }: Listing, below: string): string =>
  `(select count(*) from ${source.from} where ${branches[0]} and ${source.addedBy} >= ${below})`

/** The number of matching rows by the settled ones. Null where the snapshot does not have all of these, as on a replica. */
export function countSinceSettled(
  listing: Listing,
  { rows, below }: Settled,
  firstParameter: number,
): SqlText {
  const [known, from] = [`$${firstParameter}::bigint`, `$${firstParameter + 1}::bigint`]
  return {
    text: `case when ${horizon} >= ${from} then ${known} + ${countLater(listing, from)} end`,
    parameters: [rows, below],
  }
}

/** Counts the matching rows; from the former count on if there is one. */
export async function settleTotal(
  db: Db,
  listing: Listing,
  { former, signal }: { former: Settled | undefined; signal: AbortSignal | undefined },
): Promise<Settled> {
  const { parameters } = listing
  // Read first, so that the planner knows the value when it plans the count.
  const [moment] = await runStatement<{ below: string }>(db, `select (${horizon})::text as below`, [])
  const { below } = moment!
  const last = parameters.length + 1
  const all = former
    ? countSinceSettled(listing, former, last + 1)
    : { text: countMatching(listing), parameters: [] }
  const [row] = await runStatement<{ total: number | null; later: number }>(
    db,
    `select (${all.text})::bigint as total, ${countLater(listing, `$${last}::bigint`)} as later`,
    [...parameters, below, ...all.parameters],
    { signal },
  )
  const { total, later } = row!
  if (total === null) return settleTotal(db, listing, { former: undefined, signal })
  return { rows: total - later, below, total }
}

export const isOutdated = ({ rows, total }: Settled): boolean => total - rows > manyLater
