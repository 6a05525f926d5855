import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import { resolveLanguage, languages } from '../../../contract/platform/languages.ts'
import type { Message } from '../../../contract/platform/messages.ts'
import { readSettings } from '../config.ts'
import type { Page } from '../database/list.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'
import { purgeMessages, queueMessage, type NewMessage } from './messages.store.ts'
import { createSenders, sendMessages, type Senders } from './send.ts'
import { messageKinds, composeMessage } from './texts.ts'

let api: TestApi
let mail: SMTPServer
let gateway: Server
let senders: Senders

/** What the mail server and the gateway received, and how they answer. */
let mails: { from: string; to: string[]; source: string }[] = []
let texts: { body: unknown; authorization: string | undefined; key: unknown }[] = []
let mailRefusal: Error | undefined
let gatewayStatus = 200

const serverPort = (server: { address(): unknown }) => (server.address() as AddressInfo).port

before(async () => {
  api = await startApi()
  mail = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      username === 'fordra' && password === 'mail-password'
        ? done(null, { user: username })
        : done(new Error('no')),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        if (mailRefusal) return done(mailRefusal)
        const { mailFrom, rcptTo } = session.envelope
        const from = mailFrom === false ? '' : mailFrom.address
        mails.push({
          from,
          to: rcptTo.map(({ address }) => address),
          source: Buffer.concat(chunks).toString(),
        })
        done()
      })
    },
  })
  await new Promise<void>((resolve) => mail.listen(0, '127.0.0.1', resolve))
  gateway = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { authorization, 'idempotency-key': key } = request.headers
      texts.push({ body: JSON.parse(Buffer.concat(chunks).toString()), authorization, key })
      response
        .writeHead(gatewayStatus, { location: 'http://127.0.0.1:9/' })
        .end('Refused: the text was 123456')
    })
  })
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve))
  senders = createSenders(
    readSettings({
      FORDRA_SMTP_URL: `smtp://fordra:mail-password@127.0.0.1:${serverPort(mail.server)}`,
      FORDRA_MAIL_FROM: 'Inkasso <no-reply@agency.example>',
      FORDRA_SMS_URL: `http://127.0.0.1:${serverPort(gateway)}/send`,
      FORDRA_SMS_TOKEN: 'gateway-token',
    }),
  )
})
beforeEach(async () => {
  await api.sql`delete from message`
  mails = []
  texts = []
  mailRefusal = undefined
  gatewayStatus = 200
})
after(async () => {
  await new Promise<void>((resolve) => mail.close(() => resolve()))
  await new Promise((resolve) => gateway.close(resolve))
  await api.close()
})

const code: NewMessage = {
  kind: 'mfa-code',
  channel: 'email',
  recipient: 'eva@agency.example',
  languageCode: 'sv',
  secret: '492039',
  minutes: 10,
}
const sms: NewMessage = { ...code, channel: 'sms', recipient: '+46701740605', languageCode: 'de' }
const outbox = async (search = '') =>
  (await api.call<Page<Message>>('GET', `/system/outbox${search}`)).body.value
const makeDue = () => api.sql`update message set next_try_at = now()`

test("an e-mail is sent once, in the recipient's language, and emptied afterwards", async () => {
  await queueMessage(api.sql, code)
  await sendMessages(api.sql, senders)
  await sendMessages(api.sql, senders)
  assert.equal(mails.length, 1)
  assert.equal(mails[0]!.from, 'no-reply@agency.example')
  assert.deepEqual(mails[0]!.to, ['eva@agency.example'])
  assert.match(mails[0]!.source, /^Subject: Din kod\r$/m)
  assert.match(mails[0]!.source, /492039/)
  const [message] = await outbox()
  assert.equal(message!.body, null)
  assert.ok(message!.sentAt !== null)
  const rows = await api.sql`select * from message`
  assert.doesNotMatch(JSON.stringify(rows), /492039/)
})

