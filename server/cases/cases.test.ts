import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { CaseDetail, CaseListItem, CaseOverview } from '../../contract/cases/cases.ts'
import type { CaseExplanation } from '../../contract/cases/case-explanation.ts'
import type { Page } from '../platform/database/list.ts'
import { startApi, type TestApi } from '../testing/api.ts'
import { assertProblem } from '../testing/problem.ts'
import { agencyCaller, contextOn, makeDebtor, setTerms } from '../testing/records/cases.ts'
import { addCaseDebtor } from './case-debtors.ts'
import { closeCase } from './case-status.ts'
import { registerCase } from './register-case.ts'

let api: TestApi
let client: string
let other: string
before(async () => {
  api = await startApi()
  await api.setDate('2026-06-15')
  client = await api.addParty('CLIENT')
  other = await api.addParty('OTHER')
  await setTerms(api, client, { currency_code: 'SEK', country_code: 'SE' })
})
after(() => api.close())

const context = contextOn('2026-06-15')
const nowhere = '0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70'
const register = (input: object) =>
  registerCase(
    api.sql,
    agencyCaller,
    { clientGuid: client, principal: 1000, currencyCode: 'SEK', ...input },
    context,
  )
const overview = (guid: string, token = api.token) =>
  api.call<CaseOverview>('GET', `/debtors/${guid}/caseoverview`, { token })
const list = (guid: string, query = '', token = api.token) =>
  api.call<Page<CaseListItem>>('GET', `/debtors/${guid}/cases?${new URLSearchParams(query)}`, { token })
const get = (guid: string, caseGuid: string, token = api.token) =>
  api.call<CaseDetail>('GET', `/debtors/${guid}/cases/${caseGuid}`, { token })

describe('a registered case', () => {
  test('appears in the overview, the list and the detail (D5, D6, D7) with interest up to the business date', async () => {
    const debtorGuid = await makeDebtor(api, { lastname: 'Ek', firstname: 'Bo', currencyCode: 'SEK' })
    const made = await register({
      debtorGuid,
      interest: 12.5,
      fee: 180,
      interestRate: 10,
      interestFromDate: '2026-05-16',
      invoiceNumber: 'F-1',
      invoiceDate: '2026-04-15',
      dueDate: '2026-05-15',
      clientReferenceNumber: 'K-77',
      description: 'Electricity',
    })
    const { body: detail } = await get(debtorGuid, made.caseGuid)
    const expected = {
      originalPrincipal: 1000,
      originalInterest: 12.5,
      originalFee: 180,
      originalSum: 1192.5,
      paidPrincipal: 0,
      paidInterest: 0,
      paidFee: 0,
      paidToThirdParty: 0,
      paidSum: 0,
      remainingPrincipal: 1000,
      remainingInterest: 20.72,
      remainingFee: 180,
      remainingSum: 1200.72,
    }
    const { links, ...shown } = detail
    assert.deepEqual(shown, {
      caseNumber: made.caseNumber,
      clientName: 'CLIENT',
      clientReferenceNumber: 'K-77',
      closureCode: null,
      currencyCode: 'SEK',
      description: 'Electricity',
      paymentReferenceNumber: made.paymentReferenceNumber,
      service: 'COLLECTION',
      status: 'NEW',
      subStatus: 'REGISTERED',
      closureDate: null,
      registrationDate: '2026-06-15T00:00:00Z',
      ...expected,
    })
    assert.deepEqual(
      links.map(({ name }) => name),
      ['self', 'debtor', 'explain', 'caseoverview', 'paymentplans'],
    )
    const { body: page } = await list(debtorGuid)
    assert.equal(page.total, 1)
    assert.equal(page.value[0]!.mainDebtorName, 'Bo Ek')
    assert.equal(page.value[0]!.remainingSum, 1200.72)
    const { body: shownOverview } = await overview(debtorGuid)
    assert.equal(shownOverview.remaininFee, 180)
    assert.equal(shownOverview.remainingInterest, 20.72)
    assert.equal(shownOverview.remainingSum, 1200.72)
    assert.deepEqual([shownOverview.activeCases, shownOverview.closedCases], [1, 0])
    assert.equal(shownOverview.cases[0]!.debtorRole, 'MAIN_DEBTOR')
    assert.equal(shownOverview.cases[0]!.clientGuid, client)
  })
})

