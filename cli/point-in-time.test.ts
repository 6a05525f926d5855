/** Any moment of the embedded database: destroyed by kill -9 and rm, and brought back as it was then, by the commands. */
import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { writeBaseBackup } from '../server/backups/base-backup.ts'
import { restoreUntil } from '../server/backups/restore-until.ts'
import { findRunningDatabase } from '../server/database/connect-running.ts'
import { openDatabase } from '../server/database/database.ts'
import { startEmbedded } from '../server/database/embedded/start-embedded.ts'
import { killAll, listTree } from '../server/testing/embedded-child.ts'
import { adminPassword, startNodeProcess, type NodeProcess } from '../server/testing/node-process.ts'
import { runBackup, runRestore } from './backup.ts'
import { runMigrate } from './maintenance.ts'
import { runFordra } from './run-for-tests.ts'

const folder = mkdtempSync(join(tmpdir(), 'fordra-until-'))
// The embedded database of root runs as somebody else, who must be able to pass through.
chmodSync(folder, 0o711)
const data = join(folder, 'data')
// A shell and PostgreSQL both have a say in what such a name means.
const archive = join(folder, `the agency's $HOME 100%f`)
const later = join(folder, 'later')
const settings = { FORDRA_DATA: data, FORDRA_ARCHIVE: archive }
const nodes: NodeProcess[] = []

const run = (args: string[], env: Record<string, string> = settings) => runFordra(args, { cwd: folder, env })
const restore = (until: Date, dataFolder = data) =>
  restoreUntil(archive, until, { dataFolder, report: () => {} })

/** Runs a command in this process, as far as it is refused there. */
async function withSettings(env: Record<string, string>, work: () => Promise<void>): Promise<void> {
  const names = ['FORDRA_DATA', 'FORDRA_ARCHIVE', 'DATABASE_URL']
  const kept = Object.fromEntries(names.map((name) => [name, process.env[name]]))
  const set = (values: Record<string, string | undefined>) => {
    for (const name of names) {
      if (values[name] === undefined) delete process.env[name]
      else process.env[name] = values[name]
    }
  }
  set(env)
  try {
    await work()
  } finally {
    set(kept)
  }
}

/** A running service, and its database as one beside it sees it. */
async function start(env: Record<string, string>) {
  const node = await startNodeProcess('', env)
  nodes.push(node)
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
  const url = (await findRunningDatabase(env['FORDRA_DATA']!, () => {}))!
  const sql = openDatabase(url, { max: 1 })
  return { node, url, sql, addDebtor: (lastname: string) => call('/debtors', { lastname }, accessToken) }
}

/** What was written by requests, row by row. */
const readRows = async (sql: Sql) => ({
  debtors: (await sql<{ row: string }[]>`select d::text as row from debtor d order by id`).map(
    ({ row }) => row,
  ),
  audit: (await sql<{ row: string }[]>`select a::text as row from audit_entry a order by position`).map(
    ({ row }) => row,
  ),
})

/** Ends the segment of the log and waits until it is in the archive. */
async function archiveLog(sql: Sql): Promise<void> {
  const [ended] = await sql<{ name: string }[]>`select pg_walfile_name(pg_switch_wal()) as name`
  const isArchived = async () =>
    (await sql<{ is: boolean }[]>`select last_archived_wal >= ${ended!.name} as is from pg_stat_archiver`)[0]!
      .is
  while (!(await isArchived())) await sleep(20)
}

/** A millisecond that all before it is over in, and that has passed. */
async function passMoment(): Promise<Date> {
  const moment = new Date(Date.now() + 1)
  while (Date.now() <= moment.getTime()) await sleep(1)
  return moment
}

const makeBase = () => runBackup(undefined, { base: true })

let written: Awaited<ReturnType<typeof readRows>>
let base: { folder: string; finishedAt: string }
let moment: Date
let afterAll: Date

before(async () => {
  const { node, sql, addDebtor } = await start(settings)
  await addDebtor('Before the base')
  const made = await run(['backup', '--base', '--json'])
  assert.equal(made.code, 0, made.err)
  base = JSON.parse(made.out) as typeof base
  await addDebtor('Ek')
  await archiveLog(sql)
  await addDebtor('Alm')
  await archiveLog(sql)
  await addDebtor('Berg')
  written = await readRows(sql)
  moment = await passMoment()
  await addDebtor('Never')
  await archiveLog(sql)
  afterAll = new Date()
  await addDebtor('Lost with the last segment')
  await sql.end()
  killAll(listTree(node.child.pid!))
  rmSync(data, { recursive: true })
})
after(async () => {
  for (const node of nodes) await node.end('SIGTERM')
  rmSync(folder, { recursive: true, force: true })
})

