/** A pool of `pg` with statements as tagged templates, transactions and reserved connections. */
import { Pool, type PoolClient, type PoolConfig } from 'pg'
import { logDetail, logDuration } from '../../log/log-detail.ts'
import { Connection, isOutdated, SessionClient, type ConnectionOptions } from './connection.ts'
import { isOfConnection, nameLoss, whileConnected } from './lost-connection.ts'
import { makeSql, type ISql, type ReservedSql, type Runner, type TransactionSql } from './sql.ts'

export interface PoolOptions {
  address: {
    host?: string
    port?: number
    user?: string
    password?: string
    database?: string
    /** `prefer` encrypts where the server can. */
    ssl: false | 'prefer' | NonNullable<Exclude<PoolConfig['ssl'], boolean>>
  }
  max: number
  connectTimeoutMs: number
  prepare: boolean
  /** Settings of each session. */
  settings: Record<string, string>
  onnotice?: ((notice: { severity?: string | undefined; message?: string | undefined }) => void) | undefined
  onstatement?: ((text: string, values: readonly unknown[]) => void) | undefined
}

export interface Sql extends ISql {
  readonly options: PoolOptions
  /** Commits when `work` ends, and rolls back when it throws. `mode` is such as `isolation level repeatable read`. */
  begin<T>(work: (tx: TransactionSql) => T | Promise<T>): Promise<T>
  begin<T>(mode: string, work: (tx: TransactionSql) => T | Promise<T>): Promise<T>
  /** A connection for one user alone until it is released. */
  reserve(): Promise<ReservedSql>
  /** Replaces every connection: an idle one now, one that is used when it comes back. */
  renew(): void
  /** Waits for what runs, at most for `timeout` seconds. */
  end(options?: { timeout?: number }): Promise<void>
}

const lifetimeSeconds = 3_600

/** Connects at the first statement. */
export function openPool(options: PoolOptions): Sql {
  const pool = new Connections(options)
  return Object.assign(makeSql(pool), {
    options,
    begin: <T>(...given: [Work<T>] | [string, Work<T>]) =>
      given.length === 1 ? pool.begin('', given[0]) : pool.begin(given[0], given[1]),
    reserve: () => pool.reserve(),
    renew: () => pool.renew(),
    end: ({ timeout }: { timeout?: number } = {}) => pool.end(timeout),
  }) as Sql
}

type Work<T> = (tx: TransactionSql) => T | Promise<T>

class Connections implements Runner {
  readonly #pool: Pool
  readonly #config: ConstructorParameters<typeof SessionClient>[0]
  readonly #connection: ConnectionOptions
  readonly #used = new Set<PoolClient>()
  /** In which generation a connection was opened; those of earlier ones are not used again. */
  readonly #generations = new WeakMap<PoolClient, number>()
  #generation = 0
  #ended: Promise<void> | undefined
  readonly #closed: Promise<never>
  #close: (error: Error) => void

