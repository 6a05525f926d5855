/** Invitations by e-mail: each outcome, and what an attacker would try. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { startApi, type Response, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'
import { answerResets, makeUser, secretSentTo, signIn } from '../../testing/records/enrolled-user.ts'
import { deleteOldResets } from '../users/password-reset.store.ts'

const settings = {
  FORDRA_SMTP_URL: 'smtp://127.0.0.1:9',
  FORDRA_MAIL_FROM: 'inkasso@agency.example',
  FORDRA_PUBLIC_URL: 'https://inkasso.example',
}
const password = 'en egen och lång mening'

let api: TestApi
before(async () => {
  api = await startApi(settings)
})
beforeEach(() => api.sql`delete from login_failure`)
after(() => api.close())

interface Invited {
  userGuid: string
  email: string
  token: string
}

let invited = 0
const newEmail = () => `inbjuden${++invited}@agency.example`

const create = (more: object = {}, token = api.token) =>
  api.call<{ uniqueId: string; invitation: string; errors: object }>('POST', '/users', {
    body: {
      partyReferenceCode: 'AGENCY',
      email: newEmail(),
      fullName: 'Ny',
      userRole: 3,
      invite: true,
      ...more,
    },
    token,
  })

async function invite(more: object = {}): Promise<Invited> {
  const email = newEmail()
  const { status, text, body } = await create({ email, ...more })
  assert.equal(status, 201, text)
  return { userGuid: body.uniqueId, email, token: await tokenSentTo(email) }
}

const linkSentTo = (email: string) => secretSentTo(api, email, /https:\S+/)
const tokenSentTo = async (email: string) => new URL(await linkSentTo(email)).hash.replace('#token=', '')

const accept = (token: string, secret = password): Promise<Response<{ detail: string }>> =>
  api.call('POST', '/auth/invitation', { body: { token, password: secret }, token: null })
const resend = (userGuid: string, token = api.token) =>
  api.call('POST', `/users/${userGuid}/invitation`, { token })
const withdraw = (userGuid: string, token = api.token) =>
  api.call('DELETE', `/users/${userGuid}/invitation`, { token })
const change = (userGuid: string, body: object) =>
  api.call('PUT', `/users/${userGuid}`, { body: { password: null, ...body } })
/** As the list of users and the user's own page say it. */
async function readState(userGuid: string): Promise<string | null> {
  const one = await api.call<{ invitation: string | null }>('GET', `/users/${userGuid}`)
  const list = await api.call<{ value: { uniqueId: string; invitation: string | null }[] }>(
    'GET',
    `/users?$filter=uniqueId eq ${userGuid}`,
  )
  assert.equal(list.body.value[0]!.invitation, one.body.invitation)
  return one.body.invitation
}
const assertUnusable = async (token: string) =>
  assertProblem(await accept(token), 'unauthenticated', /unknown, expired, withdrawn or used/)
const age = (userGuid: string, interval: string) => api.sql`
  update password_reset set created_at = created_at - ${interval}::interval, expires_at = expires_at - ${interval}::interval
  where user_id = ${userGuid}`

test('createUser with invite sends a link, and acceptInvitation sets the first password with it', async () => {
  const { userGuid, email, token } = await invite({ languageCode: 'sv' })
  const url = new URL(await linkSentTo(email))
  assert.deepEqual([url.origin, url.pathname, url.search], ['https://inkasso.example', '/invitation', ''])
  const [message] = await api.sql<{ subject: string; body: string; hours: number }[]>`
    select subject, body, round(extract(epoch from expires_at - created_at) / 3600)::int as hours
    from message where recipient = ${email}`
  assert.equal(message!.subject, 'En inbjudan till Fordra')
  assert.match(message!.body, /^Agency har gett dig/)
  assert.equal(message!.hours, 72)
  assert.equal(await readState(userGuid), 'INVITED')
  assert.equal((await signIn(api, email, password)).status, 401)
  assert.equal((await accept(token)).status, 200)
  assert.equal(await readState(userGuid), 'ACCEPTED')
  assert.equal((await signIn(api, email, password)).status, 200)
  const trail = await api.sql`
    select operation, action, actor_id = ${userGuid} as own from audit_entry
    where entity = 'user' and subject = ${userGuid} order by position`
  assert.deepEqual(
    trail.map(({ operation, action, own }) => [operation, action, own]),
    [
      ['U9', 'created', false],
      ['U9', 'invited', false],
      ['acceptInvitation', 'updated', true],
    ],
  )
})

