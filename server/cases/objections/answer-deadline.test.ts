/** By when objections and complaints are answered, over HTTP, and what happens when that day passes. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { CasePermissions } from '../../../contract/cases/permissions.ts'
import type { Objection } from '../../../contract/cases/objections.ts'
import type { WorkItem } from '../../../contract/work/work.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'
import { openCases, setTerms } from '../../testing/records/cases.ts'

const received = '2026-06-10T00:00:00Z'
let api: TestApi
let at: Awaited<ReturnType<typeof openCases>>
before(async () => {
  api = await startApi()
  at = await openCases(api)
  await setTerms(api, at.client, { country_code: 'SE' })
})
after(() => api.close())

const open = () => at.register({ dueDate: '2026-01-02', receivedDate: received })
type Made = Awaited<ReturnType<typeof open>>
const record = ({ caseGuid }: Made, body: object) =>
  api.call<Objection>('POST', `/system/forms/objection/create?id=${caseGuid}`, {
    body: {
      matter: 'COMPLAINT',
      kind: 'CONDUCT',
      reason: 'You call me at work.',
      receivedDate: received,
      ...body,
    },
  })
const permissions = async ({ debtorGuid, caseGuid }: Made) => {
  const { body } = await api.call<CasePermissions>(
    'GET',
    `/debtors/${debtorGuid}/cases/${caseGuid}/permissions`,
  )
  const [answer] = body.answers
  return { answer, demand: body.actions.find(({ action }) => action === 'letter:demand')! }
}
const addFee = ({ caseGuid }: Made, body: object = {}) =>
  api.call('POST', `/system/forms/fee/add?id=${caseGuid}`, { body: { feeType: 'collectionDemand', ...body } })
const listed = async ({ caseGuid }: Made) =>
  (
    await api.call<{ value: Objection[] }>(
      'GET',
      `/objections?$filter=${encodeURIComponent(`caseGuid eq ${caseGuid}`)}`,
    )
  ).body.value[0]!

test('the law gives a complaint its day, which nobody can put off, and an objection the day of the settings', async () => {
  await api.setDate('2026-06-15')
  const made = await open()
  assertProblem(
    await record(made, { answerBy: '2026-06-25' }),
    'invalid',
    /24 Jun 2026.*Answer to complaints/,
  )
  assert.ok((await record(made, { answerBy: '2026-06-20' })).status < 300)
  const complaint = await open()
  assert.ok((await record(complaint, {})).status < 300)
  const { answer, demand } = await permissions(complaint)
  assert.deepEqual(
    [answer!.matter, answer!.answerBy, answer!.rule, answer!.verified, answer!.isOverdue, demand.allowed],
    ['COMPLAINT', '2026-06-24T00:00:00Z', 'SE-COMPLAINT-ANSWER', false, false, true],
  )
  assert.match(answer!.source!, /FFFS 2002:23/)
  const objection = await open()
  const late = { matter: 'OBJECTION', kind: 'PAID', reason: 'Paid in May.', answerBy: '2026-08-01' }
  assert.ok((await record(objection, late)).status < 300)
  assert.deepEqual((await permissions(objection)).answer!.rule, 'SE-ANSWER')
})

test('once the day has passed nothing is demanded until the debtor is answered', async () => {
  await api.setDate('2026-06-15')
  const made = await open()
  const { body } = await record(made, {})
  assert.equal((await permissions(made)).demand.allowed, true)
  await api.setDate('2026-06-24')
  assert.equal((await permissions(made)).demand.allowed, true)
  await api.setDate('2026-06-25')
  const { answer, demand } = await permissions(made)
  assert.deepEqual([answer!.isOverdue, demand.reasonCode, demand.rule], [true, 'unanswered', 'SE-UNANSWERED'])
  assert.equal((await listed(made)).isOverdue, true)
  assertProblem(
    await addFee(made),
    'unprocessable',
    /not answered by its day.*Objections not answered in time/,
  )
  const answered = await api.call('PATCH', `/system/forms/objection/answer?id=${body.objectionGuid}`, {
    body: { answer: 'We stop the calls.' },
  })
  assert.equal(answered.status, 200, answered.text)
  const then = await permissions(made)
  assert.deepEqual([then.answer, then.demand.allowed], [undefined, true])
  assert.equal((await listed(made)).isOverdue, false)
})

test('an administrator may charge a fee beyond it, with a reason', async () => {
  await api.setDate('2026-06-15')
  const made = await open()
  await record(made, { matter: 'HARDSHIP', kind: 'INCOME' })
  await api.setDate('2026-07-15')
  assertProblem(await addFee(made), 'unprocessable', /Objections not answered in time/)
  const charged = await addFee(made, { overrideReason: 'Answered by telephone, noted on the case.' })
  assert.ok(charged.status < 300, charged.text)
})

test('the queue has it on its day, with the rule', async () => {
  await api.setDate('2026-06-15')
  const made = await open()
  await record(made, {})
  const filter = encodeURIComponent(`caseGuid eq ${made.caseGuid} and reason eq 'OBJECTION'`)
  const { body } = await api.call<{ value: WorkItem[] }>('GET', `/work?$filter=${filter}`)
  assert.deepEqual(
    body.value.map(({ dueDate, task }) => [dueDate, task]),
    [['2026-06-24T00:00:00Z', 'Answer to complaints']],
  )
})

const govern = async ({ caseGuid }: Made, governingCountry: string) => {
  const body = { governingCountry, countryReason: 'The contract names it.' }
  const changed = await api.call('PATCH', `/system/forms/case/law?id=${caseGuid}`, { body })
  assert.equal(changed.status, 200, changed.text)
}
const readDay = async (one: Made) => {
  const { answerBy, answerRule } = await listed(one)
  return [answerBy!.slice(0, 10), answerRule]
}

test('another governing country moves the day of an open objection, but not one that was entered and may stay', async () => {
  await api.setDate('2026-06-15')
  const [unsaid, entered, late] = [await open(), await open(), await open()]
  for (const one of [unsaid, entered, late]) await govern(one, 'NO')
  await api.call('PATCH', '/system/forms/systemsettings/edit', { body: { answerDays: 20 } })
  assert.ok((await record(unsaid, {})).status < 300)
  assert.ok((await record(entered, { answerBy: '2026-06-18' })).status < 300)
  assert.ok((await record(late, { answerBy: '2026-07-20' })).status < 300)
  assert.deepEqual(await readDay(unsaid), ['2026-06-30', 'NO-ANSWER'])
  for (const one of [unsaid, entered, late]) await govern(one, 'SE')
  assert.deepEqual(await readDay(unsaid), ['2026-06-24', 'SE-COMPLAINT-ANSWER'])
  assert.deepEqual(await readDay(entered), ['2026-06-18', 'SE-COMPLAINT-ANSWER'])
  assert.deepEqual(await readDay(late), ['2026-06-24', 'SE-COMPLAINT-ANSWER'])
  const [entry] = await api.sql<{ days: string[] }[]>`
    select array_agg(c.value::text) as days from audit_entry a, jsonb_each(a.changes) c
    where a.entity_id = ${unsaid.caseGuid} and c.key like 'answerBy %'`
  assert.deepEqual(entry!.days, ['["2026-06-30", "2026-06-24"]'])
  await govern(unsaid, 'NO')
  assert.deepEqual(await readDay(unsaid), ['2026-06-30', 'NO-ANSWER'])
  await api.call('PATCH', '/system/forms/systemsettings/edit', { body: { answerDays: 14 } })
})
