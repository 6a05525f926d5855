/** Files attached to cases, debtors, notes and calls over HTTP: what is taken, who sees it, and what deletes it. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Attachment } from '../../../contract/metadata/attachments.ts'
import type { Page } from '../../platform/database/list.ts'
import { startApi, type Response, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'
import { startSession } from '../../access/sessions/sessions.ts'
import { addPerson } from '../../testing/records/agency-people.ts'
import { openCases, nowhere } from '../../testing/records/cases.ts'
import { purgeDrafts } from './attachments.store.ts'

const pdf = '%PDF-1.7\n1 0 obj << >> endobj\n%%EOF\n'

let api: TestApi
let at: Awaited<ReturnType<typeof openCases>>
/** A user of the client, a handler who is restricted to another one, and one without restriction. */
let [creditor, stranger, colleague] = ['', '', '']
before(async () => {
  api = await startApi({ FORDRA_ATTACHMENT_MB: '1' })
  at = await openCases(api)
  creditor = await api.signIn(7, at.client)
  const { userGuid } = await addPerson(api, 3, { restrictedTo: 'OTHER' })
  stranger = (await startSession(api.sql, userGuid)).tokens.accessToken
  colleague = await api.signIn(3)
})
after(() => api.close())

interface Sent {
  name?: string
  content?: string | Uint8Array<ArrayBuffer>
  more?: string
  token?: string
}
const send = (
  path: string,
  { name = 'contract.pdf', content = pdf, more = '', token = api.token }: Sent = {},
): Promise<Response<Attachment>> =>
  api.call('POST', `${path}/attachments?fileName=${encodeURIComponent(name)}${more}`, {
    raw: content,
    token,
    headers: { 'content-type': 'application/octet-stream' },
  })
const attach = async (path: string, sent: Sent = {}): Promise<Attachment> => {
  const answer = await send(path, sent)
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}
const list = (path: string, token = api.token) =>
  api.call<Page<Attachment>>('GET', `${path}/attachments`, { token })
const names = async (path: string, token = api.token) =>
  (await list(path, token)).body.value.map(({ fileName }) => fileName)
const at1 = (guid: string) => `/attachments/${guid}`
const change = (guid: string, body: object, token = api.token) =>
  api.call<Attachment>('PATCH', at1(guid), { body, token })
const open = async () => {
  const { debtorGuid, caseGuid } = await at.register()
  return { debtorGuid, caseGuid, ofCase: `/cases/${caseGuid}`, ofDebtor: `/debtors/${debtorGuid}` }
}
const writeNote = async (itemGuid: string, body: object = {}) => {
  const text = 'The contract came.'
  const made = await api.call<{ noteGuid: string }>('POST', `/system/forms/note/create?id=${itemGuid}`, {
    body: { text, ...body },
  })
  assert.equal(made.status, 201, made.text)
  return made.body.noteGuid
}
const logCall = async (caseGuid: string, body: object = {}) => {
  const made = await api.call<{ callGuid: string }>('POST', `/cases/${caseGuid}/calls`, {
    body: { outcome: 'REACHED', rightParty: true, ...body },
  })
  assert.equal(made.status, 201, made.text)
  return made.body.callGuid
}

test('attachToCase and attachToDebtor keep a file, and listCaseAttachments and listDebtorAttachments show it', async () => {
  const { ofCase, ofDebtor, caseGuid } = await open()
  const first = await attach(ofCase)
  assert.deepEqual(
    [first.fileName, first.mediaType, first.bytes, first.caseGuid, first.draft, first.shownToClient],
    ['contract.pdf', 'application/pdf', pdf.length, caseGuid, false, false],
  )
  await attach(ofDebtor, { name: 'passport.txt', content: 'Åsa Ek\n' })
  assert.deepEqual(await names(ofCase), ['contract.pdf'])
  assert.deepEqual(await names(ofDebtor), ['passport.txt', 'contract.pdf'])
})

