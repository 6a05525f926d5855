/** Services called over HTTP, and the startup errors for invalid services (D26, U14). */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import type { Job } from '../../../contract/platform/jobs.ts'
import type { Problem } from '../../../contract/platform/problem.ts'
import { openOutbound } from '../../platform/outbound/post.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { loadServices } from './load-services.ts'

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const folders: string[] = []
const makeFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'fordra-services-'))
  folders.push(folder)
  return folder
}
let api: TestApi
let answer: (request: IncomingMessage, response: ServerResponse, text: string) => void
const received = createServer((request, response) => {
  let text = ''
  request.on('data', (chunk: Buffer) => (text += chunk.toString()))
  request.on('end', () => answer(request, response, text))
})
let url: string
const definition = () => ({
  code: 'outside',
  scope: 'global',
  description: 'Asks an outside register.',
  access: 'service.read',
  timeoutMs: 300,
  input: { type: 'object', properties: { number: { type: 'string' } }, additionalProperties: false },
  url,
  secret,
})

before(async () => {
  await new Promise<void>((resolve) => received.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(received.address() as AddressInfo).port}/register`
  const folder = makeFolder()
  writeFileSync(join(folder, 'outside.json'), JSON.stringify(definition()))
  api = await startApi({ FORDRA_SERVICES: folder, FORDRA_PRIVATE_TARGETS: '1' })
})
after(async () => {
  await api.close()
  received.closeAllConnections()
  received.close()
  for (const folder of folders) rmSync(folder, { recursive: true })
})

const invoke = (body: object = {}) => api.call<Problem>('POST', '/debtors/services/outside', { body })

test('the address gets a body signed by Standard Webhooks, and its result is stored', async () => {
  let verified: unknown
  answer = (request, response, text) => {
    verified = new Webhook(secret).verify(text, request.headers as Record<string, string>)
    response.end('{"found": true}')
  }
  const { status, text, headers } = await invoke({ number: '556677-8899' })
  assert.deepEqual([status, text], [200, '{}'])
  const { type, data } = verified as { type: string; data: Record<string, unknown> }
  assert.equal(type, 'service.invoked')
  assert.deepEqual(
    [data['service'], data['input'], data['item']],
    ['outside', { number: '556677-8899' }, null],
  )
  const job = await api.call<Job>('GET', headers.get('location')!.replace('/api/v1', ''))
  assert.deepEqual(job.body.result, { found: true })
})

const failures: [what: string, answer: typeof answer, status: number][] = [
  ['fails', (_request, response) => void response.writeHead(500).end('secret of theirs'), 502],
  [
    'redirects',
    (_request, response) => void response.writeHead(307, { location: 'http://127.0.0.1/' }).end(),
    502,
  ],
  ['hangs', () => {}, 504],
  ['answers too much', (_request, response) => void response.end(Buffer.alloc(2_000_000, 'x')), 502],
  ['hangs up', (request) => void request.socket.destroy(), 502],
]
for (const [what, how, status] of failures) {
  test(`an address that ${what} gives a ${status}`, async () => {
    answer = how
    const got = await invoke()
    assert.equal(got.status, status)
    assert.ok(!got.text.includes('secret of theirs'))
  })
}

test('U14: without the setting the service does not start with a private address or plain HTTP', async () => {
  const folder = makeFolder()
  for (const wrong of [url, 'http://example.org/', 'https://10.0.0.1/']) {
    writeFileSync(join(folder, 'outside.json'), JSON.stringify({ ...definition(), url: wrong }))
    await assert.rejects(
      loadServices(folder, openOutbound({ allowPrivate: false })),
      /outside\.json has a url that must/,
    )
  }
})

const module = (definitionText: string) => `import { defineService } from 'fordra/service'
export default defineService(${definitionText})`
const good = `{ code: 'good', scope: 'global', description: 'd', access: 'service.read', input: { type: 'object' }, handler: async () => {} }`
const wrongs: [what: string, text: string, expected: RegExp][] = [
  ['nothing exported', 'export {}', /one\.ts has no default export/],
  ['a syntax error', 'export default {', /one\.ts could not be loaded/],
  ['process.exit while loading', 'process.exit(1)', /one\.ts ended while it was loaded/],
  ['an unknown scope', module(good.replace("'global'", "'case'")), /must have a scope: user, debtor, global/],
  ['a code with a slash', module(good.replace("'good'", "'a/b'")), /must have a code/],
  ['an unknown access code', module(good.replace('service.read', 'all.read')), /must have an access code/],
  ['no schema', module(good.replace("input: { type: 'object' },", '')), /must have an input/],
  ['a schema that is none', module(good.replace("type: 'object'", "type: 'thing'")), /not a JSON Schema/],
  [
    'a time limit of an hour',
    module(good.replace('{ code', '{ timeoutMs: 3600000, code')),
    /timeoutMs from 100 to 300000/,
  ],
  ['memory without end', module(good.replace('{ code', '{ memoryMb: 1e6, code')), /memoryMb from 8 to 512/],
]
for (const [what, text, expected] of wrongs) {
  test(`the startup error names the file with ${what}`, async () => {
    const folder = makeFolder()
    writeFileSync(join(folder, 'one.ts'), text)
    await assert.rejects(loadServices(folder, openOutbound({ allowPrivate: false })), expected)
  })
}

test('the startup error names the file that does not finish loading', async () => {
  const folder = makeFolder()
  writeFileSync(join(folder, 'one.ts'), 'for (;;);')
  await assert.rejects(
    loadServices(folder, openOutbound({ allowPrivate: false }), 2_000),
    /one\.ts took longer than 2 s to load/,
  )
})

test('two services with one code, or a missing folder, are startup errors', async () => {
  const folder = makeFolder()
  writeFileSync(join(folder, 'one.ts'), module(good))
  writeFileSync(join(folder, 'two.mjs'), module(good))
  const outbound = openOutbound({ allowPrivate: false })
  await assert.rejects(loadServices(folder, outbound), /Two services .* have the code good/)
  await assert.rejects(
    loadServices(join(folder, 'none'), outbound),
    /does not exist\. Correct FORDRA_SERVICES/,
  )
})
