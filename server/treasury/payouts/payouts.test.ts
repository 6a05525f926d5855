/** Payouts to clients: the amounts due, booked once, and the file for the bank. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { SaxesParser } from 'saxes'
import type { PayoutBatch, PayoutBatchDetail, PayoutDue } from '../../../contract/treasury/payouts.ts'
import { agencyCaller, context, nowhere, openCases } from '../../testing/records/cases.ts'
import { addFee } from '../../cases/movements.ts'
import { reversePayment } from '../../payments/reverse-payment.ts'
import type { Page } from '../../platform/database/list.ts'
import { verifyTrust } from '../bank-files/verify-trust.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'
import { writePain001 } from './pain001.ts'

let api: TestApi
let cases: Awaited<ReturnType<typeof openCases>>
before(async () => {
  api = await startApi()
  cases = await openCases(api)
})
after(() => api.close())

/** createPayout */
const pay = (body: object = { currencyCode: 'SEK' }, options: object = {}) =>
  api.call<PayoutBatchDetail>('POST', '/payouts', { body, ...options })
/** getPayoutFile */
const readPayoutFile = async (guid: string) => (await api.call('GET', `/payouts/${guid}/file`)).text
/** getPayoutsDue */
const dueNow = async (options: object = {}) =>
  (await api.call<{ asOf: string; value: PayoutDue[] }>('GET', '/payouts/due', options)).body
const setAccount = (party: string, account: string | null) =>
  api.sql`update party set bank_account_no = ${account} where id = ${party}`
const setAgency = (account: string | null) =>
  api.sql`update party set bank_account_no = ${account} where parent_id is null`

/** The texts of a file by element path, and the order of the children of each element. */
function readXml(text: string) {
  const open: string[] = []
  const texts = new Map<string, string[]>()
  const orders = new Map<string, string[]>()
  const parser = new SaxesParser()
  parser.on('opentag', ({ name }) => {
    const order = orders.get(open.at(-1) ?? '') ?? []
    if (order.at(-1) !== name) orders.set(open.at(-1) ?? '', [...order, name])
    open.push(name)
  })
  parser.on('text', (value) => {
    const path = open.slice(1).join('/')
    if (value.trim() !== '') texts.set(path, [...(texts.get(path) ?? []), value])
  })
  parser.on('closetag', () => void open.pop())
  parser.write(text).close()
  return { texts, orders }
}

/** The schema order of pain.001.001.09, for the elements that may occur. */
const schemaOrder: Record<string, string[]> = {
  CstmrCdtTrfInitn: ['GrpHdr', 'PmtInf', 'SplmtryData'],
  GrpHdr: ['MsgId', 'CreDtTm', 'Authstn', 'NbOfTxs', 'CtrlSum', 'InitgPty', 'FwdgAgt'],
  PmtInf:
    `PmtInfId PmtMtd BtchBookg NbOfTxs CtrlSum PmtTpInf ReqdExctnDt PoolgAdjstmntDt Dbtr DbtrAcct DbtrAgt DbtrAgtAcct
    InstrForDbtrAgt UltmtDbtr ChrgBr ChrgsAcct ChrgsAcctAgt CdtTrfTxInf`.split(/\s+/),
  CdtTrfTxInf:
    `PmtId PmtTpInf Amt XchgRateInf ChrgBr MndtRltdInf ChqInstr UltmtDbtr IntrmyAgt1 IntrmyAgt1Acct IntrmyAgt2
    IntrmyAgt2Acct IntrmyAgt3 IntrmyAgt3Acct CdtrAgt CdtrAgtAcct Cdtr CdtrAcct UltmtCdtr InstrForCdtrAgt InstrForDbtrAgt Purp
    RgltryRptg Tax RltdRmtInf RmtInf SplmtryData`.split(/\s+/),
  PmtId: ['InstrId', 'EndToEndId', 'UETR'],
  DbtrAcct: ['Id', 'Tp', 'Ccy', 'Nm', 'Prxy'],
  CdtrAcct: ['Id', 'Tp', 'Ccy', 'Nm', 'Prxy'],
  Othr: ['Id', 'SchmeNm', 'Issr'],
}

