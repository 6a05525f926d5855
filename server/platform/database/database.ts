import { readFileSync } from 'node:fs'
import postgres from 'postgres'
import type { ISql, Notice, Options, PostgresType, Sql, TransactionSql } from 'postgres'
import { arrayTypes } from './array-types.ts'
import { columnTypes } from './column-types.ts'

/** A connection pool. Functions that read or write take one (or a transaction) as their first argument. */
export type Database = Sql
export type Transaction = TransactionSql
/** For functions that work inside and outside a transaction. */
export type Queryable = ISql

export type DatabaseOptions = {
  /** Maximum number of connections. Default 10. */
  max?: number
  /** Shown in pg_stat_activity. */
  applicationName?: string
  /** Cancels statements that take longer. Default: no limit. */
  statementTimeoutMs?: number
  /** False disables prepared statements. */
  prepare?: boolean
  /** Default 10. */
  connectTimeoutSeconds?: number
  /** Plans every statement with its values, even prepared ones: for filters, whose best plan depends on the values. */
  planEach?: boolean
  /** Receives NOTICE and WARNING messages. Default: dropped. */
  onnotice?: (notice: Notice) => void
  /** Receives each statement when it is sent, for measurements. */
  onstatement?: (text: string, parameters: unknown[]) => void
}

/**
 * Opens a pool; it connects at the first query. `url` is an ordinary
 * `postgres://user:password@host:port/database?sslmode=…`, or libpq's `postgres:///database?host=/folder&user=name` for
 * a Unix socket. Dates and date-times are read as text (`2024-01-31`, `2024-01-31T12:00:00Z`), bigint as number,
 * numeric as text; text is sent unchanged.
 */
export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  const connection = {
    application_name: options.applicationName ?? 'fordra',
    // Both affect how dates are written, and an operator's own server may have other defaults.
    TimeZone: 'UTC',
    DateStyle: 'ISO, YMD',
    ...(options.planEach === true && { plan_cache_mode: 'force_custom_plan' }),
    ...(options.statementTimeoutMs !== undefined && { statement_timeout: options.statementTimeoutMs }),
  }
  const { onstatement } = options
  const sql = postgres(withoutQuery(url), {
    ...readAddress(url),
    max: options.max ?? 10,
    types: { ...columnTypes, ...arrayTypes },
    fetch_types: false,
    prepare: options.prepare ?? true,
    onnotice: options.onnotice ?? (() => {}),
    // While the server is down, each attempt fails one waiting statement. The driver's own pause of up to 20 s between
    // attempts would make statements wait for minutes.
    backoff: () => 0.1,
    connect_timeout: options.connectTimeoutSeconds ?? 10,
    ...(onstatement && { debug: (_connection, text, parameters) => onstatement(text, parameters) }),
    connection: { ...readSettings(url), ...connection },
  }) as Database
  return sendOneByOne(sql)
}

/**
 * Opens another connection to the same database without the pool's statement timeout; the caller must close it. Passes
 * on the driver's parsed options, as the driver does for its own extra connections.
 */
export function openWithoutTimeout({ options }: Sql): Database {
  const { statement_timeout: _, ...connection } = options.connection
  const read = options as unknown as Options<Record<string, PostgresType>>
  return postgres({ ...read, max: 1, connection }) as Database
}

/** Tells the driver to send nothing more on a connection until it has answered this statement. */
function sendAlone(made: unknown): unknown {
  const { options } = made as { options?: { onexecute?: () => boolean } }
  if (options !== undefined) options.onexecute = () => false
  return made
}

/**
 * Outside transactions a connection gets its next statement only after it has answered the last one. The driver
 * (postgres 3.4.9) otherwise pipelines statements on a busy connection, with two consequences:
 *
 * - A `BEGIN` that fills a connection's pipeline, or its socket's buffer, fails as UNSAFE_TRANSACTION but leaves its
 *   transaction open. Later statements on that connection run inside it and are lost, although they were answered
 *   (porsager/postgres issues 823, 1204 and 1216).
 * - PgBouncer (1.18) in transaction mode may give the server connection away between a statement and its description.
 *
 * Statements within a transaction are still pipelined: the transaction has the connection to itself.
 */
function sendOneByOne(sql: Database): Database {
  return new Proxy(sql, {
    apply: (target, self, statement) => sendAlone(Reflect.apply(target, self, statement)),
    get: (target, name) => {
      if (name !== 'unsafe') return Reflect.get(target, name) as unknown
      return (...statement: Parameters<Database['unsafe']>) => sendAlone(target.unsafe(...statement))
    },
  })
}

/** The same server and user with another database name. */
export function withDatabaseName(url: string, name: string): string {
  const other = new URL(url)
  other.pathname = `/${encodeURIComponent(name)}`
  return other.href
}

/** The URL of a database behind a Unix socket in a folder, in libpq's form. */
export function socketUrl(folder: string, user: string, database: string): string {
  return `postgres:///${database}?${new URLSearchParams({ host: folder, user })}`
}

// The driver sends unknown query members to the server, which then refuses the connection. Members about the connection
// are therefore removed here; the others are settings and passed on by name.
const addressKeys = new Set(['host', 'port', 'user', 'password', 'sslmode', 'sslrootcert', 'connect_timeout'])

function withoutQuery(url: string): string {
  const mark = url.indexOf('?')
  return mark < 0 ? url : url.slice(0, mark)
}

function readQuery(url: string): URLSearchParams {
  const mark = url.indexOf('?')
  return new URLSearchParams(mark < 0 ? '' : url.slice(mark))
}

function readSettings(url: string): Record<string, string> {
  return Object.fromEntries([...readQuery(url)].filter(([key]) => !addressKeys.has(key)))
}

function readAddress(url: string): Options<Record<string, PostgresType>> {
  const query = readQuery(url)
  const address: Options<Record<string, PostgresType>> = {}
  const host = query.get('host')
  const port = query.get('port')
  const user = query.get('user')
  const password = query.get('password')
  const timeout = query.get('connect_timeout')
  const ssl = readSsl(query.get('sslmode'), query.get('sslrootcert'))
  if (host !== null) address.host = host
  if (port !== null) address.port = Number(port)
  if (user !== null) address.user = user
  if (password !== null) address.password = password
  if (timeout !== null) address.connect_timeout = Number(timeout)
  if (ssl !== undefined) address.ssl = ssl
  return address
}

/**
 * libpq's modes: `require` encrypts without verification, `verify-ca` verifies the issuer, `verify-full` the host name
 * too.
 */
function readSsl(mode: string | null, rootCertificate: string | null): Options<{}>['ssl'] {
  switch (mode) {
    case null:
      return undefined
    case 'disable':
      return false
    case 'allow':
    case 'prefer':
      return 'prefer'
    case 'require':
      return 'require'
    case 'verify-ca':
    case 'verify-full': {
      const authority =
        rootCertificate && rootCertificate !== 'system' ? { ca: readFileSync(rootCertificate, 'utf8') } : {}
      return {
        rejectUnauthorized: true,
        ...authority,
        ...(mode === 'verify-ca' ? { checkServerIdentity: () => undefined } : {}),
      }
    }
    default:
      throw new TypeError(
        `sslmode=${mode} in the database's address is not one of disable, allow, prefer, require, verify-ca, verify-full.`,
      )
  }
}
