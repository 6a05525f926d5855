/** Health checks and metrics on a port of their own. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { inTransaction } from '../../platform/database/transaction.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { findFreePort } from '../../testing/servers/free-port.ts'
import { untilWaiting } from '../../testing/waiting.ts'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.close())

const metricsToken = 'a-token-of-the-scraper'

async function startNode(settings: Record<string, string> = {}) {
  const port = await findFreePort()
  const node = await api.startNode({
    FORDRA_HEALTH_PORT: String(port),
    FORDRA_METRICS_TOKEN: metricsToken,
    ...settings,
  })
  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers })
    return { status: answer.status, text: await answer.text() }
  }
  return { node, ask }
}

test('answers health checks and metrics, and nothing else', async () => {
  const { node, ask } = await startNode()
  assert.deepEqual(await ask('/health/live'), { status: 200, text: '{"status":"live"}' })
  assert.deepEqual(await ask('/health/ready?verbose'), { status: 200, text: '{"status":"ready"}' })
  assert.equal((await ask('/metrics')).status, 401)
  const metrics = await ask('/metrics', { authorization: `Bearer ${metricsToken}` })
  assert.match(metrics.text, /^fordra_requests_in_flight /m)
  for (const path of [
    '/',
    '/api/v1/debtors',
    '/api/v1/openapi.json',
    '/health',
    '/health/livelong',
    '//health/live',
  ]) {
    const { status, text } = await ask(path, { authorization: `Bearer ${node.token}` })
    assert.equal(status, 404, path)
    assert.match(text, /^Only \/health\/live, \/health\/ready and \/metrics are answered on this port\.\n$/)
  }
  assert.equal((await fetch(`${node.address}/health/live`)).status, 200)
  await node.close()
})

test('answers while clients have taken every connection', async () => {
  const { node, ask } = await startNode({ FORDRA_MAX_CONNECTIONS: '10' })
  const clients = Array.from({ length: 11 }, () => connect(Number(new URL(node.address).port), '127.0.0.1'))
  for (const client of clients)
    await once(
      client.on('error', () => {}),
      'connect',
    )
  await assert.rejects(fetch(`${node.address}/health/live`))
  assert.equal((await ask('/health/live')).status, 200)
  assert.equal((await ask('/health/ready')).status, 200)
  for (const client of clients) client.destroy()
  await node.close()
})

test('a node that finishes its last request is not ready, and then it is gone', async () => {
  const { node, ask } = await startNode()
  const { body } = await api.call<{ debtorGuid: string }>('POST', '/debtors', { body: { lastname: 'Last' } })
  const { last, closed } = await inTransaction(api.sql, async (tx) => {
    await tx`select from debtor where id = ${body.debtorGuid} for update`
    const request = node.call('PATCH', `/debtors/${body.debtorGuid}`, { body: { firstname: 'Eva' } })
    await untilWaiting(api, 1)
    const closing = node.close()
    const { status, text } = await ask('/health/ready')
    assert.equal(status, 503)
    assert.match(text, /This node is stopping/)
    return { last: request, closed: closing }
  })
  assert.equal((await last).status, 200)
  await closed
  await assert.rejects(ask('/health/live'))
})
