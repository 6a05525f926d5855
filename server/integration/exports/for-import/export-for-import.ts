/** Writes the books of an installation to files that the import takes, from one snapshot. */
import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ImportedKind } from '../../../../contract/integration/imported-kinds.ts'
import { writeWorkbook } from '../../../../core/spreadsheet/workbook.ts'
import { selectList } from '../../../platform/database/columns.ts'
import type { Sql } from '../../../platform/database/driver/pool.ts'
import { runStatement } from '../../../platform/database/statement.ts'
import type { Db } from '../../../platform/database/transaction.ts'
import { CustomFields } from '../../../platform/dictionary/custom-fields.ts'
import { readCell } from './cells.ts'
import { caseHistories, planHistories } from './carried-cases.ts'
import type { CarriedKind } from './carried-kind.ts'
import { clientRecords, debtors, parties, users } from './carried-parties.ts'
import { countLeftBehind, type LeftBehind } from './left-behind.ts'

/** In the order in which the files need each other. */
const carried: readonly CarriedKind[] = [
  parties,
  users,
  debtors,
  caseHistories,
  planHistories,
  ...clientRecords,
]

export const carriedFormats = ['csv', 'ndjson', 'xlsx'] as const
export type CarriedFormat = (typeof carriedFormats)[number]

export interface CarriedFile {
  what: ImportedKind
  /** The name in the folder. */
  file: string
  rows: number
}

type Row = Record<string, unknown>

const batchRows = 500

/** Writes a file for each kind into `folder`, which it makes. Files of kinds without records are left out. */
export async function exportForImport(
  sql: Sql,
  { folder, format }: { folder: string; format: CarriedFormat },
): Promise<{ files: CarriedFile[]; leftBehind: LeftBehind[] }> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const custom = new CustomFields(sql)
  return sql.begin('isolation level repeatable read read only', async (tx) => {
    await tx`set local statement_timeout = 0`
    const files: CarriedFile[] = []
    for (const [index, kind] of carried.entries()) {
      const own = kind.entity ? (await custom.of(kind.entity)).map(({ code }) => code) : []
      const file = `${String(index + 1).padStart(2, '0')}-${kind.what}.${format}`
      const rows = await writeFile(join(folder, file), format, kind, readRows(tx, kind), own)
      if (rows > 0) files.push({ what: kind.what, file, rows })
    }
    return { files, leftBehind: await countLeftBehind(tx) }
  })
}

/** The rows of a kind, with the values of custom fields among the members. */
async function* readRows(tx: Db, kind: CarriedKind): AsyncGenerator<Row> {
  const columns = { ...kind.members, ...(kind.custom && { custom: kind.custom }) }
  const read = runStatement<Row>(tx, `select ${selectList(columns)} from ${kind.from}`, [])
  for await (const rows of read.cursor(batchRows))
    for (const row of rows) {
      const { custom, ...members } = row
      const made = kind.toRow ? kind.toRow(members) : members
      yield { ...(custom as Row | undefined), ...made }
    }
}

/** Returns how many rows there are. A file gets its name when it is complete, and there is none without rows. */
async function writeFile(
  path: string,
  format: CarriedFormat,
  kind: CarriedKind,
  rows: AsyncGenerator<Row>,
  own: readonly string[],
): Promise<number> {
  const columns = [...new Set([...Object.keys(kind.members), ...own])]
  let count = 0
  async function* counted(): AsyncGenerator<Row> {
    for await (const row of rows) {
      count++
      yield row
    }
  }
  const part = `${path}.part`
  try {
    const parts = encode[format](kind, columns, counted())
    await pipeline(Readable.from(parts), createWriteStream(part, { mode: 0o600 }))
    if (count > 0) await rename(part, path)
  } finally {
    await rm(part, { force: true })
  }
  return count
}

const encode = { csv: encodeCsv, ndjson: encodeLines, xlsx: encodeWorkbook }

async function* encodeCsv(_kind: CarriedKind, columns: readonly string[], rows: AsyncGenerator<Row>) {
  yield `${columns.join(',')}\r\n`
  for await (const row of rows) yield `${columns.map((name) => quote(readCell(row[name]))).join(',')}\r\n`
}

// No apostrophe before what a spreadsheet takes for a formula: the import would store it.
const quote = (text: string) =>
  /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text

async function* encodeLines(_kind: CarriedKind, columns: readonly string[], rows: AsyncGenerator<Row>) {
  for await (const row of rows) {
    const given = columns.flatMap((name) => {
      const value = row[name]
      return value === null || value === undefined ? [] : [[name, value] as const]
    })
    yield `${JSON.stringify(Object.fromEntries(given))}\n`
  }
}

/** What a cell of Excel holds. */
const cellMax = 32_767

async function* encodeWorkbook({ what }: CarriedKind, columns: readonly string[], rows: AsyncGenerator<Row>) {
  async function* cells() {
    for await (const row of rows)
      yield columns.map((name) => {
        const text = readCell(row[name])
        if (text.length <= cellMax) return text === '' ? null : text
        throw new RangeError(
          `${what} ${String(row['sourceReference'])}: ${name} has ${text.length} characters, and a cell of Excel holds ${cellMax}. Use csv or ndjson.`,
        )
      })
  }
  const sheet = columns.map((heading) => ({ heading, type: 'text' as const }))
  yield* writeWorkbook({ name: what, columns: sheet, rows: cells() })
}
