import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Message } from '../../contract/messages.ts'
import { agencyCaller, context, openCases, today } from '../cases/cases-for-tests.ts'
import { queueLetters } from '../messages/messages.store.ts'
import { sendMessages } from '../messages/send.ts'
import { startApi, type TestApi } from '../testing/api.ts'
import { createLetterSender } from './spool.ts'
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

test('a letter waits in the outbox, and is written whole into the folder, once', async () => {
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

test('a folder that cannot be written to leaves the letter waiting, with the reason', async () => {
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
let second: TestApi | undefined
async function startSecond(): Promise<TestApi> {
  return (second = await startApi())
}
