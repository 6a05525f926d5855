/** The money held for clients agrees with its definition, whatever is paid, reversed and paid out, and in any order. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as fc from 'fast-check'
import type { PayoutBatchDetail, PayoutDue } from '../../../contract/treasury/payouts.ts'
import { addFee } from '../../cases/movements.ts'
import { reversePayment } from '../../payments/reverse-payment.ts'
import { openDatabase } from '../../platform/database/database.ts'
import type { ApiError } from '../../platform/http/errors.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { agencyCaller, context, openCases, today, type OpenedCases } from '../../testing/records/cases.ts'
import { copyCases } from '../../testing/records/many-cases.ts'
import { sumBlocks, watchDatabase } from '../../testing/watched-database.ts'
import { verifyTrust } from '../bank-files/verify-trust.ts'
import { countHeldMoney, countNow } from './count-held-money.ts'
import { listDue } from './payouts.store.ts'

let api: TestApi
let cases: OpenedCases
before(async () => {
  api = await startApi()
  cases = await openCases(api)
  await api.sql`update party set bank_account_no = 'SE45 5000 0000 0583 9825 7466' where parent_id is null`
  await api.sql`update party set bank_account_no = '5805-6201' where id = ${cases.client}`
})
after(() => api.close())

const payOut = () => api.call('POST', '/payouts', { body: { currencyCode: 'SEK' } })

/** Amounts by client as the API answers them, and by the definition from the ledger and the payouts. */
async function readBoth(): Promise<[api: unknown, definition: unknown]> {
  const { body } = await api.call<{ asOf: string; value: PayoutDue[] }>('GET', '/payouts/due')
  const answered = body.value
    .flatMap(({ lines, leftOut }) => [...lines, ...leftOut])
    .map(({ clientGuid, amount }) => [clientGuid, amount])
  const defined = await api.sql<{ id: string; amount: number }[]>`
    select client_id as id, sum(clients_share - paid_out)::float8 / 100 as amount
    from client_money(${body.asOf.slice(0, 10)}::date) group by client_id having sum(clients_share - paid_out) <> 0`
  return [answered.toSorted(), defined.map(({ id, amount }) => [id, amount]).toSorted()]
}

const act = fc.oneof(
  fc.record({
    kind: fc.constant('pay' as const),
    of: fc.nat(2),
    amount: fc.integer({ min: 1, max: 900 }),
    toThirdParty: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('fee' as const), of: fc.nat(2) }),
  fc.record({ kind: fc.constant('reverse' as const), of: fc.nat(5) }),
  fc.record({ kind: fc.constant('pay out' as const) }),
  fc.record({ kind: fc.constant('count' as const) }),
)

/** A case that was paid in full takes no fee, and nothing has changed. */
function assertClosed(error: unknown): void {
  assert.match((error as ApiError).message, /The case is closed/)
}

test('any sequence of payments, fees, reversals, payouts and counts leaves what the definition says', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(0, 60, 180), { minLength: 3, maxLength: 3 }),
      fc.array(act, { minLength: 1, maxLength: 10 }),
      async (fees, acts) => {
        const registered = []
        for (const [index, fee] of fees.entries())
          registered.push(await cases.register({ fee, ...(index === 2 && { clientGuid: cases.other }) }))
        const payments: string[] = []
        for (const one of acts) {
          if (one.kind === 'pay out') await payOut()
          else if (one.kind === 'count') await countNow(api.sql)
          else if (one.kind === 'reverse') {
            const [paymentGuid] = payments.splice(one.of, 1)
            if (paymentGuid !== undefined)
              await reversePayment(
                api.sql,
                agencyCaller,
                { paymentGuid, input: { reason: 'bounced' } },
                context,
              )
          } else {
            const { caseGuid } = registered[one.of]!
            if (one.kind === 'fee')
              await addFee(
                api.sql,
                agencyCaller,
                { caseGuid, input: { feeType: 'reminder', amount: 50 } },
                context,
              ).catch(assertClosed)
            else {
              const { amount, toThirdParty } = one
              payments.push((await cases.pay({ caseGuid, amount, toThirdParty })).paymentGuid)
            }
          }
        }
        const [answered, defined] = await readBoth()
        assert.deepEqual(answered, defined)
        assert.deepEqual(await verifyTrust(api.sql), [])
      },
    ),
    { numRuns: 25 },
  )
})

test('payments that come while payouts are made and counted are paid out once, then or later', async () => {
  const currencyCode = 'NOK'
  const registered = await Promise.all(Array.from({ length: 4 }, () => cases.register({ currencyCode })))
  const payOutNok = () => api.call<PayoutBatchDetail>('POST', '/payouts', { body: { currencyCode } })
  const [, one, , two, , three] = await Promise.all([
    Promise.all(
      registered.flatMap(({ caseGuid }) =>
        [30, 20, 10].map((amount) => cases.pay({ caseGuid, amount, currencyCode })),
      ),
    ),
    payOutNok(),
    countNow(api.sql),
    payOutNok(),
    countNow(api.sql),
    payOutNok(),
  ])
  assert.deepEqual(await verifyTrust(api.sql), [])
  const made = [one, two, three, await payOutNok()].filter(({ status }) => status === 201)
  assert.equal(
    made.reduce((sum, { body }) => sum + body.amount!, 0),
    4 * 60,
  )
  assert.equal((await api.sql`select from held_money where currency_code = ${currencyCode}`).length, 0)
  assert.deepEqual(await verifyTrust(api.sql), [])
})

