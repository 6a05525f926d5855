/** Waiting for events takes a slot: how many there are, what happens beyond them, and when they are released. */
import assert from 'node:assert/strict'
import { get, type ClientRequest, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { after, afterEach, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startApi, type TestApi } from '../../testing/api.ts'
import { openWaitSlots } from '../../platform/http/wait-slots.ts'

const slotsPerCaller = 16
const slotsPerNode = 64

let api: TestApi
/** A position after every event. */
const nothingYet = 1_000_000_000
const opened: ClientRequest[] = []
before(async () => {
  api = await startApi()
})
afterEach(() => {
  for (const one of opened.splice(0)) one.destroy()
})
after(() => api.close())

/** A request on a connection of its own. Rejects when the connection closes before the response. */
function ask(token: string, query: string, accept = 'application/json') {
  const headers = { authorization: `Bearer ${token}`, accept }
  const request = get(`${api.address}/api/v1/events?after=${nothingYet}${query}`, { agent: false, headers })
  opened.push(request)
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    request.on('error', reject)
    request.on('response', resolve)
  })
  return { answer, close: () => void request.destroy() }
}

const askStatus = async (token: string, query: string) => (await ask(token, query).answer).statusCode

async function openStream(token: string) {
  const { answer, close } = ask(token, '', 'text/event-stream')
  const response = await answer
  return { response, status: response.statusCode, close }
}

async function fill(token: string) {
  const streams = await Promise.all(Array.from({ length: slotsPerCaller }, () => openStream(token)))
  assert.deepEqual(new Set(streams.map(({ status }) => status)), new Set([200]))
  return streams
}

async function assertFull(response: IncomingMessage): Promise<void> {
  assert.equal(response.statusCode, 503)
  assert.match(response.headers['content-type']!, /^application\/problem\+json/)
  assert.ok(Number(response.headers['retry-after']) >= 1)
  assert.equal((JSON.parse(await text(response)) as { code: string }).code, 'overloaded')
}

test('a caller beyond their share of slots gets 503 with Retry-After, by stream or long poll; others do not', async () => {
  const [one, other] = [await api.signIn(2), await api.signIn(2)]
  await fill(one)
  await assertFull((await openStream(one)).response)
  await assertFull(await ask(one, '&wait=5').answer)
  assert.equal(await askStatus(one, ''), 200, 'without waiting')
  assert.equal((await openStream(other)).status, 200)
})

test('a long poll that finds events at once needs no slot', async () => {
  const token = await api.signIn(2)
  await fill(token)
  // Transactions elsewhere in the cluster hold up what was written after they began.
  while ((await api.call<{ value: object[] }>('GET', '/events?after=0', { token })).body.value.length === 0)
    await sleep(20)
  const { status, body } = await api.call<{ value: object[] }>('GET', '/events?after=0&wait=30', { token })
  assert.equal(status, 200)
  assert.ok(body.value.length > 0)
})

test('beyond the slots of a node everybody gets 503', async () => {
  for (let taken = 0; taken < slotsPerNode; taken += slotsPerCaller) await fill(await api.signIn(2))
  const late = await api.signIn(2)
  await assertFull((await openStream(late)).response)
  await assertFull(await ask(late, '&wait=5').answer)
})

test('a stream that its client closes releases its slot before anything more is sent', async () => {
  const token = await api.signIn(2)
  const [first, second] = await fill(token)
  let beats = 0
  second!.response.on('data', (chunk: Buffer) => {
    if (!chunk.toString().startsWith('retry:')) beats++
  })
  first!.close()
  while ((await openStream(token)).status !== 200) await sleep(20)
  assert.equal(beats, 0)
})

test('a long poll that its client closes releases its slot before another one is answered', async () => {
  const token = await api.signIn(2)
  const answered: unknown[] = []
  const polls = [1, 2].map(() => {
    const { answer, close } = ask(token, '&wait=30')
    const ended = answer.then(
      ({ statusCode }) => void answered.push(statusCode),
      () => {},
    )
    return { ended, close }
  })
  // This request is answered once the others wait. Then two streams fewer have a slot.
  assert.equal(await askStatus(token, '&wait=1'), 200)
  let streams = 0
  while ((await openStream(token)).status === 200) streams++
  assert.equal(streams, slotsPerCaller - polls.length)
  polls[0]!.close()
  while ((await openStream(token)).status !== 200) await sleep(20)
  assert.deepEqual(answered, [])
  polls[1]!.close()
  await Promise.all(polls.map(({ ended }) => ended))
})

test('a long poll that is answered releases its slot', async () => {
  const token = await api.signIn(2)
  const [first] = await fill(token)
  first!.close()
  // The server notices the closed stream a moment later.
  while ((await askStatus(token, '&wait=1')) !== 200) await sleep(20)
  assert.equal(await askStatus(token, '&wait=1'), 200)
  assert.equal((await openStream(token)).status, 200)
})

test('a slot is released once, however often release is called', () => {
  const own = openWaitSlots(2, 1)
  const first = own.take('a')
  assert.throws(() => own.take('a'), { kind: 'overloaded' })
  own.take('b')
  assert.throws(() => own.take('c'), { kind: 'overloaded' })
  first.leave()
  first.leave()
  assert.ok(first.left.aborted)
  own.take('c')
  assert.throws(() => own.take('a'), { kind: 'overloaded' })
})
