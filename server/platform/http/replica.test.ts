/**
 * Reads on a real streaming replica: slightly old if the caller allows it, but never older than the caller's own
 * writes.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { operations } from '../../../contract/api.ts'
import type { Operation } from '../../../contract/platform/operation.ts'
import { openDatabase, withDatabaseName, type Database } from '../database/database.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { Bridge } from '../../testing/servers/bridge.ts'
import { assertProblem } from '../../testing/problem.ts'
import { startReplicatedServer, type ReplicatedServer } from '../../testing/servers/replicated-server.ts'
import { testServerVariable } from '../../testing/test-server.ts'
import { parseMaxStale } from './replica.ts'

let servers: ReplicatedServer
let api: TestApi
let nodes: TestApi[]
let replica: Database
const former = process.env[testServerVariable]

before(async () => {
  servers = await startReplicatedServer()
  process.env[testServerVariable] = servers.primary.url
  api = await startApi()
  const url = withDatabaseName(servers.replica.url, new URL(api.databaseUrl).pathname.slice(1))
  replica = openDatabase(url, { max: 1 })
  await caughtUp()
  nodes = [await api.startNode({}, undefined, url), await api.startNode({}, undefined, url)]
})
after(async () => {
  for (const node of nodes) await node.close()
  await replica.end()
  await api.close()
  await servers.replica.stop()
  await servers.stop()
  if (former === undefined) delete process.env[testServerVariable]
  else process.env[testServerVariable] = former
})

/** Waits until the replica has replayed everything from the primary. */
async function caughtUp(): Promise<void> {
  const [here] = await api.sql<{ position: string }[]>`select pg_current_wal_insert_lsn()::text as position`
  for (;;) {
    const found = await replica<{ there: boolean }[]>`
      select pg_last_wal_replay_lsn() >= ${here!.position}::pg_lsn as there`.catch(() => [])
    if (found[0]?.there) return
    await sleep(20)
  }
}

const pause = () => replica`select pg_wal_replay_pause()`
const resume = async () => {
  await replica`select pg_wal_replay_resume()`
  await caughtUp()
}

const readTotal = async (node: TestApi, cacheControl: string | null, token = node.token) => {
  const { status, body } = await node.call<{ total: number }>('GET', '/debtors', {
    token,
    ...(cacheControl !== null && { headers: { 'cache-control': cacheControl } }),
  })
  assert.equal(status, 200)
  return body.total
}
const create = async (node: TestApi, token = node.token, headers = {}) => {
  const made = await node.call('POST', '/debtors', { token, body: { lastname: 'Copied' }, headers })
  assert.equal(made.status, 201)
}

test('the replica serves readers who allow it, the primary all others; writers see their own writes', async () => {
  const [one, other] = nodes as [TestApi, TestApi]
  const reader = await api.signIn(3)
  const start = await readTotal(one, null)
  assert.equal(await readTotal(one, 'max-stale', reader), start)
  await caughtUp()
  await pause()
  await create(one)
  assert.equal(await readTotal(one, 'max-stale', reader), start, 'the replica has not replayed the write')
  assert.equal(await readTotal(one, 'no-cache, max-stale=3600', reader), start)
  assert.equal(
    await readTotal(one, null, reader),
    start + 1,
    'who does not allow it is answered by the primary',
  )
  assert.equal(await readTotal(one, 'max-stale=0', reader), start + 1, 'it is older than nothing')
  assert.equal(await readTotal(one, 'max-stale'), start + 1, 'the writer sees it')
  assert.equal(await readTotal(other, 'max-stale'), start + 1, 'on another node too')
  await create(other, reader, { 'idempotency-key': 'by-the-reader' })
  assert.equal(await readTotal(one, 'max-stale', reader), start + 2, 'so does one who wrote with a key')
  await resume()
  assert.equal(await readTotal(one, 'max-stale', reader), start + 2)
})

test('all statements of an answer see one moment, also while the replica goes on', async () => {
  const [node] = nodes as [TestApi]
  const reader = randomUUID()
  await caughtUp()
  const counts = await node.app.service.replica!.read(
    { callerId: reader, staleSeconds: 3600 },
    async (db) => {
      const count = async () =>
        (
          await db<{ count: number; standby: boolean }[]>`
        select count(*)::int as count, pg_is_in_recovery() as standby from debtor`
        )[0]!
      const first = await count()
      await create(node)
      await caughtUp()
      return [first, await count()]
    },
  )
  assert.equal(counts[0]!.standby, true)
  assert.deepEqual(counts[0], counts[1])
})

