/** Makes a backup of every table as of one moment, while the service continues. */
import { open, rename, rm, type FileHandle } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Sql } from '../database/driver/pool.ts'
import type { TransactionSql } from '../database/driver/sql.ts'
import { findLastHead } from '../events/anchor-heads.store.ts'
import { version } from '../version.ts'
import {
  archiveFormat,
  listTables,
  partName,
  quoteName,
  readSchemaState,
  schemas,
  sha256,
  type Header,
  type Manifest,
  type TableColumns,
  type ProgressListener,
} from './archive.ts'
import { tarEnd, tarEntry } from './tar.ts'

const pack = promisify(gzip)
const partBytes = 4 * 1024 * 1024
const newline = 10

export interface BackupResult {
  file: string
  tables: number
  rows: number
  bytes: number
}

/**
 * Writes the archive, which is complete when it appears under its name. One snapshot (repeatable read) makes all tables
 * consistent, without blocking anybody. Throws when the file exists or cannot be written.
 */
export async function writeBackup(
  sql: Sql,
  file: string,
  waiting: ProgressListener = {},
): Promise<BackupResult> {
  const part = `${file}.part`
  const out = await openNew(file, part)
  try {
    const result = await sql.begin('isolation level repeatable read read only', async (tx) => {
      await tx`set local statement_timeout = 0`
      return new ArchiveWriter(out, new Date()).writeAll(tx, waiting)
    })
    await out.sync()
    await out.close()
    await rename(part, file)
    return { file, ...result }
  } catch (error) {
    await out.close().catch(() => {})
    await rm(part, { force: true })
    throw error
  }
}

/** Readable only by its owner, because it holds everything. */
async function openNew(file: string, part: string): Promise<FileHandle> {
  const taken = await open(file).catch(() => undefined)
  if (taken) {
    await taken.close()
    throw new Error(`${file} already exists. Choose another name, or remove it.`)
  }
  return open(part, 'w', 0o600)
}

class ArchiveWriter {
  readonly #out: FileHandle
  readonly #madeAt: Date
  #bytes = 0

  constructor(out: FileHandle, madeAt: Date) {
    this.#out = out
    this.#madeAt = madeAt
  }

  async writeAll(tx: TransactionSql, waiting: ProgressListener): Promise<Omit<BackupResult, 'file'>> {
    const tables = await listTables(tx)
    const header = Buffer.from(JSON.stringify(await this.#makeHeader(tx, tables), null, 2))
    await this.#add('header.json', header)
    const manifest: Manifest = { headerSha256: sha256(header), tables: {}, sequences: [] }
    let rows = 0
    const tell = await followSizes(tx, tables, waiting)
    for (const table of tables) {
      const written = await this.#copyTable(tx, table, (count, bytes) =>
        tell(table.table, rows + count, bytes),
      )
      manifest.tables[table.table] = written
      rows += written.rows
      tell(table.table, rows, Infinity)
      if (written.rows > 0) waiting.onLine?.(`${table.table}: ${written.rows} rows`)
    }
    // Read last, so that numbers used meanwhile count as used.
    manifest.sequences = [...(await listSequences(tx))]
    await this.#add('manifest.json', Buffer.from(JSON.stringify(manifest)))
    await this.#write(tarEnd())
    return { tables: tables.length, rows, bytes: this.#bytes }
  }

  async #makeHeader(tx: TransactionSql, tables: TableColumns[]): Promise<Header> {
    const [server] = await tx<{ version: string }[]>`select current_setting('server_version') as version`
    const state = await readSchemaState(tx)
    const made = { madeAt: this.#madeAt.toISOString(), postgresql: server!.version }
    const [head] = await findLastHead(tx)
    const anchored = head ? { seal: head.seal, hash: head.hash.toString('hex') } : null
    return { format: archiveFormat, program: version, ...made, ...state, anchored, tables }
  }

  async #copyTable(
    tx: TransactionSql,
    { table, columns }: TableColumns,
    tell: (rows: number, bytes: number) => void,
  ): Promise<Manifest['tables'][string]> {
    const parts: Manifest['tables'][string]['parts'] = []
    const list = columns.map(quoteName).join(', ')
    const rows = await tx.unsafe(`copy ${quoteName(table)} (${list}) to stdout`).readable()
    let [kept, size, count, bytes]: [Buffer[], number, number, number] = [[], 0, 0, 0]
    const flush = async () => {
      if (size === 0) return
      const content = await pack(Buffer.concat(kept))
      const name = partName(table, parts.length + 1)
      parts.push({ name, sha256: sha256(content) })
      ;[kept, size] = [[], 0]
      await this.#add(name, content)
    }
    for await (const chunk of rows as AsyncIterable<Buffer>) {
      // COPY escapes a line end within a value as \n, so each newline here ends a row.
      for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) count++
      kept.push(chunk)
      size += chunk.length
      bytes += chunk.length
      tell(count, bytes)
      if (size >= partBytes) await flush()
    }
    await flush()
    return { rows: count, parts }
  }

  async #add(name: string, content: Buffer): Promise<void> {
    for (const piece of tarEntry(name, content, this.#madeAt)) await this.#write(piece)
  }

  async #write(piece: Buffer): Promise<void> {
    for (let from = 0; from < piece.length;) from += (await this.#out.write(piece, from)).bytesWritten
    this.#bytes += piece.length
  }
}

/** A table counts by its size on disk, which is about what is read of it. */
export async function followSizes(
  tx: TransactionSql,
  tables: TableColumns[],
  { onProgress }: ProgressListener,
) {
  const found = await tx<{ table: string; size: number }[]>`
    select n.nspname || '.' || c.relname as table, pg_table_size(c.oid)::float8 as size
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname || '.' || c.relname = any(${tables.map(({ table }) => table)}::text[])`
  const sizes = new Map(found.map(({ table, size }) => [table, size]))
  const total = found.reduce((sum, { size }) => sum + size, 0)
  let before = 0
  return (table: string, rows: number, bytes: number): void => {
    const size = sizes.get(table) ?? 0
    onProgress?.((before + Math.min(bytes, size)) / total, `${rows} rows`)
    if (bytes === Infinity) before += size
  }
}

export async function listSequences(tx: TransactionSql): Promise<Manifest['sequences']> {
  const names = await tx<{ sequence: string }[]>`
    select n.nspname || '.' || c.relname as sequence from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'S' and n.nspname = any(${schemas}::text[]) order by 1`
  const sequences: Manifest['sequences'] = []
  for (const { sequence } of names) {
    const [row] = await tx.unsafe<{ lastValue: string; isCalled: boolean }[]>(
      `select last_value::text as "lastValue", is_called as "isCalled" from ${quoteName(sequence)}`,
    )
    sequences.push({ sequence, ...row! })
  }
  return sequences
}
