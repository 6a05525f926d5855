/** Cases of all debtors: the list, one case by its guid, its movements and its notes. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { AllCasesItem, CaseByGuid, CaseMovements, Note } from '../../contract/cases/all-cases.ts'
import { basePath } from '../../contract/api.ts'
import type { Page } from '../platform/database/list.ts'
import { startApi, type TestApi } from '../testing/api.ts'
import { assertProblem } from '../testing/problem.ts'
import { openCases } from '../testing/records/cases.ts'
import { amountsExact } from './cases.store.ts'

let api: TestApi
let cases: Awaited<ReturnType<typeof openCases>>
/** The token of a user restricted to the other client. */
let creditor = ''
let [first, second, others]: { caseGuid: string; caseNumber: string; debtorGuid: string }[] = []
before(async () => {
  api = await startApi()
  cases = await openCases(api)
  creditor = await api.signIn(6, cases.other)
  first = await cases.register({ principal: 1000, dueDate: '2020-01-01', invoiceNumber: 'F-1' })
  second = await cases.register({ principal: 500, dueDate: '2019-01-01', service: 'SURVEILLANCE' })
  others = await cases.register({ clientGuid: cases.other, principal: 70 })
  await form('PATCH', 'case/hold', second.caseGuid, { reason: 'HOLD_DISPUTE' })
})
after(() => api.close())

const nowhere = '0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70'
const form = (method: 'POST' | 'PATCH', name: string, id: string, body: object) =>
  api.call<Record<string, string>>(method, `/system/forms/${name}?id=${id}`, { body })
const list = async (query = '', token = api.token) =>
  (
    await api.call<Page<AllCasesItem>>('GET', `/cases${query && `?${query.replaceAll(' ', '%20')}`}`, {
      token,
    })
  ).body
const guids = ({ value }: Page<AllCasesItem>) => value.map(({ caseGuid }) => caseGuid)

test('listAllCases returns every case with its main debtor, client, hold and limitation date', async () => {
  const all = await list()
  assert.deepEqual([all.total, all.count], [3, 3])
  assert.deepEqual(guids(all), [first!.caseGuid, second!.caseGuid, others!.caseGuid])
  const held = all.value[1]!
  assert.equal(held.debtorGuid, second!.debtorGuid)
  assert.equal(held.mainDebtorGuid, second!.debtorGuid)
  assert.equal(held.clientGuid, cases.client)
  assert.equal(held.hold, 'HOLD_DISPUTE')
  assert.equal(held.remainingSum, 500)
  assert.ok(held.limitationDate!.endsWith('T00:00:00Z'))
})

test('listAllCases filters and sorts, with exact totals', async () => {
  const held = await list("$filter=hold eq 'HOLD_DISPUTE'")
  assert.deepEqual([held.total, guids(held)], [1, [second!.caseGuid]])
  const byDate = await list('$orderby=limitationDate desc&$top=1')
  assert.deepEqual([byDate.total, byDate.count], [3, 1])
  const large = await list('$filter=remainingSum gt 100 and hold eq null&$orderby=remainingSum desc')
  assert.deepEqual(guids(large), [first!.caseGuid])
  const byNumber = await list('$orderby=caseNumber desc')
  assert.deepEqual(guids(byNumber), [others!.caseGuid, second!.caseGuid, first!.caseGuid])
  const late = await list(
    '$filter=limitationDate lt 2100-01-01T00:00:00Z and registrationDate gt 2020-01-01T00:00:00Z',
  )
  assert.equal(late.total, 3)
  const wrong = await api.call('GET', '/cases?$filter=accrued%20eq%201')
  assert.equal(wrong.status, 400)
})

test('listAllCases sorts by every member, by pages as in one go, filtered or not', async () => {
  const members = Object.keys((await list()).value[0]!)
  for (const member of members) {
    for (const direction of ['asc', 'desc']) {
      for (const filter of ['', '&$filter=paidSum ge 0', "&$filter=startswith(clientName,'')"]) {
        const query = `$orderby=${member} ${direction}${filter}`
        const whole = guids(await list(query))
        assert.deepEqual(
          new Set(whole),
          new Set([first!, second!, others!].map(({ caseGuid }) => caseGuid)),
          query,
        )
        for (const [skip, guid] of whole.entries()) {
          const page = await list(`${query}&$top=1&$skip=${skip}`)
          assert.deepEqual([page.total, guids(page)], [3, [guid]], `${query}, row ${skip}`)
        }
      }
    }
  }
  assert.ok(members.length > 30)
})

