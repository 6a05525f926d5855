import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addDays } from '../../../core/calendar/calendar.ts'
import type { Problem } from '../../../contract/platform/problem.ts'
import type { StrategyItem } from '../../../contract/collection/strategies.ts'
import type { Simulation } from '../../../contract/collection/strategy-simulation.ts'
import { agencyCaller, contextOn, makeDebtor, setTerms } from '../../testing/records/cases.ts'
import { registerCase } from '../../cases/register-case.ts'
import { runChunks } from '../../platform/jobs/chunked-work.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'
import { applyStrategies } from './apply-strategies.ts'
import { assignStrategy } from './strategies.store.ts'

const start = '2026-03-02'
let api: TestApi
let made = 0
before(async () => {
  api = await startApi()
})
after(() => api.close())

const reminder = {
  code: 'REMIND',
  status: 'NEW',
  subStatus: 'REGISTERED',
  afterDays: 0,
  actions: [
    { kind: 'fee', feeType: 'reminder' },
    { kind: 'status', status: 'PRECOLLECTION', subStatus: 'REMINDER_SENT' },
    { kind: 'letter', letter: 'reminder', dueDays: 14 },
  ],
}
const demandAfter = (afterDays: number) => ({
  code: 'DEMAND',
  status: 'PRECOLLECTION',
  afterDays,
  actions: [{ kind: 'status', status: 'AMICABLE', subStatus: 'DEMAND_SENT' }],
})
const create = (body: object) => api.call<StrategyItem & Problem>('POST', '/strategies', { body })
async function makeStrategy(...steps: object[]): Promise<StrategyItem> {
  const { status, body, text } = await create({ code: `OURS${++made}`, name: 'Ours', steps })
  assert.equal(status, 201, text)
  return body
}
const change = (guid: string, body: object, version?: number) =>
  api.call<StrategyItem & Problem>('PUT', `/strategies/${guid}`, {
    body,
    ...(version !== undefined && { headers: { 'if-match': `"${version}"` } }),
  })

async function openCase(code: string): Promise<string> {
  await api.setDate(start)
  const client = await api.addParty(`CLIENT${++made}`)
  await setTerms(api, client, { country_code: 'SE' })
  await assignStrategy(api.sql, client, code)
  const debtorGuid = await makeDebtor(api)
  const input = {
    clientGuid: client,
    debtorGuid,
    principal: 1000,
    currencyCode: 'SEK',
    dueDate: '2026-01-15',
    reminderFeeAgreed: true,
  }
  return (await registerCase(api.sql, agencyCaller, input, contextOn(start))).caseGuid
}
async function applyOn(day: number) {
  const date = addDays(start, day)
  await api.setDate(date)
  await runChunks(api.sql, applyStrategies(), contextOn(date).origin)
}
const readStatus = async (caseGuid: string) =>
  (await api.sql`select status from debt_case where id = ${caseGuid}`)[0]!['status'] as string

test('a strategy can be created, read and assigned to a client (createStrategy, getStrategy)', async () => {
  const strategy = await makeStrategy(reminder, demandAfter(18))
  assert.deepEqual([strategy.version, strategy.clients, strategy.unverified], [1, 0, false])
  const read = await api.call<StrategyItem>('GET', `/strategies/${strategy.strategyGuid}`)
  assert.deepEqual([read.status, read.headers.get('etag')], [200, '"1"'])
  assert.deepEqual(
    read.body.steps.map(({ code, afterDays, subStatus }) => [code, afterDays, subStatus]),
    [
      ['REMIND', 0, 'REGISTERED'],
      ['DEMAND', 18, null],
    ],
  )
  const caseGuid = await openCase(strategy.code)
  await applyOn(0)
  assert.equal(await readStatus(caseGuid), 'PRECOLLECTION')
  const events = await api.sql`select type, data from event where subject = ${strategy.strategyGuid}`
  assert.deepEqual(events[0]!['type'], 'strategy.created')
  const same = await create({ code: strategy.code.toLowerCase(), name: 'Same', steps: [reminder] })
  assertProblem(same, 'conflict', /already/)
  assertProblem(
    await api.call('GET', '/strategies/0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70'),
    'not-found',
    /strategy/,
  )
})

