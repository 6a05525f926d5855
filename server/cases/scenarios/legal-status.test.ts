/** A status change by hand asks the law as a strategy step does, over HTTP. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { CasePermissions } from '../../../contract/cases/permissions.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { makeDebtor, setTerms } from '../../testing/records/cases.ts'

const today = '2026-06-15'
const currencies: Record<string, string> = { SE: 'SEK', DK: 'DKK', FI: 'EUR', FR: 'EUR' }
let api: TestApi
let clients = 0
before(async () => {
  api = await startApi({ FORDRA_SERVICES: '' })
  await api.setDate(today)
})
after(() => api.close())

interface Answer {
  rule?: string
  allowedFrom?: string
  errors?: Record<string, string[]>
}
interface Made {
  debtorGuid: string
  caseGuid: string
}

async function open(country: string, input: object = {}, debtor: object = {}): Promise<Made> {
  const clientGuid = await api.addParty(`COURT${++clients}`)
  await setTerms(api, clientGuid, { country_code: country })
  const debtorGuid = await makeDebtor(api, debtor)
  const body = {
    clientGuid,
    debtorGuid,
    principal: 1000,
    currencyCode: currencies[country],
    dueDate: '2026-05-01',
    ...input,
  }
  const made = await api.call<Made>('POST', '/system/forms/case/register', { body })
  assert.equal(made.status, 201, made.text)
  await setStatus(made.body, { status: 'AMICABLE' })
  return { debtorGuid, caseGuid: made.body.caseGuid }
}

const setStatus = ({ caseGuid }: Pick<Made, 'caseGuid'>, body: object, token = api.token) =>
  api.call<Answer>('PATCH', `/system/forms/case/status?id=${caseGuid}`, { body, token })

async function demand({ debtorGuid, caseGuid }: Made, dueDate: string): Promise<void> {
  const body = { kind: 'demand', caseGuid, dueDate }
  const sent = await api.call('POST', `/debtors/${debtorGuid}/letters`, { body })
  assert.equal(sent.status, 201, sent.text)
}

async function readPermission({ debtorGuid, caseGuid }: Made) {
  const { body } = await api.call<CasePermissions>(
    'GET',
    `/debtors/${debtorGuid}/cases/${caseGuid}/permissions`,
  )
  return body.actions.find(({ action }) => action === 'status:LEGAL')
}

test('no case goes to court without a demand, before its deadline, before it is due, barred or of a minor', async () => {
  const cases: [string, Made, string][] = [
    ['no demand', await open('SE'), 'SE-LEGAL-AFTER-DEMAND'],
    ['no demand', await open('DK'), 'DK-LEGAL-AFTER-DEMAND'],
    ['no demand', await open('FI'), 'FI-LEGAL-AFTER-DEMAND'],
    ['barred', await open('SE', { dueDate: '2020-01-01' }), 'SE-BARRED'],
    ['minor', await open('SE', {}, { dateOfBirth: '2012-05-05' }), 'SE-MINOR'],
  ]
  for (const [name, made, rule] of cases) {
    const told = await readPermission(made)
    assert.deepEqual([told?.allowed, told?.rule], [false, rule], name)
    const refused = await setStatus(made, { status: 'LEGAL' })
    assert.deepEqual([refused.status, refused.body.rule], [422, rule], `${name}: ${refused.text}`)
    assert.ok(refused.body.errors!['status']![0])
  }
  const later = await open('SE', { dueDate: '2026-09-01' })
  const early = await setStatus(later, { status: 'LEGAL', subStatus: 'PAYMENT_ORDER_APPLIED' })
  assert.deepEqual([early.status, early.body.rule], [422, 'SE-LEGAL-AFTER-DEMAND'])
  // From SURVEILLANCE too, and to ENFORCEMENT without a title.
  const watched = await open('SE')
  assert.equal((await setStatus(watched, { status: 'SURVEILLANCE' })).status, 200)
  for (const status of ['LEGAL', 'ENFORCEMENT'])
    assert.equal((await setStatus(watched, { status })).body.rule, 'SE-LEGAL-AFTER-DEMAND', status)
  assert.equal((await setStatus(await open('FR'), { status: 'LEGAL' })).status, 200)
})

test('once the deadline of the demand has passed, the case goes to court, and on from there', async () => {
  const made = await open('SE')
  await demand(made, '2026-06-29')
  const waiting = await readPermission(made)
  assert.deepEqual([waiting?.allowed, waiting?.from], [false, '2026-06-30T00:00:00Z'])
  const early = await setStatus(made, { status: 'LEGAL' })
  assert.deepEqual([early.status, early.body.allowedFrom], [422, '2026-06-30'])
  await api.setDate('2026-06-30')
  assert.equal((await readPermission(made))?.allowed, true)
  assert.equal((await setStatus(made, { status: 'LEGAL' })).status, 200)
  assert.equal((await setStatus(made, { subStatus: 'TITLE_OBTAINED' })).status, 200)
  assert.equal((await setStatus(made, { status: 'ENFORCEMENT' })).status, 200)
  await api.setDate(today)
})

test('an administrator overrides what is left to the single case, with a reason, and no other rule', async () => {
  // Sixteen when the claim arose, of age today.
  const made = await open('SE', { dueDate: '2025-12-01' }, { dateOfBirth: '2008-06-01' })
  const body = { status: 'LEGAL', overrideReason: 'The guardian confirmed the purchase in writing.' }
  assert.equal((await setStatus(made, { status: 'LEGAL' })).body.rule, 'SE-MINOR-CLAIM')
  assert.equal((await setStatus(made, body, await api.signIn(3))).body.rule, 'SE-MINOR-CLAIM')
  assert.equal((await setStatus(made, body)).body.rule, 'SE-LEGAL-AFTER-DEMAND')
  const checked = (minorClaimChecked: boolean) =>
    api.call('PATCH', `/system/forms/case/law?id=${made.caseGuid}`, { body: { minorClaimChecked } })
  assert.equal((await checked(true)).status, 200)
  await demand(made, '2026-06-29')
  assert.equal((await checked(false)).status, 200)
  await api.setDate('2026-06-30')
  assert.equal((await setStatus(made, body)).status, 200)
  const [entry] = await api.sql`
    select changes from audit_entry where subject = ${made.caseGuid} and type = 'case.status_changed' order by position desc limit 1`
  assert.deepEqual(
    [entry!['changes'].rule, entry!['changes'].overrideReason],
    [
      [null, 'SE-MINOR-CLAIM'],
      [null, body.overrideReason],
    ],
  )
  await api.setDate(today)
})
