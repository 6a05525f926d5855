/** A trial with a planted effect over HTTP, from day to day. The test reckons every outcome and interval by itself. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TrialItem, TrialOutcome, TrialResults } from '../../../contract/collection/trials.ts'
import { addDays } from '../../../core/calendar/calendar.ts'
import { drawFrom } from '../../../core/testing/simulated-trial.ts'
import { EffectSequence } from '../../../core/trials/effect-sequence.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { makeDebtor } from '../../testing/records/cases.ts'

const start = '2026-03-02'
const outcomeDays = 6
const registrationDays = 8
const casesPerDay = 18
const principal = 1000
const highestAmount = 700
/** The challengers, with the effect on the probability that a case is paid. */
const challengers = [
  { strategy: 'BETTER', share: 40, effect: 0.6 },
  { strategy: 'WORSE', share: 20, effect: -0.35 },
]

let api: TestApi
let client: string
let trialGuid: string
before(async () => {
  api = await startApi()
  await api.setDate(start)
  client = await api.addParty('CLIENT')
  for (const code of ['USUAL', 'BETTER', 'WORSE']) {
    const actions = [{ kind: 'status', status: 'PRECOLLECTION', subStatus: 'REMINDER_SENT' }]
    const steps = [{ code: 'STEP', status: 'NEW', afterDays: 900, actions }]
    await send('POST', '/strategies', { code, name: code, steps })
  }
  await send('PUT', `/clients/${client}/strategy`, { strategy: 'USUAL' })
  const trial = await send<TrialItem>('POST', '/trials', {
    name: 'Planted',
    champion: 'USUAL',
    challengers: challengers.map(({ strategy, share }) => ({ strategy, share })),
    outcomeDays,
    highestAmount,
    currencyCode: 'SEK',
    plannedCases: 2000,
  })
  trialGuid = trial.trialGuid
  await send('POST', `/trials/${trialGuid}/start`)
})
after(() => api.close())

async function send<T>(method: string, path: string, body?: object): Promise<T> {
  const answer = await api.call<T>(method, path, body === undefined ? {} : { body })
  assert.ok(answer.status < 300, answer.text)
  return answer.body
}

/** A case as the test knows it. */
interface Planned {
  caseGuid: string
  arm: number
  assigned: number
  acts: Act[]
}

/** A payment that is booked so many days after the assignment. */
interface Act {
  day: number
  amount: number
  /** The day of its value date. Default: the day on which it is booked. */
  valueDay?: number
  reversedOn?: number
}

/** Of each day some cases show what counts and what does not, whatever their arm. The others are as their arm. */
const surely: Planned['acts'][] = [
  [{ day: 1, amount: principal, reversedOn: outcomeDays }],
  [{ day: 1, amount: principal, reversedOn: outcomeDays + 1 }],
  [{ day: outcomeDays, amount: 400 }],
  [{ day: outcomeDays + 1, amount: principal }],
  [{ day: 0, amount: 650, reversedOn: 0 }],
  // Booked after the last day, with a value date before it.
  [{ day: outcomeDays + 1, valueDay: 2, amount: principal }],
  // Dated back, reversed and booked again: in time, on either side of the last day, and too late.
  [
    { day: 3, valueDay: 1, amount: 650, reversedOn: 4 },
    { day: 5, valueDay: 1, amount: 650 },
  ],
  [
    { day: 3, valueDay: 1, amount: 400, reversedOn: outcomeDays },
    { day: outcomeDays + 1, valueDay: 1, amount: 400 },
  ],
  [
    { day: 3, valueDay: 1, amount: principal, reversedOn: outcomeDays + 1 },
    { day: outcomeDays + 1, valueDay: 1, amount: 400 },
  ],
]

