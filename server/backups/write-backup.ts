/** Makes a backup: every table as it is in one moment, while the service goes on working. */
import { open, rename, rm, type FileHandle } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Sql, TransactionSql } from 'postgres'
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
 * Writes the archive, which is whole when it appears under its name. All tables are read in one snapshot (repeatable
 * read), so that they fit each other; nobody waits for it. Throws when the file is there already or cannot be written.
 */
export async function writeBackup(
  sql: Sql,
  file: string,
  report: (line: string) => void = () => {},
): Promise<BackupResult> {
  const part = `${file}.part`
  const out = await openNew(file, part)
  try {
    const result = await sql.begin('isolation level repeatable read read only', async (tx) => {
      await tx`set local statement_timeout = 0`
      return new ArchiveWriter(out, new Date()).writeAll(tx, report)
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

/** Readable for its owner alone: it holds everything. */
async function openNew(file: string, part: string): Promise<FileHandle> {
  const taken = await open(file).catch(() => undefined)
  if (taken) {
    await taken.close()
    throw new Error(`${file} is there already. Choose another name, or remove it.`)
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

  async writeAll(tx: TransactionSql, report: (line: string) => void): Promise<Omit<BackupResult, 'file'>> {
    const tables = await listTables(tx)
    const header = Buffer.from(JSON.stringify(await this.#headerOf(tx, tables), null, 2))
    await this.#add('header.json', header)
    const manifest: Manifest = { headerSha256: sha256(header), tables: {}, sequences: [] }
    let rows = 0
    for (const table of tables) {
      const written = await this.#copyTable(tx, table)
      manifest.tables[table.table] = written
      rows += written.rows
      if (written.rows > 0) report(`${table.table}: ${written.rows} rows`)
    }
    // Read last: a number that was given meanwhile is then counted as given.
    manifest.sequences = [...(await listSequences(tx))]
    await this.#add('manifest.json', Buffer.from(JSON.stringify(manifest)))
    await this.#write(tarEnd())
    return { tables: tables.length, rows, bytes: this.#bytes }
  }

  async #headerOf(tx: TransactionSql, tables: TableColumns[]): Promise<Header> {
    const [server] = await tx<{ version: string }[]>`select current_setting('server_version') as version`
    const state = await readSchemaState(tx)
    const made = { madeAt: this.#madeAt.toISOString(), postgresql: server!.version }
    return { format: archiveFormat, program: version, ...made, ...state, tables }
  }

  async #copyTable(
    tx: TransactionSql,
    { table, columns }: TableColumns,
  ): Promise<Manifest['tables'][string]> {
    const parts: Manifest['tables'][string]['parts'] = []
    const list = columns.map(quoteName).join(', ')
    const rows = await tx.unsafe(`copy ${quoteName(table)} (${list}) to stdout`).readable()
    let [kept, size, count]: [Buffer[], number, number] = [[], 0, 0]
    const flush = async () => {
      if (size === 0) return
      const content = await pack(Buffer.concat(kept))
      const name = partName(table, parts.length + 1)
      parts.push({ name, sha256: sha256(content) })
      ;[kept, size] = [[], 0]
      await this.#add(name, content)
    }
    for await (const chunk of rows as AsyncIterable<Buffer>) {
      // A line end within a value is written as \n: each one here ends a row.
      for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) count++
      kept.push(chunk)
      size += chunk.length
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

async function listSequences(tx: TransactionSql): Promise<Manifest['sequences']> {
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