test('a writer sees the own write on another node, also when its place was stored at the second try only', async (t) => {
  const [one, other] = nodes as [TestApi, TestApi]
  const writer = await api.signIn(3)
  const start = await readTotal(other, 'max-stale', writer)
  // A trigger's effects are undone with the failed statement, but not those of a sequence.
  await api.sql.unsafe(`
    create sequence fordra_replica.tries;
    create function fordra_replica.fail_first() returns trigger language plpgsql as $$ begin
      if nextval('fordra_replica.tries') = 1 then raise sqlstate '57014'; end if;
      return new;
    end $$;
    create trigger fail_first before insert or update on fordra_replica.caller_write
      for each row execute function fordra_replica.fail_first()`)
  t.after(() =>
    api.sql.unsafe(`
      drop function fordra_replica.fail_first cascade;
      drop sequence fordra_replica.tries`),
  )
  await caughtUp()
  await pause()
  try {
    await create(one, writer)
    assert.equal(await readTotal(other, 'max-stale', writer), start + 1)
    assert.equal(await readTotal(one, 'max-stale', writer), start + 1)
  } finally {
    await resume()
  }
})

const make = async (form: string, body: object) => {
  const made = await api.call<Record<string, string>>('POST', `/system/forms/${form}`, { body })
  assert.equal(made.status, 201, made.text)
  return made.body
}
/** The number of cases in the report `portfolio`. */
async function reported(node: TestApi, token: string, headers: Record<string, string> = {}) {
  const { body } = await node.call<{ rows: { cases: number }[] }>('GET', '/reports/portfolio', {
    token,
    headers,
  })
  return body.rows.reduce((sum, { cases }) => sum + cases, 0)
}

test('reports are read on the replica by default, unless the latest is requested', async () => {
  const [node] = nodes as [TestApi]
  const client = await make('client/create', {
    name: 'Copied AB',
    partyReferenceCode: 'COPIED',
    countryCode: 'SE',
    currencyCode: 'SEK',
  })
  const debtor = await make('debtor/create', { lastname: 'Copied' })
  const reader = await api.signIn(3)
  assert.equal(await reported(node, reader), 0)
  await caughtUp()
  await pause()
  const { clientGuid, debtorGuid } = { ...client, ...debtor }
  await make('case/register', { clientGuid, debtorGuid, currencyCode: 'SEK', principal: 100 })
  assert.equal(await reported(node, reader), 0, 'the replica has not replayed the case')
  assert.equal(await reported(node, reader, { 'cache-control': 'no-cache' }), 1)
  await resume()
  assert.equal(await reported(node, reader), 1)
})

/** All reads with an address of their own. */
const reads = operations.filter(
  ({ method, path, access, eventStream }: Operation) =>
    method === 'GET' && !path.includes(':') && access !== 'public' && eventStream !== true,
)

test('reads on the replica give the same answers as on the primary, errors included', async () => {
  await caughtUp()
  const [node] = nodes as [TestApi]
  const headers = { 'cache-control': 'max-stale' }
  assert.ok(reads.length > 30)
  for (const { path } of reads) {
    const [there, here] = [await node.call('GET', path, { headers }), await node.call('GET', path)]
    assert.equal(there.status, here.status, `${path}: ${there.text}`)
    assert.ok(there.status < 500, path)
  }
  const unknown = '/debtors/0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70'
  assert.equal((await node.call('GET', unknown, { headers })).status, 404)
  const list = await node.call<{ total: number; value: object[] }>('GET', '/debtors', { headers })
  assert.deepEqual(list.body, (await node.call('GET', '/debtors')).body)
})

test('readers do not notice when a replica goes down and comes back', async () => {
  const [node] = nodes as [TestApi]
  const reader = await api.signIn(3)
  const total = await readTotal(node, 'max-stale', reader)
  await servers.replica.stop()
  for (let tries = 0; tries < 3; tries++) assert.equal(await readTotal(node, 'max-stale', reader), total)
  await create(node)
  assert.equal(await readTotal(node, 'max-stale', reader), total + 1)
  servers.replica = await servers.startReplica()
  await caughtUp()
  assert.equal(await readTotal(node, 'max-stale', reader), total + 1)
})

