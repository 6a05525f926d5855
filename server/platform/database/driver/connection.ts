/** A connection that runs one statement at a time, in order, and remembers what it has prepared. */
import { Client, type ClientConfig, type PoolClient } from 'pg'
import { Readable, Writable } from 'node:stream'
import { isLogged, logDetail, slowStatementMs } from '../../log/log-detail.ts'
import { Execution, type CopyEnd, type CopyWire, type Statement } from './execution.ts'
import type { Column, Row, Rows, Runner, Sending } from './sql.ts'
import { resolveType } from './values.ts'
import type { Written } from './write-statement.ts'

/** A client with settings of the session that `pg` has no option for, such as `TimeZone`. */
export class SessionClient extends Client {
  readonly #settings: Record<string, string>

  constructor(config: ClientConfig & { settings: Record<string, string>; connectTimeoutMs: number }) {
    super({ ...config, connectionTimeoutMillis: config.connectTimeoutMs })
    this.#settings = config.settings
    // A connection that ends while it is used fails its statement, which tells the same.
    this.on('error', () => {})
  }

  /** What `pg` sends when it connects; it declares no type for it. */
  getStartupConf(): Record<string, string> {
    const inherited = Client.prototype as unknown as { getStartupConf(): Record<string, string> }
    return { ...inherited.getStartupConf.call(this), ...this.#settings }
  }
}

/** Its text has names and places of parameters only. */
async function logStatement<T>(text: string, send: () => Promise<T>): Promise<T> {
  const began = performance.now()
  try {
    return await send()
  } finally {
    const ms = Math.round((performance.now() - began) * 10) / 10
    const line = { text: text.replace(/\s+/g, ' ').trim().slice(0, 2_000), ms }
    if (isLogged('statement')) logDetail('statement', line)
    else if (ms >= slowStatementMs) logDetail('slowStatement', line)
  }
}

/** The types of the parameters of statements, by their text, for all connections of a pool. */
export type KnownTypes = Map<string, readonly number[]>
const knownMax = 2_000

export interface ConnectionOptions {
  prepare: boolean
  known: KnownTypes
  onstatement?: ((text: string, values: readonly unknown[]) => void) | undefined
}

interface Prepared {
  name: string
  /** Undefined until the server has told them on this connection. */
  columns?: readonly Column[]
}

/** What each client has prepared, by text and the types that the values say of themselves. */
const preparedBy = new WeakMap<object, { statements: Map<string, Prepared>; count: number }>()

export class Connection implements Runner {
  readonly client: PoolClient
  readonly #options: ConnectionOptions
  readonly #prepared: { statements: Map<string, Prepared>; count: number }
  readonly #waiting: (() => void)[] = []
  #isBusy = false

  constructor(client: PoolClient, options: ConnectionOptions) {
    this.client = client
    this.#options = options
    let prepared = preparedBy.get(client)
    if (!prepared) preparedBy.set(client, (prepared = { statements: new Map(), count: 0 }))
    this.#prepared = prepared
  }

  run(written: Written, { prepare, simple }: Sending): Promise<Rows<Row[]>> {
    this.#options.onstatement?.(written.text, written.values)
    return this.#inTurn(() => this.#run(written, prepare && this.#options.prepare && !simple, simple))
  }

  /** Within a transaction. */
  async *read({ text, values }: Written, batchRows: number): AsyncGenerator<Row[]> {
    const name = `read_${++cursors}`
    const how = { prepare: false, simple: false }
    await this.run({ text: `declare ${name} no scroll cursor for ${text}`, values }, how)
    for (;;) {
      const rows = await this.run({ text: `fetch ${batchRows} from ${name}`, values: [] }, how)
      if (rows.length > 0) yield rows
      if (rows.length < batchRows) break
    }
    await this.run({ text: `close ${name}`, values: [] }, how)
  }

