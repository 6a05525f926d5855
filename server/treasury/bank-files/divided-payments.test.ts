/** Payments for several references, money in suspense that a person divides, and payments that the bank returns. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { PaymentFile, PaymentFileEntry } from '../../../contract/treasury/payment-files.ts'
import type { DividedSuspense, Suspense } from '../../../contract/treasury/suspense.ts'
import { assertProven, context, makeDebtor, openCases } from '../../testing/records/cases.ts'
import type { Page } from '../../platform/database/list.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'
import { makeBgMax, makeCamt, type TestCamt, type TestPayment } from '../../testing/records/files.ts'
import { postFile } from './post-entries.ts'
import { receivePaymentFile } from './receive-file.ts'
import { verifyTrust } from './verify-trust.ts'

let api: TestApi
let cases: Awaited<ReturnType<typeof openCases>>
const { origin } = context
before(async () => {
  api = await startApi()
  cases = await openCases(api)
})
after(() => api.close())

async function assertAllProven(): Promise<void> {
  await assertProven(api)
  assert.deepEqual(await verifyTrust(api.sql), [])
}

let serial = 0
/** Books a file and returns its entries. */
async function book(text: string): Promise<PaymentFileEntry[]> {
  const received = await receivePaymentFile(api.sql, [Buffer.from(text)], {
    fileName: null,
    bytesMax: 1e6,
    origin,
  })
  await postFile(api.sql, received.fileGuid, { origin })
  const path = `/payment-files/${received.fileGuid}`
  assert.notEqual((await api.call<PaymentFile>('GET', path)).body.postedAt, null)
  await assertAllProven()
  return (await api.call<Page<PaymentFileEntry>>('GET', `${path}/entries`)).body.value
}
const camt = (payments: TestPayment[], more: TestCamt = {}) =>
  book(makeCamt(payments, { messageId: `M-${++serial}`, ...more }))
const remaining = async (caseGuid: string) => (await cases.readState(caseGuid))['remaining']
const openSuspense = async (amount: number) => {
  const filter = encodeURIComponent(`status eq 'OPEN' and amount eq ${amount / 100}`)
  return (await api.call<Page<Suspense>>('GET', `/suspense?$filter=${filter}`)).body.value
}
const divide = (guid: string, body: object, headers: Record<string, string> = {}) =>
  api.call<DividedSuspense>('POST', `/suspense/${guid}/divide`, { body, headers })
const summarize = ({ outcome, reason, paymentGuid, parts }: PaymentFileEntry) => [
  outcome,
  reason,
  paymentGuid !== null,
  parts.map((part) => [part.amount, part.paymentGuid !== null, part.reason]),
]

describe('a payment for several references with amounts', () => {
  const formats: [string, (payment: TestPayment) => string][] = [
    ['camt', (payment) => makeCamt([payment], { messageId: `M-${++serial}` })],
    ['BgMax', (payment) => makeBgMax([payment], { serial: ++serial })],
  ]
  for (const [format, make] of formats) {
    test(`pays each as ${format} says, and keeps the rest in suspense`, async () => {
      const [one, other] = [await cases.register(), await cases.register()]
      const parts = [
        { reference: one.paymentReferenceNumber, amount: 12_000 },
        { reference: other.paymentReferenceNumber, amount: 34_567 },
        { reference: one.paymentReferenceNumber, amount: -1_000 },
      ]
      const pay = { reference: null, parts, bankReference: `D${++serial}` }
      const [whole] = await book(make({ ...pay, amount: 45_567 }))
      assert.deepEqual(summarize(whole!), [
        'BOOKED',
        null,
        false,
        [
          [110, true, null],
          [345.67, true, null],
        ],
      ])
      assert.equal(await remaining(one.caseGuid), 89_000)
      assert.equal(await remaining(other.caseGuid), 65_433)
      const rest = 1_000_000 + ++serial
      const [more] = await book(make({ ...pay, bankReference: `D${++serial}`, amount: 45_567 + rest }))
      assert.deepEqual(summarize(more!).slice(0, 2), ['SUSPENSE', 'SEVERAL_REFERENCES'])
      assert.equal((await openSuspense(rest)).length, 1)
    })

    test(`keeps what ${format} does not tell apart whole, and the part of an unknown reference`, async () => {
      const { caseGuid, paymentReferenceNumber: reference } = await cases.register()
      const amount = 20_000 + 10 * ++serial
      const wrong: { reference: string; amount: number | null }[][] = [
        [
          { reference, amount: null },
          { reference: '10000817', amount: 500 },
        ],
        [
          { reference, amount: amount * 2 },
          { reference: '10000817', amount: 500 },
        ],
        [
          { reference, amount: 500 },
          { reference: '10000817', amount: -400 },
        ],
      ]
      for (const [index, parts] of wrong.entries()) {
        const [entry] = await book(
          make({ reference: null, amount: amount - index - 1, parts, bankReference: `W${++serial}` }),
        )
        assert.deepEqual(summarize(entry!), ['SUSPENSE', 'SEVERAL_REFERENCES', false, []])
      }
      const parts = [
        { reference, amount: 700 },
        { reference: '1234567806', amount: amount - 700 },
      ]
      const [entry] = await book(make({ reference: null, amount, parts, bankReference: `W${++serial}` }))
      const [paid, unknown] = [
        [7, true, null],
        [(amount - 700) / 100, false, 'UNKNOWN_REFERENCE'],
      ]
      assert.deepEqual(summarize(entry!), ['SUSPENSE', 'UNKNOWN_REFERENCE', false, [paid, unknown]])
      assert.equal(await remaining(caseGuid), 99_300)
      assert.equal((await openSuspense(amount - 700)).length, 1)
    })
  }

  test('is one payment with the whole of another file', async () => {
    const [one, other] = [await cases.register(), await cases.register()]
    const parts = [one, other].map(({ paymentReferenceNumber: reference }) => ({ reference, amount: 500 }))
    const pay = { amount: 1_000, bankReference: `SAME${++serial}` }
    await camt([{ ...pay, reference: null, parts }])
    const [again] = await camt([{ ...pay, reference: null }], { type: '053' })
    assert.equal(again!.outcome, 'ALREADY_THERE')
  })
})

