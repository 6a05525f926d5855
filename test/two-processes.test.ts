/** Two servers as processes of their own on one database: what is ended at one is ended at the other. */
import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openTestDatabase, type TestDatabase } from '../server/testing/database.ts'
import { childEnvironment } from '../server/testing/programs/child-environment.ts'

const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'fordra-two-'))
const children: ChildProcess[] = []
let database: TestDatabase
let [one, other] = ['', '']
let administrator = ''

const admin = { login: 'admin@agency.example', password: 'a password of the administrator' }
const password = 'en lång mening som är min'

before(async () => {
  database = await openTestDatabase()
  one = await start()
  other = await start()
  administrator = await signIn(one, admin.login, admin.password)
})
after(async () => {
  for (const child of children) {
    if (child.exitCode !== null) continue
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Starts a server and returns its address. */
async function start(): Promise<string> {
  const environment = childEnvironment({
    DATABASE_URL: database.url,
    FORDRA_ADMIN_EMAIL: admin.login,
    FORDRA_ADMIN_PASSWORD: admin.password,
    FORDRA_POOL: '4',
    FORDRA_LOG_LEVEL: '0',
    PORT: '0',
  })
  const program = join(root, 'cli', 'main.ts')
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, 'start'], {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  let text = ''
  child.stdout.on('data', (chunk) => (text += String(chunk)))
  child.stderr.on('data', (chunk) => (text += String(chunk)))
  while (child.exitCode === null) {
    const address = /answers at (http:\S+)/.exec(text)?.[1]
    if (address !== undefined) return address.replace(/\/$/, '')
    await sleep(100)
  }
  return assert.fail(`The server did not start:\n${text}`)
}

interface Answer {
  status: number
  body: Record<string, string>
}
async function call(
  address: string,
  method: string,
  path: string,
  token: string | null,
  body?: object,
): Promise<Answer> {
  const response = await fetch(`${address}/api/v1${path}`, {
    method,
    headers: {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Record<string, string> }
}

async function signIn(address: string, login: string, given = password): Promise<string> {
  const { status, body } = await call(address, 'POST', '/auth/login', null, { login, password: given })
  assert.equal(status, 200)
  return body['accessToken']!
}

let users = 0
async function addUser(): Promise<{ login: string; path: string; token: string }> {
  const login = `user${++users}@agency.example`
  const user = { partyReferenceCode: 'AGENCY', email: login, password, fullName: 'Nod', userRole: 3 }
  const { status, body } = await call(one, 'POST', '/users', administrator, user)
  assert.equal(status, 201)
  return { login, path: `/users/${body['uniqueId']}`, token: await signIn(one, login) }
}

/** Far beyond the second that is promised: a loaded machine must not fail the test, a forgotten case must. */
const patienceMs = 30_000

async function untilCutOff(t: TestContext, ask: () => Promise<number>, expected: number): Promise<void> {
  const began = performance.now()
  for (let status = await ask(); status !== expected; status = await ask()) {
    assert.ok(performance.now() - began < patienceMs, `still answered ${status} after ${patienceMs} ms`)
    await sleep(50)
  }
  t.diagnostic(`cut off after ${Math.round(performance.now() - began)} ms`)
}

type User = Awaited<ReturnType<typeof addUser>>
const change = ({ path }: User, body: object) =>
  call(one, 'PUT', path, administrator, { password: null, ...body })
const cases: [what: string, end: (user: User) => Promise<Answer>, expected: number][] = [
  ['a disabled user', (user) => change(user, { disabled: true }), 401],
  ['a changed password', (user) => change(user, { password: `${password} nu` }), 401],
  ['a logout', ({ token }) => call(one, 'POST', '/auth/logout', token), 401],
  ['a changed role', (user) => change(user, { userRole: 5 }), 403],
]
for (const [what, end, expected] of cases) {
  test(`${what} is cut off in the other process`, async (t) => {
    const user = await addUser()
    // Refused by the guard, or else for its empty body: that is answered before anything is written.
    const ask = async () => (await call(other, 'POST', '/debtors', user.token, {})).status
    assert.equal(await ask(), 400, 'the other process knows the session, and keeps it in mind')
    assert.equal((await end(user)).status, 200)
    await untilCutOff(t, ask, expected)
  })
}

test('both are processes of their own', () => {
  assert.notEqual(one, other)
  assert.equal(new Set(children.map(({ pid }) => pid)).size, 2)
})