test('a mail server that goes on answering a little is left at the deadline, and others are sent', async () => {
  const open = new Set<Socket>()
  // Each line of a greeting that never ends comes well within the time-out of a silent server.
  const dripping = createTcpServer((socket) => {
    open.add(socket)
    const timer = setInterval(() => socket.write('220-not yet\r\n'), 50)
    socket
      .on('error', () => {})
      .on('close', () => {
        clearInterval(timer)
        open.delete(socket)
      })
  })
  await new Promise<void>((resolve) => dripping.listen(0, '127.0.0.1', resolve))
  const settings = readSettings({
    FORDRA_SMTP_URL: `smtp://127.0.0.1:${serverPort(dripping)}`,
    FORDRA_MAIL_FROM: 'no-reply@agency.example',
  })
  const hanging = createSenders(settings, undefined, 500)
  await queueMessage(api.sql, code)
  await queueMessage(api.sql, sms)
  await sendMessages(api.sql, { ...hanging, sms: senders.sms! })
  assert.equal(texts.length, 1)
  const [failed] = (await outbox()).filter(({ channel }) => channel === 'email')
  assert.match(failed!.lastError!, /did not take the message within 0.5 s/)
  while (open.size > 0) await sleep(10)
  dripping.close()
})

test('a gateway that never answers is left at the deadline, and the failure says so', async () => {
  const silent = createTcpServer((socket) => socket.resume().on('error', () => {}))
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const settings = readSettings({ FORDRA_SMS_URL: `http://127.0.0.1:${serverPort(silent)}/send` })
  await queueMessage(api.sql, sms)
  const said: string[] = []
  await sendMessages(api.sql, createSenders(settings, undefined, 500), ({ message }) => said.push(message))
  const [failed] = (await outbox()).filter(({ channel }) => channel === 'sms')
  assert.equal(failed!.lastError, 'The SMS gateway did not take the message within 0.5 s.')
  assert.match(said.join(), /was not sent: The SMS gateway did not take the message within 0\.5 s\.$/)
  silent.close()
})

test('a text message is sent to the gateway with its token', async () => {
  await queueMessage(api.sql, sms)
  await sendMessages(api.sql, senders)
  assert.equal(texts.length, 1)
  assert.equal(texts[0]!.authorization, 'Bearer gateway-token')
  const { body } = composeMessage('mfa-code', 'de', { secret: '492039', minutes: 10 })
  assert.deepEqual(texts[0]!.body, { to: '+46701740605', text: body })
  assert.equal((await outbox())[0]!.sentAt === null, false)
})

test('a message exists only when its transaction was committed', async () => {
  await assert.rejects(
    api.sql.begin(async (tx) => {
      await queueMessage(tx, code)
      throw new Error('the cause failed')
    }),
  )
  await sendMessages(api.sql, senders)
  assert.deepEqual([mails.length, (await outbox()).length], [0, 0])
})

test('the delay doubles after each failure, and the message is sent when the server is back', async () => {
  mailRefusal = Object.assign(new Error('Mailbox of eva@agency.example busy'), { responseCode: 451 })
  await queueMessage(api.sql, code)
  const waits: number[] = []
  const errors: string[] = []
  for (let round = 0; round < 3; round++) {
    await sendMessages(api.sql, senders, (error) => errors.push(error.message))
    await sendMessages(api.sql, senders)
    const [row] = await api.sql<{ minutes: number }[]>`
      select round(extract(epoch from next_try_at - now()) / 60)::int as minutes from message`
    waits.push(row!.minutes)
    await makeDue()
  }
  assert.deepEqual(waits, [1, 2, 4])
  const [failing] = await outbox()
  assert.deepEqual([failing!.attempts, failing!.lastError, failing!.sentAt], [3, 'EMESSAGE 451', null])
  const [stored] = await api.sql<{ body: string }[]>`select body from message`
  assert.match(stored!.body, /492039/, 'the message is kept for the next attempt')
  assert.equal(errors.length, 3)
  assert.doesNotMatch(errors.join(), /492039|eva@|mail-password/)
  mailRefusal = undefined
  await sendMessages(api.sql, senders)
  assert.equal(mails.length, 1)
  const [sent] = await outbox()
  assert.deepEqual([sent!.attempts, sent!.lastError, sent!.body], [4, null, null])
})

test('there are at most five attempts', async () => {
  gatewayStatus = 500
  await queueMessage(api.sql, sms)
  for (let round = 0; round < 7; round++) {
    await sendMessages(api.sql, senders)
    await makeDue()
  }
  assert.equal(texts.length, 5)
  const [message] = await outbox()
  assert.equal(message!.lastError, 'The SMS gateway answered 500.')
  assert.doesNotMatch(JSON.stringify(message!.lastError), /123456/)
})

test('every attempt has the same key, and a redirect is not followed', async () => {
  gatewayStatus = 307
  await queueMessage(api.sql, sms)
  await sendMessages(api.sql, senders)
  await makeDue()
  gatewayStatus = 200
  await sendMessages(api.sql, senders)
  assert.equal(texts.length, 2)
  assert.equal(texts[0]!.key, texts[1]!.key)
  assert.ok((await outbox())[0]!.sentAt !== null)
})

