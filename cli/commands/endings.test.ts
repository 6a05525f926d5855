/** How `fordra start` ends, and what must not end it: outputs that nobody reads, and others that do not answer. */
import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openTestDatabase, type TestDatabase } from '../../server/testing/database.ts'
import { childEnvironment } from '../../server/testing/programs/child-environment.ts'

const limit = { timeout: 120_000 }
const admin = {
  FORDRA_ADMIN_EMAIL: 'admin@agency.example',
  FORDRA_ADMIN_PASSWORD: 'administrator of the test',
}
const metricsToken = 'a token that scrapes'.replaceAll(' ', '-')
let database: TestDatabase
before(async () => {
  database = await openTestDatabase()
})
after(() => database.close())

/** Starts the service. Its log is not read before `readLog` is called. */
async function startService(settings: Record<string, string> = {}) {
  const program = join(import.meta.dirname, '../main.ts')
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, 'start'], {
    // Outside of folders with a .env file.
    cwd: tmpdir(),
    env: childEnvironment({
      DATABASE_URL: database.url,
      PORT: '0',
      FORDRA_RATE_LIMIT: '0',
      FORDRA_METRICS_TOKEN: metricsToken,
      ...admin,
      ...settings,
    }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    output += String(chunk)
    if (output.includes('Ctrl-C')) break
  }
  const address = /answers at (http:\S+)/.exec(output)?.[1]
  assert.ok(address, output)
  return { child, address, ended: once(child, 'exit') as Promise<[number | null, string | null]> }
}

/** The log up to a line that matches. */
async function readLog({ stderr }: ChildProcess, wanted: RegExp): Promise<string> {
  let log = ''
  for await (const chunk of stderr!.iterator({ destroyOnReturn: false })) {
    log += String(chunk)
    if (wanted.test(log)) break
  }
  return log
}

/** Requests, fifty at once, each of which has a log line. */
async function send(address: string, count: number): Promise<void> {
  for (let sent = 0; sent < count; sent += 50) {
    const answers = await Promise.all(Array.from({ length: 50 }, () => fetch(`${address}/api/v1/nosuch`)))
    for (const answer of answers) {
      assert.equal(answer.status, 404)
      await answer.text()
    }
  }
}

async function countDropped(address: string): Promise<number> {
  const answer = await fetch(`${address}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } })
  return Number(/^fordra_log_lines_dropped_total (\d+)$/m.exec(await answer.text())![1])
}

/** A server that accepts connections and never answers. */
async function startSilent() {
  const server = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { server, port }
}

test('a log that nobody reads stops neither the service nor its end', limit, async () => {
  const { child, address, ended } = await startService()
  await send(address, 3_000)
  assert.equal((await fetch(`${address}/health/live`)).status, 200)
  child.kill('SIGTERM')
  assert.deepEqual(await ended, [0, null])
})

test('a service whose outputs are closed goes on, counts the lines, and ends', limit, async () => {
  const { child, address, ended } = await startService()
  child.stdout!.destroy()
  child.stderr!.destroy()
  await send(address, 2_000)
  assert.equal((await fetch(`${address}/health/live`)).status, 200)
  assert.ok((await countDropped(address)) > 0)
  child.kill('SIGTERM')
  assert.deepEqual(await ended, [0, null])
})

test(
  'a stop has a deadline and names what it left: a request and a mail server that never answer',
  limit,
  async () => {
    const { server, port } = await startSilent()
    const { child, address, ended } = await startService({
      FORDRA_STOP_SECONDS: '5',
      FORDRA_SMTP_URL: `smtp://127.0.0.1:${port}`,
      FORDRA_MAIL_FROM: 'no-reply@agency.example',
      FORDRA_OTLP_URL: `http://127.0.0.1:${port}`,
    })
    const mail = once(server, 'connection')
    const half = connect(Number(new URL(address).port), '127.0.0.1')
    half.on('error', () => {})
    half.write(
      'POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    )
    const body = JSON.stringify({ login: admin.FORDRA_ADMIN_EMAIL })
    const headers = { 'content-type': 'application/json' }
    await fetch(`${address}/api/v1/auth/password/forgot`, { method: 'POST', headers, body })
    await mail
    child.kill('SIGTERM')
    const log = await readLog(child, /Stopped.*\n/)
    assert.match(log, /within 5 s\./)
    assert.match(log, /Waiting for 1 requests in flight\./)
    assert.match(log, /Stopped without waiting any longer for: 1 requests in flight; .*mail server/)
    assert.deepEqual(await ended, [1, null])
    half.destroy()
    server.close()
  },
)

test('a second signal ends the service at once', limit, async () => {
  const { child, address, ended } = await startService({
    FORDRA_STOP_SECONDS: '3600',
    // The half request is still in flight when the second signal comes.
    FORDRA_SLOW_SECONDS: '600',
  })
  const half = connect(Number(new URL(address).port), '127.0.0.1')
  half.on('error', () => {})
  await once(half, 'connect')
  half.write(
    'POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
  )
  await fetch(`${address}/health/live`)
  child.kill('SIGTERM')
  await readLog(child, /Waiting for 1 requests/)
  child.kill('SIGTERM')
  assert.deepEqual(await ended, [143, null])
  half.destroy()
})