test('createUser says what an invitation cannot go with', async () => {
  for (const more of [
    { password },
    { apiUser: true },
    { disabled: true },
    { clientId: '0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e99', clientSecret: 'x'.repeat(40) },
  ]) {
    const refused = await create(more)
    assertProblem(refused, 'invalid', /must be left out/, JSON.stringify(more))
    assert.deepEqual(Object.keys(refused.body.errors), ['invite'])
  }
  assertProblem(await create({ invite: false }), 'invalid', /unless the user is invited/)
})

test('the form of a user invites as well', async () => {
  const email = newEmail()
  const made = await api.call('POST', '/system/forms/user/create', {
    body: { partyReferenceCode: 'AGENCY', email, fullName: 'Ny', userRole: 3, invite: true },
  })
  assert.equal(made.status, 201, made.text)
  assert.equal((await accept(await tokenSentTo(email))).status, 200)
})

test('without a mail server or a public address nobody is created or invited', async () => {
  const { userGuid } = await invite()
  for (const missing of ['FORDRA_SMTP_URL', 'FORDRA_PUBLIC_URL'] as const) {
    const { [missing]: _, ...left } = settings
    const node = await api.startNode(left)
    const email = newEmail()
    const body = { partyReferenceCode: 'AGENCY', email, fullName: 'Ny', userRole: 3, invite: true }
    assertProblem(await node.call('POST', '/users', { body }), 'unprocessable', new RegExp(missing))
    assertProblem(await node.call('POST', `/users/${userGuid}/invitation`), 'unprocessable', /Give the user/)
    assert.equal((await api.sql`select from app_user where email = ${email}`).length, 0)
    await node.close()
  }
})

test('a link works once, also when it is used at the same time', async () => {
  const { token } = await invite()
  const answers = await Promise.all([1, 2, 3, 4].map((number) => accept(token, `${password} ${number}`)))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 401, 401, 401])
  await assertUnusable(token)
})

test('a password that is easy to guess is refused, and the link goes on working', async () => {
  const { token, email } = await invite()
  for (const bad of ['kort', email, 'fordrafordrafordra'])
    assertProblem(await accept(token, bad), 'invalid', /password/, bad)
  assert.equal((await accept(token)).status, 200)
})

test('inviteUser sends a new link in place of the earlier, at most three an hour', async () => {
  const { userGuid, email, token } = await invite()
  assert.equal((await resend(userGuid)).status, 200)
  const [first, ...others] = await api.sql<{ waits: boolean }[]>`
    select expires_at > now() as waits from message where recipient = ${email} order by created_at`
  assert.deepEqual([first!.waits, ...others.map(({ waits }) => waits)], [false, true])
  const second = await tokenSentTo(email)
  assert.notEqual(second, token)
  await assertUnusable(token)
  assert.equal((await resend(userGuid)).status, 200)
  assertProblem(await resend(userGuid), 'too-many-requests', /3 times within an hour/)
  await assertUnusable(second)
  await age(userGuid, '61 minutes')
  assert.equal((await resend(userGuid)).status, 200)
  assert.equal((await accept(await tokenSentTo(email))).status, 200)
  assertProblem(await resend(userGuid), 'conflict', /can sign in already/)
})

test('one inviter sends at most a hundred invitations an hour', async () => {
  const token = await api.signIn(2)
  const { userGuid } = await invite()
  const { body: inviter } = await api.call<{ uniqueId: string }>('GET', '/users/current', { token })
  await api.sql`
    insert into password_reset (hash, user_id, purpose, invited_by, expires_at)
    select sha256(('x' || n)::bytea), ${(await makeUser(api)).userGuid}, 'INVITATION',
      ${inviter.uniqueId}, now()
    from generate_series(1, 100) n`
  assertProblem(await resend(userGuid, token), 'too-many-requests', /100 invitations/)
  assertProblem(await create({}, token), 'too-many-requests', /100 invitations/)
})

