/** An amount that is divided stays one amount: acts of one case and of one user add up within the period. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import * as fc from 'fast-check'
import { addDays } from '../../../core/calendar/calendar.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'
import {
  addPerson,
  approveAct,
  clearLimits,
  requestAct,
  setLimit,
  type Person,
} from '../../testing/records/agency-people.ts'
import { openCases, today, type OpenedCases } from '../../testing/records/cases.ts'
import { deleteOldLoneActs } from './lone-acts.store.ts'

let api: TestApi
let cases: OpenedCases
let handler: Person
let colleague: Person
let manager: Person
before(async () => {
  api = await startApi()
  cases = await openCases(api)
  handler = await addPerson(api, 3)
  colleague = await addPerson(api, 3)
  manager = await addPerson(api, 2)
})
after(() => api.close())
beforeEach(async () => {
  await api.setDate(today)
  await clearLimits(api)
})

const makeCase = async () => (await cases.register({ principal: 10_000 })).caseGuid
const writeOff = (who: Person, caseGuid: string, amount: number) =>
  who.call('POST', `/system/forms/writeoff/register?id=${caseGuid}`, { body: { amount } })
const assertDone = async (who: Person, caseGuid: string, amount: number) => {
  const { status, text } = await writeOff(who, caseGuid, amount)
  assert.equal(status, 201, text)
}

test('write-offs of one case add up, whoever does them, until the period is over', async () => {
  await setLimit(api, 'WRITE_OFF', 1000, { userAmount: 5000, periodDays: 10 })
  const caseGuid = await makeCase()
  await assertDone(handler, caseGuid, 600)
  await assertDone(handler, caseGuid, 399.99)
  assertProblem(
    await writeOff(handler, caseGuid, 0.02),
    'needs-approval',
    /SEK.0\.02, with SEK.999\.99 that was done on the case alone within 10 days, is above SEK.1,000\.00/,
  )
  assertProblem(await writeOff(colleague, caseGuid, 500), 'needs-approval', /on the case alone/)
  await assertDone(handler, caseGuid, 0.01)
  await assertDone(handler, await makeCase(), 1000)
  await api.setDate(addDays(today, 9))
  assertProblem(await writeOff(colleague, caseGuid, 1), 'needs-approval', /on the case alone/)
  await api.setDate(addDays(today, 10))
  await assertDone(colleague, caseGuid, 1000)
})

test('write-offs of one user add up over all cases: to userAmount, or without one to the amount', async () => {
  await setLimit(api, 'WRITE_OFF', 1000)
  await assertDone(handler, await makeCase(), 700)
  assertProblem(
    await writeOff(handler, await makeCase(), 301),
    'needs-approval',
    /SEK.301\.00, with SEK.700\.00 that you did alone within 30 days, is above SEK.1,000\.00/,
  )
  await assertDone(colleague, await makeCase(), 1000)
  await api.sql`delete from approval_limit`
  await setLimit(api, 'WRITE_OFF', 1000, { userAmount: 1500 })
  await assertDone(handler, await makeCase(), 800)
  assertProblem(await writeOff(handler, await makeCase(), 1), 'needs-approval', /above SEK.1,500\.00/)
})

test('what a second person approved adds nothing, and the sum is not the amount that is requested', async () => {
  await setLimit(api, 'WRITE_OFF', 1000)
  const caseGuid = await makeCase()
  await assertDone(handler, caseGuid, 900)
  const guid = await requestAct(handler, { act: 'WRITE_OFF', caseGuid, input: { amount: 200 } })
  const approved = await approveAct(manager, guid)
  assert.deepEqual([approved.status, approved.body.amount], [200, 200], approved.text)
  await assertDone(handler, caseGuid, 100)
  assertProblem(await writeOff(handler, caseGuid, 0.01), 'needs-approval', /with SEK.1,000\.00/)
})

test('an act that is refused or only tried adds nothing', async () => {
  await setLimit(api, 'WRITE_OFF', 1000)
  const caseGuid = await makeCase()
  assertProblem(await writeOff(handler, caseGuid, 20_000), 'unprocessable', /amount/)
  const tried = await handler.call('POST', `/system/forms/writeoff/register?id=${caseGuid}&dryRun=true`, {
    body: { amount: 1000 },
  })
  assert.equal(tried.status, 200, tried.text)
  const asked = await handler.call('POST', '/approvals', {
    body: { act: 'WRITE_OFF', caseGuid, input: { amount: 1000 } },
  })
  assertProblem(asked, 'unprocessable', /needs no second person/)
  await assertDone(handler, caseGuid, 1000)
})

test('acts of a user at once on several cases are counted one after another', async () => {
  await setLimit(api, 'WRITE_OFF', 1000)
  const own = await Promise.all(Array.from({ length: 5 }, makeCase))
  const answers = await Promise.all(own.map((caseGuid) => writeOff(handler, caseGuid, 400)))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 201, 403, 403, 403])
})

test('acts are counted before there is a limit, kept as long as one can count them, and then deleted', async () => {
  const caseGuid = await makeCase()
  await assertDone(handler, caseGuid, 4000)
  await setLimit(api, 'WRITE_OFF', 1000, { periodDays: 366 })
  const count = async () => {
    await deleteOldLoneActs(api.sql)
    return (await api.sql`select from lone_act`).length
  }
  await api.setDate(addDays(today, 365))
  assertProblem(await writeOff(handler, caseGuid, 1), 'needs-approval', /SEK.4,000\.00/)
  assert.equal(await count(), 1)
  await api.setDate(addDays(today, 366))
  await assertDone(handler, caseGuid, 1)
  assert.equal(await count(), 1)
})

const payout = () => handler.call('POST', '/payouts', { body: { currencyCode: 'SEK' } })

test('refunds add up; payouts, which pay all that is due, do not', async () => {
  await setLimit(api, 'REFUND', 100)
  await setLimit(api, 'PAYOUT', 700)
  const { caseGuid } = await cases.register({ principal: 500 })
  await cases.pay({ caseGuid, amount: 800, currencyCode: 'SEK' })
  const refund = (amount: number) =>
    handler.call('POST', `/system/forms/credit/refund?id=${caseGuid}`, { body: { amount } })
  assert.equal((await refund(60)).status, 201)
  assertProblem(await refund(50), 'needs-approval', /SEK.50\.00, with SEK.60\.00/)
  await api.sql`update party set bank_account_no = '5050-1055'`
  const first = await payout()
  assert.equal(first.status, 201, first.text)
  const next = await cases.register({ principal: 500 })
  await cases.pay({ caseGuid: next.caseGuid, amount: 500, currencyCode: 'SEK' })
  const second = await payout()
  assert.equal(second.status, 201, second.text)
})

interface Step {
  who: number
  on: number
  minor: number
  days: number
}
const period = 7
const [ofCase, ofUser] = [1000_00, 1500_00]

/** The sums that count on a day, from all that was done alone: counted here without the service. */
function sumSteps(done: readonly (Step & { day: number })[], day: number, own: (step: Step) => boolean) {
  return done.filter((one) => own(one) && one.day > day - period).reduce((sum, { minor }) => sum + minor, 0)
}

