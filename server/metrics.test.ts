/** What waits, as /metrics tells it from the database, and what it tells while that is away. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeId } from './platform/database/make-id.ts'
import { keepFor } from './metrics.ts'
import { startApi, type TestApi } from './testing/api.ts'
import { Bridge } from './testing/servers/bridge.ts'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.close())

const token = 'token-of-the-scraper'

async function scrape({ address }: TestApi): Promise<string> {
  const answer = await fetch(`${address}/metrics`, { headers: { authorization: `Bearer ${token}` } })
  assert.equal(answer.status, 200)
  return answer.text()
}

/** The values of a figure by its label, by '' where it has none. */
const parseValues = (text: string, name: string) =>
  Object.fromEntries(
    [...text.matchAll(new RegExp(`^${name}(?:\\{\\w+="(\\w+)"\\})? (\\S+)$`, 'gm'))].map(
      ([, label = '', value]) => [label, Number(value)],
    ),
  )

/** As a node that has not read them yet tells them. */
async function readAnew(): Promise<string> {
  const node = await api.startNode({ FORDRA_METRICS_TOKEN: token })
  try {
    return await scrape(node)
  } finally {
    await node.close()
  }
}

const addJob = (status: string, minutesAgo: number) => api.sql`
  insert into job_run (id, kind, name, payload, attempts_max, status, created_at)
  values (${makeId()}, 'test', 'test', '{}', 1, ${status}, now() - ${minutesAgo} * interval '1 minute')`

const addMessage = (channel: string, minutesAgo: number, { sent = false, expired = false } = {}) => api.sql`
  insert into message (id, kind, channel, recipient, language, subject, created_at, expires_at, sent_at)
  values (${makeId()}, 'test', ${channel}, 'x', 'en', 'x', now() - ${minutesAgo} * interval '1 minute',
    now() + ${expired ? -1 : 1} * interval '1 second' * 600, case when ${sent} then now() end)`

async function addWebhook(pausedAt: string | null, enabled = true): Promise<string> {
  const id = makeId()
  await api.sql`
    insert into webhook (id, url, types, secret, sealed, enabled, paused_at, after_xid, after_position, created_by)
    values (${id}, 'https://example.com', '{}', '', false, ${enabled}, ${pausedAt}, 0, 0, ${makeId()})`
  return id
}

const addDelivery = (webhook: string, status: string) => api.sql`
  insert into webhook_delivery (id, webhook_id, position, event_id, type, subject, sequence, status)
  values (${makeId()}, ${webhook}, 1, ${makeId()}, 'debtor.created', ${makeId()}, 1, ${status})`

const minute = 60
/** Ages go on while the test runs. */
const assertAge = (seconds: number | undefined, least: number) =>
  assert.ok(seconds !== undefined && seconds >= least && seconds < least + 10 * minute, String(seconds))

