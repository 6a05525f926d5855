// Own process: it waits for programs by unreferenced handles, which only an event loop of its own keeps alive to the end.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { openDatabase } from '../database.ts'
import { canWriteIn, chooseAccount, isRoot } from './account.ts'
import { formerSystemFolder, systemFolder } from './home.ts'
import { servesCluster, readPostmasterFile } from './postmaster-file.ts'
import type { EmbeddedServer } from './start-embedded.ts'
import { startEmbedded } from './start-embedded.ts'

// Prevents endless waiting: on a busy machine each start takes seconds.
const limit = { timeout: 600_000 }
const refusal = (message: RegExp): { name: string; message: RegExp } => ({
  name: 'DatabaseUnusable',
  message,
})

describe('the embedded server', limit, () => {
  let dataFolder: string
  let lines: string[]
  const running: EmbeddedServer[] = []

  beforeEach(() => {
    lines = []
    dataFolder = realpathSync(mkdtempSync(join(tmpdir(), 'fordra-embedded-')))
    // Root's PostgreSQL runs as another user, who must be able to enter the folder.
    chmodSync(dataFolder, 0o711)
  })
  afterEach(async () => {
    for (const server of running.splice(0)) await server.stop()
    rmSync(dataFolder, { recursive: true, force: true })
  })

  const start = async (folder = dataFolder): Promise<EmbeddedServer> => {
    const server = await startEmbedded({
      dataFolder: folder,
      report: (line) => lines.push(line),
      durable: false,
    })
    running.push(server)
    return server
  }
  const cluster = (): string => join(dataFolder, 'postgres', 'cluster')
  const readLog = (): string => readFileSync(join(dataFolder, 'postgres', 'server.log'), 'utf8')

  test('starts, keeps rows after a stop, and leaves nothing running', async () => {
    const first = await start()
    const sql = openDatabase(first.url)
    await sql`create table kept (id int)`
    await sql`insert into kept values (1)`
    await sql.end()
    const { pid } = readPostmasterFile(cluster()) ?? { pid: 0 }
    assert.ok(servesCluster(pid, cluster()))
    await first.stop()
    assert.equal(await first.exited, 0)
    assert.ok(!servesCluster(pid, cluster()))
    assert.equal(readPostmasterFile(cluster()), undefined)
    await first.stop()

    const second = await start()
    const again = openDatabase(second.url)
    assert.deepEqual([...(await again`select id from kept`)], [{ id: 1 }])
    await again.end()
    assert.deepEqual(lines, [`Making a database in ${join(dataFolder, 'postgres')} (once)`])
  })

  test('writes no values of rows to its log, even at a level that logs errors', async () => {
    const server = await start()
    const sql = openDatabase(server.url, { max: 1 })
    const idNumber = '19900101-2385'
    await sql`create table numbered (id_number text unique)`
    await sql`insert into numbered values (${idNumber})`
    const repeat = () => sql`insert into numbered values (${idNumber})`
    await assert.rejects(async () => await repeat(), { code: '23505' })
    assert.doesNotMatch(readLog(), /duplicate key/)
    await sql`set log_min_messages = 'error'`
    await assert.rejects(async () => await repeat(), { code: '23505' })
    await sql.end()
    await server.stop()
    assert.match(readLog(), /duplicate key/)
    assert.ok(!readLog().includes(idNumber), readLog())
  })

  test('is UTF-8, knows letters beyond ASCII, and listens only on its socket', async () => {
    const server = await start()
    const sql = openDatabase(server.url)
    const [row] = await sql`select current_setting('server_encoding') as encoding, lower('ÅÄÖ') as lower,
      current_setting('listen_addresses') as addresses, current_setting('jit') as jit, current_user as user,
      (select count(*) from pg_hba_file_rules where type = 'host' and auth_method <> 'reject') as doors`
    assert.deepEqual(row, {
      encoding: 'UTF8',
      lower: 'åäö',
      addresses: '',
      jit: 'off',
      user: 'fordra',
      doors: 0,
    })
    await sql.end()
  })

  test('only its user can access its files and socket', async () => {
    await start()
    for (const name of ['cluster', 'socket']) {
      assert.equal(statSync(join(dataFolder, 'postgres', name)).mode & 0o777, 0o700, name)
    }
    assert.equal(statSync(join(dataFolder, 'postgres', 'server.log')).mode & 0o777, 0o600)
  })

  test('a second one on the same folder is refused, naming the process to stop', async () => {
    await start()
    const message = new RegExp(
      `${dataFolder} is in use by another running Fordra \\(pid ${process.pid}\\); stop it`,
    )
    await assert.rejects(start(), refusal(message))
  })

  test('after a stop the folder can be used again', async () => {
    const first = await start()
    await first.stop()
    await start()
  })

  test('reports when the server has ended by itself', async () => {
    const server = await start()
    process.kill(readPostmasterFile(cluster())?.pid ?? 0, 'SIGKILL')
    assert.equal(await server.exited, 128 + 9)
  })

  test('a path too long for a socket gets a short private one, which is removed with the server', async () => {
    const long = join(dataFolder, 'x'.repeat(60), 'y'.repeat(60))
    mkdirSync(long, { recursive: true, mode: 0o711 })
    const server = await start(long)
    const folder = new URL(server.url).searchParams.get('host') ?? ''
    assert.ok(!folder.startsWith(dataFolder))
    assert.equal(statSync(folder).mode & 0o777, 0o700)
    const sql = openDatabase(server.url)
    assert.deepEqual([...(await sql`select 1 as one`)], [{ one: 1 }])
    await sql.end()
    await server.stop()
    assert.ok(!existsSync(folder))
  })

  // A small image may lack ps; Linux does not need it.
  const needsPs = spawnSync('ps').error ? { ...limit, skip: 'there is no ps' } : limit
  const byLine = 'where there is no /proc a server is known by its command line, however narrow the window'
  test(byLine, needsPs, async (t) => {
    const columns = process.env['COLUMNS']
    t.after(() => {
      if (columns === undefined) delete process.env['COLUMNS']
      else process.env['COLUMNS'] = columns
    })
    await start()
    const { pid } = readPostmasterFile(cluster()) ?? { pid: 0 }
    process.env['COLUMNS'] = '20'
    assert.ok(servesCluster(pid, cluster(), 'darwin'))
    assert.ok(!servesCluster(pid, join(dataFolder, 'another'), 'darwin'))
    assert.ok(!servesCluster(process.pid, cluster(), 'darwin'))
  })

  test('a data folder that cannot be created is named with what to do', async () => {
    const file = join(dataFolder, 'file')
    writeFileSync(file, '')
    await assert.rejects(
      start(join(file, 'data')),
      refusal(/data folder .*file\/data cannot be written: .*FORDRA_DATA/),
    )
    await assert.rejects(start(file), refusal(/data folder .*file cannot be written/))
  })

  test('a cluster of another PostgreSQL version is refused and unchanged', async () => {
    const server = await start()
    await server.stop()
    const version = join(cluster(), 'PG_VERSION')
    writeFileSync(version, '17\n')
    await assert.rejects(start(), refusal(/made by PostgreSQL 17, and this Fordra brings PostgreSQL 18/))
    rmSync(version)
    await assert.rejects(start(), refusal(/holds no PostgreSQL cluster/))
    writeFileSync(version, '18\n')
    await start()
  })

  test('a server that does not start gives the reason', async () => {
    const server = await start()
    await server.stop()
    writeFileSync(join(cluster(), 'postgresql.conf'), 'no_such_setting = 1\n')
    await assert.rejects(start(), refusal(/PostgreSQL did not start: .*no_such_setting/))
  })

  test('remains of a killed first start are removed', async () => {
    const rest = join(dataFolder, 'postgres', 'cluster-unfinished-abc')
    mkdirSync(rest, { recursive: true, mode: 0o711 })
    writeFileSync(join(rest, 'PG_VERSION'), '18\n')
    chmodSync(join(dataFolder, 'postgres'), 0o711)
    await start()
    const left = readdirSync(join(dataFolder, 'postgres')).filter((name) => name.startsWith('cluster'))
    assert.deepEqual(left, ['cluster'])
  })

  const needsRoot = isRoot() ? limit : { ...limit, skip: 'only root runs PostgreSQL as another user' }
  test(
    "the socket is in /tmp when root's temporary folder is closed to other users",
    needsRoot,
    async (t) => {
      const before = process.env['TMPDIR']
      t.after(() => {
        if (before === undefined) delete process.env['TMPDIR']
        else process.env['TMPDIR'] = before
      })
      const closed = join(dataFolder, 'closed')
      mkdirSync(closed, { mode: 0o700 })
      const long = join(dataFolder, 'x'.repeat(60), 'y'.repeat(60))
      mkdirSync(long, { recursive: true, mode: 0o711 })
      process.env['TMPDIR'] = closed
      const server = await start(long)
      const folder = new URL(server.url).searchParams.get('host') ?? ''
      assert.match(folder, /^(\/private)?\/tmp\/fordra-socket-/)
      assert.deepEqual(readdirSync(closed), [])
      await server.stop()
      assert.ok(!existsSync(folder))
    },
  )

  test("a user id of 32 bits, as of macOS's nobody, can run PostgreSQL", needsRoot, () => {
    const folder = join(dataFolder, 'nobodys')
    mkdirSync(folder, { mode: 0o700 })
    const account = chooseAccount(dataFolder)
    assert.ok(!canWriteIn(folder, account))
    chownSync(folder, 4_294_967_294, 4_294_967_294)
    const nobody = chooseAccount(folder)
    assert.equal(nobody?.uid, 4_294_967_294)
    assert.ok(canWriteIn(folder, nobody))
  })

  test(
    "root's data folder that other users cannot enter is kept elsewhere, and found again",
    needsRoot,
    async () => {
      chmodSync(dataFolder, 0o700)
      const before = new Set(existsSync(systemFolder) ? readdirSync(systemFolder) : [])
      const server = await start()
      const elsewhere = readdirSync(systemFolder).filter(
        (name) => !before.has(name) && !name.startsWith('postgresql-'),
      )
      try {
        assert.equal(elsewhere.length, 1)
        assert.match(
          lines.join('\n'),
          /kept in \/var\/lib\/fordra-postgres\/[0-9a-f]{16}: it runs as the user .* may not enter/,
        )
        const sql = openDatabase(server.url)
        await sql`create table kept (id int)`
        await sql.end()
        await server.stop()
        // The folder is reachable now: the data must not seem lost.
        chmodSync(dataFolder, 0o711)
        const again = openDatabase((await start()).url)
        assert.deepEqual([...(await again`select id from kept`)], [])
        await again.end()
        // So is one that an earlier version kept where the Debian package has its data now.
        await running.at(-1)?.stop()
        mkdirSync(formerSystemFolder, { recursive: true, mode: 0o755 })
        renameSync(join(systemFolder, elsewhere[0]!), join(formerSystemFolder, elsewhere[0]!))
        const former = openDatabase((await start()).url)
        assert.deepEqual([...(await former`select id from kept`)], [])
        await former.end()
      } finally {
        await running.at(-1)?.stop()
        for (const folder of [systemFolder, formerSystemFolder])
          for (const name of elsewhere) rmSync(join(folder, name), { recursive: true, force: true })
      }
    },
  )

  test("root keeps no database in the Debian package's folder, which others may not enter", () => {
    const postinst = readFileSync(join(import.meta.dirname, '../../../../deploy/debian/postinst'), 'utf8')
    const made = /install -d -o fordra -g fordra -m 700 (\S+)/.exec(postinst)![1]!
    assert.ok(!`${systemFolder}/`.startsWith(`${made}/`))
  })
})
