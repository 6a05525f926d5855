/** What leaves the outbox, and what waits there, over HTTP and through the sender. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Document } from '../../../contract/collection/documents.ts'
import type { CasePermissions } from '../../../contract/cases/permissions.ts'
import type { Message } from '../../../contract/platform/messages.ts'
import { addCaseDebtor } from '../../cases/case-debtors.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { queueEmail, queueLetters } from '../../platform/messages/messages.store.ts'
import { sendMessages, type SendMessage } from '../../platform/messages/send.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'
import { agencyCaller, contextOn, makeDebtor, openCases } from '../../testing/records/cases.ts'
import { strategyCaller } from '../strategies/strategy-caller.ts'
import { createContactGate } from './contact-gate.ts'
import type { LetterData } from './letter-data.ts'
import { writeLetters } from './write-letter.ts'

const today = '2026-06-15'
let api: TestApi
let at: Awaited<ReturnType<typeof openCases>>
let sent: string[] = []
const sender: SendMessage = ({ recipient }) => {
  sent.push(recipient)
  return Promise.resolve()
}
before(async () => {
  api = await startApi()
  at = await openCases(api)
  await api.sql`update party set letters_by_email = true, country_code = 'SE'`
})
after(() => api.close())

/** Sends what is due, as at an instant of the clock on the wall. */
async function send(now = '2026-06-15T10:00:00Z') {
  sent = []
  await api.sql`update message set next_try_at = now() where sent_at is null`
  const ask = createContactGate(api.sql, { today: () => today, now: () => new Date(now) })
  const failures: Error[] = []
  await sendMessages(
    api.sql,
    { email: sender, sms: sender, letter: sender },
    (error) => failures.push(error),
    ask,
  )
  assert.deepEqual(failures, [])
  return sent
}
const change = (debtorGuid: string, body: object) => api.call('PATCH', `/debtors/${debtorGuid}`, { body })
const state = (debtorGuid: string) =>
  api.call<Document>('POST', `/debtors/${debtorGuid}/documents`, { body: {} })
const outbox = async (debtorGuid: string) => {
  const { body } = await api.call<{ value: Message[] }>('GET', '/system/outbox')
  const rows = await api.sql<{ id: string }[]>`select id from message where debtor_id = ${debtorGuid}`
  return body.value.filter(({ messageGuid }) => rows.some(({ id }) => id === messageGuid))
}
async function open(debtor: object = {}) {
  const made = await at.register()
  const email = `d${made.debtorGuid.slice(-8)}@example.com`
  await change(made.debtorGuid, { email, ...debtor })
  return { ...made, email }
}
const mail = (debtorGuid: string, recipient: string) =>
  queueEmail(api.sql, { recipient, languageCode: 'sv', subject: 'Hej', text: 'Hej', debtorGuid })
const permissions = async ({ debtorGuid, caseGuid }: { debtorGuid: string; caseGuid: string }) => {
  const { body } = await api.call<CasePermissions>(
    'GET',
    `/debtors/${debtorGuid}/cases/${caseGuid}/permissions`,
  )
  return body.contacts
}

test('a debtor who refuses e-mail gets letters by post, and a service’s e-mail is held until the consent changes', async () => {
  const one = await open()
  const { body: letter } = await state(one.debtorGuid)
  await queueLetters(api.sql, [letter.documentGuid])
  await mail(one.debtorGuid, one.email)
  await change(one.debtorGuid, { emailConsent: 'refused' })
  await send()
  // The letter is posted in the same or the next round.
  await send()
  const messages = await outbox(one.debtorGuid)
  const byKind = (kind: string) => messages.find((message) => message.kind === kind)!
  assert.deepEqual([byKind('letter').channel, byKind('letter').sentAt === null], ['letter', false])
  assert.deepEqual(
    [byKind('service').sentAt, byKind('service').heldReason, byKind('service').heldUntil],
    [null, 'optOut', null],
  )
  const told = (await permissions(one)).map(({ channel, reasonCode, recipient }) => [
    channel,
    reasonCode,
    recipient,
  ])
  assert.deepEqual(told, [
    ['telephone', null, 'debtor'],
    ['sms', null, 'debtor'],
    ['email', 'optOut', 'debtor'],
    ['letter', null, 'debtor'],
  ])
  await change(one.debtorGuid, { emailConsent: 'GIVEN' })
  assert.deepEqual(await send(), [one.email])
  assert.equal((await outbox(one.debtorGuid)).find(({ kind }) => kind === 'service')!.heldReason, null)
})

test('a held message keeps its place in the queue and does not expire', async () => {
  const one = await open({ emailConsent: 'REFUSED' })
  await mail(one.debtorGuid, one.email)
  for (let round = 0; round < 7; round++) assert.deepEqual(await send(), [])
  const [row] = await api.sql<{ attempts: number; late: boolean }[]>`
    select attempts, expires_at > now() + interval '29 days' as late from message where debtor_id = ${one.debtorGuid}`
  assert.deepEqual(row, { attempts: 0, late: true })
})