describe('figures of what waits', () => {
  test('are zero where nothing does', async () => {
    const text = await readAnew()
    assert.deepEqual(parseValues(text, 'fordra_jobs'), { waiting: 0, running: 0, failed: 0 })
    assert.deepEqual(parseValues(text, 'fordra_job_oldest_waiting_seconds'), { '': 0 })
    assert.deepEqual(parseValues(text, 'fordra_webhook_deliveries_waiting'), { '': 0 })
    assert.deepEqual(parseValues(text, 'fordra_webhooks_paused'), { '': 0 })
    const none = { email: 0, sms: 0, letter: 0 }
    assert.deepEqual(parseValues(text, 'fordra_messages_unsent'), none)
    assert.deepEqual(parseValues(text, 'fordra_message_oldest_unsent_seconds'), none)
    assert.deepEqual(parseValues(text, 'fordra_replica_lag_seconds'), {}, 'there is no replica')
  })

  test('count jobs by status, and tell since when the oldest waits', async () => {
    const jobs: [status: string, minutesAgo: number][] = [
      ['waiting', 5],
      ['waiting', 90],
      ['running', 300],
      ['failed', 400],
      ['failed', 500],
      ['failed', 600],
      ['completed', 700],
      ['cancelled', 800],
    ]
    for (const [status, minutesAgo] of jobs) await addJob(status, minutesAgo)
    const text = await readAnew()
    assert.deepEqual(parseValues(text, 'fordra_jobs'), { waiting: 2, running: 1, failed: 3 })
    assertAge(parseValues(text, 'fordra_job_oldest_waiting_seconds')[''], 90 * minute)
  })

  test('count deliveries that wait, and webhooks that are paused but not switched off', async () => {
    const [running, paused, off] = [
      await addWebhook(null),
      await addWebhook('2026-01-01T00:00:00Z'),
      await addWebhook('2026-01-01T00:00:00Z', false),
    ]
    for (const webhook of [running, running, paused, off]) await addDelivery(webhook, 'waiting')
    await addDelivery(running, 'delivered')
    await addDelivery(paused, 'failed')
    const text = await readAnew()
    assert.deepEqual(parseValues(text, 'fordra_webhook_deliveries_waiting'), { '': 4 })
    assert.deepEqual(parseValues(text, 'fordra_webhooks_paused'), { '': 1 })
  })

  test('tell when the last restore drill succeeded, and nothing before the first', async () => {
    const addDrill = (status: string, minutesAgo: number) => api.sql`
      insert into job_run (id, kind, name, payload, attempts_max, status, ended_at)
      values (${makeId()}, 'command', 'restore-drill', '{}', 1, ${status}, now() - ${minutesAgo} * interval '1 minute')`
    await addDrill('failed', 5)
    assert.deepEqual(parseValues(await readAnew(), 'fordra_restore_drill_age_seconds'), {})
    await addDrill('completed', 50)
    await addDrill('completed', 30)
    assertAge(parseValues(await readAnew(), 'fordra_restore_drill_age_seconds')[''], 30 * minute)
    await api.sql`delete from job_run where name = 'restore-drill'`
  })

  test('count messages that are neither sent nor expired by channel, with the age of the oldest', async () => {
    await addMessage('email', 20)
    await addMessage('email', 40)
    await addMessage('email', 80, { sent: true })
    await addMessage('sms', 120, { expired: true })
    const text = await readAnew()
    assert.deepEqual(parseValues(text, 'fordra_messages_unsent'), { email: 2, sms: 0, letter: 0 })
    const ages = parseValues(text, 'fordra_message_oldest_unsent_seconds')
    assertAge(ages['email'], 40 * minute)
    assert.deepEqual([ages['sms'], ages['letter']], [0, 0])
  })

  test('are left out while the database is away, which fails no scrape, and come back with it', async (t) => {
    const bridge = new Bridge(api.databaseUrl)
    await bridge.open()
    const node = await api.startNode({ FORDRA_METRICS_TOKEN: token }, bridge.url)
    t.after(async () => {
      await node.close()
      bridge.cut()
    })
    bridge.cut()
    const text = await scrape(node)
    assert.match(text, /^fordra_requests_in_flight \d+$/m)
    assert.doesNotMatch(text, /^fordra_(jobs?(?!_queue)|webhooks?|messages?|replica)_?\S* [\d.]+$/m)
    await bridge.open()
    while (parseValues(await scrape(node), 'fordra_jobs')['waiting'] === undefined) await sleep(100)
  })
})

describe('what is kept for a while', () => {
  test('is read once by all who ask meanwhile, and anew after that', async () => {
    let [now, reads] = [0, 0]
    const ask = keepFor(
      5_000,
      async () => ++reads,
      () => now,
    )
    assert.deepEqual(await Promise.all([ask(), ask(), ask()]), [1, 1, 1])
    now = 4_999
    assert.equal(await ask(), 1)
    now = 5_000
    assert.deepEqual(await Promise.all([ask(), ask()]), [2, 2])
  })

  test('is undefined where reading failed, and is not asked for more often then', async () => {
    let [now, reads] = [0, 0]
    const read = async () => {
      if (++reads === 1) throw new Error('away')
      return reads
    }
    const ask = keepFor(5_000, read, () => now)
    assert.deepEqual([await ask(), await ask(), reads], [undefined, undefined, 1])
    now = 5_000
    assert.equal(await ask(), 2)
  })

  test('is undefined where reading takes long, and is not begun once more meanwhile', async () => {
    let [now, reads] = [0, 0]
    const { promise, resolve } = Promise.withResolvers<number>()
    const read = () => (++reads === 1 ? promise : Promise.resolve(reads))
    const ask = keepFor(5_000, read, () => now)
    // The process would else have nothing to wait for.
    const hold = setInterval(() => {}, 1_000)
    assert.equal(await ask(), undefined)
    clearInterval(hold)
    now = 60_000
    assert.deepEqual([await ask(), reads], [undefined, 1])
    resolve(1)
    await sleep(0)
    assert.equal(await ask(), 2)
  })
})
