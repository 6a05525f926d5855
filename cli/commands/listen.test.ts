/** `fordra listen` and `fordra trigger` beside a running service. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { startApi, type TestApi } from '../../server/testing/api.ts'
import { childEnvironment } from '../../server/testing/programs/child-environment.ts'
import { runFordra } from '../testing/run-fordra.ts'

interface Got {
  headers: Record<string, string>
  body: string
}

let api: TestApi
let url: string
const got: Got[] = []
let status = 204
const receiver = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk: Buffer) => (body += chunk.toString()))
  request.on('end', () => {
    got.push({ headers: request.headers as Record<string, string>, body })
    response.writeHead(status).end()
  })
})
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

before(async () => {
  await once(receiver.listen(0, '127.0.0.1'), 'listening')
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
  api = await startApi()
})
after(async () => {
  await api.close()
  receiver.closeAllConnections()
  receiver.close()
})

const until = async (condition: () => boolean) => {
  while (!condition()) await sleep(20)
}

test('listen delivers what happens from now on, signed, and only the types asked for', async () => {
  await api.call('POST', '/debtors', { body: { lastname: 'Before' } })
  const program = join(import.meta.dirname, '../main.ts')
  const options = ['listen', '--forward-to', url, '--types', 'debtor.*', '--secret', secret]
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, ...options], {
    env: childEnvironment({ FORDRA_API_URL: api.address, FORDRA_API_TOKEN: api.token }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let told = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (told += String(text)))
  await until(() => told.includes('Listening') || child.exitCode !== null)
  assert.equal(child.exitCode, null, told)
  const made = await api.call<{ debtorGuid: string }>('POST', '/debtors', { body: { lastname: 'Ek' } })
  await api.call('POST', `/debtors/${made.body.debtorGuid}/extrafields`, { body: { name: 'a', value: [] } })
  await api.call('PATCH', `/debtors/${made.body.debtorGuid}`, { body: { email: 'a@b.example' } })
  await until(() => got.length >= 2 && told.includes('debtor.updated'))
  const events = got.map(
    ({ headers, body }) => new Webhook(secret).verify(body, headers) as Record<string, unknown>,
  )
  assert.deepEqual(
    events.map(({ type, subject }) => [type, subject]),
    [
      ['debtor.created', made.body.debtorGuid],
      ['debtor.updated', made.body.debtorGuid],
    ],
  )
  assert.ok(!('position' in events[0]!) && events[0]!['timestamp'] === events[0]!['occurredAt'])
  assert.match(told, /^debtor\.created [0-9a-f-]{36} 204$/m)
  assert.ok(!told.includes(secret))
  child.kill('SIGTERM')
  await once(child, 'close')
  assert.equal(child.exitCode, 0, told)
})

test('trigger sends an invented event, and fails when it is not taken', async () => {
  got.length = 0
  const options = ['--forward-to', url, '--secret', secret]
  const sent = await runFordra(['trigger', 'payment.registered', ...options], { cwd: '.' })
  assert.equal(sent.code, 0, sent.err)
  const [{ headers, body }] = got as [Got]
  const event = new Webhook(secret).verify(body, headers) as { type: string; data: object }
  assert.equal(event.type, 'payment.registered')
  assert.ok('paymentGuid' in event.data)
  status = 500
  assert.equal((await runFordra(['trigger', 'case.closed', ...options], { cwd: '.' })).code, 1)
  const wrong = await runFordra(['trigger', 'payment.registred', ...options], { cwd: '.' })
  assert.equal(wrong.code, 1)
  assert.match(wrong.err, /is no type of event\. Did you mean payment\.registered/)
})
