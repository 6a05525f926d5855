import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { CaseOverview } from '../../contract/cases.ts'
import { ApiError } from '../http/errors.ts'
import { startApi, type TestApi } from '../testing/api.ts'
import { addCaseDebtor, changeCase, removeCaseDebtor } from './case-debtors.ts'
import { changeCaseStatus, closeCase, holdCase, reopenCase, resumeCase } from './case-status.ts'
import { agencyCaller, makeDebtor } from './cases-for-tests.ts'
import { addFee, addInvoice, changeTerms, creditInvoice, registerWriteOff } from './movements.ts'
import { addNote } from '../items/notes.changes.ts'
import { previewPayment, registerPayment, reversePayment } from './payments.ts'
import { registerCase } from './register-case.ts'
import { assertProven, contextOn } from './scenarios-for-tests.ts'

let api: TestApi
let client: string
let other: string
const today = '2026-06-15'
const context = contextOn(today)
const nowhere = '0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70'
before(async () => {
  api = await startApi()
  await api.setDate(today)
  client = await api.addParty('CLIENT')
  other = await api.addParty('OTHER')
})
after(() => api.close())

const register = async (input: object = {}) => {
  const debtorGuid = await makeDebtor(api)
  const whole = { clientGuid: client, debtorGuid, principal: 1000, currencyCode: 'SEK', ...input }
  return { debtorGuid, ...(await registerCase(api.sql, agencyCaller, whole, context)) }
}
const pay = (input: object, caller = agencyCaller) => registerPayment(api.sql, caller, input, context)
const stateOf = async (caseGuid: string) => {
  const [row] = await api.sql`
    select status, sub_status, closure_code, credit, remaining_principal + remaining_interest + remaining_fee as remaining,
      paid_to_third_party from debt_case where id = ${caseGuid}`
  return row!
}

/** The work is refused in that way, naming that field. */
async function assertRefused(
  work: () => Promise<unknown>,
  kind: ApiError['kind'],
  field: string | null,
  about: string,
): Promise<ApiError> {
  let failure: unknown
  try {
    await work()
  } catch (error) {
    failure = error
  }
  assert.ok(failure instanceof ApiError, `${about}: ${String(failure)}`)
  assert.equal(failure.kind, kind, `${about}: ${failure.message}`)
  if (field !== null) assert.ok(failure.errors?.[field]?.[0], `${about}: ${JSON.stringify(failure.errors)}`)
  return failure
}

