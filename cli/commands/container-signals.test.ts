/** The command line as the entry point of a container: the first process of its namespace. Linux only. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { childEnvironment } from '../../server/testing/programs/child-environment.ts'

const unshare = ['--map-root-user', '--user', '--pid', '--fork', '--kill-child', '--']
const canUnshare = spawnSync('unshare', [...unshare, 'true']).status === 0

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(
    `${signal} ends the first process of a container that is still starting`,
    { skip: !canUnshare, timeout: 60_000 },
    async () => {
      // A database that accepts the connection but never answers: startup waits for it.
      const silent = createServer().listen(0, '127.0.0.1')
      await once(silent, 'listening')
      const { port } = silent.address() as AddressInfo
      const program = join(import.meta.dirname, '../main.ts')
      const child = spawn('unshare', [...unshare, process.execPath, program, 'start'], {
        cwd: tmpdir(),
        env: childEnvironment({ PORT: '0', DATABASE_URL: `postgres://nobody@127.0.0.1:${port}/none` }),
        stdio: 'ignore',
      })
      const ended = once(child, 'exit')
      await once(silent, 'connection')
      const inner = Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8'))
      process.kill(inner, signal)
      assert.deepEqual(await ended, [signal === 'SIGTERM' ? 143 : 130, null])
      silent.close()
    },
  )
}