test('a held message is asked again after as long as it has waited, at least an hour and at most a day or a tenth of that time', async () => {
  const one = await open({ emailConsent: 'REFUSED' })
  await mail(one.debtorGuid, one.email)
  for (const [age, wait] of [
    [0, 1],
    [5, 5],
    [90, 24],
    [1200, 120],
  ] as const) {
    const [{ then }] = await api.sql<[{ then: string }]>`
      update message set created_at = now() - ${age} * interval '1 hour' where debtor_id = ${one.debtorGuid}
      returning now()::text as then`
    await send()
    const [{ isRight }] = await api.sql<[{ isRight: boolean }]>`
      select next_try_at - ${wait} * interval '1 hour' between ${then}::timestamptz
        and now() + (now() - ${then}::timestamptz) as "isRight" from message where debtor_id = ${one.debtorGuid}`
    assert.ok(isRight, `after ${age} hours`)
  }
})

const isDue = async ({ debtorGuid }: { debtorGuid: string }) => {
  const rows = await api.sql<{ isDue: boolean }[]>`
    select next_try_at <= now() as "isDue" from message where debtor_id = ${debtorGuid}`
  return rows.map((row) => row.isDue)
}

test('a change of the contact data makes the held messages of the debtor due, another change does not', async () => {
  const one = await open({ emailConsent: 'REFUSED' })
  const other = await open({ emailConsent: 'REFUSED' })
  for (const { debtorGuid, email } of [one, other]) await mail(debtorGuid, email)
  await send()
  await change(one.debtorGuid, { languageCode: 'en' })
  assert.deepEqual(await isDue(one), [false])
  await change(one.debtorGuid, { emailConsent: 'GIVEN' })
  assert.deepEqual([await isDue(one), await isDue(other)], [[true], [false]])
  assert.deepEqual(await send(), [one.email])
})

test('of debtors that change at the same time each has its own held messages made due', async () => {
  const held = await Promise.all([1, 2, 3].map(() => open({ emailConsent: 'REFUSED' })))
  const free = await open()
  for (const { debtorGuid, email } of held) await mail(debtorGuid, email)
  await send()
  const changed = [held[0]!, free, held[2]!]
  await Promise.all(changed.map(({ debtorGuid }) => change(debtorGuid, { phoneConsent: 'GIVEN' })))
  assert.deepEqual(await Promise.all(held.map(isDue)), [[true], [false], [true]])
})

test('a letter about a minor goes to the guardian on record; without one it is refused with the reason', async () => {
  const minor = await open({ dateOfBirth: '2012-05-05T00:00:00Z' })
  assertProblem(
    await state(minor.debtorGuid),
    'unprocessable',
    /under 18 and has no guardian.*Debtors under 18/,
  )
  const guardian = await open({ languageCode: 'sv' })
  await addCaseDebtor(
    api.sql,
    agencyCaller,
    { caseGuid: minor.caseGuid, input: { debtorGuid: guardian.debtorGuid, debtorRole: 'GUARDIAN' } },
    contextOn(today),
  )
  const { body: letter } = await state(minor.debtorGuid)
  const [row] = await api.sql<
    { data: LetterData }[]
  >`select data from document where id = ${letter.documentGuid}`
  const { body: to } = await api.call<{ fullName: string }>('GET', `/debtors/${guardian.debtorGuid}`)
  const { body: child } = await api.call<{ fullName: string }>('GET', `/debtors/${minor.debtorGuid}`)
  assert.equal(row!.data.recipient[0], to.fullName)
  assert.equal(row!.data.recipient.at(-1), `Angående ${child.fullName}`)
  await queueLetters(api.sql, [letter.documentGuid])
  assert.deepEqual(await send(), [guardian.email])
  for (const { recipient, recipientGuid } of await permissions(minor))
    assert.deepEqual([recipient, recipientGuid], ['guardian', guardian.debtorGuid])
})

test('a letter written before anybody knew that the debtor is a minor or dead is held', async () => {
  const one = await open()
  const { body: letter } = await state(one.debtorGuid)
  await queueLetters(api.sql, [letter.documentGuid])
  await change(one.debtorGuid, { dateOfBirth: '2012-05-05T00:00:00Z' })
  assert.deepEqual(await send(), [])
  assert.equal((await outbox(one.debtorGuid))[0]!.heldReason, 'minor')
  const dead = await open()
  await mail(dead.debtorGuid, dead.email)
  await api.call('PATCH', `/system/forms/case/hold?id=${dead.caseGuid}`, {
    body: { reason: 'HOLD_DECEASED' },
  })
  assert.deepEqual(await send(), [])
  assert.equal((await outbox(dead.debtorGuid))[0]!.heldReason, 'deceased')
  assertProblem(await state(dead.debtorGuid), 'unprocessable', /dead/)
})

