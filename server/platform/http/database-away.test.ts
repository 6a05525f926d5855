/** The database is down for a while: requests are refused, and the same process serves them again afterwards. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { startApi, type TestApi } from '../../testing/api.ts'
import { Bridge } from '../../testing/servers/bridge.ts'
import { assertProblem } from '../../testing/problem.ts'

let api: TestApi
let bridge: Bridge
let node: TestApi
before(async () => {
  api = await startApi()
  bridge = new Bridge(api.databaseUrl)
  await bridge.open()
  node = await api.startNode({}, bridge.url)
})
after(async () => {
  bridge.cut()
  await node.close()
  await api.close()
})

const ready = async () => (await fetch(`${node.address}/health/ready`)).status
/** The answer of the readiness check. */
const reason = async () => (await fetch(`${node.address}/health/ready`)).text()
const create = (key?: string) =>
  node.call('POST', '/debtors', {
    body: { lastname: 'Away' },
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  })

for (const round of [1, 2]) {
  test(`the database is down and up again, round ${round}`, async () => {
    assert.equal(await ready(), 200)
    assert.equal((await create(`before ${round}`.replace(' ', '-'))).status, 201)
    bridge.cut()
    const answers = await Promise.all([
      node.call('GET', '/debtors'),
      create(),
      create(`away-${round}`),
      node.call('POST', '/auth/login', { token: null, body: { login: 'a', password: 'b' } }),
    ])
    for (const answer of answers) {
      assertProblem(answer, 'overloaded', /did not answer in time\. Try again/)
      assert.equal(answer.headers.get('retry-after'), '2')
    }
    const refused = await fetch(`${node.address}/health/ready`)
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '2'])
    assert.equal((await fetch(`${node.address}/health/live`)).status, 200)
    assert.equal((await fetch(`${node.address}/problems/overloaded`)).status, 200)
    await bridge.open()
    while ((await ready()) !== 200) await wait(50)
    assert.equal((await create(`away-${round}`)).status, 201)
    assert.equal((await node.call('GET', '/debtors')).status, 200)
  })
}

test('a node with a read-only database is not ready until it accepts writes again, and then serves requests', async () => {
  const name = new URL(api.databaseUrl).pathname.slice(1)
  // New connections have the setting from their start.
  await api.sql.unsafe(`alter database "${name}" set default_transaction_read_only = true`)
  bridge.cut()
  await bridge.open()
  // The existing connections are first found to be closed.
  while (!/read-only/.test(await reason())) await wait(50)
  assert.equal(await ready(), 503)
  assertProblem(await create(), 'overloaded', /Try again/)
  await api.sql.unsafe(`alter database "${name}" reset default_transaction_read_only`)
  while ((await ready()) !== 200) await wait(50)
  while ((await create()).status !== 201) await wait(50)
})

test('a failure during many writes: each was made or refused, and the service keeps running', async () => {
  const rows = async () =>
    (await api.sql<{ n: number }[]>`select count(*)::int as n from debtor where lastname = 'Away'`)[0]!.n
  const madeBefore = await rows()
  const writes = Array.from({ length: 100 }, (_, number) =>
    create(number % 2 === 0 ? `many-${number}` : undefined),
  )
  await Promise.any(writes)
  bridge.cut()
  const statuses = (await Promise.all(writes)).map(({ status }) => status)
  assert.ok(
    statuses.every((status) => status === 201 || status === 503),
    statuses.join(),
  )
  await bridge.open()
  while ((await ready()) !== 200) await wait(50)
  const made = (await rows()) - madeBefore
  const told = statuses.filter((status) => status === 201).length
  assert.ok(made >= told, `${told} told, ${made} made`)
  // The idempotency key settles the requests without an answer.
  for (let number = 0; number < 100; number += 2) assert.equal((await create(`many-${number}`)).status, 201)
  const [row] = await api.sql<{ keyed: number }[]>`
    select count(*)::int as keyed from idempotency_key where key like 'many-%' and status = 201`
  assert.equal(row!.keyed, 50)
})