test('getAttachment answers a download that no browser shows, under a name of any letters', async () => {
  const { ofCase } = await open()
  const { attachmentGuid } = await attach(ofCase, { name: 'C:\\scan\\Avtal "Åsa" ‮.pdf' })
  const { status, headers, text } = await api.call('GET', at1(attachmentGuid))
  assert.deepEqual([status, text], [200, pdf])
  assert.equal(headers.get('content-type'), 'application/octet-stream')
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
  assert.match(headers.get('content-security-policy')!, /default-src 'none'/)
  assert.equal(
    headers.get('content-disposition'),
    `attachment; filename="Avtal _Asa_.pdf"; filename*=UTF-8''Avtal%20_%C3%85sa_.pdf`,
  )
})

test('a file that is not what its name says, or is too large, is refused in words', async () => {
  const { ofCase } = await open()
  const wrong: [sent: Sent, kind: 'invalid' | 'unprocessable' | 'payload-too-large', detail: RegExp][] = [
    [{ name: 'contract' }, 'invalid', /an ending, such as contract.pdf/],
    [{ name: 'run.exe' }, 'invalid', /must end with one of .pdf/],
    [{ content: 'MZ not a PDF' }, 'unprocessable', /named .pdf, but its content is .txt/],
    [{ name: 'a.txt', content: pdf }, 'unprocessable', /named .txt, but its content is .pdf/],
    [{ content: new Uint8Array([0, 1, 2, 3]) }, 'unprocessable', /no type that can be attached/],
    [{ content: `${pdf}/OpenAction << /S /JavaScript >>` }, 'unprocessable', /contains a script/],
    [{ content: '' }, 'invalid', /empty|as its body/],
    [{ name: 'large.txt', content: 'x'.repeat(1_048_577) }, 'payload-too-large', /larger than 1 MB/],
  ]
  for (const [sent, kind, detail] of wrong) assertProblem(await send(ofCase, sent), kind, detail)
  const typed = await api.call('POST', `${ofCase}/attachments?fileName=a.txt`, { body: {} })
  assertProblem(typed, 'unsupported-media-type', /octet-stream/)
  assert.deepEqual(await names(ofCase), [])
})

test('updateAttachment gives a draft to a note or a call, and until then only its sender sees it', async () => {
  const { ofCase, caseGuid, debtorGuid } = await open()
  const draft = await attach(ofCase, { more: '&draft=true' })
  assert.equal(draft.draft, true)
  assert.deepEqual(await names(ofCase), ['contract.pdf'])
  assert.deepEqual(await names(ofCase, colleague), [])
  assertProblem(
    await api.call('GET', at1(draft.attachmentGuid), { token: colleague }),
    'not-found',
    /no such/,
  )
  const guid = draft.attachmentGuid
  assertProblem(await change(guid, { shownToClient: true }), 'unprocessable', /send noteGuid or callGuid/)
  const elsewhere = await writeNote(debtorGuid)
  assertProblem(await change(guid, { noteGuid: elsewhere }), 'invalid', /same case or debtor/)
  assertProblem(await change(guid, { callGuid: nowhere }), 'invalid', /call about the same case/)
  const noteGuid = await writeNote(caseGuid, { shownToClient: true })
  const given = await change(guid, { noteGuid })
  assert.deepEqual([given.body.draft, given.body.noteGuid, given.body.shownToClient], [false, noteGuid, true])
  assert.deepEqual(await names(ofCase, colleague), ['contract.pdf'])
  const callGuid = await logCall(caseGuid)
  assertProblem(await change(guid, { noteGuid, callGuid }), 'invalid', /one of the two/)
  const moved = await change(guid, { callGuid })
  assert.deepEqual(
    [moved.body.noteGuid, moved.body.callGuid, moved.body.shownToClient],
    [null, callGuid, false],
  )
})

