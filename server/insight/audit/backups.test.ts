/** Backup and restore: all data returns unchanged, or the restore is refused. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Sql } from '../../platform/database/driver/pool.ts'
import { verifyLedger } from '../../ledger/verify-ledger.ts'
import { openDatabase, withDatabaseName } from '../../platform/database/database.ts'
import { migrate } from '../../platform/database/schema/migrate.ts'
import { sealAudit, verifyAudit } from '../../platform/events/audit-seal.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { openTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { listTables, quoteName } from '../../platform/backups/archive.ts'
import { checkArchive, restoreArchive } from '../../platform/backups/restore-backup.ts'
import { readTar } from '../../platform/backups/tar.ts'
import { writeBackup } from '../../platform/backups/write-backup.ts'

const folder = mkdtempSync(join(tmpdir(), 'fordra-backup-'))
const file = join(folder, 'backup.tar')
let api: TestApi

/** The rows of every table as text, sorted. */
async function readContent(sql: Sql): Promise<Record<string, string[]>> {
  const content: Record<string, string[]> = {}
  for (const { table } of await listTables(sql)) {
    const rows = await sql.unsafe<{ row: string }[]>(`select t::text as row from ${quoteName(table)} t`)
    content[table] = rows.map(({ row }) => row).toSorted()
  }
  return content
}

before(async () => {
  api = await startApi()
  const { body, status, text } = await api.call<{ debtorGuid: string }>('POST', '/debtors', {
    body: {
      lastname: "Å\\N O'Hara",
      street: 'Storgatan',
      city: 'Malmö',
      countryCode: 'SE',
      zipCode: '21142',
    },
  })
  assert.equal(status, 201, text)
  const clientGuid = await api.addParty('NORD')
  for (const invoiceNumber of ['1', '2']) {
    const answer = await api.call('POST', '/system/forms/case/register', {
      body: {
        clientGuid,
        debtorGuid: body.debtorGuid,
        currencyCode: 'SEK',
        principal: 1000,
        invoiceNumber,
        description: 'two\nlines\tand \\. a tab',
        dueDate: '2026-01-31',
      },
    })
    assert.equal(answer.status, 201, answer.text)
  }
  await sealAudit(api.sql)
  await writeBackup(api.sql, file)
})
after(async () => {
  await api.close()
  rmSync(folder, { recursive: true })
})

async function onEmpty(work: (database: TestDatabase) => Promise<void>): Promise<void> {
  const database = await openTestDatabase()
  try {
    await work(database)
  } finally {
    await database.close()
  }
}