function planActs(chance: () => number, arm: number): Planned['acts'] {
  const paid = 0.35 + (arm === 0 ? 0 : challengers[arm - 1]!.effect)
  const amount = [principal, principal, 400, 650][Math.floor(chance() * 4)]!
  const day = Math.floor(chance() * (outcomeDays + 3))
  return chance() < paid ? [{ day, amount }] : []
}

const forms = '/system/forms'
async function registerDay(chance: () => number, assigned: number): Promise<Planned[]> {
  const made: Planned[] = []
  for (let at = 0; at < casesPerDay; at++) {
    const debtorGuid = await makeDebtor(api)
    const input = { clientGuid: client, debtorGuid, principal, currencyCode: 'SEK' }
    const { caseGuid } = await send<{ caseGuid: string }>('POST', `${forms}/case/register`, input)
    const [row] = await api.sql<{ arm: number }[]>`select arm from trial_debtor where case_id = ${caseGuid}`
    const acts = structuredClone(surely[at]) ?? planActs(chance, row!.arm)
    made.push({ caseGuid, arm: row!.arm, assigned, acts })
  }
  return made
}

async function pay(caseGuid: string, amount: number, valueDate?: string): Promise<string> {
  const input = { caseGuid, amount, ...(valueDate !== undefined && { valueDate }) }
  return (await send<{ paymentGuid: string }>('POST', `${forms}/payment/register`, input)).paymentGuid
}
const reverse = (paymentGuid: string) =>
  send('PATCH', `${forms}/payment/reverse?id=${paymentGuid}`, { reason: 'bounced' })

const payments = new Map<Act, string>()
async function act(cases: readonly Planned[], today: number): Promise<void> {
  for (const { caseGuid, assigned, acts } of cases)
    for (const one of acts) {
      const { day, amount, valueDay = day, reversedOn } = one
      if (reversedOn !== undefined && assigned + reversedOn === today && day < reversedOn)
        await reverse(payments.get(one)!)
      if (assigned + day !== today) continue
      payments.set(one, await pay(caseGuid, amount, addDays(start, assigned + valueDay)))
      if (reversedOn === day) await reverse(payments.get(one)!)
    }
}

/** A payment counts that was booked by the last day and not reversed by then. */
function reckonOutcomes({ acts }: Planned): Record<TrialOutcome, number> {
  const counted = acts.filter(
    ({ day, reversedOn = Infinity }) => day <= outcomeDays && reversedOn > outcomeDays,
  )
  const paid = counted.reduce((sum, { amount }) => sum + amount, 0)
  return {
    collectedShare: paid / principal,
    paidInFull: paid === principal ? 1 : 0,
    collectedAmount: Math.min(1, paid / highestAmount),
  }
}

const near = (actual: number, expected: number, about: string) =>
  assert.ok(Math.abs(actual - expected) < 1e-9, `${about}: ${actual}, not ${expected}`)
const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length

function checkResults(results: TrialResults, cases: readonly Planned[], today: number): void {
  // In the order of days and guids, whatever the outcomes.
  const mature = cases
    .filter(({ assigned }) => assigned + outcomeDays < today)
    .toSorted((a, b) => a.assigned - b.assigned || (a.caseGuid < b.caseGuid ? -1 : 1))
  assert.deepEqual([results.cases, results.matureCases], [cases.length, mature.length])
  for (const [number, arm] of results.arms.entries()) {
    const own = mature.filter((one) => one.arm === number)
    assert.equal(arm.cases, cases.filter((one) => one.arm === number).length)
    assert.equal(arm.matureCases, own.length)
    assert.equal(arm.means === null, own.length === 0)
    for (const name of ['collectedShare', 'paidInFull', 'collectedAmount'] as const) {
      const about = `day ${today}, ${arm.strategy}, ${name}`
      if (arm.means) near(arm.means[name], mean(own.map((one) => reckonOutcomes(one)[name])), about)
      if (number === 0) continue
      const share = challengers[number - 1]!.share / (40 + challengers[number - 1]!.share)
      // 5% are shared by three outcomes of two challengers.
      const sequence = new EffectSequence({ share, error: 0.05 / 6 })
      for (const one of mature)
        if (one.arm === 0 || one.arm === number) sequence.add(one.arm === number, reckonOutcomes(one)[name])
      const expected = sequence.interval()
      const actual = arm.effects![name]
      for (const end of ['estimate', 'from', 'to'] as const) near(actual[end], expected[end], about)
    }
  }
}