test('an RF reference is recognized as it is printed, in its field and in the message', async () => {
  const { caseGuid, paymentReferenceNumber } = await cases.register({ currencyCode: 'EUR' })
  assert.match(paymentReferenceNumber, /^RF/)
  const printed = paymentReferenceNumber.replaceAll(/(.{4})(?=.)/g, '$1 ')
  for (const [reference, message] of [
    [printed, undefined],
    [null, `Invoice ${printed} thank you`],
    [null, `${printed.toLowerCase()}, 4711`],
  ] as const) {
    const pay = { reference, amount: 1_000, bankReference: `RF${++serial}` }
    const [entry] = await camt([{ ...pay, ...(message !== undefined && { message }) }], { currency: 'EUR' })
    assert.equal(entry!.outcome, 'BOOKED', `${reference} ${message} ${entry!.reason}`)
  }
  assert.equal(await remaining(caseGuid), 97_000)
})

const suspended = async (amount: number, more: Partial<TestPayment> = {}): Promise<Suspense> => {
  await camt([{ reference: null, amount, bankReference: `S${++serial}`, ...more }])
  return (await openSuspense(amount))[0]!
}

describe('divideSuspense', () => {
  test('divides money over cases, references and debtors, and keeps the rest', async () => {
    const [one, other] = [await cases.register(), await cases.register()]
    const debtorGuid = await makeDebtor(api)
    const third = await cases.register({ debtorGuid })
    const { suspenseGuid } = await suspended(100_003)
    const body = {
      parts: [
        { caseGuid: one.caseGuid, amount: 100.01 },
        { paymentReferenceNumber: other.paymentReferenceNumber, amount: 200 },
        { debtorGuid, amount: 300 },
        { caseGuid: one.caseGuid, amount: 0.01 },
      ],
    }
    const first = await divide(suspenseGuid, body, { 'idempotency-key': 'divide-once' })
    assert.equal(first.status, 200, first.text)
    assert.deepEqual(
      [first.body.suspense.status, first.body.suspense.amount, first.body.parts.map(({ amount }) => amount)],
      ['OPEN', 400.01, [100.01, 200, 300, 0.01]],
    )
    assert.ok(
      first.body.parts.every((part) => part.dividedFrom === suspenseGuid && part.paymentGuid !== null),
    )
    const again = await divide(suspenseGuid, body, { 'idempotency-key': 'divide-once' })
    assert.equal(again.headers.get('idempotency-replayed'), 'true')
    assert.deepEqual(again.body, first.body)
    const left = await Promise.all([one, other, third].map(({ caseGuid }) => remaining(caseGuid)))
    assert.deepEqual(left, [89_998, 80_000, 70_000])
    await assertAllProven()
    const last = await divide(suspenseGuid, { parts: [{ caseGuid: third.caseGuid, amount: 400.01 }] })
    assert.deepEqual([last.body.suspense.status, last.body.suspense.amount], ['ALLOCATED', 400.01])
    assertProblem(await divide(suspenseGuid, { parts: [{ debtorGuid, amount: 1 }] }), 'conflict', /already/)
    await assertAllProven()
    const events = await api.sql`select type from event where subject = ${suspenseGuid} order by sequence`
    assert.deepEqual(
      events.map(({ type }) => type as string),
      ['suspense.divided', 'suspense.divided', 'suspense.allocated'],
    )
  })

  test('a part returns to suspense by itself, and is allocated again', async () => {
    const [wrong, right] = [await cases.register(), await cases.register()]
    const { suspenseGuid } = await suspended(50_007)
    const made = await divide(suspenseGuid, { parts: [{ caseGuid: wrong.caseGuid, amount: 77.77 }] })
    const path = `/system/forms/payment/reverse?id=${made.body.parts[0]!.paymentGuid}`
    assert.equal((await api.call('PATCH', path, { body: { reason: 'Wrong case.' } })).status, 200)
    const [part] = await openSuspense(7_777)
    assert.equal(part!.dividedFrom, suspenseGuid)
    const allocated = await divide(part!.suspenseGuid, {
      parts: [{ caseGuid: right.caseGuid, amount: 77.77 }],
    })
    assert.equal(allocated.body.suspense.status, 'ALLOCATED', allocated.text)
    assert.equal(await remaining(right.caseGuid), 92_223)
    await assertAllProven()
  })

  test('does all or nothing, and names the parts that are wrong', async () => {
    const { caseGuid } = await cases.register()
    const norwegian = await cases.register({ currencyCode: 'NOK' })
    const { suspenseGuid } = await suspended(60_011)
    const good = { caseGuid, amount: 1 }
    const refused: [parts: object[], kind: 'invalid' | 'unprocessable' | 'not-found', said: RegExp][] = [
      [[good, { caseGuid, amount: 1.005 }], 'invalid', /parts\[1\]\.amount/],
      [[good, { caseGuid, amount: 0 }], 'invalid', /parts\[1\]\.amount/],
      [[good, { caseGuid }], 'invalid', /parts\[1\]\.amount|amount/],
      [[good, { amount: 1 }], 'invalid', /parts\[1\]/],
      [[good, { caseGuid, amount: 600 }], 'unprocessable', /at most SEK.600\.11/],
      [[good, { caseGuid: norwegian.caseGuid, amount: 1 }], 'unprocessable', /parts\[1\]\.currencyCode/],
      [
        [good, { paymentReferenceNumber: '1234567806', amount: 1 }],
        'not-found',
        /parts\[1\]\.paymentReferenceNumber/,
      ],
    ]
    for (const [parts, kind, said] of refused)
      assertProblem(await divide(suspenseGuid, { parts }), kind, said)
    assert.equal(await remaining(caseGuid), 100_000)
    assert.equal((await openSuspense(60_011))[0]!.suspenseGuid, suspenseGuid)
    const parts = [{ caseGuid, amount: 400 }]
    const answers = await Promise.all([1, 2, 3].map(() => divide(suspenseGuid, { parts })))
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 422, 422])
    await assertAllProven()
  })
})