const findStatistics = (name: string) => api.sql<{ expression: string }[]>`
  select array_to_string(pg_get_statisticsobjdef_expressions(oid), ',') as expression
  from pg_statistic_ext where stxname = ${name}`

test('the planner has statistics of each amount as the lists compare it', async () => {
  for (const [amount, column] of Object.entries(amountsExact)) {
    await api.sql.unsafe(`create statistics as_compared on (${column.replaceAll('c.', '')}) from debt_case`)
    const kept = amount.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    assert.deepEqual(await findStatistics(`debt_case_${kept}`), await findStatistics('as_compared'), amount)
    await api.sql`drop statistics as_compared`
  }
})

test('listAllCases shows a creditor only the cases of their own clients', async () => {
  assert.deepEqual(guids(await list('', creditor)), [others!.caseGuid])
})

test('a restricted caller cannot see cases of other clients', async () => {
  for (const path of ['', '/movements', '/notes']) {
    for (const guid of [first!.caseGuid, nowhere])
      assertProblem(
        await api.call('GET', `/cases/${guid}${path}`, { token: creditor }),
        'not-found',
        /no such case/,
      )
    const { status } = await api.call('GET', `/cases/${others!.caseGuid}${path}`, { token: creditor })
    assert.equal(status, 200, path)
  }
})

test('getCaseByGuid returns the case with its debtors and invoices', async () => {
  const { body, headers } = await api.call<CaseByGuid>('GET', `/cases/${first!.caseGuid}`)
  assert.equal(body.caseNumber, first!.caseNumber)
  assert.deepEqual(
    body.debtors.map(({ debtorGuid, debtorRole }) => [debtorGuid, debtorRole]),
    [[first!.debtorGuid, 'MAIN_DEBTOR']],
  )
  assert.deepEqual(
    body.invoices.map(({ invoiceNumber, principal, dueDate }) => [invoiceNumber, principal, dueDate]),
    [['F-1', 1000, '2020-01-01T00:00:00Z']],
  )
  assert.match(headers.get('etag')!, /^"\d+"$/)
  for (const { href } of body.links) {
    const { status } = await api.call('GET', href.replace(basePath, ''))
    assert.equal(status, 200, href)
  }
})

test('getCaseByGuid tells how to reach the debtor and how far the plan is paid', async () => {
  const contact = {
    cellularPhone: '+46701740605',
    email: 'asa@example.com',
    street: 'Storgatan',
    houseNo: '12',
    zipCode: '21142',
    city: 'Malmö',
    countryCode: 'SE',
    languageCode: 'sv',
  }
  const made = await api.call<{ debtorGuid: string }>('POST', '/debtors', {
    body: { lastname: 'Nåbar', ...contact },
  })
  assert.equal(made.status, 201, made.text)
  const { debtorGuid } = made.body
  const own = await cases.register({ debtorGuid, principal: 400, interestRate: 0 })
  const read = async (caseGuid: string, token = api.token) =>
    (await api.call<CaseByGuid>('GET', `/cases/${caseGuid}`, { token })).body
  const bare = await read(own.caseGuid)
  assert.equal(bare.plan, null)
  assert.deepEqual(bare.contact, {
    cellularPhone: '+46701740605',
    homePhone: null,
    workPhone: null,
    email: 'asa@example.com',
    address: 'Storgatan 12, 211 42 Malmö',
    languageCode: 'sv',
    preferredChannel: null,
    underAged: null,
    protectedIdentity: null,
  })
  const shared = await cases.register({
    debtorGuid,
    clientGuid: cases.other,
    principal: 400,
    interestRate: 0,
  })
  const plan = await api.call<{ paymentPlanGuid: string }>('POST', `/debtors/${debtorGuid}/paymentplans`, {
    body: { paymentPlanType: 1, numberOfPayments: 4, registrationFee: 0, invoiceFee: 0, reminderFee: 0 },
  })
  assert.equal(plan.status, 201, plan.text)
  const { paymentPlanGuid } = plan.body
  const proposal = (await read(own.caseGuid)).plan!
  assert.deepEqual([proposal.paymentPlanGuid, proposal.active, proposal.paid], [paymentPlanGuid, 2, 0])
  await api.call('POST', `/debtors/${debtorGuid}/paymentplans/${paymentPlanGuid}/activate`)
  await cases.pay({ caseGuid: own.caseGuid, amount: 250 })
  const active = (await read(own.caseGuid)).plan!
  assert.deepEqual(
    [
      active.active,
      active.numberOfPayments,
      active.paidPayments,
      active.latePayments,
      active.planned,
      active.paid,
    ],
    [1, 4, 1, 0, 800, 250],
  )
  assert.equal(active.nextAmount, 150)
  // The plan has a case of a client that the caller may not see.
  const hidden = await read(shared.caseGuid, creditor)
  assert.deepEqual([hidden.plan, hidden.contact!.email], [null, 'asa@example.com'])
})

