import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addDays } from '../../../core/calendar/calendar.ts'
import type { Strategy } from '../../../core/cases/strategies.ts'
import { agencyCaller, assertProven, contextOn, makeDebtor, setTerms } from '../../testing/records/cases.ts'
import { holdCase, resumeCase } from '../../cases/holds/hold-case.ts'
import { registerCase } from '../../cases/register-case.ts'
import { registerPayment } from '../../payments/payments.ts'
import type { JobRunner } from '../../platform/jobs/run-jobs.ts'
import { runChunks } from '../../platform/jobs/chunked-work.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { runJobs, waitForJob } from '../../testing/jobs.ts'
import { countRows, watchDatabase } from '../../testing/watched-database.ts'
import { applyStrategies, planStrategies } from './apply-strategies.ts'
import { assignStrategy, insertStrategy } from './strategies.store.ts'
import { countWaiting, findStretch, type Walk } from './waiting-cases.store.ts'

const start = '2026-03-02'
let api: TestApi
let runner: JobRunner
let clients = 0
before(async () => {
  api = await startApi()
  runner = await runJobs(api)
})
after(async () => {
  await runner.stop()
  await api.close()
})

/** A client with a strategy, and a case of that client registered on the first day. */
async function open(
  input: object = {},
  { code = 'NORDIC', terms = {} }: { code?: string; terms?: object } = {},
) {
  await api.setDate(start)
  const client = await api.addParty(`CLIENT${++clients}`)
  await setTerms(api, client, { country_code: 'SE', ...terms })
  await assignStrategy(api.sql, client, code)
  const debtorGuid = await makeDebtor(api, { languageCode: 'sv' })
  const whole = {
    clientGuid: client,
    debtorGuid,
    principal: 1000,
    currencyCode: 'SEK',
    dueDate: '2026-02-01',
    reminderFeeAgreed: true,
    ...input,
  }
  const { caseGuid } = await registerCase(api.sql, agencyCaller, whole, contextOn(start))
  return { client, debtorGuid, caseGuid }
}

const originOn = (date: string) => ({ ...contextOn(date).origin, operation: 'day-end' })
const apply = (date: string) => runChunks(api.sql, applyStrategies(), originOn(date))
async function applyOn(date: string) {
  await api.setDate(date)
  return apply(date)
}
const readState = async (caseGuid: string) => {
  const [row] =
    await api.sql`select status, sub_status, added_fee, status_since from debt_case where id = ${caseGuid}`
  return row!
}
const readTaken = async (caseGuid: string) =>
  (
    await api.sql<{ code: string; day: number }[]>`
      select s.code, k.business_date - ${start}::date as day from strategy_step_taken k join strategy_step s on s.id = k.step_id
      where k.case_id = ${caseGuid} and k.refused is null order by k.business_date, s.number`
  ).map(({ code, day }) => `${day} ${code}`)
const readLetters = async (caseGuid: string) =>
  (
    await api.sql<{ kind: string; day: number; due: string }[]>`
      select o.kind, o.business_date - ${start}::date as day from document o join message m on m.document_id = o.id
      where o.case_id = ${caseGuid} and m.channel = 'letter' order by o.id`
  ).map(({ kind, day }) => `${day} ${kind}`)

test('in 60 days a case passes through the Nordic strategy, each step once, with fees and letters', async () => {
  const reminded = await open({ service: 'PRECOLLECTION' })
  const small = await open({ principal: 100 })
  for (let day = 0; day <= 60; day++) await applyOn(addDays(start, day))
  assert.deepEqual(await readTaken(reminded.caseGuid), [
    '0 REMINDER',
    '18 DEMAND-AFTER-REMINDER',
    '36 DEMAND-EXPIRED',
    '43 LEGAL-PREPARATION',
  ])
  assert.deepEqual(await readLetters(reminded.caseGuid), ['0 reminder', '18 demand', '43 legal'])
  const state = await readState(reminded.caseGuid)
  assert.deepEqual([state['status'], state['sub_status']], ['AMICABLE', 'DEMAND_EXPIRED'])
  assert.equal(Number(state['added_fee']), 6000 + 18000, 'SE: 60 for the reminder, 180 for the demand')
  // Including its fee the small case stays below 500, so it goes to surveillance.
  assert.deepEqual(await readTaken(small.caseGuid), [
    '0 DEMAND',
    '18 DEMAND-EXPIRED',
    '48 SURVEILLANCE-SMALL',
  ])
  assert.equal((await readState(small.caseGuid))['status'], 'SURVEILLANCE')
  await assertProven(api)
})

