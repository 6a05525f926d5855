/** A throw-away PostgreSQL with a streaming replica, made from a copy of its data. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { superuser } from '../../platform/database/embedded/cluster.ts'
import { giveTo } from '../../platform/database/embedded/home.ts'
import { makeOwnPostgres, type RunningPostgres } from './own-postgres.ts'

export interface ReplicatedServer {
  primary: RunningPostgres
  replica: RunningPostgres
  /** Starts the replica again. */
  startReplica(): Promise<RunningPostgres>
  stop(): Promise<void>
}

export async function startReplicatedServer(): Promise<ReplicatedServer> {
  const { folder, home, run, remove } = await makeOwnPostgres()
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
      remove()
    },
  }
}
