/** Notifications by e-mail: what a user chooses, when an e-mail leaves, what it holds, and that none leaves twice. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { createServer, type AddressInfo } from 'node:net'
import type {
  NotificationDelivery,
  NotificationEmails,
} from '../../../contract/platform/notification-emails.ts'
import type { NotificationKind } from '../../../contract/platform/notifications.ts'
import { createSenders, type SendMessage } from '../../platform/messages/send.ts'
import type { DueMessage } from '../../platform/messages/messages.store.ts'
import { readSettings } from '../../platform/config.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'
import { makeUser, secretSentTo, signIn, type NewUser } from '../../testing/records/enrolled-user.ts'
import { sendNotificationEmails } from './send-notification-emails.ts'

const own = '/users/current/notifications/email'
let api: TestApi
/** What the mail server took. */
let sent: DueMessage[] = []
let errors: string[] = []
before(async () => {
  api = await startApi({
    FORDRA_SMTP_URL: 'smtp://127.0.0.1:9',
    FORDRA_MAIL_FROM: 'inkasso@agency.example',
    FORDRA_PUBLIC_URL: 'https://inkasso.example',
  })
})
beforeEach(async () => {
  sent = []
  errors = []
  await api.sql`delete from notification_email`
})
after(() => api.close())

const take: SendMessage = (message) => {
  sent.push(message)
  return Promise.resolve()
}
/** One round of the background work of a node. */
const send = (by: SendMessage | undefined = take, node = api) =>
  sendNotificationEmails(node.app.service, by, ({ message }) => errors.push(message))

interface Reader extends NewUser {
  token: string
}

/** A user with a confirmed address. */
async function reader(more: object = {}): Promise<Reader> {
  const user = await makeUser(api, more)
  await api.sql`update app_user set confirmed_email = email where id = ${user.userGuid}`
  return { ...user, token: (await signIn(api, user.email)).body.accessToken }
}

const choose = (
  { token }: Reader,
  choices: Partial<Record<NotificationKind, NotificationDelivery>>,
  from = api,
) =>
  from.call<NotificationEmails>('PUT', own, {
    token,
    body: { choices: Object.entries(choices).map(([kind, delivery]) => ({ kind, delivery })) },
  })

/** A user who chose at once, or otherwise, for every kind that the tests write. */
async function makeReader(delivery: NotificationDelivery, more: object = {}): Promise<Reader> {
  const user = await reader(more)
  const { status, text } = await choose(user, { ASSIGNED: delivery, MENTION: delivery })
  assert.equal(status, 200, text)
  return user
}

/** Notifications of a while ago, after the user's choice. */
async function tell(
  { userGuid }: NewUser,
  {
    kind = 'ASSIGNED' as NotificationKind,
    count = 1,
    ago = '2 minutes',
    clientId = null as string | null,
    name = null as string | null,
  } = {},
): Promise<void> {
  await api.sql`update notification_choice set since = now() - interval '60 days' where user_id = ${userGuid}`
  await api.sql`
    insert into notification (user_id, kind, merge_key, client_id, name, case_id, created_at)
    select ${userGuid}, ${kind}, gen_random_uuid()::text, ${clientId}, ${name}, gen_random_uuid(), now() - ${ago}::interval
    from generate_series(1, ${count}::int)`
}

/** The rest after an e-mail is over. */
const rest = () => api.sql`update notification_email set next_at = now() - interval '1 second'`
const recipients = () => sent.map(({ recipient }) => recipient)

test('updateNotificationEmails stores a choice for each kind, and getNotificationEmails returns it', async () => {
  const user = await reader()
  const read = async () => (await api.call<NotificationEmails>('GET', own, { token: user.token })).body
  const { isAvailable, isConfirmed, choices } = await read()
  assert.deepEqual([isAvailable, isConfirmed], [true, true])
  assert.ok(choices.every(({ delivery }) => delivery === 'NONE'))
  const changed = await choose(user, { ASSIGNED: 'AT_ONCE', MENTION: 'DAILY' })
  assert.deepEqual(changed.body, await read())
  await choose(user, { MENTION: 'NONE' })
  assert.deepEqual(
    (await read()).choices.filter(({ delivery }) => delivery !== 'NONE'),
    [{ kind: 'ASSIGNED', delivery: 'AT_ONCE' }],
  )
})

