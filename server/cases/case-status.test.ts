/** Status changes of a case, and invariants that the database enforces. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { CaseOverview } from '../../contract/cases/cases.ts'
import { startApi, type TestApi } from '../testing/api.ts'
import { addCaseDebtor, changeCase, removeCaseDebtor } from './case-debtors.ts'
import { changeCaseStatus, closeCase, reopenCase } from './case-status.ts'
import { holdCase, resumeCase } from './holds/hold-case.ts'
import {
  agencyCaller,
  assertProven,
  assertRefused,
  context,
  makeDebtor,
  nowhere,
  openCases,
  today,
} from '../testing/records/cases.ts'
import { addFee, addInvoice } from './movements.ts'

let api: TestApi
let cases: Awaited<ReturnType<typeof openCases>>
before(async () => {
  api = await startApi()
  cases = await openCases(api)
})
after(() => api.close())

const register = (input?: object) => cases.register(input)
const pay = (input: object) => cases.pay(input)
const readState = (caseGuid: string) => cases.readState(caseGuid)

const status = (caseGuid: string, input: object) =>
  changeCaseStatus(api.sql, agencyCaller, { caseGuid, input }, context)

describe('the lifecycle of a case', () => {
  test('follows the status rules', async () => {
    const { caseGuid } = await register()
    await status(caseGuid, { status: 'amicable' })
    const failure = await assertRefused(
      () => status(caseGuid, { status: 'ENFORCEMENT' }),
      'conflict',
      'status',
      'jump',
    )
    assert.deepEqual(failure.members['allowedTransitions'], ['AMICABLE', 'LEGAL', 'SURVEILLANCE', 'CLOSED'])
    await assertRefused(() => status(caseGuid, { status: 'ASLEEP' }), 'invalid', 'status', 'unknown')
    await assertRefused(() => status(caseGuid, {}), 'invalid', 'status', 'nothing')
    await holdCase(api.sql, agencyCaller, { caseGuid, input: { reason: 'HOLD_DISPUTE' } }, context)
    assert.deepEqual(
      [(await readState(caseGuid))['status'], (await readState(caseGuid))['sub_status']],
      ['AMICABLE', 'HOLD_DISPUTE'],
    )
    await resumeCase(api.sql, agencyCaller, { caseGuid }, context)
    assert.equal((await readState(caseGuid))['sub_status'], 'DEMAND_SENT')
    await assertRefused(
      () => resumeCase(api.sql, agencyCaller, { caseGuid }, context),
      'conflict',
      'status',
      'no hold',
    )
  })

  test('closes only with a code that matches the balance, and reopens to its previous status', async () => {
    const { caseGuid } = await register()
    const close = (closureCode: string) =>
      closeCase(api.sql, agencyCaller, { caseGuid, input: { closureCode } }, context)
    await assertRefused(() => close('PAID_IN_FULL'), 'conflict', 'closureCode', 'owing')
    await assertRefused(() => close('GONE'), 'invalid', 'closureCode', 'unknown')
    await status(caseGuid, { status: 'AMICABLE', subStatus: 'CONTACT' })
    await close('UNTRACEABLE')
    await assertRefused(() => close('OTHER'), 'conflict', 'closureCode', 'closed')
    const input = { feeType: 'reminder', amount: 1 }
    await assertRefused(
      () => addFee(api.sql, agencyCaller, { caseGuid, input }, context),
      'conflict',
      null,
      'closed',
    )
    await reopenCase(api.sql, agencyCaller, { caseGuid }, context)
    assert.deepEqual(
      [(await readState(caseGuid))['status'], (await readState(caseGuid))['sub_status']],
      ['AMICABLE', 'CONTACT'],
    )
    await assertProven(api)
  })

  test('counts a balance within the client’s tolerance as paid', async () => {
    await api.sql`update party set tolerance = 5, currency_code = 'SEK' where id = ${cases.other}`
    const { caseGuid } = await register({ clientGuid: cases.other })
    await pay({ caseGuid, amount: 994.99 })
    assert.equal((await readState(caseGuid))['status'], 'NEW')
    await pay({ caseGuid, amount: 0.01 })
    assert.deepEqual(
      [(await readState(caseGuid))['closure_code'], (await readState(caseGuid))['remaining']],
      ['SMALL_BALANCE', 500],
    )
  })

  test('uses the registration date for bookings when the business date was moved back before it', async () => {
    const { caseGuid } = await register({ interestRate: 10, interestFromDate: '2026-01-01' })
    await api.setDate('2026-06-01')
    const input = { closureCode: 'OTHER' }
    await closeCase(api.sql, agencyCaller, { caseGuid, input }, context)
    await assertProven(api)
    await reopenCase(api.sql, agencyCaller, { caseGuid }, context)
    await addInvoice(api.sql, agencyCaller, { caseGuid, input: { principal: 50 } }, context)
    await assertProven(api)
    assert.equal((await readState(caseGuid))['remaining'], 0)
    await api.setDate('2026-06-15')
    await assertProven(api)
    assert.equal((await readState(caseGuid))['remaining'], 105_000 + 4_521)
  })

  test('lets debtors be added once and removed, except the first one', async () => {
    const { caseGuid, debtorGuid } = await register()
    const second = await makeDebtor(api)
    const add = (input: object) => addCaseDebtor(api.sql, agencyCaller, { caseGuid, input }, context)
    await add({ debtorGuid: second, debtorRole: 'CO_DEBTOR' })
    const { body } = await api.call<CaseOverview>('GET', `/debtors/${second}/caseoverview`)
    assert.deepEqual([body.remainingSum, body.cases[0]!.debtorRole], [1000, 'CO_DEBTOR'])
    await assertRefused(() => add({ debtorGuid: second }), 'conflict', 'debtorGuid', 'twice')
    const third = await makeDebtor(api)
    await assertRefused(
      () => add({ debtorGuid: third, debtorRole: 'MAIN_DEBTOR' }),
      'conflict',
      'debtorRole',
      'main',
    )
    await assertRefused(() => add({ debtorGuid: nowhere }), 'invalid', 'debtorGuid', 'unknown')
    await assertRefused(() => add({}), 'invalid', 'debtorGuid', 'none')
    const remove = (guid: string) =>
      removeCaseDebtor(api.sql, agencyCaller, { caseGuid, debtorGuid: guid }, context)
    await remove(second)
    await assertRefused(() => remove(second), 'not-found', null, 'gone')
    await assertRefused(() => remove(debtorGuid), 'conflict', 'debtorGuid', 'first')
  })

  test('lets descriptive fields change', async () => {
    const { caseGuid } = await register({ description: 'Old' })
    const change = (input: object) => changeCase(api.sql, agencyCaller, { caseGuid, input }, context)
    const version = await change({ description: '', clientReferenceNumber: 'N-1', service: 'surveillance' })
    assert.equal(await change({ description: null }), version)
    const [row] = await api.sql`
      select description, service, i.secondary_description as said from debt_case c join item i on i.guid = c.id where c.id = ${caseGuid}`
    assert.deepEqual({ ...row }, { description: null, service: 'SURVEILLANCE', said: 'CLIENT, N-1' })
  })
})

const entry = (line: number, amount: number, of = nowhere) =>
  `insert into ledger_entry values ('${of}', ${line}, 'bank', null, ${amount})`

test('the database refuses an unbalanced, empty or changed transaction', async () => {
  const { caseGuid } = await register()
  const [transaction] = await api.sql`select id from ledger_transaction where case_id = ${caseGuid}`
  const id = transaction!['id'] as string
  const made = `insert into ledger_transaction (id, case_id, number, kind, value_date, booked_date)
    values ('${nowhere}', '${caseGuid}', 99, 'fee', '${today}', '${today}')`
  const attempts = [
    made,
    `with t as (${made} returning id) ${entry(1, 5)}`,
    entry(98, 5, id),
    // Complete and balanced, but it does not match the balances of the case.
    `with t as (${made} returning id) insert into ledger_entry values ('${nowhere}', 1, 'receivable:cost', null, 5),
      ('${nowhere}', 2, 'income:fee', null, -5)`,
    `insert into ledger_entry values ('${id}', 98, 'bank', null, 5), ('${id}', 99, 'credit', null, -5)`,
    `update ledger_entry set amount = amount + 1 where transaction_id = '${id}'`,
    `delete from ledger_entry where transaction_id = '${id}'`,
    `update ledger_transaction set value_date = '2020-01-01' where id = '${id}'`,
    'truncate ledger_entry',
    'truncate movement, ledger_transaction, ledger_entry',
    `delete from movement`,
    `update invoice set principal = 1 where case_id = '${caseGuid}'`,
    `update debt_case set status = 'CLOSED' where id = '${caseGuid}'`,
    `update debt_case set place_sub_status = 'COURT' where id = '${caseGuid}'`,
    `update debt_case set paid_principal = 1000000 where id = '${caseGuid}'`,
    `delete from case_debtor where case_id = '${caseGuid}'`,
  ]
  for (const attempt of attempts)
    await assert.rejects(
      api.sql.unsafe(attempt),
      /sum to|come together|append-only|violates|truncate/i,
      attempt,
    )
})