test('a protected identity’s address is printed nowhere; the authority’s is', async () => {
  const one = await open({ protectedIdentity: true })
  assertProblem(await state(one.debtorGuid), 'unprocessable', /protected identity/)
  await change(one.debtorGuid, { forwardingAddress: 'Skatteverket, Box 2820, 403 20 Göteborg' })
  const { body: letter } = await state(one.debtorGuid)
  const [row] = await api.sql<
    { data: LetterData }[]
  >`select data from document where id = ${letter.documentGuid}`
  assert.deepEqual(row!.data.recipient.slice(1), ['Skatteverket', 'Box 2820', '403 20 Göteborg'])
})

test('more contacts than the settings allow within a week wait, and say until when', async () => {
  const settings = (body: object) => api.call('PATCH', '/system/forms/systemsettings/edit', { body })
  await settings({ contactsPerWeek: 1 })
  const one = await open()
  await mail(one.debtorGuid, one.email)
  await send(new Date().toISOString())
  await mail(one.debtorGuid, one.email)
  assert.deepEqual(await send(new Date().toISOString()), [])
  const waiting = (await outbox(one.debtorGuid)).find(({ sentAt }) => sentAt === null)!
  assert.equal(waiting.heldReason, 'frequency')
  assert.ok(Date.parse(waiting.heldUntil!) > Date.now() + 6 * 86_400_000)
  const [call] = await permissions(one)
  assert.deepEqual(
    [call!.allowed, call!.reasonCode, call!.timeZone],
    [false, 'frequency', 'Europe/Stockholm'],
  )
  await settings({ contactsPerWeek: 2 })
  assert.deepEqual(await send(new Date().toISOString()), [one.email])
  await api.sql`update system_setting set settings = settings - 'contactsPerWeek'`
})

test('a logged call that reached the debtor counts within the week, for calls and messages', async () => {
  await api.call('PATCH', '/system/forms/systemsettings/edit', { body: { contactsPerWeek: 2 } })
  const one = await open()
  const log = async (body: object) => {
    const { status, text } = await api.call('POST', `/cases/${one.caseGuid}/calls`, { body })
    assert.equal(status, 201, text)
  }
  const telephone = async () => (await permissions(one))[0]!
  await log({ outcome: 'REACHED', rightParty: true })
  await log({ outcome: 'NO_ANSWER' })
  await log({ outcome: 'REACHED', rightParty: false })
  await log({ outcome: 'REACHED', rightParty: true, inbound: true })
  assert.equal((await telephone()).allowed, true)
  await log({ outcome: 'CALL_BACK', rightParty: true })
  const { channel, allowed, reasonCode, from } = await telephone()
  assert.deepEqual([channel, allowed, reasonCode], ['telephone', false, 'frequency'])
  assert.ok(Date.parse(from!) > Date.now() + 6 * 86_400_000)
  await mail(one.debtorGuid, one.email)
  assert.deepEqual(await send(new Date().toISOString()), [])
  await api.sql`update phone_call set created_at = now() - interval '7 days' where debtor_id = ${one.debtorGuid}`
  assert.equal((await telephone()).allowed, true)
  assert.deepEqual(await send(new Date().toISOString()), [one.email])
  await api.sql`update system_setting set settings = settings - 'contactsPerWeek'`
})

test('a consent or time zone that nobody knows is refused', async () => {
  const { debtorGuid } = await open()
  const answer = await change(debtorGuid, { smsConsent: 'PERHAPS', timeZone: 'Mars/Olympus' })
  assertProblem(answer, 'invalid', /smsConsent/)
  assertProblem(answer, 'invalid', /timeZone/)
})

test('a letter demands no more than what the debtor does not dispute', async () => {
  const { debtorGuid, caseGuid } = await at.register({ principal: 1000, interest: 50 })
  const body = { matter: 'OBJECTION', reason: 'Broken.', amount: 1020 }
  const made = await api.call('POST', `/system/forms/objection/create?id=${caseGuid}`, { body })
  assert.ok(made.status < 300, made.text)
  const request = { debtorGuid, caseGuid, kind: 'demand', language: 'en', dueDate: '2026-06-30' } as const
  const [documentGuid] = await inTransaction(api.sql, (tx) =>
    writeLetters(tx, strategyCaller, [request], contextOn(today).origin),
  )
  const [row] = await api.sql<{ data: LetterData }[]>`select data from document where id = ${documentGuid!}`
  const [{ principal, interest } = { principal: '', interest: '' }] = row!.data.cases
  assert.deepEqual([principal, interest], ['0.00', '30.00'])
  assert.match(row!.data.after[0]!, /dispute 1,020\.00 SEK/)
})

