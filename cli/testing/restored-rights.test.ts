/** What a restore brings back of rights that were ended after the backup: with the commands, on real backups. */
import assert from 'node:assert/strict'
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { recordUserStates, type EndedRights } from '../../server/insight/restored/end-restored-rights.ts'
import {
  makeApiUser,
  requestToken,
  type ApiUser,
} from '../../server/integration/assistants/assistant-for-tests.ts'
import { markRestored } from '../../server/platform/backups/restored-mark.ts'
import { userFile } from '../../server/platform/events/anchor-file.ts'
import { openAnchor } from '../../server/platform/events/anchor.ts'
import { startApi, type TestApi } from '../../server/testing/api.ts'
import { openTestDatabase, type TestDatabase } from '../../server/testing/database.ts'
import { startNodeProcess } from '../../server/testing/programs/node-process.ts'
import {
  connect,
  openPerson,
  refresh,
  type Connection,
} from '../../server/testing/records/connected-assistant.ts'
import {
  answerResets,
  challengeFor,
  makeAppUser,
  makeUser,
  secretSentTo,
  sendCode,
  signIn,
  type AppUser,
  type NewUser,
  type SignInBody,
} from '../../server/testing/records/enrolled-user.ts'
import { runHere } from './run-here.ts'

const folder = mkdtempSync(join(tmpdir(), 'fordra-rights-'))
const file = join(folder, 'rights.tar')
const newPassword = 'en ny och mycket lång mening'
let api: TestApi
let user: NewUser
let session: SignInBody
let withApp: AppUser
let program: ApiUser
let programToken: string
let assistant: Connection
let resetToken: string
const open: TestDatabase[] = []

const run = (args: string[], database: string, env: Record<string, string> = {}) =>
  runHere(args, { cwd: folder, env: { DATABASE_URL: database, ...env } })
