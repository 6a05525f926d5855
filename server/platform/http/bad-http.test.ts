/** Malformed requests that no HTTP library sends: written to a socket byte by byte. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { ProblemKind } from '../../../contract/platform/problem.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'
import { sendRaw, type RawAnswer } from '../../testing/raw-request.ts'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.close())

const authorization = () => `Authorization: Bearer ${api.token}\r\n`
const rest = 'Host: localhost\r\nConnection: close\r\n'
const request = (line: string, headers = '') =>
  sendRaw(api.address, `${line} HTTP/1.1\r\n${rest}${authorization()}${headers}\r\n`)

function assertRawProblem(answer: RawAnswer, kind: ProblemKind, says: RegExp, about = ''): void {
  assertProblem({ status: answer.status, text: answer.body }, kind, says, about)
  assert.match(answer.headers['content-type']!, /^application\/problem\+json/, about)
  assert.equal(answer.headers['x-content-type-options'], 'nosniff', about)
  assert.equal(answer.headers['x-request-id'], (JSON.parse(answer.body) as { traceId: string }).traceId)
}

const malformed: [about: string, text: string][] = [
  ['no HTTP at all', 'hello\r\n\r\n'],
  ['a TLS greeting', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['a version of the future', `GET / HTTP/9.9\r\n${rest}\r\n`],
  ['an unknown method', `FETCH / HTTP/1.1\r\n${rest}\r\n`],
  ['a blank in the address', `GET /a b HTTP/1.1\r\n${rest}\r\n`],
  ['a header without colon', `GET / HTTP/1.1\r\n${rest}nonsense\r\n\r\n`],
  ['a blank before the colon', `GET / HTTP/1.1\r\n${rest}Accept : */*\r\n\r\n`],
  ['a NUL in a header', `GET / HTTP/1.1\r\n${rest}Accept: a\0b\r\n\r\n`],
  ['a length that is no number', `POST / HTTP/1.1\r\n${rest}Content-Length: abc\r\n\r\n`],
  ['two lengths', `POST / HTTP/1.1\r\n${rest}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`],
  [
    'a length beside chunks',
    `POST / HTTP/1.1\r\n${rest}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  ],
  [
    'a chunk size that is no number',
    `POST /api/v1/auth/login HTTP/1.1\r\n${rest}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
  ],
  ['two Hosts', `GET /api/v1/debtors HTTP/1.1\r\nhost: other.example\r\n${rest}\r\n`],
  ['a Host with a path', 'GET /api/v1/debtors HTTP/1.1\r\nHost: a.example/b?c=\r\nConnection: close\r\n\r\n'],
  [
    'a Host with a user',
    'GET /.well-known/oauth-authorization-server HTTP/1.1\r\nHost: a@b.example\r\nConnection: close\r\n\r\n',
  ],
  ['a Host with markup', 'GET /api/v1/debtors HTTP/1.1\r\nHost: a"><b>.example\r\nConnection: close\r\n\r\n'],
  ['no Host', 'GET /api/v1/debtors HTTP/1.1\r\nConnection: close\r\n\r\n'],
]

describe('malformed HTTP', () => {
  for (const [about, text] of malformed) {
    test(about, async () => {
      assertRawProblem(await sendRaw(api.address, text), 'invalid', /HTTP\/1\.1/)
    })
  }

  test('the service keeps running', async () => {
    assert.equal((await request('GET /api/v1/debtors')).status, 200)
  })
})

describe('headers', () => {
  test('with a name or an address as Host', async () => {
    for (const host of [
      'a-b.example:443',
      'xn--kln-sna.example',
      '127.0.0.1:3000',
      '[::1]:3000',
      'my_service',
      '',
    ]) {
      const answer = await sendRaw(
        api.address,
        `GET /health/live HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
      )
      assert.equal(answer.status, 200, host)
    }
  })

  test('of a proxy that is not trusted do not name the address', async () => {
    const answer = await sendRaw(
      api.address,
      `GET /.well-known/oauth-authorization-server HTTP/1.1\r\n${rest}X-Forwarded-Host: other.example\r\nX-Forwarded-Proto: https\r\nForwarded: host=other.example\r\n\r\n`,
    )
    assert.equal(answer.status, 200)
    assert.equal((JSON.parse(answer.body) as { issuer: string }).issuer, 'http://localhost')
    assert.equal(answer.headers['cache-control'], 'no-store')
  })

  test('over 16 kB', async () => {
    const answer = await request('GET /api/v1/debtors', `X-Long: ${'x'.repeat(17_000)}\r\n`)
    assertRawProblem(answer, 'headers-too-large', /16 kB/)
  })

  test('of many small headers over 16 kB', async () => {
    const answer = await request('GET /api/v1/debtors', 'X-Short: xxxxxxxxxx\r\n'.repeat(1_000))
    assertRawProblem(answer, 'headers-too-large', /16 kB/)
  })

  test('a filter of 100 kB', async () => {
    const answer = await request(`GET /api/v1/debtors?$filter=fullName%20eq%20'${'x'.repeat(100_000)}'`)
    assertRawProblem(answer, 'headers-too-large', /filter can be shortened/)
  })
})

