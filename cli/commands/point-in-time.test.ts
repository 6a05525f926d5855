/** Restoring any moment of the embedded database, destroyed by kill -9 and rm, with the commands. */
import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { writeBaseBackup } from '../../server/platform/backups/base-backup.ts'
import { restoreUntil } from '../../server/platform/backups/restore-until.ts'
import { openDatabase } from '../../server/platform/database/database.ts'
import { startEmbedded } from '../../server/platform/database/embedded/start-embedded.ts'
import { killAll, listTree } from '../../server/testing/programs/embedded-child.ts'
import { archiveLog, passMoment, readRows, startOnLog } from '../../server/testing/servers/log-archive.ts'
import type { NodeProcess } from '../../server/testing/programs/node-process.ts'
import { runBackup, runRestore } from './backup.ts'
import { runMigrate } from './maintenance.ts'
import { runFordra } from '../testing/run-fordra.ts'

const folder = mkdtempSync(join(tmpdir(), 'fordra-until-'))
// Root's embedded database runs as another user, who must be able to enter the folder.
chmodSync(folder, 0o711)
const data = join(folder, 'data')
// A name with special characters for shell and PostgreSQL.
const archive = join(folder, `the agency's $HOME 100%f`)
const later = join(folder, 'later')
const settings = { FORDRA_DATA: data, FORDRA_ARCHIVE: archive }
const nodes: NodeProcess[] = []

const run = (args: string[], env: Record<string, string> = settings) => runFordra(args, { cwd: folder, env })
const restore = (until: Date, dataFolder = data) =>
  restoreUntil(archive, until, { dataFolder, report: () => {} })

/** Runs a command in this process, up to its refusal. */
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

async function start(env: Record<string, string>) {
  const started = await startOnLog(env)
  nodes.push(started.node)
  return started
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
  test('is private, has everything needed and nothing of the running server', () => {
    assert.equal(statSync(base.folder).mode & 0o777, 0o700)
    const names = readdirSync(base.folder)
    for (const name of ['backup_label', 'PG_VERSION', 'base', 'global']) assert.ok(names.includes(name), name)
    for (const name of ['postmaster.pid', 'pg_wal']) assert.ok(!names.includes(name), name)
    assert.ok(existsSync(join(base.folder, 'global', 'pg_control')))
    assert.deepEqual(readdirSync(join(archive, 'base')).length, 1)
  })

  test('is refused where it cannot be made', async () => {
    const own = { DATABASE_URL: 'postgres://localhost/fordra' }
    for (const [work, env, says] of [
      [() => runBackup('x.tar', { base: true }), settings, /takes no name/],
      [makeBase, {}, /goes into FORDRA_ARCHIVE/],
      [makeBase, own, /On your own PostgreSQL server/],
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
    ['in the future', () => new Date(Date.now() + 60_000), /is in the future/],
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

  test('and an archive accepts no log of another database', async () => {
    await assert.rejects(
      withSettings(settings, () => runMigrate({})),
      /is the archive of another database .* 'fordra restore --until'/,
    )
    assert.ok(!existsSync(join(data, 'postgres', 'cluster')))
  })
})

test('a restore brings back exactly the state of the moment, and the service continues', async () => {
  // The moment as written in Stockholm.
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
  const { node, url, sql, addDebtor } = await start(env)
  const rows = await readRows(sql)
  assert.deepEqual(rows.debtors, written.debtors)
  assert.deepEqual(rows.audit.slice(0, written.audit.length), written.audit)
  const [rights] = await sql`
    select count(*)::int as sessions, count(*) filter (where revoked_at is null)::int as live,
      (select count(*)::int from live_setting where name = 'restored') as marks
    from session where created_at < ${moment}`
  assert.deepEqual({ ...rights }, { sessions: 1, live: 0, marks: 0 })
  assert.match(node.output(), /Ended what the restore of \S+ brought back: 1 sessions/)
  await writeBaseBackup(url, later)
  await addDebtor('After the restore')
  await sql.end()
  assert.equal(await node.end('SIGTERM'), 0)
  const { code, out, err } = await run(['verify', '--json'], env)
  assert.equal(code, 0, out + err)
  const { audit } = JSON.parse(out) as { audit: { entries: number } }
  assert.ok(audit.entries > written.audit.length)
})

test('after a clean stop the log is archived completely, and can be restored to its end', async () => {
  const dataFolder = join(folder, 'third')
  const shares: number[] = []
  const onProgress = (share: number) => shares.push(share)
  const restoreLast = (until: Date) =>
    restoreUntil(later, until, { dataFolder, report: () => {}, onProgress })
  const refusal = await restoreLast(new Date()).then(
    () => '',
    (error: Error) => error.message,
  )
  const [, last] = /the last moment that can be restored is (\S+)\.$/.exec(refusal) ?? []
  assert.ok(last, refusal)
  assert.deepEqual(shares, [], 'what is refused has not begun')
  const { lastTransaction } = await restoreLast(new Date(last))
  assert.ok(lastTransaction! <= new Date(last))
  assert.ok(shares.length > 100, 'told of each file of the base backup')
  const fallsAt = shares.findIndex((share, index) => share < (shares[index - 1] ?? 0))
  assert.equal(fallsAt, -1, `falls at ${fallsAt} of ${shares.length}, to ${shares[fallsAt]}`)
  assert.ok(shares[0]! < 0.1)
  assert.equal(shares.at(-1), 1)
  const lines: string[] = []
  const server = await startEmbedded({ dataFolder, report: (line) => lines.push(line) })
  const sql = openDatabase(server.url, { max: 1 })
  const names = await sql<{ lastname: string }[]>`select lastname from debtor order by id`
  await sql.end()
  await server.stop()
  assert.deepEqual(
    names.map(({ lastname }) => lastname),
    ['Before the base', 'Ek', 'Alm', 'Berg', 'After the restore'],
  )
  assert.deepEqual(lines, [])
})

test('a start that leaves a gap in the archived log warns about it', async () => {
  const lines: string[] = []
  const server = await startEmbedded({ dataFolder: data, report: (line) => lines.push(line) })
  await server.stop()
  assert.match(lines.join(), /does not archive the log, as earlier ones did by FORDRA_ARCHIVE/)
})
