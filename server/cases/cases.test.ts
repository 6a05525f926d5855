import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { CaseDetail, CaseListItem, CaseOverview } from '../../contract/cases.ts'
import type { Page } from '../database/list.ts'
import { startApi, type TestApi } from '../testing/api.ts'
import { registerCase } from './register-case.ts'
import { agencyCaller, makeDebtor, setTerms } from './cases-for-tests.ts'

let api: TestApi
let client: string
before(async () => {
  api = await startApi()
  await api.setDate('2026-06-15')
  client = await api.addParty('CLIENT')
  await setTerms(api, client, { currency_code: 'SEK', country_code: 'SE' })
})
after(() => api.close())

const context = { origin: { actorId: null, requestId: null, operation: 'test', businessDate: '2026-06-15' } }
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
  test('shows in D5, D6 and D7 with interest up to the business date', async () => {
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
      ['self', 'debtor', 'explain', 'caseoverview'],
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
