/** The form of a client's payment plan terms: how they shape a new plan, and how they are cleared. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { PaymentPlan } from '../../contract/plans/payment-plans.ts'
import { openCases, type OpenedCases } from '../testing/records/cases.ts'
import { startApi, type TestApi } from '../testing/api.ts'

let api: TestApi
let cases: OpenedCases
let client = ''
before(async () => {
  api = await startApi()
  cases = await openCases(api)
  const body = { name: 'Plan AB', partyReferenceCode: 'PLAN', countryCode: 'SE', currencyCode: 'SEK' }
  client = (await api.call<{ clientGuid: string }>('POST', '/system/forms/client/create', { body })).body
    .clientGuid
})
after(() => api.close())

type Answer = Record<string, unknown> & { errors?: Record<string, string[]> }
const path = (id = client) => `/system/forms/client/planterms?id=${id}`
const change = (body: object, more: object = {}) => api.call<Answer>('PATCH', path(), { body, ...more })
const read = async () => {
  const { body } = await api.call<Answer>('GET', `${path()}&initialValues=true`)
  const { clientGuid: _, warnings: __, ...terms } = body
  return terms
}
const propose = async (input: object) => {
  const { debtorGuid } = await cases.register({ clientGuid: client, principal: 1200, dueDate: '2026-06-01' })
  const made = await api.call<PaymentPlan>('POST', `/debtors/${debtorGuid}/paymentplans/calculate`, {
    body: input,
  })
  assert.equal(made.status, 200, made.text)
  return made.body
}
const dueMonths = ({ payments }: PaymentPlan) => payments.map(({ dueDate }) => Number(dueDate.slice(5, 7)))

test('plan terms are stored, shown, and used by the next plan', async () => {
  assert.deepEqual(await read(), {})
  const terms = {
    firstDueDays: 10,
    intervalType: 2,
    graceDays: 3,
    missesToBreach: 4,
    registrationFee: 170,
    invoiceFee: 25.5,
    reminderFee: 60,
    freeMonths: '12,7',
  }
  const stored = await change(terms)
  assert.equal(stored.status, 200, stored.text)
  assert.deepEqual(await read(), { ...terms, freeMonths: '7,12' })
  const { body: shown } = await api.call<Answer>('GET', `/clients/${client}`)
  assert.deepEqual([shown['firstDueDays'], shown['invoiceFee'], shown['freeMonths']], [10, 25.5, ['7', '12']])
  const plan = await propose({ paymentPlanType: 1, numberOfPayments: 3 })
  assert.deepEqual(
    plan.payments.map(({ dueDate }) => dueDate.slice(0, 10)),
    ['2026-06-25', '2026-07-02', '2026-07-09'],
  )
  assert.deepEqual([plan.registrationFee, plan.invoiceFee, plan.reminderFee], [170, 25.5, 60])
})

test('payment-free months come from the client, can be none, and default to the country’s', async () => {
  const relief = { paymentPlanType: 5, numberOfPayments: 8, amount: 50 }
  await change({ intervalType: 3, freeMonths: '8' })
  assert.deepEqual(dueMonths(await propose(relief)), [6, 7, 9, 10, 11, 12, 1, 2])
  await change({ freeMonths: '' })
  assert.deepEqual(dueMonths(await propose(relief)), [6, 7, 8, 9, 10, 11, 12, 1])
  const back = await change({ planTermsOfParent: true, firstDueDays: 20 })
  assert.equal(back.status, 200, back.text)
  assert.deepEqual(await read(), { firstDueDays: 20 })
  // Sweden's default is June and December.
  assert.deepEqual(dueMonths(await propose(relief)), [7, 8, 9, 10, 11, 1, 2, 3])
  const events = await api.sql`select type from event where subject = ${client} order by sequence`
  assert.deepEqual(
    events.map(({ type }) => type),
    ['client.created', ...Array.from({ length: 4 }, () => 'client.terms_changed')],
  )
})

test('wrong input is refused by its field', async () => {
  const wrong: [object, string][] = [
    [{ firstDueDays: 366 }, 'firstDueDays'],
    [{ intervalType: 5 }, 'intervalType'],
    [{ graceDays: -1 }, 'graceDays'],
    [{ missesToBreach: 0 }, 'missesToBreach'],
    [{ registrationFee: -1 }, 'registrationFee'],
    [{ invoiceFee: 1.234 }, 'invoiceFee'],
    [{ freeMonths: '13' }, 'freeMonths'],
    [{ freeMonths: '6,6' }, 'freeMonths'],
    [{ freeMonths: '1,2,3,4,5,6,7,8,9,10,11,12' }, 'freeMonths'],
  ]
  for (const [body, field] of wrong) {
    const { status, body: problem, text } = await change(body)
    assert.deepEqual([status, Object.keys(problem.errors ?? {})], [400, [field]], text)
    assert.equal(problem.errors![field]!.length, 1, 'one fault of several elements is said once')
  }
  const stale = await change({ graceDays: 9 }, { headers: { 'if-match': '"1"' } })
  assert.equal(stale.status, 412)
  const inCurrency = await api.call<Answer>('PATCH', path(cases.other), { body: { reminderFee: 5 } })
  assert.deepEqual([inCurrency.status, Object.keys(inCurrency.body.errors!)], [400, ['reminderFee']])
  const creditor = await api.signIn(6, cases.other)
  assert.equal((await change({ graceDays: 1 }, { token: creditor })).status, 403)
})

test('a client can have its own fees, services and kind of claim', async () => {
  const terms = `/system/forms/client/terms?id=${client}`
  const body = {
    fees: 'reminder 45.5\ncollectionDemand 150',
    services: 'collection,PRECOLLECTION',
    claimKind: 'consumer',
    reminderFeeAgreed: true,
  }
  const stored = await api.call<Answer>('PATCH', terms, { body })
  assert.equal(stored.status, 200, stored.text)
  const { body: shown } = await api.call<Answer>('GET', `${terms}&initialValues=true`)
  assert.deepEqual(
    [shown['fees'], shown['services'], shown['claimKind']],
    ['collectionDemand 150\nreminder 45.5', 'COLLECTION,PRECOLLECTION', 'CONSUMER'],
  )
  const { caseGuid } = await cases.register({ clientGuid: client, principal: 1200, dueDate: '2026-05-01' })
  await api.call('POST', `/system/forms/fee/add?id=${caseGuid}`, { body: { feeType: 'reminder' } })
  assert.equal((await cases.readState(caseGuid))['remaining'], 1200_00 + 45_50)
  for (const [given, field] of [
    [{ fees: 'reminder' }, 'fees'],
    [{ fees: 'reminder 1\nreminder 2' }, 'fees'],
    [{ fees: 'reminder 1.234' }, 'fees'],
    [{ services: 'LOANS,PHONE' }, 'services'],
    [{ claimKind: 'LOAN' }, 'claimKind'],
  ] as const) {
    const { status, body: problem, text } = await api.call<Answer>('PATCH', terms, { body: given })
    assert.deepEqual([status, Object.keys(problem.errors ?? {})], [400, [field]], text)
  }
  await api.call('PATCH', terms, { body: { fees: '', services: '', claimKind: '' } })
  const { body: cleared } = await api.call<Answer>('GET', `${terms}&initialValues=true`)
  assert.deepEqual(
    [cleared['fees'], cleared['services'], cleared['claimKind']],
    [undefined, undefined, undefined],
  )
})

const makeClient = async (partyReferenceCode: string, countryCode: string, currencyCode: string) => {
  const body = { name: `${partyReferenceCode} AB`, partyReferenceCode, countryCode, currencyCode }
  const made = await api.call<{ clientGuid: string }>('POST', '/system/forms/client/create', { body })
  assert.equal(made.status, 201, made.text)
  return made.body.clientGuid
}
const readWarnings = async (id: string, more: object = {}) =>
  (await api.call<Answer>('GET', `${path(id)}&initialValues=true`, more)).body['warnings'] ?? null
const tryTerms = (id: string, body: object) =>
  api.call<Answer>('POST', `/system/forms/client/planterms/recalculate?id=${id}&recalc=law`, { body })

test('plan terms beyond the law of the client’s country are warned of, as they are tried and as they stand', async () => {
  const finnish = await makeClient('FIPLAN', 'FI', 'EUR')
  assert.equal(await readWarnings(finnish), null)
  const lawful = await tryTerms(finnish, { reminderFee: 5 })
  assert.deepEqual([lawful.status, lawful.body], [200, {}], lawful.text)
  const highest = await tryTerms(finnish, { registrationFee: 50 })
  assert.doesNotMatch(highest.body['warnings'] as string, /Consumers/)
  const beyond = { registrationFee: 50.01, invoiceFee: 3, reminderFee: 12 }
  const tried = await tryTerms(finnish, beyond)
  const told = tried.body['warnings'] as string
  const [about, registration, ofBusinesses, invoice, reminder, ...others] = told.split('\n')
  assert.deepEqual(others, [], told)
  assert.match(about!, /law of Finland/)
  assert.match(registration!, /^Registration fee \(Consumers\): At most .*50\.00/)
  assert.match(ofBusinesses!, /^Registration fee \(Businesses\): The law names no amount/)
  assert.match(invoice!, /^Invoice fee: At most .*0\.00/)
  // A business may be charged more.
  assert.match(reminder!, /^Reminder fee \(Consumers\): At most .*5\.00/)
  assert.equal(await readWarnings(finnish), null, 'nothing was stored')
  const stored = await api.call('PATCH', path(finnish), { body: beyond })
  assert.equal(stored.status, 200, stored.text)
  assert.equal(await readWarnings(finnish), told)
  const lowered = await tryTerms(finnish, { registrationFee: 10 })
  assert.doesNotMatch(lowered.body['warnings'] as string, /Registration fee \(Consumers\)/)
})

test('the law of plan terms: each country by its own, none where none is known', async () => {
  let made = 0
  for (const [country, currency, terms, lines] of [
    ['SE', 'SEK', { registrationFee: 170, reminderFee: 60 }, []],
    ['SE', 'SEK', { registrationFee: 170.01, reminderFee: 60.01 }, [/^Reg.*170\.00/, /^Rem.*60\.00/]],
    ['NO', 'NOK', { registrationFee: 5000 }, [/^Reg.*1,125/]],
    ['SE', 'SEK', { invoiceFee: 61 }, [/^Inv.*60\.00/]],
    ['NO', 'NOK', { invoiceFee: 1 }, [/^Inv.*0\.00/]],
    ['DK', 'DKK', { registrationFee: 1, invoiceFee: 1, reminderFee: 100 }, []],
    ['DE', 'EUR', { registrationFee: 1, invoiceFee: 1 }, [/^Inv.*0\.00/]],
    ['PL', 'PLN', { registrationFee: 9999 }, []],
  ] as const) {
    const id = await makeClient(`LAW${++made}`, country, currency)
    const { status, body, text } = await tryTerms(id, terms)
    assert.equal(status, 200, text)
    const told = (body['warnings'] as string | undefined)?.split('\n').slice(1) ?? []
    assert.equal(told.length, lines.length, text)
    lines.forEach((line, index) => assert.match(told[index]!, line))
  }
})

test('the warnings about plan terms are for those who may read the client', async () => {
  const creditor = await api.signIn(6, cases.other)
  const recalculate = `/system/forms/client/planterms/recalculate?id=${client}&recalc=law`
  assert.equal((await api.call('POST', recalculate, { body: {}, token: creditor })).status, 404)
})
