/**
 * Finds a change that locks in the wrong order, by itself: holds one row, lets the change wait for it, and looks which
 * rows it has locked by then. Two changes need not meet, so it also finds a wrong order that all changes share.
 */
import { setTimeout } from 'node:timers/promises'
import type { Sql } from '../../platform/database/driver/pool.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { ApiError } from '../../platform/http/errors.ts'

export interface Lockable {
  name: string
  table: 'debtor' | 'debt_case'
  guid: string
}

/** A change that was not made yet, and the rows that it may lock, in the order in which it should. */
export interface ProbedChange {
  rows: readonly Lockable[]
  change(): Promise<unknown>
}

export interface LockFindings {
  /** The rows that the change has waited for. */
  waitedFor: string[]
  /** The rows that it had locked too early, each with the row that it then waited for. */
  tooEarly: string[]
}

/** The order of all changes: cases by guid, then debtors by guid (docs/decisions/0317-cases-before-debtors.md). */
export function orderRows(caseGuids: readonly string[], debtorGuids: readonly string[]): Lockable[] {
  const name = (kind: string, table: Lockable['table'], guids: readonly string[]) =>
    guids.toSorted().map((guid, index) => ({ name: `${kind} ${index + 1}`, table, guid }))
  return [...name('case', 'debt_case', caseGuids), ...name('debtor', 'debtor', debtorGuids)]
}

/** Calls `prepare` once for each row, which is then held. */
export async function probeLockOrder(sql: Sql, prepare: () => Promise<ProbedChange>): Promise<LockFindings> {
  const findings: LockFindings = { waitedFor: [], tooEarly: [] }
  for (let index = 0; ; index++) {
    const { rows, change } = await prepare()
    const held = rows[index]
    if (!held) return findings
    const tooEarly = await findLockedWhileWaiting(sql, { held, later: rows.slice(index + 1) }, change)
    if (tooEarly === null) continue
    findings.waitedFor.push(held.name)
    findings.tooEarly.push(...tooEarly.map((name) => `${name} before ${held.name}`))
  }
}

/** Null when the change ended without waiting for the held row. */
async function findLockedWhileWaiting(
  sql: Sql,
  { held, later }: { held: Lockable; later: readonly Lockable[] },
  change: () => Promise<unknown>,
): Promise<string[] | null> {
  let made: Promise<void> = Promise.resolve()
  const locked = await inTransaction(sql, async (tx) => {
    await tx`select from ${tx(held.table)} where id = ${held.guid} for no key update`
    const [own] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
    const run = { hasEnded: false }
    made = change().then(
      () => void (run.hasEnded = true),
      (error: unknown) => {
        run.hasEnded = true
        if (!(error instanceof ApiError)) throw error
      },
    )
    made.catch(() => undefined)
    let waiting: number[] = []
    while (!run.hasEnded && waiting.length === 0) {
      await setTimeout(2)
      waiting = await listWaiting(sql, own!.pid)
    }
    return waiting.length === 0 ? null : listLockedBy(sql, later, waiting)
  })
  await made
  return locked
}

/** The processes that wait for a lock of another one. */
async function listWaiting(sql: Sql, pid: number): Promise<number[]> {
  const waiting = await sql<{ pid: number }[]>`
    select pid from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and ${pid} = any(pg_blocking_pids(pid))`
  return waiting.map((one) => one.pid)
}

async function listLockedBy(sql: Sql, rows: readonly Lockable[], pids: readonly number[]): Promise<string[]> {
  const names: string[] = []
  for (const row of rows) {
    const [free] = await sql`
      select from ${sql(row.table)} where id = ${row.guid} for no key update skip locked`
    if (!free && (await isLockedBy(sql, row, pids))) names.push(row.name)
  }
  return names
}

/** A night also works in a second transaction, whose locks are in an order of their own. So this waits to see for whom. */
async function isLockedBy(sql: Sql, { table, guid }: Lockable, pids: readonly number[]): Promise<boolean> {
  let holders: number[] = []
  await inTransaction(sql, async (tx) => {
    const [own] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
    const probe = { isLocked: false }
    const lock = tx`select from ${tx(table)} where id = ${guid} for no key update`.then(
      () => void (probe.isLocked = true),
    )
    lock.catch(() => undefined)
    while (!probe.isLocked && holders.length === 0) {
      const [found] = await sql<{ pids: number[] }[]>`select pg_blocking_pids(${own!.pid}) as pids`
      holders = found!.pids
    }
    await sql`select pg_cancel_backend(${own!.pid}) where ${!probe.isLocked}`
    await lock
  }).catch((error: { code?: string }) => {
    if (error.code !== canceledCode) throw error
  })
  return holders.some((pid) => pids.includes(pid))
}

/** The SQLSTATE of a statement that was cancelled. */
const canceledCode = '57014'
