/** Notes in the queue: mentions and follow-ups, and what creditors see of notes. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Note } from '../../contract/cases/all-cases.ts'
import type { WorkItem } from '../../contract/work/work.ts'
import { startApi, type TestApi } from '../testing/api.ts'
import { assertProblem } from '../testing/problem.ts'
import { openCases } from '../testing/records/cases.ts'

interface Someone {
  guid: string
  token: string
}
let api: TestApi
let at: Awaited<ReturnType<typeof openCases>>
let [anna, annabel]: Someone[] = []
before(async () => {
  api = await startApi()
  at = await openCases(api)
  anna = await handler('Anna Berg')
  annabel = await handler('Anna Bergström')
})
after(() => api.close())

async function handler(name: string): Promise<Someone> {
  const token = await api.signIn(3)
  const [row] = await api.sql<{ id: string }[]>`
    update app_user set full_name = ${name}
    where id = (select id from app_user order by created_at desc, id desc limit 1) returning id`
  return { guid: row!.id, token }
}
const write = (itemGuid: string, body: object) =>
  api.call<{ noteGuid: string }>('POST', `/system/forms/note/create?id=${itemGuid}`, { body })
const change = (itemGuid: string, noteGuid: string, body: object) =>
  api.call('PATCH', `/system/forms/note/edit?id=${itemGuid}&subId=${noteGuid}`, { body })
async function work(caseGuid: string, token = api.token): Promise<WorkItem[]> {
  const filter = encodeURIComponent(`caseGuid eq ${caseGuid}`)
  return (await api.call<{ value: WorkItem[] }>('GET', `/work?$filter=${filter}`, { token })).body.value
}
const done = (item: WorkItem, token: string) => {
  const { caseGuid, reason, dueDate } = item
  return api.call<{ done: number }>('POST', '/work/done', {
    token,
    body: { items: [{ caseGuid, reason, dueDate }] },
  })
}

test('a mention is work of the user who is mentioned, until that user is done with it', async () => {
  const { caseGuid } = await at.register()
  const text = 'Ring @anna berg, och\n@Anna Bergström också.'
  assert.equal((await write(caseGuid, { text })).status, 201)
  const items = await work(caseGuid)
  assert.deepEqual(
    items.map(({ reason, ownerGuid, dueDate }) => [reason, ownerGuid, dueDate]).toSorted(),
    [anna!, annabel!].map(({ guid }) => ['MENTION', guid, '2026-06-15T00:00:00Z']).toSorted(),
  )
  assert.equal(items[0]!.task, 'Ring @anna berg, och @Anna Bergström också.')
  // Nobody takes what belongs to somebody else.
  await api.call('POST', '/work/next', { token: annabel!.token })
  const queues = await api.call<{ queues: { ownerGuid: string | null; items: number }[] }>(
    'GET',
    '/work/queues',
  )
  assert.equal(queues.body.queues.find(({ ownerGuid }) => ownerGuid === anna!.guid)!.items, 1)
  assert.equal((await done(items[0]!, api.token)).body.done, 0)
  assert.equal((await done(items[0]!, anna!.token)).body.done, 1)
  assert.deepEqual(
    (await work(caseGuid)).map(({ ownerGuid }) => ownerGuid),
    [annabel!.guid],
  )
})

test('a name is a mention only where it ends, and only while it stands in the note', async () => {
  const { caseGuid } = await at.register()
  const { body } = await write(caseGuid, { text: 'anna.berg@example.com, @Anna Bergstrand, Anna Berg' })
  assert.deepEqual(await work(caseGuid), [])
  await change(caseGuid, body.noteGuid, { text: 'Fråga @Anna Berg!' })
  assert.deepEqual(
    (await work(caseGuid)).map(({ ownerGuid }) => ownerGuid),
    [anna!.guid],
  )
  await change(caseGuid, body.noteGuid, { text: 'Fråga ingen.' })
  assert.deepEqual(await work(caseGuid), [])
})

test('a note with a follow-up date comes back on its case, one of a debtor on the newest open case', async () => {
  const { debtorGuid, caseGuid } = await at.register()
  const newest = await at.register({ debtorGuid })
  const date = '2026-06-20T00:00:00Z'
  const { body } = await write(caseGuid, { text: 'Kvitto väntas', followUpDate: date })
  await write(debtorGuid, { text: 'Flyttar i juni', followUpDate: date })
  for (const [guid, task] of [
    [caseGuid, 'Kvitto väntas'],
    [newest.caseGuid, 'Flyttar i juni'],
  ] as const) {
    const [item] = await work(guid)
    assert.deepEqual([item!.reason, item!.dueDate, item!.task], ['NOTE_FOLLOW_UP', date, task])
  }
  const [item] = await work(newest.caseGuid)
  assert.equal((await done(item!, api.token)).body.done, 1)
  assert.deepEqual(await work(newest.caseGuid), [])
  const early = await change(caseGuid, body.noteGuid, { followUpDate: '2026-06-14T00:00:00Z' })
  assertProblem(early, 'invalid', /followUpDate/)
  await change(caseGuid, body.noteGuid, { followUpDate: null })
  assert.deepEqual(await work(caseGuid), [])
})

test('creditors see the notes that are marked for them, everywhere', async () => {
  const { debtorGuid, caseGuid } = await at.register()
  const { body: hidden } = await write(caseGuid, { text: 'Internt' })
  await write(debtorGuid, { text: 'Internt om gäldenären' })
  await write(caseGuid, { text: 'För er', shownToClient: true })
  const token = await api.signIn(6, at.client)
  const texts = async (path: string, who: string) =>
    (await api.call<{ value: Note[] }>('GET', path, { token: who })).body.value.map(({ text }) => text)
  assert.deepEqual(await texts(`/cases/${caseGuid}/notes`, api.token), ['För er', 'Internt'])
  assert.deepEqual(await texts(`/cases/${caseGuid}/notes`, token), ['För er'])
  assert.deepEqual(await texts(`/debtors/${debtorGuid}/notes`, token), [])
  const timeline = `/debtors/${debtorGuid}/timeline?$filter=${encodeURIComponent("entity eq 'note'")}`
  assert.deepEqual(await texts(timeline, token), ['För er'])
  assert.equal((await texts(timeline, api.token)).length, 3)
  const form = `/system/forms/note/edit?initialValues=true&id=${caseGuid}&subId=${hidden.noteGuid}`
  assertProblem(await api.call('GET', form, { token }), 'not-found', /note/)
  assert.equal((await api.call('GET', form)).status, 200)
  await change(caseGuid, hidden.noteGuid, { shownToClient: true })
  assert.equal((await texts(`/cases/${caseGuid}/notes`, token)).length, 2)
})
