/** Proposals for money in suspense: the rules as tables, and over HTTP (listSuspenseProposals). */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Suspense, SuspenseProposals } from '../../../contract/treasury/suspense.ts'
import type { Page } from '../../platform/database/list.ts'
import type { JobRunner } from '../../platform/jobs/run-jobs.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { runJobs } from '../../testing/jobs.ts'
import { assertProblem } from '../../testing/problem.ts'
import { assertProven, openCases } from '../../testing/records/cases.ts'
import { makeCamt, type TestPayment } from '../../testing/records/files.ts'
import { nearNumbers, proposeCases, readNumbers, type Candidate } from './proposals.rules.ts'

const candidate = (
  caseGuid: string,
  debtorGuid: string,
  remaining: number,
  reasons: Candidate['reasons'],
) => ({
  caseGuid,
  caseNumber: caseGuid,
  debtorGuid,
  debtorName: debtorGuid,
  clientName: 'Kraft',
  remaining,
  reasons,
})

describe('the rules of proposals', () => {
  test('a reference comes before an amount, an amount before a name, and reasons add up', () => {
    const proposals = proposeCases(
      [
        candidate('named', 'a', 100, ['PAYER_NAME']),
        candidate('exact', 'b', 500, ['PAYER_NAME']),
        candidate('referred', 'c', 900, ['REFERENCE']),
        candidate('near', 'd', 700, ['REFERENCE_NEAR']),
      ],
      500,
    )
    assert.deepEqual(
      proposals.map(({ parts, reasons }) => [parts[0]!.caseGuid, reasons.join()]),
      [
        ['referred', 'REFERENCE'],
        ['exact', 'AMOUNT,PAYER_NAME'],
        ['near', 'REFERENCE_NEAR'],
        ['named', 'PAYER_NAME'],
      ],
    )
    assert.ok(proposals.every(({ parts }) => parts.every(({ amount }) => amount === 500)))
  })

  test('the open cases of a debtor are proposed together when the amount is their sum, and five at most', () => {
    const [first] = proposeCases(
      [candidate('x', 'a', 300, ['PAYER_NAME']), candidate('y', 'a', 200, ['PAYER_NAME'])],
      500,
    )
    assert.deepEqual(first!.reasons, ['AMOUNT_OF_ALL', 'PAYER_NAME'])
    assert.deepEqual(
      first!.parts.map(({ caseGuid, amount }) => [caseGuid, amount]),
      [
        ['x', 300],
        ['y', 200],
      ],
    )
    const many = Array.from({ length: 9 }, (_, n) => candidate(`c${n}`, `d${n}`, 1, ['PAYER_NAME']))
    assert.equal(proposeCases(many, 500).length, 5)
  })

  test('numbers are read from texts, and near ones differ by a digit or an exchange', () => {
    assert.deepEqual(readNumbers(['ref 10-000 817', null, 'Tack! nr: A-1234, hej 12']), ['10000', 'a1234'])
    const near = nearNumbers('100008')
    assert.ok(near.includes('100009') && near.includes('010008') && !near.includes('100008'))
    assert.deepEqual([nearNumbers('12345'), nearNumbers('12345a'), nearNumbers('1'.repeat(21))], [[], [], []])
  })
})

