/**
 * The restore drill: loads the newest backup into a scratch database, replays the recorded erasures there, and verifies
 * the trail and the books, as a real restore would. The anchor folder is only read; of the live
 * database, only the time of the last good drill is written.
 */
import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { openDatabase, withDatabaseName } from '../../platform/database/database.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Sql } from '../../platform/database/driver/pool.ts'
import { migrate } from '../../platform/database/schema/migrate.ts'
import { CustomFields } from '../../platform/dictionary/custom-fields.ts'
import { Anchor, listRecordedErasures } from '../../platform/events/anchor.ts'
import { sealAudit } from '../../platform/events/audit-seal.ts'
import { describeAudit, isWhole } from '../../platform/events/describe-audit.ts'
import { verifyAnchor, type AnchorOptions } from '../../platform/events/verify-anchor.ts'
import { describeTimeStamps, type StampRules } from '../../platform/events/verify-time-stamps.ts'
import { BackupRefused } from '../../platform/backups/archive.ts'
import { checkArchive, restoreArchive, type CheckedArchive } from '../../platform/backups/restore-backup.ts'
import { describeFault, verifyLedger } from '../../ledger/verify-ledger.ts'
import { verifyTrust } from '../../treasury/bank-files/verify-trust.ts'
import { replayErasures } from '../erasure/erasure.routes.ts'

export interface DrillCheck {
  check: 'backup' | 'anchor' | 'restore' | 'erasures' | 'trail' | 'ledger' | 'trust'
  isRight: boolean
  /** What was found, in sentences. */
  found: string
}

export interface DrillReport {
  /** Every check was made and is right. */
  isRight: boolean
  file: string
  /** When the backup was made, and its age in seconds; null when the file cannot be read. */
  madeAt: string | null
  ageSeconds: number | null
  /** Rows of the main tables, counted in the scratch database. */
  rows: Record<string, number>
  seconds: number
  checks: DrillCheck[]
}

/** Time stamps are not checked without certificates that vouch for their authority. */
export interface DrillOptions extends StampRules {
  /** The direct address of the live database. Its user must be allowed to create databases. */
  databaseUrl: string
  anchorFolder: string
  /** Ends the drill; the scratch database is dropped. */
  signal?: AbortSignal
  /** Called before each check, and at the end. */
  onCheck?(done: number, total: number): Promise<void> | void
}

const checkCount = 7
const mainTables = ['debtor', 'debt_case', 'payment', 'payment_plan', 'audit_entry', 'app_user']
/** Held in the live database: one drill at a time. */
const drillLock = 7_240_011
const scratchMark = 'Scratch database of the Fordra restore drill'

/** The newest `.tar` file of a folder by the time of its last change. Throws BackupRefused when there is none. */
export async function findNewestBackup(folder: string): Promise<string> {
  const names = await readdir(folder).catch((error: unknown) => {
    throw new BackupRefused(`The folder of backups cannot be read: ${(error as Error).message}.`)
  })
  const files = names.filter((name) => name.endsWith('.tar')).map((name) => join(folder, name))
  const dated = await Promise.all(files.map(async (file) => ({ file, at: (await stat(file)).mtimeMs })))
  const [newest] = dated.toSorted((one, other) => other.at - one.at)
  if (!newest) throw new BackupRefused(`${folder} has no backup: no file that ends in .tar.`)
  return newest.file
}

/**
 * Restores the backup on trial. What is wrong with the backup is in the report. Throws BackupRefused when another drill
 * runs, and the signal's reason when it was ended.
 */
