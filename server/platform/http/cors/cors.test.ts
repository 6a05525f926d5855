import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApi, type TestApi } from '../../../testing/api.ts'
import { readSettings } from '../../config.ts'

const portal = 'https://portal.example'
let open: TestApi
let closed: TestApi
before(async () => {
  open = await startApi({ FORDRA_CORS_ORIGINS: `${portal},http://localhost:5173` })
  closed = await startApi()
})
after(async () => {
  await open.close()
  await closed.close()
})

const send = (
  api: TestApi,
  method: string,
  headers: Record<string, string>,
  path = '/api/v1/debtors',
): Promise<Response> =>
  fetch(api.address + path, { method, headers: { authorization: `Bearer ${api.token}`, ...headers } })
const preflight = (api: TestApi, origin: string, path?: string) =>
  fetch(`${api.address}${path ?? '/api/v1/debtors'}`, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'authorization,if-match',
    },
  })
const corsHeaders = ({ headers }: Response) =>
  [...headers.keys()].filter((name) => name.startsWith('access-control-'))

test('without the setting no origin is admitted', async () => {
  const asked = await preflight(closed, portal)
  assert.deepEqual([asked.status, corsHeaders(asked)], [405, []])
  const read = await send(closed, 'GET', { origin: portal })
  assert.deepEqual([read.status, corsHeaders(read)], [200, []])
})

test('a page of an admitted origin may ask, write and read the headers of the answer', async () => {
  for (const origin of [portal, 'http://localhost:5173']) {
    const asked = await preflight(open, origin)
    assert.equal(asked.status, 204)
    assert.equal(asked.headers.get('access-control-allow-origin'), origin)
    assert.match(asked.headers.get('access-control-allow-methods')!, /PATCH/)
    assert.match(
      asked.headers.get('access-control-allow-headers')!,
      /Authorization.*Idempotency-Key.*If-Match/,
    )
    assert.match(asked.headers.get('vary')!, /Origin/)
    const read = await send(open, 'GET', { origin })
    assert.equal(read.status, 200)
    assert.equal(read.headers.get('access-control-allow-origin'), origin)
    assert.match(read.headers.get('access-control-expose-headers')!, /ETag.*Retry-After/)
  }
})

test('a refusal has the headers too, so that the page can read the problem', async () => {
  const refused = await send(open, 'GET', { origin: portal, authorization: 'Bearer wrong' })
  assert.equal(refused.status, 401)
  assert.equal(refused.headers.get('access-control-allow-origin'), portal)
})

test('every other origin is denied', async () => {
  const origins = [
    'https://portal.example.evil.example',
    'https://evil.portal.example',
    'http://portal.example',
    'https://portal.example:8443',
    'https://PORTAL.example',
    'null',
  ]
  for (const origin of origins) {
    const asked = await preflight(open, origin)
    assert.deepEqual([asked.status, corsHeaders(asked)], [405, []], origin)
    const read = await send(open, 'GET', { origin })
    assert.deepEqual([corsHeaders(read), read.headers.get('vary')], [[], 'Origin'], origin)
  }
})

test('cookies of an admitted origin open nothing', async () => {
  const asked = await preflight(open, portal)
  assert.equal(asked.headers.get('access-control-allow-credentials'), null)
  assert.doesNotMatch(asked.headers.get('access-control-allow-headers')!, /cookie|x-session|x-csrf/i)
  await open.addUser({ email: 'page@agency.example', password: 'en lång mening för en sida' })
  const signedIn = await fetch(`${open.address}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-session': 'cookie' },
    body: JSON.stringify({ login: 'page@agency.example', password: 'en lång mening för en sida' }),
  })
  const [cookie] = signedIn.headers.get('set-cookie')!.split(';')
  const read = (headers: Record<string, string>) =>
    fetch(`${open.address}/api/v1/users/current`, { headers: { cookie: cookie!, ...headers } })
  assert.equal((await read({})).status, 200)
  const foreign = await read({ origin: portal })
  assert.equal(foreign.status, 403)
  assert.equal(foreign.headers.get('access-control-allow-credentials'), null)
})

test('pages of the console are not opened', async () => {
  const asked = await preflight(open, portal, '/reference')
  assert.deepEqual(corsHeaders(asked), [])
  assert.deepEqual(corsHeaders(await send(open, 'GET', { origin: portal }, '/reference')), [])
})

test('a wrong setting refuses the start and says what would be right', () => {
  for (const wrong of [
    '*',
    'portal.example',
    `${portal}/`,
    `${portal}/app`,
    'https://*.example',
    `${portal}, x`,
  ])
    assert.throws(
      () => readSettings({ FORDRA_CORS_ORIGINS: wrong }),
      /must be origins as browsers send them/,
      wrong,
    )
})
