/** Request quotas, overload, and the headers of every answer. */
import assert from 'node:assert/strict'
import { gunzipSync } from 'node:zlib'
import { get } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { inTransaction } from '../database/transaction.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'
import { untilWaiting } from '../../testing/waiting.ts'
import { createRateLimiter } from './rate-limit.ts'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.close())

describe('a request quota', () => {
  test("holds four seconds' worth and refills evenly, for each caller", () => {
    let now = 0
    const limiter = createRateLimiter(2, () => now)
    const take = (caller: string) => limiter.take(caller)!.remaining
    assert.deepEqual(
      Array.from({ length: 9 }, () => take('a')),
      [7, 6, 5, 4, 3, 2, 1, 0, -1],
    )
    assert.equal(take('b'), 7)
    now += 499
    assert.equal(take('a'), -1)
    now += 1
    assert.deepEqual([take('a'), take('a')], [0, -1])
    now += 3_600_000
    assert.equal(take('a'), 7, 'never more than the bucket holds')
  })

  test('says when the next request is allowed', () => {
    let now = 0
    const limiter = createRateLimiter(2, () => now)
    assert.deepEqual(limiter.take('a'), { limit: 8, remaining: 7, resetSeconds: 1 })
    for (let time = 0; time < 7; time++) limiter.take('a')
    assert.deepEqual(limiter.take('a'), { limit: 8, remaining: -1, resetSeconds: 1 })
    now += 1_000
    assert.deepEqual(limiter.take('a'), { limit: 8, remaining: 1, resetSeconds: 4 })
  })

  test('is dropped for the oldest when there are too many callers', () => {
    const limiter = createRateLimiter(1, () => 0)
    for (let number = 0; number < 100_001; number++) limiter.take(`caller ${number}`)
    assert.equal(limiter.take('caller 0')!.remaining, 3)
    assert.equal(limiter.take('caller 100000')!.remaining, 2)
  })

  test('of 0 means no limit', () => {
    assert.equal(createRateLimiter(0).take('a'), null)
  })

  test('is in the headers of every answer, and exceeding it is a 429', async () => {
    const node = await api.startNode({ FORDRA_RATE_LIMIT: '1' })
    try {
      const limits: (string | null)[] = []
      for (let time = 0; time < 4; time++) {
        const answer = await node.call('GET', '/debtors?$top=0')
        assert.equal(answer.status, 200)
        assert.equal(answer.headers.get('ratelimit-limit'), '4')
        assert.match(answer.headers.get('ratelimit-reset')!, /^[1-4]$/)
        limits.push(answer.headers.get('ratelimit-remaining'))
      }
      assert.deepEqual([limits[0], limits.length], ['3', 4])
      const answers = await Promise.all(
        ['/debtors', '/debtors/abc', '/system/information', '/debtors'].map((path) => node.call('GET', path)),
      )
      const refused = answers.find(({ status }) => status === 429)!
      assertProblem(refused, 'too-many-requests', /Wait 1 s/)
      assert.equal(refused.headers.get('retry-after'), '1')
      assert.equal(refused.headers.get('ratelimit-remaining'), '0')
      const another = await node.call('GET', '/debtors', { token: await node.signIn(5) })
      assert.equal(another.status, 200, 'another caller has a share of their own')
    } finally {
      await node.close()
    }
  })

  test('is used by malformed requests too, and by strangers for their address', async () => {
    const node = await api.startNode({ FORDRA_RATE_LIMIT: '1' })
    try {
      const malformed = () =>
        node.call('POST', '/debtors', { raw: '{', headers: { 'content-type': 'application/json' } })
      const stranger = () => node.call('GET', '/debtors', { token: 'x'.repeat(43) })
      for (const [send, first] of [
        [malformed, 400],
        [stranger, 401],
      ] as const) {
        const statuses = (await Promise.all(Array.from({ length: 8 }, send))).map(({ status }) => status)
        assert.ok(statuses.includes(first) && statuses.includes(429), statuses.join())
        assert.ok(statuses.every((status) => status === first || status === 429))
      }
    } finally {
      await node.close()
    }
  })
})

