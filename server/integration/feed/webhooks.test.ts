import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, afterEach, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook as Signature } from 'standardwebhooks'
import type { Webhook, WebhookDelivery, WebhookInput } from '../../../contract/integration/webhooks.ts'
import type { JobRunner } from '../../platform/jobs/run-jobs.ts'
import { openOutbound } from '../../platform/outbound/post.ts'
import { agencyItself } from '../../platform/http/caller.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { runJobs } from '../../testing/jobs.ts'
import { createDeliveries } from './create-deliveries.ts'
import { changeWebhook, createWebhook, removeWebhook } from './webhooks.changes.ts'

interface Received {
  webhook: string
  id: string
  type: string
  subject: string
  sequence: number
  verified: unknown
  contentType: string
}

let api: TestApi
let runner: JobRunner
let creatingDeliveries: AbortController
let address: string
let secret: string
let received: Received[] = []
let answer: (got: Received, response: ServerResponse) => void
const outbound = openOutbound({ allowPrivate: true })
const origin = { actorId: null, requestId: null, operation: 'test', businessDate: '2026-01-01' }

const receiver = createServer((request: IncomingMessage, response) => {
  let text = ''
  request.on('data', (chunk: Buffer) => (text += chunk.toString()))
  request.on('end', () => {
    const headers = request.headers as Record<string, string>
    const verified = new Signature(secret).verify(text, headers)
    const { type, subject, sequence, id } = JSON.parse(text) as Received
    assert.equal(headers['webhook-id'], id)
    const got = {
      webhook: request.url!,
      id,
      type,
      subject,
      sequence,
      verified,
      contentType: headers['content-type']!,
    }
    received.push(got)
    answer(got, response)
  })
})

before(async () => {
  secret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  const key = Buffer.alloc(32, 3).toString('base64')
  api = await startApi({ FORDRA_PRIVATE_TARGETS: '1', FORDRA_SECRET_KEY: key })
  runner = await runJobs(api)
  creatingDeliveries = new AbortController()
  void (async () => {
    while (!creatingDeliveries.signal.aborted) {
      await createDeliveries(api.sql).catch(() => {})
      await sleep(50)
    }
  })()
})
afterEach(async () => {
  const { body } = await api.call<{ value: Webhook[] }>('GET', '/webhooks?$top=100')
  for (const { webhookGuid } of body.value) await removeWebhook(api.sql, agencyItself, webhookGuid, origin)
  received = []
})
after(async () => {
  creatingDeliveries.abort()
  await runner.stop()
  await api.close()
  outbound.close()
  receiver.closeAllConnections()
  receiver.close()
})

const makeContext = () => ({ origin, settings: api.app.service.settings, outbound })
const create = async (input: WebhookInput = {}) => {
  const made = await createWebhook(
    api.sql,
    agencyItself,
    { url: `${address}/hook`, secret, ...input },
    makeContext(),
  )
  return made.webhookGuid
}
const makeDebtor = async () =>
  (await api.call<{ debtorGuid: string }>('POST', '/debtors', { body: { lastname: 'Ek' } })).body.debtorGuid
const addField = (debtorGuid: string, name: string) =>
  api.call('POST', `/debtors/${debtorGuid}/extrafields`, { body: { name, value: [] } })
const until = async (condition: () => boolean | Promise<boolean>) => {
  while (!(await condition())) await sleep(20)
}
const readDeliveries = async (webhookGuid: string, query = '') =>
  (
    await api.call<{ value: WebhookDelivery[]; total: number }>(
      'GET',
      `/webhooks/${webhookGuid}/deliveries${query}`,
    )
  ).body
const findWebhook = async (webhookGuid: string) => {
  const { body } = await api.call<{ value: Webhook[] }>(
    'GET',
    `/webhooks?$filter=webhookGuid eq ${webhookGuid}`,
  )
  return body.value[0]!
}
const makeRetriesDue = (webhookGuid: string) => api.sql`
  with now_due as (update webhook_delivery set next_try_at = now() where webhook_id = ${webhookGuid} and status = 'waiting')
  select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs where key = ${`webhook:${webhookGuid}`}), run_at := now())`
const findReceived = (webhook: string, subject: string) =>
  received.find((one) => one.webhook === webhook && one.subject === subject)
const ok = (_got: Received, response: ServerResponse) => void response.writeHead(204).end()