describe('a backup', () => {
  test('restores every row, and ledger and audit trail verify afterwards', async () => {
    await onEmpty(async ({ sql }) => {
      const archive = await checkArchive(file)
      await restoreArchive(sql, archive)
      const [before_, restored] = [await readContent(api.sql), await readContent(sql)]
      assert.ok(restored['public.debt_case']!.length === 2)
      for (const [table, rows] of Object.entries(before_)) assert.deepEqual(restored[table], rows, table)
      assert.equal((await verifyAudit(sql)).brokenAt, null)
      assert.deepEqual((await verifyLedger(sql)).faults, [])
      const keys = await sql`select from pg_constraint where contype = 'f'`
      const keysBefore = await api.sql`select from pg_constraint where contype = 'f'`
      assert.equal(keys.length, keysBefore.length)
      const off = await sql`select from pg_trigger where not tgisinternal and tgenabled <> 'O'`
      assert.equal(off.length, 0)
      await assert.rejects(async () => await sql`delete from audit_entry`, /append|change/i)
    })
  })

  test('works with pg_dump too: every row can be written with an empty search path, as its restore does', async () => {
    const undone = new Error('undone')
    const restoring = api.sql.begin(async (tx) => {
      await tx.unsafe("set local session_replication_role = replica; set local search_path = ''")
      let written = 0
      for (const { table, columns } of await listTables(tx)) {
        const names = columns.map((name) => `"${name}"`).join(', ')
        const before_ = await tx.unsafe(`select t::text as row from ${quoteName(table)} t order by 1`)
        await tx.unsafe(`create temp table kept on commit drop as table ${quoteName(table)};
          delete from ${quoteName(table)};
          insert into ${quoteName(table)} (${names}) overriding system value select ${names} from pg_temp.kept;
          drop table pg_temp.kept`)
        assert.deepEqual(
          [...(await tx.unsafe(`select t::text as row from ${quoteName(table)} t order by 1`))],
          [...before_],
        )
        written += before_.length
      }
      assert.ok(written > 100, `${written} rows`)
      throw undone
    })
    await assert.rejects(restoring, (error) => error === undone || assert.fail(error as Error))
  })

  test('continues number sequences: a new debtor gets the next number', async () => {
    await onEmpty(async (database) => {
      await restoreArchive(database.sql, await checkArchive(file))
      const node = await api.startNode({}, database.url)
      const { body, status } = await node.call<{ debtorReference: string }>('POST', '/debtors', {
        body: { lastname: 'Ek' },
      })
      assert.equal(status, 201)
      const { body: list } = await node.call<{ total: number; value: { debtorReference: string }[] }>(
        'GET',
        '/debtors?$orderby=debtorReference',
      )
      assert.equal(list.total, 2)
      assert.ok(Number(list.value[0]!.debtorReference) < Number(body.debtorReference))
      await node.close()
    })
  })

  test('needs no rights beyond owning the database, for backup and restore', async () => {
    const role = `owner_${process.pid}`
    const names = [`${role}_one`, `${role}_two`]
    await api.sql.unsafe(`create role ${role} login`)
    const buildUrl = (name: string) => {
      const url = new URL(withDatabaseName(api.databaseUrl, name))
      url.searchParams.set('user', role)
      return url.href
    }
    const open = async (name: string) => {
      await api.sql.unsafe(`create database ${name} owner ${role}`)
      await migrate(buildUrl(name), () => {})
      return openDatabase(buildUrl(name), { max: 2 })
    }
    const [one, two] = [await open(names[0]!), await open(names[1]!)]
    await restoreArchive(one, await checkArchive(file))
    const again = join(folder, 'again.tar')
    await writeBackup(one, again)
    await restoreArchive(two, await checkArchive(again))
    assert.deepEqual(await readContent(two), await readContent(one))
    assert.deepEqual((await verifyLedger(two)).faults, [])
    await Promise.all([one.end(), two.end()])
    for (const name of names) await api.sql.unsafe(`drop database ${name} with (force)`)
    await api.sql.unsafe(`drop role ${role}`)
  })

  test('is a snapshot of one moment despite concurrent writes', async () => {
    const other = join(folder, 'while-writing.tar')
    let written = 0
    const stop = new AbortController()
    const writing = (async () => {
      while (!stop.signal.aborted) {
        await api.call('POST', '/debtors', { body: { lastname: `Meanwhile ${++written}` } })
      }
    })()
    await writeBackup(api.sql, other)
    stop.abort()
    await writing
    await onEmpty(async ({ sql }) => {
      await restoreArchive(sql, await checkArchive(other))
      const [counts] = await sql`
        select (select count(*) from debtor)::int as debtors,
          (select sum(rows) from list_total where entity = 'debtor')::int as kept,
          (select count(*) from item where type = 1)::int as items,
          (select count(distinct entity_id) from audit_entry where entity = 'debtor' and action = 'created')::int as audited`
      assert.equal(counts!['kept'], counts!['debtors'])
      assert.equal(counts!['audited'], counts!['debtors'])
    })
  })

  test('can be read with tar and gzip', async () => {
    const names = execFileSync('tar', ['-tf', file], { encoding: 'utf8' }).trim().split('\n')
    assert.equal(names[0], 'header.json')
    assert.equal(names.at(-1), 'manifest.json')
    const part = names.find((name) => name.startsWith('data/public.debtor/'))!
    const rows = execFileSync('sh', ['-c', `tar -xOf '${file}' '${part}' | gzip -dc`], { encoding: 'utf8' })
    assert.match(rows, /Malmö/)
  })
})

describe('a restore is refused', () => {
  test('into a database that is in use', async () => {
    const before_ = await readContent(api.sql)
    await assert.rejects(restoreArchive(api.sql, await checkArchive(file)), /already holds users or debtors/)
    assert.deepEqual(await readContent(api.sql), before_)
  })

  test('of an archive that is truncated, damaged, or not a backup', async () => {
    const content = readFileSync(file)
    const broken = join(folder, 'broken.tar')
    for (const [bytes, says] of [
      [content.subarray(0, content.length - 1500), /incomplete|ends too early/],
      [content.subarray(0, 700), /ends too early/],
      [Buffer.from('x'.repeat(2000)), /not a backup archive/],
      [Buffer.alloc(0), /ends too early/],
    ] as const) {
      writeFileSync(broken, bytes)
      await assert.rejects(checkArchive(broken), says)
    }
    let at = 0
    for await (const { name, content: part } of readTar(file)) {
      if (name.startsWith('data/public.debtor/')) at = content.indexOf(part) + 30
    }
    const flipped = Buffer.from(content)
    flipped[at] = flipped[at]! ^ 1
    writeFileSync(broken, flipped)
    await assert.rejects(checkArchive(broken), /damaged: data\/public\.debtor\//)
  })

  test('and an existing file is not overwritten', async () => {
    await assert.rejects(writeBackup(api.sql, file), /already exists/)
    await checkArchive(file)
  })
})