export async function runRestoreDrill(file: string, options: DrillOptions): Promise<DrillReport> {
  const started = performance.now()
  const report: DrillReport = {
    isRight: false,
    file,
    madeAt: null,
    ageSeconds: null,
    rows: {},
    seconds: 0,
    checks: [],
  }
  const live = openDatabase(options.databaseUrl, { max: 2, applicationName: 'fordra restore drill' })
  try {
    await live.begin(async (tx) => {
      const [lock] = await tx<{ held: boolean }[]>`select pg_try_advisory_xact_lock(${drillLock}) as held`
      if (!lock!.held) throw new BackupRefused('Another restore drill is running. Wait for its end.')
      // A second statement closes the first one's portal, whose snapshot would keep vacuum from dead rows for as long as
      // the drill runs. And no server may end the transaction as idle.
      await tx.unsafe('set local idle_in_transaction_session_timeout = 0')
      await tryChecks(live, report, options)
    })
    report.isRight = report.checks.length === checkCount && report.checks.every(({ isRight }) => isRight)
    if (report.isRight) await noteGoodDrill(live)
  } finally {
    await live.end({ timeout: 5 })
  }
  report.seconds = Math.round(performance.now() - started) / 1000
  await options.onCheck?.(report.checks.length, report.checks.length)
  return report
}

const drillSetting = 'restore-drill'

/** Whoever started it, the service or the command line. */
const noteGoodDrill = (live: Sql) => live`
  insert into live_setting (name, value) values (${drillSetting}, 'true')
  on conflict (name) do update set value = excluded.value, changed_at = now()`

/** Seconds since the last drill that found its backup to be right; null if there was none. */
export async function findDrillAge(db: Db): Promise<number | null> {
  const [row] = await db<{ seconds: number | null }[]>`
    select extract(epoch from now() - greatest(
      (select changed_at from live_setting where name = ${drillSetting}),
      (select max(ended_at) from job_run
        where kind = 'command' and name = 'restore-drill' and status = 'completed')))::float8 as seconds`
  return row!.seconds
}

/** Adds checks to the report up to the first one without which the next ones mean nothing. */
async function tryChecks(live: Sql, report: DrillReport, options: DrillOptions): Promise<void> {
  const { anchorFolder, signal, databaseUrl, trusted, lists = [], isStampExpected = false } = options
  const rules = { trusted, lists, isStampExpected }
  const check = async (name: DrillCheck['check'], work: () => Promise<Omit<DrillCheck, 'check'>>) => {
    signal?.throwIfAborted()
    await options.onCheck?.(report.checks.length, checkCount)
    const result = await work().catch((error: unknown) => {
      signal?.throwIfAborted()
      return { isRight: false, found: (error as Error).message }
    })
    report.checks.push({ check: name, ...result })
    return result.isRight
  }
  const waiting = { onProgress: () => signal?.throwIfAborted() }
  let archive: CheckedArchive | undefined
  const isReadable = await check('backup', async () => {
    archive = await checkArchive(report.file, waiting)
    const { madeAt } = archive.header
    report.madeAt = madeAt
    report.ageSeconds = Math.round((Date.now() - Date.parse(madeAt)) / 1000)
    return right(`The file is whole: ${archive.rows} rows of ${archive.header.tables.length} tables.`)
  })
  if (!archive || !isReadable) return
  const { header } = archive
  const whole = archive
  if (!(await check('anchor', () => checkAnchor(anchorFolder, header.anchored ?? null)))) return
  await inScratch(live, databaseUrl, async (sql, prepare) => {
    const isLoaded = await check('restore', async () => {
      await prepare()
      await restoreArchive(sql(), whole, waiting)
      for (const table of mainTables) {
        const [row] = await sql().unsafe<{ rows: number }[]>(`select count(*)::int as rows from ${table}`)
        report.rows[table] = row!.rows
      }
      return right('Everything was loaded, and every reference holds.')
    })
    if (!isLoaded) return
    await check('erasures', () => checkErasures(sql(), anchorFolder, header.madeAt))
    await check('trail', () => checkTrail(sql(), anchorFolder, { ...rules, asOf: header.madeAt }))
    await check('ledger', async () => {
      const { cases, transactions, faults } = await verifyLedger(sql())
      return faults.length === 0
        ? right(`The books are right: ${cases} cases with ${transactions} transactions.`)
        : wrong(faults.slice(0, 5).map(describeFault))
    })
    await check('trust', async () => {
      const faults = await verifyTrust(sql())
      return faults.length === 0
        ? right('The trust books are right.')
        : wrong(faults.map((fault) => `${fault}.`))
    })
  })
}

const right = (found: string) => ({ isRight: true, found })
const wrong = (faults: readonly string[]) => ({ isRight: false, found: faults.join(' ') })

