/**
 * Deliveries that waited while a webhook was paused, and unreadable secrets. The test delivers round by round, without
 * the queue.
 */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, afterEach, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Webhook, WebhookDelivery } from '../../../contract/integration/webhooks.ts'
import { openOutbound } from '../../platform/outbound/post.ts'
import { agencyItself } from '../../platform/http/caller.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { Webhook as Signature } from 'standardwebhooks'
import { deliverWebhook } from './deliver.ts'
import { pauseWebhook, purgeDeliveries, queueLostDeliveries } from './webhooks.store.ts'
import { changeWebhook, createWebhook, removeWebhook } from './webhooks.changes.ts'
import { makeId } from '../../platform/database/make-id.ts'

let api: TestApi
let url: string
let status = 204
/** Done once, before the receiver answers. */
let meanwhile: (() => Promise<void>) | undefined
const received: string[] = []
const requests: { headers: Record<string, string>; body: string }[] = []
const warnings: string[] = []
const outbound = openOutbound({ allowPrivate: true })
const origin = { actorId: null, requestId: null, operation: 'test', businessDate: '2026-01-01' }
const receiver = createServer((request, response) => {
  received.push(String(request.headers['webhook-id']))
  let body = ''
  request.on('data', (chunk: Buffer) => (body += chunk.toString()))
  request.on('end', () => {
    requests.push({ headers: request.headers as Record<string, string>, body })
    const answered = status
    const first = meanwhile
    meanwhile = undefined
    void (first?.() ?? Promise.resolve()).then(() => response.writeHead(answered).end())
  })
})
const makeKey = (byte: number) => Buffer.alloc(32, byte).toString('base64')

before(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
  api = await startApi({ FORDRA_PRIVATE_TARGETS: '1', FORDRA_SECRET_KEY: makeKey(3) })
})
afterEach(() => {
  received.length = 0
  warnings.length = 0
})
after(async () => {
  await api.close()
  outbound.close()
  receiver.closeAllConnections()
  receiver.close()
})

const settingsWith = (key: string | null) => {
  const { FORDRA_SECRET_KEY: _, ...others } = api.app.service.settings
  return key === null ? others : { ...others, FORDRA_SECRET_KEY: key }
}
const makeContext = () => ({ origin, settings: api.app.service.settings, outbound })
/** Delivers one round of what is due now. */
const deliver = async (id: string, key: string | null = makeKey(3)) => {
  await api.sql`update webhook_delivery set next_try_at = now() where webhook_id = ${id} and status = 'waiting'`
  const log = { warn: (...said: unknown[]) => void warnings.push(JSON.stringify(said)) }
  const context = { sql: api.sql, settings: settingsWith(key), outbound, log }
  await deliverWebhook(context, id, AbortSignal.timeout(60_000))
}
/** A webhook with deliveries of the given number of events, each of another subject. */
async function createWithBacklog(count: number): Promise<string> {
  const { webhookGuid } = await createWebhook(
    api.sql,
    agencyItself,
    { url, types: ['debtor.created'] },
    makeContext(),
  )
  for (let n = 0; n < count; n++) {
    await api.call('POST', '/debtors', { body: { lastname: 'Ek' } })
  }
  await api.sql`
    insert into webhook_delivery (id, webhook_id, position, event_id, type, subject, sequence)
    select gen_random_uuid(), ${webhookGuid}, position, id, type, subject, sequence from event
    where type = 'debtor.created' order by position desc limit ${count}`
  return webhookGuid
}
const age = (id: string) =>
  api.sql`update webhook_delivery set created_at = now() - interval '73 hours' where webhook_id = ${id}`
const readDeliveries = async (id: string) =>
  (await api.call<{ value: WebhookDelivery[] }>('GET', `/webhooks/${id}/deliveries`)).body.value
const findWebhook = async (id: string) =>
  (await api.call<{ value: Webhook[] }>('GET', `/webhooks?$filter=webhookGuid eq ${id}`)).body.value[0]!