test('an invitation expires after 72 hours, and says so until it is sent again', async () => {
  const { userGuid, email, token } = await invite()
  await age(userGuid, '71 hours')
  assert.equal(await readState(userGuid), 'INVITED')
  await age(userGuid, '61 minutes')
  assert.equal(await readState(userGuid), 'EXPIRED')
  await assertUnusable(token)
  await age(userGuid, '90 days')
  await deleteOldResets(api.sql)
  assert.equal(await readState(userGuid), 'EXPIRED')
  assert.equal((await resend(userGuid)).status, 200)
  await deleteOldResets(api.sql)
  assert.equal((await api.sql`select from password_reset where user_id = ${userGuid}`).length, 1)
  assert.equal((await accept(await tokenSentTo(email))).status, 200)
  await age(userGuid, '31 days')
  await deleteOldResets(api.sql)
  assert.equal(await readState(userGuid), null, 'after a month the user is like any other')
})

test('withdrawInvitation ends the link and lets nobody in by a forgotten password either', async () => {
  const { userGuid, email, token } = await invite()
  assert.equal((await withdraw(userGuid)).status, 200)
  assert.equal(await readState(userGuid), 'WITHDRAWN')
  await assertUnusable(token)
  const waiting = await api.sql`select from message where recipient = ${email} and expires_at > now()`
  assert.equal(waiting.length, 0, 'the message is not sent any more')
  await api.call('POST', '/auth/password/forgot', { body: { login: email }, token: null })
  await answerResets(api)
  const sent = await api.sql`select from message where recipient = ${email} and kind = 'password-reset'`
  assert.equal(sent.length, 0)
  assertProblem(await withdraw(userGuid), 'conflict', /no open invitation/)
  assertProblem(await resend(userGuid), 'conflict', /Enable the user first/)
  assert.equal((await change(userGuid, { disabled: false })).status, 200)
  await assertUnusable(token)
  assert.equal(await readState(userGuid), 'EXPIRED')
  assert.equal((await resend(userGuid)).status, 200)
  assert.equal((await accept(await tokenSentTo(email))).status, 200)
})

test('withdrawInvitation leaves a user who can sign in alone', async () => {
  const { userGuid, email, token } = await invite()
  await accept(token)
  assertProblem(await withdraw(userGuid), 'conflict', /no open invitation/)
  assertProblem(await withdraw((await makeUser(api)).userGuid), 'conflict', /no open invitation/)
  assert.equal((await signIn(api, email, password)).status, 200)
})

test('disabling an invited user, another e-mail address or a password ends the link', async () => {
  const [disabled, moved, given] = [await invite(), await invite(), await invite()]
  assert.equal((await change(disabled.userGuid, { disabled: true })).status, 200)
  await assertUnusable(disabled.token)
  assert.equal(await readState(disabled.userGuid), 'WITHDRAWN')
  // The link went to a mistyped address, whose owner must not get in.
  assert.equal((await change(moved.userGuid, { email: newEmail() })).status, 200)
  await assertUnusable(moved.token)
  assert.equal(await readState(moved.userGuid), 'EXPIRED')
  assert.equal((await change(given.userGuid, { password })).status, 200)
  await assertUnusable(given.token)
  assert.equal(await readState(given.userGuid), 'ACCEPTED')
})

test('a link for a new password goes to the user’s present address only', async () => {
  const user = await makeUser(api)
  await api.call('POST', '/auth/password/forgot', { body: { login: user.email }, token: null })
  await answerResets(api)
  const token = await tokenSentTo(user.email)
  assert.equal((await change(user.userGuid, { email: newEmail() })).status, 200)
  const late = await api.call('POST', '/auth/password/reset', { body: { token, password }, token: null })
  assertProblem(late, 'unauthenticated', /unknown, expired or used/)
})

test('a token of one kind is of no use for the other, and guesses are all answered alike', async () => {
  const { token, email } = await invite()
  const asReset = await api.call('POST', '/auth/password/reset', { body: { token, password }, token: null })
  assertProblem(asReset, 'unauthenticated', /forgot/)
  const user = await makeUser(api)
  await api.call('POST', '/auth/password/forgot', { body: { login: user.email }, token: null })
  await answerResets(api)
  await assertUnusable(await tokenSentTo(user.email))
  const guesses = [
    'x'.repeat(43),
    token.slice(0, -1),
    `${token}A`,
    token.toUpperCase(),
    email,
    "' or true; --",
  ]
  const details = new Set<string>()
  for (const guess of guesses) {
    const refused = await accept(guess)
    assertProblem(refused, 'unauthenticated', /unknown, expired/, guess)
    details.add(refused.body.detail)
  }
  assert.equal(details.size, 1)
  assert.equal((await accept(token)).status, 200)
})

