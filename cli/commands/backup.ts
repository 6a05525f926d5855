/** Backup and restore, of the embedded database and of your own server. */
import { resolve } from 'node:path'
import { isDateTime } from '../../core/calendar/date-time.ts'
import { BackupRefused, type ProgressListener } from '../../server/platform/backups/archive.ts'
import { writeBaseBackup } from '../../server/platform/backups/base-backup.ts'
import type { CheckedArchive } from '../../server/platform/backups/restore-backup.ts'
import { checkArchive, restoreArchive } from '../../server/platform/backups/restore-backup.ts'
import { restoreUntil } from '../../server/platform/backups/restore-until.ts'
import { writeBackup } from '../../server/platform/backups/write-backup.ts'
import { requireArchive } from '../../server/platform/database/open-configured.ts'
import { openAnchor, type Anchor } from '../../server/platform/events/anchor.ts'
import { markRestored } from '../../server/platform/backups/restored-mark.ts'
import type { Db } from '../../server/platform/database/transaction.ts'
import { describeEndedRights, endRestoredRights } from '../../server/insight/restored/end-restored-rights.ts'
import { openConfigured } from '../../server/main.ts'
import { readBusinessDate } from './acting-user.ts'
import { startProgressBar } from '../progress-bar.ts'
import { loadSettings, report } from '../settings.ts'

export interface BackupOptions {
  json?: boolean
  check?: boolean
  quiet?: boolean
  base?: boolean
  until?: string
  /** False: restore although the anchor folder does not know the trail. */
  anchor?: boolean
  /** Nothing was ended since the backup: the installation moves. */
  keepRights?: boolean
}

/** Works beside a running server. */
export async function runBackup(file: string | undefined, options: BackupOptions): Promise<void> {
  if (options.base) return runBaseBackup(file, options)
  const name = file ?? `fordra-${new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}.tar`
  const database = await openConfigured(loadSettings(), report, { beside: true, existing: true })
  try {
    const started = performance.now()
    const result = await withProgress(options, (waiting) => writeBackup(database.sql, name, waiting))
    const seconds = secondsSince(started)
    tell(options, { ...result, seconds }, [
      `${result.file}: ${result.rows} rows of ${result.tables} tables, ${result.bytes} bytes, in ${seconds} s.`,
    ])
  } finally {
    await database.close()
  }
}

async function runBaseBackup(file: string | undefined, options: BackupOptions): Promise<void> {
  const settings = loadSettings()
  const archive = requireArchive(settings)
  if (settings.DATABASE_URL !== undefined) throw new BackupRefused(refuseOwnServer)
  if (archive === undefined)
    throw new BackupRefused('A base backup goes into FORDRA_ARCHIVE, with which the server must run. Set it.')
  if (file !== undefined)
    throw new BackupRefused(
      `A base backup goes into FORDRA_ARCHIVE=${archive} and takes no name. Leave it out.`,
    )
  const started = performance.now()
  const database = await openConfigured(settings, report, { beside: true, existing: true })
  try {
    const { folder, finishedAt } = await withProgress(options, (waiting) =>
      writeBaseBackup(database.url, archive, waiting),
    )
    const facts = { folder, finishedAt: finishedAt.toISOString(), seconds: secondsSince(started) }
    tell(options, facts, [
      `${folder}, in ${facts.seconds} s: every moment from ${facts.finishedAt} on can be brought back as far as the log is archived.`,
    ])
  } finally {
    await database.close()
  }
}

/** Not beside a running server, whose database is never empty. */
export async function runRestore(file: string, options: BackupOptions): Promise<void> {
  if (options.until !== undefined) return runRestoreUntil(file, options.until, options)
  const started = performance.now()
  const archive = await withProgress(options, (waiting) => checkArchive(file, waiting))
  const facts = backupFacts(archive)
  if (options.check) {
    tell(options, { ...facts, whole: true }, [`${file} is whole: ${facts.rows} rows, made ${facts.madeAt}.`])
    return
  }
  const settings = loadSettings()
  const anchor = openAnchor(settings)
  await requireAnchor(anchor, archive, options)
  const database = await openConfigured(settings, report)
  try {
    const mark = markUnless(options, facts.madeAt)
    await withProgress(options, (waiting) => restoreArchive(database.sql, archive, waiting, mark))
    await anchor.recordRestore(facts.madeAt)
    const ended = await endRestoredRights(
      database.sql,
      anchor,
      await readBusinessDate(database.sql, settings),
    )
    tell(options, { ...facts, seconds: secondsSince(started), ended: ended ?? null }, [
      `${facts.rows} rows are back as they were on ${facts.madeAt}. The start replays the erasures since then.`,
      ...(ended ? describeEndedRights(ended) : [keptRights]),
      "'fordra verify --anchor' proves the audit trail and the books.",
    ])
  } finally {
    await database.close()
  }
}

