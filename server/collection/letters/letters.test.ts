/** Letters that a person writes: previewed, sent, refused and withdrawn over HTTP. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Document } from '../../../contract/collection/documents.ts'
import type { LetterImage, LetterOptions } from '../../../contract/collection/letters.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'
import { makeId } from '../../platform/database/make-id.ts'
import { openSwedishCases } from '../../testing/records/cases.ts'
import { sendMessages, type SendMessage } from '../../platform/messages/send.ts'
import { createContactGate } from './contact-gate.ts'
import type { LetterData } from './letter-data.ts'

let api: TestApi
let at: Awaited<ReturnType<typeof openSwedishCases>>
before(async () => {
  api = await startApi()
  at = await openSwedishCases(api)
})
after(() => api.close())

interface Opened {
  debtorGuid: string
  caseGuid: string
}
async function open(debtor: object = {}): Promise<Opened> {
  const made = await at.register({ dueDate: '2026-05-15' })
  const answer = await api.call('PATCH', `/debtors/${made.debtorGuid}`, { body: debtor })
  assert.equal(answer.status, 200, answer.text)
  return made
}
const send = (debtorGuid: string, body: object, token = api.token) =>
  api.call<Document>('POST', `/debtors/${debtorGuid}/letters`, { body, token })
const preview = (debtorGuid: string, body: object) =>
  api.call<LetterImage>('POST', `/debtors/${debtorGuid}/letters/preview`, { body })
const list = async (debtorGuid: string) =>
  (await api.call<{ value: Document[] }>('GET', `/debtors/${debtorGuid}/documents`)).body.value
const withdraw = (documentGuid: string, token = api.token) =>
  api.call('POST', `/documents/${documentGuid}/withdraw`, { token })
const options = async ({ debtorGuid, caseGuid }: Opened) => {
  const answer = await api.call<LetterOptions>(
    'GET',
    `/debtors/${debtorGuid}/letters/options?caseGuid=${caseGuid}`,
  )
  assert.equal(answer.status, 200, answer.text)
  return (kind: string) => answer.body.letters.find((one) => one.kind === kind)!
}
const statement = { kind: 'statement' }

const now = () => new Date('2026-06-15T10:00:00Z')
const deliver: SendMessage = () => Promise.resolve()

/** Sends what is due, by day. */
async function leave(senders: Partial<Record<'email' | 'sms' | 'letter', SendMessage>> = {}) {
  const taken: string[] = []
  const sender: SendMessage = ({ recipient, body }) => {
    taken.push(`${recipient} ${body}`.trim())
    return Promise.resolve()
  }
  const ask = createContactGate(api.sql, { today: () => '2026-06-15', now })
  await sendMessages(api.sql, { email: sender, sms: sender, letter: sender, ...senders }, () => {}, ask)
  return taken
}