test('a step’s letter is in the debtor’s language, includes the step’s fee, and names the due date', async () => {
  const { caseGuid, debtorGuid } = await open()
  await applyOn(start)
  const [letter] = await api.sql<{ id: string; data: { payment: [string, string][] } }[]>`
    select id, data from document where case_id = ${caseGuid}`
  const payment = Object.fromEntries(letter!.data.payment)
  assert.equal(payment['Belopp'], '1\u00a0180,00 SEK')
  assert.equal(payment['Betala senast'], '16 mars 2026')
  const [message] =
    await api.sql`select recipient, language, subject, body from message where document_id = ${letter!.id}`
  assert.deepEqual(
    { ...message },
    { recipient: 'Gäldenär', language: 'sv', subject: 'Inkassokrav', body: null },
  )
  const { body } = await api.call<{ value: { kind: string }[] }>('GET', `/debtors/${debtorGuid}/documents`)
  assert.deepEqual(
    body.value.map(({ kind }) => kind),
    ['demand'],
  )
  const events = await api.sql`
    select data from event where subject = ${caseGuid} and type = 'case.step_taken'`
  assert.deepEqual(events[0]!['data'], { caseGuid, strategy: 'NORDIC', step: 'DEMAND' })
})

test('a hold stops the steps, and the waiting time restarts when the hold ends', async () => {
  const { caseGuid } = await open()
  await applyOn(start)
  await api.setDate(addDays(start, 10))
  await holdCase(
    api.sql,
    agencyCaller,
    { caseGuid, input: { reason: 'HOLD_DISPUTE' } },
    contextOn(addDays(start, 10)),
  )
  await applyOn(addDays(start, 30))
  assert.deepEqual(await readTaken(caseGuid), ['0 DEMAND'])
  await resumeCase(api.sql, agencyCaller, { caseGuid }, contextOn(addDays(start, 30)))
  await applyOn(addDays(start, 47))
  assert.deepEqual(await readTaken(caseGuid), ['0 DEMAND'])
  await applyOn(addDays(start, 48))
  assert.deepEqual(await readTaken(caseGuid), ['0 DEMAND', '48 DEMAND-EXPIRED'])
})

test('no step is taken on a paid case, for a client without a strategy, or under a plan that the step excludes', async () => {
  const paid = await open()
  await registerPayment(api.sql, agencyCaller, { caseGuid: paid.caseGuid, amount: 1000 }, contextOn(start))
  const none = await open()
  await assignStrategy(api.sql, none.client, null)
  await applyOn(start)
  assert.deepEqual([await readTaken(paid.caseGuid), await readTaken(none.caseGuid)], [[], []])
})

const custom = (code: string, step: Partial<Strategy['steps'][number]>): Strategy => ({
  code,
  name: code,
  source: '',
  unverified: false,
  steps: [
    {
      code: 'ONE',
      status: 'NEW',
      afterDays: 0,
      actions: [{ kind: 'status', status: 'AMICABLE', subStatus: 'CONTACT' }],
      ...step,
    },
  ],
})

test('a step is taken only when its conditions on amount, currency, country, service and plan hold', async () => {
  const conditions: [string, Partial<Strategy['steps'][number]>, boolean][] = [
    ['AT-LEAST', { amountFrom: 1000 }, true],
    ['ABOVE', { amountFrom: 1000.01 }, false],
    ['BELOW', { amountBelow: 1000 }, false],
    ['JUST-BELOW', { amountBelow: 1000.01 }, true],
    ['COUNTRY', { countries: ['NO', 'SE'] }, true],
    ['ABROAD', { countries: ['NO'] }, false],
    ['CURRENCY', { currencies: ['EUR'] }, false],
    ['SERVICE', { service: 'SURVEILLANCE' }, false],
    ['PLAN', { onPlan: true }, false],
    ['NO-PLAN', { onPlan: false }, true],
    ['WAITS', { afterDays: 1 }, false],
    ['ELSEWHERE', { subStatus: 'VALIDATING' }, false],
  ]
  for (const [code, step, isTaken] of conditions) {
    await insertStrategy(api.sql, custom(code, step))
    const { caseGuid } = await open({}, { code })
    await applyOn(start)
    assert.equal((await readTaken(caseGuid)).length, isTaken ? 1 : 0, code)
  }
})

