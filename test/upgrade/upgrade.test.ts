/**
 * From each released version to this one while writes go on: the new node migrates under the old one, both serve side by
 * side, and the old one ends. The earlier program comes from the history of the repository.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { runFordra } from '../../cli/testing/run-fordra.ts'
import type { Sql } from '../../server/platform/database/driver/pool.ts'
import { readMigrations } from '../../server/platform/database/schema/migrate.ts'
import { openTestDatabase, type TestDatabase } from '../../server/testing/database.ts'
import { findFreePort } from '../../server/testing/servers/free-port.ts'
import { startNodeProcess, type NodeProcess } from '../../server/testing/programs/node-process.ts'
import { unpackProgram } from './earlier-program.ts'
import { releases, type Release } from './releases.ts'
import { Load } from './written-load.ts'

const settings = { FORDRA_POOL: '6', FORDRA_JOBS: '1' }
const empty = mkdtempSync(join(tmpdir(), 'fordra-upgrade-'))
after(() => rmSync(empty, { recursive: true }))

for (const { version, migrations, checksum } of releases) {
  test(`the migrations of ${version} are what they were`, async () => {
    const own = (await readMigrations()).slice(0, migrations)
    const digest = createHash('sha256')
      .update(own.map((one) => one.checksum).join())
      .digest('hex')
    assert.equal(digest, checksum)
  })
}

const tooShort = 'the history does not go back to it'

for (const release of releases) {
  const program = unpackProgram(release.commit)
  after(() => program?.remove())
  const name = `from ${release.version} every write is there once, both versions agree, and readiness tells`
  test(name, { skip: program ? false : tooShort }, async () => {
    const database = await openTestDatabase(empty)
    const load = new Load()
    const started: NodeProcess[] = []
    const start = async (more: Record<string, string> = {}, main?: string) => {
      const node = await startNodeProcess(database.url, { ...settings, ...more }, main)
      started.push(node)
      return node
    }
    try {
      await upgrade(database, load, { release, main: program!.main, start })
    } finally {
      load.abandon()
      for (const node of started) await node.end('SIGKILL')
      await database.close()
    }
  })
}

const countMigrations = async (sql: Sql): Promise<number> => {
  const [row] = await sql<{ count: number }[]>`select count(*)::int as count from schema_migration`
  return row!.count
}

type Start = (settings?: Record<string, string>, main?: string) => Promise<NodeProcess>

interface Earlier {
  release: Release
  main: string
  start: Start
}

async function upgrade(
  { sql, url }: TestDatabase,
  load: Load,
  { release, main, start }: Earlier,
): Promise<void> {
  const old = await start({}, main)
  assert.equal(await countMigrations(sql), release.migrations)
  const before = load.add('old', old.address)
  await load.until(() => before.isReady)
  await load.start(3)
  await load.hear(60)

  const port = await findFreePort()
  let migratedAtReady = 0
  const later = load.add('new', `http://127.0.0.1:${port}`, async () => {
    migratedAtReady = await countMigrations(sql)
  })
  const acknowledged = before.acknowledged
  const next = await start({ PORT: String(port) })
  await load.until(() => later.isReady)
  assert.equal(migratedAtReady, (await readMigrations()).length, 'ready before it had migrated')
  assert.ok(before.acknowledged > acknowledged, 'the old node served nothing meanwhile')

  await load.hear(120)
  for (const path of load.cases.slice(-20)) {
    const [one, other] = [await load.read(before, path), await load.read(later, path)]
    const known = Object.fromEntries(Object.keys(one).map((name) => [name, other[name]]))
    assert.deepEqual(known, one, path)
  }

  assert.equal(await old.end('SIGTERM'), 0, old.output())
  await load.hear(60, [later])
  await load.until(() => !before.isReady)
  await load.stop()
  await requireAllOnce(sql, load)
  if (release.migrations < migratedAtReady)
    await assert.rejects(start({}, main), /The database is newer than this program/)
  assert.equal(await next.end('SIGTERM'), 0, next.output())
  const verified = await runFordra(['verify'], { cwd: empty, env: { DATABASE_URL: url } })
  assert.equal(verified.code, 0, verified.out + verified.err)
}

async function requireAllOnce(sql: Sql, { written }: Load): Promise<void> {
  const listed = {
    debtors: await sql<{ value: string }[]>`select lastname as value from debtor where lastname like 'W%'`,
    emails: await sql<{ value: string }[]>`select email as value from debtor where lastname like 'W%'`,
    invoices: await sql<{ value: string }[]>`select invoice_number as value from invoice`,
    payments: await sql<{ value: string }[]>`select id as value from payment`,
    notes: await sql<{ value: string }[]>`select text as value from note`,
    plans: await sql<{ value: string }[]>`select id as value from payment_plan`,
  }
  for (const kind of Object.keys(listed) as (keyof typeof listed)[]) {
    assert.ok(written[kind].length > 0, kind)
    const stored = listed[kind].map(({ value }) => value)
    assert.deepEqual(stored.toSorted(), written[kind].toSorted(), kind)
  }
}