/** A paused webhook with one failed delivery and one that waited equally long. */
async function createPaused(): Promise<string> {
  const id = await createWithBacklog(1)
  await age(id)
  status = 503
  await deliver(id)
  const [second] = await api.sql<{ id: string }[]>`
    insert into webhook_delivery (id, webhook_id, position, event_id, type, subject, sequence, attempts)
    select ${makeId()}, webhook_id, position, event_id, type, subject, sequence, 20 from webhook_delivery
    where webhook_id = ${id} returning id`
  await age(id)
  assert.ok(second)
  assert.match((await findWebhook(id)).pausedReason!, /three days\. The address answered 503\./)
  return id
}
const readWaiting = async (id: string) =>
  (await readDeliveries(id)).find(({ status: is }) => is !== 'failed')!

test('a webhook whose deliveries are done has no job until there are more', async () => {
  const id = await createWithBacklog(2)
  status = 204
  await deliver(id)
  assert.deepEqual(
    (await readDeliveries(id)).map((one) => one.status),
    ['delivered', 'delivered'],
  )
  const jobs = await api.sql`select from graphile_worker.jobs where key = ${`webhook:${id}`}`
  assert.equal(jobs.length, 0)
  await removeWebhook(api.sql, agencyItself, id, origin)
})

test('a webhook whose entry in the queue is lost is scheduled again, unless it is paused or has nothing to deliver', async () => {
  const id = await createWithBacklog(1)
  assert.equal(await queueLostDeliveries(api.sql), 1)
  assert.equal(await queueLostDeliveries(api.sql), 0)
  await api.sql`select from graphile_worker.remove_job(${`webhook:${id}`})`
  await pauseWebhook(api.sql, id, { url, reason: 'The test pauses it.' })
  assert.equal(await queueLostDeliveries(api.sql), 0)
  await api.sql`update webhook set paused_at = null where id = ${id}`
  status = 204
  await deliver(id)
  assert.equal(await queueLostDeliveries(api.sql), 0)
  await removeWebhook(api.sql, agencyItself, id, origin)
})

test('deliveries that waited while paused have three days from when the webhook is enabled again', async () => {
  const id = await createPaused()
  await changeWebhook(api.sql, agencyItself, id, { enabled: true }, makeContext())
  await deliver(id)
  assert.equal((await findWebhook(id)).pausedAt, null)
  const tried = await readWaiting(id)
  assert.deepEqual([tried.status, tried.attempts], ['waiting', 1])
  await age(id)
  await deliver(id)
  assert.match((await findWebhook(id)).pausedReason!, /three days/)
  await removeWebhook(api.sql, agencyItself, id, origin)
})

test('the same holds when the webhook was disabled meanwhile, or is resumed by a replay', async () => {
  const id = await createPaused()
  const eventGuids = [(await readWaiting(id)).eventGuid!]
  await api.call('POST', `/webhooks/${id}/replay`, { body: { eventGuids } })
  await deliver(id)
  assert.equal((await findWebhook(id)).pausedAt, null)
  await changeWebhook(api.sql, agencyItself, id, { enabled: false }, makeContext())
  await age(id)
  await changeWebhook(api.sql, agencyItself, id, { enabled: true }, makeContext())
  await deliver(id)
  assert.equal((await findWebhook(id)).pausedAt, null)
  await removeWebhook(api.sql, agencyItself, id, origin)
})

test('enabling a webhook that was neither paused nor disabled gives its deliveries no more time', async () => {
  const id = await createWithBacklog(1)
  await age(id)
  await changeWebhook(api.sql, agencyItself, id, { enabled: true }, makeContext())
  status = 503
  await deliver(id)
  assert.notEqual((await findWebhook(id)).pausedAt, null)
  await removeWebhook(api.sql, agencyItself, id, origin)
})