describe('a payment', () => {
  test('finds its case by the payment reference, as a payer writes it', async () => {
    const made = await register()
    const spaced = `${made.paymentReferenceNumber.slice(0, 4)} ${made.paymentReferenceNumber.slice(4)}`
    const { parts } = await pay({ paymentReferenceNumber: spaced, amount: 100 })
    assert.deepEqual(
      parts.map(({ caseGuid, principal, remainingSum }) => [caseGuid, principal, remainingSum]),
      [[made.caseGuid, 100, 900]],
    )
  })

  test('on a debtor pays the oldest case first, and leaves the rest as credit', async () => {
    const { debtorGuid, caseGuid: first } = await register({ principal: 300 })
    const second = await registerCase(
      api.sql,
      agencyCaller,
      { clientGuid: client, debtorGuid, principal: 200, currencyCode: 'SEK' },
      context,
    )
    const { body } = await api.call<CaseOverview>('GET', `/debtors/${debtorGuid}/caseoverview`)
    const { parts } = await pay({ paymentReferenceNumber: body.paymentReference, amount: 350 })
    assert.deepEqual(
      parts.map(({ caseGuid, principal, credit }) => [caseGuid, principal, credit]),
      [
        [first, 300, 0],
        [second.caseGuid, 50, 0],
      ],
    )
    const rest = await pay({ debtorGuid, amount: 200 })
    assert.deepEqual(
      rest.parts.map(({ principal, credit }) => [principal, credit]),
      [[150, 50]],
    )
    assert.equal((await stateOf(second.caseGuid))['credit'], 5000)
    await assertProven(api)
    await reversePayment(
      api.sql,
      agencyCaller,
      { paymentGuid: rest.paymentGuid, input: { reason: 'x' } },
      context,
    )
    assert.deepEqual(
      [(await stateOf(second.caseGuid))['credit'], (await stateOf(second.caseGuid))['status']],
      [0, 'NEW'],
    )
    await assertProven(api)
  })

  test('is shown before it is booked, and nothing is stored', async () => {
    const { caseGuid } = await register({ fee: 60 })
    const input = { caseGuid, amount: 160 }
    const shown = await previewPayment(api.sql, agencyCaller, input, context)
    const [payments] = await api.sql`select count(*) from payment where case_id = ${caseGuid}`
    assert.equal(payments!['count'], 0)
    assert.deepEqual((await pay(input)).parts, shown)
    assert.deepEqual([shown[0]!.fee, shown[0]!.principal, shown[0]!.remainingSum], [60, 100, 900])
  })

  test('with a payer’s reference is booked once', async () => {
    const { caseGuid } = await register()
    const first = await pay({ caseGuid, amount: 10, payerReference: 'Bank 17' })
    const again = () => pay({ caseGuid, amount: 10, payerReference: 'bank 17' })
    const failure = await assertRefused(again, 'conflict', 'payerReference', 'twice')
    assert.equal(failure.members['existingPaymentGuid'], first.paymentGuid)
    await reversePayment(
      api.sql,
      agencyCaller,
      { paymentGuid: first.paymentGuid, input: { reason: 'x' } },
      context,
    )
    await again()
    const other2 = await register()
    const many = await Promise.allSettled(
      Array.from({ length: 6 }, () => pay({ caseGuid: other2.caseGuid, amount: 10, payerReference: 'R' })),
    )
    assert.equal(many.filter(({ status }) => status === 'fulfilled').length, 1)
  })

  test('is reversed once, with a reason', async () => {
    const { caseGuid } = await register()
    const { paymentGuid } = await pay({ caseGuid, amount: 10 })
    const reverse = (reason: string | null) =>
      reversePayment(api.sql, agencyCaller, { paymentGuid, input: { reason } }, context)
    await assertRefused(() => reverse(' '), 'invalid', 'reason', 'blank')
    await reverse('bounced')
    await assertRefused(() => reverse('bounced'), 'conflict', null, 'again')
    const unknown = { paymentGuid: nowhere, input: { reason: 'x' } }
    await assertRefused(
      () => reversePayment(api.sql, agencyCaller, unknown, context),
      'not-found',
      null,
      'unknown',
    )
  })

  test('leaves events in order and audit entries', async () => {
    const { caseGuid } = await register()
    await pay({ caseGuid, amount: 1000 })
    const events =
      await api.sql`select type, sequence from event where subject = ${caseGuid} order by sequence`
    assert.deepEqual(
      events.map(({ type, sequence }) => [sequence, type]),
      [
        [1, 'case.registered'],
        [2, 'payment.registered'],
        [3, 'case.closed'],
        [4, 'payment.allocated'],
      ],
    )
    const entries =
      await api.sql`select entity, action from audit_entry where subject = ${caseGuid} order by position`
    assert.equal(entries.length, 4)
  })
})