test('a refused step leaves nothing behind, is reported, and is tried again the next day', async () => {
  await insertStrategy(
    api.sql,
    custom('WRONG', {
      actions: [
        { kind: 'letter', letter: 'demand', dueDays: 14 },
        { kind: 'status', status: 'ENFORCEMENT', subStatus: 'APPLIED' },
      ],
    }),
  )
  const { caseGuid } = await open({}, { code: 'WRONG' })
  const first = await applyOn(start)
  assert.equal(first.refused, 1)
  assert.match(first.refusals[0]!.reason, /NEW/)
  assert.deepEqual(await readLetters(caseGuid), [])
  assert.equal((await readState(caseGuid))['status'], 'NEW')
  assert.equal((await applyOn(start)).refused, 0, 'not twice on a day')
  await api.sql`
    update strategy_step set actions = '[{"kind":"status","status":"AMICABLE","subStatus":"CONTACT"}]'
    where strategy_id = (select id from strategy where code = 'WRONG')`
  await applyOn(addDays(start, 1))
  assert.deepEqual(await readTaken(caseGuid), ['1 ONE'])
})

test('a step that cannot be booked in a batch is refused alone', async () => {
  await applyOn(start)
  const good = [await open(), await open()]
  const bad = await open({}, { terms: { fees: { collectionDemand: 1.234 } } })
  good.push(await open())
  const { taken, refusals } = await applyOn(start)
  assert.deepEqual([taken, refusals.length], [3, 1])
  assert.match(refusals[0]!.reason, /fee of 1\.234 SEK/)
  assert.deepEqual(await readTaken(bad.caseGuid), [])
  for (const { caseGuid } of good) assert.deepEqual(await readTaken(caseGuid), ['0 DEMAND'])
  await assertProven(api)
})

test('two nodes take each step only once', async () => {
  const opened = [await open(), await open(), await open()]
  await api.setDate(start)
  const [one, other] = await Promise.all([apply(start), apply(start)])
  assert.equal(one.taken + other.taken, 3)
  for (const { caseGuid } of opened) assert.deepEqual(await readLetters(caseGuid), ['0 demand'])
})

test('a service runs in the background with the rights of the user named in the step', async () => {
  const userGuid = await api.addUser({ email: 'strategy@agency.example', password: 'a long enough password' })
  const action = { kind: 'service', service: 'no-such', userGuid, input: { a: 1 } } as const
  await insertStrategy(api.sql, custom('SERVICE-CALL', { actions: [action] }))
  const { debtorGuid } = await open({}, { code: 'SERVICE-CALL' })
  await applyOn(start)
  const [job] = await api.sql`select name, payload, asked_by from job_run where kind = 'service'`
  assert.equal(job!['asked_by'], userGuid)
  assert.deepEqual(job!['payload'], {
    item: { type: 'debtor', guid: debtorGuid },
    input: { a: 1 },
    scope: null,
  })
})

interface Planned {
  dryRun?: boolean
  due: number
  would: { caseNumber: string; step: string; actions: string[] }[]
  steps: Record<string, number>
}

test('apply-strategies (S11) takes the due steps, and only lists them with dry-run', async () => {
  await applyOn(start)
  const { caseGuid } = await open()
  const run = async (argument: string[]) => {
    const { body } = await api.call<{ jobId: string }>('POST', '/system/commands/apply-strategies', {
      body: { argument },
    })
    return (await waitForJob(api, body.jobId)).result as unknown as Planned
  }
  const planned = await run(['dry-run'])
  assert.deepEqual([planned.dryRun, planned.due, planned.steps], [true, 1, { 'NORDIC/DEMAND': 1 }])
  assert.deepEqual(planned.would[0]!.actions, [
    'fee collectionDemand',
    'status AMICABLE DEMAND_SENT',
    'letter demand',
  ])
  assert.deepEqual(await readTaken(caseGuid), [])
  assert.deepEqual((await run([])).steps, { 'NORDIC/DEMAND': 1 })
  assert.deepEqual(await readTaken(caseGuid), ['0 DEMAND'])
  assert.equal((await planStrategies(api.sql, start)).due, 0)
  const wrong = await api.call('POST', '/system/commands/apply-strategies', { body: { argument: ['maybe'] } })
  assert.equal(wrong.status, 400)
})

