/** Payment plans from files: the rules of D14, imported once, with all effects of activation. */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { assertProven } from '../../../testing/records/cases.ts'
import { startApi, type TestApi } from '../../../testing/api.ts'
import { imports, type ImportedKind } from './kinds.ts'

let api: TestApi
let folder = ''
before(async () => {
  api = await startApi()
  await api.setDate('2026-06-15')
  folder = await mkdtemp(join(tmpdir(), 'fordra-import-'))
  await run('parties', 'partyReferenceCode,name\nKUND,Kund AB\n')
  await run('debtors', 'sourceReference,lastname\nD1,Ek\nD2,Alm\nD3,Bok\n')
  await run(
    'cases',
    `sourceReference,partyReferenceCode,debtorReference,principal,currencyCode,interestRate
C1,KUND,D1,1200,SEK,10
C2,KUND,D1,600,SEK,10
C3,KUND,D2,5000,SEK,
C4,KUND,D2,300,SEK,
C5,KUND,D3,700,EUR,
`,
  )
})
after(async () => {
  await api.close()
  await rm(folder, { recursive: true, force: true })
})

let files = 0
async function run(what: ImportedKind, content: string, ending = 'csv') {
  const file = join(folder, `${++files}.${ending}`)
  await writeFile(file, content)
  const rejectedFile = `${file}.rejected.csv`
  const request = { file, source: 'test', mappings: [], allowDuplicates: false, rejectedFile }
  const report = await imports[what](api.sql, request, { countryCode: 'SE', currencyCode: 'SEK' })
  const faults =
    report.rejectedFile === null
      ? []
      : parse<Record<string, string>>(await readFile(report.rejectedFile, 'utf8'), { columns: true })
  const { rows, inserted, alreadyThere, rejected } = report
  return {
    counts: [rows, inserted, alreadyThere, rejected],
    faults: faults.map(({ line, field }) => `${line} ${field}`),
    reasons: faults.map(({ reason }) => reason),
  }
}

const heading =
  'sourceReference,debtorReference,caseReferences,paymentPlanType,numberOfPayments,amount,firstDueDate,registrationFee,active\n'
const file = `${heading}P1,D1,C1|C2,1,6,,2026-07-01,170,1
P2,D2,C3,3,,500,,,2
P3,D1,C1,1,6,,,,2
P4,D2,C9,1,6,,,,2
P5,D9,,1,6,,,,2
P6,D2,C3,1,6,100,,,2
P7,D2,C1,1,6,,,,2
P8,D2,C4,1,6,,2026-06-01,,1
P9,D3,,1,6,,,,
P1,D3,,1,6,,,,2
,,,1,6,,,,2
P11,D3,,,6,,,,2
`

test('plans are created like by D14, with debtor and cases by reference, once', async () => {
  const first = await run('plans', file)
  assert.deepEqual(first.faults, [
    '4 caseReferences',
    '5 caseReferences',
    '6 debtorReference',
    '7 numberOfPayments',
    '7 amount',
    '8 caseReferences',
    '9 firstDueDate',
    '11 sourceReference',
    '12 debtorReference',
    '13 paymentPlanType',
  ])
  assert.deepEqual(first.counts, [12, 3, 0, 9])
  assert.match(first.reasons[0]!, /in the active payment plan/)
  const again = await run('plans', file)
  assert.deepEqual(again.counts, [12, 0, 3, 9])
  const plans = await api.sql`
    select p.source_reference as source, p.active, p.plan_type as type, p.currency_code as currency, p.registration_fee as fee,
      (select min(due_date) from payment_plan_payment n where n.plan_id = p.id) as first,
      (select count(*) from payment_plan_case c where c.plan_id = p.id)::int as cases,
      (select count(*) from event e where e.subject = p.id)::int as events
    from payment_plan p order by 1`
  assert.deepEqual(
    plans.map((row) => Object.values(row)),
    [
      ['test/P1', 1, 1, 'SEK', 17_000, '2026-07-01', 2, 2],
      ['test/P2', 2, 3, 'SEK', 0, '2026-07-15', 1, 1],
      ['test/P9', 2, 1, 'EUR', 0, '2026-07-15', 1, 1],
    ],
  )
  const [row] = await api.sql`select sub_status, added_fee from debt_case where source_reference = 'test/C1'`
  assert.deepEqual({ ...row }, { sub_status: 'PAYMENT_PLAN', added_fee: 17_000 })
  await assertProven(api)
})

test('a line of NDJSON lists its cases, and the plan is like any other', async () => {
  const line = JSON.stringify({
    sourceReference: 'N1',
    debtorReference: 'D2',
    caseReferences: ['C4'],
    paymentPlanType: 5,
    numberOfPayments: 10,
    amount: 20,
    active: 1,
  })
  const made = await run('plans', `${line}\n`, 'ndjson')
  assert.deepEqual([made.counts, made.faults], [[1, 1, 0, 0], []])
  const [plan] = await api.sql`
    select id, debtor_id as debtor from payment_plan where source_reference = 'test/N1'`
  const shown = await api.call<{ active: number; numberOfPayments: number }>(
    'GET',
    `/debtors/${plan!['debtor']}/paymentplans/${plan!['id']}`,
  )
  assert.deepEqual([shown.status, shown.body.active, shown.body.numberOfPayments], [200, 1, 10])
  const again = await run('plans', `${line}\n`, 'ndjson')
  assert.deepEqual(again.counts, [1, 0, 1, 0])
  await assertProven(api)
})
