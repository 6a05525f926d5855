/** The fees of a payment plan are held to the law of the case, when it is proposed, created active and activated. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { PaymentPlan } from '../../../contract/plans/payment-plans.ts'
import { addDays } from '../../../core/calendar/calendar.ts'
import { runJobs, waitForJob } from '../../testing/jobs.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'
import {
  assertProven,
  contextOn,
  makeDebtor,
  openCases,
  runDayEnd,
  setTerms,
  today,
  type OpenedCases,
} from '../../testing/records/cases.ts'

let api: TestApi
let cases: OpenedCases
before(async () => {
  api = await startApi()
  cases = await openCases(api)
})
after(() => api.close())

/** An overdue case of 3,000 that the law of the country governs. */
async function registerIn(governingCountry: string, currencyCode: string, more: object = {}) {
  const dueDate = addDays(today, -20)
  const made = await cases.register({ principal: 3000, currencyCode, dueDate, ...more })
  const body = { governingCountry }
  const { status, text } = await api.call('PATCH', `/system/forms/case/law?id=${made.caseGuid}`, { body })
  assert.equal(status, 200, text)
  return made
}

/** D14 */
const create = (debtorGuid: string, input: object) =>
  api.call<PaymentPlan>('POST', `/debtors/${debtorGuid}/paymentplans`, {
    body: { paymentPlanType: 1, numberOfPayments: 6, ...input },
  })

/** D18 */
const calculate = (debtorGuid: string, input: object) =>
  api.call<PaymentPlan>('POST', `/debtors/${debtorGuid}/paymentplans/calculate`, {
    body: { paymentPlanType: 1, numberOfPayments: 6, ...input },
  })

for (const [country, currency, input, member, rule, message] of [
  ['SE', 'SEK', { registrationFee: 170.01 }, 'registrationFee', 'SE-PLAN-CEILING', /170/],
  ['SE', 'SEK', { reminderFee: 60.01 }, 'reminderFee', 'SE-PLAN-REMINDER-CEILING', /60/],
  ['NO', 'NOK', { registrationFee: 5000 }, 'registrationFee', 'NO-PLAN-CEILING', /1,125/],
  ['NO', 'NOK', { registrationFee: 1, numberOfPayments: 4 }, 'registrationFee', 'NO-PLAN-CEILING', /0\.00/],
  ['SE', 'SEK', { invoiceFee: 60.01 }, 'invoiceFee', 'SE-PLAN-INVOICE-CEILING', /60/],
  ['NO', 'NOK', { invoiceFee: 0.01 }, 'invoiceFee', 'NO-PLAN-INVOICE', /0\.00/],
  ['DK', 'DKK', { registrationFee: 1 }, 'registrationFee', 'DK-EXTERNAL-TIME', /./],
  ['DK', 'DKK', { invoiceFee: 1 }, 'invoiceFee', 'DK-EXTERNAL-TIME', /./],
  ['FI', 'EUR', { invoiceFee: 0.01 }, 'invoiceFee', 'FI-PLAN-INVOICE', /0\.00/],
  ['DE', 'EUR', { invoiceFee: 0.01 }, 'invoiceFee', 'DE-PLAN-INVOICE', /0\.00/],
  ['DK', 'DKK', { reminderFee: 500 }, 'reminderFee', 'DK-REMINDER-CEILING', /100/],
  ['FI', 'EUR', { registrationFee: 50.01 }, 'registrationFee', 'FI-PLAN-CEILING', /50/],
  ['FI', 'EUR', { registrationFee: 20.01, numberOfPayments: 4 }, 'registrationFee', 'FI-PLAN-CEILING', /20/],
  ['DE', 'EUR', { reminderFee: 0.01 }, 'reminderFee', 'DE-REMINDER-CEILING', /./],
] as const)
  test(`${country}: ${JSON.stringify(input)} is refused, as a proposal and active; a calculation shows it`, async () => {
    const { debtorGuid, caseGuid } = await registerIn(country, currency)
    assert.equal((await calculate(debtorGuid, input)).status, 200)
    for (const answer of [
      await create(debtorGuid, { ...input, active: 1 }),
      await create(debtorGuid, { ...input, active: 2 }),
    ]) {
      assertProblem(answer, 'unprocessable', message)
      const { errors, rule: named } = answer.body as unknown as { errors: object; rule: string }
      assert.deepEqual([Object.keys(errors), named], [[member], rule])
    }
    const { length } = await api.sql`select from payment_plan_case where case_id = ${caseGuid}`
    assert.equal(length, 0)
  })

