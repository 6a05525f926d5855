/** A small agency on a fixed business date, the same in every run: what screens are looked at with. */
import assert from 'node:assert/strict'
import type { TestApi } from '../../../server/testing/api.ts'
import { password } from '../browser.ts'

export const businessDate = '2026-06-15'
/** When the cases were registered. */
const registered = '2026-03-02'
export const administrator = 'anna@agency.example'
const colleague = 'bo@agency.example'

export interface Reference {
  debtorGuid: string
  caseGuid: string
  clientGuid: string
  planGuid: string
  userGuid: string
  payoutGuid: string
  webhookGuid: string
  strategyGuid: string
  trialGuid: string
  letterTemplateGuid: string
}

interface Made {
  [member: string]: string
}

export async function makeReference(api: TestApi): Promise<Reference> {
  await api.setDate(registered)
  const post = makePost(api)
  await api.addUser({ email: administrator, password, userRole: 2 })
  const userGuid = await api.addUser({ email: colleague, password, userRole: 3 })
  await api.sql`update party set bank_account_no = 'SE45 5000 0000 0583 9825 7466' where parent_id is null`
  const clientGuid = await addClient(post, { name: 'Kraftbolaget AB', partyReferenceCode: 'KRAFT' })
  const otherClient = await addClient(post, { name: 'Sjöstadens Tandvård', partyReferenceCode: 'TAND' })
  await api.sql`update party set bank_account_no = '5805-6201' where id in (${clientGuid}, ${otherClient})`
  const debtorGuid = await addDebtor(post, 0)
  const caseGuid = await addCase(post, {
    clientGuid,
    debtorGuid,
    principal: 12_400.5,
    fee: 180,
    invoiceNumber: 'F-1001',
  })
  await addOthers(api, post, [clientGuid, otherClient])
  await api.setDate(businessDate)
  await fillCase(api, post, { caseGuid, debtorGuid })
  const plan = await post(`/debtors/${debtorGuid}/paymentplans`, {
    active: 2,
    paymentPlanType: 1,
    numberOfPayments: 6,
  })
  return {
    debtorGuid,
    caseGuid,
    clientGuid,
    planGuid: plan['paymentPlanGuid']!,
    userGuid,
    ...(await addAgencyRecords(api, post, clientGuid)),
  }
}

type Post = (path: string, body: object) => Promise<Made>

const makePost =
  (api: TestApi): Post =>
  async (path, body) => {
    const answer = await api.call<Made>('POST', path, { body })
    assert.ok(answer.status < 300, `${path}: ${answer.text}`)
    return answer.body
  }

async function addClient(post: Post, names: object): Promise<string> {
  const body = { countryCode: 'SE', currencyCode: 'SEK', ...names }
  return (await post('/system/forms/client/create', body))['clientGuid']!
}

const names = [
  ['Åsa', 'Lindqvist', 'Storgatan', '211 42', 'Malmö'],
  ['Erik', 'Björklund', 'Kungsgatan', '411 19', 'Göteborg'],
  ['Maria', 'Söderström', 'Drottninggatan', '111 51', 'Stockholm'],
  ['Johan', 'Åkesson', 'Vasagatan', '722 15', 'Västerås'],
  ['Karin', 'Nyström', 'Nygatan', '602 22', 'Norrköping'],
  ['Lars', 'Holm', 'Bangatan', '222 21', 'Lund'],
] as const

async function addDebtor(post: Post, index: number): Promise<string> {
  const [firstname, lastname, street, zipCode, city] = names[index]!
  const email = `debtor${index}@example.com`
  const address = { street, houseNo: String(10 + index), zipCode, city, countryCode: 'SE' }
  const body = { firstname, lastname, ...address, email, cellularPhone: '070-174 06 05' }
  return (await post('/debtors', body))['debtorGuid']!
}

async function addCase(post: Post, claim: object): Promise<string> {
  const body = { currencyCode: 'SEK', dueDate: '2026-01-31', ...claim }
  return (await post('/system/forms/case/register', body))['caseGuid']!
}