test('a case in progress keeps its version, and a new case uses the newest (updateStrategy)', async () => {
  const strategy = await makeStrategy(reminder, demandAfter(18))
  const { strategyGuid, code } = strategy
  const running = await openCase(code)
  await applyOn(0)
  const waiting = await openCase(code)
  const changed = await change(strategyGuid, { steps: [reminder, demandAfter(5)] }, 1)
  assert.deepEqual([changed.status, changed.body.version, changed.headers.get('etag')], [200, 2, '"2"'])
  await applyOn(0)
  await applyOn(5)
  assert.deepEqual(
    [await readStatus(running), await readStatus(waiting)],
    ['PRECOLLECTION', 'AMICABLE'],
    'the old case waits 18 days, the new one 5',
  )
  assertProblem(await change(strategyGuid, { name: 'Late' }, 1), 'precondition-failed', /changed/)
  const old = await api.call<StrategyItem>('GET', `/strategies/${strategyGuid}?version=1`)
  assert.equal(old.body.steps[1]!.afterDays, 18)
  assertProblem(await api.call('GET', `/strategies/${strategyGuid}?version=3`), 'not-found', /strategy/)
  await applyOn(18)
  assert.equal(await readStatus(running), 'AMICABLE')
})

test('with `running`, cases in progress follow the change, and steps already taken are not repeated', async () => {
  const { strategyGuid, code } = await makeStrategy(reminder, demandAfter(18))
  const running = await openCase(code)
  await applyOn(0)
  const again = {
    ...reminder,
    status: 'PRECOLLECTION',
    subStatus: 'REMINDER_SENT',
    actions: [reminder.actions[2]],
  }
  const changed = await change(strategyGuid, { steps: [again, demandAfter(5)], running: true })
  assert.equal(changed.status, 200, changed.text)
  await applyOn(5)
  assert.equal(await readStatus(running), 'AMICABLE')
  const letters = await api.sql`select kind from document where case_id = ${running}`
  assert.equal(letters.length, 1, 'the reminder was sent once')
})

test('an unchanged strategy gets no new version, and a change of the name keeps the steps', async () => {
  const { strategyGuid, steps } = await makeStrategy(reminder)
  const same = await change(strategyGuid, { name: 'Ours', steps: [reminder] })
  assert.equal(same.body.version, 1)
  const named = await change(strategyGuid, { name: 'Named', source: 'Of ours' })
  assert.deepEqual([named.body.version, named.body.name, named.body.source], [2, 'Named', 'Of ours'])
  assert.deepEqual(named.body.steps, steps)
})

test('a change of the name keeps what each kind of action says', async () => {
  const actions = [
    { kind: 'fee', feeType: 'reminder' },
    { kind: 'status', status: 'PRECOLLECTION', subStatus: 'REMINDER_SENT' },
    { kind: 'letter', letter: 'reminder', dueDays: 14 },
    { kind: 'task', task: 'Call the debtor' },
  ]
  const { strategyGuid } = await makeStrategy({ ...reminder, actions })
  const named = await change(strategyGuid, { name: 'Named' })
  assert.equal(named.status, 200, named.text)
  assert.deepEqual(named.body.steps[0]!.actions, actions)
  const replaced = await change(strategyGuid, { steps: [{ ...reminder, afterDays: 2, actions }] })
  assert.deepEqual(replaced.body.steps[0]!.actions, actions)
})

test('only a strategy that no client has and that was never used can be deleted (deleteStrategy)', async () => {
  const remove = (guid: string) => api.call('DELETE', `/strategies/${guid}`)
  const unused = await makeStrategy(reminder)
  assert.equal((await remove(unused.strategyGuid)).status, 200)
  assert.equal((await remove(unused.strategyGuid)).status, 404)
  const used = await makeStrategy(reminder)
  await openCase(used.code)
  assertProblem(await remove(used.strategyGuid), 'conflict', /parties use/)
  await applyOn(0)
  await api.sql`update party set strategy_id = null where strategy_id = ${used.strategyGuid}`
  assertProblem(await remove(used.strategyGuid), 'conflict', /have been taken/)
})

