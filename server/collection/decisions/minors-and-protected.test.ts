/**
 * Published decisions about minors, protected identity, unanswered requests and interest, as scenarios: the product
 * refuses what was criticised. Each names its source, as found and read on 2026-11-28. Only decisions whose outcome could
 * be read are here.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addDays } from '../../../core/calendar/calendar.ts'
import { addCaseDebtor } from '../../cases/case-debtors.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'
import { agencyCaller, contextOn, makeDebtor, setTerms } from '../../testing/records/cases.ts'
import { makeScenarios, start, type Scenarios } from '../../testing/records/decision-scenarios.ts'
import type { LetterData } from '../letters/letter-data.ts'

let api: TestApi
let scenarios: Scenarios
before(async () => {
  api = await startApi({ FORDRA_SERVICES: '' })
  scenarios = makeScenarios(api)
})
after(() => api.close())

test('school photographs that a mother ordered for an eleven-year-old, demanded of the daughter of age (Stockholms tingsrätt, 25 February 2012, https://www.barnombudsmannen.se/barnombudsmannen/i-media/nyheter/2012/2012/2/skuldsatt-barn-vann-i-domstol/)', async () => {
  // Of age since a year; the claim arose when she was eleven.
  const one = await scenarios.open(
    'SE',
    { invoiceDate: '2018-09-03', dueDate: '2018-10-03', claimKind: 'GENERAL' },
    { dateOfBirth: '2007-02-02T00:00:00Z' },
  )
  await scenarios.runNights(40)
  assert.deepEqual(await scenarios.letters(one), [])
  for (const action of ['letter:demand', 'letter:legal', 'fee:collectionDemand', 'status:LEGAL'])
    assert.equal(await scenarios.reason(one, action), 'minorClaim', action)
})

test('a mother pressed to pay for her child after a court had found nothing owed (Svea hovrätt on Alektum, October 2012, told by https://www.arbetaren.se/2012/10/10/inkassoforetag-jagar-minderariga/)', async () => {
  const one = await scenarios.open('SE', {}, { dateOfBirth: '2014-05-05T00:00:00Z' })
  const input = { debtorGuid: await makeDebtor(api), debtorRole: 'GUARDIAN' }
  await addCaseDebtor(api.sql, agencyCaller, { caseGuid: one.caseGuid, input }, contextOn(start))
  await scenarios.runNights(40)
  assert.deepEqual(await scenarios.letters(one), [])
  for (const kind of ['reminder', 'demand', 'legal']) {
    const written = await scenarios.write(one, { kind, dueDate: addDays(start, 60) })
    assertProblem(written, 'unprocessable', /./)
  }
  assertProblem(
    await scenarios.addFee(one.caseGuid, { feeType: 'collectionDemand' }),
    'unprocessable',
    /Debtors under 18/,
  )
})

test('the address of a person with protected data printed on a summons, and written to (JO 5961-2010, https://lagen.nu/avg/jo/5961-2010)', async () => {
  const one = await scenarios.open('SE')
  const address = {
    addressType: 'LEGAL',
    street: 'Hemliga gatan',
    houseNo: '7',
    zipCode: '41101',
    city: 'Göteborg',
  }
  const added = await api.call('POST', `/debtors/${one.debtorGuid}/addresses`, { body: address })
  assert.ok(added.status < 300, added.text)
  const change = async (body: object) => {
    const changed = await api.call('PATCH', `/debtors/${one.debtorGuid}`, { body })
    assert.ok(changed.status < 300, changed.text)
  }
  await change({ protectedIdentity: true })
  await scenarios.runNights(40)
  assert.deepEqual(await scenarios.letters(one), [])
  const demand = { kind: 'demand', dueDate: addDays(start, 60) }
  assertProblem(await scenarios.write(one, demand), 'unprocessable', /protected identity/)
  await change({ forwardingAddress: 'Skatteverket, Box 2820, 403 20 Göteborg' })
  const written = await scenarios.write(one, demand)
  assert.ok(written.status < 300, written.text)
  const [row] = await api.sql<{ data: LetterData }[]>`
    select data from document where case_id = ${one.caseGuid}`
  assert.deepEqual(row!.data.recipient.slice(1), ['Skatteverket', 'Box 2820', '403 20 Göteborg'])
  assert.doesNotMatch(JSON.stringify(row!.data), /Hemliga gatan/)
})

test('requests of debtors to see their data left unanswered (tietosuojavaltuutettu, Alektum Oy, 750,000 EUR, January 2023, https://tietosuoja.fi/-/perintayhtiolle-seuraamusmaksu-vakavista-tietosuojarikkomuksista-yritys-ei-vastannut-yksityishenkiloiden-pyyntoihin-tarkastaa-omat-tietonsa)', async () => {
  const one = await scenarios.open('FI')
  const body = { matter: 'COMPLAINT', reason: 'You have not answered my request to see my data.' }
  const made = await api.call('POST', `/system/forms/objection/create?id=${one.caseGuid}`, { body })
  assert.ok(made.status < 300, made.text)
  const [row] = await api.sql<{ due: string }[]>`
    select to_char(answer_by, 'YYYY-MM-DD') as due from objection where case_id = ${one.caseGuid}`
  assert.ok(row!.due <= addDays(start, 30), 'within a month (GDPR art. 12(3))')
  await api.setDate(row!.due)
  assert.equal(await scenarios.reason(one, 'letter:demand'), null)
  await api.setDate(addDays(row!.due, 1))
  assert.equal(await scenarios.reason(one, 'letter:demand'), 'unanswered')
  const demand = { kind: 'demand', dueDate: addDays(start, 90) }
  assertProblem(await scenarios.write(one, demand), 'unprocessable', /not answered in time/)
})

test('interest from the date that only an invoice named (BGH, 25 October 2007, III ZR 91/07, https://streifler.de/urteil/bgh/urteil-iii-zr-9107-2007-10-25)', async () => {
  const client = await api.addParty('PHYSIO')
  await setTerms(api, client, { country_code: 'DE', currency_code: 'EUR', due_date_basis: 'INVOICE' })
  const claim = {
    clientGuid: client,
    debtorGuid: await makeDebtor(api),
    principal: 543,
    interestRate: 5,
    invoiceDate: '2025-09-14',
    dueDate: '2025-10-05',
  }
  const register = (more: object = {}) =>
    api.call<{ caseGuid: string }>('POST', '/system/forms/case/register', { body: { ...claim, ...more } })
  assertProblem(
    await register(),
    'unprocessable',
    /without an agreed due date a consumer owes interest from a reminder/,
  )
  // The first demand that reached her.
  const made = await register({ interestFromDate: '2026-02-03' })
  assert.equal(made.status, 201, made.text)
  const [row] = await api.sql<{ start: string }[]>`
    select to_char(interest_from_date, 'YYYY-MM-DD') as start from invoice where case_id = ${made.body.caseGuid}`
  assert.equal(row!.start, '2026-02-03')
})
