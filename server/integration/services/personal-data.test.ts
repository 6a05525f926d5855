/** Export and erasure of a debtor with much stored data, and the types of operations that services can call. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Job } from '../../../contract/platform/jobs.ts'
import type { Problem } from '../../../contract/platform/problem.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { resultLengthMax, type Operations, type ServiceApi } from './define-service.ts'

let api: TestApi
let clientGuid: string
before(async () => {
  api = await startApi({ FORDRA_SERVICES: '' })
  await api.setDate('2026-06-15')
  clientGuid = await api.addParty('CLIENT')
  await api.sql`update party set country_code = 'SE' where id = ${clientGuid}`
})
after(() => api.close())

const make = async (path: string, body: object, member: string) => {
  const answer = await api.call<Record<string, string>>('POST', path, { body })
  assert.equal(answer.status, 201, answer.text)
  return answer.body[member]!
}
const makeDebtor = (body: object = {}) =>
  make('/debtors', { lastname: 'Yansson', email: 'yan@example.org', ...body }, 'debtorGuid')
const makeCase = (debtorGuid: string, more: object = {}) =>
  make(
    '/system/forms/case/register',
    { clientGuid, debtorGuid, currencyCode: 'SEK', principal: 1000, ...more },
    'caseGuid',
  )
const addNote = (id: string, text: string) => make(`/system/forms/note/create?id=${id}`, { text }, 'noteGuid')
const addField = (debtorGuid: string, name: string) =>
  make(`/debtors/${debtorGuid}/extrafields`, { name, value: ['told by a neighbour'] }, 'name')
const addAddress = (debtorGuid: string, more: object) =>
  make(`/debtors/${debtorGuid}/addresses`, { addressType: 'LEGAL', city: 'Lund', ...more }, 'addressGuid')
const readTotal = async (path: string) => (await api.call<{ total: number }>('GET', path)).body.total

const invoke = (debtorGuid: string, service: string, body: object = {}, token = api.token) =>
  api.call<Problem>('POST', `/debtors/${debtorGuid}/services/${service}`, { body, token })
async function readResult<T>(
  debtorGuid: string,
  service: string,
  body: object = {},
  token = api.token,
): Promise<T> {
  const answer = await invoke(debtorGuid, service, body, token)
  assert.equal(answer.status, 200, answer.text)
  const job = await api.call<Job>('GET', answer.headers.get('location')!.replace('/api/v1', ''))
  return job.body.result as T
}

interface Exported {
  ownFields: Record<string, unknown>
  documents: { content: string }[]
  messages: { channel: string; subject: string }[]
  paymentPlans: { payments: object[]; changes: { action: string }[] }[]
  cases: { caseGuid: string; movements: object[]; transactions?: object[]; explanation?: object[] }[]
  leftOut: { part: string; why: string; readAt: string }[]
}
const exported = (debtorGuid: string, body?: object, token?: string) =>
  readResult<Exported>(debtorGuid, 'personal-data-export', body, token)

test('an extra field legalHold after a hundred others prevents erasure', async () => {
  const debtorGuid = await makeDebtor()
  for (let n = 0; n < 101; n++) await addField(debtorGuid, `field ${n}`)
  await addField(debtorGuid, 'LEGALHOLD')
  const answer = await invoke(debtorGuid, 'personal-data-erasure')
  assert.equal(answer.status, 502)
  assert.match(answer.body.detail, /legal hold: the extra field/)
  assert.equal(await readTotal(`/debtors/${debtorGuid}/extrafields`), 102)
})

test('more than a hundred addresses are checked, and erased', async () => {
  const debtorGuid = await makeDebtor()
  for (let n = 0; n < 106; n++) await addAddress(debtorGuid, {})
  const checked = await readResult<{ checked: number; notValid: string[] }>(debtorGuid, 'address-check')
  assert.deepEqual([checked.checked, checked.notValid.length], [106, 106])
  const erased = await readResult<{ addresses: number }>(debtorGuid, 'personal-data-erasure')
  assert.equal(erased.addresses, 106)
  assert.equal(await readTotal(`/debtors/${debtorGuid}/addresses`), 0)
})

test("an erasure of all kinds includes extra fields and notes, also those of the debtor's own cases", async () => {
  const debtorGuid = await makeDebtor()
  const other = await makeDebtor({ lastname: 'Annan', email: 'annan@example.org' })
  const own = await makeCase(debtorGuid)
  const others = await makeCase(other)
  const guarantor = { debtorGuid, debtorRole: 'GUARANTOR' }
  await make(`/system/forms/case/debtor?id=${others}`, guarantor, 'debtorGuid')
  for (let n = 0; n < 101; n++) await addField(debtorGuid, `field ${n}`)
  for (const id of [debtorGuid, own, others]) await addNote(id, 'Yan Yansson is ill, phone 0701740605')
  for (const caseGuid of [own, others]) {
    const body = { closureCode: 'UNECONOMICAL' }
    assert.equal((await api.call('PATCH', `/system/forms/case/close?id=${caseGuid}`, { body })).status, 200)
  }
  await api.setDate('2034-01-01')
  try {
    const all = [1, 2, 3, 4, 5]
    await readResult(debtorGuid, 'personal-data-erasure', { personalDataTypeIds: all.slice(1) })
    assert.equal(await readTotal(`/debtors/${debtorGuid}/notes`), 1, 'free text stays while a kind does')
    assert.equal(await readTotal(`/debtors/${debtorGuid}/extrafields`), 101)
    const erased = await readResult<Record<string, unknown>>(debtorGuid, 'personal-data-erasure', {
      personalDataTypeIds: all,
    })
    assert.deepEqual([erased['extraFields'], erased['notes']], [101, 2])
    assert.equal(await readTotal(`/debtors/${debtorGuid}/extrafields`), 0)
    assert.equal(await readTotal(`/debtors/${debtorGuid}/notes`), 0)
    assert.equal(await readTotal(`/cases/${own}/notes`), 0)
    assert.equal(await readTotal(`/cases/${others}/notes`), 1, 'the case of another main debtor')
  } finally {
    await api.setDate('2026-06-15')
  }
})

test('custom fields of a kind are exported and erased with it; so is the name in an address that stays', async () => {
  const field = { entity: 'debtor', textEn: 'Own' }
  for (const more of [
    { code: 'nickname', type: 'string', length: 40, personalDataTypeId: 2 },
    { code: 'shoeSize', type: 'integer', personalDataTypeId: 2 },
    { code: 'sector', type: 'string', length: 40, personalDataTypeId: 0 },
  ])
    await make('/system/forms/field/create', { ...field, ...more }, 'fieldGuid')
  const debtorGuid = await makeDebtor()
  const values = { nickname: 'Yanne', shoeSize: 44, sector: 'food' }
  const form = `/system/forms/debtor/edit?id=${debtorGuid}`
  assert.equal((await api.call('PATCH', form, { body: values })).status, 200)
  await addAddress(debtorGuid, { fullName: 'Yan Yansson', street: 'Storgatan' })
  assert.deepEqual((await exported(debtorGuid)).ownFields, values)
  await readResult(debtorGuid, 'personal-data-erasure', { personalDataTypeIds: [2] })
  assert.deepEqual((await exported(debtorGuid)).ownFields, { sector: 'food' })
  const { body } = await api.call<{ value: { fullName: string | null; street: string }[] }>(
    'GET',
    `/debtors/${debtorGuid}/addresses`,
  )
  assert.deepEqual(
    body.value.map(({ fullName, street }) => [fullName, street]),
    [[null, 'Storgatan']],
  )
})

test('the export has payment plans with their payments, messages and letters', async () => {
  const debtorGuid = await makeDebtor()
  await makeCase(debtorGuid)
  const plan = { paymentPlanType: 1, numberOfPayments: 3 }
  await make(`/debtors/${debtorGuid}/paymentplans`, plan, 'paymentPlanGuid')
  const documentGuid = await make(`/debtors/${debtorGuid}/documents`, {}, 'documentGuid')
  await api.sql`
    insert into message (id, kind, channel, recipient, language, subject, expires_at, debtor_id)
    values (gen_random_uuid(), 'service', 'email', 'yan@example.org', 'sv', 'Hello', now() + interval '1 day', ${debtorGuid})`
  const all = await exported(debtorGuid)
  assert.deepEqual(
    all.paymentPlans.map(({ payments }) => payments.length),
    [3],
  )
  assert.ok(all.paymentPlans[0]!.changes.some(({ action }) => action === 'proposed'))
  assert.deepEqual(
    all.messages.map(({ channel, subject }) => [channel, subject]),
    [['email', 'Hello']],
  )
  assert.deepEqual(
    all.documents.map(({ content }) => content),
    [`GET /documents/${documentGuid}`],
  )
  assert.deepEqual(all.leftOut, [])
})

test('the export for a co-debtor does not reveal the main debtor', async () => {
  const main = await makeDebtor({
    lastname: 'Huvud',
    email: 'huvud@example.org',
    cellularPhone: '+46701740605',
  })
  const caseGuid = await makeCase(main)
  const debtorGuid = await makeDebtor({ lastname: 'Borg', email: 'borg@example.org' })
  const body = { debtorGuid, debtorRole: 'GUARANTOR' }
  await make(`/system/forms/case/debtor?id=${caseGuid}`, body, 'debtorGuid')
  const [found] = (await exported(debtorGuid)).cases as unknown as Record<string, unknown>[]
  assert.equal(found!['caseGuid'], caseGuid)
  assert.ok(!/Huvud|huvud|1740605/.test(JSON.stringify(found)), JSON.stringify(found))
})

test('data that the caller may not read is listed as omitted, with the reason', async () => {
  const debtorGuid = await makeDebtor()
  const clientId = '0190a6f2-7c1e-7d3a-8b4e-000000000001'
  const clientSecret = 'a secret of a program, long enough'
  const program = { partyReferenceCode: 'AGENCY', email: 'program@agency.example', fullName: 'A program' }
  await make('/users', { ...program, userRole: 3, clientId, clientSecret }, 'uniqueId')
  const granted = await api.call<{ access_token: string }>('POST', '/oauth2/token', {
    raw: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
      scope: 'service.write debtor.read case.read form.read',
    }).toString(),
    token: null,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  const all = await exported(debtorGuid, {}, granted.body.access_token)
  assert.deepEqual(
    all.leftOut.map(({ part, readAt }) => [part, readAt]),
    [['paymentPlans', 'GET /debtors/{debtorGuid}/paymentplans']],
  )
  assert.match(all.leftOut[0]!.why, /paymentplan\.read/)
  assert.ok(!('paymentPlans' in all))
})

test('the export of a debtor with very much data is complete, or says what is omitted', async () => {
  const debtorGuid = await makeDebtor()
  const cases: string[] = []
  for (let n = 0; n < 8; n++) cases.push(await makeCase(debtorGuid, { principal: 100_000 }))
  for (const caseGuid of cases)
    for (let n = 0; n < 60; n++)
      await make('/system/forms/payment/register', { caseGuid, amount: 10 + n }, 'paymentGuid')
  const all = await exported(debtorGuid)
  assert.ok(JSON.stringify(all).length <= resultLengthMax)
  assert.deepEqual(all.cases.map(({ caseGuid }) => caseGuid).toSorted(), cases.toSorted())
  for (const { movements } of all.cases) assert.equal(movements.length, 60)
  const parts = new Set(all.leftOut.map(({ part }) => part))
  for (const member of ['explanation', 'transactions', 'changes'])
    for (const one of all.cases) assert.equal(member in one, !parts.has(`cases.${member}`), member)
  for (const { why, readAt } of all.leftOut) {
    assert.match(why, /more than \d+ characters/)
    assert.match(readAt, /^GET \//)
  }
  const one = await exported(debtorGuid, { caseGuids: [cases[3]!.toUpperCase()] })
  assert.deepEqual(
    one.cases.map(({ caseGuid }) => caseGuid),
    [cases[3]],
  )
  assert.ok('explanation' in one.cases[0]! && 'transactions' in one.cases[0])
  assert.deepEqual(one.leftOut, [])
  const unknown = await invoke(debtorGuid, 'personal-data-export', { caseGuids: [debtorGuid] })
  assert.match(unknown.body.detail, /has no case/)
})

/** Compiled, not run: every operation that needs an access code and invokes no service is typed. */
export async function typedCalls(service: ServiceApi, debtorGuid: string): Promise<void> {
  const plans = await service.call('listPaymentPlans', { params: { debtorGuid }, query: { $top: 1 } })
  const total: number = plans.total
  const params = { entity: 'note', type: 'create' }
  await service.call('createFromForm', { params, query: { id: debtorGuid }, body: { text: `${total}` } })
  // @ts-expect-error -- the parameters are those of the operation
  await service.call('getPaymentPlan', { params: { debtorGuid } })
  // @ts-expect-error -- signing in needs no access code
  await service.call('login')
  // @ts-expect-error -- a service invokes no other
  await service.call('invokeDebtorService')
}

test('the typed operations are exactly those that a service may call', async () => {
  type Callable = keyof Operations
  const names: readonly Callable[] = [
    'listPaymentPlans',
    'createPaymentPlan',
    'createFromForm',
    'storeFromForm',
    'deleteFromForm',
    'getFormValues',
    'listTimeline',
    'listAllPlans',
    'listClients',
    'listJobs',
    'getReport',
  ]
  for (const name of names) {
    const found = api.app.service.operations.get(name)
    assert.ok(found, name)
    assert.ok(typeof found.operation.access !== 'string' && found.operation.accepts !== true, name)
  }
})
