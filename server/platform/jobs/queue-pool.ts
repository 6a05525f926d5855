import { Client, Pool, type ClientConfig, type PoolClient, type QueryConfig } from 'pg'
import { setTimeout as sleep } from 'node:timers/promises'
import { isPassing } from '../database/transaction.ts'

/** The queue driver's URL: with libpq's meaning of `sslmode`, not the driver's own. */
function queueUrl(url: string): string {
  if (!url.includes('sslmode=')) return url
  return `${url}${url.includes('?') ? '&' : '?'}uselibpqcompat=true`
}

/**
 * A pool whose lost connections do not end the process: every client has an error handler. Its commits do not wait for
 * the disk: if a crashed database forgets that a job was taken or finished, the job's own row corrects that. Its
 * statements use generic plans: those with a list would be planned anew each time.
 */
export function openQueuePool(url: string, max: number, onError: (error: Error) => void): Pool {
  const connection: ClientConfig = {
    connectionString: queueUrl(url),
    application_name: 'fordra jobs',
    options: '-c synchronous_commit=off -c plan_cache_mode=force_generic_plan',
    connectionTimeoutMillis: 10_000,
  }
  const pool = new PatientPool({ ...connection, max, idleTimeoutMillis: 30_000 })
  pool.on('error', onError)
  pool.on('connect', (client) => {
    client.on('error', onError)
    persist(client, (asked, error) => writeAgain(pool, connection, asked, error))
  })
  return pool
}

/**
 * Goes on asking for a connection while the database is away, until the pool ends. The library (0.18) does not await the
 * end of a job: when that fails for want of a connection, nobody handles the error and the process ends.
 */
class PatientPool extends Pool {
  override connect(): Promise<PoolClient>
  override connect(callback: ConnectCallback): void
  override connect(callback?: ConnectCallback): Promise<PoolClient> | void {
    if (callback !== undefined) return super.connect(callback)
    return this.#connect()
  }

  async #connect(): Promise<PoolClient> {
    for (;;) {
      try {
        return await super.connect()
      } catch (error) {
        if (this.ending || !isWorthAgain(error)) throw error
      }
      await sleep(againAfterMs)
    }
  }
}

type ConnectCallback = Parameters<Pool['connect']>[0]

/** Errors of the connection itself have no code. */
const isWorthAgain = (error: unknown): boolean =>
  (error as { code?: string }).code === undefined || isPassing(error)

/** The library's statements that end jobs; repeating them has no further effect. */
const writesEnd = /^(with j as \(\s*)?(delete from|update) \S*_private_jobs /
const againAfterMs = 200

type Query = (...given: unknown[]) => Promise<unknown>

/**
 * Makes a client write the end of a job on another connection when its own fails. Otherwise the library (0.18) stops
 * its runner and, because it miscounts pending work, never finishes stopping: the node would run no jobs.
 */
function persist(client: PoolClient, again: (asked: QueryConfig, error: unknown) => Promise<unknown>): void {
  const query = client.query.bind(client) as Query
  const persistent: Query = (...given) => {
    const [asked] = given as [QueryConfig | undefined]
    if (!writesEnd.test(asked?.text ?? '')) return query(...given)
    return query(asked).catch((error: unknown) => again(asked!, error))
  }
  client.query = persistent as typeof client.query
}

async function writeAgain(
  pool: Pool,
  connection: ClientConfig,
  asked: QueryConfig,
  first: unknown,
): Promise<unknown> {
  let error = first
  while (!pool.ending && isWorthAgain(error)) {
    await sleep(againAfterMs)
    // Not from the pool: all its clients may be waiting for this.
    const client = new Client(connection).on('error', () => {})
    try {
      await client.connect()
      return await client.query(asked)
    } catch (next) {
      error = next
    } finally {
      await client.end().catch(() => {})
    }
  }
  throw error
}
