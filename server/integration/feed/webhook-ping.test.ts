import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook as Signature } from 'standardwebhooks'
import { startApi, type TestApi } from '../../testing/api.ts'
import { runJobs } from '../../testing/jobs.ts'
import { assertProblem } from '../../testing/problem.ts'
import { createDeliveries } from './create-deliveries.ts'

interface Made {
  webhookGuid: string
  secret: string
}
interface Received {
  url: string
  text: string
  headers: Record<string, string>
}

let api: TestApi
let runner: Awaited<ReturnType<typeof runJobs>>
let address: string
let received: Received[] = []
const receiver = createServer((request, response) => {
  let text = ''
  request.on('data', (chunk: Buffer) => (text += chunk.toString()))
  request.on('end', () => {
    received.push({ url: request.url!, text, headers: request.headers as Record<string, string> })
    response.writeHead(204).end()
  })
})
before(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  api = await startApi({ FORDRA_PRIVATE_TARGETS: '1' })
  runner = await runJobs(api)
})
beforeEach(async () => {
  await api.sql`delete from webhook_delivery`
  await api.sql`delete from webhook`
  received = []
})
after(async () => {
  await runner.stop()
  await api.close()
  receiver.closeAllConnections()
  receiver.close()
})

const make = async (path: string, body: object = {}, token = api.token) => {
  const answer = await api.call<Made>('POST', '/system/forms/webhook/create', {
    body: { url: `${address}${path}`, ...body },
    token,
  })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}
/** For half a minute at most. `step` is done before each look. */
const until = async (condition: () => boolean, step?: () => Promise<unknown>) => {
  for (const end = Date.now() + 30_000; ; await sleep(20)) {
    await step?.()
    if (condition()) return
    assert.ok(Date.now() < end, `Received after half a minute: ${JSON.stringify(received)}`)
  }
}
/** Deliveries of an earlier test may still arrive. */
const countReceived = (path: string) => received.filter(({ url }) => url === path).length
const ping = (webhookGuid: string, token = api.token) =>
  api.call('POST', `/webhooks/${webhookGuid}/ping`, { token })

test('a new webhook gets a signed ping, whatever its types', async () => {
  const { webhookGuid, secret } = await make('/new', { types: 'payment.registered' })
  await until(() => countReceived('/new') === 1)
  const { text, headers } = received.find(({ url }) => url === '/new')!
  const body = new Signature(secret).verify(text, headers) as Record<string, unknown>
  assert.equal(headers['webhook-id'], body['id'])
  assert.deepEqual(
    [body['type'], body['subject'], body['data']],
    ['webhook.pinged', webhookGuid, { webhookGuid }],
  )
})

test('pingWebhook pings that webhook alone and once, also beside the feed', async () => {
  const one = await make('/one')
  await make('/two')
  await until(() => countReceived('/one') + countReceived('/two') === 2)
  received = []
  const answer = await ping(one.webhookGuid)
  assert.equal(answer.status, 200, answer.text)
  await createDeliveries(api.sql)
  const made = await api.call<{ debtorGuid: string }>('POST', '/debtors', { body: { lastname: 'Ek' } })
  assert.equal(made.status, 201)
  // Again and again: a transaction of another database may hold the feed back.
  await until(
    () => received.filter(({ text }) => text.includes('"debtor.created"')).length === 2,
    () => createDeliveries(api.sql),
  )
  const pings = received.filter(({ text }) => text.includes('"webhook.pinged"'))
  assert.deepEqual(
    pings.map(({ url }) => url),
    ['/one'],
  )
  const listed = await api.call<{ total: number }>(
    'GET',
    `/webhooks/${one.webhookGuid}/deliveries?$filter=type eq 'webhook.pinged'`,
  )
  assert.equal(listed.body.total, 2)
  const replay = { body: { from: '2020-01-01' } }
  await api.call('POST', `/webhooks/${one.webhookGuid}/replay`, replay)
  const again = await api.call<{ total: number }>(
    'GET',
    `/webhooks/${one.webhookGuid}/deliveries?$filter=type eq 'webhook.pinged'`,
  )
  assert.equal(again.body.total, 2)
})

test('an administrator of one client has the own webhook pinged too', async () => {
  const party = await api.addParty('OURS')
  const group = '0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70'
  await api.sql`
    insert into access_group (id, code, name, access_codes) values (${group}, 'ADMINS', 'Admins', '{system.admin}')`
  const token = await api.signIn(6, party)
  await api.sql`insert into user_access_group select id, ${group} from app_user where party_id = ${party}`
  const { webhookGuid } = await make('/ours', {}, token)
  await until(() => countReceived('/ours') === 1)
  assert.equal((await ping(webhookGuid, token)).status, 200)
  await until(() => countReceived('/ours') === 2)
  const agencys = await make('/agency')
  assertProblem(await ping(agencys.webhookGuid, token), 'not-found', /webhook/)
})

test('pingWebhook refuses a webhook that is disabled, paused, not there, or whose owner is disabled', async () => {
  const disabled = await make('/disabled', { enabled: false })
  assertProblem(await ping(disabled.webhookGuid), 'conflict', /Enable it first/)
  const paused = await make('/paused')
  await api.sql`update webhook set paused_at = now() where id = ${paused.webhookGuid}`
  assertProblem(await ping(paused.webhookGuid), 'conflict', /paused/)
  const lost = await make('/lost')
  await api.sql`update webhook set created_by = gen_random_uuid() where id = ${lost.webhookGuid}`
  assertProblem(await ping(lost.webhookGuid), 'conflict', /owner/)
  assertProblem(await ping('0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70'), 'not-found', /webhook/)
  const handler = await api.signIn(3)
  assertProblem(await ping(paused.webhookGuid, handler), 'forbidden', /system\.admin/)
  assert.ok(!received.some(({ url }) => url === '/disabled'))
})