test('a creditor sees the files that are marked, and nobody those of other clients', async () => {
  const { ofCase, ofDebtor, caseGuid } = await open()
  const hidden = await attach(ofCase, { name: 'hidden.pdf' })
  const shown = await attach(ofCase, { name: 'shown.pdf', more: '&shownToClient=true' })
  const ofNote = await attach(ofCase, { name: 'note.pdf', more: '&draft=true' })
  await change(ofNote.attachmentGuid, { noteGuid: await writeNote(caseGuid, { shownToClient: true }) })
  for (const path of [ofCase, ofDebtor]) {
    assert.deepEqual(await names(path, creditor), ['note.pdf', 'shown.pdf'])
    assertProblem(await list(path, stranger), 'not-found', /no such/)
  }
  const read = (guid: string, token: string) => api.call('GET', at1(guid), { token })
  assert.equal((await read(shown.attachmentGuid, creditor)).status, 200)
  assertProblem(await read(hidden.attachmentGuid, creditor), 'not-found', /no such/)
  assertProblem(await read(shown.attachmentGuid, stranger), 'not-found', /no such/)
  assertProblem(await send(ofCase, { token: creditor }), 'forbidden', /case.write/)
  assertProblem(await send(ofCase, { token: stranger }), 'not-found', /no such/)
  assertProblem(await change(shown.attachmentGuid, {}, stranger), 'not-found', /no such/)
  const timeline = await api.call<Page<{ entity: string; text: string }>>(
    'GET',
    `${ofDebtor}/timeline?$filter=${encodeURIComponent("entity eq 'attachment'")}`,
    { token: creditor },
  )
  assert.deepEqual(timeline.body.value.map(({ text }) => text).toSorted(), ['note.pdf', 'shown.pdf'])
})

test('deleteAttachment and the deletion of a note delete files, each with its event and audit entry', async () => {
  const { ofCase, caseGuid } = await open()
  const { attachmentGuid } = await attach(ofCase)
  const draft = await attach(ofCase, { name: 'note.pdf', more: '&draft=true' })
  const noteGuid = await writeNote(caseGuid)
  await change(draft.attachmentGuid, { noteGuid })
  await change(attachmentGuid, { shownToClient: true })
  assert.equal((await api.call('DELETE', at1(attachmentGuid))).status, 200)
  assertProblem(await api.call('DELETE', at1(attachmentGuid)), 'not-found', /no such/)
  const removed = await api.call('DELETE', `/system/forms/note/edit?id=${caseGuid}&subId=${noteGuid}`)
  assert.equal(removed.status, 200, removed.text)
  assert.deepEqual(await names(ofCase), [])
  const told = async (guid: string) =>
    (await api.sql<{ type: string }[]>`select type from event where subject = ${guid} order by sequence`).map(
      ({ type }) => type.replace('attachment.', ''),
    )
  assert.deepEqual(await told(attachmentGuid), ['created', 'updated', 'deleted'])
  assert.deepEqual(await told(draft.attachmentGuid), ['created', 'deleted'])
  const [entry] = await api.sql<{ changes: object }[]>`
    select changes from audit_entry where subject = ${attachmentGuid} and action = 'created'`
  assert.deepEqual(entry!.changes, { fileName: [null, 'contract.pdf'], shownToClient: [null, false] })
})

test('a user has 20 drafts at most, and a draft is deleted after a day', async () => {
  const { ofCase } = await open()
  const token = await api.signIn(3)
  for (let count = 0; count < 20; count++) await attach(ofCase, { more: '&draft=true', token })
  assertProblem(await send(ofCase, { more: '&draft=true', token }), 'conflict', /20 files that wait/)
  await attach(ofCase, { token })
  await purgeDrafts(api.sql)
  assert.equal((await list(ofCase, token)).body.total, 21)
  await api.sql`update attachment set created_at = created_at - interval '25 hours'`
  await purgeDrafts(api.sql)
  assert.deepEqual(await names(ofCase, token), ['contract.pdf'])
})

test('a debtor with a file is not deleted', async () => {
  const made = await api.call<{ debtorGuid: string }>('POST', '/debtors', { body: { lastname: 'Ek' } })
  const path = `/debtors/${made.body.debtorGuid}`
  await attach(path)
  assertProblem(
    await api.call('DELETE', `/system/forms/debtor/edit?id=${made.body.debtorGuid}`),
    'conflict',
    /1 attached files/,
  )
})
