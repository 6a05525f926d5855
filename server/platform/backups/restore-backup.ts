/** Loads a backup of this or an older version into an empty database, all or nothing. */
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { finished } from 'node:stream/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Sql } from '../database/driver/pool.ts'
import { applyMigrations, migrateRestored, readMigrations } from '../database/schema/migrate.ts'
import type { TransactionSql } from '../database/driver/sql.ts'
import {
  archiveFormat,
  BackupRefused,
  countMissingMigrations,
  listTables,
  megabytes,
  quoteName,
  sha256,
  type Header,
  type Manifest,
  type TableColumns,
  type ProgressListener,
} from './archive.ts'
import { replaceRows, requireEmpty } from './replace-rows.ts'
import { readTar, tarEnd, tarSize } from './tar.ts'

const unpack = promisify(gunzip)

export interface CheckedArchive {
  file: string
  header: Header
  manifest: Manifest
  rows: number
}

/**
 * Reads the whole archive and compares every checksum. Throws BackupRefused that names what is damaged or missing, or
 * TarBroken when the file is truncated.
 */
export async function checkArchive(file: string, waiting: ProgressListener = {}): Promise<CheckedArchive> {
  let header: Buffer | undefined
  let manifest: Manifest | undefined
  const found = new Map<string, string>()
  const tell = await followFile(file, waiting)
  for await (const { name, content } of readTar(file)) {
    tell(content, 'read')
    if (name === 'header.json') header = content
    else if (name === 'manifest.json') manifest = JSON.parse(content.toString('utf8')) as Manifest
    else found.set(name, sha256(content))
  }
  if (!header) throw new BackupRefused('The archive has no header.json: it is not a backup of this program.')
  const said = JSON.parse(header.toString('utf8')) as Header
  if (said.format !== archiveFormat)
    throw new BackupRefused(`The archive has the format ${said.format}; this program reads ${archiveFormat}.`)
  if (!manifest) throw new BackupRefused('The archive has no manifest.json: it is incomplete.')
  const parts = Object.values(manifest.tables).flatMap((table) => table.parts)
  const damaged = parts.filter((part) => found.get(part.name) !== part.sha256).map((part) => part.name)
  if (sha256(header) !== manifest.headerSha256) damaged.unshift('header.json')
  if (damaged.length > 0)
    throw new BackupRefused(
      `The archive is damaged: ${damaged.slice(0, 5).join(', ')} is not what was written.`,
    )
  if (found.size !== parts.length) throw new BackupRefused('The archive has unexpected parts.')
  const rows = Object.values(manifest.tables).reduce((sum, table) => sum + table.rows, 0)
  return { file, header: said, manifest, rows }
}

/**
 * Loads a checked archive in one transaction, into the tables that its version had, and then migrates them. Throws
 * BackupRefused when the database has users or debtors, or when the archive is newer. When the load fails the database is
 * unchanged; a migration that fails can be repeated by a start.
 *
 * @param onLoaded Works in the transaction, on the tables of the archive's version.
 */
export async function restoreArchive(
  sql: Sql,
  archive: CheckedArchive,
  waiting: ProgressListener = {},
  onLoaded: (tx: TransactionSql) => Promise<void> = async () => {},
): Promise<void> {
  const { header, manifest } = archive
  const missing = await sql.begin(async (tx) => {
    await tx`set local statement_timeout = 0`
    const count = await countMissingMigrations(tx, header)
    await requireEmpty(tx)
    if (count > 0) await returnTables(tx, header)
    const tables = await listTables(tx)
    if (JSON.stringify(tables) !== JSON.stringify(header.tables))
      throw new BackupRefused(
        'The tables of this database are not those of the backup. Restore into a new one.',
      )
    await replaceRows(tx, tables, {
      load: () => loadTables(tx, archive, waiting),
      sequences: () => manifest.sequences,
      onCheck: (share) => waiting.onProgress?.(share, `references checked, of ${archive.rows} rows`),
    })
    await onLoaded(tx)
    waiting.onProgress?.(1, `${archive.rows} rows`)
    return count
  })
  if (missing > 0) {
    // Their plans are those of tables that are gone.
    sql.renew()
    await migrateRestored(sql, waiting.onLine)
  }
  await sql`analyze`
}

/** Replaces the empty tables by those of the archive's version. The queue's are the same. */
async function returnTables(tx: TransactionSql, { migrations }: Header): Promise<void> {
  await tx`drop schema public cascade`
  await tx`create schema public`
  await applyMigrations(tx, (await readMigrations()).slice(0, migrations.length))
}

async function loadTables(
  tx: TransactionSql,
  { file, header, manifest }: CheckedArchive,
  waiting: ProgressListener,
): Promise<void> {
  const tablesByPart = new Map<string, TableColumns>()
  for (const table of header.tables)
    for (const { name } of manifest.tables[table.table]!.parts) tablesByPart.set(name, table)
  let open: { table: TableColumns; rows: NodeJS.WritableStream } | undefined
  const close = async () => {
    if (!open) return
    open.rows.end()
    await finished(open.rows)
    const { table } = open.table
    waiting.onLine?.(`${table}: ${manifest.tables[table]!.rows} rows`)
    open = undefined
  }
  const tell = await followFile(file, waiting)
  for await (const { name, content } of readTar(file)) {
    tell(content, 'loaded')
    const table = tablesByPart.get(name)
    if (!table) continue
    if (open?.table !== table) {
      await close()
      const list = table.columns.map(quoteName).join(', ')
      const rows = await tx.unsafe(`copy ${quoteName(table.table)} (${list}) from stdin`).writable()
      open = { table, rows }
    }
    if (!open.rows.write(await unpack(content))) await once(open.rows, 'drain')
  }
  await close()
}

/** Reports how much of the archive was read; its end is not read. */
async function followFile(file: string, { onProgress }: ProgressListener) {
  const size = (await stat(file)).size - tarEnd().length
  let done = 0
  return (content: Buffer, verb: string): void => {
    done += tarSize(content)
    onProgress?.(done / size, `${megabytes(done)} of ${megabytes(size)} ${verb}`)
  }
}
