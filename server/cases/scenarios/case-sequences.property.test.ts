/** Random events in any order, on any dates: the ledger stays correct. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as fc from 'fast-check'
import { addDays } from '../../../core/calendar/calendar.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assertProven, contextOn, makeDebtor, agencyCaller } from '../../testing/records/cases.ts'
import { registerCase } from '../register-case.ts'
import { drawn, registeredOn, reverseLast } from '../../testing/records/drawn-history.ts'
import { reopen, terms, type Event, type Stage } from '../../testing/records/scenarios.ts'

let api: TestApi
let client: string
before(async () => {
  api = await startApi()
  client = await api.addParty('CLIENT')
  await api.sql`update party set currency_code = 'SEK', country_code = 'SE', tolerance = 3 where id = ${client}`
})
after(() => api.close())

/** A random event, backdated by some days. */
const randomEvent: fc.Arbitrary<(today: string) => Event> = fc.oneof(
  { weight: 5, arbitrary: drawn.payment },
  { weight: 1, arbitrary: drawn.thirdPartyPayment },
  { weight: 2, arbitrary: fc.constant(() => reverseLast) },
  { weight: 2, arbitrary: drawn.fee },
  { weight: 1, arbitrary: drawn.invoice },
  { weight: 1, arbitrary: drawn.credit },
  { weight: 1, arbitrary: drawn.writeOff },
  { weight: 1, arbitrary: fc.constantFrom(0, 5, 36.5).map((interestRate) => () => terms({ interestRate })) },
  { weight: 1, arbitrary: fc.constant(() => terms({ interestSeries: 'SE', interestPoints: 8 })) },
  { weight: 1, arbitrary: drawn.close },
  { weight: 2, arbitrary: fc.constant(() => reopen) },
)

test('the ledger verifies after any sequence of events, with the date moving forward and back', async () => {
  const step = fc.tuple(fc.integer({ min: -30, max: 80 }), randomEvent)
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      const stage = await open()
      let today = registeredOn
      for (const [days, happens] of steps) {
        const moved = addDays(today, days)
        today = moved < registeredOn ? registeredOn : moved
        await api.setDate(today)
        stage.context = contextOn(today)
        // The rules may refuse an event. Any other error is a fault.
        await happens(today)(stage).catch((error: unknown) =>
          assert.ok(error instanceof ApiError, String(error)),
        )
        await assertProven(api)
      }
    }),
    { numRuns: 12, endOnFailure: true },
  )
})

async function open(): Promise<Stage> {
  await api.setDate(registeredOn)
  const debtorGuid = await makeDebtor(api)
  const context = contextOn(registeredOn)
  const input = {
    clientGuid: client,
    debtorGuid,
    principal: 5000,
    interestRate: 10,
    interestFromDate: '2025-12-01',
    fee: 60,
    reminderFeeAgreed: true,
  }
  const { caseGuid } = await registerCase(api.sql, agencyCaller, input, context)
  return { api, context, clientGuid: client, debtorGuid, caseGuid, named: new Map() }
}