test('a debtor stays dead when the claim on which it was recorded is taken back', async () => {
  const one = await open()
  const other = await at.register({ debtorGuid: one.debtorGuid })
  const { body: letter } = await state(one.debtorGuid)
  await queueLetters(api.sql, [letter.documentGuid])
  const patch = (form: string, body: object) =>
    api.call('PATCH', `/system/forms/${form}?id=${one.caseGuid}`, { body })
  assert.equal((await patch('case/hold', { reason: 'HOLD_DECEASED' })).status, 200)
  assert.equal((await patch('case/close', { closureCode: 'RECALLED_BY_CLIENT' })).status, 200)
  assert.deepEqual(await send(), [])
  assert.equal((await outbox(one.debtorGuid))[0]!.heldReason, 'deceased')
  const { body } = await api.call<CasePermissions>(
    'GET',
    `/debtors/${one.debtorGuid}/cases/${other.caseGuid}/permissions`,
  )
  const demand = body.actions.find(({ action }) => action === 'letter:demand')!
  assert.deepEqual([demand.allowed, demand.reasonCode], [false, 'deceased'])
})

test('a message goes to the address on record when it leaves, and waits when there is none any more', async () => {
  const one = await open()
  await mail(one.debtorGuid, 'stranger@example.com')
  assert.deepEqual(await send(), [one.email])
  await mail(one.debtorGuid, one.email)
  await change(one.debtorGuid, { email: '' })
  assert.deepEqual(await send(), [])
  assert.equal((await outbox(one.debtorGuid))[0]!.heldReason, 'noAddress')
  await change(one.debtorGuid, { email: 'new@example.com' })
  assert.deepEqual(await send(), ['new@example.com'])
  assert.equal((await outbox(one.debtorGuid))[0]!.recipient, 'new@example.com')
})

test('an e-mailed letter is posted when the debtor has no address any more', async () => {
  const one = await open()
  const { body: letter } = await state(one.debtorGuid)
  await queueLetters(api.sql, [letter.documentGuid])
  await change(one.debtorGuid, { email: '' })
  await send()
  await send()
  const [message] = await outbox(one.debtorGuid)
  assert.deepEqual([message!.channel, message!.heldReason, message!.sentAt === null], ['letter', null, false])
})

test('a letter that bears the address of what is now a protected identity is held', async () => {
  const home = {
    street: 'Hemliga gatan',
    houseNo: '1',
    zipCode: '11122',
    city: 'Stockholm',
    countryCode: 'SE',
  }
  const email = 'hidden@example.com'
  const one = await at.register({ debtorGuid: await makeDebtor(api, { ...home, email }) })
  const { body: letter } = await state(one.debtorGuid)
  await queueLetters(api.sql, [letter.documentGuid])
  const forwardingAddress = 'Skatteverket, Box 2820, 403 20 Göteborg'
  await change(one.debtorGuid, { protectedIdentity: true, forwardingAddress, emailConsent: 'GIVEN' })
  assert.deepEqual(await send(), [])
  assert.equal((await outbox(one.debtorGuid))[0]!.heldReason, 'protectedIdentity')
  const { body: again } = await state(one.debtorGuid)
  await queueLetters(api.sql, [again.documentGuid])
  assert.deepEqual(await send(), [email])
})

test('an e-mail and a text message that are due together do not use the same permission', async () => {
  await api.call('PATCH', '/system/forms/systemsettings/edit', { body: { contactsPerWeek: 1 } })
  const debtors = await Promise.all(Array.from({ length: 5 }, () => open({ cellularPhone: '070-174 06 05' })))
  for (const { debtorGuid, email } of debtors) {
    await mail(debtorGuid, email)
    const body = { kind: 'statement', channel: 'sms' }
    assert.equal((await api.call('POST', `/debtors/${debtorGuid}/letters`, { body })).status, 201)
  }
  assert.equal((await send(new Date().toISOString())).length, debtors.length)
  await api.sql`update system_setting set settings = settings - 'contactsPerWeek'`
})

test('a message that was certainly refused does not count as a contact; one that may have arrived does', async () => {
  await api.call('PATCH', '/system/forms/systemsettings/edit', { body: { contactsPerWeek: 1 } })
  const attempt = async (error: Error) => {
    const one = await open()
    await mail(one.debtorGuid, one.email)
    const ask = createContactGate(api.sql, { today: () => today })
    await sendMessages(api.sql, { email: () => Promise.reject(error) }, () => {}, ask)
    return (await permissions(one))[0]!.allowed
  }
  assert.equal(await attempt(Object.assign(new Error('Refused'), { responseCode: 550 })), true)
  assert.equal(await attempt(Object.assign(new Error('Cut off'), { code: 'ECONNRESET' })), false)
  await api.sql`update system_setting set settings = settings - 'contactsPerWeek'`
})
