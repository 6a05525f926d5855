/** The weeks of a simulation: expected money, letters and cost, by how letters were answered before. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { StrategyItem } from '../../../contract/collection/strategies.ts'
import type { Simulation } from '../../../contract/collection/strategy-simulation.ts'
import { addDays } from '../../../core/calendar/calendar.ts'
import { registerCase } from '../../cases/register-case.ts'
import { runChunks } from '../../platform/jobs/chunked-work.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { agencyCaller, contextOn, makeDebtor, setTerms } from '../../testing/records/cases.ts'
import { applyStrategies } from './apply-strategies.ts'
import { assignStrategy } from './strategies.store.ts'

const start = '2026-03-02'
const today = addDays(start, 16)
const reminder = {
  code: 'REMIND',
  status: 'NEW',
  afterDays: 0,
  actions: [
    { kind: 'status', status: 'PRECOLLECTION', subStatus: 'REMINDER_SENT' },
    { kind: 'letter', letter: 'reminder', dueDays: 14 },
  ],
}
const task = {
  code: 'CALL',
  status: 'PRECOLLECTION',
  afterDays: 8,
  actions: [{ kind: 'task', task: 'Call.' }],
}
const madeUp = { amount: 1000, country: 'SE', currency: 'SEK' }
let api: TestApi
let strategyGuid: string
let client: string
before(async () => {
  api = await startApi()
  await api.setDate(start)
  const body = { code: 'WEEKS', name: 'Weeks', steps: [reminder] }
  strategyGuid = (await api.call<StrategyItem>('POST', '/strategies', { body })).body.strategyGuid
  client = await api.addParty('WEEKLY')
  await setTerms(api, client, { country_code: 'SE' })
  await assignStrategy(api.sql, client, 'WEEKS')
})
after(() => api.close())

async function open(date: string, debtor: object = {}): Promise<string> {
  const input = {
    clientGuid: client,
    debtorGuid: await makeDebtor(api, debtor),
    principal: 1000,
    currencyCode: 'SEK',
    dueDate: '2026-01-15',
    interestRate: 0,
  }
  return (await registerCase(api.sql, agencyCaller, input, contextOn(date))).caseGuid
}

async function simulate(body: object): Promise<Simulation> {
  const answer = await api.call<Simulation>('POST', '/strategies/simulate', { body })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const setPrices = async (body: object) => {
  const answer = await api.call('PATCH', '/system/forms/systemsettings/edit', { body })
  assert.equal(answer.status, 200, answer.text)
}
const near = (value: number, wanted: number) => assert.ok(Math.abs(value - wanted) <= 0.011, `${value}`)

test('without letters before, the weeks count letters and tasks, and expect no money (simulateStrategy)', async () => {
  const { weeks, responses } = await simulate({ steps: [reminder, task], days: 13, case: madeUp })
  assert.deepEqual(responses, [])
  assert.deepEqual(
    weeks.map(({ week, from, letters, tasks, collected }) => [week, from, letters, tasks, collected]),
    [
      [1, '2026-03-02T00:00:00Z', 1, 0, 0],
      [2, '2026-03-09T00:00:00Z', 0, 1, 0],
    ],
  )
  assert.deepEqual([weeks[0]!.cost, weeks[0]!.unpriced], [0, 1])
})

test('what letters brought in their first weeks is what later letters are expected to bring', async () => {
  const caseGuids: string[] = []
  for (let number = 0; number < 24; number++) caseGuids.push(await open(start))
  await runChunks(api.sql, applyStrategies(), contextOn(start).origin)
  const unsent = await api.sql`select id from message where sent_at is null`
  assert.equal(unsent.length, 24)
  await api.setDate(addDays(start, 3))
  for (const caseGuid of caseGuids.slice(0, 12)) {
    const body = { caseGuid, amount: 1000 }
    const paid = await api.call('POST', '/system/forms/payment/register', { body })
    assert.ok(paid.status < 300, paid.text)
  }
  await api.setDate(today)
  const waiting = await simulate({ steps: [reminder], days: 13, case: madeUp })
  assert.deepEqual(waiting.responses, [], 'letters that have not left say nothing')
  await api.sql`update message set sent_at = now()`
  const { weeks, responses } = await simulate({ steps: [reminder, task], days: 13, case: madeUp })
  assert.deepEqual(responses, [
    { currency: 'SEK', letter: 'reminder', letters: 24, weeks: 2, paidShare: 0.5 },
  ])
  near(weeks[0]!.collected, 1000 * (1 - 0.5 ** (6 / 7)))
  near(weeks[0]!.collected + weeks[1]!.collected, 500)
  assert.deepEqual([weeks[0]!.letters, weeks[1]!.tasks], [1, 0.5])
  // Those of before that have not paid: two weeks after their letter nobody paid any more.
  const stored = await simulate({ strategyGuid, days: 6 })
  assert.deepEqual([stored.cases, stored.weeks[0]!.collected, stored.weeks[0]!.letters], [12, 0, 0])
})

test('letters leave by e-mail or post as in the night, and cost what the settings say', async () => {
  await setTerms(api, client, { letters_by_email: true })
  await open(today)
  await open(today, { email: 'ek@example.com' })
  await open(today, { email: 'berg@example.com', countryCode: 'NO' })
  await setPrices({ letterPrice: 12.5 })
  const [week] = (await simulate({ strategyGuid, days: 0 })).weeks
  assert.deepEqual([week!.letters, week!.emails, week!.cost, week!.unpriced], [2, 1, 25, 1])
  await runChunks(api.sql, applyStrategies(), contextOn(today).origin)
  const sent = await api.sql`
    select channel, count(*)::int as n from message where sent_at is null group by 1 order by 1`
  assert.deepEqual(
    sent.map(({ channel, n }) => [channel, n]),
    [
      ['email', 1],
      ['letter', 2],
    ],
  )
  await setPrices({ emailPrice: 0.1 })
  const euros = await simulate({ steps: [reminder], days: 0, case: { ...madeUp, currency: 'EUR' } })
  assert.deepEqual([euros.weeks[0]!.currency, euros.weeks[0]!.cost, euros.weeks[0]!.unpriced], ['EUR', 0, 1])
})
