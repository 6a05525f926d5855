import { readFileSync } from 'node:fs'
import { openPool, type PoolOptions, type Sql } from './driver/pool.ts'
import type { TransactionSql } from './driver/sql.ts'

/** A connection pool. Functions that read or write take one (or a transaction) as their first argument. */
export type Database = Sql
export type Transaction = TransactionSql

export type DatabaseOptions = {
  /** Maximum number of connections. Default 10. */
  max?: number
  /** Shown in pg_stat_activity. */
  applicationName?: string
  /** Cancels statements that take longer. Default: no limit. */
  statementTimeoutMs?: number
  /** Ends statements that wait for a lock for longer. Default: no limit of its own. */
  lockTimeoutMs?: number
  /** False disables prepared statements. */
  prepare?: boolean
  /** Default 10. */
  connectTimeoutSeconds?: number
  /** Plans every statement with its values, even prepared ones: for filters, whose best plan depends on the values. */
  planEach?: boolean
  /** Receives NOTICE and WARNING messages. Default: dropped. */
  onnotice?: PoolOptions['onnotice']
  /** Receives each statement when it is sent, for measurements. */
  onstatement?: PoolOptions['onstatement']
}

/**
 * Opens a pool; it connects at the first query. `url` is an ordinary
 * `postgres://user:password@host:port/database?sslmode=…`, or libpq's `postgres:///database?host=/folder&user=name` for
 * a Unix socket. Dates and date-times are read as text (`2024-01-31`, `2024-01-31T12:00:00Z`), bigint as number,
 * numeric as text; text is sent unchanged.
 */
export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  const { onnotice, onstatement } = options
  return openPool({
    address: readAddress(url),
    max: options.max ?? 10,
    connectTimeoutMs: (readConnectTimeout(url) ?? options.connectTimeoutSeconds ?? 10) * 1_000,
    prepare: options.prepare ?? true,
    settings: {
      application_name: options.applicationName ?? 'fordra',
      // Both affect how dates are written, and an operator's own server may have other defaults.
      TimeZone: 'UTC',
      DateStyle: 'ISO, YMD',
      ...(options.planEach === true && { plan_cache_mode: 'force_custom_plan' }),
      ...(options.statementTimeoutMs !== undefined && {
        statement_timeout: String(options.statementTimeoutMs),
      }),
      ...(options.lockTimeoutMs !== undefined && { lock_timeout: String(options.lockTimeoutMs) }),
      ...readSettings(url),
    },
    ...(onnotice && { onnotice }),
    ...(onstatement && { onstatement }),
  })
}

/** Opens another connection to the same database without the pool's statement timeout; the caller must close it. */
export function openWithoutTimeout({ options }: Sql): Database {
  const { statement_timeout: _, ...settings } = options.settings
  return openPool({ ...options, max: 1, settings })
}

/**
 * The same database, without waiting for the disk at a commit. A crash may lose the last transactions, never one before
 * them and never a part of one: PostgreSQL replays its log in order. For work that can be done again from there.
 */
export function withoutFlush(url: string): string {
  const other = new URL(url)
  other.searchParams.set('synchronous_commit', 'off')
  return other.href
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

// Members about the connection; the others are settings of the session and are sent to the server by name.
const addressKeys = new Set(['host', 'port', 'user', 'password', 'sslmode', 'sslrootcert', 'connect_timeout'])

const readSettings = (url: string): Record<string, string> =>
  Object.fromEntries([...new URL(url).searchParams].filter(([key]) => !addressKeys.has(key)))

function readConnectTimeout(url: string): number | undefined {
  const given = new URL(url).searchParams.get('connect_timeout')
  return given === null ? undefined : Number(given)
}

/** What the address does not name comes from libpq's variables, such as PGUSER. */
function readAddress(url: string): PoolOptions['address'] {
  const { hostname, port, username, password, pathname, searchParams: query } = new URL(url)
  const read = (name: string, inAddress: string) => query.get(name) ?? decodeURIComponent(inAddress)
  const given = {
    host: read('host', hostname.replace(/^\[(.*)\]$/, '$1')),
    port: read('port', port),
    user: read('user', username),
    password: read('password', password),
    database: decodeURIComponent(pathname.slice(1)),
  }
  const named = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''))
  return {
    ...named,
    ...(given.port !== '' && { port: Number(given.port) }),
    ssl: readSsl(query.get('sslmode'), query.get('sslrootcert')),
  }
}

/**
 * libpq's modes: `require` encrypts without verification, `verify-ca` verifies the issuer, `verify-full` the host name
 * too.
 */
function readSsl(mode: string | null, rootCertificate: string | null): PoolOptions['address']['ssl'] {
  switch (mode) {
    case null:
    case 'disable':
      return false
    case 'allow':
    case 'prefer':
      return 'prefer'
    case 'require':
      return { rejectUnauthorized: false }
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