describe('proposals for money in suspense', () => {
  let api: TestApi
  let jobs: JobRunner
  let cases: Awaited<ReturnType<typeof openCases>>
  before(async () => {
    api = await startApi()
    cases = await openCases(api)
    jobs = await runJobs(api)
  })
  after(async () => {
    await jobs.stop()
    await api.close()
  })

  let bankReferences = 0
  /** Books a payment that stays in suspense. */
  async function suspend(payment: Partial<TestPayment> & { amount: number }): Promise<Suspense> {
    const one = { reference: null, bankReference: `PROPOSED${++bankReferences}`, ...payment }
    const raw = makeCamt([one])
    const headers = { 'content-type': 'application/octet-stream' }
    const sent = await api.call<{ paymentFileGuid: string }>('POST', '/payment-files', { raw, headers })
    assert.equal(sent.status, 201, sent.text)
    const filter = encodeURIComponent(`paymentFileGuid eq '${sent.body.paymentFileGuid}'`)
    for (;;) {
      const { body } = await api.call<Page<Suspense>>('GET', `/suspense?$filter=${filter}`)
      if (body.value[0]) return body.value[0]
      const file = await api.call<{ booked: number }>('GET', `/payment-files/${sent.body.paymentFileGuid}`)
      assert.equal(file.body.booked, 0, 'the payment was booked, and nothing is in suspense')
    }
  }
  const propose = async ({ suspenseGuid }: Suspense) => {
    const answer = await api.call<SuspenseProposals>('GET', `/suspense/${suspenseGuid}/proposals`)
    assert.equal(answer.status, 200, answer.text)
    return answer.body.proposals
  }
  const rename = (debtorGuid: string, lastname: string) =>
    api.call('PATCH', `/debtors/${debtorGuid}`, { body: { lastname } })

  test('name the case by an invoice in the message, and by a reference with one wrong digit', async () => {
    const made = await cases.register({ invoiceNumber: 'F-88123', principal: 900 })
    const [byInvoice] = await propose(await suspend({ amount: 5_000, message: 'faktura F-88123' }))
    assert.deepEqual(
      [byInvoice!.reasons, byInvoice!.parts[0]!.caseGuid, byInvoice!.parts[0]!.amount],
      [['REFERENCE'], made.caseGuid, 50],
    )
    const wrong = made.paymentReferenceNumber.replace(/.$/, (digit) => String((Number(digit) + 1) % 10))
    const proposals = await propose(await suspend({ amount: 90_000, message: `OCR ${wrong}` }))
    const near = proposals.find(({ parts }) => parts[0]!.caseGuid === made.caseGuid)
    assert.ok(
      near?.reasons.includes('REFERENCE_NEAR') && near.reasons.includes('AMOUNT'),
      JSON.stringify(proposals),
    )
  })

  test('name the open cases of the payer, together when the amount is their sum, and are booked', async () => {
    const first = await cases.register({ principal: 300 })
    await rename(first.debtorGuid, 'Wennergren')
    const second = await cases.register({ principal: 200, debtorGuid: first.debtorGuid })
    const money = await suspend({ amount: 50_000, payer: 'Wennergren' })
    const [together] = await propose(money)
    assert.deepEqual(together!.reasons, ['AMOUNT_OF_ALL', 'PAYER_NAME'])
    assert.deepEqual(
      together!.parts.map(({ caseGuid, amount, remainingSum }) => [caseGuid, amount, remainingSum]),
      [
        [first.caseGuid, 300, 300],
        [second.caseGuid, 200, 200],
      ],
    )
    const parts = together!.parts.map(({ caseGuid, amount }) => ({ caseGuid, amount }))
    const booked = await api.call('POST', `/suspense/${money.suspenseGuid}/divide`, { body: { parts } })
    assert.equal(booked.status, 200, booked.text)
    assert.equal((await cases.readState(second.caseGuid))['closure_code'], 'PAID_IN_FULL')
    await assertProven(api)
    assert.deepEqual(await propose(money), [])
  })

  test('name the debtor whom the same payer has paid for before', async () => {
    const made = await cases.register({ principal: 800 })
    const money = await suspend({ amount: 10_000, payer: 'Mormor Svea' })
    assert.deepEqual(await propose(money), [])
    await api.call('POST', `/suspense/${money.suspenseGuid}/allocate`, { body: { caseGuid: made.caseGuid } })
    const [again] = await propose(await suspend({ amount: 10_000, payer: 'MORMOR SVEA' }))
    assert.deepEqual([again!.reasons, again!.parts[0]!.caseGuid], [['PAYER_BEFORE'], made.caseGuid])
  })

  test('leave out closed cases and other currencies, and callers without the right', async () => {
    const closed = await cases.register({ principal: 100 })
    await api.call('PATCH', `/system/forms/case/close?id=${closed.caseGuid}`, {
      body: { closureCode: 'RECALLED_BY_CLIENT' },
    })
    const foreign = await cases.register({ principal: 100, currencyCode: 'NOK' })
    for (const { debtorGuid } of [closed, foreign]) await rename(debtorGuid, 'Ekelund')
    const money = await suspend({ amount: 10_000, payer: 'Ekelund' })
    assert.deepEqual(await propose(money), [])
    const path = `/suspense/${money.suspenseGuid}/proposals`
    assertProblem(await api.call('GET', path, { token: await api.signIn(5) }), 'forbidden', /payment\.write/)
    assertProblem(
      await api.call('GET', '/suspense/0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70/proposals'),
      'not-found',
      /suspense/,
    )
  })
})
