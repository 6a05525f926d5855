/** Which fees a case may have: those of its country, and those of its client and the agency, over HTTP. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { CasePermissions } from '../../../contract/cases/permissions.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'
import { makeDebtor } from '../../testing/records/cases.ts'

let api: TestApi
before(async () => {
  api = await startApi()
  await api.setDate('2026-06-15')
})
after(() => api.close())

async function open(code: string, country: string | null, fees: string) {
  const clientGuid = await api.addParty(code)
  await patch(`client/edit?id=${clientGuid}`, {
    currencyCode: 'SEK',
    ...(country && { countryCode: country }),
  })
  await patch(`client/terms?id=${clientGuid}`, { fees })
  const debtorGuid = await makeDebtor(api)
  const body = { clientGuid, debtorGuid, principal: 1000, currencyCode: 'SEK', dueDate: '2026-02-01' }
  const made = await api.call<{ caseGuid: string }>('POST', '/system/forms/case/register', { body })
  return { debtorGuid, caseGuid: made.body.caseGuid }
}

async function patch(form: string, body: object) {
  const { status, text } = await api.call('PATCH', `/system/forms/${form}`, { body })
  assert.equal(status, 200, text)
}

const addFee = (caseGuid: string, body: object) =>
  api.call('POST', `/system/forms/fee/add?id=${caseGuid}`, { body })

async function listFees({ debtorGuid, caseGuid }: { debtorGuid: string; caseGuid: string }) {
  const path = `/debtors/${debtorGuid}/cases/${caseGuid}/permissions`
  const { body } = await api.call<CasePermissions>('GET', path)
  return body.actions.filter(({ action }) => action.startsWith('fee:')).map(({ action }) => action.slice(4))
}

test('getCasePermissions lists the fees of the case’s country and of its client, and none of other countries', async () => {
  await api.call('POST', '/system/forms/lookupvalue/create', {
    body: { lookupCode: 'feetype', lookupKey: 'archive', textEn: 'Archive search' },
  })
  const swedish = await listFees(await open('SWEDEN', 'SE', 'tracing 75'))
  for (const type of ['reminder', 'collectionDemand', 'tracing', 'archive'])
    assert.ok(swedish.includes(type), `${type} in ${swedish.join(', ')}`)
  for (const type of ['collectionNotice', 'totalCap', 'feeUnit'])
    assert.ok(!swedish.includes(type), `${type} in ${swedish.join(', ')}`)
  const other = await listFees(await open('NOWHERE', null, 'visit 90'))
  assert.deepEqual(other, ['reminder', 'collectionDemand', 'visit', 'archive'])
})

test('fee/add takes a fee type of the client and refuses a misspelt one with the nearest', async () => {
  const { caseGuid } = await open('OWN', null, 'tracing 75')
  const added = await addFee(caseGuid, { feeType: 'tracing', valueDate: '2026-06-15' })
  assert.equal(added.status, 201, added.text)
  assertProblem(
    await addFee(caseGuid, { feeType: 'trasing', amount: 5 }),
    'invalid',
    /Did you mean tracing\?/,
  )
  assertProblem(
    await addFee(caseGuid, { feeType: 'something else', amount: 5 }),
    'invalid',
    /lookup feetype or of the client, such as reminder, collectionDemand, collectionFee, .*tracing/,
  )
})

test('a case is registered with a known fee type of its costs, however it is spelt, and refused with a misspelt one', async () => {
  const clientGuid = await api.addParty('COSTS')
  await patch(`client/edit?id=${clientGuid}`, { currencyCode: 'SEK', countryCode: 'SE' })
  await patch(`client/terms?id=${clientGuid}`, { fees: 'escort 75' })
  const debtorGuid = await makeDebtor(api)
  const register = (more: object) =>
    api.call<{ caseGuid: string }>('POST', '/system/forms/case/register', {
      body: { clientGuid, debtorGuid, principal: 1000, fee: 50, dueDate: '2026-02-01', ...more },
    })
  assertProblem(await register({ feeType: 'collectionDemnd' }), 'invalid', /Did you mean collectionDemand\?/)
  assertProblem(await register({ feeType: 'escrt', fee: 0 }), 'invalid', /Did you mean escort\?/)
  assertProblem(
    await register({ feeType: 'indrivningsavgift' }),
    'invalid',
    /feetype or of the client, such as reminder, .*escort/,
  )
  const misspelt = { clientGuid, debtorGuid, principal: 1000, fee: 50, feeType: 'remindr' }
  const previewed = await api.call('POST', '/system/forms/case/register/recalculate?recalc=totals', {
    body: misspelt,
  })
  assertProblem(previewed, 'invalid', /Did you mean reminder\?/)
  const made = await register({ feeType: ' COLLECTIONDEMAND ' })
  assert.equal(made.status, 201, made.text)
  const [row] = await api.sql`select opening_fee_type as type from debt_case where id = ${made.body.caseGuid}`
  assert.equal(row!['type'], 'collectionDemand')
})

test('the terms of a client refuse a misspelt fee type with the nearest, and take one of the client’s own', async () => {
  const clientGuid = await api.addParty('SPELT')
  await patch(`client/edit?id=${clientGuid}`, { currencyCode: 'SEK' })
  const terms = `client/terms?id=${clientGuid}`
  const misspelt = await api.call('PATCH', `/system/forms/${terms}`, {
    body: { fees: 'remindr 60\ntracing 75' },
  })
  assertProblem(misspelt, 'invalid', /remindr.*Did you mean reminder\?.*lookup feetype/)
  await patch(terms, { fees: 'Reminder 60\ntracing 75' })
  const { body } = await api.call<{ fees: string[] }>('GET', `/clients/${clientGuid}`)
  assert.deepEqual(body.fees, ['reminder 60', 'tracing 75'])
  await api.call('POST', '/system/forms/lookupvalue/create', {
    body: { lookupCode: 'feetype', lookupKey: 'remindr', textEn: 'Remindr' },
  })
  await patch(terms, { fees: 'remindr 60' })
})

test('the fee of a payment plan is offered only while the case has one, as fee/add takes it', async () => {
  const { debtorGuid, caseGuid } = await open('PLANNED', 'SE', '')
  const findPlanFee = async () => {
    const path = `/debtors/${debtorGuid}/cases/${caseGuid}/permissions`
    const { body } = await api.call<CasePermissions>('GET', path)
    const found = body.actions.find(({ action }) => action === 'fee:paymentPlan')!
    return [found.allowed, found.highest]
  }
  assert.deepEqual(await findPlanFee(), [false, 0])
  const plan = { paymentPlanType: 1, numberOfPayments: 4, active: 1, registrationFee: 0 }
  const made = await api.call('POST', `/debtors/${debtorGuid}/paymentplans`, { body: plan })
  assert.equal(made.status, 201, made.text)
  assert.deepEqual(await findPlanFee(), [true, 170])
  const charged = await addFee(caseGuid, { feeType: 'paymentPlan', amount: 170 })
  assert.equal(charged.status, 201, charged.text)
})
