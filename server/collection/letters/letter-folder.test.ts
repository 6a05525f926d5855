import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { SMTPServer } from 'smtp-server'
import type { Message } from '../../../contract/platform/messages.ts'
import { agencyCaller, context, openCases, today } from '../../testing/records/cases.ts'
import { queueLetters } from '../../platform/messages/messages.store.ts'
import { readSettings } from '../../platform/config.ts'
import { createSenders, sendMessages } from '../../platform/messages/send.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { createLetterSender, createAttachmentReader } from './letter-folder.ts'
import { readPdf, writeLetter } from './write-letter.ts'

let api: TestApi
let folder: string
before(async () => {
  api = await startApi()
  folder = await mkdtemp(join(tmpdir(), 'fordra-letters-'))
})
after(async () => {
  await api.close()
  await second?.close()
  await rm(folder, { recursive: true })
})

const outbox = async () => (await api.call<{ value: Message[] }>('GET', '/system/outbox')).body.value

test('a letter waits in the outbox and is then written completely to the folder, once', async () => {
  const { register } = await openCases(api)
  const { debtorGuid, caseGuid } = await register()
  const request = { debtorGuid, caseGuid, kind: 'demand', language: null, dueDate: today } as const
  const documentGuid = await writeLetter(api.sql, agencyCaller, request, context.origin)
  await queueLetters(api.sql, [documentGuid])
  await sendMessages(api.sql, {})
  const [waiting] = await outbox()
  assert.deepEqual(
    [waiting!.channel, waiting!.sentAt, waiting!.subject],
    ['letter', null, 'Demand for payment'],
  )
  const senders = { letter: createLetterSender(api.sql, join(folder, 'out')) }
  await sendMessages(api.sql, senders)
  await sendMessages(api.sql, senders)
  const files = await readdir(join(folder, 'out'))
  assert.deepEqual(files, [`${documentGuid}.pdf`])
  const file = join(folder, 'out', files[0]!)
  assert.ok((await readFile(file)).equals(await readPdf(api.sql, documentGuid)))
  assert.equal((await stat(file)).mode & 0o077, 0, 'nobody else may read it')
  assert.ok((await outbox())[0]!.sentAt)
})

test('a letter waits with the reason while its folder cannot be written to', async () => {
  const other = await startSecond()
  const { register } = await openCases(other)
  const { debtorGuid, caseGuid } = await register()
  const request = { debtorGuid, caseGuid, kind: 'demand', language: null, dueDate: today } as const
  const documentGuid = await writeLetter(other.sql, agencyCaller, request, context.origin)
  await queueLetters(other.sql, [documentGuid])
  await sendMessages(other.sql, { letter: createLetterSender(other.sql, '/dev/null/letters') })
  const [row] = await other.sql`select sent_at, last_error from message`
  assert.deepEqual({ ...row }, { sent_at: null, last_error: 'ENOTDIR' })
})

