import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startApi, type TestApi } from '../../testing/api.ts'

let api: TestApi
let node: TestApi
before(async () => {
  api = await startApi({ FORDRA_LOG_LEVEL: '0' })
  node = await api.startNode({ FORDRA_LOG_LEVEL: '0' })
})
after(async () => {
  await node.close()
  await api.close()
})

const set = (logLevel: unknown) => api.call('PUT', '/system/loglevel', { body: { logLevel } })
const readLevel = (one: TestApi) => one.app.http.log.level
const follows = async (one: TestApi, level: string) => {
  while (readLevel(one) !== level) await sleep(10)
}

const levels: [level: number | null, name: string][] = [
  [1, 'info'],
  [2, 'debug'],
  [5, 'debug'],
  [6, 'trace'],
  [10, 'trace'],
  [0, 'error'],
  [null, 'info'],
]
for (const [level, name] of levels) {
  test(`S12: ${level} is ${name}, on every node`, async () => {
    const answer = await set(level)
    assert.equal(answer.status, 200)
    assert.equal(readLevel(api), name)
    await follows(node, name)
  })
}

test('S12 is stored: a node that starts later has the level, whatever its settings say', async () => {
  await set(7)
  const later = await api.startNode({ FORDRA_LOG_LEVEL: '0' })
  await follows(later, 'trace')
  await later.close()
})

test('S12 is audited with the level before', async () => {
  await set(3)
  await set(4)
  const [entry] =
    await api.sql`select changes from audit_entry where operation = 'S12' order by position desc limit 1`
  assert.deepEqual(entry!['changes'], { logLevel: [3, 4] })
})

for (const level of [-1, 11, 1.5, '1', true]) {
  test(`S12 refuses ${JSON.stringify(level)}`, async () => {
    const answer = await api.call<{ errors: Record<string, string[]> }>('PUT', '/system/loglevel', {
      body: { logLevel: level },
    })
    assert.equal(answer.status, 400)
    assert.ok(answer.body.errors['logLevel'])
  })
}

test('S12 needs an administrator', async () => {
  const token = await api.signIn(3)
  assert.equal((await api.call('PUT', '/system/loglevel', { token, body: { logLevel: 1 } })).status, 403)
})
