/** What a list reads ends when the client leaves, unless others wait for the same. */
import assert from 'node:assert/strict'
import { get } from 'node:http'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { basePath } from '../../../../contract/api.ts'
import { startApi, type TestApi } from '../../../testing/api.ts'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.close())

/** Statements that wait for a lock on the table of debtors. */
async function countWaiting(): Promise<number> {
  const [row] = await api.sql<{ count: number }[]>`
    select count(*)::int as count from pg_locks l join pg_database d on d.oid = l.database
    where d.datname = current_database() and l.relation = 'debtor'::regclass and not l.granted`
  return row!.count
}
async function untilWaiting(count: number): Promise<void> {
  while ((await countWaiting()) !== count) await sleep(20)
}

/** A list that is filtered by a name, on a connection of its own. */
function ask(name: string) {
  const path = `${basePath}/debtors?$filter=${encodeURIComponent(`startswith(fullName,'${name}')`)}`
  const request = get(`${api.address}${path}`, {
    agent: false,
    headers: { authorization: `Bearer ${api.token}` },
  })
  const status = new Promise<number | undefined>((resolve) => {
    request.on('error', () => resolve(undefined))
    request.on('response', (response) => {
      response.resume()
      resolve(response.statusCode)
    })
  })
  return { status, leave: () => void request.destroy() }
}

/** Holds a lock on the table of debtors while `work` runs. */
const whileLocked = (work: () => Promise<void>) =>
  api.sql.begin(async (tx) => {
    await tx`lock table debtor in access exclusive mode`
    await work()
  })

test('a statement whose client has left is cancelled, and the connection serves the next', async () => {
  await whileLocked(async () => {
    const asked = ['And', 'Ber'].map(ask)
    await untilWaiting(2)
    for (const one of asked) one.leave()
    await untilWaiting(0)
    assert.deepEqual(await Promise.all(asked.map(({ status }) => status)), [undefined, undefined])
  })
  const answers = await Promise.all(['And', 'Ber', 'Car', 'Dan'].map((name) => ask(name).status))
  assert.deepEqual(answers, [200, 200, 200, 200])
})

test('a count goes on for those who still wait for it', async () => {
  let stayed: ReturnType<typeof ask>
  await whileLocked(async () => {
    const first = ask('Eva')
    await untilWaiting(1)
    const left = ask('Eva')
    stayed = ask('Eva')
    await sleep(50)
    first.leave()
    left.leave()
    // The first count ends, and the next begins for the one who stayed.
    await sleep(50)
    await untilWaiting(1)
  })
  assert.equal(await stayed!.status, 200)
})