for (const [what, key] of [
  ['no key', null],
  ['another key', makeKey(4)],
] as const) {
  test(`with ${what} for its secret a webhook's deliveries fail with that reason, and continue with the right key`, async () => {
    status = 204
    const id = await createWithBacklog(2)
    await deliver(id, key)
    const failed = await readDeliveries(id)
    for (const one of failed) {
      assert.deepEqual([one.status, one.attempts, one.responseStatus], ['waiting', 1, null])
      assert.match(one.lastError!, /secret of the webhook cannot be read.*FORDRA_SECRET_KEY/)
      assert.ok(one.nextTryAt! > one.createdAt!)
    }
    assert.deepEqual([failed.length, received.length, warnings.length], [2, 0, 1])
    assert.match(warnings[0]!, new RegExp(`${id}.*cannot be read`))
    assert.ok(!warnings[0]!.includes('whsec_'))
    await deliver(id)
    assert.deepEqual(
      (await readDeliveries(id)).map(({ status: is, lastError }) => [is, lastError]),
      [
        ['delivered', null],
        ['delivered', null],
      ],
    )
    assert.equal(received.length, 2)
    await removeWebhook(api.sql, agencyItself, id, origin)
  })
}

test('a webhook whose secret cannot be read for three days is paused, with the reason', async () => {
  const id = await createWithBacklog(1)
  await age(id)
  await deliver(id, makeKey(4))
  assert.match((await findWebhook(id)).pausedReason!, /three days.*secret of the webhook cannot be read/)
  await removeWebhook(api.sql, agencyItself, id, origin)
})

test('what waits is not delivered once the webhook no longer has its type', async () => {
  const id = await createWithBacklog(1)
  status = 503
  await deliver(id)
  status = 204
  received.length = 0
  await changeWebhook(api.sql, agencyItself, id, { types: ['payout.created'] }, makeContext())
  await deliver(id)
  const [delivery] = await readDeliveries(id)
  assert.deepEqual([delivery!.status, received.length], ['failed', 0])
  assert.match(delivery!.lastError!, /no longer has events of this type/)
  assert.equal((await findWebhook(id)).pausedAt, null)
  await changeWebhook(api.sql, agencyItself, id, { types: ['debtor.*'] }, makeContext())
  await api.call('POST', `/webhooks/${id}/replay`, { body: { eventGuids: [delivery!.eventGuid] } })
  await deliver(id)
  assert.deepEqual(received, [delivery!.eventGuid])
  await removeWebhook(api.sql, agencyItself, id, origin)
})

test('what waits for a connection is not sent once the owner has lost the right', async () => {
  const id = await createWithBacklog(2)
  const email = 'owner@agency.example'
  const owner = await api.addUser({ email, password: 'en lång mening som är min', userRole: 2 })
  await api.sql`update webhook set created_by = ${owner} where id = ${id}`
  const narrow = openOutbound({ allowPrivate: true, socketsMax: 1 })
  status = 204
  meanwhile = async () => {
    await api.sql`update app_user set disabled = true where id = ${owner}`
    await sleep(700)
  }
  const context = {
    sql: api.sql,
    settings: api.app.service.settings,
    outbound: narrow,
    log: { warn: () => {} },
  }
  await deliverWebhook(context, id, AbortSignal.timeout(60_000))
  narrow.close()
  assert.equal(received.length, 1)
  assert.match((await findWebhook(id)).pausedReason!, /owner is disabled/)
  const states = (await readDeliveries(id)).map((one) => [one.status, one.attempts])
  assert.deepEqual(states.toSorted(), [
    ['delivered', 1],
    ['waiting', 0],
  ])
  await removeWebhook(api.sql, agencyItself, id, origin)
})

