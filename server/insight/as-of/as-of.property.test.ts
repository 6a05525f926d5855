/**
 * Drawn histories with backdated payments, reversals, corrected rates, holds and changed terms. While the business date
 * advances, the live answers are kept. Later each is asked for again as of its day, and must be the same.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { addDays } from '../../../core/calendar/calendar.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { contextOn } from '../../testing/records/cases.ts'
import {
  dated,
  drawnEvent,
  openDrawnCase,
  registeredOn,
  reverseLast,
} from '../../testing/records/drawn-history.ts'
import * as scenarios from '../../testing/records/scenarios.ts'
import type { Event, Stage } from '../../testing/records/scenarios.ts'

let api: TestApi
/** An installation for each history: a rate that an earlier one set would be known before its time. */
const open = async () => {
  api = await startApi()
}
const close = () => api.close()
const plugins = [fc.beforeEach(open), fc.afterEach(close)]

const { pay, hold, rate } = scenarios

const reports = ['portfolio', 'aging', 'collected', 'trust']
type Answers = Record<string, unknown>

/** Every answer about the case, without what an answer as of a day leaves out. */
async function readAnswers({ debtorGuid, caseGuid, clientGuid }: Stage, days = ''): Promise<Answers> {
  const ofDebtor = `/debtors/${debtorGuid}`
  const paths = {
    overview: `${ofDebtor}/caseoverview`,
    list: `${ofDebtor}/cases`,
    detail: `${ofDebtor}/cases/${caseGuid}`,
    explanation: `${ofDebtor}/cases/${caseGuid}/explain`,
    whole: `/cases/${caseGuid}`,
    movements: `/cases/${caseGuid}/movements`,
    ...Object.fromEntries(reports.map((name) => [name, `/reports/${name}`])),
  }
  const found: Answers = {}
  for (const [name, path] of Object.entries(paths)) {
    const query = path.startsWith('/reports/') ? `?clientGuid=${clientGuid}&${days}` : `?${days}`
    const { status, body, text } = await api.call<Answers>('GET', `${path}${query}`)
    assert.equal(status, 200, text)
    const {
      asOf: _,
      knownAt: __,
      links: ___,
      contact: ____,
      plan: _____,
      businessDate: ______,
      ...kept
    } = body
    found[name] = kept
  }
  return found
}

/** The amounts alone: with the business date set back the status of a case stays. */
const amountsIn = ({ detail }: Answers) =>
  Object.fromEntries(Object.entries(detail as Answers).filter(([, value]) => typeof value === 'number'))

/** A payment dated back and reversed later: each day is known in three ways. */
const backdated: [number, (today: string) => Event][] = [
  [10, () => hold('HOLD_DISPUTE')],
  [20, () => pay(100)],
  [5, (today) => pay(2000, dated(today, 15))],
  [10, () => reverseLast],
]

/** A shipped rate that an administrator corrects: before that, its former value and source are known. */
const correctedRate: [number, (today: string) => Event][] = [
  [5, () => pay(100)],
  [5, () => pay(100)],
  [10, () => rate('SE', '2026-01-01', 4)],
  [5, () => pay(100)],
]

test('as of a day is what the live answer was on that day, and what a date set back shows', async () => {
  const step = fc.tuple(fc.integer({ min: 0, max: 50 }), drawnEvent)
  let compared = 0
  let changed = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 12 }), fc.nat(40), async (steps, earlier) => {
      const stage = await openDrawnCase(api)
      const live = new Map<string, Answers>()
      const setBack: { asOf: string; knownAt: string; amounts: object }[] = []
      let today = registeredOn
      for (const [days, happens] of steps) {
        today = addDays(today, days)
        await api.setDate(today)
        stage.context = contextOn(today)
        await happens(today)(stage).catch((error: unknown) =>
          assert.ok(error instanceof ApiError, String(error)),
        )
        live.set(today, await readAnswers(stage))
        const asOf = dated(today, earlier).valueDate
        await api.setDate(asOf)
        setBack.push({ asOf, knownAt: today, amounts: amountsIn(await readAnswers(stage)) })
      }
      // The last of a day counts: earlier answers of the day did not know all that it brought.
      const last = new Map(setBack.map((one) => [one.knownAt, one]))
      await api.setDate(addDays(today, 10))
      for (const [day, expected] of live) {
        const found = await readAnswers(stage, `asOf=${day}&knownAt=${day}`)
        assert.deepEqual(found, expected, `as of ${day}`)
        compared++
        const { asOf, knownAt, amounts } = last.get(day)!
        const past = await readAnswers(stage, `asOf=${asOf}&knownAt=${knownAt}`)
        assert.deepEqual(amountsIn(past), amounts, `as of ${asOf}, known at ${knownAt}`)
        const then = await readAnswers(stage, `asOf=${asOf}&knownAt=${asOf}`)
        if (JSON.stringify(amountsIn(then)) !== JSON.stringify(amounts)) changed++
      }
    }),
    {
      numRuns: 4,
      endOnFailure: true,
      plugins,
      examples: [
        [backdated, 10],
        [correctedRate, 3],
      ],
    },
  )
  assert.ok(compared > 6, `${compared} days were compared`)
  // Otherwise the two times were never apart and the test would show nothing.
  assert.ok(changed > 1, `${changed} days were known differently later`)
})