test('updateNotificationEmails refuses a kind named twice, and every e-mail without a mail server or address', async () => {
  const user = await reader()
  const body = { choices: Array.from({ length: 2 }, () => ({ kind: 'ASSIGNED', delivery: 'DAILY' })) }
  assertProblem(await api.call('PUT', own, { token: user.token, body }), 'invalid', /each kind at most once/)
  const lacking: Record<string, string>[] = [
    { FORDRA_PUBLIC_URL: 'https://inkasso.example' },
    { FORDRA_SMTP_URL: 'smtp://127.0.0.1:9', FORDRA_MAIL_FROM: 'inkasso@agency.example' },
  ]
  for (const settings of lacking) {
    const node = await api.startNode(settings)
    assertProblem(await choose(user, { ASSIGNED: 'DAILY' }, node), 'unprocessable', /FORDRA_PUBLIC_URL/)
    const none = await choose(user, { ASSIGNED: 'NONE' }, node)
    assert.deepEqual([none.status, none.body.isAvailable], [200, false])
    await node.close()
  }
})

test('an e-mail counts by kind in the language and format of the user, links, and names nobody', async () => {
  const user = await makeReader('AT_ONCE', { languageCode: 'sv', countryFormat: 'SE' })
  await tell(user, { count: 1200 })
  await tell(user, { kind: 'MENTION' })
  await tell(user, { kind: 'JOB_DONE' })
  await send()
  assert.deepEqual(recipients(), [user.email])
  const { subject, body } = sent[0]!
  assert.equal(subject, 'Nya aviseringar i Fordra')
  assert.match(body, /^Ärende tilldelat: 1\u00a0200\nNämnd i en anteckning: 1$/m)
  assert.match(body, /https:\/\/inkasso\.example\/notifications\n/)
  assert.doesNotMatch(body, /Jobb|Två Faktor|\{/, 'not a kind that was not chosen, no name')
})

test('each notification is sent once: not again when it counts one more, nor by another choice', async () => {
  const user = await makeReader('AT_ONCE')
  await tell(user)
  await send()
  await rest()
  await send()
  await api.sql`update notification set count = 2, created_at = now() - interval '2 minutes' where user_id = ${user.userGuid}`
  await choose(user, { ASSIGNED: 'NONE' })
  await choose(user, { ASSIGNED: 'DAILY' })
  await api.sql`update notification_choice set since = now() - interval '60 days'`
  await api.sql`update notification set created_at = now() - interval '25 hours' where user_id = ${user.userGuid}`
  await rest()
  await send()
  assert.equal(sent.length, 1)
})

test('what was read, is still being counted, was there before the choice, or is a week old, is not sent', async () => {
  const user = await makeReader('AT_ONCE')
  await tell(user, { ago: '10 seconds' })
  await tell(user, { ago: '8 days' })
  await tell(user)
  await api.call('POST', '/users/current/notifications/read', { token: user.token, body: {} })
  await tell(user, { ago: '10 seconds' })
  await send()
  await choose(user, { ASSIGNED: 'NONE' })
  await api.sql`update notification set created_at = now() - interval '1 hour' where user_id = ${user.userGuid}`
  await choose(user, { ASSIGNED: 'AT_ONCE' })
  await send()
  assert.deepEqual(recipients(), [])
})

test('a day’s notifications are one e-mail after seven o’clock in the system’s time zone', async () => {
  const user = await makeReader('DAILY')
  const [seven] = await api.sql<{ at: string }[]>`
    select ((now() at time zone 'Europe/Stockholm' - interval '7 hours')::date + time '07:00')
      at time zone 'Europe/Stockholm' as at`
  await tell(user, { count: 3 })
  const moveTo = (offset: string) => api.sql`
    update notification set created_at = ${seven!.at}::timestamptz + ${offset}::interval where user_id = ${user.userGuid}`
  await moveTo('1 second')
  await send()
  assert.deepEqual(recipients(), [], 'that is for tomorrow')
  await moveTo('-1 second')
  await send()
  assert.deepEqual(recipients(), [user.email])
  assert.match(sent[0]!.body, /: 3\n/)
})

test('a user rests five minutes after an e-mail, and then gets what came meanwhile in one', async () => {
  const user = await makeReader('AT_ONCE')
  await tell(user)
  await send()
  await tell(user, { count: 2 })
  await send()
  assert.equal(sent.length, 1)
  await api.sql`update notification_email set next_at = next_at - interval '5 minutes' where user_id = ${user.userGuid}`
  await send()
  assert.match(sent[1]!.body, /: 2\n/)
})

test('a user who is restricted meanwhile is told of nothing that is hidden now', async () => {
  const [mine, theirs] = [await api.addParty('MINE'), await api.addParty('THEIRS')]
  const user = await makeReader('AT_ONCE')
  await tell(user, { clientId: mine })
  await tell(user, { clientId: theirs, count: 4 })
  const restrict = (party: string) => api.sql`
    insert into user_client_restriction (user_id, party_id, include_sub_parties) values (${user.userGuid}, ${party}, true)`
  await restrict(mine)
  await send()
  assert.match(sent[0]!.body, /: 1\n/)
  assert.doesNotMatch(sent[0]!.body, /: [45]/)
  const other = await makeReader('AT_ONCE')
  await tell(other, { clientId: theirs })
  await api.sql`
    insert into user_client_restriction (user_id, party_id, include_sub_parties) values (${other.userGuid}, ${mine}, true)`
  await rest()
  await send()
  assert.equal(sent.length, 1, 'nothing visible, no e-mail')
})

test('nobody is told who was disabled, has another address, or may decide no longer', async () => {
  const [disabled, moved, narrowed] = [
    await makeReader('AT_ONCE'),
    await makeReader('AT_ONCE'),
    await makeReader('AT_ONCE', { userRole: 2 }),
  ]
  for (const user of [disabled, moved]) await tell(user)
  await choose(narrowed, { APPROVAL_WAITING: 'AT_ONCE' })
  await tell(narrowed, { kind: 'APPROVAL_WAITING', name: 'WRITE_OFF' })
  const change = (user: Reader, body: object) =>
    api.call('PUT', `/users/${user.userGuid}`, { body: { password: null, ...body } })
  assert.equal((await change(disabled, { disabled: true })).status, 200)
  assert.equal((await change(moved, { email: `ny-${moved.email}` })).status, 200)
  await api.sql`update app_user set user_role = 5 where id = ${narrowed.userGuid}`
  await send()
  assert.deepEqual(recipients(), [])
  await change(disabled, { disabled: false })
  await api.sql`update app_user set user_role = 2 where id = ${narrowed.userGuid}`
  await rest()
  await send()
  assert.deepEqual(
    recipients().toSorted(),
    [disabled.email, narrowed.email].toSorted(),
    'who may again is told',
  )
})

test('two nodes send each user one e-mail', async () => {
  const users = [await makeReader('AT_ONCE'), await makeReader('AT_ONCE'), await makeReader('AT_ONCE')]
  for (const user of users) await tell(user, { count: 5 })
  const node = await api.startNode({
    FORDRA_SMTP_URL: 'smtp://127.0.0.1:9',
    FORDRA_MAIL_FROM: 'inkasso@agency.example',
    FORDRA_PUBLIC_URL: 'https://inkasso.example',
  })
  await Promise.all([send(), send(take, node), send(), send(take, node)])
  assert.deepEqual(recipients().toSorted(), users.map(({ email }) => email).toSorted())
  await node.close()
})

test('a node that ends while it sends leaves nothing that is sent again', async () => {
  const user = await makeReader('AT_ONCE')
  await tell(user)
  const cut: SendMessage = (message) => {
    sent.push(message)
    return Promise.reject(new Error('The process has ended.'))
  }
  await send(cut)
  assert.equal(sent.length, 1)
  await rest()
  await send()
  assert.equal(sent.length, 1)
})

test('a mail server that refuses or is away gets the e-mail again, later and later', async () => {
  const user = await makeReader('AT_ONCE')
  await tell(user, { count: 2 })
  const refuse: SendMessage = () =>
    Promise.reject(
      Object.assign(new Error(`550 unknown ${user.email}`), { code: 'EENVELOPE', responseCode: 550 }),
    )
  const away = createSenders(
    readSettings({
      FORDRA_SMTP_URL: `smtp://127.0.0.1:${await closedPort()}`,
      FORDRA_MAIL_FROM: 'inkasso@agency.example',
    }),
  ).email
  const waits: number[] = []
  for (const by of [refuse, away, refuse]) {
    await rest()
    await send(by)
    const [row] = await api.sql<{ minutes: number }[]>`
      select round(extract(epoch from next_at - now()) / 60)::int as minutes from notification_email
      where user_id = ${user.userGuid}`
    waits.push(row!.minutes)
  }
  assert.deepEqual(waits, [5, 10, 20])
  assert.equal(errors.length, 3)
  assert.ok(!errors.join().includes(user.email), 'an error names nobody')
  await send()
  assert.deepEqual(recipients(), [], 'not before its time')
  await api.sql`update notification set read_at = now() where id = (
    select id from notification where user_id = ${user.userGuid} limit 1)`
  await rest()
  await send()
  assert.match(sent[0]!.body, /: 1\n/, 'what was read meanwhile is not counted')
})

/** A port on which nobody listens. */
async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

test('a sandbox sends nothing, and neither does a server without a public address', async () => {
  const user = await makeReader('AT_ONCE')
  await tell(user)
  const { sql, settings } = api.app.service
  const sandbox = { id: user.userGuid, copiedAt: '2026-01-01T00:00:00Z', masked: true }
  await sendNotificationEmails({ sql, settings, sandbox }, take)
  const { FORDRA_PUBLIC_URL: _, ...unreachable } = settings
  await sendNotificationEmails({ sql, settings: unreachable, sandbox: undefined }, take)
  await sendNotificationEmails(api.app.service, undefined)
  assert.deepEqual(recipients(), [])
})

test('sendEmailCode and confirmEmail confirm the present address only', async () => {
  const { userGuid, email } = await makeUser(api)
  const token = (await signIn(api, email)).body.accessToken
  const isConfirmed = async () => (await api.call<NotificationEmails>('GET', own, { token })).body.isConfirmed
  const ask = () => api.call<{ challenge: string }>('POST', '/users/current/email/code', { token })
  const confirm = (challenge: string, code: string) =>
    api.call('POST', '/users/current/email/confirm', { token, body: { challenge, code } })
  assert.equal(await isConfirmed(), false)
  const { challenge } = (await ask()).body
  const code = await secretSentTo(api, email)
  const wrong = code === '000000' ? '000001' : '000000'
  assertProblem(await confirm(challenge, wrong), 'unprocessable', /code is wrong/)
  await api.sql`update app_user set email = ${`flyttad-${email}`} where id = ${userGuid}`
  assertProblem(await confirm(challenge, code), 'unprocessable', /code is wrong/)
  const again = (await ask()).body.challenge
  const signedIn = await api.call('POST', '/auth/mfa', {
    body: { challenge: again, code: await secretSentTo(api, `flyttad-${email}`) },
    token: null,
  })
  assert.equal(signedIn.status, 401, 'the code signs nobody in')
  const last = (await ask()).body.challenge
  assert.equal((await confirm(last, await secretSentTo(api, `flyttad-${email}`))).status, 200)
  assert.equal(await isConfirmed(), true)
  assertProblem(await ask(), 'conflict', /confirmed already/)
  await api.sql`update app_user set email = ${email} where id = ${userGuid}`
  assert.equal(await isConfirmed(), false)
  const node = await api.startNode({})
  assertProblem(
    await node.call('POST', '/users/current/email/code', { token }),
    'unprocessable',
    /FORDRA_SMTP_URL/,
  )
  await node.close()
})
