/** Backup and restore, of the embedded database and of one's own alike. */
import type { CheckedArchive } from '../server/backups/restore-backup.ts'
import { checkArchive, restoreArchive } from '../server/backups/restore-backup.ts'
import { writeBackup } from '../server/backups/write-backup.ts'
import { openConfigured } from '../server/main.ts'
import { loadSettings, report } from './settings.ts'

export interface BackupOptions {
  json?: boolean
  check?: boolean
  quiet?: boolean
}

/** Works beside a server that is running. */
export async function runBackup(file: string | undefined, options: BackupOptions): Promise<void> {
  const name = file ?? `fordra-${new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}.tar`
  const database = await openConfigured(loadSettings(), report, { beside: true })
  try {
    const started = performance.now()
    const result = await writeBackup(database.sql, name, options.quiet ? () => {} : report)
    const seconds = secondsSince(started)
    tell(options, { ...result, seconds }, [
      `${result.file}: ${result.rows} rows of ${result.tables} tables, ${result.bytes} bytes, in ${seconds} s.`,
    ])
  } finally {
    await database.close()
  }
}

/** Not beside a running server, which an empty database has none of. */
export async function runRestore(file: string, options: BackupOptions): Promise<void> {
  const started = performance.now()
  const archive = await checkArchive(file)
  const facts = factsOf(archive)
  if (options.check) {
    tell(options, { ...facts, whole: true }, [`${file} is whole: ${facts.rows} rows, made ${facts.madeAt}.`])
    return
  }
  const database = await openConfigured(loadSettings(), report)
  try {
    await restoreArchive(database.sql, archive, options.quiet ? () => {} : report)
    tell(options, { ...facts, seconds: secondsSince(started) }, [
      `${facts.rows} rows are back as they were on ${facts.madeAt}. 'fordra verify' proves the audit trail and the books.`,
    ])
  } finally {
    await database.close()
  }
}

const factsOf = ({ file, header, rows }: CheckedArchive) => ({
  file,
  rows,
  tables: header.tables.length,
  madeAt: header.madeAt,
  program: header.program,
})
const secondsSince = (started: number) => Math.round(performance.now() - started) / 1000

function tell({ json }: BackupOptions, value: object, lines: string[]): void {
  process.stdout.write(json ? `${JSON.stringify(value)}\n` : lines.map((line) => `${line}\n`).join(''))
}