test("requests beyond the service's capacity wait for their turn, and its health check still answers", async () => {
  const node = await api.startNode({ FORDRA_MAX_IN_FLIGHT: '2', FORDRA_QUEUE_SECONDS: '1' })
  const { body } = await api.call<{ debtorGuid: string }>('POST', '/debtors', { body: { lastname: 'Busy' } })
  const path = `/debtors/${body.debtorGuid}`
  const waiting = await inTransaction(api.sql, async (tx) => {
    await tx`select from debtor where id = ${body.debtorGuid} for update`
    const busy = ['Eva', 'Eve'].map((firstname) => node.call('PATCH', path, { body: { firstname } }))
    await untilWaiting(api, 2)
    const refused = await node.call('GET', path)
    assertProblem(refused, 'overloaded', /overloaded\. Try again in a second/)
    assert.equal(refused.headers.get('retry-after'), '1')
    for (const health of ['live', 'ready']) {
      assert.equal((await fetch(`${node.address}/health/${health}`)).status, 200, health)
    }
    return { busy }
  })
  for (const answer of await Promise.all(waiting.busy)) assert.equal(answer.status, 200)
  assert.equal((await node.call('GET', path)).status, 200)
  await node.close()
})

test('a flood is answered or refused with Retry-After, and the service goes on after it', async () => {
  const node = await api.startNode({ FORDRA_MAX_IN_FLIGHT: '2', FORDRA_QUEUE_SECONDS: '1' })
  const health = async () => (await fetch(`${node.address}/health/live`)).status
  const flood = Array.from({ length: 100 }, () => node.call('GET', '/debtors'))
  const [live, ...answers] = await Promise.all([health(), ...flood])
  assert.equal(live, 200)
  const refused = answers.filter(({ status }) => status !== 200)
  assert.ok(refused.length < answers.length)
  for (const answer of refused) {
    assertProblem(answer, 'overloaded', /overloaded/)
    assert.equal(answer.headers.get('retry-after'), '1')
  }
  assert.equal((await node.call('GET', '/debtors')).status, 200)
  await node.close()
})

const paths: [path: string, status: number][] = [
  ['/api/v1/debtors', 200],
  ['/api/v1/debtors/abc', 400],
  ['/api/v1/debtors/%zz', 400],
  ['/api/v1/nosuch', 404],
  ['/nosuch', 404],
  ['/problems/nosuch', 404],
  ['/', 200],
  ['/reference', 200],
  ['/health/live', 200],
  ['/metrics', 200],
]

/** The HTTPS policy (HSTS) of a node with the given settings: the same for data and pages. */
const readTransportPolicy = async (
  settings: Record<string, string>,
  headers: Record<string, string> = {},
) => {
  const node = await api.startNode(settings)
  const answers = ['/api/v1/debtors', '/reference'].map(async (path) => {
    const given = { authorization: `Bearer ${api.token}`, ...headers }
    return (await fetch(node.address + path, { headers: given })).headers.get('strict-transport-security')
  })
  const policies = new Set(await Promise.all(answers))
  await node.close()
  assert.equal(policies.size, 1)
  return [...policies][0]
}

