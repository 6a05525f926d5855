/** A throw-away PostgreSQL with a streaming replica, made from a copy of its data. */
import { execFileSync } from 'node:child_process'
import { chmodSync, closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase, socketUrl } from '../../platform/database/database.ts'
import { prepareBinaries } from '../../platform/database/embedded/binaries.ts'
import { ensureCluster, findUtf8Locale, superuser } from '../../platform/database/embedded/cluster.ts'
import { runGuarded } from '../../platform/database/embedded/guard.ts'
import { giveTo, prepareHome, systemFolder } from '../../platform/database/embedded/home.ts'

export interface RunningPostgres {
  /** Of its database `postgres`. */
  url: string
  stop(): Promise<void>
}

export interface ReplicatedServer {
  primary: RunningPostgres
  replica: RunningPostgres
  /** Starts the replica again. */
  startReplica(): Promise<RunningPostgres>
  stop(): Promise<void>
}

export async function startReplicatedServer(): Promise<ReplicatedServer> {
  const folder = mkdtempSync(join(tmpdir(), 'fordra-replica-'))
  chmodSync(folder, 0o711)
  const home = prepareHome(folder, () => {})
  const binaries = await prepareBinaries(home.account, systemFolder, () => {})
  await ensureCluster(home, binaries, { durable: false, report: () => {} })

  const run = async (cluster: string, name: string, more: Record<string, string> = {}) => {
    const sockets = join(folder, name)
    mkdirSync(sockets, { recursive: true })
    giveTo(sockets, home.account)
    const settings = {
      listen_addresses: '',
      unix_socket_directories: sockets,
      fsync: 'off',
      shared_buffers: '32MB',
      wal_retrieve_retry_interval: '100ms',
      ...more,
    }
    const log = openSync(join(folder, `${name}.log`), 'a')
    const server = await runGuarded({
      command: join(binaries.folder, 'bin', 'postgres'),
      args: ['-D', cluster, ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`])],
      account: home.account,
      environment: { LC_ALL: findUtf8Locale() },
      output: log,
    })
    closeSync(log)
    const url = socketUrl(sockets, superuser, 'postgres')
    await untilReady(url)
    const stop = async () => {
      server.interrupt()
      await server.exited
    }
    return { url, sockets, stop }
  }
  const copy = join(folder, 'copy')
  const first = await run(home.cluster, 'primary')
  await first.stop()
  execFileSync('cp', ['-a', home.cluster, copy])
  writeFileSync(join(copy, 'standby.signal'), '')
  giveTo(join(copy, 'standby.signal'), home.account)
  const primary = await run(home.cluster, 'primary')
  const startReplica = () =>
    run(copy, 'replica', { primary_conninfo: `host=${primary.sockets} user=${superuser}` })
  const replica = await startReplica()
  return {
    primary,
    replica,
    startReplica,
    stop: async () => {
      await primary.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function untilReady(url: string): Promise<void> {
  const database = openDatabase(url, { max: 1 })
  for (;;) {
    const answers = await database`select 1`.then(
      () => true,
      () => false,
    )
    if (answers) break
    await sleep(20)
  }
  await database.end()
}