describe('the overview (D5)', () => {
  test('states the currency of its sums, also of none', async () => {
    const cases: [debtor: object, principal: object | null, currencyCode: string][] = [
      [{ currencyCode: 'NOK' }, { principal: 10, currencyCode: 'EUR' }, 'EUR'],
      [{ currencyCode: 'NOK' }, null, 'NOK'],
      [{}, null, 'SEK'],
    ]
    for (const [debtor, principal, currencyCode] of cases) {
      const debtorGuid = await makeDebtor(api, debtor)
      if (principal) await register({ debtorGuid, ...principal })
      assert.equal((await overview(debtorGuid)).body.currencyCode, currencyCode)
    }
  })

  test('totals the open cases that the debtor owes, in one currency', async () => {
    const debtorGuid = await makeDebtor(api, { currencyCode: 'SEK' })
    const somebody = await makeDebtor(api)
    await register({ debtorGuid, principal: 100.1 })
    await register({ debtorGuid, principal: 200.2, fee: 60 })
    await register({ debtorGuid, principal: 5000, currencyCode: 'EUR' })
    const closed = await register({ debtorGuid, principal: 700 })
    const input = { closureCode: 'RECALLED_BY_CLIENT' }
    await closeCase(api.sql, agencyCaller, { caseGuid: closed.caseGuid, input }, context)
    const represented = await register({ debtorGuid: somebody, principal: 900 })
    const role = { debtorGuid, debtorRole: 'REPRESENTATIVE' }
    await addCaseDebtor(api.sql, agencyCaller, { caseGuid: represented.caseGuid, input: role }, context)
    const { body } = await overview(debtorGuid)
    assert.deepEqual(
      [body.remainingPrincipal, body.remainingInterest, body.remaininFee, body.remainingSum],
      [300.3, 0, 60, 360.3],
    )
    assert.equal(body.currencyCode, 'SEK')
    assert.deepEqual([body.activeCases, body.closedCases, body.cases.length], [4, 1, 5])
    assert.deepEqual(
      body.cases.map(({ debtorRole }) => debtorRole),
      ['MAIN_DEBTOR', 'MAIN_DEBTOR', 'MAIN_DEBTOR', 'MAIN_DEBTOR', 'REPRESENTATIVE'],
    )
  })

  test('of a debtor without cases has no cases and a payment reference', async () => {
    const { body } = await overview(await makeDebtor(api))
    assert.deepEqual([body.remainingSum, body.activeCases, body.cases], [0, 0, []])
    assert.match(body.paymentReference, /99000/)
  })
})