test('over drawn acts no division goes beyond a limit, and nothing within the limits is refused', async () => {
  const step = fc.record({
    who: fc.nat(1),
    on: fc.nat(2),
    minor: fc.oneof(fc.integer({ min: 1, max: 400_00 }), fc.constantFrom(500_00, 1000_00, 1000_01)),
    days: fc.nat(3),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 15 }), async (steps) => {
      await clearLimits(api)
      await api.setDate(today)
      await setLimit(api, 'WRITE_OFF', ofCase / 100, { userAmount: ofUser / 100, periodDays: period })
      const own = await Promise.all(Array.from({ length: 3 }, () => cases.register({ principal: 100_000 })))
      const done: (Step & { day: number })[] = []
      let day = 0
      for (const one of steps) {
        day += one.days
        await api.setDate(addDays(today, day))
        const who = [handler, colleague][one.who]!
        const answer = await writeOff(who, own[one.on]!.caseGuid, one.minor / 100)
        const onCase = sumSteps(done, day, ({ on }) => on === one.on) + one.minor
        const byUser = sumSteps(done, day, (other) => other.who === one.who) + one.minor
        const expected = onCase <= ofCase && byUser <= ofUser ? 201 : 403
        assert.equal(
          answer.status,
          expected,
          `${JSON.stringify({ one, day, onCase, byUser })} ${answer.text}`,
        )
        if (answer.status === 201) done.push({ ...one, day })
      }
    }),
    { numRuns: 15 },
  )
})