describe('bad input', () => {
  const amounts: [about: string, amount: unknown][] = [
    ['too many decimals', 10.001],
    ['zero', 0],
    ['below zero', -1],
    ['above the largest', 1e13 + 1],
    ['0.1 + 0.2', 0.1 + 0.2],
    ['none', null],
  ]
  test('an amount', async () => {
    const { caseGuid, debtorGuid } = await register()
    const [row] = await api.sql`select id from invoice where case_id = ${caseGuid}`
    const invoiceGuid = row!['id'] as string
    for (const [about, amount] of amounts) {
      const input = { amount } as { amount: number }
      const works: [() => Promise<unknown>, string][] = [
        [() => pay({ caseGuid, amount }), 'amount'],
        [() => registerWriteOff(api.sql, agencyCaller, { caseGuid, input }, context), 'amount'],
        [() => creditInvoice(api.sql, agencyCaller, { invoiceGuid, input }, context), 'amount'],
        [
          () => addFee(api.sql, agencyCaller, { caseGuid, input: { ...input, feeType: 'own' } }, context),
          'amount',
        ],
        [
          () => addInvoice(api.sql, agencyCaller, { caseGuid, input: { principal: input.amount } }, context),
          'principal',
        ],
        [() => register({ debtorGuid, principal: amount }), 'principal'],
      ]
      for (const [work, field] of works) await assertRefused(work, 'invalid', field, about)
    }
    await assertRefused(
      () => register({ currencyCode: 'JPY', principal: 1.5 }),
      'invalid',
      'principal',
      'yen',
    )
    await assertRefused(() => register({ interest: -1 }), 'invalid', 'interest', 'interest below zero')
    await assertRefused(() => register({ fee: 0.005 }), 'invalid', 'fee', 'fee of half a cent')
  })

  test('a value date in the future is a 400, before the registration a 422', async () => {
    const { caseGuid } = await register()
    const works = (input: { amount: number; valueDate: string }): (() => Promise<unknown>)[] => [
      () => pay({ caseGuid, ...input }),
      () => registerWriteOff(api.sql, agencyCaller, { caseGuid, input }, context),
      () => addFee(api.sql, agencyCaller, { caseGuid, input: { ...input, feeType: 'own' } }, context),
      () =>
        changeTerms(
          api.sql,
          agencyCaller,
          { caseGuid, input: { interestRate: 5, valueDate: input.valueDate } },
          context,
        ),
    ]
    for (const work of works({ amount: 1, valueDate: '2026-06-16' }))
      await assertRefused(work, 'invalid', 'valueDate', 'tomorrow')
    for (const work of works({ amount: 1, valueDate: '2026-06-14' }))
      await assertRefused(work, 'unprocessable', 'valueDate', 'before')
  })

  const registrations: [about: string, input: object, field: string][] = [
    ['no client', { clientGuid: null }, 'clientGuid'],
    ['an unknown client', { clientGuid: nowhere }, 'clientGuid'],
    ['no debtor', { debtorGuid: null }, 'debtorGuid'],
    ['an unknown debtor', { debtorGuid: nowhere }, 'debtorGuid'],
    ['an unknown role', { debtorRole: 'FRIEND' }, 'debtorRole'],
    ['a first debtor who owes nothing', { debtorRole: 'PAYER' }, 'debtorRole'],
    ['an unknown service', { service: 'TEA' }, 'service'],
    ['an unknown currency', { currencyCode: 'XQQ' }, 'currencyCode'],
    ['a due date before the invoice', { invoiceDate: '2026-05-01', dueDate: '2026-04-30' }, 'dueDate'],
    ['a rate below zero', { interestRate: -1 }, 'interestRate'],
    ['a rate of seven decimals', { interestRate: 0.1234567 }, 'interestRate'],
    ['a date of another age', { dueDate: '0001-01-01' }, 'dueDate'],
  ]
  for (const [about, input, field] of registrations)
    test(`registering with ${about}`, async () => {
      await assertRefused(() => register(input), 'invalid', field, about)
    })

  test('no currency where the client has none', async () => {
    await assertRefused(() => register({ currencyCode: null }), 'invalid', 'currencyCode', 'none')
  })

  test('another currency than the case’s', async () => {
    const { caseGuid } = await register()
    await assertRefused(
      () => pay({ caseGuid, amount: 1, currencyCode: 'EUR' }),
      'unprocessable',
      'currencyCode',
      'EUR',
    )
  })

  test('nothing, too much or something unknown to pay', async () => {
    const { caseGuid, debtorGuid } = await register()
    await assertRefused(() => pay({ amount: 1 }), 'invalid', 'caseGuid', 'nothing')
    await assertRefused(() => pay({ caseGuid, debtorGuid, amount: 1 }), 'invalid', 'caseGuid', 'two')
    await assertRefused(() => pay({ caseGuid: nowhere, amount: 1 }), 'not-found', null, 'unknown case')
    await assertRefused(() => pay({ debtorGuid: nowhere, amount: 1 }), 'not-found', null, 'unknown debtor')
    const wrong = { paymentReferenceNumber: '1234567890123', amount: 1 }
    await assertRefused(() => pay(wrong), 'invalid', 'paymentReferenceNumber', 'check digit')
  })

  test('more written off or credited than remains', async () => {
    const { caseGuid } = await register()
    const [row] = await api.sql`select id from invoice where case_id = ${caseGuid}`
    const input = { amount: 1000.01 }
    const invoiceGuid = row!['id'] as string
    await assertRefused(
      () => registerWriteOff(api.sql, agencyCaller, { caseGuid, input }, context),
      'unprocessable',
      'amount',
      'write-off',
    )
    await assertRefused(
      () => creditInvoice(api.sql, agencyCaller, { invoiceGuid, input }, context),
      'unprocessable',
      'amount',
      'credit',
    )
    await registerWriteOff(api.sql, agencyCaller, { caseGuid, input: { amount: 1000 } }, context)
    assert.equal((await stateOf(caseGuid))['closure_code'], 'WRITTEN_OFF')
  })

  test('a fee without amount that no statute knows', async () => {
    const { caseGuid } = await register()
    const input = { feeType: 'unheardOf' }
    await assertRefused(
      () => addFee(api.sql, agencyCaller, { caseGuid, input }, context),
      'invalid',
      'amount',
      'fee',
    )
    await assertRefused(
      () => addFee(api.sql, agencyCaller, { caseGuid, input: {} }, context),
      'invalid',
      'feeType',
      'type',
    )
  })

  test('a case of another client', async () => {
    const { caseGuid, paymentReferenceNumber } = await register({ clientGuid: other })
    const creditor = { ...agencyCaller, partyIds: [client], partyId: client }
    const works = [
      () => pay({ caseGuid, amount: 1 }, creditor),
      () => pay({ paymentReferenceNumber, amount: 1 }, creditor),
      () => holdCase(api.sql, creditor, { caseGuid, input: { reason: 'HOLD_FRAUD' } }, context),
      () => addFee(api.sql, creditor, { caseGuid, input: { feeType: 'own', amount: 1 } }, context),
      () => addNote(api.sql, creditor, { itemGuid: caseGuid, input: { text: 'x' } }, context.origin),
    ]
    for (const work of works) await assertRefused(work, 'not-found', null, 'another client')
    await addNote(
      api.sql,
      { ...creditor, partyIds: [other] },
      { itemGuid: caseGuid, input: { text: 'x' } },
      context.origin,
    )
  })
})