test('another address is tried at once, and has three days of its own', async () => {
  const id = await createWithBacklog(1)
  status = 503
  await deliver(id)
  await age(id)
  const [waits] = await readDeliveries(id)
  assert.ok(waits!.nextTryAt! > new Date().toISOString())
  await changeWebhook(api.sql, agencyItself, id, { url: `${url}/new` }, makeContext())
  const [moved] = await readDeliveries(id)
  assert.ok(moved!.nextTryAt! <= new Date().toISOString(), 'due at once')
  await deliver(id)
  assert.equal((await findWebhook(id)).pausedAt, null)
  const [tried] = await readDeliveries(id)
  assert.deepEqual([tried!.status, tried!.attempts], ['waiting', 1])
  await removeWebhook(api.sql, agencyItself, id, origin)
})

for (const [answered, aged] of [
  [410, false],
  [503, true],
] as const) {
  test(`an address that answers ${answered} after it was replaced does not pause the webhook`, async () => {
    const id = await createWithBacklog(1)
    if (aged) await age(id)
    status = answered
    meanwhile = async () => {
      await changeWebhook(api.sql, agencyItself, id, { url: `${url}/new` }, makeContext())
      status = 204
    }
    await deliver(id)
    assert.equal((await findWebhook(id)).pausedAt, null)
    const [delivery] = await readDeliveries(id)
    assert.deepEqual([delivery!.status, received.length], ['delivered', 2])
    await removeWebhook(api.sql, agencyItself, id, origin)
  })
}

test('a webhook that an administrator takes over while its owner is found lost is not paused', async () => {
  const id = await createWithBacklog(1)
  await pauseWebhook(api.sql, id, { owner: makeId(), reason: 'Its former owner is disabled.' })
  assert.equal((await findWebhook(id)).pausedAt, null)
  await removeWebhook(api.sql, agencyItself, id, origin)
})

const seconds = (at: number) => String(Math.floor(at / 1000))

test('while a secret is rotated, both secrets sign for a day; a forged or old replay is refused', async () => {
  const earlier = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
  const present = `whsec_${Buffer.alloc(32, 2).toString('base64')}`
  const id = await createWithBacklog(1)
  const rotate = (secret: string) => changeWebhook(api.sql, agencyItself, id, { secret }, makeContext())
  await rotate(earlier)
  await rotate(present)
  await deliver(id)
  const { headers, body } = requests.at(-1)!
  const verify = (secret: string, given = headers) => new Signature(secret).verify(body, given)
  assert.equal(headers['webhook-signature']!.split(' ').length, 2)
  assert.deepEqual(verify(earlier), verify(present))
  assert.throws(() => verify(`whsec_${Buffer.alloc(32, 9).toString('base64')}`), /No matching signature/)
  // Somebody who recorded the request sends it later: as it was, and with a fresh time of his own.
  const old = new Signature(present).sign('id', new Date(Date.now() - 6 * 60_000), body)
  const late = {
    'webhook-id': 'id',
    'webhook-timestamp': seconds(Date.now() - 6 * 60_000),
    'webhook-signature': old,
  }
  assert.throws(() => verify(present, late), /too old/)
  assert.throws(() => verify(present, { ...late, 'webhook-timestamp': seconds(Date.now()) }), /No matching/)

  await api.sql`update webhook set previous_until = now() - interval '1 second' where id = ${id}`
  await api.sql`update webhook_delivery set status = 'waiting' where webhook_id = ${id}`
  await deliver(id)
  assert.equal(requests.at(-1)!.headers['webhook-signature']!.split(' ').length, 1)
  await purgeDeliveries(api.sql)
  const [row] = await api.sql<{ gone: boolean }[]>`
    select previous_secret is null as gone from webhook where id = ${id}`
  assert.equal(row!.gone, true)
})

test('a refused address names the setting that would allow it', () => {
  const strict = openOutbound({ allowPrivate: false })
  try {
    for (const address of ['http://hooks.example.com/', 'https://10.0.0.5/hook', 'https://localhost/hook'])
      assert.match(strict.findFault(address)!, /FORDRA_PRIVATE_TARGETS=1 allows it/)
    assert.doesNotMatch(strict.findFault('ftp://hooks.example.com/')!, /FORDRA/)
  } finally {
    strict.close()
  }
})
