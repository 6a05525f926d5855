/**
 * What the driver's types cannot say of a statement: that its text is put together at run time, that a row is keyed by
 * columns, and that a value goes in as JSON. The casts stand here, once.
 */
import type { Helper, JSONValue, Parameter as DriverParameter, PendingQuery } from 'postgres'
import type { Db } from './transaction.ts'

type Scalar = string | number | boolean | null

/** What a statement takes in place of `$1` and so on. */
export type Parameter = Scalar | Uint8Array | readonly Scalar[]

export interface StatementOptions {
  /** Parsed once for each connection and then kept by its text: for a text that is one of few. */
  prepare?: boolean
}

/** The driver sends a statement without parameters by the simple protocol, prepared or not, unless it is told otherwise. */
const prepared: object = { prepare: true, simple: false }
const unprepared = { prepare: false }

/** Runs a statement; `text` holds no value of anybody's, only names and conditions that this program wrote. */
export const runStatement = <T extends object>(
  db: Db,
  text: string,
  parameters: readonly Parameter[],
  { prepare = false }: StatementOptions = {},
): PendingQuery<T[]> => db.unsafe<T[]>(text, [...parameters], prepare ? prepared : unprepared)

/**
 * Texts of statements of which there could be any number. Each that is prepared is kept by every connection and by the
 * server, so the first that come within an hour are, up to a number, and the others planned anew each time. Connections do
 * not live much longer, and forget them.
 */
export class KeptTexts {
  readonly #texts = new Map<string, string>()
  readonly #max: number
  #since = 0

  constructor(max: number) {
    this.#max = max
  }

  /** The text that `write` makes for the key, always the same for the same key, and how it is to be run. */
  textOf(key: string, write: () => string): { text: string; prepare: boolean } {
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
 * One of the identifiers in a parameter, for a statement that is kept. Of a bare `any($1)` the database counts the
 * members, finds that it would do better knowing them, and plans the statement anew each time: that takes longer than
 * running it for a few.
 */
export const anyOf = (parameter: string): string => `any(array(select unnest(${parameter}::uuid[])))`

/** A value for a column of JSON. It has no bigint in it; members that are undefined are left out. */
export const jsonOf = (db: Db, value: unknown): DriverParameter => db.json(value as JSONValue)

/** The columns and values of a row, for `insert into debtor ${…}` and `update debtor set ${…}`. */
export const valuesOf = (db: Db, row: Readonly<Record<string, unknown>>): Helper<object> =>
  db(row as Record<string, Scalar>)

/** Several rows with the same columns, at least one: for `insert into debtor ${…}`. */
export const rowsOf = (db: Db, rows: readonly Readonly<Record<string, unknown>>[]): Helper<object[]> =>
  db(rows as Record<string, Scalar>[])