const look = () => send<TrialResults>('GET', `/trials/${trialGuid}/results`)

test('every look at a trial tells what the payments of its mature cases come to (getTrialResults)', async () => {
  const chance = drawFrom(65)
  const cases: Planned[] = []
  const empty = await look()
  assert.deepEqual([empty.cases, empty.daysLeft, empty.arms[0]!.means], [0, null, null])
  assert.deepEqual(empty.arms[1]!.effects!.paidInFull, { estimate: 0, from: -1, to: 1 })
  for (let today = 0; today < registrationDays + outcomeDays + 5; today++) {
    await api.setDate(addDays(start, today))
    if (today < registrationDays) cases.push(...(await registerDay(chance, today)))
    await act(cases, today)
    checkResults(await look(), cases, today)
  }
  assert.deepEqual([...new Set(cases.map(({ arm }) => arm))].toSorted(), [0, 1, 2])
  const { arms, daysLeft } = await look()
  const [, better, worse] = arms.map(({ effects }) => effects?.collectedShare)
  // The planted effects are so far apart that chance alone cannot turn them.
  assert.ok(better!.estimate > worse!.estimate)
  assert.ok(arms[1]!.effects!.paidInFull.from < arms[1]!.effects!.paidInFull.estimate)
  assert.ok(daysLeft! > outcomeDays)
})

test('the power says how many cases show an effect, and a stopped trial when its last case is mature', async () => {
  const { arms, matureCases } = await look()
  const power = arms[1]!.power!
  assert.equal(arms[0]!.power, null)
  assert.ok(matureCases > 0 && power.detectableNow! > power.detectablePlanned)
  const needed = power.needed.map(({ cases }) => cases!)
  assert.deepEqual(
    needed,
    needed.toSorted((a, b) => b - a),
  )
  // Between the planned 2,000 cases and the effect that they show.
  const [above] = power.needed.filter(({ effect }) => effect > power.detectablePlanned).slice(0, 1)
  if (above) assert.ok(above.cases! <= 2000)
  const registered = addDays(start, registrationDays - 1)
  await api.setDate(addDays(registered, 2))
  await send('POST', `/trials/${trialGuid}/stop`)
  assert.equal((await look()).daysLeft, outcomeDays - 1)
  await api.setDate(addDays(registered, outcomeDays + 1))
  const ended = await look()
  assert.deepEqual([ended.daysLeft, ended.matureCases], [0, ended.cases])
})

test('what is booked after the last day of a case leaves the results of each look as they were', async () => {
  const reported = await look()
  const [paid] = await api.sql<{ guid: string }[]>`
    select p.id as guid from payment p join trial_debtor d on d.case_id = p.case_id
    where p.reversed_date is null and p.registered_date <= d.assigned_date + ${outcomeDays}::int limit 1`
  await reverse(paid!.guid)
  const [unpaid] = await api.sql<{ guid: string; inside: string }[]>`
    select d.case_id as guid, to_char(d.assigned_date + 1, 'YYYY-MM-DD') as inside from trial_debtor d
    where not exists (select from payment p where p.case_id = d.case_id) limit 1`
  await reverse(await pay(unpaid!.guid, principal, unpaid!.inside))
  await pay(unpaid!.guid, principal, unpaid!.inside)
  assert.deepEqual(await look(), reported)
  await api.setDate(addDays(reported.date!.slice(0, 10), 30))
  assert.deepEqual((await look()).arms, reported.arms)
})