test('each client is paid what was collected, once, and the sums of the file match', async () => {
  const first = await cases.register({ principal: 1000, fee: 60 })
  const second = await cases.register({ clientGuid: cases.other })
  assertProblem(await pay(), 'unprocessable', /no bank account to pay from/)
  await setAgency('SE45 5000 0000 0583 9825 7466')
  assertProblem(await pay(), 'unprocessable', /is owed anything in SEK/)
  // 60 of costs were registered with the case and belong to the client. The fee belongs to the agency.
  await addFee(
    api.sql,
    agencyCaller,
    { caseGuid: first.caseGuid, input: { feeType: 'reminder', amount: 50 } },
    context,
  )
  await cases.pay({ caseGuid: first.caseGuid, amount: 300 })
  await cases.pay({ caseGuid: second.caseGuid, amount: 200 })
  await cases.pay({ caseGuid: second.caseGuid, amount: 100, toThirdParty: true })
  await setAccount(cases.client, '5805-6201')
  await setAccount(cases.other, null)
  const { asOf, value: expected } = await dueNow()
  assert.equal(asOf, '2026-06-15T00:00:00Z')
  const { status, body } = await pay({ currencyCode: 'SEK', executionDate: '2026-06-17' })
  assert.equal(status, 201)
  assert.deepEqual([body.amount, body.payouts, body.account], [250, 1, 'SE45 5000 0000 0583 9825 7466'])
  assert.deepEqual(
    body.lines.map(({ clientGuid, amount, account, cases: count }) => [clientGuid, amount, account, count]),
    [[cases.client, 250, '5805-6201', 1]],
  )
  assert.deepEqual(
    body.leftOut.map(({ clientGuid, amount, reason }) => [clientGuid, amount, reason]),
    [[cases.other, 200, 'NO_ACCOUNT']],
  )
  const lines = body.lines.map(({ clientGuid, clientName, account, amount, cases: count }) => ({
    clientGuid,
    clientName,
    account,
    amount,
    cases: count,
  }))
  assert.deepEqual(expected, [{ currencyCode: 'SEK', amount: 250, lines, leftOut: body.leftOut }])
  assert.deepEqual((await dueNow()).value, [
    { currencyCode: 'SEK', amount: 0, lines: [], leftOut: body.leftOut },
  ])
  const { texts, orders } = readXml(await readPayoutFile(body.payoutBatchGuid))
  const at = (path: string) => texts.get(`CstmrCdtTrfInitn/${path}`)
  assert.deepEqual(at('GrpHdr/CtrlSum'), ['250.00'])
  assert.deepEqual(at('PmtInf/NbOfTxs'), ['1'])
  assert.deepEqual(at('PmtInf/ReqdExctnDt/Dt'), ['2026-06-17'])
  assert.deepEqual(at('PmtInf/DbtrAcct/Id/IBAN'), ['SE4550000000058398257466'])
  assert.deepEqual(at('PmtInf/CdtTrfTxInf/Amt/InstdAmt'), ['250.00'])
  assert.deepEqual(at('PmtInf/CdtTrfTxInf/CdtrAcct/Id/Othr/Id'), ['58056201'])
  assert.deepEqual(at('PmtInf/CdtTrfTxInf/CdtrAcct/Id/Othr/SchmeNm/Prtry'), ['BGNR'])
  for (const [name, order] of Object.entries(schemaOrder)) {
    const places = (orders.get(name) ?? []).map((child) => order.indexOf(child))
    assert.ok(places.length > 0 && !places.includes(-1), `${name}: ${orders.get(name)?.join()}`)
    assert.deepEqual(
      places,
      places.toSorted((a, b) => a - b),
      name,
    )
  }
  assertProblem(await pay(), 'unprocessable', /is owed anything/)
  assert.equal(await readPayoutFile(body.payoutBatchGuid), await readPayoutFile(body.payoutBatchGuid))
  // getPayout, listPayouts
  const read = await api.call<PayoutBatchDetail>('GET', `/payouts/${body.payoutBatchGuid}`)
  assert.deepEqual(read.body.lines, body.lines)
  const { body: listed } = await api.call<Page<PayoutBatch>>('GET', '/payouts?$filter=amount%20eq%20250')
  assert.deepEqual(
    listed.value.map(({ payoutBatchGuid }) => payoutBatchGuid),
    [body.payoutBatchGuid],
  )
  await setAccount(cases.other, 'NO9386011117947')
  assert.equal((await pay()).body.amount, 200)
})

