/** Exports the books of an installation into files for the import of another one. */
import { openConfigured } from '../../server/main.ts'
import {
  carriedFormats,
  exportForImport,
  type CarriedFile,
  type CarriedFormat,
} from '../../server/integration/exports/for-import/export-for-import.ts'
import type { LeftBehind } from '../../server/integration/exports/for-import/left-behind.ts'
import { loadSettings, report } from '../settings.ts'

interface ForImportOptions {
  out?: string
  format?: string
  json?: boolean
  filter?: string
  orderby?: string
  as?: string
  delimiter?: string
  excel?: boolean
  url?: string
}

const isFormat = (name: string): name is CarriedFormat => carriedFormats.some((one) => one === name)
const misplaced = ['filter', 'orderby', 'as', 'delimiter', 'excel', 'url'] as const

export async function runExportForImport(what: string, options: ForImportOptions): Promise<void> {
  if (what !== 'all')
    throw new Error(
      '--for-import exports everything, as records refer to each other: export all --for-import.',
    )
  const wrong = misplaced.filter((name) => options[name] !== undefined)
  if (wrong.length > 0)
    throw new Error(`--for-import exports everything and does not go with --${wrong.join(', --')}.`)
  if (options.out === undefined) throw new Error('--for-import writes several files: name a folder by --out.')
  const format = options.format ?? 'csv'
  if (!isFormat(format))
    throw new Error(`'${format}' is no format of an export for import. Use ${carriedFormats.join(', ')}.`)
  const database = await openConfigured(loadSettings(), report, { beside: true, existing: true })
  try {
    const made = await exportForImport(database.sql, { folder: options.out, format })
    if (options.json) process.stdout.write(`${JSON.stringify({ folder: options.out, ...made })}\n`)
    else process.stdout.write(`${describe(options.out, made).join('\n')}\n`)
  } finally {
    await database.close()
  }
}

const duplicates = (what: string) => (what === 'debtors' ? ' --allow-duplicates' : '')

function describe(folder: string, made: { files: CarriedFile[]; leftBehind: LeftBehind[] }): string[] {
  return [
    'Written. Import them in this order:',
    ...made.files.map(
      ({ what, file, rows }) =>
        `  fordra import ${what} ${folder}/${file} --source moved${duplicates(what)}   (${rows} rows)`,
    ),
    ...(made.leftBehind.length > 0 ? ['Not in the files:'] : []),
    ...made.leftBehind.map(({ what, count }) => `  ${String(count).padStart(7)}  ${what}`),
  ]
}