/** As a restore does, which is refused without the anchor folder. */
async function checkAnchor(folder: string, anchored: { seal: number; hash: string } | null) {
  if (!anchored)
    return wrong(['The backup was made before its trail was first anchored, so nothing can prove its trail.'])
  if (await new Anchor(folder, undefined).knowsHead(anchored))
    return right(`The anchor folder has the newest head of the backup, seal ${anchored.seal}.`)
  return wrong([
    `The anchor folder ${folder} does not know the trail of this backup (seal ${anchored.seal}). ` +
      'Set FORDRA_ANCHOR as the server has it.',
  ])
}

async function checkErasures(sql: Sql, folder: string, madeAt: string) {
  const recorded = await listRecordedErasures(folder)
  const replayed = await replayErasures(
    {
      sql,
      anchor: { listErasures: async () => recorded },
      customFields: new CustomFields(sql),
      clock: { today: () => madeAt.slice(0, 10) },
      settings: {},
    },
    () => {},
  )
  return recorded.distrusted > 0
    ? wrong([`${recorded.distrusted} recorded erasures have no valid signature and cannot be replayed.`])
    : right(`${replayed} erasures since the backup were carried out again.`)
}

async function checkTrail(sql: Sql, folder: string, options: AnchorOptions) {
  await sealAudit(sql)
  const { audit, anchor } = await verifyAnchor(sql, folder, options)
  const found = [...describeAudit(audit), ...anchor.faults]
  return isWhole(audit) && anchor.faults.length === 0
    ? right(
        [
          ...found,
          `It has all ${anchor.heads} heads that were anchored until the backup.`,
          ...describeTimeStamps(anchor.timeStamps),
        ].join(' '),
      )
    : wrong(found)
}

/**
 * Gives the work an empty scratch database beside the live one, once it has called `prepare`, and drops it. One that an
 * interrupted drill left behind is replaced.
 */
async function inScratch(
  live: Sql,
  databaseUrl: string,
  work: (sql: () => Sql, prepare: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const [row] = await live<
    { name: string }[]
  >`select left(current_database(), 40) || '_restore_drill' as name`
  const { name } = row!
  let scratch: Sql | undefined
  let isOurs = false
  const drop = () => live.unsafe(`drop database if exists "${name.replaceAll('"', '""')}" with (force)`)
  const prepare = async () => {
    const [old] = await live<{ mark: string | null }[]>`
      select shobj_description(oid, 'pg_database') as mark from pg_database where datname = ${name}`
    if (old && old.mark !== scratchMark)
      throw new BackupRefused(`The database ${name} is not one that a drill made. Rename or drop it.`)
    if (old) await drop()
    await live.unsafe(`create database "${name.replaceAll('"', '""')}" template template0`)
    isOurs = true
    await live.unsafe(`comment on database "${name.replaceAll('"', '""')}" is '${scratchMark}'`)
    const url = withDatabaseName(databaseUrl, name)
    await migrate(url, () => {})
    scratch = openDatabase(url, { max: 4, applicationName: 'fordra restore drill' })
  }
  try {
    await work(() => scratch!, prepare)
  } finally {
    await scratch?.end({ timeout: 5 })
    if (isOurs) await drop()
  }
}

/** The report in lines for people. */
export function describeDrill({ file, madeAt, ageSeconds, rows, seconds, checks, isRight }: DrillReport) {
  const counts = Object.entries(rows).map(([table, count]) => `${table} ${count}`)
  return [
    madeAt === null ? `${file}:` : `${basename(file)}, made ${madeAt}, ${describeAge(ageSeconds!)} ago:`,
    ...checks.map((one) => `${one.isRight ? 'right' : 'WRONG'}  ${one.check}: ${one.found}`),
    ...(counts.length > 0 ? [`Rows: ${counts.join(', ')}.`] : []),
    `The restore drill ${isRight ? 'succeeded' : 'failed'} in ${seconds} s.`,
  ]
}

const describeAge = (seconds: number): string =>
  seconds < 7200 ? `${Math.round(seconds / 60)} minutes` : `${Math.round(seconds / 3600)} hours`
