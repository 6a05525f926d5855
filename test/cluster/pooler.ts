/**
 * Runs tests of the product through PgBouncer in transaction mode, by the recipe's own file: those named, or those of
 * what nodes share. By `npm run test:cluster -- pooler [FILE…]`, with Debian's package or another program that PGBOUNCER
 * names. From 1.21 on it keeps prepared statements, and they are used.
 */
import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  startTestServer,
  testPoolerPreparesVariable,
  testPoolerVariable,
  testServerVariable,
} from '../../server/testing/test-server.ts'
import { findFreePort } from '../../server/testing/servers/free-port.ts'

const shared = [
  'access/sessions',
  'platform/clock',
  'platform/jobs',
  'platform/events',
  'integration/feed',
  'metadata/fields',
  'integration/commands',
  'cases',
  'payments',
  'integration/imports',
]
const named = process.argv.slice(2)
const files = named.length > 0 ? named : shared.flatMap((folder) => globSync(`server/${folder}/*.test.ts`))

const program = process.env['PGBOUNCER'] ?? '/usr/sbin/pgbouncer'
const [, version, minor] =
  /^PgBouncer (1\.(\d+)\S*)/.exec(execFileSync(program, ['--version'], { encoding: 'utf8' })) ?? []
const prepares = Number(minor) >= 21
process.stderr.write(`PgBouncer ${version}, ${prepares ? 'with' : 'without'} prepared statements\n`)
const server = await startTestServer()
const folder = mkdtempSync(join(tmpdir(), 'fordra-pooler-'))
const port = await findFreePort()
writeFileSync(join(folder, 'pgbouncer.ini'), settings())
chmodSync(folder, 0o711)
// Neither PgBouncer nor the database runs as root, and the database's socket is for its own user.
const asRoot = process.getuid?.() === 0
const as = asRoot ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups'] : []
const [command, ...words] = [...as, program, '--quiet', join(folder, 'pgbouncer.ini')]
const pooler = spawn(command!, words, { stdio: 'inherit' })
// Connections that a test left open to a database that is gone stay open here.
const runner = spawn(
  process.execPath,
  ['--disable-warning=ExperimentalWarning', '--test', '--test-force-exit', '--test-concurrency=2', ...files],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      [testServerVariable]: server.url,
      [testPoolerVariable]: `127.0.0.1:${port}`,
      ...(prepares && { [testPoolerPreparesVariable]: '1' }),
    },
  },
)
const [code] = (await once(runner, 'exit')) as [number | null]
pooler.kill()
await once(pooler, 'exit')
await server.stop()
rmSync(folder, { recursive: true })
process.exit(code ?? 1)

/** The recipe's, but for where the database is and who may come. */
function settings(): string {
  const socketFolder = new URL(server.url).searchParams.get('host')!
  return readFileSync('deploy/cluster/pgbouncer.ini', 'utf8')
    .replace(/^fordra = host=\S+ port=5000/m, `* = host=${socketFolder} user=fordra`)
    .replace(/^listen_port.*/m, `listen_port = ${port}`)
    .replace(/^auth_type.*/m, 'auth_type = any')
    .replace(/^auth_file.*/m, '')
    .replace(/^; (?=max_prepared_statements)/m, prepares ? '' : '; ')
}
