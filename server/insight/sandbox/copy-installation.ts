/**
 * Copies an installation into an empty database as a sandbox. Rows are masked between the two databases: nothing personal
 * is written on the way or to the disk of the sandbox.
 */
import { once } from 'node:events'
import { randomBytes } from 'node:crypto'
import { finished } from 'node:stream/promises'
import { hashPassword } from '../../access/sessions/passwords.ts'
import {
  BackupRefused,
  listTables,
  quoteName,
  readSchemaState,
  type Manifest,
  type ProgressListener,
  type TableColumns,
} from '../../platform/backups/archive.ts'
import { replaceRows, requireEmpty } from '../../platform/backups/replace-rows.ts'
import { followSizes, listSequences } from '../../platform/backups/write-backup.ts'
import type { Sql } from '../../platform/database/driver/pool.ts'
import type { TransactionSql } from '../../platform/database/driver/sql.ts'
import { makeId } from '../../platform/database/make-id.ts'
import { maskRows, type RowMask } from './masks/copy-rows.ts'
import { createRowMasks, type RowMasks } from './masks/row-masks.ts'
import { drawLogin, finishSandbox, writeItems, type LeftBehind, type SandboxLogin } from './finish-sandbox.ts'

export interface CopyOptions extends ProgressListener {
  /** False copies personal data as it is. Secrets, queues and messages stay behind all the same. */
  masked: boolean
  /** 32 bytes for the masks. Drawn when not given, and not stored. */
  key?: Uint8Array
}

export interface CopiedInstallation {
  tables: number
  rows: number
  /** The business date, on which the clock of the sandbox stands still. */
  businessDate: string
  login: SandboxLogin
  leftBehind: LeftBehind
}

/**
 * One snapshot makes all tables consistent, without blocking anybody. Throws BackupRefused when the source is itself a
 * sandbox, and when the target is in use or has other tables. A failure leaves the target empty.
 */
export async function copyInstallation(
  source: Sql,
  target: Sql,
  options: CopyOptions,
): Promise<CopiedInstallation> {
  const login = drawLogin()
  // It takes a while, and a transaction waits for nobody.
  const passwordHash = await hashPassword(login.password)
  const copied = await source.begin('isolation level repeatable read read only', async (from) => {
    await from`set local statement_timeout = 0`
    await refuseSandbox(from)
    await lockSource(from)
    return target.begin(async (to) => {
      await to`set local statement_timeout = 0`
      await refuseSource(to)
      const tables = await requireSameTables(from, to)
      const [clock] = await from<{ date: string }[]>`select business_date as date from business_clock`
      if (!clock) throw new BackupRefused('The source was never started: it has nothing to copy.')
      const masks = await createRowMasks(from, {
        masked: options.masked,
        key: options.key ?? randomBytes(32),
        today: clock.date,
      })
      let rows = 0
      let sequences: Manifest['sequences'] = []
      await replaceRows(to, tables, {
        load: async () => {
          rows = await copyTables(from, to, { tables, masks, options })
          if (options.masked) await writeItems(to)
          // Read last, so that numbers used meanwhile count as used.
          sequences = await listSequences(from)
        },
        sequences: () => sequences,
        onCheck: (share) => options.onProgress?.(share, `references checked, of ${rows} rows`),
      })
      await to`insert into sandbox (id, copied_at, masked) values (${makeId()}, now(), ${options.masked})`
      const facts = { masked: options.masked, businessDate: clock.date }
      const leftBehind = await finishSandbox(to, { ...facts, login: login.login, passwordHash })
      return { tables: tables.length, rows, businessDate: clock.date, login, leftBehind }
    })
  })
  await target`analyze`
  return copied
}

async function refuseSandbox(from: TransactionSql): Promise<void> {
  const [found] = await from<{ any: boolean }[]>`select exists (select from sandbox) as any`
  if (found!.any)
    throw new BackupRefused('This installation is a sandbox. Copy the installation that it was copied from.')
}

/** Held in the database that is copied. */
const sandboxLock = 7_240_058

async function lockSource(from: TransactionSql): Promise<void> {
  const [lock] = await from<{ held: boolean }[]>`select pg_try_advisory_xact_lock(${sandboxLock}) as held`
  if (!lock!.held)
    throw new BackupRefused('Another sandbox of this installation is being copied. Wait for its end.')
}

/** Two addresses can lead to one database. */
async function refuseSource(to: TransactionSql): Promise<void> {
  const [lock] = await to<{ held: boolean }[]>`select pg_try_advisory_xact_lock(${sandboxLock}) as held`
  if (!lock!.held)
    throw new BackupRefused(
      'The sandbox would be the installation itself. Name another folder or database for it.',
    )
}

async function requireSameTables(from: TransactionSql, to: TransactionSql): Promise<TableColumns[]> {
  await requireEmpty(to)
  const [theirs, ours] = [await readSchemaState(from), await readSchemaState(to)]
  const [tables, own] = [await listTables(from), await listTables(to)]
  if (JSON.stringify([theirs, tables]) !== JSON.stringify([ours, own]))
    throw new BackupRefused('The tables of the two databases differ. Use an empty database.')
  return tables
}

interface CopyWork {
  tables: readonly TableColumns[]
  masks: RowMasks
  options: CopyOptions
}

/** Returns the number of rows. */
async function copyTables(
  from: TransactionSql,
  to: TransactionSql,
  { tables, masks, options }: CopyWork,
): Promise<number> {
  const tell = await followSizes(from, [...tables], options)
  let rows = 0
  for (const one of tables) {
    const mask = masks.find(one)
    const copied = mask
      ? await copyTable(from, to, one, mask, (count, bytes) => tell(one.table, rows + count, bytes))
      : 0
    rows += copied
    tell(one.table, rows, Infinity)
    if (copied > 0) options.onLine?.(`${one.table}: ${copied} rows`)
  }
  return rows
}

async function copyTable(
  from: TransactionSql,
  to: TransactionSql,
  { table, columns }: TableColumns,
  mask: RowMask,
  tell: (rows: number, bytes: number) => void,
): Promise<number> {
  const list = columns.map(quoteName).join(', ')
  const read = await from.unsafe(`copy ${quoteName(table)} (${list}) to stdout`).readable()
  const written = await to.unsafe(`copy ${quoteName(table)} (${list}) from stdin`).writable()
  let [count, bytes] = [0, 0]
  try {
    for await (const { lines, rows } of maskRows(read as AsyncIterable<Buffer>, mask)) {
      if (!written.write(lines)) await once(written, 'drain')
      count += rows
      bytes += lines.length
      tell(count, bytes)
    }
  } catch (error) {
    // The transaction could not be rolled back while it waits for rows.
    const ended = finished(written).catch(() => {})
    written.destroy(error as Error)
    await ended
    throw error
  }
  written.end()
  await finished(written)
  return count
}