test('FI: more than four payments may cost 50 for a claim above 1,000, as a given fee and as a term of the client', async () => {
  const { debtorGuid } = await registerIn('FI', 'EUR')
  const fees = { registrationFee: 50, invoiceFee: 0, reminderFee: 0, active: 1 }
  const made = await create(debtorGuid, { ...fees, numberOfPayments: 5 })
  assert.equal(made.status, 201, made.text)
  assert.equal(made.body.registrationFee, 50)
})

/** A letter about a plan leaves the outbox. */
async function sendPlanLetter(debtorGuid: string, paymentPlanGuid: string): Promise<void> {
  const body = { kind: 'plan', paymentPlanGuid, channel: 'letter' }
  const written = await api.call('POST', `/debtors/${debtorGuid}/letters`, { body })
  assert.equal(written.status, 201, written.text)
  await api.sql`update message set sent_at = now(), body = null where debtor_id = ${debtorGuid}`
}

test('DE: a plan costs a private person something only when a letter has told of it before (RDG § 13a(3))', async () => {
  // Half of 3,000 by RVG § 13: 0.7 × (51.50 + 2 × 41.50).
  const fees = { registrationFee: 94.15, invoiceFee: 0, reminderFee: 0 }
  const { debtorGuid, caseGuid } = await registerIn('DE', 'EUR')
  const atOnce = await create(debtorGuid, { ...fees, active: 1 })
  assertProblem(atOnce, 'unprocessable', /Propose the plan, send a letter about it/)
  assert.equal((atOnce.body as unknown as { rule: string }).rule, 'DE-PLAN-TOLD')
  const tooMuch = await create(debtorGuid, { ...fees, registrationFee: 94.16, active: 2 })
  assertProblem(tooMuch, 'unprocessable', /94\.15/)
  const proposed = await create(debtorGuid, { ...fees, active: 2 })
  assert.equal(proposed.status, 201, proposed.text)
  const path = `/debtors/${debtorGuid}/paymentplans/${proposed.body.paymentPlanGuid}/activate`
  assertProblem(await api.call('POST', path), 'unprocessable', /Propose the plan/)
  await sendPlanLetter(debtorGuid, proposed.body.paymentPlanGuid!)
  const activated = await api.call('POST', path)
  assert.equal(activated.status, 200, activated.text)
  const booked = await api.sql<{ amount: number; rule: string }[]>`
    select amount::float8 / 100 as amount, details ->> 'rule' as rule from movement
    where case_id = ${caseGuid} and kind = 'fee'`
  assert.deepEqual([...booked], [{ amount: 94.15, rule: 'DE-PLAN-SCALE' }])
  await assertProven(api)
})

test('DE: the fee of the client’s terms is left out of a plan of which the debtor was not told', async () => {
  await setTerms(api, cases.client, { plan_registration_fee: 50 })
  try {
    const { debtorGuid } = await registerIn('DE', 'EUR')
    const made = await create(debtorGuid, { active: 1, invoiceFee: 0, reminderFee: 0 })
    assert.equal(made.status, 201, made.text)
    assert.equal(made.body.registrationFee, 0)
  } finally {
    await setTerms(api, cases.client, { plan_registration_fee: null })
  }
})