describe('a return by the bank', () => {
  const back = { direction: 'DBIT', isReturn: true } as const

  test('reverses its payment, found by the bank’s reference, end-to-end or the only one with its references', async () => {
    for (const how of ['bankReference', 'endToEndId', 'reference'] as const) {
      const { caseGuid, paymentReferenceNumber: reference } = await cases.register()
      const pay = { reference, amount: 100_000, bankReference: `B${++serial}`, endToEndId: `E${serial}` }
      await camt([pay])
      assert.equal((await cases.readState(caseGuid))['closure_code'], 'PAID_IN_FULL')
      const own = {
        ...pay,
        ...back,
        bankReference: `R${++serial}`,
        endToEndId: 'NOTPROVIDED',
        reference: null,
      }
      const [entry] = await camt([{ ...own, [how]: pay[how] }])
      assert.deepEqual(
        [entry!.outcome, entry!.reason, entry!.paymentGuid !== null],
        ['NOT_BOOKED', 'REVERSAL', true],
      )
      assert.deepEqual(
        [await remaining(caseGuid), (await cases.readState(caseGuid))['closure_code']],
        [100_000, null],
      )
      // The statement of the day tells of it again, after the payer paid anew.
      await camt([{ ...pay, bankReference: `N${++serial}`, endToEndId: 'NOTPROVIDED', amount: 100_000 }])
      await camt([{ ...own, [how]: pay[how] }], { type: '053' })
      assert.equal(await remaining(caseGuid), 0, how)
    }
  })

  test('takes back every part of its payment, and money of it in suspense', async () => {
    const [one, other] = [await cases.register(), await cases.register()]
    const parts = [
      { reference: one.paymentReferenceNumber, amount: 1_000 },
      { reference: other.paymentReferenceNumber, amount: 2_000 },
    ]
    const pay = { reference: null, amount: 9_013, bankReference: `P${++serial}` }
    await camt([{ ...pay, parts }])
    const [rest] = await openSuspense(6_013)
    await divide(rest!.suspenseGuid, { parts: [{ caseGuid: one.caseGuid, amount: 10 }] })
    assert.equal(await remaining(one.caseGuid), 98_000)
    await camt([{ ...pay, ...back }])
    assert.deepEqual([await remaining(one.caseGuid), await remaining(other.caseGuid)], [100_000, 100_000])
    assert.deepEqual(await openSuspense(5_013), [])
  })

  test('is left to a person when it fits several payments or none', async () => {
    const { caseGuid, paymentReferenceNumber: reference } = await cases.register()
    for (let times = 0; times < 2; times++)
      await camt([{ reference, amount: 1_500, bankReference: `T${++serial}` }])
    const [several] = await camt([{ ...back, reference, amount: 1_500, bankReference: `U${++serial}` }])
    const [none] = await camt([{ ...back, reference, amount: 1_501, bankReference: `U${++serial}` }])
    assert.deepEqual([several!.paymentGuid, none!.paymentGuid], [null, null])
    assert.equal(await remaining(caseGuid), 97_000)
  })
})
