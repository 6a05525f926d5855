/** Random events on plans of every type: the ledger and the plan's rows agree after each event. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as fc from 'fast-check'
import type { PaymentPlan } from '../../contract/plans/payment-plans.ts'
import { addDays } from '../../core/calendar/calendar.ts'
import { agencyCaller, runDayEnd } from '../testing/records/cases.ts'
import { reversePayment } from './reverse-payment.ts'
import { assertProven, contextOn } from '../testing/records/cases.ts'
import { ApiError } from '../platform/http/errors.ts'
import { openPlanStage, type PlanStage } from '../testing/records/plans.ts'

const start = '2026-01-31'
let stage: PlanStage
before(async () => {
  stage = await openPlanStage(start)
})
after(() => stage.api.close())

const randomEvent = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('days'), days: fc.integer({ min: 1, max: 40 }) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('pay'),
      minor: fc.oneof(
        { weight: 3, arbitrary: fc.integer({ min: 1, max: 60_000 }) },
        { weight: 1, arbitrary: fc.integer({ min: 1, max: 300_000 }) },
      ),
      target: fc.nat(3),
      daysBack: fc.integer({ min: 0, max: 10 }),
      toThirdParty: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('reverse'), which: fc.nat(9) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('deviate'),
      paymentNo: fc.integer({ min: 1, max: 8 }),
      minor: fc.option(fc.integer({ min: 0, max: 200_000 })),
      days: fc.option(fc.integer({ min: -5, max: 60 })),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel') }) },
)
type Happening = {
  kind: string
  days?: number | null
  minor?: number | null
  target?: number
  daysBack?: number
  toThirdParty?: boolean
  which?: number
  paymentNo?: number
}
const fees = { registrationFee: 170, invoiceFee: 25, reminderFee: 60 }
const asked = fc.constantFrom(
  { paymentPlanType: 1, numberOfPayments: 6, ...fees },
  { paymentPlanType: 1, amount: 900, ...fees },
  { paymentPlanType: 2, numberOfPayments: 4, amount: 800, ...fees },
  { paymentPlanType: 3, numberOfPayments: 5, ...fees },
  { paymentPlanType: 4, numberOfPayments: 3, amount: 600, ...fees },
  { paymentPlanType: 5, numberOfPayments: 5, amount: 500 },
)
/** The fixed first run. It changes the plan's payments, which random runs might not do. */
const fixedRun: (typeof randomEvent extends fc.Arbitrary<infer One> ? One : never)[] = [
  { kind: 'days', days: 1 },
  { kind: 'deviate', paymentNo: 2, minor: null, days: 40 },
  { kind: 'pay', minor: 20_000, target: 3, daysBack: 0, toThirdParty: false },
  { kind: 'days', days: 40 },
]
/** Takes back the deviating amount of a partly paid payment of debt relief. */
const takenBack: typeof fixedRun = [
  { kind: 'deviate', paymentNo: 1, minor: 199_996, days: null },
  { kind: 'pay', minor: 61_442, target: 2, daysBack: 0, toThirdParty: false },
  { kind: 'deviate', paymentNo: 2, minor: null, days: null },
  { kind: 'days', days: 40 },
]
const cents = (amount: number) => Math.round(amount * 100)

function assertConsistent(plan: PaymentPlan): void {
  const sum = (part: 'amount' | 'instalment' | 'interest' | 'fee') =>
    plan.payments.reduce((all, row) => all + cents(row[part]), 0)
  assert.deepEqual(
    [sum('amount'), sum('instalment'), sum('interest'), sum('fee')],
    [plan.totalAmount, plan.totalPrincipal, plan.totalInterest, plan.totalFee].map(cents),
  )
  const open = plan.payments.findIndex(({ unpaid }) => unpaid > 0)
  plan.payments.forEach((row, index) => {
    assert.equal(cents(row.amount), cents(row.instalment) + cents(row.interest) + cents(row.fee))
    assert.ok(row.unpaid >= 0 && row.unpaid <= row.amount)
    if (open >= 0 && index > open) assert.equal(row.unpaid, row.amount)
    if (index > 0) assert.ok(row.dueDate > plan.payments[index - 1]!.dueDate)
  })
  const count = plan.payments.filter(({ unpaid }) => unpaid > 0).length
  assert.equal(plan.remainingNumberOfPayments, plan.active === 0 ? 0 : count)
  assert.equal(plan.payments.length, plan.numberOfPayments)
}