test('a letter is sent by e-mail when client and debtor allow it, but a notice before legal action is always posted', async () => {
  const other = await startApi()
  try {
    const { client, register } = await openCases(other)
    const send = async (
      kind: 'demand' | 'legal',
      email: string | null,
      byEmail: boolean | null,
      country = 'SE',
    ) => {
      await other.sql`update party set letters_by_email = ${byEmail} where id = ${client}`
      const { debtorGuid, caseGuid } = await register()
      await other.sql`update debtor set email = ${email}, language_code = 'sv', country_code = ${country} where id = ${debtorGuid}`
      const request = { debtorGuid, caseGuid, kind, language: null, dueDate: today } as const
      const documentGuid = await writeLetter(other.sql, agencyCaller, request, context.origin)
      await queueLetters(other.sql, [documentGuid])
      const [message] =
        await other.sql`select channel, recipient, body from message where document_id = ${documentGuid}`
      return message!
    }
    const sent = await send('demand', 'ek@example.com', true)
    assert.deepEqual([sent['channel'], sent['recipient']], ['email', 'ek@example.com'])
    assert.match(sent['body'] as string, /^Ett brev till dig från Agency är bifogat/)
    for (const [kind, email, byEmail] of [
      ['legal', 'ek@example.com', true],
      ['demand', null, true],
      ['demand', 'ek@example.com', false],
      ['demand', 'ek@example.com', null],
    ] as const) {
      const posted = await send(kind, email, byEmail)
      assert.deepEqual([posted['channel'], posted['recipient'], posted['body']], ['letter', 'Gäldenär', null])
    }
    await other.sql`update party set letters_by_email = true where parent_id is null`
    assert.equal((await send('demand', 'ek@example.com', null))['channel'], 'email', 'as the party above')
    const toNorway = await send('demand', 'ola@example.com', true, 'NO')
    assert.equal(toNorway['channel'], 'letter', 'to Norway: on paper')
    await other.sql`update party set country_code = 'NO' where parent_id is null`
    assert.equal((await send('demand', 'ek@example.com', true))['channel'], 'letter', 'Norway: on paper')
    await sendMessages(other.sql, {})
    const posted = await other.sql`select distinct channel, recipient, body from message`
    assert.deepEqual(
      posted.map((row) => ({ ...row })),
      [{ channel: 'letter', recipient: 'Gäldenär', body: null }],
      'without a mail server every letter is posted',
    )
  } finally {
    await other.close()
  }
})

test('an e-mail has the letter attached, and is posted after five failed attempts', async () => {
  const got: string[] = []
  let refuses = false
  const mail = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        if (refuses) return done(new Error('no'))
        got.push(Buffer.concat(chunks).toString())
        done()
      })
    },
  })
  await new Promise<void>((resolve) => mail.listen(0, '127.0.0.1', resolve))
  const other = await startApi()
  try {
    const port = (mail.server.address() as AddressInfo).port
    const settings = readSettings({
      FORDRA_SMTP_URL: `smtp://127.0.0.1:${port}`,
      FORDRA_MAIL_FROM: 'a@agency.example',
    })
    const senders = createSenders(settings, createAttachmentReader(other.sql))
    const { client, register } = await openCases(other)
    await other.sql`update party set letters_by_email = true where id = ${client}`
    const queue = async () => {
      const { debtorGuid, caseGuid } = await register()
      await other.sql`update debtor set email = 'ek@example.com' where id = ${debtorGuid}`
      const request = { debtorGuid, caseGuid, kind: 'demand', language: null, dueDate: today } as const
      const documentGuid = await writeLetter(other.sql, agencyCaller, request, context.origin)
      await queueLetters(other.sql, [documentGuid])
      return documentGuid
    }
    const documentGuid = await queue()
    await sendMessages(other.sql, senders)
    assert.match(got[0]!, /filename="Demand for payment\s+2026-06-15\.pdf"/)
    assert.match(got[0]!, /Message-ID: <[^@]+@agency\.example>/)
    const [, attached] = /Content-Transfer-Encoding: base64\r\n[^]*?\r\n\r\n([A-Za-z0-9+/=\r\n]+)/.exec(
      got[0]!.slice(got[0]!.indexOf('application/pdf')),
    )!
    assert.ok(Buffer.from(attached!, 'base64').equals(await readPdf(other.sql, documentGuid)))
    refuses = true
    const failing = await queue()
    for (let attempt = 0; attempt < 5; attempt++) {
      await other.sql`update message set next_try_at = now()`
      await sendMessages(other.sql, senders)
    }
    const [posted] = await other.sql`
      select channel, recipient, body, attempts from message where document_id = ${failing}`
    assert.deepEqual({ ...posted }, { channel: 'letter', recipient: 'Gäldenär', body: null, attempts: 0 })
  } finally {
    await other.close()
    await new Promise<void>((resolve) => mail.close(resolve))
  }
})

let second: TestApi | undefined
async function startSecond(): Promise<TestApi> {
  return (second = await startApi())
}