const keptRights = 'Sessions, links and secrets are as they were: rights that were ended since work again.'

const markUnless = ({ keepRights }: BackupOptions, asOf: string) =>
  keepRights ? undefined : (db: Db) => markRestored(db, asOf)

/** Without its anchor folder a restore would bring back what was erased since the backup. */
async function requireAnchor(
  anchor: Anchor,
  { header: { anchored } }: CheckedArchive,
  options: BackupOptions,
): Promise<void> {
  if (!anchored || options.anchor === false || (await anchor.knowsHead(anchored))) return
  throw new BackupRefused(
    `The anchor folder ${anchor.folder} does not know the audit trail of this backup (seal ${anchored.seal}): ` +
      'what was erased since the backup would come back. Set FORDRA_ANCHOR as the server had it. ' +
      'If that folder is lost, restore with --no-anchor.',
  )
}

async function runRestoreUntil(folder: string, until: string, options: BackupOptions): Promise<void> {
  const settings = loadSettings()
  if (settings.DATABASE_URL !== undefined) throw new BackupRefused(refuseOwnServer)
  if (!isDateTime(until) || until.length === 10)
    throw new BackupRefused(`--until ${until} is no moment. Write it like 2026-11-21T14:03:00+01:00.`)
  if (options.check) throw new BackupRefused('--check is for a backup in one file. Leave out --until.')
  const started = performance.now()
  const dataFolder = resolve(settings.FORDRA_DATA)
  const restored = await withProgress(options, ({ onProgress, onLine = () => {} }) =>
    restoreUntil(resolve(folder), new Date(until), {
      dataFolder,
      report: onLine,
      onProgress,
      onRecovered: markUnless(options, new Date(until).toISOString()),
    }),
  )
  const moment = restored.until.toISOString()
  const lastTransaction = restored.lastTransaction?.toISOString() ?? null
  const base = restored.base.folder
  const anchor = openAnchor(settings)
  const isAnchored = await anchor.recordRestore(moment)
  tell(options, { until: moment, base, lastTransaction, seconds: secondsSince(started) }, [
    `The database is as it was on ${moment}; the last transaction in it is ${lastTransaction === null ? 'from before the base backup' : `of ${lastTransaction}`}.`,
    isAnchored
      ? 'The start replays the erasures since then.'
      : `${anchor.folder} has no erasures to replay. Set FORDRA_ANCHOR as the server had it.`,
    options.keepRights
      ? keptRights
      : 'The start ends sessions, links and codes, disables API users and pauses webhooks, and says which.',
    "'fordra verify --anchor' proves the audit trail and the books. Then start with another, empty FORDRA_ARCHIVE and make a base backup.",
  ])
}

/**
 * Shows a progress bar on a terminal, and status lines elsewhere; neither with --quiet. With --json there is no bar.
 */
async function withProgress<T>(
  { quiet, json }: BackupOptions,
  work: (waiting: ProgressListener) => Promise<T>,
): Promise<T> {
  const bar = startProgressBar(process.stderr, !quiet && !json)
  const lines: ProgressListener = quiet || (process.stderr.isTTY && !json) ? {} : { onLine: report }
  try {
    return await work({ onProgress: bar.show, ...lines })
  } finally {
    bar.end()
  }
}

const refuseOwnServer =
  'This is for the embedded database, and DATABASE_URL names your own PostgreSQL. ' +
  "See 'On your own PostgreSQL server' in docs/operate/point-in-time.md."

const backupFacts = ({ file, header, rows }: CheckedArchive) => ({
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