const status = (caseGuid: string, input: object) =>
  changeCaseStatus(api.sql, agencyCaller, { caseGuid, input }, context)

describe('the life of a case', () => {
  test('goes by the machine', async () => {
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
      [(await stateOf(caseGuid))['status'], (await stateOf(caseGuid))['sub_status']],
      ['AMICABLE', 'HOLD_DISPUTE'],
    )
    await resumeCase(api.sql, agencyCaller, { caseGuid }, context)
    assert.equal((await stateOf(caseGuid))['sub_status'], 'DEMAND_SENT')
    await assertRefused(
      () => resumeCase(api.sql, agencyCaller, { caseGuid }, context),
      'conflict',
      'status',
      'no hold',
    )
  })

  test('ends with a code that agrees with the balance, and begins again where it was', async () => {
    const { caseGuid } = await register()
    const close = (closureCode: string) =>
      closeCase(api.sql, agencyCaller, { caseGuid, input: { closureCode } }, context)
    await assertRefused(() => close('PAID_IN_FULL'), 'conflict', 'closureCode', 'owing')
    await assertRefused(() => close('GONE'), 'invalid', 'closureCode', 'unknown')
    await status(caseGuid, { status: 'AMICABLE', subStatus: 'CONTACT' })
    await close('UNTRACEABLE')
    await assertRefused(() => close('OTHER'), 'conflict', 'closureCode', 'closed')
    const input = { feeType: 'own', amount: 1 }
    await assertRefused(
      () => addFee(api.sql, agencyCaller, { caseGuid, input }, context),
      'conflict',
      null,
      'closed',
    )
    await reopenCase(api.sql, agencyCaller, { caseGuid }, context)
    assert.deepEqual(
      [(await stateOf(caseGuid))['status'], (await stateOf(caseGuid))['sub_status']],
      ['AMICABLE', 'CONTACT'],
    )
    await assertProven(api)
  })

  test('a small balance within the client’s tolerance counts as paid', async () => {
    await api.sql`update party set tolerance = 5, currency_code = 'SEK' where id = ${other}`
    const { caseGuid } = await register({ clientGuid: other })
    await pay({ caseGuid, amount: 994.99 })
    assert.equal((await stateOf(caseGuid))['status'], 'NEW')
    await pay({ caseGuid, amount: 0.01 })
    assert.deepEqual(
      [(await stateOf(caseGuid))['closure_code'], (await stateOf(caseGuid))['remaining']],
      ['SMALL_BALANCE', 500],
    )
  })

  test('debtors come and go, each once, and the first stays', async () => {
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

  test('what it says of itself changes', async () => {
    const { caseGuid } = await register({ description: 'Old' })
    const change = (input: object) => changeCase(api.sql, agencyCaller, { caseGuid, input }, context)
    const version = await change({ description: '', clientReferenceNumber: 'N-1', service: 'surveillance' })
    assert.equal(await change({ description: null }), version)
    const [row] = await api.sql`
      select description, service, i.secondary_description as said from debt_case c join item i on i.guid = c.id where c.id = ${caseGuid}`
    assert.deepEqual({ ...row }, { description: null, service: 'SURVEILLANCE', said: 'CLIENT, N-1' })
  })
})

test('many payments and fees at once on one case: nothing is lost', async () => {
  const { caseGuid } = await register({ principal: 10_000, interestRate: 10, interestFromDate: '2026-01-01' })
  const works = Array.from({ length: 32 }, (_, index) =>
    index % 4 === 3
      ? addFee(api.sql, agencyCaller, { caseGuid, input: { feeType: 'own', amount: 10 } }, context)
      : pay({ caseGuid, amount: 100 }),
  )
  await Promise.all(works)
  const [row] = await api.sql`
    select paid_principal + paid_interest + paid_fee as paid, added_fee, movement_count from debt_case where id = ${caseGuid}`
  assert.deepEqual({ ...row }, { paid: 240_000, added_fee: 8_000, movement_count: 32 })
  await assertProven(api)
})

test('payments on the cases of one debtor at once, and on each case, end without deadlock', async () => {
  const { debtorGuid, caseGuid } = await register({ principal: 5000 })
  const input = { clientGuid: client, debtorGuid, principal: 5000, currencyCode: 'SEK' }
  const second = await registerCase(api.sql, agencyCaller, input, context)
  const targets = [{ debtorGuid }, { caseGuid }, { caseGuid: second.caseGuid }]
  await Promise.all(Array.from({ length: 24 }, (_, index) => pay({ ...targets[index % 3], amount: 100 })))
  const [row] = await api.sql`
    select sum(paid_principal) as paid from debt_case where id in (${caseGuid}, ${second.caseGuid})`
  assert.equal(Number(row!['paid']), 240_000)
  await assertProven(api)
})

test('an unbalanced, empty or changed transaction is impossible', async () => {
  const { caseGuid } = await register()
  const [transaction] = await api.sql`select id from ledger_transaction where case_id = ${caseGuid}`
  const id = transaction!['id'] as string
  const made = `insert into ledger_transaction (id, case_id, number, kind, value_date, booked_date)
    values ('${nowhere}', '${caseGuid}', 99, 'fee', '${today}', '${today}')`
  const entry = (line: number, amount: number, of = nowhere) =>
    `insert into ledger_entry values ('${of}', ${line}, 'bank', null, ${amount})`
  const attempts = [
    made,
    `with t as (${made} returning id) ${entry(1, 5)}`,
    entry(98, 5, id),
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
      /sum to zero|come together|append-only|violates|truncate/i,
      attempt,
    )
})
