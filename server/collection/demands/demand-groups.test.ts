/** Claims of one creditor on one debtor that are demanded together, over HTTP and through the day-end. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addDays } from '../../../core/calendar/calendar.ts'
import { readReference } from '../../../core/identity/payment-reference.ts'
import { texts } from '../../../core/text/texts.ts'
import { addCaseDebtor } from '../../cases/case-debtors.ts'
import { closeCase } from '../../cases/case-status.ts'
import { holdCase, resumeCase } from '../../cases/holds/hold-case.ts'
import { registerCase } from '../../cases/register-case.ts'
import { registerPayment } from '../../payments/payments.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { makeDemands, notified, start, type Demands } from '../../testing/records/demands.ts'
import { agencyCaller, assertProven, contextOn, makeDebtor } from '../../testing/records/cases.ts'
import type { LetterData } from '../letters/letter-data.ts'

let api: TestApi
let demands: Demands
before(async () => {
  api = await startApi({ FORDRA_SERVICES: '' })
  demands = makeDemands(api)
  const actions = [
    { kind: 'fee', feeType: 'collectionDemand' },
    { kind: 'status', status: 'AMICABLE', subStatus: 'DEMAND_SENT' },
    { kind: 'letter', letter: 'demand', dueDays: 18 },
  ]
  const later = {
    code: 'LATER',
    name: 'Later',
    steps: [{ code: 'DEMAND', status: 'NEW', afterDays: 3, actions }],
  }
  const { status: made, text } = await api.call('POST', '/strategies', { body: later })
  assert.equal(made, 201, text)
})
after(() => api.close())

const pay = (input: object, date: string) =>
  registerPayment(api.sql, agencyCaller, { valueDate: date, ...input }, contextOn(date))

test('three claims get one letter, one fee and one reference, and no step comes twice (getDemandGroup)', async () => {
  const { debtorGuid, register } = await demands.open('NO')
  const cases: string[] = []
  for (const principal of [600, 700, 800]) cases.push(await register({ ...notified, principal }))
  const undemanded = await demands.readGroup(debtorGuid, cases[1]!)
  assert.deepEqual(
    [
      undemanded.together,
      undemanded.rule,
      undemanded.verified,
      undemanded.demandGroupGuid,
      undemanded.cases.map((one) => one.caseGuid),
    ],
    [true, 'NO-TOGETHER', true, null, cases],
  )
  await demands.runNights(0, 14)
  assert.deepEqual(await demands.listLetters(debtorGuid), ['0 demand 3'])
  // Of 600 kroner the light fee is 262.50, of the joint principal of 2,100 it is 300.00.
  assert.deepEqual(await demands.listFees(cases), [['collectionFee 30000'], [], []])
  const [group, ...more] = await demands.findGroups(debtorGuid)
  assert.deepEqual([more, group!.rule, group!.cases], [[], 'NO-TOGETHER', 3])
  assert.deepEqual(await Promise.all(cases.map(demands.status)), Array(3).fill('DEMAND_SENT 2026-03-02'))
  const [letter] = await api.sql<{ data: LetterData }[]>`
    select data from document where debtor_id = ${debtorGuid}`
  const { payment, after: closing, totals } = letter!.data
  assert.ok(payment.some(([, value]) => value === group!.reference))
  assert.ok(readReference('KID10', group!.reference).ok)
  assert.ok(
    closing.some((line) => line === texts.en.letter.together),
    closing.join(' | '),
  )
  // The three principals and one fee.
  assert.equal(totals[0]!.amount, '2,400.00 NOK')
  const now = await demands.readGroup(debtorGuid, cases[2]!)
  assert.deepEqual(
    [now.paymentReferenceNumber, now.demandGroupGuid, now.cases.map(({ bearsFee }) => bearsFee)],
    [group!.reference, group!.id, [true, false, false]],
  )
  await demands.runNights(15, 40)
  assert.deepEqual(await demands.listLetters(debtorGuid), ['0 demand 3', '25 legal 3'])
  assert.equal((await demands.findGroups(debtorGuid)).length, 1)
  await assertProven(api)
})

test('a limit by amount is asked of the claims together, and the fee on one of them does not part them', async () => {
  const large = await demands.open('NO')
  const together: string[] = []
  for (const principal of [300, 301, 302]) together.push(await large.register({ ...notified, principal }))
  const small = await demands.open('NO')
  for (const principal of [60, 61, 62]) await small.register({ ...notified, principal })
  await demands.runNights(0, 60)
  // 903 kroner and the fee on the oldest: above 500 together, though each other claim is below.
  assert.deepEqual(await demands.listLetters(large.debtorGuid), ['0 demand 3', '25 legal 3'])
  assert.deepEqual(await demands.listFees(together), [['collectionFee 26250'], [], []])
  assert.deepEqual(await demands.listLetters(small.debtorGuid), ['0 demand 3', '48 surveillance 3'])
  await assertProven(api)
})

test('claims that are each below the limit of a first demand are demanded together above it, and not twice', async () => {
  const steps = [
    { code: 'SMALL', status: 'NEW', afterDays: 0, amountBelow: 1000 },
    { code: 'LARGE', status: 'NEW', afterDays: 0, amountFrom: 1000 },
  ].map((step) => ({
    ...step,
    currencies: ['SEK'],
    actions: [
      { kind: 'fee', feeType: 'collectionDemand' },
      { kind: 'status', status: 'AMICABLE', subStatus: 'DEMAND_SENT' },
      { kind: 'letter', letter: 'demand', dueDays: 14 },
    ],
  }))
  const made = await api.call('POST', '/strategies', { body: { code: 'SIZES', name: 'Sizes', steps } })
  assert.equal(made.status, 201, made.text)
  const both = await demands.open('SE', {}, 'SIZES')
  const cases = [await both.register({ principal: 400 }), await both.register({ principal: 900 })]
  const apart = await demands.open('SE', { bundle_claims: false }, 'SIZES')
  const alone = [await apart.register({ principal: 400 }), await apart.register({ principal: 1000 })]
  await demands.runNights(0, 1)
  const readSteps = async (guids: readonly string[]) =>
    Promise.all(
      guids.map(async (guid) => {
        const rows = await api.sql<{ code: string }[]>`
          select s.code from strategy_step_taken k join strategy_step s on s.id = k.step_id where k.case_id = ${guid}`
        return rows.map(({ code }) => code).join(' ')
      }),
    )
  assert.deepEqual(await demands.listLetters(both.debtorGuid), ['0 demand 2'])
  assert.deepEqual(await demands.listFees(cases), [['collectionDemand 18000'], []])
  assert.deepEqual(await readSteps(cases), ['LARGE', 'LARGE'])
  assert.deepEqual(await readSteps(alone), ['SMALL', 'LARGE'])
  assert.deepEqual(await demands.listLetters(apart.debtorGuid), ['0 demand 1', '0 demand 1'])
  await assertProven(api)
})

test('a payment by the common reference is divided, the oldest claim first, to the cent and at once', async () => {
  const { cases, reference } = await demands.demandThree()
  const [first, second, third] = await demands.remaining(cases)
  const { parts } = await pay({ paymentReferenceNumber: reference, amount: (first! + 12345) / 100 }, start)
  assert.deepEqual(
    parts.map(({ caseGuid }) => caseGuid),
    cases.slice(0, 2),
  )
  assert.deepEqual(await demands.remaining(cases), [0, second! - 12345, third])
  const { parts: rest } = await pay(
    { paymentReferenceNumber: reference, amount: (second! - 12345 + third!) / 100 },
    start,
  )
  assert.equal(rest.length, 2)
  assert.deepEqual(await demands.remaining(cases), [0, 0, 0])
  // What comes after all were paid becomes credit, not money in suspense.
  const late = await pay({ paymentReferenceNumber: reference, amount: 10 }, start)
  assert.equal(late.parts[0]!.credit, 10)
  await assertProven(api)
})

test('a claim on hold after the demand is left out of the next letter and is paid last', async () => {
  const { debtorGuid, cases, reference } = await demands.demandThree()
  const [first, second, third] = await demands.remaining(cases)
  const disputed = { caseGuid: cases[0]!, input: { reason: 'HOLD_DISPUTE' } }
  await holdCase(api.sql, agencyCaller, disputed, contextOn(start))
  const { parts } = await pay({ paymentReferenceNumber: reference, amount: second! / 100 }, start)
  assert.deepEqual(
    parts.map(({ caseGuid }) => caseGuid),
    [cases[1]],
  )
  assert.deepEqual(await demands.remaining(cases), [first, 0, third])
  const { cases: shown } = await demands.readGroup(debtorGuid, cases[2]!)
  assert.deepEqual(
    shown.map(({ isDemanded }) => isDemanded),
    [false, false, true],
  )
  await demands.runNights(1, 26)
  assert.deepEqual(await demands.listLetters(debtorGuid), ['0 demand 3', '25 legal 1'])
  // Once the dispute is decided the claim goes on by itself, and the group's fee still counts for it.
  await resumeCase(api.sql, agencyCaller, { caseGuid: cases[0]! }, contextOn(addDays(start, 26)))
  await demands.runNights(27, 60)
  assert.deepEqual(await demands.listFees(cases), [['collectionFee 30000'], [], []])
  await assertProven(api)
})

test('a closed claim leaves the next letter, and its fee still counts for the others', async () => {
  const { debtorGuid, cases } = await demands.demandThree()
  const closing = { caseGuid: cases[0]!, input: { closureCode: 'RECALLED_BY_CLIENT' } }
  await closeCase(api.sql, agencyCaller, closing, contextOn(start))
  const fee = await api.call<{ rule?: string }>('POST', `/system/forms/fee/add?id=${cases[1]}`, {
    body: { feeType: 'collectionFee', amount: 300 },
  })
  assert.deepEqual([fee.status, fee.body.rule], [422, 'NO-COLLECTION-FEE'])
  await demands.runNights(1, 26)
  assert.deepEqual(await demands.listLetters(debtorGuid), ['0 demand 3', '25 legal 2'])
  await assertProven(api)
})

test('a person takes a case out and puts it in, with a reason that the trail keeps (case/demand)', async () => {
  const { debtorGuid, register } = await demands.open('NO')
  const cases = [await register(notified), await register(notified), await register(notified)]
  const without = await demands.setDemand(cases[2]!, { demandedAlone: true })
  assert.equal(without.status, 400)
  assert.ok(without.body.errors!['demandReason'])
  const demandReason = 'A court decides on this claim'
  assert.equal((await demands.setDemand(cases[2]!, { demandedAlone: true, demandReason })).status, 200)
  assert.equal((await demands.readGroup(debtorGuid, cases[2]!)).cases.length, 0)
  assert.equal((await demands.readGroup(debtorGuid, cases[0]!)).cases.length, 2)
  await demands.runNights(0, 0)
  assert.deepEqual((await demands.listLetters(debtorGuid)).toSorted(), ['0 demand 1', '0 demand 2'])
  const [entry] = await api.sql`
    select changes from audit_entry where subject = ${cases[2]!} and type = 'case.demand_changed'`
  assert.deepEqual(entry!['changes'], {
    demandedAlone: [false, true],
    demandReason: [null, demandReason],
  })
  const body = { demandedWith: cases[0]!, demandReason: 'The court has decided' }
  assert.equal((await demands.setDemand(cases[2]!, body)).status, 200)
  assert.equal((await demands.readGroup(debtorGuid, cases[0]!)).cases.length, 3)
  await demands.runNights(1, 26)
  assert.deepEqual((await demands.listLetters(debtorGuid)).slice(2), ['25 legal 3'])
  // Another creditor's case cannot be put in.
  const other = await demands.open('NO')
  const foreign = await other.register(notified)
  const refused = await demands.setDemand(foreign, body)
  assert.deepEqual([refused.status, Object.keys(refused.body.errors!)], [400, ['demandedWith']])
  await assertProven(api)
})

test('Sweden demands together unless the client says otherwise; other countries only where it says so', async () => {
  const expected: [string, object, string[], number][] = [
    ['SE', {}, ['0 demand 2'], 1],
    ['SE', { bundle_claims: false }, ['0 demand 1', '0 demand 1'], 2],
    ['DK', {}, ['0 demand 1', '0 demand 1'], 2],
    ['DK', { bundle_claims: true }, ['0 demand 2'], 1],
    ['FI', { bundle_claims: true }, ['0 demand 2'], 1],
    ['DE', { bundle_claims: true }, ['0 demand 2'], 0],
    // The law leaves a client in Norway no choice.
    ['NO', { bundle_claims: false }, ['0 demand 2'], 1],
  ]
  for (const [country, terms, letters, fees] of expected) {
    const told = `${country} ${JSON.stringify(terms)}`
    const { debtorGuid, register } = await demands.open(country, terms)
    const cases = [await register(notified), await register(notified)]
    await demands.runNights(0, 0)
    assert.deepEqual(await demands.listLetters(debtorGuid), letters, told)
    assert.equal((await demands.listFees(cases)).flat().length, fees, told)
  }
  // Above the client: the setting of the party above counts.
  const { client, debtorGuid, register } = await demands.open('DK')
  await api.sql`update party set bundle_claims = true where id = (select parent_id from party where id = ${client})`
  await register()
  await register()
  await demands.runNights(0, 0)
  await api.sql`update party set bundle_claims = null where parent_id is null`
  assert.deepEqual(await demands.listLetters(debtorGuid), ['0 demand 2'])
  await assertProven(api)
})

test('claims of other clients, debtors or currencies, barred ones and those in a plan are not in the group', async () => {
  const { client, debtorGuid, register } = await demands.open('SE')
  const [one, two] = [await register(), await register()]
  await register({ currencyCode: 'NOK' })
  await register({ dueDate: '2019-01-01' })
  const shared = await register()
  const input = { debtorGuid: await makeDebtor(api), debtorRole: 'CO_DEBTOR' }
  await addCaseDebtor(api.sql, agencyCaller, { caseGuid: shared, input }, contextOn(start))
  const second = await demands.open('SE')
  await registerCase(
    api.sql,
    agencyCaller,
    { clientGuid: second.client, debtorGuid, principal: 1000, currencyCode: 'SEK', dueDate: '2026-02-01' },
    contextOn(start),
  )
  await demands.runNights(0, 0)
  const [group, ...more] = await demands.findGroups(debtorGuid)
  assert.deepEqual(more, [])
  const members = await api.sql<{ id: string }[]>`
    select case_id as id from demand_group_case where group_id = ${group!.id} order by case_id`
  assert.deepEqual(
    members.map(({ id }) => id),
    [one, two].toSorted(),
  )
  assert.notEqual(client, second.client)
  await assertProven(api)
})

test('a new claim joins what is not demanded yet, and starts anew after the demand', async () => {
  const { debtorGuid, register } = await demands.open('SE', {}, 'LATER')
  const first = await register()
  await demands.runNights(0, 1)
  const second = await register({}, addDays(start, 2))
  await demands.runNights(2, 3)
  // The second claim is demanded two days early, with the first.
  assert.deepEqual(await demands.listLetters(debtorGuid), ['3 demand 2'])
  const third = await register({}, addDays(start, 4))
  await demands.runNights(4, 7)
  assert.deepEqual(await demands.listLetters(debtorGuid), ['3 demand 2', '7 demand 1'])
  assert.deepEqual(await demands.listFees([first, second, third]), [
    ['collectionDemand 18000'],
    [],
    ['collectionDemand 18000'],
  ])
  await assertProven(api)
})
