/** Payments that are entered at the same time are booked together: each must be what it is when it is entered alone. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { PaymentInput } from '../../contract/cases/case-inputs.ts'
import { addDays } from '../../core/calendar/calendar.ts'
import type { Caller } from '../platform/http/caller.ts'
import { ApiError } from '../platform/http/errors.ts'
import { startApi, type TestApi } from '../testing/api.ts'
import { addPerson, clearLimits, setLimit, type Person } from '../testing/records/agency-people.ts'
import { agencyCaller, assertProven, openCases, today, type OpenedCases } from '../testing/records/cases.ts'
import { enterPayment } from './batched-payments.ts'

let api: TestApi
let cases: OpenedCases
let person: Person
let manager: Person
before(async () => {
  api = await startApi()
  cases = await openCases(api)
  person = await addPerson(api, 3)
  manager = await addPerson(api, 2)
})
after(() => api.close())
beforeEach(() => clearLimits(api))

const open = (count: number, input: object = {}) =>
  Promise.all(Array.from({ length: count }, () => cases.register(input)))

const enter = (input: PaymentInput, requestId: string, more: Partial<Caller> = {}, businessDate = today) => {
  const caller = { ...agencyCaller, userId: person.userGuid, role: 3 as const, ...more }
  return enterPayment(api.sql, {
    caller,
    input,
    origin: { actorId: caller.userId, requestId, operation: 'test', businessDate },
  })
}

/** The transaction that wrote each payment, and what else one payment writes. */
const readBooked = (caseGuids: readonly string[]) => api.sql<{ caseGuid: string; transaction: string }[]>`
  select p.case_id as "caseGuid", p.xmin::text as transaction, p.amount, p.payer_reference as reference, c.version,
    c.paid_principal as paid, c.movement_count as movements, c.event_sequence as sequence, c.status,
    (select json_agg(json_build_array(a.type, a.request_id, a.actor_id, a.sequence) order by a.sequence)
      from audit_entry a where a.entity_id = p.id) as entries,
    (select json_agg(json_build_array(l.act, l.amount, l.currency_code, l.done_on)) from lone_act l
      where l.case_id = c.id and l.user_id = ${person.userGuid}) as alone,
    (select sum(h.amount)::int from held_money h where h.case_id = c.id) as held
  from payment p join debt_case c on c.id = p.case_id
  where c.id = any(${[...caseGuids]}::uuid[]) order by c.case_number`

test('payments of the same time are booked in one transaction, each as if it were alone', async () => {
  const own = await open(12)
  const amounts = [...own.keys()].map((place) => (place === 3 ? 1200 : 100.01 + place))
  const made = await Promise.all(
    own.map(({ caseGuid, paymentReferenceNumber }, place) =>
      enter(
        {
          amount: amounts[place]!,
          ...(place % 2 === 0 ? { caseGuid } : { paymentReferenceNumber }),
          ...(place % 3 === 0 && { payerReference: `batch ${place}` }),
        },
        `request ${place}`,
      ),
    ),
  )
  assert.deepEqual(
    made.map(({ parts: [part] }) => [part!.caseGuid, part!.principal, part!.credit, part!.remainingSum]),
    own.map(({ caseGuid }, place) =>
      place === 3
        ? [caseGuid, 1000, 200, 0]
        : [caseGuid, amounts[place], 0, (100_000 - minor(amounts[place]!)) / 100],
    ),
  )
  const rows = await readBooked(own.map(({ caseGuid }) => caseGuid))
  const [{ transaction } = assert.fail('nothing is booked')] = rows
  const byCase = new Map(rows.map(({ caseGuid, ...row }) => [caseGuid, row]))
  for (const [place, { caseGuid }] of own.entries()) {
    const amount = minor(amounts[place]!)
    const entry = (type: string, number: number) => [type, `request ${place}`, person.userGuid, number]
    const isPaid = place === 3
    // A case that is paid is closed between the two.
    const sequence = isPaid ? 4 : 3
    assert.deepEqual(byCase.get(caseGuid), {
      transaction,
      amount,
      reference: place % 3 === 0 ? `batch ${place}` : null,
      version: 2,
      paid: Math.min(amount, 100_000),
      movements: 1,
      sequence,
      status: isPaid ? 'CLOSED' : 'NEW',
      entries: [entry('payment.registered', 2), entry('payment.allocated', sequence)],
      alone: [['PAYMENT', amount, 'SEK', today]],
      held: Math.min(amount, 100_000),
    })
  }
  await assertProven(api)
})

const minor = (amount: number) => Math.round(amount * 100)

/** How an entry ends: booked, or refused for a reason. */
const tell = (work: Promise<unknown>) =>
  work.then(
    () => 'booked',
    (error: unknown) => {
      assert.ok(error instanceof ApiError, String(error))
      return [error.kind, error.message, error.errors]
    },
  )