/** As reported by a node that has not asked yet. */
const readLag = async () => {
  const settings = { FORDRA_METRICS_TOKEN: 'token-of-the-scraper' }
  const url = withDatabaseName(servers.replica.url, new URL(api.databaseUrl).pathname.slice(1))
  const node = await api.startNode(settings, undefined, url)
  const headers = { authorization: `Bearer ${settings.FORDRA_METRICS_TOKEN}` }
  const text = await (await fetch(`${node.address}/metrics`, { headers })).text()
  await node.close()
  assert.match(text, /^fordra_webhooks_paused 0$/m)
  const [, seconds] = /^fordra_replica_lag_seconds (\S+)$/m.exec(text) ?? []
  return seconds === undefined ? undefined : Number(seconds)
}

test("the replica's lag is reported: zero when it has everything, and nothing while it is down", async () => {
  const known = nodes[0]!.app.service.replica!
  while ((await known.findLag()) !== 0) await sleep(20)
  await pause()
  await create(nodes[0]!)
  const lag = await readLag()
  assert.ok(lag !== undefined && lag > 0, String(lag))
  await resume()
  while ((await readLag()) !== 0) await sleep(20)
  await servers.replica.stop()
  assert.equal(await readLag(), undefined)
  servers.replica = await servers.startReplica()
  await caughtUp()
})

/** Uses a filtered list, which has its own connections; retries while these are reopened. */
async function countMisled(node: TestApi): Promise<number> {
  const path = "/debtors?$filter=startswith(fullName,'Misled')&$orderby=fullName"
  for (;;) {
    const { status, body } = await node.call<{ total: number }>('GET', path)
    if (status === 200) return body.total
    assert.equal(status, 503)
    await sleep(50)
  }
}

/** Asks for readiness until the node answers with the status; returns that answer. */
async function untilReady({ address }: TestApi, status: number, said: RegExp): Promise<string> {
  for (;;) {
    const answer = await fetch(`${address}/health/ready`)
    const text = await answer.text()
    if (answer.status === status && said.test(text)) return text
    await sleep(50)
  }
}

test('while the address leads to a replica, writes are refused with Retry-After, then accepted again', async (t) => {
  const bridge = new Bridge(api.databaseUrl)
  await bridge.open()
  const node = await api.startNode({}, bridge.url)
  t.after(async () => {
    await node.close()
    bridge.cut()
  })
  await create(node)
  const listed = () => node.call('GET', "/debtors?$filter=startswith(fullName,'Cop')")
  await listed()
  bridge.cut()
  bridge.leadTo(servers.replica.url)
  await bridge.open()
  assert.match(await untilReady(node, 503, /standby/), /lead to the primary/)
  // The standby has a list to read too; no write was refused yet.
  while ((await listed()).status !== 200) await sleep(50)
  // With a key, each write is a transaction on a connection of its own; without, they would be batched on one.
  const write = () => {
    const headers = { 'idempotency-key': randomUUID() }
    return node.call('POST', '/debtors', { body: { lastname: 'Misled' }, headers })
  }
  const refusals = await Promise.all(Array.from({ length: 20 }, write))
  // Some found their connection closed, the others were on a replica.
  for (const refused of refusals) {
    assertProblem(refused, 'overloaded', /Try again/)
    assert.equal(refused.headers.get('retry-after'), '2')
  }
  bridge.leadTo(api.databaseUrl)
  await untilReady(node, 200, /ready/)
  while ((await listed()).status !== 200) await sleep(50)
  await pause()
  // Twenty at once, so that each connection of the pool was reopened.
  const untilMade = async () => {
    for (let answer = await write(); answer.status !== 201; answer = await write()) {
      assert.equal(answer.status, 503)
      await sleep(50)
    }
  }
  await Promise.all(Array.from({ length: 20 }, untilMade))
  const writes = await Promise.all(Array.from({ length: 20 }, write))
  assert.deepEqual([...new Set(writes.map(({ status }) => status))], [201])
  assert.ok((await countMisled(api)) >= 40)
  // List connections that returned to the standby meanwhile are closed soon.
  for (let tries = 0; tries < 200 && (await countMisled(node)) < 40; tries++) await sleep(50)
  assert.equal(
    await countMisled(node),
    await countMisled(api),
    'filtered lists are read on the primary again',
  )
  await resume()
})

test('max-stale is parsed as RFC 9111 defines it', () => {
  const cases: [header: string | undefined, seconds: number | undefined][] = [
    [undefined, undefined],
    ['no-cache', undefined],
    ['max-stale=10', 10],
    ['no-transform, Max-Stale="60"', 60],
    ['max-stale', Number.MAX_SAFE_INTEGER],
    ['max-stale=-1', undefined],
    ['max-stale=x', undefined],
    ['x-max-stale=5', undefined],
  ]
  for (const [header, seconds] of cases) assert.equal(parseMaxStale(header), seconds, header)
})
