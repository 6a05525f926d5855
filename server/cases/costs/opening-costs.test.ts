/** Costs that a case brings with it: refused to a person above the ceiling, kept apart by an import. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { CaseByGuid } from '../../../contract/cases/all-cases.ts'
import type { CaseExplanation } from '../../../contract/cases/case-explanation.ts'
import type { CasePermissions } from '../../../contract/cases/permissions.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import {
  agencyCaller,
  assertProven,
  context,
  makeDebtor,
  openCases,
  setTerms,
  today,
  type OpenedCases,
} from '../../testing/records/cases.ts'
import { watchDatabase } from '../../testing/watched-database.ts'
import { insertCases } from '../insert-cases.ts'
import { prepareCase } from '../register-case.ts'

let api: TestApi
let cases: OpenedCases
before(async () => {
  api = await startApi({ FORDRA_SERVICES: '' })
  cases = await openCases(api)
  await setTerms(api, cases.client, { country_code: 'SE' })
})
after(() => api.close())

const input = async (more: object) => ({
  clientGuid: cases.client,
  debtorGuid: await makeDebtor(api),
  principal: 1000,
  currencyCode: 'SEK',
  dueDate: '2026-01-10',
  ...more,
})
const register = async (more: object) =>
  api.call<{ caseGuid: string; rule?: string; highest?: string; errors?: Record<string, string[]> }>(
    'POST',
    '/system/forms/case/register',
    { body: await input(more) },
  )
const owedOn = async (caseGuid: string) =>
  (
    await api.sql<{ fee: number; withheld: number; court: number }[]>`
      select original_fee as fee, withheld_fee as withheld, opening_court_costs as court
      from debt_case where id = ${caseGuid}`
  )[0]!

test('a person who registers costs above the ceiling is told the ceiling and its rule', async () => {
  const dear = await register({ fee: 5000, feeType: 'reminder', reminderFeeAgreed: true })
  assert.equal(dear.status, 422)
  assert.equal(dear.body.rule, 'SE-REMINDER-CEILING')
  assert.equal(dear.body.highest, '60.00')
  assert.match(dear.body.errors!['fee']![0]!, /SEK.60\.00.*1981:739/)
  const unsaid = await register({ fee: 5000 })
  assert.equal(unsaid.status, 422)
  assert.equal(unsaid.body.rule, 'SE-OTHER-COSTS')
  const unagreed = await register({ fee: 60, feeType: 'reminder' })
  assert.deepEqual([unagreed.status, unagreed.body.rule], [422, 'SE-REMINDER-AGREED'])
  assert.equal((await register({ fee: 60, feeDate: '2026-12-31' })).status, 400)
  for (const lawful of [
    { fee: 60, feeType: 'reminder', reminderFeeAgreed: true },
    { fee: 180, feeType: 'collectionDemand' },
    { fee: 180 },
    { fee: 5000, feeType: 'courtCost' },
    { fee: 180, courtCosts: 4820 },
  ])
    assert.equal((await register(lawful)).status, 201, JSON.stringify(lawful))
})

test('the ceiling of the day counts on which the costs were charged', async () => {
  // 160 until 15 March 2013, 180 since.
  const earlier = await register({ fee: 180, feeType: 'collectionDemand', feeDate: '2013-03-15' })
  assert.deepEqual([earlier.status, earlier.body.highest], [422, '160.00'])
  const since = await register({ fee: 180, feeType: 'collectionDemand', feeDate: '2013-03-16' })
  assert.equal(since.status, 201)
})

test('court costs are owed with the case beside other costs', async () => {
  const { body } = await register({ fee: 180, courtCosts: 4820 })
  assert.deepEqual(await owedOn(body.caseGuid), { fee: 5000_00, withheld: 0, court: 4820_00 })
})

test('an import keeps what is above the ceiling apart, and demands the rest', async () => {
  const prepared = await prepareCase(
    api.sql,
    agencyCaller,
    await input({ fee: 5000, feeType: 'reminder', reminderFeeAgreed: true, courtCosts: 100 }),
    today,
  )
  const [made] = await inTransaction(api.sql, (tx) => insertCases(tx, [prepared], context))
  assert.equal(made!.withheld, 4940_00n)
  assert.deepEqual(await owedOn(made!.caseGuid), { fee: 160_00, withheld: 4940_00, court: 100_00 })
  const { body } = await api.call<CaseByGuid>('GET', `/cases/${made!.caseGuid}`)
  assert.deepEqual([body.withheldFee, body.remainingSum], [4940, 1160])
  const explained = await api.call<CaseExplanation>(
    'GET',
    `/debtors/${prepared.debtorGuid}/cases/${made!.caseGuid}/explain`,
  )
  assert.equal(explained.body.figures.find(({ figure }) => figure === 'originalFee')!.amount, 160)
  await assertProven(api)
})

test('cases inserted together are held to the law of each one’s day, by tables that are read once', async () => {
  const days = ['2013-03-15', '2013-03-16', '2026-01-20']
  const prepared = await Promise.all(
    days.map(async (feeDate) =>
      prepareCase(
        api.sql,
        agencyCaller,
        await input({ fee: 500, feeType: 'collectionDemand', feeDate }),
        today,
      ),
    ),
  )
  const watched = watchDatabase(api.databaseUrl)
  const sql = openDatabase(watched.url, { max: 1, onnotice: watched.onnotice })
  try {
    const made = await inTransaction(sql, (tx) => insertCases(tx, prepared, context))
    assert.deepEqual(
      made.map(({ withheld }) => withheld),
      [340_00n, 320_00n, 320_00n],
    )
    const read = watched.take().filter(({ text }) => text.includes('from statutory_fee'))
    assert.equal(read.length, 1)
  } finally {
    await sql.end()
  }
})

test('in a currency that the law does not name costs are refused and kept apart, as a later fee is refused', async () => {
  const foreign = { currencyCode: 'EUR', feeType: 'collectionDemand' }
  const dear = await register({ ...foreign, fee: 5000 })
  assert.deepEqual([dear.status, dear.body.rule, dear.body.highest], [422, 'SE-DEMAND-CEILING', '0.00'])
  assert.match(dear.body.errors!['fee']![0]!, /names no amount for this currency/)
  assert.equal((await register({ ...foreign, feeType: null, fee: 1 })).status, 422)
  assert.equal((await register({ ...foreign, fee: 0, courtCosts: 100 })).status, 201)
  const prepared = await prepareCase(api.sql, agencyCaller, await input({ ...foreign, fee: 50 }), today)
  const [made] = await inTransaction(api.sql, (tx) => insertCases(tx, [prepared], context))
  assert.deepEqual(await owedOn(made!.caseGuid), { fee: 0, withheld: 50_00, court: 0 })
  const later = await charge(made!.caseGuid, 'collectionDemand', 50)
  assert.deepEqual([later.status, later.body.rule], [422, 'SE-DEMAND-CEILING'])
  await assertProven(api)
})

const charge = (caseGuid: string, feeType: string, amount?: number) =>
  api.call<{ rule?: string; highest?: string }>('POST', `/system/forms/fee/add?id=${caseGuid}`, {
    body: { feeType, ...(amount !== undefined && { amount }) },
  })
let clients = 0
const registerFor = async (country: string, currencyCode: string, more: object) => {
  const client = await api.addParty(`OF${++clients}`)
  await setTerms(api, client, { country_code: country, currency_code: currencyCode })
  const made = await register({ clientGuid: client, currencyCode, ...more })
  assert.equal(made.status, 201, made.text)
  return made.body.caseGuid
}
const ask = async (caseGuid: string, action: string) => {
  const { debtorGuid } = (await api.call<CaseByGuid>('GET', `/cases/${caseGuid}`)).body
  const path = `/debtors/${debtorGuid}/cases/${caseGuid}/permissions`
  const { body } = await api.call<CasePermissions>('GET', path)
  return body.actions.find((one) => one.action === action)!
}

test('a fee that the case brought with it is not charged again where the law counts it', async () => {
  const { body } = await register({ fee: 180, feeType: 'collectionDemand' })
  const again = await charge(body.caseGuid, 'collectionDemand', 180)
  assert.deepEqual([again.status, again.body.rule], [422, 'SE-ONCE'])
  const { allowed, rule } = await ask(body.caseGuid, 'fee:collectionDemand')
  assert.deepEqual([allowed, rule], [false, 'SE-ONCE'])
  // Which fees costs of unstated kind were is not on record.
  const unsaid = await register({ fee: 180 })
  assert.equal((await ask(unsaid.body.caseGuid, 'fee:collectionDemand')).rule, 'SE-DEMAND-CEILING')
})

test('a later fee gets what the costs of before leave of a sum, also those of unstated kind, without court costs', async () => {
  const due = { dueDate: '2026-01-10', noticeDeadline: '2026-02-20' }
  const clean = await registerFor('NO', 'NOK', due)
  const whole = (await ask(clean, 'fee:collectionFee')).highest!
  for (const costs of [{ fee: 100, feeType: 'collectionFee' }, { fee: 100 }]) {
    const guid = await registerFor('NO', 'NOK', { ...due, ...costs, courtCosts: 1000 })
    assert.equal((await ask(guid, 'fee:collectionFee')).highest, whole - 100)
  }
})

test('what was withheld does not count: it is not demanded', async () => {
  const client = await api.addParty('WITHHELD')
  await setTerms(api, client, { country_code: 'FI', currency_code: 'EUR' })
  const costs = {
    clientGuid: client,
    currencyCode: 'EUR',
    principal: 500,
    fee: 900,
    feeType: 'collectionDemand',
  }
  const prepared = await prepareCase(api.sql, agencyCaller, await input(costs), today)
  const [made] = await inTransaction(api.sql, (tx) => insertCases(tx, [prepared], context))
  assert.ok(made!.withheld > 0n)
  const { highest, allowed } = await ask(made!.caseGuid, 'fee:dueDateMove')
  assert.equal(allowed, true)
  assert.ok(highest! > 0, 'the excess would have used up the cap of all costs')
})

test('a case of a country without a pack, or of no country, is refused nothing', async () => {
  const client = await api.addParty('ABROAD')
  await setTerms(api, client, { country_code: 'FR' })
  const { status } = await register({ clientGuid: client, fee: 5000 })
  assert.equal(status, 201)
})