test('events are signed and delivered in order per subject, and the delivery log shows it', async () => {
  answer = ok
  const webhookGuid = await create({ types: ['debtor.*', 'extrafield.*'] })
  const debtors = await Promise.all([makeDebtor(), makeDebtor(), makeDebtor()])
  await Promise.all(
    debtors.map(async (debtorGuid) => {
      for (const name of ['a', 'b', 'c']) await addField(debtorGuid, name)
    }),
  )
  await until(() => received.length === 12)
  for (const debtorGuid of debtors) {
    const own = received.filter(({ subject }) => subject === debtorGuid)
    assert.deepEqual(
      own.map(({ type, sequence }) => `${type} ${sequence}`),
      ['debtor.created 1', 'extrafield.created 2', 'extrafield.created 3', 'extrafield.created 4'],
    )
  }
  const { data, timestamp } = received[0]!.verified as { data: object; timestamp: string }
  assert.ok('debtorGuid' in data)
  assert.match(timestamp, /^\d{4}-.*Z$/)
  await until(async () => (await readDeliveries(webhookGuid, "?$filter=status eq 'delivered'")).total === 12)
  const [last] = (await readDeliveries(webhookGuid, '?$top=1')).value
  assert.deepEqual(
    [last!.status, last!.attempts, last!.responseStatus, last!.lastError],
    ['delivered', 1, 204, null],
  )
})

test('a webhook by choice gets CloudEvents, signed alike', async () => {
  answer = ok
  const webhookGuid = await create({
    url: `${address}/cloud`,
    types: ['debtor.created'],
    cloudEvents: true,
  })
  const debtorGuid = await makeDebtor()
  await until(() => findReceived('/cloud', debtorGuid) !== undefined)
  const { contentType, id, verified } = findReceived('/cloud', debtorGuid)!
  assert.equal(contentType, 'application/cloudevents+json; charset=utf-8')
  const { time, ...event } = verified as Record<string, unknown>
  assert.ok(Math.abs(Date.parse(String(time)) - Date.now()) < 60_000)
  assert.deepEqual(event, {
    specversion: '1.0',
    id,
    source: 'urn:fordra:events',
    type: 'debtor.created',
    subject: debtorGuid,
    datacontenttype: 'application/json',
    dataversion: 1,
    subjectsequence: 1,
    data: { debtorGuid },
  })
  // Section 3.1 of CloudEvents 1.0.2: names of attributes are lower-case letters and digits, best no more than 20.
  for (const name of Object.keys(event)) assert.match(name, /^[a-z0-9]{1,20}$/)
  await changeWebhook(api.sql, agencyItself, webhookGuid, { cloudEvents: false }, makeContext())
  assert.equal((await findWebhook(webhookGuid)).cloudEvents, false)
  const other = await makeDebtor()
  await until(() => findReceived('/cloud', other) !== undefined)
  assert.equal(findReceived('/cloud', other)!.contentType, 'application/json')
  assert.ok('timestamp' in (findReceived('/cloud', other)!.verified as object))
})

test('a webhook gets events from its creation on, of its types alone', async () => {
  answer = ok
  await makeDebtor()
  const webhookGuid = await create({ types: ['debtor.updated'] })
  const debtorGuid = await makeDebtor()
  await api.call('PATCH', `/debtors/${debtorGuid}`, { body: { lastname: 'Alm' } })
  await until(() => received.length > 0)
  assert.deepEqual(
    received.map(({ type, subject }) => `${type} ${subject}`),
    [`debtor.updated ${debtorGuid}`],
  )
  assert.equal((await readDeliveries(webhookGuid)).total, 1)
})

test('a failed delivery delays its subject alone and is retried with the same id', async () => {
  const stuck = await makeDebtor()
  let refuse = true
  answer = (got, response) => {
    if (got.subject === stuck && refuse) response.writeHead(500).end('secret of theirs')
    else ok(got, response)
  }
  const webhookGuid = await create({ types: ['extrafield.*'] })
  const free = await makeDebtor()
  for (const name of ['a', 'b']) {
    await addField(stuck, name)
    await addField(free, name)
  }
  await until(() => received.filter(({ subject }) => subject === free).length === 2)
  await until(
    async () =>
      (await readDeliveries(webhookGuid, "?$filter=attempts gt 0 and status eq 'waiting'")).total === 1,
  )
  assert.deepEqual(
    new Set(received.filter(({ subject }) => subject === stuck).map(({ sequence }) => sequence)),
    new Set([2]),
  )
  const waiting = await readDeliveries(webhookGuid, "?$filter=status eq 'waiting' and attempts gt 0")
  assert.equal(waiting.value[0]!.lastError, 'The address answered 500.')
  assert.ok(waiting.value[0]!.nextTryAt! > waiting.value[0]!.createdAt!)
  refuse = false
  await makeRetriesDue(webhookGuid)
  await until(async () => (await readDeliveries(webhookGuid, "?$filter=status eq 'delivered'")).total === 4)
  const own = received.filter(({ subject }) => subject === stuck)
  assert.deepEqual(
    own.map(({ sequence }) => sequence).toSorted((a, b) => a - b),
    own.map(({ sequence }) => sequence),
  )
  assert.equal(new Set(own.map(({ id }) => id)).size, 2)
})

