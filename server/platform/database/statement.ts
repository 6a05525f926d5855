/** Statements whose text is built at run time, rows keyed by column, and JSON values. */
import type { Helper, JSONValue, Parameter as DriverParameter, PendingQuery } from './driver/sql.ts'
import type { Db } from './transaction.ts'

type Scalar = string | number | boolean | null

/** A value for `$1` and so on. */
export type Parameter = Scalar | Uint8Array | readonly Scalar[]

export interface StatementOptions {
  /** Parsed once per connection and reused by its text: for a limited number of texts. */
  prepare?: boolean
  /** Ends the statement when it aborts. */
  signal?: AbortSignal | undefined
}

/** A statement without parameters is sent by the simple protocol unless told otherwise. */
const prepared = { prepare: true, simple: false }
const unprepared = { prepare: false }

/** Runs a statement. `text` must contain no input values, only names and conditions written by this program. */
export const runStatement = <T extends object>(
  db: Db,
  text: string,
  parameters: readonly Parameter[],
  { prepare = false, signal }: StatementOptions = {},
): PendingQuery<T[]> =>
  db.unsafe<T[]>(text, [...parameters], { ...(prepare ? prepared : unprepared), signal })

/**
 * Limits the number of prepared statement texts. Every connection and the server keep each prepared statement.
 * Therefore only the first texts of each hour are prepared, up to a limit, and others are planned anew each time.
 * Connections live about an hour and then forget them.
 */
export class KeptTexts {
  readonly #texts = new Map<string, string>()
  readonly #max: number
  #since = 0

  constructor(max: number) {
    this.#max = max
  }

  /** The text that `write` creates for the key (always the same for one key), and whether to prepare it. */
  prepareText(key: string, write: () => string): { text: string; prepare: boolean } {
    const kept = this.#texts.get(key)
    if (kept !== undefined) return { text: kept, prepare: true }
    const text = write()
    const now = Date.now()
    if (this.#texts.size >= this.#max && now - this.#since > keptMs) this.#texts.clear()
    if (this.#texts.size === 0) this.#since = now
    const prepare = this.#texts.size < this.#max
    if (prepare) this.#texts.set(key, text)
    return { text, prepare }
  }
}
const keptMs = 3_600_000

/**
 * Matches any identifier in an array parameter, for prepared statements. With a bare `any($1)` the planner counts the
 * elements, expects a better plan for known ones, and plans anew each time. For few elements planning takes longer than
 * execution.
 */
export const anyUuid = (parameter: string): string => `any(array(select unnest(${parameter}::uuid[])))`

/** A value for a JSON column. It must not contain bigint; undefined members are omitted. */
export const toJson = (db: Db, value: unknown): DriverParameter => db.json(value as JSONValue)

/** The columns and values of a row, for `insert into debtor ${…}` and `update debtor set ${…}`. */
export const rowHelper = (db: Db, row: Readonly<Record<string, unknown>>): Helper<object> =>
  db(row as Record<string, Scalar>)

/** One or more rows with the same columns: for `insert into debtor ${…}`. */
export const rowsHelper = (db: Db, rows: readonly Readonly<Record<string, unknown>>[]): Helper<object[]> =>
  db(rows as Record<string, Scalar>[])
