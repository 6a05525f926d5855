/** Plan inputs that D14, D16, D17, D18 and D19 refuse: the status, and the member that the error names. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { PaymentPlan } from '../../contract/plans/payment-plans.ts'
import type { ProblemKind } from '../../contract/platform/problem.ts'
import { closeCase } from '../cases/case-status.ts'
import { agencyCaller } from '../testing/records/cases.ts'
import { assertProven, contextOn } from '../testing/records/cases.ts'
import { assertProblem } from '../testing/problem.ts'
import { openPlanStage, type PlanStage } from '../testing/records/plans.ts'

const at = '2026-01-15'
let stage: PlanStage
let debtorGuid: string
let caseGuids: string[]
before(async () => {
  stage = await openPlanStage(at)
  const made = await stage.debtorWith({ principal: 10_000, interestRate: 12, interestFromDate: at })
  ;({ debtorGuid, caseGuids } = made)
})
after(() => stage.api.close())

type Answer = { status: number; text: string; body: { errors?: Record<string, string[]> } }
const send = (method: string, path: string, body?: unknown) =>
  stage.api.call(method, path, { ...(body !== undefined && { body }) }) as Promise<unknown> as Promise<Answer>

function assertRefused(answer: Answer, kind: ProblemKind, member: string, says: RegExp, about: string): void {
  assertProblem(answer, kind, says, about)
  assert.ok(answer.body.errors?.[member]?.[0], `${about} names ${member}: ${answer.text}`)
}

const annuity = { paymentPlanType: 1, numberOfPayments: 12 }
const day = (date: string) => `${date}T00:00:00Z`
const table: [about: string, body: object, kind: ProblemKind, member: string, says: RegExp][] = [
  ['no type', { numberOfPayments: 2 }, 'invalid', 'paymentPlanType', /required/],
  ['an unknown type', { ...annuity, paymentPlanType: 6 }, 'invalid', 'paymentPlanType', /./],
  ['ended as a state', { ...annuity, active: 0 }, 'invalid', 'active', /./],
  ['an unknown member', { ...annuity, interest: 3 }, 'invalid', 'interest', /./],
  ['no payments at all', { ...annuity, numberOfPayments: 0 }, 'invalid', 'numberOfPayments', /1/],
  ['601 payments', { ...annuity, numberOfPayments: 601 }, 'invalid', 'numberOfPayments', /600/],
  ['one and a half', { ...annuity, numberOfPayments: 1.5 }, 'invalid', 'numberOfPayments', /./],
  ...([1, 3] as const).flatMap((paymentPlanType): (typeof table)[number][] => [
    [`neither, type ${paymentPlanType}`, { paymentPlanType }, 'invalid', 'amount', /one of them/],
    [
      `both, type ${paymentPlanType}`,
      { ...annuity, paymentPlanType, amount: 900 },
      'invalid',
      'numberOfPayments',
      /one of them/,
    ],
  ]),
  ...([2, 4, 5] as const).flatMap((paymentPlanType): (typeof table)[number][] => [
    [
      `number alone, type ${paymentPlanType}`,
      { paymentPlanType, numberOfPayments: 3 },
      'invalid',
      'amount',
      /both/,
    ],
    [
      `amount alone, type ${paymentPlanType}`,
      { paymentPlanType, amount: 300 },
      'invalid',
      'numberOfPayments',
      /both/,
    ],
  ]),
  ['an amount of nothing', { paymentPlanType: 1, amount: 0 }, 'invalid', 'amount', /at least SEK.0\.01/],
  ['an amount below zero', { paymentPlanType: 1, amount: -5 }, 'invalid', 'amount', /at least/],
  ['an amount too fine', { paymentPlanType: 1, amount: 500.005 }, 'invalid', 'amount', /2 decimals/],
  [
    'an amount too small to ever repay the debt',
    { paymentPlanType: 1, amount: 99 },
    'unprocessable',
    'amount',
    /minimum amount is SEK.\d+\.\d\d/,
  ],
  [
    'a limited plan whose debt never decreases',
    { paymentPlanType: 2, amount: 10, numberOfPayments: 5 },
    'unprocessable',
    'amount',
    /minimum amount/,
  ],
  ['a fee below zero', { ...annuity, invoiceFee: -1 }, 'invalid', 'invoiceFee', /below zero/],
  ['a fee too fine', { ...annuity, registrationFee: 1.001 }, 'invalid', 'registrationFee', /2 decimals/],
  ['a reminder fee below zero', { ...annuity, reminderFee: -0.01 }, 'invalid', 'reminderFee', /below zero/],
  ['a currency that is none', { ...annuity, currencyCode: 'SEX' }, 'invalid', 'currencyCode', /ISO 4217/],
  ['no case in the currency', { ...annuity, currencyCode: 'EUR' }, 'unprocessable', 'cases', /EUR/],
  [
    'fees in another currency',
    { ...annuity, feeCurrencyCode: 'NOK' },
    'unprocessable',
    'feeCurrencyCode',
    /SEK/,
  ],
  ['fees in none', { ...annuity, feeCurrencyCode: 'XX' }, 'invalid', 'feeCurrencyCode', /ISO 4217/],
  ['no cases named', { ...annuity, cases: [] }, 'invalid', 'cases', /at least one/],
  ['a case that is none', { ...annuity, cases: ['x'] }, 'invalid', 'cases[0]', /./],
  [
    'an unknown case',
    { ...annuity, cases: ['0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70'] },
    'unprocessable',
    'cases[0]',
    /debtor owes/,
  ],
  [
    'a deviation of payment 13 of 12',
    { ...annuity, payments: [{ paymentNo: 13, specifiedAmount: 1 }] },
    'unprocessable',
    'payments[0].paymentNo',
    /1 to 12/,
  ],
  [
    'payment 0',
    { ...annuity, payments: [{ paymentNo: 0, specifiedAmount: 1 }] },
    'invalid',
    'payments[0].paymentNo',
    /./,
  ],
  [
    'a deviation without a payment number',
    { ...annuity, payments: [{ specifiedAmount: 1 }] },
    'invalid',
    'payments[0].paymentNo',
    /./,
  ],
  [
    'two deviations of one payment',
    { ...annuity, payments: [{ paymentNo: 2, specifiedAmount: 1 }, { paymentNo: 2 }] },
    'unprocessable',
    'payments[1].paymentNo',
    /twice/,
  ],
  [
    'deviation dates out of order',
    { ...annuity, payments: [{ paymentNo: 2, specifiedDueDate: day('2026-05-01') }] },
    'unprocessable',
    'payments[0].specifiedDueDate',
    /order/,
  ],
  [
    'a first payment in the past',
    { ...annuity, payments: [{ paymentNo: 1, specifiedDueDate: day('2025-05-01') }] },
    'unprocessable',
    'payments[0].specifiedDueDate',
    /15 Jan 2026 or later/,
  ],
  [
    'a date past the supported years',
    { ...annuity, payments: [{ paymentNo: 12, specifiedDueDate: day('9999-05-01') }] },
    'invalid',
    'payments[0].specifiedDueDate',
    /2199/,
  ],
  [
    'no date',
    { ...annuity, payments: [{ paymentNo: 12, specifiedDueDate: 'soon' }] },
    'invalid',
    'payments[0].specifiedDueDate',
    /./,
  ],
  [
    'a negative amount of a payment',
    { ...annuity, payments: [{ paymentNo: 1, specifiedAmount: -1 }] },
    'invalid',
    'payments[0].specifiedAmount',
    /at least/,
  ],
  [
    'an amount with too many decimals',
    { ...annuity, payments: [{ paymentNo: 1, specifiedAmount: 0.001 }] },
    'invalid',
    'payments[0].specifiedAmount',
    /2 decimals/,
  ],
  ['amounts too large', { ...annuity, invoiceFee: 1e13 }, 'unprocessable', 'amount', /too large/],
]

describe('creating (D14) and calculating (D18) refuse the same input', () => {
  for (const [about, body, kind, member, says] of table) {
    test(about, async () => {
      const path = `/debtors/${debtorGuid}/paymentplans`
      for (const to of [`${path}/calculate`, path])
        assertRefused(await send('POST', to, body), kind, member, says, `${about} ${to}`)
      const [count] = await stage.api
        .sql`select count(*)::int as n from payment_plan where debtor_id = ${debtorGuid}`
      assert.equal(count!['n'], 0)
    })
  }
})

const make = (debtor: string, body: object) => send('POST', `/debtors/${debtor}/paymentplans`, body)

describe('the cases of a plan', () => {
  test('must belong to the debtor, be open, differ from each other, and share one currency', async () => {
    const other = await stage.debtorWith({})
    const foreign = await make(debtorGuid, { ...annuity, cases: [caseGuids[0], other.caseGuids[0]] })
    assertRefused(foreign, 'unprocessable', 'cases[1]', /debtor owes/, 'another debtor')
    const twice = await make(debtorGuid, { ...annuity, cases: [caseGuids[0], caseGuids[0]!.toUpperCase()] })
    assertRefused(twice, 'invalid', 'cases[1]', /twice/, 'twice')
    const mixed = await stage.debtorWith({}, { currencyCode: 'EUR' })
    const two = /SEK and EUR/
    assertRefused(await make(mixed.debtorGuid, annuity), 'unprocessable', 'cases', two, 'all')
    const named = await make(mixed.debtorGuid, { ...annuity, cases: mixed.caseGuids })
    assertRefused(named, 'unprocessable', 'cases', two, 'named')
    const wrong = { ...annuity, cases: [mixed.caseGuids[0]], currencyCode: 'EUR' }
    assertRefused(await make(mixed.debtorGuid, wrong), 'unprocessable', 'currencyCode', /SEK/, 'currency')
    assert.equal((await make(mixed.debtorGuid, { ...annuity, currencyCode: 'eur' })).status, 201)
    const [caseGuid] = mixed.caseGuids
    const input = { caseGuid: caseGuid!, input: { closureCode: 'WRITTEN_OFF' } }
    await closeCase(stage.api.sql, agencyCaller, input, contextOn(at))
    const closed = await make(mixed.debtorGuid, { ...annuity, cases: [caseGuid] })
    assertRefused(closed, 'unprocessable', 'cases[0]', /closed/, 'closed')
    const none = await stage.debtorWith()
    assertRefused(await make(none.debtorGuid, annuity), 'unprocessable', 'cases', /no open case/, 'no case')
  })

  test('conflict when they are in an active plan, which the error names, and cannot be closed', async () => {
    const own = await stage.debtorWith({}, {})
    const [first, second] = own.caseGuids as [string, string]
    const { body: plan } = await stage.plan(own.debtorGuid, { ...annuity, active: 1, cases: [first] })
    const guid = plan.paymentPlanGuid!
    const named = await make(own.debtorGuid, { ...annuity, cases: [second, first] })
    assertRefused(named, 'conflict', 'cases[1]', new RegExp(guid), 'named')
    const { body: rest } = await stage.plan(own.debtorGuid, annuity)
    assert.deepEqual(
      rest.cases.map(({ caseGuid }) => caseGuid),
      [second],
      'the others are taken',
    )
    const close = closeCase(
      stage.api.sql,
      agencyCaller,
      { caseGuid: first, input: { closureCode: 'SETTLED' } },
      contextOn(at),
    )
    await assert.rejects(close, { kind: 'unprocessable' })
  })
})

describe('a plan', () => {
  test('cannot be activated, cancelled or changed again once it has ended', async () => {
    const own = await stage.debtorWith({})
    const { body: plan } = await stage.plan(own.debtorGuid, annuity)
    const path = `/debtors/${own.debtorGuid}/paymentplans/${plan.paymentPlanGuid}`
    assert.equal((await send('POST', `${path}/activate`)).status, 200)
    assertProblem(await send('POST', `${path}/activate`), 'conflict', /already active/)
    assert.equal((await send('POST', `${path}/cancel`)).status, 200)
    for (const step of ['activate', 'cancel'])
      assertProblem(await send('POST', `${path}/${step}`), 'conflict', /ended/)
    const change = await send('PATCH', path, { payments: [{ paymentNo: 2, specifiedAmount: 1 }] })
    assertProblem(change, 'conflict', /ended/)
  })

  test('cannot be activated when one of its cases has closed', async () => {
    const own = await stage.debtorWith({}, {})
    const { body: plan } = await stage.plan(own.debtorGuid, annuity)
    await stage.pay({ caseGuid: own.caseGuids[1], amount: 1000 })
    const path = `/debtors/${own.debtorGuid}/paymentplans/${plan.paymentPlanGuid}`
    assertProblem(await send('POST', `${path}/activate`), 'unprocessable', /closed/)
    await assertProven(stage.api)
  })

  test('of a client outside the caller’s restriction is not found', async () => {
    const { api } = stage
    const [mine, theirs] = [await api.addParty('MINE'), await api.addParty('THEIRS')]
    const own = await stage.debtorWith({ clientGuid: mine }, { clientGuid: theirs })
    const path = `/debtors/${own.debtorGuid}/paymentplans`
    const { body: shared } = await stage.plan(own.debtorGuid, annuity)
    const { body: sole } = await stage.plan(own.debtorGuid, { ...annuity, cases: [own.caseGuids[0]] })
    const token = await api.signIn(6, mine)
    const list = await api.call<{ value: PaymentPlan[] }>('GET', path, { token })
    assert.deepEqual(
      list.body.value.map(({ paymentPlanGuid }) => paymentPlanGuid),
      [sole.paymentPlanGuid],
    )
    assert.equal((await api.call('GET', `${path}/${sole.paymentPlanGuid}`, { token })).status, 200)
    assert.equal((await api.call('GET', `${path}/${shared.paymentPlanGuid}`, { token })).status, 404, 'D15')
    const shown = await api.call<PaymentPlan>('POST', `${path}/calculate`, { token, body: annuity })
    assert.deepEqual(
      shown.body.cases.map(({ caseGuid }) => caseGuid),
      [own.caseGuids[0]],
    )
    assert.equal((await api.call('POST', path, { token, body: annuity })).status, 403)
    const stranger = await api.signIn(6, await api.addParty('STRANGER'))
    for (const [method, to] of [
      ['GET', path],
      ['POST', `${path}/calculate`],
    ] as const)
      assert.equal(
        (await api.call(method, to, { token: stranger, ...(method === 'POST' && { body: annuity }) })).status,
        404,
      )
  })
})