test('a redirect counts as a failure and is not followed', async () => {
  answer = (_got, response) => void response.writeHead(302, { location: `${address}/elsewhere` }).end()
  const webhookGuid = await create({ types: ['debtor.created'] })
  await makeDebtor()
  await until(async () => (await readDeliveries(webhookGuid, '?$filter=responseStatus eq 302')).total === 1)
  assert.deepEqual([...new Set(received.map(({ webhook }) => webhook))], ['/hook'])
})

test('a webhook is paused after three days; once enabled it continues where it was', async () => {
  answer = (_got, response) => void response.writeHead(503).end()
  const webhookGuid = await create({ types: ['debtor.created'] })
  const debtorGuid = await makeDebtor()
  await until(async () => (await readDeliveries(webhookGuid, '?$filter=attempts gt 0')).total === 1)
  await api.sql`update webhook_delivery set created_at = now() - interval '73 hours' where webhook_id = ${webhookGuid}`
  await makeRetriesDue(webhookGuid)
  await until(async () => (await findWebhook(webhookGuid)).pausedAt !== null)
  assert.match((await findWebhook(webhookGuid)).pausedReason!, /three days/)
  const [failed] = (await readDeliveries(webhookGuid)).value
  assert.equal(failed!.status, 'failed')
  const second = await makeDebtor()
  answer = ok
  await changeWebhook(api.sql, agencyItself, webhookGuid, { enabled: true }, makeContext())
  await until(() => received.some(({ subject }) => subject === second))
  received = []
  const replayed = await api.call<{ detail: string }>('POST', `/webhooks/${webhookGuid}/replay`, {
    body: { eventGuids: [failed!.eventGuid] },
  })
  assert.match(replayed.body.detail, /^1 events/)
  await until(() => received.length === 1)
  assert.deepEqual([received[0]!.subject, received[0]!.id], [debtorGuid, failed!.eventGuid])
})

test('an address that answers 410 pauses its webhook at once', async () => {
  answer = (_got, response) => void response.writeHead(410).end()
  const webhookGuid = await create({ types: ['debtor.created'] })
  await makeDebtor()
  await until(async () => (await findWebhook(webhookGuid)).pausedAt !== null)
  assert.match((await findWebhook(webhookGuid)).pausedReason!, /410 Gone/)
})

test('replayWebhook by time delivers again, in order', async () => {
  answer = ok
  const webhookGuid = await create({ types: ['debtor.*', 'extrafield.*'] })
  const from = new Date().toISOString()
  const debtorGuid = await makeDebtor()
  for (const name of ['a', 'b']) await addField(debtorGuid, name)
  await until(() => received.length === 3)
  received = []
  const replay = (body: object) => api.call('POST', `/webhooks/${webhookGuid}/replay`, { body })
  assert.equal((await replay({ from })).status, 200)
  await until(() => received.length === 3)
  assert.deepEqual(
    received.map(({ sequence }) => sequence),
    [1, 2, 3],
  )
  assert.equal((await replay({})).status, 400)
  assert.equal((await replay({ from: 'yesterday' })).status, 400)
  assert.equal((await replay({ eventGuids: ['x'] })).status, 400)
  const unknown = '/webhooks/01900000-0000-7000-8000-000000000000'
  assert.equal((await api.call('POST', `${unknown}/replay`, { body: { from } })).status, 404)
  assert.equal((await api.call('GET', `${unknown}/deliveries`)).status, 404)
})

