import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import type { EmbeddedChild } from '../../../testing/programs/embedded-child.ts'
import {
  findParent,
  killAll,
  killChild,
  listTree,
  readUrl,
  startChild,
  waitUntil,
} from '../../../testing/programs/embedded-child.ts'
import type { Database } from '../database.ts'
import { openDatabase } from '../database.ts'
import { chooseAccount, runAs } from './account.ts'
import { isAlive, servesCluster, postmasterFilePath, readPostmasterFile } from './postmaster-file.ts'

describe('a crash of Fordra', { timeout: 600_000 }, () => {
  let dataFolder: string
  let cluster: string
  const children: EmbeddedChild[] = []
  const strangers: ChildProcess[] = []
  const databases: Database[] = []

  beforeEach(() => {
    dataFolder = realpathSync(mkdtempSync(join(tmpdir(), 'fordra-sudden-')))
    // Root's PostgreSQL runs as another user, who must be able to enter the folder.
    chmodSync(dataFolder, 0o711)
    cluster = join(dataFolder, 'postgres', 'cluster')
  })
  afterEach(async () => {
    await Promise.all(databases.splice(0).map((database) => database.end({ timeout: 1 })))
    for (const child of children.splice(0)) await killChild(child, 'SIGTERM')
    for (const stranger of strangers.splice(0)) stranger.kill('SIGKILL')
    rmSync(dataFolder, { recursive: true, force: true })
  })

  const start = (): EmbeddedChild => {
    const child = startChild(dataFolder)
    children.push(child)
    return child
  }
  const connect = async (child: EmbeddedChild): Promise<Database> => {
    const database = openDatabase(await readUrl(child), { max: 2 })
    databases.push(database)
    return database
  }
  const serverPid = (): number => readPostmasterFile(cluster)?.pid ?? 0
  const writeRow = async (child: EmbeddedChild): Promise<void> => {
    const database = await connect(child)
    await database`create table kept (id int)`
    await database`insert into kept values (1)`
  }
  const readRows = async (child: EmbeddedChild): Promise<unknown[]> => [
    ...(await (await connect(child))`select id from kept`),
  ]

  test('kill -9 of Fordra alone: its PostgreSQL stops cleanly by itself', async () => {
    const child = start()
    await writeRow(child)
    const pid = serverPid()
    await killChild(child, 'SIGKILL')
    await waitUntil(() => !servesCluster(pid, cluster))
    assert.equal(readPostmasterFile(cluster), undefined)
    assert.deepEqual(await readRows(start()), [{ id: 1 }])
  })

  test('kill -9 and an immediate start, while PostgreSQL is still stopping', async () => {
    const child = start()
    await writeRow(child)
    await killChild(child, 'SIGKILL')
    assert.deepEqual(await readRows(start()), [{ id: 1 }])
  })

  test('kill -9 of all processes: committed rows are there after the next start', async () => {
    const child = start()
    await writeRow(child)
    const pid = serverPid()
    killAll(listTree(child.process.pid ?? 0))
    await waitUntil(() => !servesCluster(pid, cluster))
    assert.ok(existsSync(postmasterFilePath(cluster)), 'a stale postmaster.pid is what this test is about')
    assert.deepEqual(await readRows(start()), [{ id: 1 }])
  })

  test('PostgreSQL alone survives (its guard was killed too): it is stopped, and a new one started', async () => {
    const child = start()
    await writeRow(child)
    const orphan = serverPid()
    const guard = findParent(orphan)
    const server = new Set(listTree(orphan))
    killAll([child.process.pid ?? 0, ...listTree(guard).filter((pid) => !server.has(pid))])
    assert.ok(servesCluster(orphan, cluster))
    assert.deepEqual(await readRows(start()), [{ id: 1 }])
    assert.ok(!servesCluster(orphan, cluster))
    assert.notEqual(serverPid(), orphan)
  })

  test('postmaster.pid names an unrelated process: it is left alone', async () => {
    const child = start()
    await writeRow(child)
    const socket = new URL(await readUrl(child)).searchParams.get('host') ?? ''
    const server = serverPid()
    killAll(listTree(child.process.pid ?? 0))
    await waitUntil(() => !servesCluster(server, cluster))
    // Runs as the server's own user, because PostgreSQL detects any other.
    const stranger = spawn('sleep', ['300'], runAs(chooseAccount(cluster)))
    strangers.push(stranger)
    const file = `${stranger.pid}\n${cluster}\n1700000000\n5432\n${socket}\n\n  1 2\nready   \n`
    writeFileSync(postmasterFilePath(cluster), file)
    writeFileSync(join(socket, '.s.PGSQL.5432.lock'), file)
    assert.deepEqual(await readRows(start()), [{ id: 1 }])
    assert.ok(isAlive(stranger.pid ?? 0))
  })

  test('a truncated postmaster.pid (full disk) does not prevent a start', async () => {
    const child = start()
    await writeRow(child)
    await killChild(child, 'SIGTERM')
    writeFileSync(postmasterFilePath(cluster), '')
    assert.deepEqual(await readRows(start()), [{ id: 1 }])
  })

  const linuxOnly = process.platform === 'linux' ? {} : { skip: 'only Linux shows whose processes these are' }
  test('a worker with a long query outlives its killed PostgreSQL: it is ended', linuxOnly, async () => {
    const child = start()
    await writeRow(child)
    const database = await connect(child)
    const [worker] = await database<[{ pid: number }]>`select pg_backend_pid() as pid`
    const busy =
      database`select count(*) from generate_series(1, 99999) a, generate_series(1, 9999999) b`.then(
        () => 'finished',
        () => 'broken off',
      )
    const active = openDatabase(await readUrl(child), { max: 1 })
    databases.push(active)
    let counting: number[] = []
    while (counting.length === 0) {
      const rows = await active<{ pid: number }[]>`
        select pid from pg_stat_activity where state = 'active' and query like '%generate_series(1, 99999)%'
          and pid <> pg_backend_pid()`
      counting = rows.map((row) => row.pid)
    }
    assert.ok(worker.pid > 0)
    const pids = listTree(child.process.pid ?? 0).filter((pid) => !counting.includes(pid))
    killAll(pids)
    assert.ok(counting.every(isAlive))
    assert.deepEqual(await readRows(start()), [{ id: 1 }])
    assert.equal(await busy, 'broken off')
  })

  test('kill -9 during the first start: the next one creates a complete cluster', async () => {
    const child = start()
    const folder = join(dataFolder, 'postgres')
    const isMaking = (): boolean =>
      existsSync(folder) && readdirSync(folder).some((name) => existsSync(join(folder, name, 'PG_VERSION')))
    await waitUntil(isMaking)
    await killChild(child, 'SIGKILL')
    assert.ok(!existsSync(cluster))
    const next = start()
    await writeRow(next)
    assert.deepEqual(await readRows(next), [{ id: 1 }])
  })

  test('of several concurrent starts on a new folder exactly one succeeds', async () => {
    await expectOneServer([start(), start(), start()])
  })

  test('of several concurrent starts after a crash exactly one succeeds', async () => {
    const child = start()
    await writeRow(child)
    killAll(listTree(child.process.pid ?? 0))
    await expectOneServer([start(), start(), start()])
  })

  async function expectOneServer(starting: EmbeddedChild[]): Promise<void> {
    const answers = await Promise.all(starting.map((child) => child.answer))
    const serving = starting.filter((_, index) => 'url' in (answers[index] ?? {}))
    assert.equal(serving.length, 1, JSON.stringify(answers))
    for (const answer of answers) {
      if ('refused' in answer) assert.match(answer.refused, /is in use by another running Fordra/)
    }
    const [server] = serving
    assert.ok(server)
    const database = await connect(server)
    assert.deepEqual([...(await database`select 1 as one`)], [{ one: 1 }])
  }
})