test('a letter is previewed without being stored, then sent by post (previewLetter, sendLetter, getDocumentImage)', async () => {
  const { debtorGuid, caseGuid } = await open({ languageCode: 'sv' })
  const body = { caseGuid, kind: 'reminder', dueDate: '2026-06-30T00:00:00Z' }
  const shown = await preview(debtorGuid, body)
  assert.equal(shown.status, 200)
  assert.deepEqual(
    [shown.body.channel, shown.body.languageCode, shown.body.title],
    ['letter', 'sv', 'Påminnelse'],
  )
  assert.match(shown.body.image!, /^<svg /)
  assert.doesNotMatch(shown.body.image!, /<script|href="http/)
  assert.match(shown.body.text, /1\s000,00 SEK/)
  assert.deepEqual(await list(debtorGuid), [])
  const made = await send(debtorGuid, body)
  assert.equal(made.status, 201, made.text)
  const { channel, state, title, dueDate, caseNumber, sentAt, createdBy } = made.body
  assert.deepEqual(
    [channel, state, title, dueDate, sentAt],
    ['letter', 'WAITING', 'Påminnelse', '2026-06-30T00:00:00Z', null],
  )
  assert.ok(caseNumber && createdBy)
  const stored = await api.call<LetterImage>('GET', `/documents/${made.body.documentGuid}/image`)
  assert.deepEqual(stored.body, shown.body)
  await leave()
  const [sent] = await list(debtorGuid)
  assert.deepEqual([sent!.state, sent!.sentAt === null], ['SENT', false])
})

test('by e-mail only where the debtor and the client allow it; the options say why not (getLetterOptions)', async () => {
  const one = await open({ email: 'anna@example.com' })
  const email = async (kind: string) =>
    (await options(one))(kind).channels.find((c) => c.channel === 'email')!
  assert.match((await email('statement')).reason!, /client does not allow e-mail/)
  const refused = await send(one.debtorGuid, { ...statement, channel: 'email' })
  assertProblem(refused, 'unprocessable', /client does not allow e-mail/)
  await api.sql`update party set letters_by_email = true`
  assert.deepEqual([(await email('statement')).allowed, (await email('legal')).allowed], [true, false])
  assert.match((await email('legal')).reason!, /on paper/)
  const made = await send(one.debtorGuid, statement)
  assert.deepEqual([made.body.channel, made.body.caseGuid], ['email', null])
  assert.match((await leave())[0]!, /^anna@example\.com /)
  await api.call('PATCH', `/debtors/${one.debtorGuid}`, { body: { emailConsent: 'REFUSED' } })
  assert.equal((await options(one))('statement').channel, 'letter')
  const optedOut = await send(one.debtorGuid, { ...statement, channel: 'email' })
  assertProblem(optedOut, 'unprocessable', /refused this channel/)
  await api.sql`update party set letters_by_email = null`
})

test('an SMS has the amount, account and reference of a statement, and is no other letter', async () => {
  const one = await open({ cellularPhone: '+46701740605', languageCode: 'en' })
  const made = await send(one.debtorGuid, { ...statement, caseGuid: one.caseGuid, channel: 'sms' })
  assert.equal(made.status, 201, made.text)
  assert.match(made.body.text!, /Amount: 1,000\.00 SEK\. Account: 5050-1055\. Payment reference: \d+/)
  const [row] = await api.sql<{ data: LetterData }[]>`
    select data from document where id = ${made.body.documentGuid}`
  assert.deepEqual([row!.data.cases, row!.data.payment], [[], []])
  const taken = await leave()
  assert.ok(
    taken.some((message) => message === `+46701740605 ${made.body.text!}`),
    taken.join(),
  )
  assert.equal((await list(one.debtorGuid))[0]!.text, made.body.text)
  const reminder = { caseGuid: one.caseGuid, kind: 'reminder', channel: 'sms' }
  assertProblem(await send(one.debtorGuid, reminder), 'unprocessable', /Only a statement/)
  const silent = await open()
  assertProblem(
    await send(silent.debtorGuid, { ...statement, channel: 'sms' }),
    'unprocessable',
    /No mobile number/,
  )
})

test('what only has to wait is accepted, held, and says from when', async () => {
  await api.call('PATCH', '/system/forms/systemsettings/edit', { body: { contactsPerWeek: 1 } })
  const one = await open({ cellularPhone: '+46701740606' })
  const sms = { ...statement, channel: 'sms' }
  await send(one.debtorGuid, sms)
  await leave()
  const option = (await options(one))('statement').channels.find(({ channel }) => channel === 'sms')!
  assert.equal(option.allowed, true)
  assert.match(option.reason!, /as often as the settings allow/)
  assert.ok(Date.parse(option.from!) > Date.now() + 6 * 86_400_000)
  const { body: made } = await send(one.debtorGuid, sms)
  await api.sql`update message set next_try_at = now() where sent_at is null`
  await sendMessages(
    api.sql,
    { sms: deliver },
    () => {},
    createContactGate(api.sql, { today: () => '2026-06-15' }),
  )
  const held = (await list(one.debtorGuid)).find(({ documentGuid }) => documentGuid === made.documentGuid)!
  assert.deepEqual([held.state, held.heldReason], ['HELD', 'frequency'])
  assert.ok(Date.parse(held.sendsAt!) > Date.now())
  await api.sql`update system_setting set settings = settings - 'contactsPerWeek'`
})

test('the law refuses a letter with its rule and the day from which it is allowed', async () => {
  const one = await open()
  await api.sql`update debt_case set governing_country = 'NO' where id = ${one.caseGuid}`
  const demand = (await options(one))('demand')
  assert.equal(demand.allowed, false)
  assert.match(demand.rule!, /^NO-/)
  const body = { caseGuid: one.caseGuid, kind: 'demand', dueDate: '2026-07-15T00:00:00Z' }
  for (const ask of [send, preview]) {
    const answer = await ask(one.debtorGuid, body)
    assertProblem(answer, 'unprocessable', /Demand after the deadline of the notice/)
    assert.equal((answer.body as unknown as { rule?: string }).rule, demand.rule)
  }
  const notice = (await options(one))('notice')
  const early = { caseGuid: one.caseGuid, kind: 'notice', dueDate: '2026-06-16T00:00:00Z' }
  assertProblem(await send(one.debtorGuid, early), 'unprocessable', /deadline of at least/)
  const sent = await send(one.debtorGuid, { ...early, dueDate: notice.dueDate })
  assert.equal(sent.status, 201, sent.text)
  const waiting = (await options(one))('demand')
  assert.equal(waiting.allowed, false)
  assert.ok(Date.parse(waiting.from!) > Date.parse('2026-06-15'), JSON.stringify(waiting))
})

test('a waiting letter is withdrawn, one that somebody has tried to send is not (withdrawLetter)', async () => {
  const { debtorGuid } = await open({ cellularPhone: '+46701740607' })
  const sms = { ...statement, channel: 'sms' }
  const { body: waiting } = await send(debtorGuid, { ...sms, delayMinutes: 10 })
  assert.ok(Date.parse(waiting.sendsAt!) > Date.now() + 5 * 60_000)
  assert.deepEqual(
    (await leave()).filter((message) => message.startsWith('+46701740607')),
    [],
  )
  assert.equal((await withdraw(waiting.documentGuid)).status, 200)
  assert.deepEqual(await list(debtorGuid), [])
  assertProblem(await withdraw(waiting.documentGuid), 'not-found', /document/)
  const { body: tried } = await send(debtorGuid, sms)
  await leave({ sms: () => Promise.reject(new Error('down')) })
  assertProblem(await withdraw(tried.documentGuid), 'conflict', /may have left already/)
  const { body: written } = await api.call<Document>('POST', `/debtors/${debtorGuid}/documents`, { body: {} })
  assertProblem(await withdraw(written.documentGuid), 'conflict', /never handed over/)
})

test('wrong input is refused by member, and cases of others are not found', async () => {
  const { debtorGuid, caseGuid } = await open()
  const stranger = await open()
  const refused = async (body: object, path: RegExp) =>
    assertProblem(await send(debtorGuid, body), 'invalid', path)
  await refused({}, /kind/)
  await refused({ kind: 'ransom' }, /kind/)
  await refused({ kind: 'reminder' }, /caseGuid/)
  await refused({ kind: 'demand', caseGuid }, /dueDate/)
  await refused({ kind: 'reminder', caseGuid, dueDate: '2026-06-14T00:00:00Z' }, /dueDate/)
  await refused({ ...statement, channel: 'pigeon' }, /channel/)
  await refused({ ...statement, languageCode: 'fr' }, /languageCode/)
  assertProblem(await send(debtorGuid, { ...statement, caseGuid: stranger.caseGuid }), 'not-found', /case/)
  await api.call('PATCH', `/system/forms/case/close?id=${caseGuid}`, {
    body: { closureCode: 'RECALLED_BY_CLIENT' },
  })
  const closed = { kind: 'surveillance', caseGuid }
  assertProblem(await send(debtorGuid, closed), 'unprocessable', /closed/)
})

test('a creditor sends nothing, and a user of another client sees none of it', async () => {
  const { debtorGuid, caseGuid } = await open()
  const creditor = await api.signIn(6, at.client)
  assertProblem(await send(debtorGuid, statement, creditor), 'forbidden', /./)
  const { body: made } = await send(debtorGuid, { ...statement, caseGuid })
  const other = await api.signIn(6, at.other)
  const group = makeId()
  await api.sql`insert into access_group (id, code, name, access_codes)
    values (${group}, 'LETTERS', 'Letters', '{case.read,case.write,debtor.read}')`
  await api.sql`insert into user_access_group
    select id, ${group} from app_user order by created_at desc, id desc limit 1`
  assertProblem(await send(debtorGuid, statement, other), 'not-found', /debtor/)
  assertProblem(await withdraw(made.documentGuid, other), 'not-found', /document/)
  // A statement tells a restricted user only of their own clients' cases.
  const shared = await at.register({ debtorGuid, clientGuid: at.other, principal: 77 })
  const { body: own } = await send(debtorGuid, statement, other)
  const [row] = await api.sql<
    { data: LetterData }[]
  >`select data from document where id = ${own.documentGuid}`
  assert.deepEqual(
    row!.data.cases.map(({ number }) => number),
    [shared.caseNumber],
  )
  assertProblem(await send(debtorGuid, { ...statement, caseGuid }, other), 'not-found', /case/)
})
