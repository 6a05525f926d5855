/** What the tests of bringing a moment back share. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from '../../platform/database/driver/pool.ts'
import { findRunningDatabase } from '../../platform/database/connect-running.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { adminPassword, startNodeProcess } from '../programs/node-process.ts'

/** A running service, and its database as one beside it sees it. */
export async function startOnLog(env: Record<string, string>) {
  const node = await startNodeProcess(env['DATABASE_URL'] ?? '', env)
  const call = async (path: string, body: object, token = '') => {
    const answer = await fetch(`${node.address}/api/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    })
    assert.ok(answer.ok, await answer.clone().text())
    return (await answer.json()) as Record<string, string>
  }
  const login = { login: 'admin@agency.example', password: adminPassword }
  const { accessToken } = await call('/auth/login', login)
  const url = env['DATABASE_URL'] ?? (await findRunningDatabase(env['FORDRA_DATA']!, () => {}))!
  const sql = openDatabase(url, { max: 1 })
  return { node, url, sql, addDebtor: (lastname: string) => call('/debtors', { lastname }, accessToken) }
}

/** What was written by requests, row by row. */
export const readRows = async (sql: Sql) => ({
  debtors: (await sql<{ row: string }[]>`select d::text as row from debtor d order by id`).map(
    ({ row }) => row,
  ),
  audit: (await sql<{ row: string }[]>`select a::text as row from audit_entry a order by position`).map(
    ({ row }) => row,
  ),
})

/** Ends the segment of the log and waits until it is in the archive. */
export async function archiveLog(sql: Sql): Promise<void> {
  const [ended] = await sql<{ name: string }[]>`select pg_walfile_name(pg_switch_wal()) as name`
  const isArchived = async () =>
    (await sql<{ is: boolean }[]>`select last_archived_wal >= ${ended!.name} as is from pg_stat_archiver`)[0]!
      .is
  while (!(await isArchived())) await sleep(20)
}

/** A millisecond that all before it is over in, and that has passed. */
export async function passMoment(): Promise<Date> {
  const moment = new Date(Date.now() + 1)
  while (Date.now() <= moment.getTime()) await sleep(1)
  return moment
}
