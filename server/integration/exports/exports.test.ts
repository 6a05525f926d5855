/** Exports: every kind, within the caller's restriction, with the same values as the API's lists. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { UserRole } from '../../../contract/access/access.ts'
import { findUserCaller } from '../../access/sessions/sessions.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { exportNames, requireExport, type ExportName } from './export-kinds.ts'

let api: TestApi
let everything: Caller
let nordRows: Caller

async function createCaller(userRole: UserRole, partyId?: string): Promise<Caller> {
  const email = `export${userRole}@agency.example`
  const guid = await api.addUser({ email, password: 'a long enough password', userRole })
  if (partyId !== undefined) await api.sql`update app_user set party_id = ${partyId} where id = ${guid}`
  return (await findUserCaller(api.sql, guid, null))!
}

async function readRows(name: ExportName, caller: Caller, query = {}): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = []
  const count = await requireExport(caller, name).stream(
    api.sql,
    caller,
    query,
    { today: '2026-03-01' },
    async (some) => {
      rows.push(...some)
    },
  )
  assert.equal(count, rows.length)
  return rows
}

async function registerCase(clientGuid: string, lastname: string, invoiceNumber: string): Promise<void> {
  const debtor = await api.call<{ debtorGuid: string }>('POST', '/debtors', {
    body: { lastname, street: 'Storgatan', city: 'Malmö', zipCode: '21142', countryCode: 'SE' },
  })
  const { debtorGuid } = debtor.body
  const amounts = { currencyCode: 'SEK', principal: 1000, invoiceNumber, dueDate: '2026-01-31' }
  const made = await api.call('POST', '/system/forms/case/register', {
    body: { clientGuid, debtorGuid, ...amounts },
  })
  assert.equal(made.status, 201, made.text)
  const { body: cases } = await api.call<{ value: { caseGuid: string }[] }>(
    'GET',
    `/debtors/${debtorGuid}/cases`,
  )
  const paid = await api.call('POST', '/system/forms/payment/register', {
    body: { caseGuid: cases.value[0]!.caseGuid, amount: 250.5 },
  })
  assert.equal(paid.status, 201, paid.text)
  const plan = await api.call('POST', `/debtors/${debtorGuid}/paymentplans`, {
    body: { paymentPlanType: 1, numberOfPayments: 6 },
  })
  assert.equal(plan.status, 201, plan.text)
}

before(async () => {
  api = await startApi()
  await api.setDate('2026-03-01')
  const [nord, syd] = [await api.addParty('NORD'), await api.addParty('SYD')]
  await registerCase(nord, 'Ek', '1')
  await registerCase(syd, 'Alm', '2')
  everything = await createCaller(2)
  nordRows = await createCaller(6, nord)
})
after(() => api.close())

describe('an export', () => {
  for (const name of exportNames) {
    test(`of ${name} gives the agency all rows and a creditor their own`, async () => {
      const [all, own] = [await readRows(name, everything), await readRows(name, nordRows)]
      assert.ok(all.length >= 2, `${all.length} rows`)
      assert.equal(own.length, 1)
      assert.deepEqual(
        own[0],
        all.find((row) => JSON.stringify(row) === JSON.stringify(own[0])),
      )
    })
  }

  test('of debtors has the same members as the API', async () => {
    const [row] = await readRows('debtors', everything, { $filter: "fullName eq 'Ek'" })
    const { body } = await api.call<Record<string, unknown>>('GET', `/debtors/${String(row!['debtorGuid'])}`)
    const { links: _, ...debtor } = body
    assert.deepEqual(row, debtor)
  })

  test('of cases has the same members as the list', async () => {
    const { body } = await api.call<{ value: object[] }>('GET', '/cases?$orderby=caseNumber')
    assert.deepEqual(await readRows('cases', everything, { $orderby: 'caseNumber' }), body.value)
  })

  test('of payments and invoices has amounts in units of the currency', async () => {
    const payments = await readRows('payments', everything, { $filter: 'amount gt 250' })
    assert.deepEqual([payments.length, payments[0]!['amount'], payments[0]!['reversed']], [2, 250.5, false])
    assert.equal((await readRows('payments', everything, { $filter: 'amount gt 251' })).length, 0)
    assert.equal(
      (await readRows('invoices', everything, { $filter: "invoiceNumber eq '2'" }))[0]!['principal'],
      1000,
    )
  })

  test('goes over many batches in order', async () => {
    await api.sql`
      insert into party (id, reference_code, name, parent_id)
      select gen_random_uuid(), 'P' || n, 'Party ' || lpad(n::text, 5, '0'), (select id from party where parent_id is null limit 1)
      from generate_series(1, 2500) n`
    const names = (await readRows('clients', everything, { $orderby: 'name desc' })).map((row) => row['name'])
    assert.equal(names.length, 2502)
    assert.equal(names.indexOf('Party 00001') - names.indexOf('Party 02500'), 2499)
  })

  test('is refused without the access code, and for an unknown member', async () => {
    const reader = await createCaller(5)
    assert.throws(() => requireExport(reader, 'users'), /needs the access code user\.read/)
    await assert.rejects(readRows('cases', everything, { $filter: 'nothing eq 1' }), /nothing/)
  })
})
