/** Files of debtors, each test's in a folder and a database of its own, as they are imported on 1 March 2026. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import type { Sql } from '../../platform/database/driver/pool.ts'
import { openTestDatabase } from '../database.ts'
import { debtorImport } from '../../integration/imports/kinds/debtors.ts'
import { importFile, type ImportRequest } from '../../integration/imports/import-file.ts'

type Report = Awaited<ReturnType<typeof importFile>>

export interface DebtorImports {
  sql: Sql
  folder: string
  /** Writes a file; returns its path. */
  write(content: string, ending?: string): Promise<string>
  run(file: string, more?: Partial<ImportRequest>): Promise<Report>
  importText(content: string, more?: Partial<ImportRequest>, ending?: string): Promise<Report>
  /** Of the debtors, in the order in which they went in. */
  names(): Promise<string[]>
  close(): Promise<void>
}

export const installation = { countryCode: 'SE', currencyCode: 'SEK' }

export const makeImportRequest = (file: string, more: Partial<ImportRequest> = {}): ImportRequest => ({
  file,
  source: 'test',
  mappings: [],
  allowDuplicates: false,
  rejectedFile: `${file}.rejected.csv`,
  ...more,
})

export async function openDebtorImports(): Promise<DebtorImports> {
  const folder = await mkdtemp(join(tmpdir(), 'fordra-import-'))
  const database = await openTestDatabase()
  const { sql } = database
  await sql`insert into business_clock (business_date) values ('2026-03-01')`
  let files = 0
  const write = async (content: string, ending = 'csv') => {
    const file = join(folder, `${++files}.${ending}`)
    await writeFile(file, content)
    return file
  }
  const run = (file: string, more?: Partial<ImportRequest>) =>
    importFile(sql, debtorImport, makeImportRequest(file, more), installation)
  return {
    sql,
    folder,
    write,
    run,
    importText: async (content, more, ending) => run(await write(content, ending), more),
    names: async () =>
      (await sql<{ name: string }[]>`select full_name as name from debtor order by id`).map(
        ({ name }) => name,
      ),
    close: async () => {
      await database.close()
      await rm(folder, { recursive: true })
    },
  }
}

export const pickCounts = ({ rows, inserted, alreadyThere, rejected }: Report) => ({
  rows,
  inserted,
  alreadyThere,
  rejected,
})

export async function readRejected(path: string): Promise<Record<string, string>[]> {
  const text = await readFile(path, 'utf8')
  const delimiter = text.includes('line;') ? ';' : ','
  return parse(text, { columns: true, bom: true, delimiter })
}
