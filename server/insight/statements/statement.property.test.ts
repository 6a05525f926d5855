/**
 * Drawn histories: on every day the statement of a case ends with what the case owes, to the cent. Principal, costs and
 * interest are compared one by one, with amounts that the statement does not read.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { CaseByGuid } from '../../../contract/cases/all-cases.ts'
import type { CaseStatement } from '../../../contract/cases/case-statement.ts'
import type { CaseExplanation } from '../../../contract/cases/case-explanation.ts'
import { addDays } from '../../../core/calendar/calendar.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { contextOn } from '../../testing/records/cases.ts'
import { dated, drawnEvent, openDrawnCase, registeredOn } from '../../testing/records/drawn-history.ts'
import type { Stage } from '../../testing/records/scenarios.ts'

let api: TestApi
/** An installation for each history: a rate that an earlier one set would be known before its time. */
const open = async () => {
  api = await startApi()
}
const close = () => api.close()
const plugins = [fc.beforeEach(open), fc.afterEach(close)]

async function read<T>(path: string): Promise<T> {
  const { status, body, text } = await api.call<T>('GET', path)
  assert.equal(status, 200, `${path}: ${text}`)
  return body
}

const cents = (amount: number) => Math.round(amount * 100)
/** What an account of the case stands at after the lines. */
const standing = ({ lines }: CaseStatement, account: string) =>
  lines
    .flatMap(({ entries }) => entries)
    .reduce((sum, entry) => (entry.account === account ? sum + cents(entry.amount) : sum), 0)

/** The interest that the explanation has beyond what is booked. */
const pendingIn = ({ figures }: CaseExplanation, booked: number) =>
  cents(figures.find(({ figure }) => figure === 'remainingInterest')!.amount) - booked

async function check({ caseGuid, debtorGuid }: Stage, days: string): Promise<CaseStatement> {
  const statement = await read<CaseStatement>(`/cases/${caseGuid}/statement?$top=500&${days}`)
  const record = await read<CaseByGuid>(`/cases/${caseGuid}?${days}`)
  const explanation = await read<CaseExplanation>(`/debtors/${debtorGuid}/cases/${caseGuid}/explain?${days}`)
  assert.equal(statement.total, statement.lines.length)
  let balance = 0
  for (const line of statement.lines) {
    balance += cents(line.amount)
    assert.equal(cents(line.balance), balance, `after no. ${line.number}`)
  }
  const { closingBalance, unbookedInterest, owed, debit, credit } = statement
  assert.equal(cents(closingBalance), balance)
  assert.equal(cents(debit) + cents(credit), balance)
  assert.equal(standing(statement, 'receivable:principal'), cents(record.remainingPrincipal))
  assert.equal(standing(statement, 'receivable:cost'), cents(record.remainingFee))
  const booked = standing(statement, 'receivable:interest')
  assert.equal(cents(unbookedInterest), pendingIn(explanation, booked))
  assert.ok(unbookedInterest >= 0, `${unbookedInterest} is not booked`)
  assert.equal(cents(owed), cents(record.remainingSum))
  assert.equal(balance + cents(unbookedInterest), cents(owed))
  return statement
}

test('the statement ends with what the case owes, on each day of drawn histories', async (t) => {
  const step = fc.tuple(fc.integer({ min: 0, max: 50 }), drawnEvent)
  const seen = { statements: 0, reversals: 0, unbooked: 0 }
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 12 }), fc.nat(40), async (steps, earlier) => {
      const stage = await openDrawnCase(api)
      let today = registeredOn
      for (const [days, happens] of steps) {
        today = addDays(today, days)
        await api.setDate(today)
        stage.context = contextOn(today)
        await happens(today)(stage).catch((error: unknown) =>
          assert.ok(error instanceof ApiError, String(error)),
        )
        const { lines, unbookedInterest } = await check(stage, '')
        seen.statements++
        seen.reversals += lines.some(({ reversesNumber }) => reversesNumber !== null) ? 1 : 0
        seen.unbooked += unbookedInterest > 0 ? 1 : 0
        const past = await checkSplit(stage, { today, day: dated(today, earlier).valueDate })
        seen.unbooked += past.unbookedInterest > 0 ? 1 : 0
      }
      await api.setDate(addDays(today, 10))
      seen.unbooked += (await check(stage, '')).unbookedInterest > 0 ? 1 : 0
    }),
    { numRuns: 4, endOnFailure: true, plugins },
  )
  await open()
  t.after(close)
  const untouched = await openDrawnCase(api)
  await api.setDate(addDays(registeredOn, 40))
  assert.ok((await check(untouched, '')).unbookedInterest > 0)
  assert.ok(seen.statements >= 20, JSON.stringify(seen))
  assert.ok(seen.unbooked > 0, JSON.stringify(seen))
})

/** A statement up to a day, and one from the next day on, make the whole. */
async function checkSplit(
  stage: Stage,
  { today, day }: { today: string; day: string },
): Promise<CaseStatement> {
  const whole = await check(stage, '')
  const asOf = await check(stage, `asOf=${day}`)
  const path = `/cases/${stage.caseGuid}/statement?$top=500`
  const first = await read<CaseStatement>(`${path}&to=${day}`)
  assert.deepEqual({ ...first, kinds: [] }, { ...asOf, kinds: [] })
  if (day === today) return asOf
  const second = await read<CaseStatement>(`${path}&from=${addDays(day, 1)}`)
  assert.equal(second.openingBalance, first.closingBalance)
  assert.equal(second.closingBalance, whole.closingBalance)
  const [early, late, all] = [first, second, whole].map(({ lines }) => lines.map(({ number }) => number))
  assert.deepEqual([...early!, ...late!], all)
  return asOf
}