test('SE: the highest fees are allowed, once for a claim', async () => {
  const { debtorGuid, caseGuid } = await registerIn('SE', 'SEK')
  const fees = { registrationFee: 170, invoiceFee: 0, reminderFee: 60, active: 1 }
  const first = await create(debtorGuid, fees)
  assert.equal(first.status, 201, first.text)
  const path = `/debtors/${debtorGuid}/paymentplans/${first.body.paymentPlanGuid}`
  assert.equal((await api.call('POST', `${path}/cancel`)).status, 200)
  assertProblem(await create(debtorGuid, fees), 'unprocessable', /Each kind of cost once/)
  const second = await create(debtorGuid, { ...fees, registrationFee: 0 })
  assert.equal(second.status, 201, second.text)
  const booked = await api.sql<{ amount: number }[]>`
    select amount::float8 / 100 as amount from movement where case_id = ${caseGuid} and kind = 'fee'
      and details ->> 'feeType' = 'planRegistration'`
  assert.deepEqual(
    booked.map(({ amount }) => amount),
    [170],
  )
  await assertProven(api)
})

async function hold(caseGuid: string, reason: string): Promise<void> {
  const held = await api.call('PATCH', `/system/forms/case/hold?id=${caseGuid}`, { body: { reason } })
  assert.equal(held.status, 200, held.text)
}

/** The demand of an agency, whose deadline passes on the given day. */
const demand = (caseGuid: string, due: string) => api.sql`
  insert into document (id, debtor_id, case_id, client_ids, kind, language, title, business_date, data, due_date)
  select gen_random_uuid(), main_debtor_id, id, array[client_id], 'demand', 'da', 'Inkasso', ${addDays(due, -10)}, '{}', ${due}
  from debt_case where id = ${caseGuid}`

test('DK: the notices of all payments and the plan itself cost at most what collection by an agency costs (BEK 601/2002 §§ 3, 4)', async () => {
  const { debtorGuid, caseGuid } = await registerIn('DK', 'DKK')
  await demand(caseGuid, addDays(today, -1))
  // 2,501 to 5,000 DKK: 1,000 DKK in all.
  const input = { numberOfPayments: 4, active: 1 }
  for (const [fees, member] of [
    [{ registrationFee: 1000.01 }, 'registrationFee'],
    [{ invoiceFee: 250.01 }, 'invoiceFee'],
  ] as const) {
    const answer = await create(debtorGuid, { ...input, ...fees })
    assertProblem(answer, 'unprocessable', /./)
    assert.deepEqual(Object.keys((answer.body as unknown as { errors: object }).errors), [member])
  }
  const made = await create(debtorGuid, { ...input, invoiceFee: 250 })
  assert.equal(made.status, 201, made.text)
})

const chargedInvoices = async (caseGuid: string) =>
  (
    await api.sql<{ amount: number; rule: string | null }[]>`
      select amount::float8 / 100 as amount, details ->> 'rule' as rule from movement
      where case_id = ${caseGuid} and details ->> 'feeType' = 'planInvoice' order by number`
  ).map(({ amount, rule }) => [amount, rule])

/** The night on which the fee of a notice is charged: when the payment before it has fallen due. */
async function runInvoiceDay({ payments }: PaymentPlan, index: number): Promise<void> {
  const day =
    index === 0
      ? payments[0]!.invoiceDate.slice(0, 10)
      : addDays(payments[index - 1]!.dueDate.slice(0, 10), 1)
  await api.setDate(day)
  await runDayEnd(api.sql, contextOn(day).origin)
}