test('a wrong mail password is reported without its value', async () => {
  const wrong = createSenders(
    readSettings({
      FORDRA_SMTP_URL: `smtp://fordra:another-password@127.0.0.1:${serverPort(mail.server)}`,
      FORDRA_MAIL_FROM: 'no-reply@agency.example',
    }),
  )
  await queueMessage(api.sql, code)
  await sendMessages(api.sql, wrong)
  assert.equal((await outbox())[0]!.lastError, 'EAUTH 535')
})

test('a failing mail server does not delay text messages', async () => {
  mailRefusal = new Error('no')
  await queueMessage(api.sql, code)
  await queueMessage(api.sql, sms)
  await sendMessages(api.sql, senders)
  assert.deepEqual([mails.length, texts.length], [0, 1])
})

test('several nodes send each message once', async () => {
  for (let count = 0; count < 12; count++) await queueMessage(api.sql, { ...sms, secret: `10000${count}` })
  await Promise.all([1, 2, 3, 4].map(() => sendMessages(api.sql, senders)))
  assert.equal(texts.length, 12)
  assert.equal(new Set(texts.map(({ body }) => JSON.stringify(body))).size, 12)
})

test('an expired message is not sent, not shown, and emptied', async () => {
  await queueMessage(api.sql, code)
  await api.sql`update message set expires_at = now() - interval '1 second'`
  await sendMessages(api.sql, senders)
  assert.equal(mails.length, 0)
  assert.equal((await outbox())[0]!.body, null)
  await purgeMessages(api.sql)
  const [row] = await api.sql`select body, next_try_at = 'infinity' as "isOut" from message`
  assert.deepEqual({ ...row }, { body: null, isOut: true }, 'and nobody looks at it again')
  await api.sql`update message set created_at = now() - interval '31 days'`
  await purgeMessages(api.sql)
  assert.equal((await outbox()).length, 0)
})

test('listMessages: without a mail server, messages wait in the outbox, newest first, and can be filtered', async () => {
  await queueMessage(api.sql, code)
  await queueMessage(api.sql, { ...sms, languageCode: 'xx' })
  await sendMessages(api.sql, createSenders(readSettings({})))
  const all = await outbox()
  assert.deepEqual(
    all.map(({ channel, languageCode, attempts }) => [channel, languageCode, attempts]),
    [
      ['sms', 'en', 0],
      ['email', 'sv', 0],
    ],
  )
  assert.deepEqual(
    all.map(({ body }) => body),
    [null, null],
    'nobody reads the codes of others',
  )
  assert.equal(
    (await outbox("?$filter=recipient%20eq%20'eva@agency.example'%20and%20sentAt%20eq%20null")).length,
    1,
  )
  assert.equal((await outbox('?$orderby=createdAt&$top=1'))[0]!.channel, 'email')
  // Filters must not reveal the text.
  const guess = await api.call('GET', "/system/outbox?$filter=contains(body,'492039')")
  assertProblem(guess, 'invalid', /body/)
})

test('listMessages needs an administrator', async () => {
  for (const role of [3, 4, 5, 6, 11, 14] as const) {
    const answer = await api.call('GET', '/system/outbox', { token: await api.signIn(role) })
    assertProblem(answer, 'forbidden', /system\.admin/)
  }
  assert.equal((await api.call('GET', '/system/outbox', { token: null })).status, 401)
})

test('every text exists in every language and has its secret', () => {
  for (const language of languages) {
    for (const kind of messageKinds) {
      const values = { secret: '$&-secret', minutes: 600, agency: '$&-agency' }
      const { subject, body } = composeMessage(kind, language, values)
      assert.ok(subject.length > 3)
      assert.match(body, /\$&-secret/)
      assert.match(body, kind === 'invitation' ? /\$&-agency[^]*\b10\b/ : /\b600\b/)
      assert.doesNotMatch(body, /[{}]/)
    }
  }
  assert.deepEqual(['nb', 'nn', 'sv', 'fr', null].map(resolveLanguage), ['no', 'no', 'sv', 'en', 'en'])
})

test('the service does not start with a mail server but no sender', () => {
  assert.throws(() => readSettings({ FORDRA_SMTP_URL: 'smtp://localhost' }), /FORDRA_MAIL_FROM/)
  assert.throws(() => readSettings({ FORDRA_SECRET_KEY: 'c2hvcnQ=' }), /FORDRA_SECRET_KEY/)
})