test('a payment that is refused fails alone, with the reason that it has alone', async () => {
  const own = await open(8)
  const { paymentReferenceNumber } = own[7]!
  const [taken] = await open(1)
  await enter({ caseGuid: taken!.caseGuid, amount: 5, payerReference: 'Taken' }, 'first')
  const inputs: PaymentInput[] = [
    { caseGuid: own[0]!.caseGuid, amount: 10 },
    { caseGuid: own[1]!.caseGuid, amount: 0 },
    { caseGuid: own[2]!.caseGuid, amount: 10, currencyCode: 'EUR' },
    { caseGuid: own[3]!.caseGuid, amount: 10, valueDate: '2026-06-16' },
    { caseGuid: '0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70', amount: 10 },
    { caseGuid: taken!.caseGuid, amount: 10, payerReference: 'taken' },
    { paymentReferenceNumber: `${paymentReferenceNumber.slice(0, -1)}x`, amount: 10 },
    { caseGuid: own[4]!.caseGuid, debtorGuid: own[4]!.debtorGuid, amount: 10 },
    { amount: 10 },
    { caseGuid: own[5]!.caseGuid, amount: 10 },
  ]
  const together = await Promise.all(inputs.map((input, place) => tell(enter(input, `together ${place}`))))
  const alone: unknown[] = []
  for (const [place, input] of inputs.entries()) alone.push(await tell(enter(input, `alone ${place}`)))
  assert.deepEqual(together, alone)
  assert.deepEqual(
    together.flatMap((told, place) => (told === 'booked' ? place : [])),
    [0, 9],
  )
  await assertProven(api)
})

test('a payment on a case that somebody holds waits alone, and two on one case are both booked', async () => {
  const [held, twice, ...free] = await open(6)
  let isReleased = false
  const { promise: release, resolve } = Promise.withResolvers<void>()
  const { promise: locked, resolve: lock } = Promise.withResolvers<void>()
  const holding = api.sql.begin(async (tx) => {
    await tx`select from debt_case where id = ${held!.caseGuid} for no key update`
    lock()
    await release
    isReleased = true
  })
  await locked
  const payments = [held!, twice!, twice!, ...free].map(({ caseGuid }, place) =>
    enter({ caseGuid, amount: 10 + place }, `held ${place}`),
  )
  await Promise.all(payments.slice(1))
  assert.equal(isReleased, false)
  resolve()
  await Promise.all([holding, ...payments])
  const state = await Promise.all([held!, twice!].map(({ caseGuid }) => cases.readState(caseGuid)))
  assert.deepEqual(
    state.map(({ remaining }) => remaining),
    [99_000, 97_700],
  )
  await assertProven(api)
})

test('the same payer reference twice at the same time is booked once', async () => {
  const [first] = await open(1)
  const second = await cases.register({ debtorGuid: first!.debtorGuid })
  const others = await open(3)
  const results = await Promise.allSettled([
    ...others.map(({ caseGuid }) => enter({ caseGuid, amount: 1 }, 'other')),
    enter({ caseGuid: first!.caseGuid, amount: 1, payerReference: 'Once' }, 'one'),
    enter({ caseGuid: second.caseGuid, amount: 1, payerReference: 'ONCE' }, 'two'),
  ])
  assert.deepEqual(results.map(({ status }) => status).toSorted(), [
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'rejected',
  ])
  const failed = results.find(({ status }) => status === 'rejected') as PromiseRejectedResult
  assert.match(String(failed.reason), /already registered/)
})

test('a role with a limit stays within it, beside users without one', async () => {
  await setLimit(api, 'PAYMENT', 100, { userAmount: 250 })
  const own = await open(6)
  const payments = own.map(({ caseGuid }, place) =>
    enter(
      { caseGuid, amount: place === 0 ? 101 : 100 },
      `limit ${place}`,
      place > 3 ? { role: 2, userId: manager.userGuid } : {},
    ),
  )
  const results = await Promise.allSettled(payments)
  const booked = results.flatMap(({ status }, place) => (status === 'fulfilled' ? place : []))
  assert.ok(!booked.includes(0), 'above the limit')
  assert.deepEqual(
    [booked.filter((place) => place < 4).length, booked.filter((place) => place > 3)],
    [2, [4, 5]],
  )
  for (const result of results)
    if (result.status === 'rejected') assert.match(String(result.reason), /the limit of your role/)
})

test('a value date in the past keeps to the limit of days', async () => {
  await setLimit(api, 'BACKDATED_PAYMENT', null, { daysBack: 2 })
  const own = await open(4)
  const now = addDays(today, 10)
  await api.setDate(now)
  const results = await Promise.allSettled(
    [0, 2, 3, 1].map((days, place) =>
      enter(
        { caseGuid: own[place]!.caseGuid, amount: 10, valueDate: addDays(now, -days) },
        `day ${place}`,
        {},
        now,
      ),
    ),
  )
  await api.setDate(today)
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
  )
})

test('users who see different cases share no transaction, and nobody pays a case outside', async () => {
  const own = await open(4)
  const others = await open(2, { clientGuid: cases.other })
  const results = await Promise.allSettled([
    ...own.map(({ caseGuid }) => enter({ caseGuid, amount: 10 }, 'own', { partyIds: [cases.client] })),
    ...others.map(({ caseGuid }) => enter({ caseGuid, amount: 10 }, 'own', { partyIds: [cases.client] })),
    ...others.map(({ caseGuid }) => enter({ caseGuid, amount: 20 }, 'other', { partyIds: [cases.other] })),
  ])
  assert.deepEqual(
    results.map(({ status }) => status),
    [...own.map(() => 'fulfilled'), 'rejected', 'rejected', 'fulfilled', 'fulfilled'],
  )
  const states = await Promise.all(others.map(({ caseGuid }) => cases.readState(caseGuid)))
  assert.deepEqual(
    states.map(({ remaining }) => remaining),
    [98_000, 98_000],
  )
})