test('rows, ledger and cases agree after any sequence of events', async () => {
  let [done, step] = [0, 0]
  await fc.assert(
    fc.asyncProperty(
      asked,
      fc.array(randomEvent, { minLength: 6, maxLength: 16 }),
      async (body, happenings) => {
        await stage.setDate(start)
        const rated = { interestRate: 10, interestFromDate: start }
        const made = await stage.debtorWith(
          { principal: 3_000, ...rated },
          { principal: 1_000, fee: 100, ...rated },
        )
        const { body: plan, status, text } = await stage.plan(made.debtorGuid, { active: 1, ...body })
        assert.equal(status, 201, text)
        const path = `/debtors/${made.debtorGuid}/paymentplans/${plan.paymentPlanGuid}`
        const payments: string[] = []
        const run: Record<string, (one: Happening) => Promise<void>> = {
          days: async ({ days }) => {
            await stage.setDate(addDays(stage.today, days!))
            await runDayEnd(stage.api.sql, contextOn(stage.today).origin)
          },
          pay: async ({ minor, target, daysBack, toThirdParty }) => {
            const caseGuid = target! < 2 ? made.caseGuids[target!] : undefined
            const day = addDays(stage.today, -daysBack!)
            const valueDate = day < start ? start : day
            const to = caseGuid === undefined ? { debtorGuid: made.debtorGuid } : { caseGuid }
            const guid = await stage.pay({
              ...to,
              amount: minor! / 100,
              valueDate,
              toThirdParty: toThirdParty!,
            })
            payments.push(guid)
          },
          reverse: async ({ which }) => {
            const [paymentGuid] = payments.splice(which! % Math.max(1, payments.length), 1)
            if (!paymentGuid) return
            const input = { reason: 'bounced' }
            await reversePayment(stage.api.sql, agencyCaller, { paymentGuid, input }, contextOn(stage.today))
          },
          deviate: async ({ paymentNo, minor, days }) => {
            const given = {
              paymentNo: paymentNo!,
              ...(minor !== null && { specifiedAmount: minor! / 100 }),
              ...(days !== null && { specifiedDueDate: addDays(stage.today, days!) }),
            }
            const answer = await stage.api.call('PATCH', path, { body: { payments: [given] } })
            assert.ok([200, 409, 422].includes(answer.status), answer.text)
            if (answer.status === 200) done++
          },
          cancel: async () => {
            const answer = await stage.api.call('POST', `${path}/cancel`)
            assert.ok([200, 409].includes(answer.status), answer.text)
          },
        }
        for (const one of happenings as Happening[]) {
          try {
            await run[one.kind]!(one)
          } catch (error) {
            // A debtor without open cases cannot receive a payment.
            if (!(error instanceof ApiError) || error.kind !== 'not-found') throw error
          }
          assertConsistent(await stage.get(made.debtorGuid, plan.paymentPlanGuid))
          if (++step % 4 === 0) await assertProven(stage.api)
        }
        await assertProven(stage.api)
      },
    ),
    {
      numRuns: 20,
      endOnFailure: true,
      examples: [
        [{ paymentPlanType: 1, numberOfPayments: 6, ...fees }, fixedRun],
        [{ paymentPlanType: 5, numberOfPayments: 5, amount: 500 }, takenBack],
      ],
    },
  )
  assert.ok(done > 0, 'some changes were made')
})
