/** One statement on one connection of `pg`, which gives it the server's messages while it is active. */
import type { Connection, Submittable } from 'pg'
import type { Duplex } from 'node:stream'
import type { Column, Row, Rows } from './sql.ts'
import { formatValue, findParser, resolveType } from './values.ts'

/** What the server told of a statement: the types of its parameters, and the columns of its result. */
export interface Described {
  types: readonly number[]
  columns: readonly Column[]
}

/** The messages that this file uses, as `pg` takes them. */
interface Wire extends Pick<Connection, 'stream' | 'query' | 'flush' | 'sync' | 'once' | 'removeListener'> {
  parse(message: { name: string; text: string; types: readonly number[] }): void
  bind(message: { statement: string; values: readonly (string | Buffer | null)[] }): void
  describe(message: { type: 'S' | 'P'; name: string }): void
  execute(message: object): void
}

interface Field {
  name: string
  dataTypeID: number
  tableID: number
  columnID: number
}

export interface Statement {
  text: string
  values: readonly unknown[]
  /** By the simple protocol. */
  simple: boolean
  /** The name under which it is prepared; empty for none. */
  name: string
  /** The connection knows it by its name. */
  isPrepared: boolean
  /** The types of its parameters. Where they are unknown, the server describes them first, which costs a round trip. */
  types: readonly number[] | undefined
  /** The columns of its result, of a prepared statement that this connection has run. */
  columns: readonly Column[] | undefined
  /** The server describes the statement and does not run it. */
  isOnlyDescribed?: boolean
  copy?: CopyEnd
}

/** What a `copy` reads or writes. */
export interface CopyEnd {
  take?(chunk: Buffer, wire: CopyWire): void
  give?(wire: CopyWire): void
}
export interface CopyWire {
  stream: Duplex
  sendCopyFromChunk(chunk: Buffer): void
  sendCopyFail(reason: string): void
  endCopyFrom(): void
}

/** Settles by `done`, and may be given to a client of `pg` once that has ended its last one. */
export class Execution implements Submittable {
  readonly done: Promise<Rows<Row[]>>
  /** Set when the server was asked. */
  described: Described | undefined
  readonly #statement: Statement
  readonly #rows: Row[] = []
  #columns: readonly Column[] = []
  #parsers: (((text: string) => unknown) | undefined)[] = []
  #complete = { command: '', count: 0 }
  #failure: unknown
  #types: readonly number[] = []
  /** While it waits for what the server tells of the statement. */
  #asked: Wire | undefined
  #settle: { resolve(rows: Rows<Row[]>): void; reject(error: unknown): void }

  constructor(statement: Statement) {
    this.#statement = statement
    const { promise, resolve, reject } = Promise.withResolvers<Rows<Row[]>>()
    this.done = promise
    this.#settle = { resolve, reject }
  }

  /** `pg` keeps by it what it has parsed. */
  get name(): string {
    return this.#statement.name
  }

  get text(): string {
    return this.#statement.text
  }

  submit(connection: Connection): Error | null {
    const wire = connection as unknown as Wire
    const { text, values, simple, name, isPrepared, types, columns, isOnlyDescribed } = this.#statement
    if (simple && !isOnlyDescribed) {
      wire.query(text)
      return null
    }
    wire.stream.cork()
    if (!isPrepared) wire.parse({ name, text, types: values.map(resolveType) })
    if (isOnlyDescribed || (types === undefined && values.length > 0)) this.#ask(wire)
    else this.#bind(wire, types ?? [], columns)
    wire.stream.uncork()
    return null
  }