describe('every answer', () => {
  test('has the headers that protect browsers, and a request id', async () => {
    for (const [path, status] of paths) {
      const { headers, ...answer } = await fetch(api.address + path, {
        headers: { authorization: `Bearer ${api.token}` },
      }).then((response) => ({ headers: response.headers, status: response.status }))
      assert.equal(answer.status, status, path)
      assert.equal(headers.get('x-content-type-options'), 'nosniff', path)
      assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin', path)
      assert.match(headers.get('content-security-policy')!, /default-src 'none'/, path)
      assert.match(headers.get('content-security-policy')!, /frame-ancestors 'none'/, path)
      // Data of an operation, which browsers do not render.
      if (!path.startsWith('/api/') || answer.status === 404) {
        assert.equal(headers.get('x-frame-options'), 'DENY', path)
        assert.equal(headers.get('referrer-policy'), 'no-referrer', path)
        assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin', path)
        assert.match(headers.get('permissions-policy')!, /camera=\(\)/, path)
      }
      assert.doesNotMatch(
        headers.get('content-security-policy')!,
        /unsafe-inline.*script|unsafe-eval|\*/,
        path,
      )
      assert.match(headers.get('x-request-id')!, /^[\w.:-]{1,128}$/, path)
      assert.equal(headers.get('server'), null)
      assert.equal(headers.get('x-powered-by'), null)
      if (path.startsWith('/api/')) assert.equal(headers.get('cache-control'), 'no-store', path)
    }
  })

  test('asks for HTTPS if the request or the public URL uses it, and never otherwise', async () => {
    const forwarded = { 'x-forwarded-proto': 'https' }
    assert.equal(await readTransportPolicy({}), null)
    assert.equal(await readTransportPolicy({}, forwarded), null, 'of a proxy that is not trusted')
    assert.match((await readTransportPolicy({ FORDRA_TRUST_PROXY: '1' }, forwarded))!, /^max-age=\d{8}/)
    assert.equal(
      await readTransportPolicy({ FORDRA_TRUST_PROXY: '1' }, { 'x-forwarded-proto': 'http' }),
      null,
    )
    assert.match(
      (await readTransportPolicy({ FORDRA_PUBLIC_URL: 'https://collect.example' }))!,
      /^max-age=\d{8}/,
    )
  })

  test('has the request id that was sent, if valid', async () => {
    for (const id of ['a', 'trace-01:2.3_4', 'x'.repeat(128)]) {
      const answer = await api.call<{ traceId: string }>('GET', '/debtors/abc', {
        headers: { 'x-request-id': id },
      })
      assert.deepEqual([answer.headers.get('x-request-id'), answer.body.traceId], [id, id])
    }
    for (const id of ['', 'a b', 'x'.repeat(129), '<script>', 'a,b', 'caf\u00e9', "'--"]) {
      const { headers } = await api.call('GET', '/debtors/abc', { headers: { 'x-request-id': id } })
      assert.match(headers.get('x-request-id')!, /^[0-9a-f]{8}-[0-9a-f-]{27}$/, id)
    }
  })
})

/** The raw answer: `fetch` would decompress it. */
const receive = (path: string, encodings: string) =>
  new Promise<{ encoding: string | undefined; vary: string; bytes: Buffer }>((resolve, reject) => {
    const headers = { authorization: `Bearer ${api.token}`, 'accept-encoding': encodings }
    get(api.address + path, { headers }, async (response) => {
      const bytes = Buffer.concat(await response.toArray())
      const { 'content-encoding': encoding, vary = '' } = response.headers
      resolve({ encoding, vary, bytes })
    }).on('error', reject)
  })

test('a long answer is compressed for clients that accept it, and caches are told', async () => {
  for (let number = 0; number < 20; number++) {
    await api.call('POST', '/debtors', { body: { lastname: `Long ${number}` } })
  }
  const path = "/api/v1/debtors?$filter=startswith(fullName,'Long')".replaceAll(' ', '%20')
  const plain = await receive(path, 'identity')
  assert.equal(plain.encoding, undefined)
  for (const encodings of ['gzip', 'gzip, deflate, br', 'br;q=1, gzip;q=0.5']) {
    const packed = await receive(path, encodings)
    assert.equal(packed.encoding, 'gzip', encodings)
    assert.match(packed.vary, /accept-encoding/i)
    assert.ok(packed.bytes.length < plain.bytes.length / 2)
    assert.deepEqual(gunzipSync(packed.bytes), plain.bytes)
  }
  assert.equal(
    (await receive('/api/v1/system/information', 'gzip')).encoding,
    undefined,
    'a short one is not',
  )
})

test('an answer with an ETag is not compressed, so that the ETag is valid for everybody', async () => {
  const made = await api.call('POST', '/debtors', { body: { lastname: 'x'.repeat(90) } })
  const path = made.headers.get('location')!
  const packed = await receive(path, 'gzip')
  assert.ok(packed.bytes.length > 1024, 'long enough to be compressed')
  assert.equal(packed.encoding, undefined)
  assert.deepEqual(packed.bytes, (await receive(path, 'identity')).bytes)
})
