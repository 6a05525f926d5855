/** What the law and the explanation say of a fee that is charged once for several claims. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { CaseExplanation } from '../../../contract/cases/case-explanation.ts'
import type { CasePermissions } from '../../../contract/cases/permissions.ts'
import type { LetterData } from '../letters/letter-data.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { makeDemands, notified, type Demands } from '../../testing/records/demands.ts'
import { assertProven } from '../../testing/records/cases.ts'
import { assignStrategy } from '../strategies/strategies.store.ts'

let api: TestApi
let demands: Demands
before(async () => {
  api = await startApi({ FORDRA_SERVICES: '' })
  demands = makeDemands(api)
})
after(() => api.close())

test('a review by the law judges the one fee by the joint principal, and the letter for each claim', async () => {
  const { cases } = await demands.demandThree()
  // By 600 kroner alone, a fee of 300 would be above its ceiling.
  await demands.reviewLaw()
  const found = await api.sql`select kind from law_finding where case_id = any(${cases}::uuid[])`
  assert.deepEqual([...found], [])
})

test('the explanation says that a fee was charged once for several claims, and permissions count it for each', async () => {
  const { debtorGuid, cases } = await demands.demandThree()
  const explained = await api.call<CaseExplanation>('GET', `/debtors/${debtorGuid}/cases/${cases[0]}/explain`)
  assert.match(explained.text, /Charged once for 3 claims that were demanded together/)
  for (const caseGuid of cases) {
    const { body } = await api.call<CasePermissions>(
      'GET',
      `/debtors/${debtorGuid}/cases/${caseGuid}/permissions`,
    )
    const fee = body.actions.find(({ action }) => action === 'fee:collectionFee')!
    // The light fee of the joint principal is used up.
    assert.deepEqual([fee.allowed, fee.reasonCode, fee.rule], [false, 'ceiling', 'NO-COLLECTION-FEE'])
  }
})

test('a letter by hand demands all claims that the law lets it, with the reference of the group (sendLetter, previewLetter)', async () => {
  const { debtorGuid, register } = await demands.open('NO')
  const cases = [await register(notified), await register(notified)]
  // The notice of this one has not been sent: it cannot be demanded yet.
  const early = await register()
  const body = { caseGuid: cases[1], kind: 'demand', dueDate: '2026-03-20' }
  const preview = await api.call<{ text: string }>('POST', `/debtors/${debtorGuid}/letters/preview`, { body })
  assert.equal(preview.status, 200, preview.text)
  assert.match(preview.body.text, /demanded together/)
  assert.equal((await demands.findGroups(debtorGuid)).length, 0)
  const sent = await api.call('POST', `/debtors/${debtorGuid}/letters`, { body })
  assert.equal(sent.status, 201, sent.text)
  const [group] = await demands.findGroups(debtorGuid)
  assert.equal(group!.cases, 2)
  assert.deepEqual(await demands.listLetters(debtorGuid), ['0 demand 2'])
  const [letter] = await api.sql<{ data: LetterData }[]>`
    select data from document where debtor_id = ${debtorGuid}`
  assert.ok(letter!.data.payment.some(([, value]) => value === group!.reference))
  assert.equal((await demands.readGroup(debtorGuid, early)).demandGroupGuid, null)
  // Once one was taken out, a letter by hand is about one case again.
  await demands.setDemand(cases[1]!, { demandedAlone: true, demandReason: 'Another matter' })
  assert.equal((await api.call('POST', `/debtors/${debtorGuid}/letters`, { body })).status, 201)
  assert.deepEqual(await demands.listLetters(debtorGuid), ['0 demand 2', '0 demand 1'])
})

test('a review finds fees that were charged for each of several claims, and their correction reverses them', async () => {
  const { client, register } = await demands.open('NO')
  await assignStrategy(api.sql, client, null)
  const cases = [await register(notified), await register(notified), await register(notified)]
  for (const caseGuid of cases) {
    const { status: added, text } = await api.call('POST', `/system/forms/fee/add?id=${caseGuid}`, {
      body: { feeType: 'collectionFee', amount: 100 },
    })
    assert.equal(added, 201, text)
  }
  await demands.setDemand(cases[2]!, { demandedAlone: true, demandReason: 'Another matter' })
  await demands.reviewLaw()
  const found = await api.sql<{ id: string; case_id: string }[]>`
    select id, case_id, kind, rule, correction, amount from law_finding
    where case_id = any(${cases}::uuid[]) and status = 'OPEN'`
  assert.deepEqual(
    found.map(({ id, ...finding }) => ({ ...finding, hasGuid: id.length === 36 })),
    [
      {
        case_id: cases[1],
        kind: 'FEE_NOT_ALLOWED',
        rule: 'NO-TOGETHER',
        correction: 'REVERSE_FEE',
        amount: 10_000,
        hasGuid: true,
      },
    ],
  )
  const confirmed = await api.call('POST', '/law-findings/confirmations', {
    body: { lawFindingGuids: [found[0]!.id] },
  })
  assert.ok(confirmed.status < 300, confirmed.text)
  const [second] = await api.sql`select remaining_fee from debt_case where id = ${cases[1]!}`
  assert.equal(second!['remaining_fee'], 0)
  await assertProven(api)
})