describe('the list of cases (D6)', () => {
  let debtorGuid: string
  before(async () => {
    debtorGuid = await makeDebtor(api)
    for (const principal of [300, 100.5, 200]) await register({ debtorGuid, principal, fee: principal / 10 })
    await register({ debtorGuid, principal: 1000, interestRate: 36.5, interestFromDate: '2026-06-05' })
  })
  const readSums = async (query: string) => {
    const answer = await list(debtorGuid, query)
    assert.equal(answer.status, 200, answer.text)
    return answer.body.value.map(({ remainingSum }) => remainingSum)
  }

  test('filters and sorts by amounts that include interest up to the business date', async () => {
    assert.deepEqual(await readSums('$orderby=remainingSum desc'), [1010, 330, 220, 110.55])
    assert.deepEqual(await readSums('$filter=remainingSum eq 110.55'), [110.55])
    assert.deepEqual(await readSums('$filter=remainingInterest eq 10'), [1010])
    assert.deepEqual(
      await readSums('$filter=remainingInterest gt 0 or remainingSum lt 111&$orderby=originalSum'),
      [110.55, 1010],
    )
    await api.setDate('2026-06-25')
    assert.deepEqual(await readSums('$filter=remainingInterest eq 20'), [1020])
    await api.setDate('2026-06-15')
  })

  test('pages with an exact total', async () => {
    const { body } = await list(debtorGuid, '$orderby=caseNumber&$skip=1&$top=2')
    assert.deepEqual([body.count, body.skip, body.total], [2, 1, 4])
    const beyond = await list(debtorGuid, '$skip=10')
    assert.deepEqual([beyond.body.count, beyond.body.total], [0, 4])
  })

  test('filters on every scalar member of a row', async () => {
    const { body } = await list(debtorGuid, '$top=1')
    for (const [name, value] of Object.entries(body.value[0]!)) {
      const plain = typeof value === 'string' && !/^(\d{4}-\d{2}-\d{2}T|[0-9a-f]{8}-[0-9a-f]{4}-)/.test(value)
      const found = await list(
        debtorGuid,
        `$filter=${name} eq ${plain ? `'${value}'` : String(value)}&$orderby=${name} desc`,
      )
      assert.equal(found.status, 200, `${name}: ${found.text}`)
      assert.ok(found.body.total >= 1, name)
    }
  })

  test('refuses an unknown member', async () => {
    assertProblem(await list(debtorGuid, '$filter=remaining eq 1'), 'invalid', /remainingSum/)
  })
})

describe('a missing debtor or case', () => {
  test('returns 404 from D5, D6, D7 and the explanation', async () => {
    const debtorGuid = await makeDebtor(api)
    const stranger = await register({ debtorGuid: await makeDebtor(api) })
    assertProblem(await overview(nowhere), 'not-found', /debtor/)
    assertProblem(await list(nowhere), 'not-found', /debtor/)
    assertProblem(await get(nowhere, stranger.caseGuid), 'not-found', /debtor/)
    assertProblem(await get(debtorGuid, nowhere), 'not-found', /case/)
    assertProblem(await get(debtorGuid, stranger.caseGuid), 'not-found', /case/)
    const path = `/debtors/${debtorGuid}/cases/${stranger.caseGuid}/explain`
    assertProblem(await api.call('GET', path), 'not-found', /case/)
    assertProblem(await get(debtorGuid, 'x'), 'invalid', /caseGuid/)
  })
})

describe('explainCase', () => {
  test('shows nothing owed on a case registered after the business date, as the case does', async () => {
    const debtorGuid = await makeDebtor(api)
    const { caseGuid } = await register({
      debtorGuid,
      fee: 60,
      interestRate: 10,
      interestFromDate: '2024-05-16',
    })
    await api.setDate('2025-01-01')
    try {
      const shown = await get(debtorGuid, caseGuid)
      const path = `/debtors/${debtorGuid}/cases/${caseGuid}/explain`
      const { body } = await api.call<CaseExplanation>('GET', path)
      assert.equal(shown.body.remainingSum, 0)
      assert.deepEqual([...new Set(body.figures.map(({ amount }) => amount))], [0])
    } finally {
      await api.setDate('2026-06-15')
    }
  })

  test('explains the source of each amount', async () => {
    const debtorGuid = await makeDebtor(api)
    const input = {
      debtorGuid,
      fee: 60,
      interestRate: 10,
      interestFromDate: '2026-05-16',
      invoiceNumber: 'F-9',
    }
    const { caseGuid } = await register(input)
    const { body } = await api.call<CaseExplanation>(
      'GET',
      `/debtors/${debtorGuid}/cases/${caseGuid}/explain`,
    )
    const interest = body.figures.find(({ figure }) => figure === 'remainingInterest')!
    assert.equal(interest.amount, 8.22)
    const [line] = interest.lines
    assert.deepEqual([line!.principal, line!.ratePercent, line!.days, line!.posted], [1000, 10, 30, false])
    assert.match(line!.text, /SEK.1,000\.00 × 10 % × 30 \/ 365 days, after 16 May 2026 up to 15 Jun 2026/)
    assert.match(line!.text, /invoice F-9/)
    await api.call('PATCH', '/users/current', { body: { languageCode: 'sv' } })
    const { body: swedish } = await api.call<CaseExplanation>(
      'GET',
      `/debtors/${debtorGuid}/cases/${caseGuid}/explain`,
    )
    assert.deepEqual(
      swedish.figures
        .find(({ figure }) => figure === 'remainingSum')!
        .lines.map(({ text }) => text.replaceAll('\u00a0', ' ')),
      [
        '1 000,00 kr kapital på faktura F-9, registrerat med ärendet 15 juni 2026',
        '60,00 kr kostnader, registrerat med ärendet 15 juni 2026',
        '8,22 kr ränta på faktura F-9, upplupen: 1 000,00 kr × 10 % × 30 / 365 dagar, efter 16 maj 2026 till och med 15 juni 2026',
      ],
    )
    await api.call('PATCH', '/users/current', { body: { languageCode: 'en' } })
  })
})

