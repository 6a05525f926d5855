/** What getCaseWork says about the next step of the strategy, over HTTP. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { CaseWork } from '../../../../contract/work/work.ts'
import { holdCase } from '../../../cases/holds/hold-case.ts'
import { registerCase } from '../../../cases/register-case.ts'
import { runChunks } from '../../../platform/jobs/chunked-work.ts'
import { startApi, type TestApi } from '../../../testing/api.ts'
import { agencyCaller, contextOn, makeDebtor, setTerms } from '../../../testing/records/cases.ts'
import { applyStrategies } from '../apply-strategies.ts'
import { assignStrategy, insertStrategy } from '../strategies.store.ts'

const start = '2026-03-02'
let api: TestApi
let clients = 0
before(async () => {
  api = await startApi()
  await api.setDate(start)
  const reminder = { kind: 'letter', letter: 'reminder', dueDays: 14 } as const
  const paid = { kind: 'status', status: 'PRECOLLECTION', subStatus: 'REMINDER_SENT' } as const
  const steps = [
    { code: 'REMIND', status: 'NEW', afterDays: 7, actions: [reminder, paid] },
    { code: 'CALL', status: 'NEW', afterDays: 3, actions: [{ kind: 'task', task: 'Call' }] },
  ] as const
  const strategy = { code: 'TWO', name: 'Two steps', source: '', unverified: false }
  await insertStrategy(api.sql, {
    ...strategy,
    steps: steps.map((step) => ({ ...step, actions: [...step.actions] })),
  })
})
after(() => api.close())

async function open({
  country = 'SE',
  strategy = 'TWO' as string | null,
  ...input
}: Record<string, unknown> & { country?: string; strategy?: string | null } = {}) {
  await api.setDate(start)
  const clientGuid = await api.addParty(`CLIENT${++clients}`)
  await setTerms(api, clientGuid, { country_code: country })
  await assignStrategy(api.sql, clientGuid, strategy)
  return register(clientGuid, await makeDebtor(api), input)
}

async function register(clientGuid: string, debtorGuid: string, input: object = {}) {
  const whole = {
    clientGuid,
    debtorGuid,
    principal: 1000,
    currencyCode: 'SEK',
    dueDate: '2026-02-01',
    ...input,
  }
  const today = (await api.call<{ systemDate: string }>('GET', '/system/information')).body.systemDate
  const made = await registerCase(api.sql, agencyCaller, whole, contextOn(today.slice(0, 10)))
  return { ...made, clientGuid, debtorGuid }
}

async function nextStep(caseGuid: string) {
  const { status, body, text } = await api.call<CaseWork>('GET', `/cases/${caseGuid}/work`)
  assert.equal(status, 200, text)
  return body.nextStep
}

async function runNight(date: string) {
  await api.setDate(date)
  await runChunks(api.sql, applyStrategies(), { ...contextOn(date).origin, operation: 'day-end' })
}

test('getCaseWork names the step that is due first, its day and what it does', async () => {
  const { caseGuid } = await open()
  const first = await nextStep(caseGuid)
  assert.deepEqual(
    [
      first.state,
      first.strategyName,
      first.step?.code,
      first.step?.afterDays,
      first.since,
      first.dueDate,
      first.reason,
    ],
    ['PLANNED', 'Two steps', 'CALL', 3, `${start}T00:00:00Z`, '2026-03-05T00:00:00Z', null],
  )
  assert.deepEqual(first.step?.actions, [{ kind: 'task', task: 'Call' }])
  await runNight('2026-03-05')
  const second = await nextStep(caseGuid)
  assert.deepEqual(
    [second.state, second.step?.code, second.dueDate],
    ['PLANNED', 'REMIND', '2026-03-09T00:00:00Z'],
  )
  await api.setDate('2026-03-12')
  assert.equal(
    (await nextStep(caseGuid)).dueDate,
    '2026-03-12T00:00:00Z',
    'A step that is late is taken at the next day-end',
  )
  await runNight('2026-03-12')
  assert.deepEqual((await nextStep(caseGuid)).state, 'NO_STEP')
})

test('a step that the law refuses says why, by which rule, and from when', async () => {
  const { caseGuid } = await open({ dueDate: '2026-03-20' })
  await runNight('2026-03-05')
  const refused = await nextStep(caseGuid)
  assert.deepEqual(
    [refused.state, refused.step?.code, refused.dueDate, refused.rule, refused.from],
    ['REFUSED', 'REMIND', '2026-03-09T00:00:00Z', 'SE-DUE', '2026-03-21T00:00:00Z'],
  )
  assert.match(refused.reason ?? '', /Allowed from 21 Mar 2026/)
  await runNight('2026-03-09')
  assert.equal(
    (await nextStep(caseGuid)).dueDate,
    '2026-03-10T00:00:00Z',
    'A refused step is tried again on the next day',
  )
})

test('the next step of a case on hold waits, until its last day where the hold has one', async () => {
  const { caseGuid } = await open()
  await holdCase(
    api.sql,
    agencyCaller,
    { caseGuid, input: { reason: 'HOLD_CLIENT', holdUntil: '2026-03-31' } },
    contextOn(start),
  )
  const held = await nextStep(caseGuid)
  assert.deepEqual(
    [held.state, held.step?.code, held.dueDate, held.from],
    ['HELD', 'CALL', null, '2026-04-01T00:00:00Z'],
  )
})

test('a step of claims that are demanded together comes with the first of them', async () => {
  const older = await open()
  await runNight('2026-03-06')
  const younger = await register(older.clientGuid, older.debtorGuid)
  await runNight('2026-03-06')
  await api.sql`update party set bundle_claims = true where id = ${older.clientGuid}`
  await api.sql`
    insert into strategy_step_taken (case_id, step_id, business_date)
    select ${younger.caseGuid}, id, '2026-03-06' from strategy_step where code = 'CALL' on conflict do nothing`
  const next = await nextStep(younger.caseGuid)
  assert.deepEqual(
    [next.step?.code, next.dueDate, next.demandedWith],
    ['REMIND', '2026-03-09T00:00:00Z', older.caseNumber],
  )
  assert.equal((await nextStep(older.caseGuid)).demandedWith, null)
})

test('where no step comes, the state says why', async () => {
  const without = await open({ strategy: null })
  assert.deepEqual([(await nextStep(without.caseGuid)).state], ['NO_STRATEGY'])
  const { caseGuid } = await open()
  await api.call('PATCH', `/system/forms/case/close?id=${caseGuid}`, { body: { closureCode: 'WRITTEN_OFF' } })
  assert.equal((await nextStep(caseGuid)).state, 'CLOSED')
})