describe('a body', () => {
  const post = 'POST /api/v1/debtors HTTP/1.1\r\n'
  const json = 'Content-Type: application/json\r\n'

  test('over 1 MiB in chunks', async () => {
    const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`
    const head = `${post}${rest}${authorization()}${json}Transfer-Encoding: chunked\r\n\r\n`
    const answer = await sendRaw(api.address, head, ...Array.from({ length: 17 }, () => chunk))
    assertRawProblem(answer, 'payload-too-large', /1 MiB/)
  })

  test('that declares over 1 MiB is refused before it is sent', async () => {
    const answer = await sendRaw(
      api.address,
      `${post}${rest}${authorization()}${json}Content-Length: 99999999\r\n\r\n`,
    )
    assertRawProblem(answer, 'payload-too-large', /1 MiB/)
  })

  test('that is over 1 MiB is refused even if the client sends all of it first', async () => {
    // If connections ended too early, most of these would fail.
    for (let time = 0; time < 10; time++) {
      const answer = await api.call('POST', '/debtors', { raw: ' '.repeat(8_000_000) })
      assertProblem(answer, 'payload-too-large', /1 MiB/)
    }
  })

  test('is accepted with an unknown expectation', async () => {
    const head = `${post}${rest}${authorization()}${json}Expect: the-best\r\nContent-Length: 16\r\n\r\n`
    assert.equal((await sendRaw(api.address, head, '{"lastname":"x"}')).status, 201)
  })

  test('in chunks is read', async () => {
    const head = `${post}${rest}${authorization()}${json}Transfer-Encoding: chunked\r\n\r\n`
    const answer = await sendRaw(api.address, head, '9\r\n{"lastnam\r\n', '7\r\ne":"x"}\r\n', '0\r\n\r\n')
    assert.equal(answer.status, 201)
  })
})

const lines: [line: string, kind: ProblemKind, says: RegExp, allow?: string][] = [
  ['TRACE /api/v1/debtors', 'method-not-allowed', /supports GET, HEAD, POST/, 'GET, HEAD, POST'],
  ['PROPFIND /api/v1/debtors', 'method-not-allowed', /supports GET, HEAD, POST/, 'GET, HEAD, POST'],
  ['QUERY /api/v1/debtors', 'method-not-allowed', /supports GET, HEAD, POST/, 'GET, HEAD, POST'],
  ['QUERY /nosuch', 'not-found', /no such address/],
  ['POST /health/live', 'method-not-allowed', /supports GET, HEAD/, 'GET, HEAD'],
  ['DELETE /problems/invalid', 'method-not-allowed', /supports GET, HEAD/, 'GET, HEAD'],
  ['OPTIONS *', 'not-found', /no such address/],
  ['GET //api/v1/debtors', 'not-found', /no such address/],
  ['GET /api//v1/debtors', 'not-found', /no such address/],
  ['GET /api/v1/debtors//', 'not-found', /no such address/],
  ['GET /api/v1/../../../../etc/passwd', 'not-found', /no such address/],
  ['GET /reference/..%2f..%2f..%2fpackage.json', 'not-found', /no such address/],
  ['GET /reference/..%2f..%2fconfig.js', 'not-found', /no such address/],
  ['GET /problems/..%2finvalid', 'not-found', /no such|no problem/],
  ['GET /api/v1/debtors;a=b', 'not-found', /no such address/],
  ['GET /api/v1/debtors%3f$top=1', 'not-found', /no such address/],
  ['GET /api/v1/debtors%00', 'not-found', /no such address/],
  ['GET http://other.example/nosuch', 'not-found', /no such address/],
]

describe('an unusual request line', () => {
  for (const [line, kind, says, allow] of lines) {
    test(line.replaceAll('%', '%%'), async () => {
      const answer = await request(line, 'Accept: application/json\r\n')
      assertRawProblem(answer, kind, says)
      assert.equal(answer.headers['allow'], allow)
    })
  }

  test('with an absolute URL uses the path in it', async () => {
    for (const url of [`${api.address}/api/v1/debtors/abc`, 'HTTP://other.example/api/v1/debtors/abc?']) {
      const answer = await request(`GET ${url}`)
      assertRawProblem(answer, 'invalid', /must be a GUID|is not known/)
      assert.equal((JSON.parse(answer.body) as { instance: string }).instance, '/api/v1/debtors/abc')
    }
    assert.equal((await request(`GET ${api.address}`)).status, 200)
  })

  test('CONNECT opens no tunnel', async () => {
    const answer = await sendRaw(api.address, `CONNECT localhost:22 HTTP/1.1\r\n${rest}\r\n`)
    assert.ok(Number.isNaN(answer.status) || answer.status >= 400)
  })

  test('of HTTP/1.0 is answered without Host', async () => {
    const answer = await sendRaw(api.address, 'GET /health/live HTTP/1.0\r\n\r\n')
    assert.deepEqual([answer.status, answer.body], [200, '{"status":"live"}'])
  })
})
