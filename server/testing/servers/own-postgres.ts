/** A throw-away PostgreSQL in a folder of its own, which may be killed and started again. */
import { chmodSync, closeSync, mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase, socketUrl } from '../../platform/database/database.ts'
import { prepareBinaries } from '../../platform/database/embedded/binaries.ts'
import { ensureCluster, findUtf8Locale, superuser } from '../../platform/database/embedded/cluster.ts'
import { clearFormerServer, endOrphanedWorkers } from '../../platform/database/embedded/former-server.ts'
import { runGuarded } from '../../platform/database/embedded/guard.ts'
import { giveTo, prepareHome, systemFolder, type Home } from '../../platform/database/embedded/home.ts'

export interface RunningPostgres {
  /** Of its database `postgres`; the same after another start. */
  url: string
  /** The folder of its socket. */
  sockets: string
  stop(): Promise<void>
  /** Ends it with all its connections at once, by SIGKILL. `run` starts it again on what it left. */
  kill(): Promise<void>
}

export interface OwnPostgres {
  folder: string
  home: Home
  /** Runs a server on a folder of data. `name` is that of the folder of its socket. */
  run(cluster: string, name: string, settings?: Record<string, string>): Promise<RunningPostgres>
  remove(): void
}

/** Makes a folder with a new cluster. */
export async function makeOwnPostgres(): Promise<OwnPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'fordra-own-'))
  chmodSync(folder, 0o711)
  const home = prepareHome(folder, () => {})
  const binaries = await prepareBinaries(home.account, systemFolder, () => {})
  await ensureCluster(home, binaries, { durable: false, report: () => {} })

  const run: OwnPostgres['run'] = async (cluster, name, more = {}) => {
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
    return {
      url,
      sockets,
      stop: async () => {
        server.interrupt()
        await server.exited
      },
      kill: async () => {
        process.kill(server.pid!, 'SIGKILL')
        await server.exited
        endOrphanedWorkers(cluster)
        await clearFormerServer(cluster, () => {})
      },
    }
  }
  return { folder, home, run, remove: () => rmSync(folder, { recursive: true, force: true }) }
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