describe('a base backup', () => {
  test('is private, has what it needs and nothing of the running server', () => {
    assert.equal(statSync(base.folder).mode & 0o777, 0o700)
    const names = readdirSync(base.folder)
    for (const name of ['backup_label', 'PG_VERSION', 'base', 'global']) assert.ok(names.includes(name), name)
    for (const name of ['postmaster.pid', 'pg_wal']) assert.ok(!names.includes(name), name)
    assert.ok(existsSync(join(base.folder, 'global', 'pg_control')))
    assert.deepEqual(readdirSync(join(archive, 'base')).length, 1)
  })

  test('is refused where it cannot be what is asked for', async () => {
    const own = { DATABASE_URL: 'postgres://localhost/fordra' }
    for (const [work, env, says] of [
      [() => runBackup('x.tar', { base: true }), settings, /takes no name/],
      [makeBase, {}, /goes into FORDRA_ARCHIVE/],
      [makeBase, own, /Point in time, on your own server/],
      [() => runMigrate({}), { ...own, FORDRA_ARCHIVE: archive }, /Remove FORDRA_ARCHIVE/],
      [
        () => runMigrate({}),
        { FORDRA_DATA: data, FORDRA_ARCHIVE: join(data, 'log') },
        /lies in the data folder/,
      ],
    ] as const) {
      await assert.rejects(withSettings({ ...env }, work), says)
    }
  })
})

describe('a restore until a moment is refused, and leaves nothing behind,', () => {
  for (const [what, momentOf, says] of [
    ['before the first base backup', () => new Date(Date.parse(base.finishedAt) - 1), /finished at 20/],
    ['in the future', () => new Date(Date.now() + 60_000), /still to come/],
    ['after the archived log', () => afterAll, /log ends before .*: the last moment .* is 20/],
  ] as const)
    test(what, async () => {
      await assert.rejects(restore(momentOf()), { name: 'Error', message: says })
      assert.ok(!existsSync(join(data, 'postgres', 'cluster')))
    })

  test('where a segment of the log is missing', async () => {
    const wal = join(archive, 'wal')
    const last = readdirSync(wal)
      .filter((name) => /^[0-9A-F]{24}$/.test(name))
      .toSorted()
      .at(-2)!
    renameSync(join(wal, last), join(folder, last))
    try {
      await assert.rejects(restore(moment), new RegExp(`lacks .*${last}: the last moment`))
    } finally {
      renameSync(join(folder, last), join(wal, last))
    }
  })

  test('where there is no archive, no moment, or another form of backup is meant', async () => {
    await assert.rejects(
      restoreUntil(folder, moment, { dataFolder: data, report: () => {} }),
      /no base backup/,
    )
    for (const [options, says] of [
      [{ until: '2026-11-21' }, /Write it like 2026-/],
      [{ until: moment.toISOString(), check: true }, /Leave out --until/],
    ] as const)
      await assert.rejects(
        withSettings(settings, () => runRestore(archive, options)),
        says,
      )
  })

  test('and an archive takes no log of a database that is not its own', async () => {
    await assert.rejects(
      withSettings(settings, () => runMigrate({})),
      /is the archive of another database .* 'fordra restore --until'/,
    )
    assert.ok(!existsSync(join(data, 'postgres', 'cluster')))
  })
})

test('a restore brings back exactly what was there at the moment, and the service goes on', async () => {
  // The moment as somebody in Stockholm may write it.
  const local = `${new Date(moment.getTime() + 3_600_000).toISOString().slice(0, -1)}+01:00`
  const restored = await run(['restore', '--until', local, '--json', archive])
  assert.equal(restored.code, 0, restored.err)
  const facts = JSON.parse(restored.out) as { until: string; lastTransaction: string }
  assert.equal(facts.until, moment.toISOString())
  assert.ok(Date.parse(facts.lastTransaction) <= moment.getTime())
  await assert.rejects(restore(moment), /holds a database already/)
  await assert.rejects(
    withSettings(settings, () => runMigrate({})),
    /as it was before a restore/,
  )

  const env = { FORDRA_DATA: data, FORDRA_ARCHIVE: later }
  const verified = await run(['verify', '--json'], env)
  assert.equal(verified.code, 0, verified.out + verified.err)
  const { node, url, sql, addDebtor } = await start(env)
  const rows = await readRows(sql)
  assert.deepEqual(rows.debtors, written.debtors)
  assert.deepEqual(rows.audit.slice(0, written.audit.length), written.audit)
  await writeBaseBackup(url, later)
  await addDebtor('After the restore')
  await sql.end()
  assert.equal(await node.end('SIGTERM'), 0)
  const again = JSON.parse((await run(['verify', '--json'], env)).out) as {
    isRight: boolean
    audit: { entries: number }
  }
  assert.ok(again.isRight)
  assert.ok(again.audit.entries > written.audit.length)
})

test('what was stopped in order is archived to its end, and comes back as far as that', async () => {
  const dataFolder = join(folder, 'third')
  const restoreLast = (until: Date) => restoreUntil(later, until, { dataFolder, report: () => {} })
  const refusal = await restoreLast(new Date()).then(
    () => '',
    (error: Error) => error.message,
  )
  const [, last] = /the last moment that can be brought back is (\S+)\.$/.exec(refusal) ?? []
  assert.ok(last, refusal)
  const { lastTransaction } = await restoreLast(new Date(last))
  assert.ok(lastTransaction! <= new Date(last))
  const server = await startEmbedded({ dataFolder, report: () => {} })
  const sql = openDatabase(server.url, { max: 1 })
  const names = await sql<{ lastname: string }[]>`select lastname from debtor order by id`
  await sql.end()
  await server.stop()
  assert.deepEqual(
    names.map(({ lastname }) => lastname),
    ['Before the base', 'Ek', 'Alm', 'Berg', 'After the restore'],
  )
})
