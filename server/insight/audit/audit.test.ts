import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { AuditEntry } from '../../../contract/insight/audit.ts'
import type { Debtor } from '../../../contract/parties/debtors.ts'
import type { Page } from '../../platform/database/list.ts'
import { startApi, type TestApi } from '../../testing/api.ts'

let api: TestApi
let debtorGuid: string
before(async () => {
  api = await startApi()
  await api.setDate('2026-06-15')
  const body = {
    lastname: 'Berg',
    firstname: 'Eva',
    email: 'eva@example.com',
    cellularPhone: '070-174 06 05',
    street: 'Storgatan',
  }
  const made = await api.call<Debtor>('POST', '/debtors', {
    body,
    headers: { 'x-request-id': 'made-by-test' },
  })
  debtorGuid = made.body.debtorGuid
  await api.call('PATCH', `/debtors/${debtorGuid}`, { body: { lastname: 'Ek', gender: 2 } })
  await api.call('POST', `/debtors/${debtorGuid}/extrafields`, { body: { name: 'Bil', value: ['ABC123'] } })
})
after(() => api.close())

const list = async (query: string, token = api.token) =>
  api.call<Page<AuditEntry>>('GET', `/audit?${new URLSearchParams(query)}`, { token })

test('listAuditEntries returns who, when, what and through which request, newest first', async () => {
  const { body } = await list(`$filter=subjectGuid eq ${debtorGuid}`)
  assert.deepEqual(
    body.value.map(({ entity, action, operation, operationId }) => [entity, action, operation, operationId]),
    [
      ['extrafield', 'created', 'D21', 'createExtraField'],
      ['debtor', 'updated', 'D4', 'updateDebtor'],
      ['address', 'created', 'D2', 'createDebtor'],
      ['debtor', 'created', 'D2', 'createDebtor'],
    ],
  )
  const named = await list("$filter=operationId eq 'updateDebtor'")
  assert.deepEqual(
    named.body.value.map(({ operation }) => operation),
    ['D4'],
  )
  const [, updated, , created] = body.value
  assert.deepEqual(updated!.changes, {
    lastname: ['Berg', 'Ek'],
    fullName: ['Eva Berg', 'Eva Ek'],
    gender: [null, 2],
  })
  assert.equal(created!.requestId, 'made-by-test')
  assert.equal(created!.businessDate, '2026-06-15T00:00:00Z')
  assert.ok(created!.actorGuid)
  assert.equal(body.total, 4)
})

test('audit entries can be filtered and sorted by every scalar member', async () => {
  const { body } = await list("$filter=entity eq 'debtor' and action eq 'updated'&$orderby=position")
  assert.equal(body.total, 1)
  for (const name of Object.keys(body.value[0]!)) {
    const answer = await list(`$filter=${name} ne null&$orderby=${name} desc&$top=1`)
    assert.equal(
      answer.status,
      name === 'changes' || name === 'erased' ? 400 : 200,
      `${name}: ${answer.text}`,
    )
  }
})

test('filtering by an entry’s time finds it, and filtering for later entries excludes it', async () => {
  const { body } = await list(`$filter=subjectGuid eq ${debtorGuid}`)
  const { position, occurredAt } = body.value[1]!
  const same = await list(`$filter=subjectGuid eq ${debtorGuid} and occurredAt eq ${occurredAt}`)
  assert.deepEqual(
    same.body.value.map((one) => one.position),
    [position],
  )
  const later = await list(`$filter=subjectGuid eq ${debtorGuid} and occurredAt gt ${occurredAt}`)
  assert.deepEqual(
    later.body.value.map((one) => one.position),
    [body.value[0]!.position],
  )
})