test('SE: a notice costs what was agreed, up to 60 SEK, and nothing any more when the debtor is dead', async () => {
  const { debtorGuid, caseGuid } = await registerIn('SE', 'SEK')
  const made = await create(debtorGuid, { invoiceFee: 60, active: 1 })
  assert.equal(made.status, 201, made.text)
  await runInvoiceDay(made.body, 0)
  assert.deepEqual(await chargedInvoices(caseGuid), [[60, 'SE-PLAN-INVOICE-CEILING']])
  await hold(caseGuid, 'HOLD_DECEASED')
  await runInvoiceDay(made.body, 1)
  assert.equal((await chargedInvoices(caseGuid)).length, 1)
  await api.setDate(today)
  await assertProven(api)
})

test('the registration fee of a plan is not charged to a minor or on a disputed claim', async () => {
  const minor = await makeDebtor(api, { dateOfBirth: '2012-05-05T00:00:00Z' })
  const young = await cases.register({ principal: 3000, currencyCode: 'EUR', debtorGuid: minor })
  const body = { governingCountry: 'FI' }
  await api.call('PATCH', `/system/forms/case/law?id=${young.caseGuid}`, { body })
  assertProblem(await create(minor, { registrationFee: 20, active: 1 }), 'unprocessable', /under 18/)
  const disputed = await registerIn('SE', 'SEK')
  await hold(disputed.caseGuid, 'HOLD_DISPUTE')
  const refused = await create(disputed.debtorGuid, { registrationFee: 170, active: 1 })
  assertProblem(refused, 'unprocessable', /disputes the claim/)
  const without = await create(disputed.debtorGuid, { registrationFee: 0, invoiceFee: 0, active: 1 })
  assert.equal(without.status, 201, without.text)
})

test('what is made up for after a dispute is not charged for its days', async () => {
  const { debtorGuid, caseGuid } = await registerIn('SE', 'SEK')
  const made = await create(debtorGuid, { registrationFee: 0, invoiceFee: 60, reminderFee: 60, active: 1 })
  assert.equal(made.status, 201, made.text)
  await hold(caseGuid, 'HOLD_DISPUTE')
  const later = addDays(made.body.payments[0]!.dueDate.slice(0, 10), 12)
  await api.setDate(later)
  await runDayEnd(api.sql, contextOn(later).origin)
  const resumed = await api.call('PATCH', `/system/forms/case/resume?id=${caseGuid}`, { body: {} })
  assert.equal(resumed.status, 200, resumed.text)
  const next = addDays(later, 1)
  await api.setDate(next)
  await runDayEnd(api.sql, contextOn(next).origin)
  const charged = await api.sql<{ day: string }[]>`
    select value_date as day from movement where case_id = ${caseGuid} and kind = 'fee'`
  assert.deepEqual(
    charged.filter(({ day }) => day < later),
    [],
  )
  const [missed] = await api.sql`
    select missed_date from payment_plan_payment p join payment_plan_case c on c.plan_id = p.plan_id
    where c.case_id = ${caseGuid} and p.payment_no = 1`
  assert.notEqual(missed!['missed_date'], null, 'the payment is late all the same')
  await api.setDate(today)
})

test('a fee for a payment plan needs a plan', async () => {
  const { caseGuid } = await registerIn('SE', 'SEK', { dueDate: '2026-05-01' })
  for (const [feeType, amount, rule] of [
    ['paymentPlan', 100, 'SE-PLAN-CEILING'],
    ['planInvoice', 60, 'SE-PLAN-INVOICE-CEILING'],
    ['planReminder', 60, 'SE-REMINDER-AGREED'],
  ] as const) {
    const answer = await api.call('POST', `/system/forms/fee/add?id=${caseGuid}`, {
      body: { feeType, amount },
    })
    assertProblem(answer, 'unprocessable', /./)
    assert.equal((answer.body as unknown as { rule: string }).rule, rule)
  }
})