test('a payment reversed after its payout is deducted from the client’s next payout', async () => {
  const { caseGuid } = await cases.register({ currencyCode: 'NOK' })
  const { paymentGuid } = await cases.pay({ caseGuid, amount: 400, currencyCode: 'NOK' })
  assert.equal((await pay({ currencyCode: 'NOK' })).body.amount, 400)
  await reversePayment(api.sql, agencyCaller, { paymentGuid, input: { reason: 'bounced' } }, context)
  assertProblem(await pay({ currencyCode: 'NOK' }), 'unprocessable', /is owed anything/)
  await cases.pay({ caseGuid, amount: 500, currencyCode: 'NOK' })
  const { body } = await pay({ currencyCode: 'NOK' })
  assert.deepEqual([body.amount, body.leftOut], [100, []])
})

test('a payout is booked once', async () => {
  const again = api.sql`
    insert into trust_transaction (id, kind, currency_code, value_date, booked_date, payout_id)
    select gen_random_uuid(), kind, currency_code, value_date, booked_date, payout_id from trust_transaction
    where payout_id is not null`
  await assert.rejects(again, /trust_transaction_payout_id_key/)
})

test('only one of many concurrent payouts pays', async () => {
  const { caseGuid } = await cases.register({ currencyCode: 'EUR' })
  await cases.pay({ caseGuid, amount: 70, currencyCode: 'EUR' })
  const answers = await Promise.all([1, 2, 3].map(() => pay({ currencyCode: 'EUR' })))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 422, 422])
  assert.deepEqual(await verifyTrust(api.sql), [])
  await api.sql`update payout_batch set amount = amount + 1`
  assert.deepEqual(await verifyTrust(api.sql), ['a payout batch is not the sum of its payouts'])
  await api.sql`update payout_batch set amount = amount - 1`
})

test('a payout is refused without a currency, for a past date, and for a restricted user', async () => {
  assertProblem(await pay({}), 'invalid', /one currency/)
  assertProblem(await pay({ currencyCode: 'XX' }), 'invalid', /ISO 4217/)
  const past = { currencyCode: 'SEK', executionDate: '2026-06-14' }
  assertProblem(await pay(past), 'invalid', /before the business date/)
  const token = await api.signIn(6, cases.client)
  assertProblem(await pay({ currencyCode: 'SEK' }, { token }), 'forbidden', /payment.admin/)
  const { body } = await api.call<Page<PayoutBatch>>('GET', '/payouts', { token })
  assert.equal(body.total, 0)
  const open = await cases.register()
  await cases.pay({ caseGuid: open.caseGuid, amount: 30 })
  assert.equal((await dueNow()).value.find(({ currencyCode }) => currencyCode === 'SEK')?.amount, 30)
  assert.deepEqual((await dueNow({ token })).value, [])
  assertProblem(await api.call('GET', `/payouts/${nowhere}/file`), 'not-found', /no such payout/)
})

test('the file is valid XML whatever a client’s name contains', () => {
  const file = {
    messageId: 'M',
    createdAt: '2026-06-15T00:00:00Z',
    executionDate: '2026-06-15',
    currencyCode: 'EUR',
    debtorName: 'A & <B> "C"\u0007\u0085',
    account: 'FI2112345600000785',
    transfers: [
      { endToEndId: 'E', amount: 1n, creditorName: 'Å'.repeat(200), account: '1234 567', message: ']]>' },
    ],
  }
  const { texts } = readXml(writePain001(file))
  assert.deepEqual(texts.get('CstmrCdtTrfInitn/GrpHdr/InitgPty/Nm'), ['A & <B> "C"'])
  assert.equal(texts.get('CstmrCdtTrfInitn/PmtInf/CdtTrfTxInf/Cdtr/Nm')![0]!.length, 140)
  assert.deepEqual(texts.get('CstmrCdtTrfInitn/PmtInf/ChrgBr'), ['SLEV'])
  assert.throws(() => writePain001({ ...file, transfers: [] }), RangeError)
  assert.throws(
    () => writePain001({ ...file, transfers: [{ ...file.transfers[0]!, amount: 0n }] }),
    RangeError,
  )
})
