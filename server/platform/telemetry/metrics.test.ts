/** Who can read the metrics, and what they contain. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { roleAccessCodes, userRoles, allUserRoles } from '../../../contract/access/access.ts'
import type { Problem, ProblemKind } from '../../../contract/platform/problem.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { registry } from './metrics.ts'

const secret = 'c2NyYXBlcnMgb25seQ/+=='
let api: TestApi
let node: TestApi
before(async () => {
  api = await startApi()
  node = await api.startNode({ FORDRA_METRICS_TOKEN: secret })
})
after(async () => {
  await node.close()
  await api.close()
})

/** Requests the metrics with an Authorization header; null for none. */
const ask = ({ address }: TestApi, authorization: string | null, headers: Record<string, string> = {}) =>
  fetch(`${address}/metrics`, { headers: { ...headers, ...(authorization !== null && { authorization }) } })

async function assertRefused(answer: Response, status: number, code: ProblemKind): Promise<void> {
  assert.equal(answer.status, status)
  assert.equal(answer.headers.get('content-type'), 'application/problem+json; charset=utf-8')
  assert.equal(((await answer.json()) as Problem).code, code)
  assert.equal(answer.headers.get('www-authenticate'), status === 401 ? 'Bearer' : null)
}

describe('the metrics are readable', () => {
  test('with the token of the settings', async () => {
    for (const authorization of [`Bearer ${secret}`, `bearer  ${secret}`]) {
      const answer = await ask(node, authorization)
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get('cache-control'), 'no-store')
      assert.match(await answer.text(), /^fordra_requests_in_flight \d+$/m)
    }
  })

  test('not without a token, nor with another one or another scheme', async () => {
    const wrong = [
      null,
      '',
      secret,
      `Basic ${secret}`,
      `Bearer${secret}`,
      'Bearer',
      'Bearer ',
      `Bearer ${secret.slice(0, -1)}`,
      `Bearer ${secret}x`,
      `Bearer ${secret.toUpperCase()}`,
      `Bearer ${secret} ${secret}`,
      `Bearer ${'x'.repeat(43)}`,
    ]
    for (const authorization of wrong) {
      await assertRefused(await ask(node, authorization), 401, 'unauthenticated')
    }
    await assertRefused(await fetch(`${node.address}/metrics?access_token=${secret}`), 401, 'unauthenticated')
    assert.equal((await fetch(`${node.address}/metrics`, { method: 'HEAD' })).status, 401)
  })

  test('with a session that has system.admin, and with no other', async () => {
    for (const role of allUserRoles) {
      const answer = await ask(api, `Bearer ${await api.signIn(role)}`)
      if (roleAccessCodes[role].includes('system.admin')) assert.equal(answer.status, 200, userRoles[role])
      else await assertRefused(answer, 403, 'forbidden')
    }
  })

  test('with no token at all if none is set', async () => {
    for (const authorization of [`Bearer ${secret}`, 'Bearer undefined', 'Bearer null', 'Bearer ']) {
      await assertRefused(await ask(api, authorization), 401, 'unauthenticated')
    }
  })

  test('not by unlimited guessing of tokens', async () => {
    const limited = await api.startNode({ FORDRA_METRICS_TOKEN: secret, FORDRA_RATE_LIMIT: '1' })
    const guesses = await Promise.all(Array.from({ length: 8 }, () => ask(limited, `Bearer ${secret}x`)))
    const statuses = guesses.map(({ status }) => status)
    assert.ok(statuses.includes(401) && statuses.includes(429), statuses.join())
    assert.equal((await ask(limited, `Bearer ${secret}`)).status, 200, 'the right one is always taken')
    await limited.close()
  })

  test('not when they are disabled', async () => {
    const without = await api.startNode({ FORDRA_METRICS: '0', FORDRA_METRICS_TOKEN: secret })
    assert.equal((await ask(without, `Bearer ${secret}`)).status, 404)
    assert.equal((await ask(without, `Bearer ${api.token}`)).status, 404)
    await without.close()
  })

  test('without any other setting', async () => {
    for (const path of ['/health/live', '/health/ready', '/reference', '/problems']) {
      assert.equal((await fetch(node.address + path)).status, 200, path)
    }
  })
})

test('the metrics count operations and statuses, and contain no names', async () => {
  await api.call('POST', '/debtors', { body: { lastname: 'Countess', email: 'countess@example.com' } })
  await api.call('GET', "/debtors?$filter=fullName eq 'Countess'")
  await api.call('GET', '/debtors/0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70')
  await fetch(`${api.address}/some/personal/path/countess`)
  const response = await ask(node, `Bearer ${secret}`)
  assert.match(response.headers.get('content-type')!, /^text\/plain; version=0\.0\.4/)
  const text = await response.text()
  for (const [operation, status] of [
    ['listDebtors', 200],
    ['createDebtor', 201],
    ['getDebtor', 404],
    ['other', 404],
  ]) {
    assert.match(
      text,
      new RegExp(`fordra_request_seconds_count\\{operation="${operation}",status="${status}"\\} \\d+`),
    )
  }
  assert.match(text, /^fordra_requests_in_flight \d+$/m)
  assert.doesNotMatch(text, /countess|0190a6f2|personal/i)
  for (const line of text.split('\n')) assert.match(line, /^(#.*|[a-z0-9_]+(\{[^}]*\})? [\d.e+-]+|)$/)
})

test('requests of a form count under the operation of the form', async () => {
  await api.call('POST', '/system/forms/case/register', { body: { principel: 1 } })
  await api.call('GET', '/system/forms/No-Such/form?initialValues=true')
  const text = await registry.metrics()
  assert.match(text, /fordra_request_seconds_count\{operation="registerCase",status="400"\} \d+/)
  assert.match(text, /fordra_request_seconds_count\{operation="getFormValues",status="404"\} \d+/)
  assert.doesNotMatch(text, /No-Such/)
})
