import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib'
import { readSettings } from '../config.ts'
import { createHttpApp } from '../http/app.ts'
import { consoleCsp, openConsole } from './console-files.ts'
import { servePages } from './pages.ts'

const folder = mkdtempSync(join(tmpdir(), 'fordra-console-'))
const script = `${'console.log(1);'.repeat(400)}`
mkdirSync(join(folder, 'assets'))
writeFileSync(
  join(folder, 'index.html'),
  '<!doctype html><script nonce="NONCE-OF-THE-ANSWER" src="/assets/app-1a2b.js"></script>',
)
writeFileSync(join(folder, 'assets', 'app-1a2b.js'), script)
writeFileSync(join(folder, 'secret.txt'), 'not to be served')

const app = await createHttpApp(readSettings({ FORDRA_LOG_LEVEL: '0' }), openConsole(folder))
servePages(app, { version: '1.2.3' })
app.post('/api/v1/things', (_request, reply) => reply.send({}))
after(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})
const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const get = (url: string, headers: Record<string, string> = html) => app.inject({ url, headers })

test('the page is served at the root and at each screen, with a new nonce each time', async () => {
  const nonces = new Set<string>()
  for (const url of [
    '/',
    '/debtors',
    '/debtors/0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70?filter=a.b',
    '/reset-password',
  ]) {
    const { statusCode, headers, body } = await get(url)
    assert.equal(statusCode, 200, url)
    const nonce = /nonce="([\w-]{20,})"/.exec(body)?.[1]
    assert.ok(nonce !== undefined, url)
    nonces.add(nonce)
    assert.equal(headers['content-security-policy'], consoleCsp(nonce))
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(headers['content-type'], 'text/html; charset=utf-8')
    assert.equal(headers['x-frame-options'], 'DENY')
  }
  assert.equal(nonces.size, 4)
})

test('the policy allows nothing from other origins and no eval', () => {
  const directives = consoleCsp('abc').split('; ')
  for (const directive of [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'nonce-abc'",
    "font-src 'self'",
    "frame-ancestors 'none'",
  ])
    assert.ok(directives.includes(directive), directive)
  assert.doesNotMatch(consoleCsp('abc'), /unsafe|https?:|\*|wasm/)
})

test('its files are compressed and cached for ever', async () => {
  const plain = await get('/assets/app-1a2b.js', {})
  assert.equal(plain.body, script)
  assert.equal(plain.headers['content-type'], 'text/javascript; charset=utf-8')
  assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable')
  const brotli = await get('/assets/app-1a2b.js', { 'accept-encoding': 'gzip, br' })
  assert.equal(brotli.headers['content-encoding'], 'br')
  assert.equal(brotli.headers.vary, 'Accept-Encoding')
  assert.equal(brotliDecompressSync(brotli.rawPayload).toString(), script)
  const zipped = await get('/assets/app-1a2b.js', { 'accept-encoding': 'gzip' })
  assert.equal(gunzipSync(zipped.rawPayload).toString(), script)
})

test('a copy that the build has compressed is sent, and not served by its own name', async () => {
  const name = 'part-3c4d.js'
  const copy = brotliCompressSync('by the build')
  writeFileSync(join(folder, 'assets', name), script)
  writeFileSync(join(folder, 'assets', `${name}.br`), copy)
  const built = await createHttpApp(readSettings({ FORDRA_LOG_LEVEL: '0' }), openConsole(folder))
  const ask = (url: string, coding: string) => built.inject({ url, headers: { 'accept-encoding': coding } })
  const answer = await ask(`/assets/${name}`, 'br')
  assert.deepEqual(answer.rawPayload, copy)
  assert.equal(answer.headers['content-encoding'], 'br')
  assert.equal(gunzipSync((await ask(`/assets/${name}`, 'gzip')).rawPayload).toString(), script)
  assert.equal((await ask(`/assets/${name}.br`, 'br')).statusCode, 404)
  await built.close()
})

test('no other file of the disk is served', async () => {
  for (const url of [
    '/assets/../secret.txt',
    '/assets/..%2Fsecret.txt',
    '/assets/%2e%2e/secret.txt',
    '/secret.txt',
    '/assets/app-0000.js',
    '/assets/',
  ]) {
    const { statusCode, body } = await get(url)
    assert.equal(statusCode, 404, url)
    assert.doesNotMatch(body, /not to be served/)
  }
})

test('the console never answers for the API or the pages', async () => {
  for (const url of [
    '/api/v1/nothing',
    '/api',
    '/problems/no-such-problem',
    '/reference/nothing',
    '/health/nothing',
    '/metrics/x',
    '/docs/nothing',
  ])
    assert.equal((await get(url)).statusCode, 404, url)
  assert.match((await get('/problems')).body, /<h1>/)
  const { statusCode, headers } = await get('/api/v1/things')
  assert.equal(statusCode, 405)
  assert.equal(headers.allow, 'POST')
})

test('a request for something other than a page gets a 404', async () => {
  for (const headers of [{}, { accept: '*/*' }, { accept: 'application/json' }]) {
    const answer = await get('/debtors', headers as Record<string, string>)
    assert.equal(answer.statusCode, 404)
    assert.match(String(answer.headers['content-type']), /problem\+json/)
  }
  assert.equal((await app.inject({ method: 'POST', url: '/debtors', headers: html })).statusCode, 404)
})

test('without a build the root leads to the other pages', async () => {
  assert.equal(openConsole(join(folder, 'nothing')), undefined)
  const bare = await createHttpApp(readSettings({ FORDRA_LOG_LEVEL: '0' }))
  servePages(bare, { version: '1.2.3' })
  assert.match((await bare.inject({ url: '/', headers: html })).body, /version 1\.2\.3/)
  await bare.close()
})
