/** One client with a record of every kind that users who are restricted to a client may know. */
import assert from 'node:assert/strict'
import type { TestApi } from '../api.ts'
import { formPath, formQuery, formValues, type ClientWorld } from './form-requests.ts'

const address = { addressType: 'LEGAL', street: 'Storgatan', city: 'Malmö', countryCode: 'SE' }

export async function makeClientWorld(api: TestApi, code: string): Promise<ClientWorld> {
  const post = async (path: string, body: object) => {
    const answer = await api.call<Record<string, string>>('POST', path, { body })
    assert.equal(answer.status, 201, `${path}: ${answer.text}`)
    return answer.body
  }
  const party = { name: `${code} AB`, partyReferenceCode: code, currencyCode: 'SEK' }
  const client = await post('/system/forms/client/create', party)
  const clientGuid = client['clientGuid']!
  const debtor = await post('/debtors', { lastname: code, city: code })
  const debtorGuid = debtor['debtorGuid']!
  const claim = { clientGuid, debtorGuid, currencyCode: 'SEK' }
  const demanded = await post('/system/forms/case/register', { ...claim, principal: 100_000 })
  // Of what is paid beyond it, the debtor has credit.
  const paid = await post('/system/forms/case/register', { ...claim, principal: 10 })
  await post('/system/forms/payment/register', { caseGuid: paid['caseGuid'], amount: 1000 })
  const plan = { paymentPlanType: 1, numberOfPayments: 6 }
  const below = `/debtors/${debtorGuid}`
  await post(`${below}/extrafields`, { name: 'employer', value: [code] })
  const caseGuid = demanded['caseGuid']!
  const world: ClientWorld = {
    code,
    known: { client: clientGuid, debtor: debtorGuid, case: caseGuid, item: debtorGuid },
    members: {
      code,
      clientGuid,
      debtorGuid,
      debtorReference: debtor['debtorReference']!,
      caseGuid,
      caseNumber: demanded['caseNumber']!,
      addressGuid: (await post(`${below}/addresses`, address))['addressGuid']!,
      paymentplanGuid: (await post(`${below}/paymentplans`, plan))['paymentPlanGuid']!,
    },
  }
  await makeByForms(api, world)
  const document = await post(`${below}/documents`, {})
  Object.assign(world.members, { documentGuid: document['documentGuid'], userGuid: world.known['user'] })
  return world
}

/** Makes a record by each form that makes one and is not about the whole installation. */
async function makeByForms(api: TestApi, world: ClientWorld): Promise<void> {
  const forms = api.app.forms.all.map(({ form }) => form)
  for (const form of forms.filter(({ submit }) => submit.method === 'POST' && !submit.unrestricted)) {
    const path = `${formPath(form)}?${formQuery(form, world)}`
    const body = await formValues(api, form, world)
    const answer = await api.call<Record<string, string>>('POST', path, { body })
    assert.equal(answer.status, 201, `${path}: ${answer.text}`)
    for (const key of form.keys) world.members[key] ??= answer.body[key]!
    if (form.keys[0]) world.known[form.entity] ??= answer.body[form.keys[0]]!
  }
}