  async describe({ text }: Written): Promise<{ columns: Column[] }> {
    const execution = await this.#inTurn(async () => {
      const asked = this.#submit({ ...plain, text, isOnlyDescribed: true })
      await asked.done
      return asked
    })
    return { columns: [...execution.described!.columns] }
  }

  copyOut(text: string): Promise<Readable> {
    let wire: CopyWire | undefined
    const rows = new Readable({
      read: () => wire?.stream.resume(),
      destroy: (error, callback) => {
        wire?.stream.resume()
        callback(error)
      },
    })
    const take: CopyEnd['take'] = (chunk, given) => {
      wire = given
      // The wire's parser reuses its memory, and rows may wait for their reader.
      if (!rows.destroyed && !rows.push(Buffer.from(chunk))) wire.stream.pause()
    }
    const copied = this.#inTurn(() => this.#submit({ ...plain, text, copy: { take } }).done)
    copied.then(
      () => rows.push(null),
      (error: Error) => rows.destroy(error),
    )
    return Promise.resolve(rows)
  }

  copyIn(text: string): Promise<Writable> {
    const { promise, resolve, reject } = Promise.withResolvers<Writable>()
    let rows: Writable | undefined
    const give: CopyEnd['give'] = (wire) => {
      rows = new Writable({
        write: (chunk: Buffer, _encoding, callback) => {
          wire.sendCopyFromChunk(chunk)
          if (wire.stream.writableNeedDrain) wire.stream.once('drain', callback)
          else callback()
        },
        final: (callback) => {
          wire.endCopyFrom()
          copied.then(() => callback(), callback)
        },
        destroy: (error, callback) => {
          if (error) wire.sendCopyFail('The program stopped copying.')
          callback(error)
        },
      })
      resolve(rows)
    }
    const copied = this.#inTurn(() => this.#submit({ ...plain, text, copy: { give } }).done)
    copied.catch((error: Error) => (rows ? rows.destroy(error) : reject(error)))
    return promise
  }

  /** A statement is sent when the one before it has ended: until then it may not be known what to send. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (!this.#isBusy) return this.#keepTurn(work)
    return new Promise((resolve, reject) => {
      this.#waiting.push(() => this.#keepTurn(work).then(resolve, reject))
    })
  }

  async #keepTurn<T>(work: () => Promise<T>): Promise<T> {
    this.#isBusy = true
    try {
      return await work()
    } finally {
      this.#isBusy = false
      this.#waiting.shift()?.()
    }
  }

  #run(written: Written, isNamed: boolean, simple: boolean): Promise<Rows<Row[]>> {
    const send = async () => this.#send(written, isNamed, simple)
    return isLogged('slowStatement') ? logStatement(written.text, send) : send()
  }

  async #send(written: Written, isNamed: boolean, simple: boolean): Promise<Rows<Row[]>> {
    const { known } = this.#options
    const key = textKey(written)
    const prepared = isNamed ? this.#assignName(key) : undefined
    const name = prepared?.name ?? ''
    const execution = this.#submit({
      ...written,
      simple,
      name,
      isPrepared: name !== '' && parsedOn(this.client)[name] !== undefined,
      types: known.get(key),
      columns: prepared?.columns,
    })
    try {
      const rows = await execution.done
      if (prepared) prepared.columns = rows.columns
      return rows
    } catch (error) {
      if (isOutdated(error)) {
        this.#prepared.statements.delete(key)
        known.delete(key)
      }
      throw error
    } finally {
      if (execution.described) {
        if (known.size >= knownMax) known.clear()
        known.set(key, execution.described.types)
      }
    }
  }

  #assignName(key: string): Prepared {
    const { statements } = this.#prepared
    let prepared = statements.get(key)
    if (!prepared) statements.set(key, (prepared = { name: `s${++this.#prepared.count}` }))
    return prepared
  }

  #submit(statement: Statement): Execution {
    const execution = new Execution(statement)
    this.client.query(execution)
    return execution
  }
}

let cursors = 0

const plain = {
  values: [],
  simple: true,
  name: '',
  isPrepared: false,
  types: undefined,
  columns: undefined,
} satisfies Partial<Statement>

/** The names that `pg` knows to be parsed on a connection; it declares no type for them. */
const parsedOn = (client: PoolClient): Record<string, string | undefined> =>
  (client as unknown as { connection: { parsedStatements: Record<string, string> } }).connection
    .parsedStatements

/** A text may be prepared once for each set of types that its values say of themselves: booleans and bytes do. */
const textKey = ({ text, values }: Written): string => {
  const types = values.map(resolveType)
  return types.some((type) => type !== 0) ? `${types.join()} ${text}` : text
}

/** A prepared statement that the server no longer knows, or that has other columns since a migration. */
export function isOutdated(error: unknown): boolean {
  const { routine } = (error ?? {}) as { routine?: string }
  return routine === 'FetchPreparedStatement' || routine === 'RevalidateCachedQuery'
}