test('the day-end takes the due steps once per date', async () => {
  const { caseGuid } = await open()
  for (const _ of [1, 2]) {
    const { body } = await api.call<{ jobId: string }>('POST', '/system/commands/day-end', { body: {} })
    assert.equal((await waitForJob(api, body.jobId)).status, 'completed')
  }
  assert.deepEqual(await readTaken(caseGuid), ['0 DEMAND'])
})

const walkWaiting = async (half: 'low' | 'high' | null, date: string) => {
  const found: string[] = []
  for (let passed: Walk['after'] = null, more = true; more;) {
    const { caseGuids, last } = await findStretch(api.sql, { half, date, after: passed }, 3)
    found.push(...caseGuids)
    passed = last
    more = last !== null
  }
  assert.equal(new Set(found).size, found.length)
  assert.equal(await countWaiting(api.sql, half, date), found.length)
  return found
}

test('each waiting case is in exactly one of the two halves', async () => {
  // The half of a new debtor's cases depends on a random identifier.
  for (let [low, high] = [0, 0]; low === 0 || high === 0;) {
    const { caseGuid } = await open()
    const all = await walkWaiting(null, start)
    assert.ok(all.includes(caseGuid))
    const halves = [await walkWaiting('low', start), await walkWaiting('high', start)] as const
    ;[low, high] = [halves[0].length, halves[1].length]
    assert.deepEqual(halves.flat().toSorted(), all.toSorted())
  }
})

test('a case is walked to when it has waited long enough, as long as it is open and not held', async () => {
  const { caseGuid } = await open()
  await applyOn(start)
  assert.deepEqual(await readTaken(caseGuid), ['0 DEMAND'])
  const isWalkedTo = async (days: number) =>
    (await walkWaiting(null, addDays(start, days))).includes(caseGuid)
  assert.deepEqual([await isWalkedTo(17), await isWalkedTo(18)], [false, true])
  await holdCase(api.sql, agencyCaller, { caseGuid, input: { reason: 'HOLD_CLIENT' } }, contextOn(start))
  assert.equal(await isWalkedTo(18), false)
})

test('a night in which no case has waited long enough reads none', async () => {
  const day = addDays(start, 17)
  await api.sql`
    update debt_case set status = 'AMICABLE', sub_status = 'DEMAND_SENT', place_status = 'AMICABLE',
      place_sub_status = 'DEMAND_SENT' where closure_code is null and hold is null`
  await api.sql`update debt_case set status_since = ${day} where closure_code is null and hold is null`
  const watched = watchDatabase(api.databaseUrl)
  const sql = openDatabase(watched.url, { max: 1, onnotice: watched.onnotice })
  try {
    await runChunks(sql, applyStrategies(2), originOn(day))
  } finally {
    await sql.end()
  }
  const statements = watched.take()
  assert.ok(statements.some(({ text }) => text.includes('debt_case')))
  for (const { plan } of statements) assert.equal(countRows(plan, 'debt_case'), 0)
})

/** Two steps on one day: the second is due through the status that the first gives. */
const chained: Strategy = {
  code: 'CHAINED',
  name: 'Chained',
  source: '',
  unverified: false,
  steps: [
    {
      code: 'FIRST',
      status: 'NEW',
      afterDays: 0,
      actions: [{ kind: 'status', status: 'AMICABLE', subStatus: 'DEMAND_SENT' }],
    },
    {
      code: 'SECOND',
      status: 'AMICABLE',
      afterDays: 0,
      actions: [{ kind: 'status', status: 'SURVEILLANCE', subStatus: 'DORMANT' }],
    },
  ],
}

test('after each stretch a night looks again at the debtors that it touched, and at no others', async () => {
  await insertStrategy(api.sql, chained)
  const cases = []
  for (let number = 0; number < 6; number++) cases.push(await open({}, { code: 'CHAINED' }))
  await api.setDate(start)
  const watched = watchDatabase(api.databaseUrl)
  const sql = openDatabase(watched.url, { max: 1, onnotice: watched.onnotice })
  try {
    await runChunks(sql, applyStrategies(2), originOn(start))
  } finally {
    await sql.end()
  }
  for (const { caseGuid } of cases) assert.deepEqual(await readTaken(caseGuid), ['0 FIRST', '0 SECOND'])
  const again = watched.take().filter(({ text }) => text.includes('c.main_debtor_id = any('))
  assert.ok(again.length >= 6, 'twice for each stretch of which steps were taken')
  for (const { plan } of again) assert.ok(countRows(plan, 'debt_case') <= 2 * 2, 'the cases of two debtors')
})