test('money of a later day is not due after the business date was moved back', async () => {
  const { caseGuid } = await cases.register()
  await cases.pay({ caseGuid, amount: 250 })
  await api.setDate('2026-06-14')
  const [answered, defined] = await readBoth()
  await api.setDate('2026-06-15')
  assert.deepEqual(answered, defined)
  const [, now] = await readBoth()
  assert.notDeepEqual(now, defined)
})

test('the books of client money are wrong when the money held is', async () => {
  const { caseGuid } = await cases.register()
  await cases.pay({ caseGuid, amount: 250 })
  await api.sql`update held_money set amount = amount + 1 where case_id = ${caseGuid}`
  assert.deepEqual(await verifyTrust(api.sql), [
    'the money held for clients is not what their payments and payouts sum to',
  ])
  await api.sql`update held_money set amount = amount - 1 where case_id = ${caseGuid}`
  assert.deepEqual(await verifyTrust(api.sql), [])
})

test('what a program books that does not know the money held is held too', async () => {
  const { caseGuid } = await cases.register({ fee: 60 })
  await cases.pay({ caseGuid, amount: 250 })
  await api.sql`delete from held_money where case_id = ${caseGuid}`
  assert.equal((await verifyTrust(api.sql)).length, 1)
  await api.sql`select correct_held_money(array[${caseGuid}::uuid])`
  assert.deepEqual(await verifyTrust(api.sql), [])
  await api.sql`select correct_held_money(array[${caseGuid}::uuid])`
  assert.deepEqual(await verifyTrust(api.sql), [])
})

test('the cases of a client are counted the same before and after its money is counted', async () => {
  const currencyCode = 'DKK'
  const registered = await Promise.all(Array.from({ length: 3 }, () => cases.register({ currencyCode })))
  const [first, second, third] = registered.map(({ caseGuid }) => caseGuid)
  const pay = (caseGuid: string, amount: number) => cases.pay({ caseGuid, amount, currencyCode })
  await pay(first!, 10)
  const { paymentGuid } = await pay(second!, 20)
  await countNow(api.sql)
  await pay(first!, 5)
  await pay(third!, 7)
  await reversePayment(api.sql, agencyCaller, { paymentGuid, input: { reason: 'bounced' } }, context)
  const uncounted = await listDue(api.sql, currencyCode, today)
  assert.deepEqual(
    uncounted.map(({ amount, cases: count }) => [amount, count]),
    [[2200, 2]],
  )
  await countNow(api.sql)
  assert.deepEqual(await listDue(api.sql, currencyCode, today), uncounted)
  assert.equal((await api.sql`select from held_money where currency_code = ${currencyCode}`).length, 2)
  assert.deepEqual(await verifyTrust(api.sql), [])
})

test('money that was counted and goes takes its case out of the total', async () => {
  const { caseGuid } = await cases.register({ currencyCode: 'GBP' })
  const { paymentGuid } = await cases.pay({ caseGuid, amount: 10, currencyCode: 'GBP' })
  await countNow(api.sql)
  await reversePayment(api.sql, agencyCaller, { paymentGuid, input: { reason: 'bounced' } }, context)
  await countNow(api.sql)
  const [total] = await api.sql`select amount::int, cases from held_total where currency_code = 'GBP'`
  assert.deepEqual([total!['amount'], total!['cases']], [0, 0])
  assert.deepEqual(await verifyTrust(api.sql), [])
})

test('the service counts the money held by itself', () => {
  assert.ok(api.app.jobs.schedulers.includes(countHeldMoney))
})

test('few cases that are not counted are left for the look itself', async () => {
  await countNow(api.sql)
  const { caseGuid } = await cases.register({ currencyCode: 'EUR' })
  await cases.pay({ caseGuid, amount: 10, currencyCode: 'EUR' })
  await countHeldMoney(api.sql)
  assert.equal((await api.sql`select from held_money where not counted`).length, 1)
})

test('the books of client money are wrong when a total is', async () => {
  await countNow(api.sql)
  await api.sql`update held_total set amount = amount + 1 where currency_code = 'EUR'`
  assert.ok((await verifyTrust(api.sql)).includes('the totals of the money held for clients do not match it'))
  await api.sql`update held_total set amount = amount - 1 where currency_code = 'EUR'`
})

test('what is due reads few blocks, however much is held and waits to be paid out', async () => {
  const { caseGuid } = await cases.register()
  await cases.pay({ caseGuid, amount: 10 })
  await copyCases(api.sql, { caseGuid, clientGuid: cases.client, count: 2000 })
  await api.sql`
    insert into held_money (id, case_id, client_id, currency_code, counts_from, amount)
    select gen_random_uuid(), c.id, c.client_id, c.currency_code, ${today}::date, n
    from debt_case c, generate_series(1, 15) n where c.client_id = ${cases.client} and c.currency_code = 'SEK'`
  const summed = await listDue(api.sql, 'SEK', today)
  for (let round = 0; round < 3; round++) await countHeldMoney(api.sql)
  await api.sql`vacuum (analyze) held_money, held_total`
  const watched = watchDatabase(api.databaseUrl)
  const sql = openDatabase(watched.url, { max: 1, onnotice: watched.onnotice })
  try {
    await listDue(sql, 'SEK', today)
    watched.take()
    assert.deepEqual(await listDue(sql, 'SEK', today), summed)
    const blocks = sumBlocks(watched.take())
    assert.ok(blocks > 0 && blocks < 60, `${blocks} blocks`)
  } finally {
    await sql.end()
  }
})