const plain = (text: string) => text.replaceAll('\u00a0', ' ')

test('listCaseMovements describes each movement, and its entries sum to zero', async () => {
  const { caseGuid } = first!
  const paid = await api.call<{ paymentGuid: string }>('POST', '/system/forms/payment/register', {
    body: { caseGuid, amount: 100 },
  })
  const own = { lookupCode: 'feetype', lookupKey: 'own', textEn: 'Own' }
  await api.call('POST', '/system/forms/lookupvalue/create', { body: own })
  for (const feeType of ['own', 'reminder']) await form('POST', 'fee/add', caseGuid, { feeType, amount: 60 })
  await form('PATCH', 'payment/reverse', paid.body.paymentGuid, { reason: 'bounced' })
  const { body } = await api.call<CaseMovements>('GET', `/cases/${caseGuid}/movements`)
  assert.deepEqual(
    body.movements.map(({ kind, text, reversed }) => [kind, plain(text), reversed]),
    [
      ['payment', 'Payment SEK 100.00 (reversed later).', true],
      ['fee', 'Fee (own) SEK 60.00.', false],
      ['fee', 'Fee (Reminder) SEK 60.00.', false],
      ['reversal', 'Reversal of an earlier movement.', false],
    ],
  )
  await api.call('PATCH', '/users/current', { body: { languageCode: 'de' } })
  const german = await api.call<CaseMovements>('GET', `/cases/${caseGuid}/movements`)
  const swiss = await api.call<CaseMovements>('GET', `/cases/${caseGuid}/movements?culture=de-CH`)
  await api.call('PATCH', '/users/current', { body: { languageCode: 'en' } })
  assert.match(swiss.body.movements[0]!.text, /^Zahlung SEK.100\.00 /)
  const none = await api.call('GET', `/cases/${caseGuid}/movements?culture=de-aa-bb`)
  assertProblem(none, 'invalid', /must be a culture such as sv-SE/)
  assert.deepEqual(
    body.movements.map(({ detail }) => detail),
    ['Entered by hand', 'own', 'Reminder', ''],
  )
  assert.deepEqual(
    german.body.movements.map(({ text }) => plain(text)),
    [
      'Zahlung 100,00 SEK (später storniert).',
      'Gebühr (own) 60,00 SEK.',
      'Gebühr (Mahnung) 60,00 SEK.',
      'Storno einer früheren Buchung.',
    ],
  )
  assert.equal(body.movements[0]!.paymentGuid, paid.body.paymentGuid)
  assert.equal(body.movements[3]!.reversesGuid, body.movements[0]!.movementGuid)
  assert.ok(body.transactions.length >= 4)
  for (const { entries } of body.transactions)
    assert.equal(
      entries.reduce((sum, { amount }) => sum + amount, 0),
      0,
    )
})

test('listCaseNotes returns the latest note first', async () => {
  const { caseGuid } = first!
  for (const text of ['One', 'Two']) await form('POST', 'note/create', caseGuid, { text })
  const { body } = await api.call<Page<Note>>('GET', `/cases/${caseGuid}/notes`)
  assert.deepEqual([body.total, body.value.map(({ text }) => text)], [2, ['Two', 'One']])
  const one = await api.call<Page<Note>>('GET', `/cases/${caseGuid}/notes?$filter=text%20eq%20'One'`)
  assert.equal(one.body.total, 1)
})
