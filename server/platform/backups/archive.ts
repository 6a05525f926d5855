/**
 * The format of a backup: a tar file with `header.json` (its origin), the rows of every table as gzipped COPY text in
 * parts, and at its end `manifest.json` with the number of rows and checksums. `tar` and `gzip` can read it.
 */
import { createHash } from 'node:crypto'
import type { Db } from '../database/transaction.ts'

export const archiveFormat = 'fordra-backup-1'

export interface TableColumns {
  /** Schema and name, unquoted: `public.debtor`. */
  table: string
  /** Without generated columns. */
  columns: string[]
}
export interface Header {
  format: typeof archiveFormat
  program: string
  madeAt: string
  postgresql: string
  migrations: { number: number; checksum: string }[]
  queueMigration: number
  tables: TableColumns[]
  /** The newest signed head of the audit trail: the seal's number, and its hash as hexadecimal digits. */
  anchored?: { seal: number; hash: string } | null
}
export interface Manifest {
  headerSha256: string
  tables: Record<string, { rows: number; parts: { name: string; sha256: string }[] }>
  sequences: { sequence: string; lastValue: string; isCalled: boolean }[]
}

export class BackupRefused extends Error {}

export const sha256 = (content: Buffer): string => createHash('sha256').update(content).digest('hex')
export const quoteName = (name: string): string =>
  name
    .split('.')
    .map((part) => `"${part.replaceAll('"', '""')}"`)
    .join('.')
export const partName = (table: string, number: number): string =>
  `data/${table}/${String(number).padStart(6, '0')}.copy.gz`

/** The schemas with our tables: the service's own and the queue's. */
export const schemas = ['public', 'graphile_worker']
/** Tables that the migrations themselves write. */
const excludedTables = ['public.schema_migration', 'graphile_worker.migrations']

export async function listTables(db: Db): Promise<TableColumns[]> {
  const tables = await db<TableColumns[]>`
    select n.nspname || '.' || c.relname as table,
      array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0
        and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname = any(${schemas}::text[])
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    order by 1`
  return tables.filter(({ table }) => !excludedTables.includes(table))
}

/** The version of the table definitions. */
export async function readSchemaState(db: Db): Promise<Pick<Header, 'migrations' | 'queueMigration'>> {
  const migrations = await db<Header['migrations']>`
    select number, checksum from schema_migration order by number`
  const [queue] = await db<{ last: number }[]>`
    select coalesce(max(id), 0)::int as last from graphile_worker.migrations`
  return { migrations: [...migrations], queueMigration: queue!.last }
}

const tablesAgree = (one: Header['migrations'], other: Header['migrations']) =>
  one.every(({ number, checksum }, index) => {
    const found = other[index]
    return found === undefined || (found.number === number && found.checksum === checksum)
  })

/**
 * How many migrations the archive lacks. Throws BackupRefused when this program cannot migrate its tables: they are newer,
 * or of another line of development.
 */
export async function countMissingMigrations(db: Db, header: Header): Promise<number> {
  const state = await readSchemaState(db)
  const [theirs, ours] = [header.migrations, state.migrations]
  const last = (list: Header['migrations']) => list.at(-1)?.number ?? 0
  const made = `The backup was made by version ${header.program} (tables of migration ${last(theirs)})`
  if (!tablesAgree(theirs, ours))
    throw new BackupRefused(
      `${made}, whose migrations differ from those of this program. Restore it with the version that made it.`,
    )
  if (theirs.length > ours.length || header.queueMigration > state.queueMigration)
    throw new BackupRefused(
      `${made}, which is newer than this program (migration ${last(ours)}). Restore it with that version or a newer one.`,
    )
  if (header.queueMigration < state.queueMigration)
    throw new BackupRefused(
      `${made}, with an older job queue. Restore it with the version that made it, then start this one, which migrates the tables.`,
    )
  return ours.length - theirs.length
}

/** Receives the progress of a backup or restore. */
export interface ProgressListener {
  onLine?(line: string): void
  /** `share` is from 0 to 1; `text` says what is done. */
  onProgress?(share: number, text: string): void
}

export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`
