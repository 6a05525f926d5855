/** What is wrong with a date or an amount is said as the language of the user writes them. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApi, type TestApi } from '../../testing/api.ts'
import { addPerson, type Person } from '../../testing/records/agency-people.ts'
import { openCases, today, type OpenedCases } from '../../testing/records/cases.ts'

let api: TestApi
let cases: OpenedCases
let swede: Person
before(async () => {
  api = await startApi()
  cases = await openCases(api)
  await api.setDate(today)
  await api.sql`update party set bank_account_no = 'SE4550000000058398257466' where parent_id is null`
  swede = await addPerson(api, 1)
  await api.sql`update app_user set language_code = 'sv' where id = ${swede.userGuid}`
})
after(() => api.close())

type Refused = [what: string, method: string, path: string, body: object | undefined, told: RegExp]

const tomorrow = '2026-06-16'

test('errors name days and amounts in the format of their reader', async () => {
  const { caseGuid, debtorGuid } = await cases.register({ interestRate: 10 })
  const form = (name: string, id = caseGuid) => `/system/forms/${name}?id=${id}`
  const refusals: Refused[] = [
    [
      'payment',
      'POST',
      '/system/forms/payment/register',
      { caseGuid, amount: 1, valueDate: tomorrow },
      /15 juni 2026/,
    ],
    [
      'early payment',
      'POST',
      '/system/forms/payment/register',
      { caseGuid, amount: 1, valueDate: '2026-06-14' },
      /registered, 15 juni 2026/,
    ],
    [
      'amount',
      'POST',
      '/system/forms/payment/register',
      { caseGuid, amount: 20_000_000_000_000 },
      /10\s000\s000\s000\s000,00\skr/,
    ],
    ['write-off', 'POST', form('writeoff/register'), { amount: 1, valueDate: tomorrow }, /15 juni 2026/],
    ['fee', 'POST', form('fee/add'), { feeType: 'reminder', amount: 1, valueDate: tomorrow }, /15 juni 2026/],
    ['terms', 'PATCH', form('case/terms'), { interestRate: 1, valueDate: tomorrow }, /15 juni 2026/],
    ['hold', 'PATCH', form('case/hold'), { reason: 'HOLD_DISPUTE', holdFrom: tomorrow }, /15 juni 2026/],
    [
      'early hold',
      'PATCH',
      form('case/hold'),
      { reason: 'HOLD_DISPUTE', holdFrom: '2026-06-01' },
      /registered, 15 juni 2026/,
    ],
    [
      'objection',
      'POST',
      form('objection/create'),
      { matter: 'OBJECTION', reason: 'No.', receivedDate: tomorrow },
      /15 juni 2026/,
    ],
    [
      'interruption',
      'POST',
      form('limitation/interrupt'),
      { interruption: 'DEMAND', interruptedDate: tomorrow },
      /15 juni 2026/,
    ],
    [
      'invoice',
      'POST',
      form('invoice/create'),
      { principal: 1, dueDate: '2250-01-01' },
      /1 jan\.? 1900 and 31 dec\.? 2199/,
    ],
    [
      'case',
      'POST',
      '/system/forms/case/register',
      { clientGuid: cases.client, debtorGuid, principal: 1, feeDate: tomorrow },
      /registration, 15 juni 2026/,
    ],
    [
      'debtor',
      'POST',
      '/debtors',
      { lastname: 'Ek', dateOfBirth: '2026-06-16T00:00:00Z' },
      /1 jan\.? 1800 to the system date, 15 juni 2026/,
    ],
    ['payout', 'POST', '/payouts', { currencyCode: 'SEK', executionDate: '2026-06-14' }, /15 juni 2026/],
    ['no payout', 'POST', '/payouts', { currencyCode: 'SEK' }, /on 15 juni 2026/],
    ['statement', 'GET', `/cases/${caseGuid}/statement?to=2026-06-16`, undefined, /15 juni 2026/],
    ['early statement', 'GET', `/cases/${caseGuid}/statement?asOf=2026-06-01`, undefined, /15 juni 2026/],
    ['cases', 'GET', '/cases?asOf=2026-06-16', undefined, /15 juni 2026/],
    ['report', 'GET', '/reports/collected?from=2026-06-16&to=2026-06-15', undefined, /15 juni 2026/],
    [
      'statutory fee',
      'POST',
      '/system/forms/statutoryfee/create',
      {
        feeType: 'x',
        countryCode: 'SE',
        currencyCode: 'SEK',
        amount: 1,
        validFrom: '2026-06-15',
        validTo: '2026-06-14',
      },
      /15 juni 2026/,
    ],
    ['business date', 'PUT', '/system/systemdate', { systemDate: '2300-01-01T00:00:00Z' }, /31 dec\.? 2199/],
  ]
  for (const [what, method, path, body, told] of refusals) {
    const answer = await swede.call<{ detail: string; errors?: object }>(method, path, body && { body })
    const said = JSON.stringify([answer.body.detail, answer.body.errors])
    assert.ok([400, 422].includes(answer.status), `${what}: ${answer.text}`)
    assert.match(said, told, what)
    assert.doesNotMatch(said, /\d{4}-\d{2}-\d{2}/, what)
  }
})

test('a custom date field names its bounds as its reader writes them, and a command its day', async () => {
  const field = {
    entity: 'debtor',
    code: 'ownDate',
    type: 'date',
    textEn: 'Own date',
    minValue: '2026-06-01',
    maxValue: '2026-06-15',
  }
  const made = await api.call('POST', '/system/forms/field/create', { body: field })
  assert.equal(made.status, 201, made.text)
  const path = '/system/forms/debtor/create'
  const late = await swede.call('POST', path, { body: { lastname: 'Ek', ownDate: tomorrow } })
  assert.match(late.text, /must be 15 juni 2026 or earlier/)
  const early = await swede.call('POST', path, { body: { lastname: 'Ek', ownDate: '2026-05-31' } })
  assert.match(early.text, /must be 1 juni 2026 or later/)
  const command = await swede.call('POST', '/system/commands/day-end', { body: { argument: [tomorrow] } })
  assert.match(command.text, /16 juni 2026 is in the future: the business date is 15 juni 2026/)
})