/** Every panel of the case page has something to show. */
async function fillCase(api: TestApi, post: Post, place: { caseGuid: string; debtorGuid: string }) {
  const { caseGuid, debtorGuid } = place
  const valueDate = '2026-04-02'
  await post('/system/forms/payment/register', { caseGuid, amount: 900, currencyCode: 'SEK', valueDate })
  const invoice = { principal: 350, invoiceNumber: 'F-1002', dueDate: '2026-02-28' }
  await post(`/system/forms/invoice/create?id=${caseGuid}`, invoice)
  await post(`/system/forms/note/create?id=${caseGuid}`, { text: 'Wants to pay after the salary.' })
  await post(`/cases/${caseGuid}/calls`, {
    outcome: 'REACHED',
    rightParty: true,
    text: 'Pays half this month.',
    promisedAmount: 500,
    promisedDate: '2026-06-25T00:00:00Z',
  })
  await post(`/system/forms/objection/create?id=${caseGuid}`, {
    matter: 'COMPLAINT',
    kind: 'CONDUCT',
    reason: 'You call me at work.',
    receivedDate: '2026-06-12',
  })
  await post(`/debtors/${debtorGuid}/letters`, { kind: 'statement', caseGuid, channel: 'letter' })
  const action = { nextAction: 'Ring about the promise', nextActionDate: `${businessDate}T00:00:00Z` }
  await api.call('PUT', `/cases/${caseGuid}/nextaction`, { body: action })
  await post(`/debtors/${debtorGuid}/extrafields`, { name: 'profession', value: ['baker', 'cook'] })
}

/** Other debtors with cases in several states, and payments. */
async function addOthers(api: TestApi, post: Post, clients: readonly string[]): Promise<void> {
  for (let index = 1; index < names.length; index++) {
    const debtorGuid = await addDebtor(post, index)
    const clientGuid = clients[index % 2]!
    const principal = 1000 * index + 99.95
    const caseGuid = await addCase(post, { clientGuid, debtorGuid, principal, invoiceNumber: `F-20${index}` })
    const action = { nextAction: `Call ${names[index]![0]}`, nextActionDate: `${businessDate}T00:00:00Z` }
    await api.call('PUT', `/cases/${caseGuid}/nextaction`, { body: action })
    if (index === 2)
      await api.call('PATCH', `/system/forms/case/hold?id=${caseGuid}`, { body: { reason: 'HOLD_DISPUTE' } })
    if (index > 2) {
      const payment = { caseGuid, amount: 250.5 * index, currencyCode: 'SEK', valueDate: registered }
      await post('/system/forms/payment/register', payment)
    }
  }
}

/** A payment without a reference, in BgMax. */
const bankFile = [
  '01BGMAX               0120260615173035010331P',
  '050009912346          SEK',
  '200003783511                         000000000000045600020000000000010',
  '26Berits Garn',
  '15000000000000000000058410000010098232026061500074000000000000045600SEK00000001',
  '7000000001000000000000000000000001',
]

/** A payment in suspense. */
export async function addBankFile(api: TestApi): Promise<void> {
  const { status, text } = await api.call('POST', '/payment-files?fileName=bgmax.txt', {
    raw: bankFile.map((line) => line.padEnd(80)).join('\r\n'),
    headers: { 'content-type': 'application/octet-stream' },
  })
  assert.equal(status, 201, text)
}

async function addAgencyRecords(api: TestApi, post: Post, clientGuid: string) {
  await addBankFile(api)
  const payout = await post('/payouts', { currencyCode: 'SEK' })
  const address = { url: 'https://hooks.example.com/fordra', description: 'Accounting' }
  const webhook = await post('/system/forms/webhook/create', address)
  const purchase = { clientGuid, purchaseNumber: 'P-1', amount: 99.5, currencyCode: 'SEK' }
  await post('/system/forms/purchase/create', purchase)
  const limit = { act: 'WRITE_OFF', userRole: 3, currencyCode: 'SEK', amount: 500 }
  await post('/system/forms/approvallimit/create', limit)
  const { body } = await api.call<{ value: { strategyGuid: string }[] }>('GET', '/strategies')
  const { trialGuid } = await addTrial(post)
  return {
    payoutGuid: payout['payoutBatchGuid']!,
    webhookGuid: webhook['webhookGuid']!,
    strategyGuid: body.value[0]!.strategyGuid,
    trialGuid: trialGuid!,
    letterTemplateGuid: await addTemplate(post),
  }
}

async function addTemplate(post: Post): Promise<string> {
  const { letterTemplateGuid } = await post('/lettertemplates', { kind: 'demand', languageCode: 'en' })
  await post(`/lettertemplates/${letterTemplateGuid}/publish`, { note: 'The shipped text' })
  return letterTemplateGuid!
}

async function addTrial(post: Post): Promise<Made> {
  const actions = [{ kind: 'letter', letter: 'reminder' }]
  const steps = [{ code: 'REMINDER', status: 'NEW', afterDays: 10, actions }]
  await post('/strategies', { code: 'SOFT', name: 'Soft reminders', steps })
  return post('/trials', {
    name: 'Softer reminders',
    champion: 'NORDIC',
    challengers: [{ strategy: 'SOFT', share: 50 }],
    outcomeDays: 60,
    highestAmount: 20_000,
    currencyCode: 'SEK',
    plannedCases: 5000,
  })
}
