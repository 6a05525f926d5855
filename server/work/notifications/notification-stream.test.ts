/** The stream that says when a user's notifications change: what it says, to whom, and when it ends. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'

let api: TestApi
let handler: Person
let colleague: Person

before(async () => {
  api = await startApi()
  handler = await addPerson()
  colleague = await addPerson()
})
after(() => api.close())

interface Person {
  token: string
  userGuid: string
}

async function addPerson(): Promise<Person> {
  const token = await api.signIn(3)
  const { body } = await api.call<{ uniqueId: string }>('GET', '/users/current', { token })
  return { token, userGuid: body.uniqueId }
}

const path = '/users/current/notifications/stream'

/** Follows until the test ends it. `next` is the next event with a name; undefined once the stream has ended. */
async function follow(token: string) {
  const ended = new AbortController()
  const answer = await fetch(`${api.address}/api/v1${path}`, {
    headers: { accept: 'text/event-stream', authorization: `Bearer ${token}` },
    signal: ended.signal,
  })
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const next = async (): Promise<string | undefined> => {
    for (;;) {
      const found = /^(?:[^]*?\n\n)??event: (\w+)\ndata: (.*)\n\n/.exec(text)
      if (found) {
        text = text.slice(found[0].length)
        return `${found[1]} ${found[2]}`
      }
      const { value, done } = await reader.read()
      if (done) return undefined
      text += value
    }
  }
  return { status: answer.status, type: answer.headers.get('content-type'), next, end: () => ended.abort() }
}

const tell = (person: Person, key: string) => api.sql`
  insert into notification (user_id, kind, merge_key) values (${person.userGuid}, 'MENTION', ${key})`

test('a change of the own notifications is told, without what it is (followNotifications)', async () => {
  const stream = await follow(handler.token)
  assert.deepEqual([stream.status, stream.type], [200, 'text/event-stream; charset=utf-8'])
  await tell(colleague, 'not mine')
  await tell(handler, 'mine')
  assert.equal(await stream.next(), 'changed {}')
  await api.call('POST', '/users/current/notifications/read', { body: {}, token: handler.token })
  assert.equal(await stream.next(), 'changed {}')
  stream.end()
  const { body } = await api.call<{ unread: number }>('GET', path, { token: handler.token })
  assert.equal(body.unread, 0)
})

test('the stream of another user hears nothing of it', async () => {
  const stream = await follow(colleague.token)
  await tell(handler, 'still mine')
  const first = stream.next()
  await tell(colleague, 'now mine')
  assert.equal(await first, 'changed {}')
  const second = await Promise.race([
    stream.next(),
    new Promise((resolve) => setTimeout(resolve, 2500, 'nothing')),
  ])
  assert.equal(second, 'nothing')
  stream.end()
})

test('it ends with its session, and a stranger gets none', async () => {
  const token = await api.signIn(3)
  const stream = await follow(token)
  const { status } = await api.call('POST', '/auth/logout', { token, body: {} })
  assert.equal(status, 200)
  assert.equal(await stream.next(), undefined)
  assertProblem(await api.call('GET', path, { token: 'wrong' }), 'unauthenticated', /token/i)
})

test('a user follows with eight browsers at most, and a place that is left is free again', async () => {
  const token = await api.signIn(3)
  const streams = await Promise.all(Array.from({ length: 8 }, () => follow(token)))
  assert.deepEqual(new Set(streams.map(({ status }) => status)), new Set([200]))
  const ninth = await follow(token)
  assert.equal(ninth.status, 503)
  streams[0]!.end()
  let again = await follow(token)
  while (again.status === 503) again = await follow(token)
  assert.equal(again.status, 200)
  for (const stream of [...streams, again]) stream.end()
})