test('a plan from before the rule keeps its terms, but the debtor is charged no more than the law allows', async () => {
  const { debtorGuid, caseGuid } = await cases.register({ principal: 3000, currencyCode: 'NOK' })
  const made = await create(debtorGuid, { invoiceFee: 45, active: 2 })
  assert.equal(made.status, 201, made.text)
  const path = `/debtors/${debtorGuid}/paymentplans/${made.body.paymentPlanGuid}/activate`
  assert.equal((await api.call('POST', path)).status, 200)
  await runInvoiceDay(made.body, 0)
  assert.deepEqual(await chargedInvoices(caseGuid), [[45, null]], 'no law governs the case')
  await api.call('PATCH', `/system/forms/case/law?id=${caseGuid}`, { body: { governingCountry: 'NO' } })
  await runInvoiceDay(made.body, 1)
  assert.equal((await chargedInvoices(caseGuid)).length, 1)
  await api.setDate(today)
})

test('a proposal whose fee has become too high is not activated', async () => {
  const { debtorGuid, caseGuid } = await cases.register({ principal: 3000, dueDate: addDays(today, -1) })
  const proposed = await create(debtorGuid, { registrationFee: 300, active: 2 })
  assert.equal(proposed.status, 201, 'no law governs the case')
  await api.call('PATCH', `/system/forms/case/law?id=${caseGuid}`, { body: { governingCountry: 'SE' } })
  const path = `/debtors/${debtorGuid}/paymentplans/${proposed.body.paymentPlanGuid}/activate`
  assertProblem(await api.call('POST', path), 'unprocessable', /Highest fee of a payment plan/)
})

test('fees of the client’s terms are lowered to what the law allows', async () => {
  await setTerms(api, cases.client, {
    currency_code: 'SEK',
    plan_registration_fee: 500,
    plan_invoice_fee: 75,
    plan_reminder_fee: 90,
  })
  const { debtorGuid } = await registerIn('SE', 'SEK')
  const { body: initial } = await api.call(
    'GET',
    `/system/forms/paymentplan/create?initialValues=true&id=${debtorGuid}`,
  )
  const { registrationFee, invoiceFee, reminderFee } = initial as Record<string, number>
  assert.deepEqual([registrationFee, invoiceFee, reminderFee], [170, 60, 60])
  const made = await create(debtorGuid, { active: 2 })
  assert.equal(made.status, 201, made.text)
  const [stored] = await api.sql`
    select registration_fee::int as registration, invoice_fee::int as invoice, reminder_fee::int as reminder
    from payment_plan where id = ${made.body.paymentPlanGuid}`
  assert.deepEqual(stored, { registration: 17_000, invoice: 6_000, reminder: 6_000 })
  const ungoverned = await cases.register({ principal: 3000 })
  const free = await create(ungoverned.debtorGuid, { active: 2 })
  assert.equal(free.status, 201, free.text)
  await setTerms(api, cases.client, {
    plan_registration_fee: null,
    plan_invoice_fee: null,
    plan_reminder_fee: null,
  })
})

test('FI: a late payment is charged a reminder within the law, and the review agrees', async () => {
  const { debtorGuid, caseGuid } = await registerIn('FI', 'EUR')
  const made = await create(debtorGuid, { reminderFee: 5, active: 1 })
  assert.equal(made.status, 201, made.text)
  const late = addDays(made.body.payments[0]!.dueDate.slice(0, 10), 10)
  await api.setDate(late)
  await runDayEnd(api.sql, contextOn(late).origin)
  const booked = await api.sql<{ amount: number; rule: string }[]>`
    select amount::float8 / 100 as amount, details ->> 'rule' as rule from movement
    where case_id = ${caseGuid} and details ->> 'feeType' = 'planReminder'`
  assert.deepEqual([...booked], [{ amount: 5, rule: 'FI-REMINDER-CEILING' }])
  const runner = await runJobs(api)
  const { body } = await api.call<{ jobId: string }>('POST', '/system/commands/law-review')
  assert.equal((await waitForJob(api, body.jobId)).status, 'completed')
  await runner.stop()
  const found = await api.sql`select kind, movement_id from law_finding where case_id = ${caseGuid}`
  assert.deepEqual([...found], [])
})