  constructor({ address, max, connectTimeoutMs, prepare, settings, onnotice, onstatement }: PoolOptions) {
    this.#connection = { prepare, known: new Map(), onstatement }
    const { promise, reject } = Promise.withResolvers<never>()
    this.#closed = promise
    this.#closed.catch(() => {})
    this.#close = reject
    const config = {
      ...address,
      ssl: address.ssl === 'prefer' ? { rejectUnauthorized: false } : address.ssl,
      keepAlive: true,
      max,
      idleTimeoutMillis: 0,
      // Not all at the same moment.
      maxLifetimeSeconds: Math.round(lifetimeSeconds * (0.75 + Math.random() / 2)),
      Client: SessionClient as unknown as NonNullable<PoolConfig['Client']>,
      // As an option of the pool itself it would also limit the wait for a free connection.
      connectTimeoutMs,
      settings,
    }
    this.#config = config
    this.#pool = new Pool(config)
    this.#mayBePlain = address.ssl === 'prefer'
    this.#pool.on('error', () => {})
    this.#pool.on('connect', (client) => {
      this.#generations.set(client, this.#generation)
      logDetail('connection', { event: 'opened' })
      client.once('end', () => logDetail('connection', { event: 'closed' }))
      if (onnotice) client.on('notice', onnotice)
    })
  }

  #mayBePlain: boolean

  async run(...statement: Parameters<Runner['run']>) {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#use((connection) => this.#runUntilAborted(connection, ...statement))
      } catch (error) {
        if (tries > 1 || !isOutdated(error)) throw error
      }
    }
  }

  /** The connection is kept until the server has been told to cancel, which then ends no later statement. */
  async #runUntilAborted(connection: Connection, ...[written, how]: Parameters<Runner['run']>) {
    const { signal } = how
    if (!signal) return connection.run(written, how)
    signal.throwIfAborted()
    let cancelled: Promise<void> | undefined
    const cancel = () => (cancelled = this.#cancel(connection.client))
    signal.addEventListener('abort', cancel, { once: true })
    try {
      return await connection.run(written, how)
    } catch (error) {
      signal.throwIfAborted()
      throw error
    } finally {
      signal.removeEventListener('abort', cancel)
      await cancelled
    }
  }

  /** On a connection of its own. */
  async #cancel(client: PoolClient): Promise<void> {
    const canceller = new SessionClient(this.#config)
    try {
      await canceller.connect()
      await canceller.query('select pg_cancel_backend($1)', [findProcess(client)])
    } catch {
      // Then the statement runs on, to its limit of time.
    } finally {
      await canceller.end().catch(() => {})
    }
  }

  async *read(...statement: Parameters<Runner['read']>) {
    const client = await this.#acquire()
    const connection = new Connection(client, this.#connection)
    let isUnfinished = true
    try {
      await connection.run({ text: 'begin read only', values: [] }, { prepare: false, simple: true })
      yield* connection.read(...statement)
      await connection.run({ text: 'commit', values: [] }, { prepare: false, simple: true })
      isUnfinished = false
    } catch (error) {
      throw nameLoss(error)
    } finally {
      this.#release(client, isUnfinished)
    }
  }

  describe(...statement: Parameters<Runner['describe']>) {
    return this.#use((connection) => connection.describe(...statement))
  }

  async copyOut(text: string) {
    const client = await this.#acquire()
    const rows = await new Connection(client, this.#connection).copyOut(text)
    return rows.once('close', () => this.#release(client, rows.errored !== null))
  }

  async copyIn(text: string) {
    const client = await this.#acquire()
    try {
      const rows = await new Connection(client, this.#connection).copyIn(text)
      return rows.once('close', () => this.#release(client, rows.errored !== null))
    } catch (error) {
      this.#release(client, isOfConnection(error))
      throw error
    }
  }

  begin<T>(mode: string, work: Work<T>): Promise<T> {
    return logDuration(
      'transaction',
      () => ({ mode }),
      async () => this.#begin(mode, work),
    )
  }

  async #begin<T>(mode: string, work: Work<T>): Promise<T> {
    const client = await this.#acquire()
    const connection = new Connection(client, this.#connection)
    const send = (text: string) => connection.run({ text, values: [] }, { prepare: false, simple: true })
    let isOver = false
    let first: unknown
    const runner: Runner = {
      run: (...statement) => note(connection.run(...statement)),
      read: (...statement) => connection.read(...statement),
      describe: (statement) => connection.describe(statement),
      copyOut: (text) => connection.copyOut(text),
      copyIn: (text) => connection.copyIn(text),
    }
    const note = async <R>(running: Promise<R>): Promise<R> => {
      try {
        return await running
      } catch (error) {
        first ??= nameLoss(error)
        throw nameLoss(error)
      }
    }
    let isBroken = true
    try {
      await send(`begin ${mode}`)
      let result: T
      try {
        // A lost connection ends the transaction at once, whatever its work waits for.
        result = await whileConnected(client, work(untilOver(makeSql(runner), () => isOver)))
      } catch (error) {
        isOver = true
        if (!isOfConnection(first) && !isOfConnection(error))
          await send('rollback').then(
            () => (isBroken = false),
            () => {},
          )
        throw error
      }
      isOver = true
      const { command } = await send('commit')
      isBroken = false
      // The server rolls a failed transaction back, and says so, although it was told to commit.
      if (command === 'ROLLBACK') throw first ?? new Error('The transaction was rolled back.')
      return result
    } catch (error) {
      throw nameLoss(error)
    } finally {
      this.#release(client, isBroken)
    }
  }

  async reserve(): Promise<ReservedSql> {
    const client = await this.#acquire()
    const connection = new Connection(client, this.#connection)
    let isLost = false
    const run: Runner['run'] = (...statement) =>
      connection.run(...statement).catch((error: unknown) => {
        isLost ||= isOfConnection(error)
        throw nameLoss(error)
      })
    const runner: Runner = {
      run,
      read: (...statement) => connection.read(...statement),
      describe: (statement) => connection.describe(statement),
      copyOut: (text) => connection.copyOut(text),
      copyIn: (text) => connection.copyIn(text),
    }
    return Object.assign(makeSql(runner), { release: () => this.#release(client, isLost) })
  }

  renew(): void {
    this.#generation++
    const idle = this.#pool.idleCount
    for (let count = 0; count < idle; count++)
      void this.#acquire().then(
        (client) => this.#release(client),
        () => {},
      )
  }

  end(timeoutSeconds?: number): Promise<void> {
    return (this.#ended ??= this.#end(timeoutSeconds))
  }

  async #end(timeoutSeconds: number | undefined): Promise<void> {
    const error = Object.assign(new Error('The pool was closed.'), { code: 'CONNECTION_ENDED' })
    const late =
      timeoutSeconds === undefined
        ? undefined
        : setTimeout(() => {
            for (const client of this.#used) client.connection.stream.destroy()
          }, timeoutSeconds * 1_000)
    await this.#pool.end()
    clearTimeout(late)
    this.#close(error)
  }

  async #use<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const client = await this.#acquire()
    let isLost = false
    try {
      return await work(new Connection(client, this.#connection))
    } catch (error) {
      isLost = isOfConnection(error)
      throw nameLoss(error)
    } finally {
      this.#release(client, isLost)
    }
  }

  /** Waits until one is free. */
  async #acquire(): Promise<PoolClient> {
    for (;;) {
      try {
        const connecting = this.#pool.connect()
        // `pg` forgets those who wait when a pool ends.
        const client = await (this.#pool.idleCount > 0
          ? connecting
          : Promise.race([connecting, this.#closed]))
        if (this.#generations.get(client) === this.#generation) {
          this.#used.add(client)
          return client
        }
        client.release(true)
      } catch (error) {
        if (!this.#mayBePlain || !/does not support SSL/.test((error as Error).message)) throw nameLoss(error)
        this.#mayBePlain = false
        Object.assign(this.#pool.options, { ssl: false })
      }
    }
  }

  #release(client: PoolClient, isLost = false): void {
    this.#used.delete(client)
    client.release(isLost || this.#generations.get(client) !== this.#generation)
  }
}

/** The process of the server behind a client; `pg` declares no type for it. */
const findProcess = (client: PoolClient): number => (client as unknown as { processID: number }).processID

/** A statement sent to a transaction that is over would run in another one. */
function untilOver(sql: ISql, isOver: () => boolean): TransactionSql {
  const check = () => {
    if (isOver()) throw Object.assign(new Error('The transaction is over.'), { code: 'CONNECTION_CLOSED' })
  }
  return Object.assign(
    (...given: Parameters<ISql>) => {
      check()
      return sql(...given)
    },
    {
      unsafe: (...given: Parameters<ISql['unsafe']>) => {
        check()
        return sql.unsafe(...given)
      },
      json: sql.json,
    },
  ) as TransactionSql
}