/** Secrets are encrypted with the settings of the server. */
const settings = { FORDRA_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') }

before(async () => {
  api = await startApi(settings)
  user = await makeUser(api)
  session = (await signIn(api, user.email)).body
  withApp = await makeAppUser(api)
  program = await makeApiUser(api)
  programToken = (await requestToken(api, program)).body.access_token
  assistant = await connect(api, await openPerson(api))
  const forgotten = { body: { login: withApp.email }, token: null }
  assert.equal((await api.call('POST', '/auth/password/forgot', forgotten)).status, 200)
  await answerResets(api)
  resetToken = await secretSentTo(api, withApp.email, /[\w-]{43}/)
  const hook = { url: 'https://hooks.example/secret-path', types: 'debtor.*' }
  const made = await api.call('POST', '/system/forms/webhook/create', { body: hook })
  assert.equal(made.status, 201, made.text)
  const backup = await run(['backup', file, '--quiet'], api.databaseUrl)
  assert.equal(backup.code, 0, backup.err)
})
after(async () => {
  for (const database of open) await database.close()
  await api.close()
  rmSync(folder, { recursive: true })
})

/** The backup in a database of its own. */
async function restore(...options: string[]) {
  const database = await openTestDatabase()
  open.push(database)
  const restored = await run(['restore', file, '--no-anchor', '--quiet', ...options], database.url)
  assert.equal(restored.code, 0, restored.err)
  return { database, out: restored.out, node: await api.startNode(settings, database.url) }
}

const mayRead = async (node: TestApi, token: string) =>
  (await node.call('GET', '/users/current', { token })).status
const refreshed = async (node: TestApi) => {
  const body = { refreshToken: session.refreshToken }
  return (await node.call('POST', '/auth/refresh', { body, token: null })).status
}
const reset = async (node: TestApi) => {
  const body = { token: resetToken, password: newPassword }
  return (await node.call('POST', '/auth/password/reset', { body, token: null })).status
}

describe('after a restore', () => {
  let database: TestDatabase
  let node: TestApi
  let ended: EndedRights
  before(async () => {
    const restored = await restore('--json')
    database = restored.database
    node = restored.node
    ended = (JSON.parse(restored.out) as { ended: EndedRights }).ended
  })
  after(() => node.close())

  test('no session goes on: of people, programs or assistants', async () => {
    for (const token of [session.accessToken, programToken, withApp.token])
      assert.equal(await mayRead(node, token), 401)
    assert.equal(await refreshed(node), 401)
    const { clientId, tokens } = assistant
    assert.equal((await refresh(node, clientId, tokens.refresh_token)).status, 400)
    assert.ok(ended.sessions >= 4, JSON.stringify(ended))
    assert.equal(ended.assistants, 1)
    const entries = await database.sql`
      select from audit_entry where operation = 'restore' and action = 'revoked' and entity = 'session'`
    assert.equal(entries.length, ended.sessions)
  })

  test('a link for a password and a recovery code are of no use, and the message with the link does not leave', async () => {
    assert.equal(await reset(node), 401)
    const challenge = await challengeFor(node, withApp.email)
    assert.equal((await sendCode(node, challenge, withApp.recoveryCodes[0]!)).status, 401)
    assert.deepEqual([ended.links, ended.codes], [1, withApp.recoveryCodes.length])
    const waiting = await database.sql`
      select from message where kind = 'password-reset' and sent_at is null and expires_at > now()`
    assert.equal(waiting.length, 0)
  })

  test('people sign in with their password, and their number is told', async () => {
    assert.equal((await signIn(node, user.email)).status, 200)
    const [row] = await database.sql`
      select count(*)::int as count from app_user where not disabled and not api_user`
    assert.equal(ended.people, row!['count'])
  })

  test('an API user is held until somebody enables it', async () => {
    assert.equal((await requestToken(node, program)).status, 401)
    assert.equal(ended.heldUsers.length, 1)
    const enabled = await run(['user', 'enable', ended.heldUsers[0]!], database.url)
    assert.equal(enabled.code, 0, enabled.err)
    assert.equal((await requestToken(node, program)).status, 200)
  })

  test('a webhook is paused, and its address is not printed', async () => {
    assert.deepEqual(ended.pausedWebhooks, ['hooks.example'])
    const [hook] = await database.sql`select paused_reason as reason from webhook where paused_at is not null`
    assert.match(String(hook!['reason']), /was restored\. Check the address and rotate the secret/)
  })
})

test('the command tells people what it ended and what is left to do', async () => {
  const { out, node } = await restore()
  await node.close()
  assert.match(
    out,
    /Ended what the restore of 20\S+ brought back: \d+ sessions \(1 of assistants\), 1 invitations/,
  )
  assert.match(
    out,
    /API users disabled until you have checked their secrets: assistant\d+@agency\.example\. Then:/,
  )
  assert.match(out, /Webhooks paused until an administrator resumes them: hooks\.example\./)
  assert.match(out, /\d+ people can sign in with the password/)
  assert.doesNotMatch(out, /secret-path/)
})

test('an installation that only moves keeps everything, and is told so', async () => {
  const { out, node } = await restore('--keep-rights')
  assert.match(out, /rights that were ended since work again/)
  assert.equal(await mayRead(node, session.accessToken), 200)
  assert.equal((await requestToken(node, program)).status, 200)
  assert.equal(await reset(node), 200)
  await node.close()
})

test('a start ends what a restore that was cut off left, once, before it answers', async () => {
  const { database, node: before_ } = await restore('--keep-rights')
  await before_.close()
  await markRestored(database.sql, '2026-11-21T13:03:00.000Z')
  const started = await startNodeProcess(database.url, settings)
  const me = await fetch(`${started.address}/api/v1/users/current`, {
    headers: { authorization: `Bearer ${session.accessToken}` },
  })
  assert.equal(me.status, 401)
  await started.end('SIGTERM')
  assert.match(started.output(), /Ended what the restore of 2026-11-21T13:03:00\.000Z brought back/)
  const again = await startNodeProcess(database.url, settings)
  await again.end('SIGTERM')
  assert.doesNotMatch(again.output(), /brought back/)
})

test('a restore by other means is recorded, and ends the same rights', async () => {
  const { database, node } = await restore('--keep-rights')
  assert.equal(await mayRead(node, session.accessToken), 200)
  await node.close()
  const anchored = await startNodeProcess(database.url, settings)
  await anchored.end('SIGTERM')
  const recorded = await run(['anchor', 'restored', '2026-11-21T14:03:00+01:00'], database.url)
  assert.equal(recorded.code, 0, recorded.err)
  assert.match(recorded.err, /restored as of 2026-11-21T13:03:00\.000Z[^]*Ended what the restore/)
  const afterwards = await api.startNode(settings, database.url)
  assert.equal(await mayRead(afterwards, session.accessToken), 401)
  await afterwards.close()
})

async function setDisabled(person: NewUser, disabled: boolean): Promise<void> {
  const body = { password: null, disabled }
  assert.equal((await api.call('PUT', `/users/${person.userGuid}`, { body })).status, 200)
}

/** What a server with an anchor folder of its own records after the backup, and what a restore then ends. */
describe('users who were disabled or deleted after the backup', () => {
  const anchored = { FORDRA_ANCHOR: join(folder, 'users-anchor') }
  const lines = () => readFileSync(userFile(anchored.FORDRA_ANCHOR), 'utf8').trim().split('\n')
  const record = () => recordUserStates(api.sql, openAnchor({ ...anchored, FORDRA_DATA: folder }))
  let backup: string
  let disabled: NewUser
  let deleted: NewUser
  let back: NewUser
  let forged: NewUser

  const restoreUsers = async () => {
    const database = await openTestDatabase()
    open.push(database)
    const restored = await run(
      ['restore', backup, '--no-anchor', '--json', '--quiet'],
      database.url,
      anchored,
    )
    assert.equal(restored.code, 0, restored.err)
    const { ended } = JSON.parse(restored.out) as { ended: EndedRights }
    return { ended, node: await api.startNode(settings, database.url) }
  }

  before(async () => {
    disabled = await makeUser(api)
    deleted = await makeUser(api)
    back = await makeUser(api)
    forged = await makeUser(api)
    await setDisabled(back, true)
    await record()
    backup = join(folder, 'users.tar')
    assert.equal((await run(['backup', backup, '--quiet'], api.databaseUrl)).code, 0)
    await setDisabled(disabled, true)
    await setDisabled(back, false)
    const removed = await api.call('DELETE', `/system/forms/user/edit?id=${deleted.userGuid}`)
    assert.equal(removed.status, 200, removed.text)
    await record()
  })

  test('each change is one line, without a name', async () => {
    const states = lines().map((line) => JSON.parse(line) as { user: string; state: string })
    const statesOf = (person: NewUser) =>
      states.filter((one) => one.user === person.userGuid).map(({ state }) => state)
    assert.deepEqual(statesOf(disabled), ['enabled', 'disabled'])
    assert.deepEqual(statesOf(deleted), ['enabled', 'deleted'])
    assert.deepEqual(statesOf(back), ['disabled', 'enabled'])
    const { length } = states
    await record()
    assert.equal(lines().length, length)
    assert.doesNotMatch(lines().join(''), /agency\.example/)
  })

  test('they cannot sign in after a restore, and a line that nobody signed disables nobody', async () => {
    const line = { user: forged.userGuid, state: 'disabled', at: new Date().toISOString() }
    const signed = JSON.parse(lines().at(-1)!) as object
    appendFileSync(userFile(anchored.FORDRA_ANCHOR), `${JSON.stringify({ ...signed, ...line })}\n{"user":\n`)
    const { ended, node } = await restoreUsers()
    assert.deepEqual(ended.endedUsers.toSorted(), [disabled.email, deleted.email].toSorted())
    assert.deepEqual([ended.keptAdministrators, ended.knowsUsers], [[], true])
    for (const person of [disabled, deleted, back])
      assert.equal((await signIn(node, person.email)).status, 401, person.email)
    assert.equal((await signIn(node, forged.email)).status, 200)
    await node.close()
  })

  test('the last administrator of the restored state stays, and the command names them', async () => {
    const last = await makeUser(api, { userRole: 2 })
    await api.sql`update app_user set disabled = true where user_role in (1, 2) and id <> ${last.userGuid}`
    backup = join(folder, 'last-administrator.tar')
    assert.equal((await run(['backup', backup, '--quiet'], api.databaseUrl)).code, 0)
    await api.sql`update app_user set disabled = true where id = ${last.userGuid}`
    await record()
    const { ended, node } = await restoreUsers()
    assert.deepEqual(ended.keptAdministrators, [last.email])
    assert.equal((await signIn(node, last.email)).status, 200)
    await node.close()
  })
})