test('listWebhooks, listWebhookDeliveries and replayWebhook need an administrator and never show the secret', async () => {
  answer = ok
  const webhookGuid = await create({ description: 'For the bank' })
  const { body, text } = await api.call<{ value: Webhook[] }>('GET', '/webhooks')
  assert.equal(body.value[0]!.description, 'For the bank')
  assert.ok(!text.includes('whsec_') && !text.includes(secret.slice(6, 20)))
  const [stored] = await api.sql<{ secret: Buffer; sealed: boolean }[]>`select secret, sealed from webhook`
  assert.ok(stored!.sealed && !stored!.secret.toString('latin1').includes('whsec_'))
  const token = await api.signIn(3)
  const paths = ['/webhooks', `/webhooks/${webhookGuid}/deliveries`]
  for (const path of paths) assert.equal((await api.call('GET', path, { token })).status, 403)
  const replay = await api.call('POST', `/webhooks/${webhookGuid}/replay`, {
    token,
    body: { from: '2026-01-01' },
  })
  assert.equal(replay.status, 403)
})

test('a secret stored before a key was configured is encrypted on use and keeps its value', async () => {
  answer = ok
  const webhookGuid = await create({ types: ['debtor.*'] })
  await api.sql`update webhook set secret = ${Buffer.from(secret)}, sealed = false where id = ${webhookGuid}`
  for (const count of [1, 2]) {
    await makeDebtor()
    // Of this webhook: what an earlier one still had under way may arrive here too.
    await until(
      async () => (await readDeliveries(webhookGuid, "?$filter=status eq 'delivered'")).total === count,
    )
    const [stored] = await api.sql<{ secret: Buffer; sealed: boolean }[]>`
      select secret, sealed from webhook where id = ${webhookGuid}`
    assert.ok(stored!.sealed && !stored!.secret.toString('latin1').includes('whsec_'))
  }
})

test('creating and changing a webhook checks each member and writes an event', async () => {
  const wrong: [input: WebhookInput, member: string][] = [
    [{ url: 'ftp://example.org' }, 'url'],
    [{ url: '' }, 'url'],
    [{ url: `${address}/${'x'.repeat(2000)}` }, 'url'],
    [{ types: ['debtor'] }, 'types'],
    [{ types: ['*'] }, 'types'],
    [{ secret: 'short' }, 'secret'],
    [{ description: 'x'.repeat(201) }, 'description'],
  ]
  for (const [input, member] of wrong) {
    await assert.rejects(create(input), (error: { errors?: object }) => member in (error.errors ?? {}))
  }
  const strict = { ...makeContext(), outbound: openOutbound({ allowPrivate: false }) }
  await assert.rejects(
    createWebhook(api.sql, agencyItself, { url: `${address}/hook` }, strict),
    /url must begin with https/,
  )
  await assert.rejects(
    createWebhook(api.sql, agencyItself, { url: 'https://10.0.0.1/' }, strict),
    /private network/,
  )
  const made = await createWebhook(
    api.sql,
    agencyItself,
    { url: `${address}/hook`, enabled: false },
    makeContext(),
  )
  assert.match(made.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  await changeWebhook(
    api.sql,
    agencyItself,
    made.webhookGuid,
    { description: 'Changed', secret },
    makeContext(),
  )
  await removeWebhook(api.sql, agencyItself, made.webhookGuid, origin)
  const events =
    await api.sql`select type, sequence from event where subject = ${made.webhookGuid} order by sequence`
  assert.deepEqual(
    events.map(({ type, sequence }) => `${type} ${sequence}`),
    ['webhook.created 1', 'webhook.updated 2', 'webhook.deleted 3'],
  )
  const entries =
    await api.sql`select changes::text as text from audit_entry where entity_id = ${made.webhookGuid}`
  assert.ok(entries.every(({ text }) => !String(text).includes('whsec_')))
  await assert.rejects(removeWebhook(api.sql, agencyItself, made.webhookGuid, origin), /no such webhook/)
  await assert.rejects(
    changeWebhook(api.sql, agencyItself, made.webhookGuid, {}, makeContext()),
    /no such webhook/,
  )
})

test('two nodes that create deliveries at once create one for each event', async () => {
  answer = ok
  creatingDeliveries.abort()
  const webhookGuid = await create({ types: ['debtor.created'] })
  for (let n = 0; n < 20; n++) await makeDebtor()
  await Promise.all(Array.from({ length: 5 }, () => createDeliveries(api.sql)))
  // Transactions of other tests on the same server delay the delivery.
  await until(async () => {
    await createDeliveries(api.sql)
    return (await readDeliveries(webhookGuid)).total >= 20
  })
  assert.equal((await readDeliveries(webhookGuid)).total, 20)
  await until(() => received.length === 20)
  assert.equal(new Set(received.map(({ id }) => id)).size, 20)
})
