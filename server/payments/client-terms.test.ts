/** Clients and their terms, a debtor's credit, and limitation. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { CaseOverview } from '../../contract/cases/cases.ts'
import type { CaseExplanation } from '../../contract/cases/case-explanation.ts'
import { caseStatuses } from '../../core/cases/case-lifecycle.ts'
import type { Caller } from '../platform/http/caller.ts'
import { startApi, type TestApi } from '../testing/api.ts'
import {
  agencyCaller,
  assertProven,
  assertRefused,
  context,
  makeDebtor,
  nowhere,
  openCases,
  setTerms,
} from '../testing/records/cases.ts'
import { changeCase } from '../cases/case-debtors.ts'
import { changeClientTerms } from '../ledger/client-terms.changes.ts'
import { findClientTerms } from '../claims/client-terms.ts'
import { refundCredit, useCredit } from './credit.ts'
import { interruptLimitation } from '../cases/limitation/interrupt-limitation.ts'
import { reversePayment } from './reverse-payment.ts'
import { addFee } from '../cases/movements.ts'

let api: TestApi
let cases: Awaited<ReturnType<typeof openCases>>
before(async () => {
  api = await startApi()
  cases = await openCases(api)
})
after(() => api.close())

const change = (clientGuid: string, input: object) =>
  changeClientTerms(api.sql, agencyCaller, { clientGuid, input, ifMatch: undefined }, context.origin)
const makeClient = async (body: object) =>
  (await api.call<{ clientGuid: string }>('POST', '/system/forms/client/create', { body })).body.clientGuid

const setTolerance = (tolerance: number) =>
  api.call('PATCH', '/system/forms/systemsettings/edit', { body: { tolerance } })
const readTolerance = async (input: object) => {
  const made = await cases.register(input)
  const [row] = await api.sql`select tolerance_minor as minor from debt_case where id = ${made.caseGuid}`
  return row!['minor']
}

describe('a client', () => {
  test('without its own tolerance uses the installation’s, in its currency', async () => {
    const body = { tolerance: 7.5 }
    assert.equal((await api.call('PATCH', '/system/forms/systemsettings/edit', { body })).status, 200)
    const clientGuid = await makeClient({ name: 'No terms AB', partyReferenceCode: 'NOTERMS' })
    const toleranceIn = async (currencyCode: string) => {
      const made = await cases.register({ clientGuid, currencyCode })
      const [row] = await api.sql`select tolerance_minor from debt_case where id = ${made.caseGuid}`
      return row!['tolerance_minor']
    }
    assert.deepEqual([await toleranceIn('SEK'), await toleranceIn('NOK')], [750, 0])
    await api.sql`update party set tolerance = 0 where id = ${clientGuid}`
    assert.equal(await toleranceIn('SEK'), 0)
    await api.call('PATCH', '/system/forms/systemsettings/edit', { body: { tolerance: 0 } })
  })

  test('uses its own terms, else those of its parent party', async () => {
    const above = await makeClient({
      name: 'Above AB',
      partyReferenceCode: 'ABOVE',
      countryCode: 'se',
      currencyCode: 'sek',
    })
    await change(above, { interestSeries: 'SE', interestPoints: 8, tolerance: 2.5 })
    const below = await makeClient({
      name: 'Below AB',
      partyReferenceCode: 'BELOW',
      parentPartyReferenceCode: 'above',
    })
    await change(below, { allocationOrder: 'PRINCIPAL_INTEREST_COST' })
    const terms = await findClientTerms(api.sql, below)
    assert.deepEqual(
      [terms!.countryCode, terms!.currencyCode, terms!.interest, terms!.allocationOrder, terms!.tolerance],
      ['SE', 'SEK', { kind: 'reference', series: 'SE', points: '8' }, 'PRINCIPAL_INTEREST_COST', '2.5'],
    )
    await change(above, { interestRate: 12 })
    assert.deepEqual((await findClientTerms(api.sql, below))!.interest, { kind: 'fixed', rate: '12' })
    const made = await cases.register({ clientGuid: below, currencyCode: null })
    const [row] = await api.sql`
      select currency_code, allocation_order, tolerance_minor, interest_rate::float8 as rate from debt_case where id = ${made.caseGuid}`
    assert.deepEqual(
      { ...row },
      { currency_code: 'SEK', allocation_order: 'PRINCIPAL_INTEREST_COST', tolerance_minor: 250, rate: 12 },
    )
    const events = await api.sql`select type, sequence from event where subject = ${above} order by sequence`
    assert.deepEqual(
      events.map(({ type, sequence }) => [sequence, type]),
      [
        [1, 'client.created'],
        [2, 'client.terms_changed'],
        [3, 'client.terms_changed'],
      ],
    )
    await change(above, { interestSeries: '' })
    assert.deepEqual((await findClientTerms(api.sql, below))!.interest, { kind: 'none' })
  })

  test('uses the installation’s tolerance in its currency when no party has one', async () => {
    assert.equal((await setTolerance(7.5)).status, 200)
    assert.equal(await readTolerance({ currencyCode: 'SEK' }), 750)
    assert.equal(await readTolerance({ currencyCode: 'EUR' }), 0)
    const [{ settings } = {}] = await api.sql`select settings from system_setting`
    await api.sql`update system_setting set settings = settings - 'currencyCode'`
    assert.equal(await readTolerance({ currencyCode: 'SEK' }), 0)
    await api.sql`update system_setting set settings = ${api.sql.json(settings)}`
    await setTolerance(0)
    assert.equal(await readTolerance({ currencyCode: 'SEK' }), 0)
  })

  test('is refused wrong terms, with each wrong field named', async () => {
    const wrong: [input: object, field: string][] = [
      [{ interestRate: 5, interestSeries: 'SE' }, 'interestSeries'],
      [{ interestSeries: 'ZZ' }, 'interestSeries'],
      [{ allocationOrder: 'WHATEVER' }, 'allocationOrder'],
      [{ tolerance: 1 }, 'tolerance'],
    ]
    for (const [input, field] of wrong)
      await assertRefused(() => change(cases.client, input), 'invalid', field, field)
    await assertRefused(() => change(nowhere, { interestRate: 5 }), 'not-found', null, 'unknown')
  })
})

describe('a debtor’s credit', () => {
  test('can be refunded or used on another case, up to its amount', async () => {
    const { caseGuid, debtorGuid } = await cases.register({ principal: 100 })
    const second = await cases.register({ debtorGuid, principal: 500 })
    await cases.pay({ caseGuid, amount: 180 })
    const use = (amount: number) =>
      useCredit(api.sql, agencyCaller, { caseGuid: second.caseGuid, input: { amount } }, context)
    const refund = (amount: number) =>
      refundCredit(api.sql, agencyCaller, { caseGuid, input: { amount } }, context)
    await assertRefused(() => use(80.01), 'unprocessable', 'amount', 'too much')
    await use(50)
    await assertRefused(() => refund(30.01), 'unprocessable', 'amount', 'what is left')
    await refund(30)
    assert.equal((await cases.readState(second.caseGuid))['remaining'], 45_000)
    const [row] =
      await api.sql`select sum(credit) as credit from debt_case where main_debtor_id = ${debtorGuid}`
    assert.equal(Number(row!['credit']), 0)
    await assertProven(api)
  })

  test('excludes cases of clients that the caller may not see', async () => {
    const { caseGuid: hidden, debtorGuid } = await cases.register({ principal: 100, clientGuid: cases.other })
    const { caseGuid } = await cases.register({ debtorGuid })
    await cases.pay({ caseGuid: hidden, amount: 150 })
    const restricted = { ...agencyCaller, partyIds: [cases.client] }
    const use = (caller: Caller) => useCredit(api.sql, caller, { caseGuid, input: { amount: 50 } }, context)
    const failure = await assertRefused(() => use(restricted), 'unprocessable', 'amount', 'hidden')
    assert.match(failure.message, /at most SEK.0\.00/)
    await use(agencyCaller)
    // Used credit is gone, also for a caller who sees only the case it came from.
    const sees = { ...agencyCaller, partyIds: [cases.other] }
    const refund = () => refundCredit(api.sql, sees, { caseGuid: hidden, input: { amount: 1 } }, context)
    await assertRefused(refund, 'unprocessable', 'amount', 'used elsewhere')
  })

  test('becomes negative when the payment bounces after the refund: the debtor owes it to the agency, outside the case', async () => {
    const { caseGuid, debtorGuid } = await cases.register({ principal: 100 })
    const { paymentGuid } = await cases.pay({ caseGuid, amount: 120 })
    const refund = (amount: number) =>
      refundCredit(api.sql, agencyCaller, { caseGuid, input: { amount } }, context)
    await refund(20)
    const held = async () =>
      (await api.call<{ unpaidCredits: number }>('GET', `/debtors/${debtorGuid}/legalhold`)).body
        .unpaidCredits
    assert.equal(await held(), 0)
    const bounce = { paymentGuid, input: { reason: 'No funds.', bounced: true } }
    await reversePayment(api.sql, agencyCaller, bounce, context)
    const state = async () => {
      const { status, remaining, credit } = await cases.readState(caseGuid)
      return [status, remaining, credit]
    }
    assert.deepEqual(await state(), ['NEW', 10_000, -2000])
    assert.equal(await held(), 1)
    const explained = async () => {
      const path = `/debtors/${debtorGuid}/cases/${caseGuid}/explain`
      const { figures } = (await api.call<CaseExplanation>('GET', path)).body
      const figure = figures.find((one) => one.figure === 'credit')!
      return [figure.amount, ...figure.lines.map(({ rule, amount }) => `${rule} ${amount}`)]
    }
    assert.deepEqual(await explained(), [-20, 'CREDIT_REFUNDED -20'])
    const { body: overview } = await api.call<CaseOverview>('GET', `/debtors/${debtorGuid}/caseoverview`)
    assert.equal(overview.remainingSum, 100)
    // The claim is paid, so the case closes despite the debt to the agency.
    await cases.pay({ caseGuid, amount: 100 })
    assert.deepEqual(await state(), ['CLOSED', 0, -2000])
    await assertRefused(() => refund(0.01), 'unprocessable', 'amount', 'nothing to pay back')
    // The next overpayment covers that debt first.
    await cases.pay({ caseGuid, amount: 50 })
    assert.deepEqual(await state(), ['CLOSED', 0, 3000])
    assert.deepEqual(await explained(), [30, 'CREDIT_REFUNDED -20', 'SURPLUS 50'])
    await assertRefused(() => refund(30.01), 'unprocessable', 'amount', 'more than is left')
    await refund(30)
    assert.equal(await held(), 0)
    await assertProven(api)
  })

  test('cannot be used twice by concurrent requests', async () => {
    const { caseGuid, debtorGuid } = await cases.register({ principal: 100 })
    const others = [await cases.register({ debtorGuid }), await cases.register({ debtorGuid })]
    await cases.pay({ caseGuid, amount: 150 })
    const used = await Promise.allSettled(
      others.map((one) =>
        useCredit(api.sql, agencyCaller, { caseGuid: one.caseGuid, input: { amount: 50 } }, context),
      ),
    )
    assert.deepEqual(used.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
  })
})

test('a client’s own fee applies only in its currency', async () => {
  await setTerms(api, cases.client, { currency_code: 'SEK', fees: { callOut: 75 } })
  const feeOn = async (caseGuid: string) => {
    await addFee(api.sql, agencyCaller, { caseGuid, input: { feeType: 'callOut' } }, context)
    return (await cases.readState(caseGuid))['remaining']
  }
  assert.equal(await feeOn((await cases.register()).caseGuid), 107_500)
  const { caseGuid } = await cases.register({ currencyCode: 'EUR' })
  await assertRefused(() => feeOn(caseGuid), 'invalid', 'amount', 'another currency')
})

describe('limitation', () => {
  test('runs from the due date, and restarts at an interruption', async () => {
    await setTerms(api, cases.client, { country_code: 'SE' })
    const { caseGuid } = await cases.register({ dueDate: '2020-03-31', claimKind: 'GENERAL' })
    const [row] = await api.sql`select limitation_date from debt_case where id = ${caseGuid}`
    assert.equal(row!['limitation_date'], '2030-03-31')
    const interrupt = (input: object) =>
      interruptLimitation(api.sql, agencyCaller, { caseGuid, input }, context)
    const first = await interrupt({ interruption: 'acknowledgement', interruptedDate: '2026-06-01' })
    assert.equal(first.limitationDate, '2036-06-01')
    const paid = await cases.pay({ caseGuid, amount: 5 })
    const shown = () =>
      api
        .call<Record<string, unknown>>('GET', `/cases/${caseGuid}`)
        .then(({ body }) => [body['limitationDate'], body['interruptedBy'], body['interruptedDate']])
    assert.deepEqual(await shown(), ['2036-06-15T00:00:00Z', 'PAYMENT', '2026-06-15T00:00:00Z'])
    const reversal = { paymentGuid: paid.paymentGuid, input: { reason: 'bounced' } }
    await reversePayment(api.sql, agencyCaller, reversal, context)
    assert.deepEqual(await shown(), ['2036-06-01T00:00:00Z', 'ACKNOWLEDGEMENT', '2026-06-01T00:00:00Z'])
    await assertRefused(() => interrupt({}), 'invalid', 'interruption', 'none')
    // The audit trail records each change of the date with its cause.
    const told = await api.sql`
      select type, changes -> 'limitationDate' as date from audit_entry where subject = ${caseGuid}
        and changes ? 'limitationDate' order by sequence`
    assert.deepEqual(
      told.map(({ type, date }) => [type as string, date as unknown]),
      [
        ['case.registered', [null, '2030-03-31']],
        ['case.limitation_interrupted', ['2030-03-31', '2036-06-01']],
        ['payment.registered', ['2036-06-01', '2036-06-15']],
        ['payment.reversed', ['2036-06-15', '2036-06-01']],
      ],
    )
    const tomorrow = { interruption: 'PAYMENT', interruptedDate: '2026-06-16' }
    await assertRefused(() => interrupt(tomorrow), 'invalid', 'interruptedDate', 'tomorrow')
  })

  test('depends on the kind of claim: the case’s, else the client’s, and never consumer for a legal person', async () => {
    await setTerms(api, cases.client, { country_code: 'SE', claim_kind: 'CONSUMER' })
    const readLimitation = async (caseGuid: string) => {
      const [row] = await api.sql`select limitation_date, claim_kind from debt_case where id = ${caseGuid}`
      return [row!['claim_kind'], row!['limitation_date']]
    }
    const due = { dueDate: '2025-03-31' }
    const person = await cases.register(due)
    assert.deepEqual(await readLimitation(person.caseGuid), ['CONSUMER', '2028-03-31'])
    const other = await cases.register({ ...due, claimKind: 'general' })
    assert.deepEqual(await readLimitation(other.caseGuid), ['GENERAL', '2035-03-31'])
    const debtorGuid = await makeDebtor(api, { fullName: 'Ek AB', lastname: null, juridicalType: 1 })
    const business = await cases.register({ ...due, debtorGuid })
    assert.deepEqual(await readLimitation(business.caseGuid), ['GENERAL', '2035-03-31'])
    await changeCase(
      api.sql,
      agencyCaller,
      { caseGuid: other.caseGuid, input: { claimKind: 'CONSUMER' } },
      context,
    )
    assert.deepEqual(await readLimitation(other.caseGuid), ['CONSUMER', '2028-03-31'])
    const [told] = await api.sql`
      select changes from audit_entry where subject = ${other.caseGuid} and type = 'case.updated'`
    assert.deepEqual(told!['changes'], {
      claimKind: ['GENERAL', 'CONSUMER'],
      limitationDate: ['2035-03-31', '2028-03-31'],
    })
    const unknown = { caseGuid: other.caseGuid, input: { claimKind: 'LOAN' } }
    await assertRefused(
      () => changeCase(api.sql, agencyCaller, unknown, context),
      'invalid',
      'claimKind',
      'unknown',
    )
  })
})

test('the database accepts exactly the statuses of the status rules', async () => {
  const { caseGuid } = await cases.register()
  const all = Object.values(caseStatuses).flatMap(({ subStatuses }) => [...subStatuses] as string[])
  for (const [status, { subStatuses }] of Object.entries(caseStatuses)) {
    for (const subStatus of new Set(all)) {
      const place = api.sql`
        update debt_case set status = ${status}, sub_status = ${subStatus}, place_status = ${status}, place_sub_status = ${subStatus}
        where id = ${caseGuid}`
      const belongs = (subStatuses as readonly string[]).includes(subStatus) && status !== 'CLOSED'
      if (belongs) await place
      else await assert.rejects(place, /violates/, `${status} ${subStatus}`)
    }
  }
})