const letter = { kind: 'letter', letter: 'demand' }
const wrong: [what: string, step: object, member: string][] = [
  ['a code with a blank', { code: 'A B' }, 'steps[0].code'],
  ['a status that there is not', { status: 'OLD' }, 'steps[0].status'],
  ['CLOSED', { status: 'CLOSED' }, 'steps[0].status'],
  ['a sub-status of another status', { subStatus: 'COURT' }, 'steps[0].subStatus'],
  ['a service that there is not', { service: 'NONE' }, 'steps[0].service'],
  ['days below zero', { afterDays: -1 }, 'steps[0].afterDays'],
  ['half a day', { afterDays: 0.5 }, 'steps[0].afterDays'],
  ['a country that there is not', { countries: ['XX'] }, 'steps[0].countries'],
  ['an amount without a currency', { amountFrom: 5 }, 'steps[0].currencies'],
  ['amounts without room', { amountFrom: 5, amountBelow: 5, currencies: ['SEK'] }, 'steps[0].amountBelow'],
  ['three decimals', { amountFrom: 5.001, currencies: ['SEK'] }, 'steps[0].amountFrom'],
  ['no actions', { actions: [] }, 'steps[0].actions'],
  ['an unknown member', { until: 5 }, 'steps[0].until'],
  ['an action of no kind', { actions: [{}] }, 'steps[0].actions[0].kind'],
  ['an action `constructor`', { actions: [{ kind: 'constructor' }] }, 'steps[0].actions[0].kind'],
  ['an unknown member of an action', { actions: [{ ...letter, color: 1 }] }, 'steps[0].actions[0].color'],
  ['a fee that there is not', { actions: [{ kind: 'fee', feeType: 'x' }] }, 'steps[0].actions[0].feeType'],
  ['a statement', { actions: [{ kind: 'letter', letter: 'statement' }] }, 'steps[0].actions[0].letter'],
  ['no days to pay', { actions: [{ ...letter, dueDays: 0 }] }, 'steps[0].actions[0].dueDays'],
  [
    'a place that cannot be reached',
    { actions: [letter, { kind: 'status', status: 'ENFORCEMENT', subStatus: 'APPLIED' }] },
    'steps[0].actions[1].status',
  ],
  [
    'a payment plan as status',
    { actions: [{ kind: 'status', status: 'AMICABLE', subStatus: 'PAYMENT_PLAN' }] },
    'steps[0].actions[0].subStatus',
  ],
  ['a service of nobody', { actions: [{ kind: 'service', service: 'x' }] }, 'steps[0].actions[0].userGuid'],
]
for (const [what, given, member] of wrong) {
  test(`a step with ${what} is refused, and the error names the member`, async () => {
    const answer = await create({ code: 'WRONG', name: 'Wrong', steps: [{ ...reminder, ...given }] })
    assert.equal(answer.status, 400, answer.text)
    assert.ok(answer.body.errors![member], answer.text)
  })
}

test('duplicate codes, no steps, 101 steps, and a missing name are refused', async () => {
  for (const steps of [[reminder, reminder], [], Array.from({ length: 101 }, () => reminder), null])
    assert.equal((await create({ code: 'WRONG', name: 'Wrong', steps })).status, 400)
  const nameless = await create({ code: 'WRONG', steps: [reminder] })
  assert.deepEqual(Object.keys(nameless.body.errors!), ['name'])
})

test('only administrators can change strategies', async () => {
  const { strategyGuid } = await makeStrategy(reminder)
  const token = await api.signIn(3)
  const refused = [
    await api.call('POST', '/strategies', { token, body: { code: 'X', name: 'X', steps: [reminder] } }),
    await api.call('PUT', `/strategies/${strategyGuid}`, { token, body: { name: 'X' } }),
    await api.call('DELETE', `/strategies/${strategyGuid}`, { token }),
    await api.call('POST', '/strategies/simulate', { token, body: { strategyGuid, days: 1 } }),
  ]
  assert.deepEqual(
    refused.map(({ status }) => status),
    [403, 403, 403, 403],
  )
})

const simulate = (body: object) => api.call<Simulation & Problem>('POST', '/strategies/simulate', { body })

test('an example case is simulated over days, and nothing changes (simulateStrategy)', async () => {
  await api.setDate(start)
  const { status, body, text } = await simulate({
    steps: [reminder, demandAfter(18)],
    days: 30,
    case: { amount: 1000, country: 'SE', currency: 'SEK' },
  })
  assert.equal(status, 200, text)
  assert.deepEqual(
    body.course.map(({ day, step, status: place, remaining }) => [day, step, place, remaining]),
    [
      [0, 'REMIND', 'PRECOLLECTION', 1060],
      [18, 'DEMAND', 'AMICABLE', 1060],
    ],
  )
  assert.deepEqual(body.steps[0], { step: 'REMIND', taken: 1, refused: 0, together: 0 })
  assert.deepEqual([body.cases, body.isSample], [1, false])
})

