/** Credit notes on invoices need a second person above a limit. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { Approval } from '../../../contract/access/approvals.ts'
import type { Page } from '../../platform/database/list.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'
import {
  addPerson,
  approveAct,
  clearLimits,
  requestAct,
  setLimit,
  type Person,
} from '../../testing/records/agency-people.ts'
import { assertProven, openCases, type OpenedCases } from '../../testing/records/cases.ts'

let api: TestApi
let cases: OpenedCases
let handler: Person
let manager: Person
before(async () => {
  api = await startApi()
  cases = await openCases(api)
  handler = await addPerson(api, 3)
  manager = await addPerson(api, 2)
})
after(async () => {
  await assertProven(api)
  await api.close()
})
beforeEach(() => clearLimits(api))

async function invoice(principal = 1000) {
  const { caseGuid } = await cases.register({ principal })
  const [row] = await api.sql<{ id: string }[]>`select id from invoice where case_id = ${caseGuid}`
  return { caseGuid, invoiceGuid: row!.id }
}
const credit = (who: Person, invoiceGuid: string, amount: number) =>
  who.call('POST', `/system/forms/invoice/credit?id=${invoiceGuid}`, { body: { amount } })
const ask = (who: Person, body: object) =>
  who.call('POST', '/approvals', { body: { act: 'CREDIT_NOTE', input: { amount: 1 }, ...body } })
const readPrincipal = async (caseGuid: string) => {
  const [row] = await api.sql<{ left: number }[]>`
    select remaining_principal::int as left from debt_case where id = ${caseGuid}`
  return row!.left / 100
}

test('a credit note above the limit is refused, requested and approved by somebody else', async () => {
  await setLimit(api, 'CREDIT_NOTE', 500)
  const { caseGuid, invoiceGuid } = await invoice()
  const refused = await credit(handler, invoiceGuid, 500.01)
  assertProblem(refused, 'needs-approval', /SEK.500\.01 is above SEK.500\.00/)
  assert.deepEqual((refused.body as { approval?: unknown }).approval, { act: 'CREDIT_NOTE' })
  const guid = await requestAct(handler, { act: 'CREDIT_NOTE', invoiceGuid, input: { amount: 600 } })
  assert.equal(await readPrincipal(caseGuid), 1000, 'nothing is booked by the request')
  const filter = `/approvals?$filter=invoiceGuid eq ${invoiceGuid}`
  const waiting = await manager.call<Page<Approval>>('GET', filter)
  assert.deepEqual(
    waiting.body.value.map((one) => [one.act, one.amount, one.caseGuid, one.invoiceGuid]),
    [['CREDIT_NOTE', 600, caseGuid, invoiceGuid]],
  )
  assertProblem(await approveAct(handler, guid), 'forbidden', /requested it yourself/)
  const approved = await approveAct(manager, guid)
  assert.equal(approved.status, 200, approved.text)
  assert.equal(await readPrincipal(caseGuid), 400)
  const entries = await api.sql<{ type: string; actor: string }[]>`
    select type, actor_id as actor from audit_entry
    where type in ('approval.requested', 'approval.approved', 'invoice.credited')
      and data ->> 'invoiceGuid' = ${invoiceGuid} order by type`
  assert.deepEqual(
    entries.map(({ type, actor }) => [type, actor]),
    [
      ['approval.approved', manager.userGuid],
      ['approval.requested', handler.userGuid],
      ['invoice.credited', manager.userGuid],
    ],
  )
})

test('credit notes add up on one case, whoever made them, and of one user on all cases', async () => {
  await setLimit(api, 'CREDIT_NOTE', 500, { userAmount: 700 })
  const { caseGuid, invoiceGuid } = await invoice()
  assert.equal((await credit(handler, invoiceGuid, 300)).status, 201)
  const colleague = await addPerson(api, 3)
  assertProblem(await credit(colleague, invoiceGuid, 200.01), 'needs-approval', /with SEK.300\.00/)
  assert.equal(await readPrincipal(caseGuid), 700)
  const second = await invoice()
  assert.equal((await credit(handler, second.invoiceGuid, 400)).status, 201)
  const third = await invoice()
  assertProblem(await credit(handler, third.invoiceGuid, 0.01), 'needs-approval', /with SEK.700\.00/)
  assert.equal((await credit(colleague, third.invoiceGuid, 500)).status, 201)
})

test('a request names a visible invoice, and is of visible clients alone', async () => {
  await setLimit(api, 'CREDIT_NOTE', 0)
  const { caseGuid, invoiceGuid } = await invoice()
  assertProblem(await ask(handler, {}), 'invalid', /invoiceGuid is required/)
  assertProblem(await ask(handler, { invoiceGuid, caseGuid }), 'invalid', /caseGuid must be left out/)
  const elsewhere = await addPerson(api, 3, { restrictedTo: 'OTHER' })
  assertProblem(await ask(elsewhere, { invoiceGuid }), 'not-found', /invoice/)
  const guid = await requestAct(handler, { act: 'CREDIT_NOTE', invoiceGuid, input: { amount: 1 } })
  assertProblem(await approveAct(elsewhere, guid), 'not-found', /approval/)
  assert.equal((await credit(manager, invoiceGuid, 999.5)).status, 201)
  assertProblem(await approveAct(manager, guid), 'unprocessable', /more than what remains/)
})