  /** Its answer comes before that of anything else, for nothing else is sent meanwhile. */
  #ask(wire: Wire): void {
    this.#asked = wire
    wire.once('parameterDescription', this.#takeTypes)
    wire.once('noData', this.#endAsking)
    wire.describe({ type: 'S', name: this.#statement.name })
    if (this.#statement.isOnlyDescribed) wire.sync()
    else wire.flush()
  }

  readonly #takeTypes = ({ dataTypeIDs }: { dataTypeIDs: readonly number[] }) => {
    this.#types = dataTypeIDs
  }

  /** After the types of the parameters the server gives the columns of the result, or says that there are none. */
  readonly #endAsking = () => {
    const wire = this.#forget()!
    this.described = { types: this.#types, columns: this.#columns }
    if (this.#statement.isOnlyDescribed) return
    wire.stream.cork()
    this.#bind(wire, this.#types, this.#columns)
    wire.stream.uncork()
  }

  #forget(): Wire | undefined {
    const wire = this.#asked
    this.#asked = undefined
    wire?.removeListener('parameterDescription', this.#takeTypes)
    wire?.removeListener('noData', this.#endAsking)
    return wire
  }

  #bind(wire: Wire, types: readonly number[], columns: readonly Column[] | undefined): void {
    const { values, name } = this.#statement
    let texts: (string | Buffer | null)[]
    try {
      texts = values.map((value, index) => formatValue(value, types[index] ?? 0))
    } catch (error) {
      this.#failure = error
      wire.sync()
      return
    }
    wire.bind({ statement: name, values: texts })
    if (columns === undefined) wire.describe({ type: 'P', name: '' })
    else this.#takeColumns(columns)
    wire.execute({})
    wire.sync()
  }

  handleRowDescription({ fields }: { fields: readonly Field[] }): void {
    const columns = fields.map(({ name, dataTypeID: type, tableID: table, columnID: number }) => ({
      name,
      type,
      table,
      number,
    }))
    // Of several statements the rows of the last one are kept.
    this.#rows.length = 0
    this.#takeColumns(columns)
    if (this.#asked) this.#endAsking()
  }

  #takeColumns(columns: readonly Column[]): void {
    this.#columns = columns
    this.#parsers = columns.map(({ type }) => findParser(type))
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    if (this.#failure !== undefined) return
    const row: Row = {}
    try {
      for (let index = 0; index < fields.length; index++) {
        const text = fields[index]!
        const parse = this.#parsers[index]
        row[this.#columns[index]!.name] = text === null || parse === undefined ? text : parse(text)
      }
      this.#rows.push(row)
    } catch (error) {
      this.#failure = error
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    const [command, count] = [/^[A-Z ]*[A-Z]/.exec(text)?.[0] ?? '', /\d+$/.exec(text)?.[0] ?? '0']
    this.#complete = { command, count: Number(count) }
  }

  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}

  handleCopyInResponse(connection: Connection): void {
    const wire = connection as unknown as CopyWire
    if (this.#statement.copy?.give) this.#statement.copy.give(wire)
    else wire.sendCopyFail('The program has nothing to copy.')
  }

  handleCopyData({ chunk }: { chunk: Buffer }, connection: Connection): void {
    this.#statement.copy?.take?.(chunk, connection as unknown as CopyWire)
  }

  /**
   * The server tells of an error, with its severity, before it has undone the statement and released its locks; when
   * it is ready again or has ended the connection, it has. Other errors are those of a lost connection.
   */
  handleError(error: unknown, connection: Connection): void {
    const asked = this.#forget()
    if (asked && !this.#statement.isOnlyDescribed) asked.sync()
    if ((error as { severity?: string }).severity === undefined) return this.#settle.reject(error)
    const wire = connection as unknown as Wire
    const reject = () => {
      wire.removeListener('readyForQuery', reject)
      wire.removeListener('end', reject)
      this.#settle.reject(error)
    }
    wire.once('readyForQuery', reject)
    wire.once('end', reject)
  }

  handleReadyForQuery(): void {
    if (this.#failure !== undefined) return this.#settle.reject(this.#failure)
    const rows = Object.assign(this.#rows, { ...this.#complete, columns: this.#columns })
    this.#settle.resolve(rows as unknown as Rows<Row[]>)
  }
}
