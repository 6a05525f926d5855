/** Cases, invoices and payments from files: found by reference, imported once, rejected with a reason. */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { openDatabase } from '../../../platform/database/database.ts'
import { startApi, type TestApi } from '../../../testing/api.ts'
import { watchDatabase } from '../../../testing/watched-database.ts'
import { imports, type ImportedKind } from './kinds.ts'

let api: TestApi
let folder = ''
before(async () => {
  api = await startApi()
  await api.setDate('2026-06-15')
  folder = await mkdtemp(join(tmpdir(), 'fordra-import-'))
  await run('parties', 'partyReferenceCode,name\nKUND,Kund AB\n')
  await run('debtors', 'sourceReference,lastname\nD1,Ek\nD2,Alm\n')
})
after(async () => {
  await api.close()
  await rm(folder, { recursive: true, force: true })
})

let files = 0
async function run(what: ImportedKind, content: string, ending = 'csv', source = 'test') {
  const file = join(folder, `${++files}.${ending}`)
  await writeFile(file, content)
  const rejectedFile = `${file}.rejected.csv`
  const request = { file, source, mappings: [], allowDuplicates: false, rejectedFile }
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

const caseHeading =
  'sourceReference,partyReferenceCode,debtorReference,principal,currencyCode,interestRate,dueDate,invoiceNumber,registrationDate\n'

test('cases find client and debtor by reference and are imported once, as of their registration date', async () => {
  const file = `${caseHeading}C1,kund,D1,1000,SEK,10,2026-01-01,F-1,2026-05-01
C2,KUND,D2,250.50,SEK,,,,
C3,NOBODY,D2,10,SEK,,,,
C4,KUND,D9,10,SEK,,,,
C5,KUND,D2,10.123,SEK,,,,
C6,KUND,D2,10,SEK,,,,2027-01-01
C1,KUND,D2,10,SEK,,,,
,,D2,10,SEK,,,,
`
  const first = await run('cases', file)
  assert.deepEqual(first.counts, [8, 2, 0, 6])
  assert.deepEqual(first.faults, [
    '4 partyReferenceCode',
    '5 debtorReference',
    '6 principal',
    '7 registrationDate',
    '8 sourceReference',
    '9 partyReferenceCode',
  ])
  const again = await run('cases', file)
  assert.deepEqual(again.counts, [8, 0, 2, 6])
  const [row] = await api.sql`
    select c.registration_date, c.remaining_principal, c.accrued_interest + c.remaining_interest as interest, p.name,
      d.lastname, (select count(*) from event e where e.subject = c.id) as events,
      (select primary_description from item where guid = c.id) as item, c.case_number
    from debt_case c join party p on p.id = c.client_id join debtor d on d.id = c.main_debtor_id
    where c.source_reference = 'test/C1'`
  assert.equal(row!['registration_date'], '2026-05-01')
  assert.equal(row!['remaining_principal'], 100_000)
  // 1,000 at 10 % for the 165 days from 1 January to 15 June.
  assert.equal(row!['interest'], 4521)
  assert.deepEqual([row!['name'], row!['lastname'], row!['events']], ['Kund AB', 'Ek', 1])
  assert.equal(row!['item'], row!['case_number'])
})

test('a row with a misspelt fee type is rejected with the nearest, and comes in corrected', async () => {
  const [client] = await api.sql`select id from party where reference_code = 'KUND'`
  for (const [form, body] of [
    ['client/edit', { countryCode: 'SE', currencyCode: 'SEK' }],
    ['client/terms', { fees: 'tracing 75' }],
  ] as const)
    await api.call('PATCH', `/system/forms/${form}?id=${client!['id']}`, { body })
  const lookup = { lookupCode: 'feetype', lookupKey: 'archive', textEn: 'Archive search' }
  await api.call('POST', '/system/forms/lookupvalue/create', { body: lookup })
  const heading = 'sourceReference,partyReferenceCode,debtorReference,principal,fee,feeType\n'
  const rows = (misspelt: string) => `${heading}T1,KUND,D1,1000,180,${misspelt}
T2,KUND,D1,1000,180,COLLECTIONDEMAND
T3,KUND,D1,1000,75,tracing
T4,KUND,D1,1000,75,archive
T5,KUND,D1,1000,75,Storgatan 12
`
  const first = await run('cases', rows('collectionDemnd'))
  assert.deepEqual(first.counts, [5, 3, 0, 2])
  assert.deepEqual(first.reasons, [
    'must be a fee type of the lookup feetype or of the client. Did you mean collectionDemand?',
    'must be a fee type of the lookup feetype or of the client, such as reminder, collectionDemand, collectionFee, archive, tracing.',
  ])
  assert.deepEqual((await run('cases', rows('collectionDemand'))).counts, [5, 1, 3, 1])
  const taken = await api.sql`
    select opening_fee_type as type, original_fee as fee, withheld_fee as withheld from debt_case
    where source_reference = any(${['test/T1', 'test/T2', 'test/T3']}) order by source_reference`
  assert.deepEqual(
    taken.map(({ type, fee, withheld }) => [type, fee, withheld]),
    [
      ['collectionDemand', 18_000, 0],
      ['collectionDemand', 18_000, 0],
      // Swedish law has no fee for tracing: the type is known, its costs are withheld.
      ['tracing', 0, 7500],
    ],
  )
})

test('fee types are read once for an import of several chunks', async () => {
  const rows = Array.from({ length: 1200 }, (_, at) => `M${at},KUND,D1,1000,10,collectionDemnd`)
  const file = join(folder, `${++files}.csv`)
  await writeFile(
    file,
    `sourceReference,partyReferenceCode,debtorReference,principal,fee,feeType\n${rows.join('\n')}\n`,
  )
  const watched = watchDatabase(api.databaseUrl)
  const sql = openDatabase(watched.url, { max: 3, onnotice: watched.onnotice })
  try {
    const request = {
      file,
      source: 'test',
      mappings: [],
      allowDuplicates: false,
      rejectedFile: `${file}.out`,
    }
    const { rejected } = await imports.cases(sql, request, { countryCode: 'SE', currencyCode: 'SEK' })
    assert.equal(rejected, 1200)
    assert.equal(watched.take().filter(({ text }) => text.includes("lookup_code = 'feetype'")).length, 1)
  } finally {
    await sql.end()
  }
})

test('invoices and payments find their case by the source’s reference or our number', async () => {
  const [known] = await api.sql<{ number: string; reference: string }[]>`
    select case_number as number, payment_reference_number as reference from debt_case where source_reference = 'test/C2'`
  const invoices = await run(
    'invoices',
    `sourceReference,caseReference,invoiceNumber,principal,dueDate
I1,C2,F-7,100,2026-06-01
I2,${known!.number},F-8,50,
I3,C9,F-9,50,
I4,C2,F-7,50,
I5,,F-10,50,
`,
  )
  assert.deepEqual(invoices.counts, [5, 2, 0, 3])
  assert.deepEqual(invoices.faults, ['4 caseReference', '5 invoiceNumber', '6 caseReference'])
  const payments = [
    { sourceReference: 'P1', caseReference: 'C2', amount: 100, payerReference: 'bank-1' },
    { sourceReference: 'P2', paymentReferenceNumber: known!.reference, amount: 50.5 },
    { sourceReference: 'P3', debtorReference: 'D2', amount: 50 },
    { sourceReference: 'P4', caseReference: 'C2', amount: 100, payerReference: 'BANK-1' },
    { sourceReference: 'P5', caseReference: 'C2', debtorReference: 'D2', amount: 1 },
    { sourceReference: 'P6', debtorReference: 'D1', amount: 1, currencyCode: 'NOK' },
    { sourceReference: 'P7', caseReference: 'C2', amount: 0 },
  ]
  const lines = payments.map((one) => JSON.stringify(one)).join('\n')
  const paid = await run('payments', lines, 'ndjson')
  assert.deepEqual(paid.counts, [7, 3, 0, 4])
  assert.deepEqual(paid.faults, ['4 payerReference', '5 caseReference', '6 currencyCode', '7 amount'])
  assert.deepEqual((await run('payments', lines, 'ndjson')).counts, [7, 0, 3, 4])
  const [row] = await api.sql`
    select original_principal as original, remaining_principal as remaining, movement_count as movements
    from debt_case where source_reference = 'test/C2'`
  assert.deepEqual({ ...row }, { original: 40_050, remaining: 20_000, movements: 5 })
  const { verifyLedger } = await import('../../../ledger/verify-ledger.ts')
  assert.deepEqual((await verifyLedger(api.sql)).faults, [])
})

const tellRejected = async (text: string, style: { dates?: 'dmy'; decimals?: ',' }) => {
  const file = join(folder, `${++files}.csv`)
  await writeFile(file, text)
  const request = { file, source: 'told', mappings: [], allowDuplicates: false, ...style }
  const report = await imports.cases(
    api.sql,
    { ...request, rejectedFile: `${file}.rejected.csv`, dryRun: true },
    { countryCode: 'SE', currencyCode: 'SEK' },
  )
  return report.firstRejections.map(({ field, reason }) => `${field} ${reason}`).toSorted()
}

test('a cell that is not what its column holds is told with what would be right', async () => {
  const heading = 'partyReferenceCode;debtorReference;principal;interestRate;dueDate;registrationDate'
  assert.deepEqual(
    await tellRejected(`${heading}\nKUND;D1;12,5O;8%;31.02.2026;soon\n`, { dates: 'dmy', decimals: ',' }),
    [
      "dueDate '31.02.2026' is not a day of the calendar: the month ends on day 28.",
      "interestRate '8%' is not a number. Write numbers as 12,5.",
      "principal '12,5O' is not an amount. Write amounts as 1234,50.",
      'registrationDate is not a day of the calendar. Write days as 31.12.2026.',
    ],
  )
  assert.deepEqual(
    await tellRejected('partyReferenceCode,debtorReference,principal\nKUND,D1,1 000.00\n', {}),
    ["principal '1 000.00' is not an amount. Write amounts as 1234.50."],
  )
})

test('a reason does not repeat what could be of a person, in a column that is matched wrongly', async () => {
  for (const value of ['19900101-2385', 'Storgatan 12', 'Ek'])
    assert.deepEqual(
      await tellRejected(`partyReferenceCode,debtorReference,principal\nKUND,D1,${value}\n`, {}),
      ['principal is not an amount. Write amounts as 1234.50.'],
    )
})

test('another source has references of its own', async () => {
  const other = await run('payments', 'sourceReference,caseReference,amount\nP1,C2,1\n', 'csv', 'other')
  assert.deepEqual([other.counts, other.faults], [[1, 0, 0, 1], ['2 caseReference']])
})

test('imported cases take part in a trial: a debtor’s first counts, and one registered earlier elsewhere does not', async () => {
  const send = async (method: string, path: string, body?: object) => {
    const answer = await api.call<Record<string, string>>(method, path, body === undefined ? {} : { body })
    assert.ok(answer.status < 300, answer.text)
    return answer.body
  }
  const actions = [{ kind: 'letter', letter: 'demand' }]
  const steps = [{ code: 'ONE', status: 'NEW', afterDays: 3, actions }]
  await send('POST', '/strategies', { code: 'SOFT', name: 'Soft', steps })
  await run('parties', 'partyReferenceCode,name\nTRIED,Tried AB\n')
  await run('debtors', 'sourceReference,lastname\nT1,Ek\nT2,Alm\nT3,Bo\n')
  const [client] = await api.sql<{ id: string }[]>`select id from party where reference_code = 'TRIED'`
  await send('PUT', `/clients/${client!.id}/strategy`, { strategy: 'NORDIC' })
  const { trialGuid } = await send('POST', '/trials', {
    name: 'Imported',
    champion: 'NORDIC',
    challengers: [{ strategy: 'SOFT', share: 50 }],
    outcomeDays: 30,
    highestAmount: 1000,
    currencyCode: 'SEK',
    plannedCases: 100,
  })
  await send('POST', `/trials/${trialGuid}/start`)
  const file = `${caseHeading}T-C1,TRIED,T1,1000,SEK,,,,
T-C2,TRIED,T2,500,SEK,,,,
T-C3,TRIED,T1,200,SEK,,,,
T-C4,TRIED,T3,700,SEK,,,,2026-05-01
`
  assert.deepEqual((await run('cases', file)).counts, [4, 4, 0, 0])
  const assigned = await api.sql<{ reference: string; counts: boolean }[]>`
    select c.source_reference as reference, d.case_id = c.id as counts from trial_case k
      join debt_case c on c.id = k.case_id
      join trial_debtor d on d.trial_id = k.trial_id and d.debtor_id = k.debtor_id
    where k.trial_id = ${trialGuid!} order by c.running_number`
  assert.deepEqual(
    assigned.map(({ reference, counts }) => [reference.split('/').at(-1), counts]),
    [
      ['T-C1', true],
      ['T-C2', true],
      ['T-C3', false],
    ],
  )
})