test('nobody invites with more than they have, nor touches the invitation of who has more', async () => {
  const party = await api.addParty('KUND')
  const other = await api.addParty('ANNAN')
  const ofClient = await api.signIn(6, party)
  assertProblem(
    await create({ userRole: 2, partyReferenceCode: 'KUND' }, ofClient),
    'forbidden',
    /grant more/,
  )
  assertProblem(
    await create({ userRole: 3, partyReferenceCode: 'KUND' }, ofClient),
    'forbidden',
    /grant more/,
  )
  assertProblem(await create({ userRole: 9 }, ofClient), 'invalid', /partyReferenceCode/)
  const mine = await create({ userRole: 9, partyReferenceCode: 'KUND' }, ofClient)
  assert.equal(mine.status, 201, mine.text)
  assert.equal((await resend(mine.body.uniqueId, ofClient)).status, 200)
  const administrator = await invite({ userRole: 2, partyReferenceCode: 'KUND' })
  const abroad = await invite({ userRole: 9, partyReferenceCode: 'ANNAN' })
  assert.ok(other)
  for (const act of [resend, withdraw]) {
    assertProblem(await act(administrator.userGuid, ofClient), 'forbidden', /grant more/)
    assertProblem(await act(abroad.userGuid, ofClient), 'not-found', /user/)
    assertProblem(await act(mine.body.uniqueId, await api.signIn(3)), 'forbidden', /user\.write/)
  }
  assert.equal((await accept(administrator.token)).status, 200)
  assert.equal((await withdraw(mine.body.uniqueId, ofClient)).status, 200)
})

test('an invited administrator is not yet one who keeps the installation open', async () => {
  const other = await startApi(settings)
  const [only] = await other.sql<{ id: string }[]>`select id from app_user`
  const body = {
    partyReferenceCode: 'AGENCY',
    email: 'anna@agency.example',
    fullName: 'Anna',
    userRole: 2,
    invite: true,
  }
  const made = await other.call<{ uniqueId: string }>('POST', '/users', { body })
  assert.equal(made.status, 201, made.text)
  const disable = () => other.call('PUT', `/users/${only!.id}`, { body: { password: null, disabled: true } })
  assertProblem(await disable(), 'unprocessable', /last administrator/)
  const link = await secretSentTo(other, 'anna@agency.example', /https:\S+/)
  const token = new URL(link).hash.replace('#token=', '')
  const accepted = await other.call('POST', '/auth/invitation', { body: { token, password }, token: null })
  assert.equal(accepted.status, 200, accepted.text)
  assert.equal((await disable()).status, 200)
  await other.close()
})

test('the token is stored hashed, and the outbox does not show the message', async () => {
  const { token, email } = await invite()
  const rows = await api.sql<{ text: string }[]>`
    select r::text as text from password_reset r union all select a::text from audit_entry a union all select e::text from event e`
  assert.ok(!rows.some(({ text }) => text.includes(token)))
  const outbox = await api.call<{ value: { kind: string; body: string | null }[] }>(
    'GET',
    `/system/outbox?$filter=recipient eq '${email}'`,
  )
  assert.deepEqual(
    outbox.body.value.map(({ kind, body }) => [kind, body]),
    [['invitation', null]],
  )
})

test('listUsers finds the users whose invitation is open', async () => {
  const { userGuid } = await invite()
  const found = await api.call<{ value: { uniqueId: string }[] }>(
    'GET',
    "/users?$filter=invitation eq 'INVITED'&$top=100",
  )
  assert.equal(found.status, 200, found.text)
  assert.ok(found.body.value.some(({ uniqueId }) => uniqueId === userGuid))
})

const waiting = async (userGuid: string) => {
  const rows = await api.sql<{ kind: string }[]>`
    select kind from message where user_id = ${userGuid} and sent_at is null and expires_at > now()
    order by created_at`
  return rows.map(({ kind }) => kind)
}
/** An administrator who can sign in, with an own token. */
async function makeInviter(more: object = {}): Promise<{ userGuid: string; token: string }> {
  const { userGuid, email } = await makeUser(api, { userRole: 2, ...more })
  return { userGuid, token: (await signIn(api, email)).body.accessToken }
}
async function inviteAs(inviter: { token: string }, more: object = {}): Promise<Invited> {
  const email = newEmail()
  const { status, text, body } = await create({ email, ...more }, inviter.token)
  assert.equal(status, 201, text)
  return { userGuid: body.uniqueId, email, token: await tokenSentTo(email) }
}

