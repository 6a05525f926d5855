/** Every list that adds up amounts: the sums are those of its rows. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { operations } from '../../contract/api.ts'
import type { Operation } from '../../contract/platform/operation.ts'
import { fromMinor, readAmount } from '../../core/money/money.ts'
import type { Page } from '../platform/database/list.ts'
import { startApi, type TestApi } from '../testing/api.ts'
import { context, openCases } from '../testing/records/cases.ts'
import { makeBgMax } from '../testing/records/files.ts'
import { postFile } from './bank-files/post-entries.ts'
import { receivePaymentFile } from './bank-files/receive-file.ts'

let api: TestApi
const guids: Record<string, string> = {}
before(async () => {
  api = await startApi()
  const cases = await openCases(api)
  const made = await Promise.all([{}, { currencyCode: 'JPY' }, { principal: 70.5 }].map(cases.register))
  const [first, yen] = made
  Object.assign(guids, { debtorGuid: first!.debtorGuid })
  for (const { caseGuid } of made) {
    await post(`/cases/${caseGuid}/calls`, {
      outcome: 'REACHED',
      rightParty: true,
      promisedAmount: 40,
      promisedDate: '2026-07-01T00:00:00Z',
    })
    await post(`/system/forms/objection/create?id=${caseGuid}`, {
      matter: 'OBJECTION',
      kind: 'WRONG_AMOUNT',
      amount: 12,
      reason: 'Too much.',
    })
  }
  await cases.pay({ caseGuid: yen!.caseGuid, amount: 300, currencyCode: 'JPY' })
  await post(`/debtors/${first!.debtorGuid}/paymentplans`, {
    paymentPlanType: 1,
    numberOfPayments: 3,
    active: 1,
  })
  await post('/system/forms/purchase/create', {
    clientGuid: cases.client,
    purchaseNumber: 'P-1',
    amount: 12.5,
    currencyCode: 'EUR',
  })
  await post('/system/forms/purchase/create', { clientGuid: cases.client, purchaseNumber: 'P-2' })
  const text = makeBgMax([{ reference: null, amount: 12_345, payer: 'Nobody' }])
  const { origin } = context
  const file = await receivePaymentFile(api.sql, [Buffer.from(text)], {
    fileName: null,
    bytesMax: 1e6,
    origin,
  })
  await postFile(api.sql, file.fileGuid, { origin })
  guids['paymentFileGuid'] = file.fileGuid
})
after(() => api.close())

async function post(path: string, body: object): Promise<void> {
  const made = await api.call('POST', path, { body })
  assert.ok(made.status < 300, `${path} ${made.text}`)
}

type Row = Record<string, unknown>
const readProperties = (schema: unknown) => (schema as { properties?: Row } | undefined)?.properties ?? {}
const lists = operations.filter(({ query }: Operation) => 'sums' in readProperties(query))

/** The amounts that a list adds up, by the schema of its answer. */
function readNames({ response }: Operation): string[] {
  const { sums } = readProperties(response) as { sums: { anyOf: [{ items: { properties: Row } }] } }
  const { amounts } = sums.anyOf[0].items.properties as { amounts: { properties: Row } }
  return Object.keys(amounts.properties)
}

/** Added up row by row, in whole minor units. */
function addRows(rows: readonly Row[], names: readonly string[]): Page<Row>['sums'] {
  const byCurrency = Object.groupBy(rows, ({ currencyCode }) => String(currencyCode))
  return Object.entries(byCurrency)
    .toSorted()
    .map(([code, some = []]) => {
      const add = (name: string) =>
        some.reduce((all, row) => {
          const minor = readAmount(Number(row[name] ?? 0), code === 'null' ? 'SEK' : code)
          assert.ok(minor.ok)
          return all + minor.minor
        }, 0n)
      const sums = names.map((name) => [name, fromMinor(add(name), code === 'null' ? 'SEK' : code)])
      const currencyCode = code === 'null' ? null : code
      return { currencyCode, count: some.length, amounts: Object.fromEntries(sums) as Record<string, number> }
    })
}

for (const operation of lists)
  test(`${operation.name} adds up the amounts of its rows`, async () => {
    const names = readNames(operation)
    const path = operation.path.replace(/:(\w+)/g, (_text, name: string) => guids[name]!)
    const { status, body, text } = await api.call<Page<Row>>(
      'GET',
      `${path}?$top=100&sums=${names.join(',')}`,
    )
    assert.equal(status, 200, text)
    assert.deepEqual(body.sums, addRows(body.value, names))
    if (!['listLawFindings', 'listPayouts'].includes(operation.name)) assert.ok(body.total > 0)
  })

test('the lists that add up are known', () => {
  assert.equal(lists.length, 12)
})