describe('a creditor', () => {
  test('sees the debtors and cases of their own clients, and totals of only these', async () => {
    const debtorGuid = await makeDebtor(api)
    const [mine, theirs] = [
      await register({ debtorGuid }),
      await register({ debtorGuid, clientGuid: other, principal: 77 }),
    ]
    const token = await api.signIn(9, client)
    const { body } = await overview(debtorGuid, token)
    assert.deepEqual([body.remainingSum, body.activeCases], [1000, 1])
    assert.equal((await list(debtorGuid, '', token)).body.total, 1)
    assert.equal((await get(debtorGuid, mine.caseGuid, token)).status, 200)
    assertProblem(await get(debtorGuid, theirs.caseGuid, token), 'not-found', /case/)
  })

  test('does not see a debtor who has only cases of other clients, nor that debtor’s search items', async () => {
    const debtorGuid = await makeDebtor(api)
    const { caseGuid } = await register({ debtorGuid, clientGuid: other })
    const token = await api.signIn(6, client)
    for (const answer of [
      await api.call('GET', `/debtors/${debtorGuid}`, { token }),
      await overview(debtorGuid, token),
      await list(debtorGuid, '', token),
      await get(debtorGuid, caseGuid, token),
    ])
      assertProblem(answer, 'not-found', /debtor/)
    const findItems = async (type: number, guid: string, as: string) =>
      (
        await api.call<{ items: object[] }>('POST', '/users/itemdescriptions', {
          body: { type, guid },
          token: as,
        })
      ).body.items
    assert.deepEqual(await findItems(1, caseGuid, token), [])
    assert.equal((await findItems(1, caseGuid, await api.signIn(6, other))).length, 1)
    assert.deepEqual(await findItems(3, debtorGuid, token), [])
    assert.equal((await findItems(3, debtorGuid, await api.signIn(6, other))).length, 1)
  })

  test('gets exact totals of debtors as cases are added', async () => {
    const party = await api.addParty('COUNTED')
    const token = await api.signIn(9, party)
    const total = async () => (await api.call<Page<object>>('GET', `/debtors?$top=1`, { token })).body.total
    assert.equal(await total(), 0)
    const debtors = [await makeDebtor(api), await makeDebtor(api)]
    for (const debtorGuid of debtors) {
      await register({ debtorGuid, clientGuid: party })
      await register({ debtorGuid, clientGuid: party })
    }
    assert.equal(await total(), 2)
  })
})

test('the entity tag of a case changes with each booking', async () => {
  const debtorGuid = await makeDebtor(api)
  const { caseGuid } = await register({ debtorGuid })
  assert.equal((await get(debtorGuid, caseGuid)).headers.get('etag'), '"1"')
  const input = { closureCode: 'OTHER' }
  await closeCase(api.sql, agencyCaller, { caseGuid, input }, context)
  assert.equal((await get(debtorGuid, caseGuid)).headers.get('etag'), '"2"')
  const again = closeCase(api.sql, agencyCaller, { caseGuid, input }, { ...context, ifMatch: ['"1"'] })
  await assert.rejects(again, /changed/)
})
