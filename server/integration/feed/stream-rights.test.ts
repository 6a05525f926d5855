/** A request that waits for events ends or changes with its caller's rights, on every node (contract section 5). */
import assert from 'node:assert/strict'
import { get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Tokens } from '../../../contract/access/sessions.ts'
import type { User } from '../../../contract/access/users.ts'
import { startApi, type TestApi } from '../../testing/api.ts'

let api: TestApi
let other: TestApi
before(async () => {
  api = await startApi()
  other = await api.startNode()
  await api.addParty('KLIENT')
  strangerId = await api.addParty('ANNAN')
})
after(async () => {
  await other.close()
  await api.close()
})

const password = 'en lång mening som är min'
/** Much longer than the promised second, and much shorter than a stream lasts. */
const patienceMs = 15_000
const nothingYet = 1_000_000_000
let strangerId = ''
let users = 0

interface SignedInUser {
  userGuid: string
  token: string
}

async function signInUser(userRole = 3): Promise<SignedInUser> {
  const login = `flow${++users}@agency.example`
  const body = { partyReferenceCode: 'AGENCY', email: login, password, fullName: 'Ström', userRole }
  const made = await api.call<User>('POST', '/users', { body })
  assert.equal(made.status, 201, made.text)
  const signedIn = await api.call<Tokens>('POST', '/auth/login', { body: { login, password }, token: null })
  return { userGuid: made.body.uniqueId, token: signedIn.body.accessToken }
}

const ask = (token: string, query: string, accept: string) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, accept }
    const request = get(`${other.address}/api/v1/events?${query}`, { agent: false, headers }, resolve)
    request.on('error', reject)
  })

const change = ({ userGuid }: SignedInUser, body: object) =>
  api.call('PUT', `/users/${userGuid}`, { body: { password: null, ...body } })

const ends: [what: string, end: (user: SignedInUser) => Promise<{ status: number }>][] = [
  ['a logout', ({ token }) => api.call('POST', '/auth/logout', { token })],
  ['a disabled user', (user) => change(user, { disabled: true })],
  ['a changed password', (user) => change(user, { password: `${password} nu` })],
]
for (const [what, end] of ends) {
  test(`${what} ends an open stream and a long poll on another node`, async () => {
    const user = await signInUser()
    const stream = await ask(user.token, `after=${nothingYet}`, 'text/event-stream')
    const poll = ask(user.token, `after=${nothingYet}&wait=30`, 'application/json')
    const ended = text(stream)
    // Both wait by now, with the rights that they began with.
    await sleep(700)
    assert.equal((await end(user)).status, 200)
    const answers = Promise.all([ended, poll.then(({ statusCode }) => statusCode)])
    const outcome = await Promise.race([answers, sleep(patienceMs, 'still open', { ref: false })])
    assert.ok(Array.isArray(outcome), `the stream or the poll is still open after ${patienceMs} ms`)
    assert.equal(outcome[1], 401)
  })
}

async function create(token: string): Promise<string> {
  const body = { lastname: 'Ek' }
  const made = await api.call<{ debtorGuid: string }>('POST', '/debtors', { body, token })
  assert.equal(made.status, 201, made.text)
  return made.body.debtorGuid
}

/** Makes an event of the user, which role 2 sees and role 3 does not. Returns the event's GUID. */
async function touchUser({ userGuid }: SignedInUser): Promise<string> {
  const { status } = await change({ userGuid, token: '' }, { department: `d${++users}` })
  assert.equal(status, 200)
  const [event] = await api.sql<{ id: string }[]>`
    select id from event where subject = ${userGuid} order by position desc limit 1`
  return event!.id
}

const restricted = { clientRestriction: [{ partyReferenceCode: 'KLIENT', includeSubParties: true }] }
const changes: [what: string, change: object, makeHidden: (user: SignedInUser) => Promise<string>][] = [
  ['restriction', restricted, async () => create(await api.signIn(3, strangerId))],
  ['role', { userRole: 3 }, touchUser],
]
for (const [what, body, makeHidden] of changes) {
  test(`a new ${what} changes an open stream on another node`, async () => {
    const user = await signInUser(2)
    const stream = await ask(user.token, 'after=0', 'text/event-stream')
    stream.setEncoding('utf8')
    let received = ''
    stream.on('data', (chunk: string) => (received += chunk))
    const until = async (guid: string) => {
      const from = performance.now()
      while (!received.includes(guid)) {
        assert.ok(performance.now() - from < patienceMs, 'the stream does not show it')
        await sleep(50)
      }
    }
    await until(await makeHidden(user))
    assert.equal((await change(user, body)).status, 200)
    const began = performance.now()
    for (;;) {
      const hidden = await makeHidden(user)
      await until(await create(api.token))
      if (!received.includes(hidden)) break
      assert.ok(performance.now() - began < patienceMs, 'the stream shows what the user may not see any more')
    }
    stream.destroy()
  })
}