test('the invitations of an inviter end when the inviter is disabled, and do not come back', async () => {
  const inviter = await makeInviter()
  const open = await inviteAs(inviter)
  const accepted = await inviteAs(inviter)
  assert.equal((await accept(accepted.token)).status, 200)
  assert.equal((await change(inviter.userGuid, { disabled: true })).status, 200)
  assert.equal(await readState(open.userGuid), 'EXPIRED')
  assert.deepEqual(await waiting(open.userGuid), [])
  await assertUnusable(open.token)
  assert.equal((await change(inviter.userGuid, { disabled: false })).status, 200)
  await assertUnusable(open.token)
  assert.equal((await signIn(api, accepted.email, password)).status, 200)
  assert.equal((await resend(open.userGuid)).status, 200)
  assert.equal((await accept(await tokenSentTo(open.email))).status, 200)
})

test('an invitation needs an inviter who has every right of the invited user when it is accepted', async () => {
  const group = await api.call<{ accessGroupGuid: string }>('POST', '/system/forms/accessgroup/create', {
    body: { code: 'SENARE', name: 'Senare', accessCodes: 'report.admin' },
  })
  assert.equal(group.status, 201, group.text)
  const lesser = { userRole: 3, accessGroups: ['INVITERS'] }
  const inviters = await api.call('POST', '/system/forms/accessgroup/create', {
    body: { code: 'INVITERS', name: 'Inviters', accessCodes: 'user.read,user.write' },
  })
  assert.equal(inviters.status, 201, inviters.text)
  const [demoted, silenced, outgrown] = [
    await makeInviter(),
    await makeInviter(lesser),
    await makeInviter(lesser),
  ]
  const ofDemoted = await inviteAs(demoted, { userRole: 2 })
  const ofSilenced = await inviteAs(silenced, { userRole: 5 })
  const promoted = await inviteAs(outgrown, { userRole: 5 })
  const unchanged = await inviteAs(outgrown, { userRole: 5 })
  assert.equal((await change(demoted.userGuid, { userRole: 3 })).status, 200)
  assert.equal((await change(silenced.userGuid, { accessGroups: [] })).status, 200)
  assert.equal((await change(promoted.userGuid, { accessGroups: ['SENARE'] })).status, 200)
  for (const { token, userGuid, email } of [ofDemoted, ofSilenced, promoted]) {
    await assertUnusable(token)
    assert.equal(await readState(userGuid), 'EXPIRED')
    assert.equal((await resend(userGuid)).status, 200)
    assert.equal((await accept(await tokenSentTo(email))).status, 200)
  }
  assert.equal((await accept(unchanged.token)).status, 200)
})

test('a link that has ended does not leave the outbox', async () => {
  const [moved, disabled, given] = [await invite(), await invite(), await invite()]
  assert.equal((await change(moved.userGuid, { email: newEmail() })).status, 200)
  assert.equal((await change(disabled.userGuid, { disabled: true })).status, 200)
  assert.equal((await change(given.userGuid, { password })).status, 200)
  for (const { userGuid } of [moved, disabled, given]) assert.deepEqual(await waiting(userGuid), [])
  const user = await makeUser(api)
  const forget = async () => {
    await api.call('POST', '/auth/password/forgot', { body: { login: user.email }, token: null })
    await answerResets(api)
  }
  await forget()
  await forget()
  assert.equal((await waiting(user.userGuid)).length, 2)
  const token = await tokenSentTo(user.email)
  const reset = await api.call('POST', '/auth/password/reset', { body: { token, password }, token: null })
  assert.equal(reset.status, 200, reset.text)
  assert.deepEqual(await waiting(user.userGuid), [])
  await forget()
  assert.equal((await change(user.userGuid, { email: newEmail() })).status, 200)
  assert.deepEqual(await waiting(user.userGuid), [])
})

test('a deleted user takes the messages in the outbox along', async () => {
  const { userGuid, email } = await invite()
  assert.equal((await api.call('DELETE', `/system/forms/user/edit?id=${userGuid}`)).status, 200)
  assert.equal((await api.sql`select from message where recipient = ${email}`).length, 0)
})
