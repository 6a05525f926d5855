/**
 * The recipe in docs/operate/point-in-time.md for your own PostgreSQL, with its exact settings: destroyed and restored.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase, socketUrl } from '../../server/platform/database/database.ts'
import { chooseAccount, runAs } from '../../server/platform/database/embedded/account.ts'
import { prepareBinaries } from '../../server/platform/database/embedded/binaries.ts'
import { findUtf8Locale } from '../../server/platform/database/embedded/cluster.ts'
import { giveTo, systemFolder } from '../../server/platform/database/embedded/home.ts'
import { readPostmasterFile } from '../../server/platform/database/embedded/postmaster-file.ts'
import { killAll, listTree } from '../../server/testing/programs/embedded-child.ts'
import { archiveLog, passMoment, readRows, startOnLog } from '../../server/testing/servers/log-archive.ts'
import type { NodeProcess } from '../../server/testing/programs/node-process.ts'
import { runFordra } from '../testing/run-fordra.ts'

const folder = mkdtempSync(join(tmpdir(), 'fordra-own-'))
chmodSync(folder, 0o711)
const account = chooseAccount(undefined)
const { folder: programs } = await prepareBinaries(account, systemFolder, () => {})
const place = (name: string) => {
  mkdirSync(join(folder, name))
  giveTo(join(folder, name), account)
  return join(folder, name)
}
const [data, archive, bases, socket] = [place('data'), place('archive'), place('base'), place('socket')]
const url = socketUrl(socket, 'owner', 'postgres')
const nodes: NodeProcess[] = []

/** Runs a line of the administrator as PostgreSQL's user. */
function shell(line: string): void {
  const environment = { PATH: `${programs}/bin:${process.env['PATH']}`, LC_ALL: findUtf8Locale() }
  const done = spawnSync('/bin/sh', ['-ec', line], { ...runAs(account), env: environment, stdio: 'ignore' })
  assert.equal(done.status, 0, line)
}
function killServer(): void {
  const server = readPostmasterFile(data)
  if (server) killAll(listTree(server.pid))
}
const startServer = () => shell(`pg_ctl -D ${data} -l ${socket}/log -w start`)
const configure = (...lines: string[]) =>
  appendFileSync(join(data, 'postgresql.conf'), lines.map((line) => `${line}\n`).join(''))

const recipe = readFileSync('docs/operate/point-in-time.md', 'utf8').split(
  '## On your own PostgreSQL server',
)[1]!
/** The recipe's line of `postgresql.conf` for a setting, with the test's folder and moment. */
function recipeLine(name: string, moment = ''): string {
  const lines = recipe.split('\n').map((text) => text.trim())
  const found = lines.find((text) => text.startsWith(`${name} = `))
  assert.ok(found, name)
  return found.replaceAll('/archive', archive).replace(/'2026-[^']+'/, `'${moment}'`)
}

after(async () => {
  for (const node of nodes) await node.end('SIGTERM')
  killServer()
  rmSync(folder, { recursive: true, force: true })
})

test('your own PostgreSQL is restored as of the moment', async () => {
  shell(`initdb -D ${data} -U owner -A trust -E UTF8 --no-sync`)
  configure("listen_addresses = ''", `unix_socket_directories = '${socket}'`)
  configure(recipeLine('archive_mode'), recipeLine('archive_timeout'), recipeLine('archive_command'))
  startServer()
  const before = await startOnLog({ DATABASE_URL: url })
  nodes.push(before.node)
  await before.addDebtor('Before the base')
  // What pg_basebackup does; these binaries do not include it.
  const copying = openDatabase(url, { max: 1 })
  await copying`select pg_backup_start('nightly', true)`
  shell(`cp -R ${data} ${bases}/monday; cd ${bases}/monday; rm -rf pg_wal/* pg_replslot/* postmaster.*`)
  const [label] = await copying<{ file: string }[]>`select labelfile as file from pg_backup_stop(true)`
  writeFileSync(join(bases, 'monday', 'backup_label'), label!.file)
  await copying.end()

  await before.addDebtor('Ek')
  const written = await readRows(before.sql)
  const moment = await passMoment()
  await before.addDebtor('Never')
  await archiveLog(before.sql)
  await before.sql.end()
  await before.node.end('SIGKILL')
  killServer()
  // Removes the socket's lock too: its process may not be recognised as ended yet.
  shell(`rm -rf ${data}/* ${socket}/.s*; cp -R ${bases}/monday/. ${data}`)

  configure(recipeLine('restore_command'), recipeLine('recovery_target_action'))
  configure(recipeLine('recovery_target_time', moment.toISOString().replace('Z', '+00')))
  writeFileSync(join(data, 'recovery.signal'), '')
  startServer()
  const sql = openDatabase(url, { max: 1 })
  const isRecovering = async () => (await sql<{ is: boolean }[]>`select pg_is_in_recovery() as is`)[0]!.is
  while (await isRecovering()) await sleep(20)
  assert.deepEqual(await readRows(sql), written)
  await sql.end()

  const restored = await startOnLog({ DATABASE_URL: url })
  nodes.push(restored.node)
  await restored.addDebtor('After the restore')
  await restored.sql.end()
  const verified = await runFordra(['verify', '--json'], { cwd: folder, env: { DATABASE_URL: url } })
  assert.equal(verified.code, 0, verified.out + verified.err)
})