test('the simulated cases of a strategy end as the day-end then leaves them, for drafts and stored strategies', async () => {
  const { strategyGuid, code } = await makeStrategy(reminder, demandAfter(18))
  const caseGuid = await openCase(code)
  const stored = await simulate({ strategyGuid, days: 30 })
  assert.deepEqual(
    stored.body.course.map(({ day, step }) => `${day} ${step}`),
    ['0 REMIND', '18 DEMAND'],
  )
  assert.equal(await readStatus(caseGuid), 'NEW')
  const today = await simulate({ strategyGuid, days: 0 })
  assert.deepEqual(today.body.course[0]!.actions, [
    'fee reminder',
    'status PRECOLLECTION REMINDER_SENT',
    'letter reminder',
  ])
  await applyOn(0)
  const steps = [reminder, demandAfter(5)]
  const draft = await simulate({ strategyGuid, steps, days: 30 })
  assert.deepEqual(
    draft.body.course.map(({ day }) => day),
    [18],
    'the case is in progress and keeps its version',
  )
  const running = await simulate({ strategyGuid, steps, days: 30, running: true })
  assert.deepEqual(
    running.body.course.map(({ day }) => day),
    [5],
  )
})

const readRemaining = async (body: object) =>
  (await simulate({ days: 30, ...body })).body.course[0]!.remaining

test('a simulated fee costs the amount of the day of its step', async () => {
  await api.setDate(start)
  const version = {
    countryCode: 'SE',
    feeType: 'reminder',
    currencyCode: 'SEK',
    debtorKind: 'ALL',
    validFrom: '2026-03-10',
    amount: 75,
  }
  const higher = await api.call<{ statutoryFeeGuid: string }>('POST', '/system/forms/statutoryfee/create', {
    body: version,
  })
  assert.equal(higher.status, 201, higher.text)
  const { strategyGuid, code } = await makeStrategy({ ...reminder, afterDays: 7 })
  await openCase(code)
  const lower = await readRemaining({ strategyGuid })
  assert.equal(await readRemaining({ strategyGuid, steps: [{ ...reminder, afterDays: 8 }] }), lower + 15)
  const madeUp = { amount: 1000, country: 'SE', currency: 'SEK' }
  const costs = [7, 8].map((afterDays) =>
    readRemaining({ steps: [{ ...reminder, afterDays }], case: madeUp }),
  )
  assert.deepEqual(await Promise.all(costs), [1060, 1075])
  const { statutoryFeeGuid } = higher.body
  const removed = await api.call('DELETE', `/system/forms/statutoryfee/edit?id=${statutoryFeeGuid}`)
  assert.equal(removed.status, 200)
})

test('a simulation without steps, with wrong steps, for too long, or of an unknown strategy is refused', async () => {
  const { strategyGuid } = await makeStrategy(reminder)
  const refused: [object, string][] = [
    [{ days: 1 }, 'steps'],
    [{ days: 1, steps: [reminder] }, 'case'],
    [{ days: 1001, strategyGuid }, 'days'],
    [{ days: 1, strategyGuid: 'NORDIC' }, 'strategyGuid'],
    [{ days: 1, steps: [{ ...reminder, status: 'X' }], case: { amount: 1 } }, 'steps[0].status'],
    [{ days: 1, steps: [reminder], case: { amount: 0 } }, 'case.amount'],
    [{ days: 1, steps: [reminder], case: { amount: 1, currency: 'XYZ' } }, 'case.currency'],
    [{ days: 1, steps: [reminder], case: { amount: 1, subStatus: 'COURT' } }, 'case.subStatus'],
  ]
  for (const [body, member] of refused) {
    const answer = await simulate(body)
    assert.equal(answer.status, 400, answer.text)
    assert.ok(answer.body.errors![member], answer.text)
  }
  const none = await simulate({ days: 1, strategyGuid: '0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70' })
  assert.equal(none.status, 404)
})

const lines = (...steps: unknown[]) => steps.map((one) => JSON.stringify(one)).join('\n')

test('the form reads steps as lines of JSON, and an error names the line', async () => {
  const form = '/system/forms/strategy/create'
  const body = { code: 'FORMED', name: 'By the form', steps: lines(reminder, demandAfter(18)) }
  const answer = await api.call<{ strategyGuid: string; steps: string }>('POST', form, { body })
  assert.equal(answer.status, 201, answer.text)
  assert.equal(answer.body.steps.split('\n').length, 2)
  const edit = `/system/forms/strategy/edit?id=${answer.body.strategyGuid}`
  const bad: [string, RegExp][] = [
    [`${JSON.stringify(reminder)}\n{`, /Line 2: must be a step as JSON/],
    [lines({ ...reminder, afterDays: 'soon' }), /Line 1: afterDays must/],
    [lines({ ...reminder, status: 'OLD' }), /must be one of NEW/],
  ]
  for (const [steps, message] of bad) {
    const refused = await api.call<Problem>('PATCH', edit, { body: { steps } })
    assert.equal(refused.status, 400, refused.text)
    assert.match(refused.body.errors!['steps']!.join(' '), message)
  }
})