test('without audit.read personal data is masked and other entities are hidden', async () => {
  const { body, text } = await list('$top=100', await api.signIn(3))
  assert.deepEqual([...new Set(body.value.map(({ entity }) => entity))].toSorted(), [
    'address',
    'debtor',
    'extrafield',
  ])
  const updated = body.value.find(({ action }) => action === 'updated')!
  assert.deepEqual(updated.changes, { lastname: ['B…', 'E…'], fullName: ['E…', 'E…'], gender: [null, '…'] })
  const created = body.value.find(({ entity, action }) => entity === 'debtor' && action === 'created')!
  assert.deepEqual(created.changes['email'], [null, '…@example.com'])
  assert.deepEqual(created.changes['cellularPhone'], [null, '…05'])
  for (const secret of ['Storgatan', 'ABC123', '70174', 'eva@']) assert.ok(!text.includes(secret), secret)
})

test('a restricted user sees the entries of their own debtors', async () => {
  const party = await api.addParty('REVISION')
  const creditor = await api.signIn(9, party)
  assert.equal((await list('', creditor)).body.total, 0)
  await api.call('POST', '/debtors', { body: { lastname: 'Egen' }, token: await api.signIn(3, party) })
  const { body } = await list('', creditor)
  assert.deepEqual(
    body.value.map(({ entity, action }) => [entity, action]),
    [['debtor', 'created']],
  )
  // The shape of older entries. A restricted caller must not see the payment's total.
  await api.sql`
    insert into audit_entry (business_date, operation, action, entity, entity_id, subject, changes)
    select '2026-06-15', 'D', 'registered', 'debtor', id, id, '{"minorAmount":[null,1],"minorAmountInAll":[null,3]}'
    from debtor where full_name = 'Egen'`
  const changes = async (token?: string) => (await list('$top=1', token)).body.value[0]!.changes
  assert.deepEqual(Object.keys(await changes()), ['minorAmount', 'minorAmountInAll'])
  assert.deepEqual(Object.keys(await changes(creditor)), ['minorAmount'])
  const timeline = await api.call<Page<AuditEntry>>(
    'GET',
    `/debtors/${body.value[0]!.entityGuid}/timeline?$top=1`,
    { token: creditor },
  )
  assert.deepEqual(Object.keys(timeline.body.value[0]!.changes), ['minorAmount'])
})

/** The token of a program, of a party, which may read debtors alone. */
async function makeNarrowToken(partyReferenceCode: string): Promise<string> {
  const client = {
    clientId: crypto.randomUUID(),
    clientSecret: 'a secret of thirty-two characters',
    email: `${partyReferenceCode}@program.example`,
    fullName: 'A program',
    userRole: partyReferenceCode === 'AGENCY' ? 3 : 9,
    partyReferenceCode,
  }
  const made = await api.call('POST', '/users', { body: client })
  assert.equal(made.status, 201, made.text)
  const grant = {
    grant_type: 'client_credentials',
    client_id: client.clientId,
    client_secret: client.clientSecret,
    scope: 'debtor.read',
  }
  const answer = await api.call<{ access_token: string }>('POST', '/oauth2/token', {
    raw: new URLSearchParams(grant).toString(),
    token: null,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.access_token
}

const listEntities = async (token: string) =>
  new Set((await list('$top=100', token)).body.value.map(({ entity }) => entity))

test('a token that reads debtors alone sees no entries of cases and payments', async () => {
  const party = await api.addParty('SMAL')
  const claim = { clientGuid: party, debtorGuid, principal: 1000, currencyCode: 'SEK' }
  const registered = await api.call<{ caseGuid: string }>('POST', '/system/forms/case/register', {
    body: claim,
  })
  const { caseGuid } = registered.body
  await api.call('POST', '/system/forms/payment/register', { body: { caseGuid, amount: 100 } })
  for (const [code, creditorRole] of [
    ['AGENCY', 3],
    ['SMAL', 9],
  ] as const) {
    const wide = await listEntities(await api.signIn(creditorRole, code === 'SMAL' ? party : undefined))
    assert.ok(wide.has('debtor') && wide.has('case') && wide.has('payment'), [...wide].join(' '))
    const narrow = await listEntities(await makeNarrowToken(code))
    assert.ok(narrow.has('debtor') && !narrow.has('case') && !narrow.has('payment'), [...narrow].join(' '))
  }
})
