/** Fills an installation with the demo's books, and with what the demo has not. */
import assert from 'node:assert/strict'
import { findAgency } from '../../server/access/users/parties.store.ts'
import { insertDemoAgency } from '../../server/access/users/demo-agency.ts'
import { prepareDebtor } from '../../server/parties/debtors/debtors.changes.ts'
import { insertDebtors } from '../../server/parties/debtors/insert-debtors.store.ts'
import type { TestApi } from '../../server/testing/api.ts'
import { agencyCaller, contextOn, runDayEnd } from '../../server/testing/records/cases.ts'
import { registerPayment } from '../../server/payments/payments.ts'
import { addDays } from '../../core/calendar/calendar.ts'
import type { CountryCode } from '../demo/country.ts'
import { generateDebtors } from '../demo/debtors.ts'
import { insertDemoCases } from '../demo/insert-cases.ts'
import { insertDemoPlans } from '../demo/insert-plans.ts'

const nights = 45

export async function fillDemo(api: TestApi, today: string): Promise<void> {
  const begun = addDays(today, -nights)
  await api.setDate(begun)
  const { origin } = contextOn(begun)
  const agency = (await findAgency(api.sql))!
  await insertDemoAgency(api.sql, agency, origin)
  const inputs = [...generateDebtors({ seed: 1, count: 60, today: begun })]
  const debtors = inputs.map((input) => ({
    ...prepareDebtor(input, { countryCode: 'SE', today: begun }),
    sourceReference: null,
  }))
  const made = await insertDebtors(api.sql, debtors, { origin, partyId: agency })
  const owing = made.map((debtor, index) => ({
    debtorGuid: debtor!.debtorGuid,
    countryCode: inputs[index]!.countryCode as CountryCode,
  }))
  await insertDemoCases(api.sql, owing, { seed: 1, origin })
  assert.ok((await insertDemoPlans(api.sql, owing, { origin, every: 3 })) > 5)
  await addMore(api, owing[0]!.debtorGuid)
  for (let night = 1; night <= nights; night += 9) {
    await api.setDate(addDays(begun, night))
    await runDayEnd(api.sql, contextOn(addDays(begun, night)).origin)
    for (const { debtorGuid } of owing.slice(0, 12)) await pay(api, debtorGuid, addDays(begun, night))
  }
  await api.setDate(today)
  await runDayEnd(api.sql, contextOn(today).origin)
}

/** A payment for whatever the debtor owes, if anything. */
async function pay(api: TestApi, debtorGuid: string, day: string): Promise<void> {
  const context = contextOn(day)
  const [row] = await api.sql<{ currencyCode: string }[]>`
    select currency_code as "currencyCode" from debt_case
    where main_debtor_id = ${debtorGuid} and status <> 'CLOSED' and registration_date <= ${day} limit 1`
  if (row) await registerPayment(api.sql, agencyCaller, { debtorGuid, amount: 75, ...row }, context)
}

/** What files cannot bring: a field of its own, and the agency's account. */
export async function setUp(api: TestApi): Promise<void> {
  await api.sql`update party set bank_account_no = 'SE4550000000058398257466' where parent_id is null`
  const body = { entity: 'debtor', code: 'segment', type: 'string', textEn: 'Segment' }
  const { status, text } = await api.call('POST', '/system/forms/field/create', { body })
  assert.equal(status, 201, text)
}

/** Addresses, extra fields, custom fields, client records and notes. */
async function addMore(api: TestApi, debtorGuid: string): Promise<void> {
  const post = async (path: string, body: object) => {
    const { status, text } = await api.call('POST', path, { body })
    assert.equal(status, 201, `${path}: ${text}`)
  }
  const { body } = await api.call<{ value: { clientGuid: string }[] }>('GET', '/clients?$top=1')
  const { clientGuid } = body.value[0]!
  await setUp(api)
  await api.sql`update debtor set custom = '{"segment": "A, B"}' where id = ${debtorGuid}`
  await post(`/debtors/${debtorGuid}/addresses`, {
    addressType: 'LEGAL',
    street: 'Sjövägen, "norra"',
    houseNo: '12',
    zipCode: '13142',
    city: 'Nacka',
    countryCode: 'SE',
    validFrom: '2026-01-01',
    validTo: '2027-01-31',
  })
  await post(`/debtors/${debtorGuid}/extrafields`, {
    name: 'employer',
    value: ['Bageri AB', '=SUM(A1); rad 2'],
  })
  await post(`/system/forms/note/create?id=${debtorGuid}`, { text: 'Rang en gång' })
  const holdings: [string, object][] = [
    ['thirdparty', { name: 'Tingsrätten', city: 'Malmö' }],
    ['account', { accountNumber: 'A-1' }],
    ['customer', { customerNumber: '100', name: 'Berg', debtorGuid }],
    ['purchase', { purchaseNumber: '1', amount: 99.5, currencyCode: 'SEK' }],
    ['object', { objectNumber: 'OB77', name: 'Lägenheten' }],
  ]
  for (const [entity, input] of holdings)
    await post(`/system/forms/${entity}/create`, { clientGuid, ...input })
}
