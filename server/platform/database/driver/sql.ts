/** Statements as tagged templates, with the pieces of which they are made. */
import type { Readable, Writable } from 'node:stream'
import { Helper, Parameter, writeStatement, type Written } from './write-statement.ts'

export type { Helper, Parameter } from './write-statement.ts'

/** Rows are typed by whoever writes the statement. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Row = Record<string, any>

export interface Column {
  name: string
  /** The type's OID. */
  type: number
  /** The OID of the table and the column's number there; 0 for an expression. */
  table: number
  number: number
}

export type Rows<T extends readonly unknown[]> = T & {
  /** Rows that the statement returned or changed. */
  count: number
  /** What the server says it did, such as `INSERT`. */
  command: string
  columns: Column[]
}

type JSONScalar = string | number | boolean | null
export type JSONValue = JSONScalar | Date | readonly JSONValue[] | { readonly [name: string]: unknown }

export interface StatementOptions {
  /** Parsed once per connection and reused by its text. */
  prepare?: boolean
  /** Sent by the simple protocol, which takes several statements but no parameters. */
  simple?: boolean
  /** Ends the statement when it aborts. Only by a pool that is connected to the server itself, outside transactions. */
  signal?: AbortSignal | undefined
}

/** How a statement is sent. */
export type Sending = Required<Omit<StatementOptions, 'signal'>> & Pick<StatementOptions, 'signal'>

/** How a pool, transaction or reserved connection runs a statement. */
export interface Runner {
  run(statement: Written, how: Sending): Promise<Rows<Row[]>>
  read(statement: Written, batchRows: number): AsyncIterable<Row[]>
  describe(statement: Written): Promise<{ columns: Column[] }>
  copyOut(text: string): Promise<Readable>
  copyIn(text: string): Promise<Writable>
}

/**
 * A statement that is sent when it is first awaited. Within another template it is a piece of that one instead and is
 * never sent.
 */
export class PendingQuery<T extends readonly unknown[]> implements Promise<Rows<T>> {
  readonly [Symbol.toStringTag] = 'PendingQuery'
  readonly strings: readonly string[]
  readonly values: readonly unknown[]
  readonly #runner: Runner
  readonly #options: StatementOptions
  #sent: Promise<Rows<T>> | undefined

  constructor(
    runner: Runner,
    strings: readonly string[],
    values: readonly unknown[],
    options: StatementOptions,
  ) {
    this.#runner = runner
    this.strings = strings
    this.values = values
    this.#options = options
  }

  /** Sends the statement now. */
  execute(): this {
    const { prepare = true, simple = false, signal } = this.#options
    this.#sent ??= this.#write().then(
      (statement) => this.#runner.run(statement, { prepare, simple, signal }) as unknown as Promise<Rows<T>>,
    )
    return this
  }

  // oxlint-disable-next-line unicorn/no-thenable
  then<A = Rows<T>, B = never>(
    onFulfilled?: ((rows: Rows<T>) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.execute().#sent!.then(onFulfilled, onRejected)
  }

  catch<B = never>(onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<Rows<T> | B> {
    return this.execute().#sent!.catch(onRejected)
  }

  finally(onFinally?: (() => void) | null): Promise<Rows<T>> {
    return this.execute().#sent!.finally(onFinally)
  }

  /** Sends it by the simple protocol. */
  simple(): this {
    this.#options.simple = true
    return this
  }

  /** Reads the rows in batches, of one snapshot. */
  async *cursor(batchRows: number): AsyncGenerator<T> {
    for await (const rows of this.#runner.read(await this.#write(), batchRows)) yield rows as unknown as T
  }

  /** Asks the server for the columns of the result, without running the statement. */
  async describe(): Promise<{ columns: Column[] }> {
    return this.#runner.describe(await this.#write())
  }

  /** The output of a `copy … to stdout`. */
  async readable(): Promise<Readable> {
    return this.#runner.copyOut((await this.#write()).text)
  }

  /** The input of a `copy … from stdin`. */
  async writable(): Promise<Writable> {
    return this.#runner.copyIn((await this.#write()).text)
  }

  /** A value that is not one rejects, as an error of the server would. */
  #write(): Promise<Written> {
    try {
      return Promise.resolve(writeStatement(this))
    } catch (error) {
      return Promise.reject(error as Error)
    }
  }
}

/** For functions that work inside and outside a transaction. */
export interface ISql {
  /** A statement: its values become parameters, other templates and helpers pieces of it. */
  <T extends readonly unknown[] = Row[]>(strings: TemplateStringsArray, ...values: unknown[]): PendingQuery<T>
  /** A name, or the columns and values of rows, or a list of values, by where it stands in the statement. */
  <const T>(names: T, ...columns: readonly string[]): Helper<T>
  /** A statement or a piece of SQL from a text, which must not contain input. */
  unsafe<T extends readonly unknown[] = Row[]>(
    text: string,
    values?: readonly unknown[],
    options?: StatementOptions,
  ): PendingQuery<T>
  json(value: JSONValue): Parameter
}

export type TransactionSql = ISql

export interface ReservedSql extends ISql {
  /** Returns the connection to the pool. */
  release(): void
}

/** The functions of a pool, transaction or reserved connection. */
export function makeSql(runner: Runner): ISql {
  const tag = (first: unknown, ...rest: unknown[]) =>
    Array.isArray(first) && 'raw' in first
      ? new PendingQuery(runner, first as string[], rest, {})
      : new Helper(first, rest as string[])
  return Object.assign(tag, {
    unsafe: (text: string, values: readonly unknown[] = [], options: StatementOptions = {}) =>
      new PendingQuery(runner, [text], values, { prepare: false, simple: values.length === 0, ...options }),
    json: (value: unknown): Parameter => new Parameter(value),
  }) as unknown as ISql
}
