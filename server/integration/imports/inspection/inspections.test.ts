/** A file is inspected, tried, imported, and its rejected rows are imported once corrected. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { importedKinds, type ImportedKind } from '../../../../contract/integration/imported-kinds.ts'
import type { FileInspection } from '../../../../contract/integration/inspections.ts'
import type { UploadedFile } from '../../../../contract/integration/uploads.ts'
import type { Job } from '../../../../contract/platform/jobs.ts'
import { languages } from '../../../../contract/platform/languages.ts'
import type { Problem } from '../../../../contract/platform/problem.ts'
import { writeWorkbook } from '../../../../core/spreadsheet/workbook.ts'
import type { JobRunner } from '../../../platform/jobs/run-jobs.ts'
import { startApi, type TestApi } from '../../../testing/api.ts'
import { runJobs, waitForJob } from '../../../testing/jobs.ts'
import { assertProblem } from '../../../testing/problem.ts'
import { templateHeadings } from './template.ts'

let api: TestApi
let runner: JobRunner
before(async () => {
  api = await startApi()
  runner = await runJobs(api)
})
after(async () => {
  await runner.stop()
  await api.close()
})

const octets = { 'content-type': 'application/octet-stream' }
const inspect = (raw: string | Buffer, query: Record<string, string> = {}, token = api.token) =>
  api.call<FileInspection & Problem>(
    'POST',
    `/system/files/inspect?${new URLSearchParams({ fileName: 'kunder.csv', ...query })}`,
    { raw: toBytes(raw), headers: octets, token },
  )
const toBytes = (raw: string | Buffer) => new Uint8Array(Buffer.from(raw))

async function upload(raw: string | Buffer, query: Record<string, string>): Promise<string> {
  const { status, body, text } = await api.call<UploadedFile>(
    'POST',
    `/system/files?${new URLSearchParams({ fileName: 'kunder.csv', ...query })}`,
    { raw: toBytes(raw), headers: octets },
  )
  assert.equal(status, 201, text)
  return body.fileGuid
}

async function run(command: 'import' | 'check-import', fileGuid: string): Promise<Job> {
  const { status, body, text } = await api.call<{ jobId: string }>('POST', `/system/commands/${command}`, {
    body: { argument: [fileGuid] },
  })
  assert.equal(status, 200, text)
  return waitForJob(api, body.jobId)
}

/** What the wizard uploads: the columns as they were matched. */
const uploadInspected = (
  raw: string | Buffer,
  { what, encoding, delimiter, dates, decimals, columns }: FileInspection,
  source: string,
) =>
  upload(raw, {
    what,
    encoding,
    source,
    columns: columns.map(({ member }) => member ?? '').join(','),
    ...(delimiter && { delimiter }),
    ...(dates && { dates }),
    ...(decimals && { decimals }),
  })

const members = ({ columns }: FileInspection) => columns.map(({ member }) => member)
const counts = ({ result, lastError }: Job) => {
  assert.ok(result, lastError ?? '')
  const { rows, inserted, alreadyThere, rejected } = result
  return { rows, inserted, alreadyThere, rejected }
}

/** The tables that writes touch. */
async function countRows(): Promise<unknown> {
  const [row] = await api.sql`
    select (select count(*) from debtor)::int as debtors, (select count(*) from event where type not like 'job.%')::int as events,
      (select count(*) from party)::int as parties, (select count(*) from debt_case)::int as cases,
      (select count(*) from payment)::int as payments, (select count(*) from movement)::int as movements,
      (select count(*) from import_run)::int as runs, (select count(*) from audit_entry where operation = 'import')::int as entries`
  return { ...row }
}

describe('headings are matched (inspectFile)', () => {
  const cases: [language: string, text: string, what: ImportedKind, expected: (string | null)[]][] = [
    [
      'Swedish',
      'Kundnr;Personnr;Efternamn;Förnamn;Gatuadress;Postnr;Ort;E-post;Anm\n1;;Ek;Åsa;Gatan 1;211 42;Malmö;a@b.se;\n',
      'debtors',
      ['sourceReference', 'idNumber', 'lastname', 'firstname', 'street', 'zipCode', 'city', 'email', null],
    ],
    [
      'Norwegian',
      'Saksnr;Klient;Skyldner;Hovedstol;Forfallsdato\nS1;K;D;1200,50;31.12.2025\n',
      'cases',
      ['sourceReference', 'partyReferenceCode', 'debtorReference', 'principal', 'dueDate'],
    ],
    [
      'Danish',
      'Sagsnummer;Beløb;Betalingsdato\nS1;1.200,50;31-12-2025\n',
      'payments',
      ['caseReference', 'amount', 'valueDate'],
    ],
    [
      'Finnish',
      'Asiakasnumero;Sukunimi;Etunimi;Henkilötunnus;Puhelin\n1;Virtanen;Aino;;\n',
      'debtors',
      ['sourceReference', 'lastname', 'firstname', 'idNumber', 'homePhone'],
    ],
    [
      'German',
      'Aktenzeichen;Mandant;Schuldnernummer;Hauptforderung;Währung;Rechnungsnummer;Fälligkeitsdatum\n1;K;D;1;EUR;7;1.2.2026\n',
      'cases',
      [
        'sourceReference',
        'partyReferenceCode',
        'debtorReference',
        'principal',
        'currencyCode',
        'invoiceNumber',
        'dueDate',
      ],
    ],
    [
      'English',
      'Case number,Invoice no,Due date,Amount\nC1,7,2026-01-31,12.50\n',
      'invoices',
      ['caseReference', 'invoiceNumber', 'dueDate', 'principal'],
    ],
  ]
  for (const [language, text, what, expected] of cases)
    test(`in ${language}, and the kind is guessed`, async () => {
      const { body, text: answer } = await inspect(text)
      assert.equal(body.what, what, answer)
      assert.deepEqual(members(body), expected)
    })

  for (const language of languages)
    test(`of the templates in ${language}, each to its own field`, async () => {
      for (const what of importedKinds) {
        const headings = templateHeadings(what, language)
        const { body } = await inspect(`${headings.join(';')}\n`, { what })
        assert.deepEqual(
          body.columns.filter(({ member }) => member === null).map(({ heading }) => heading),
          [],
          what,
        )
        assert.equal(new Set(members(body)).size, headings.length, what)
      }
    })

  test('to custom fields too', async () => {
    const made = await api.call('POST', '/system/forms/field/create', {
      body: { entity: 'debtor', code: 'segment', type: 'string', textEn: 'Segment' },
    })
    assert.equal(made.status, 201, made.text)
    const { body } = await inspect('Efternamn;Segment\nEk;A\n')
    assert.deepEqual(members(body), ['lastname', 'segment'])
  })
})

describe('values tell columns without a known heading', () => {
  test('identity numbers, e-mail, phones, currencies', async () => {
    const rows = [
      ['19900101-2385', 'asa@example.com', '070-174 06 05', 'Ek'],
      ['5567037485', 'b@example.com', '+46 70 174 06 06', 'Al'],
      ['wrong', '', '', 'Alm'],
    ]
    const five = [...rows.slice(0, 2), ...rows.slice(0, 2), ...rows]
    const { body } = await inspect(`A;B;C;Efternamn\n${five.map((row) => row.join(';')).join('\n')}\n`, {
      what: 'debtors',
    })
    assert.deepEqual(
      body.columns.map(({ member, matchedBy }) => [member, matchedBy]),
      [
        ['idNumber', 'values'],
        ['email', 'values'],
        ['cellularPhone', 'values'],
        ['lastname', 'heading'],
      ],
    )
    assert.deepEqual(body.columns[0]!.examples, ['19900101-2385', '5567037485', 'wrong'])
  })

  test('days and amounts, with the order and the decimal sign', async () => {
    const { body } = await inspect('X;Y;Z\nC1;13.02.2026;1.234,50\nC2;14.02.2026;12,00\n', {
      what: 'payments',
    })
    assert.deepEqual(members(body), [null, 'valueDate', 'amount'])
    assert.deepEqual([body.dates, body.decimals, body.countryCode], ['dmy', ',', null])
    // A due date of the case is no date of birth of its debtor.
    const debtors = await inspect('Efternamn;Förfallodag\nEk;13.02.2026\n', { what: 'debtors' })
    assert.deepEqual(members(debtors.body), ['lastname', null])
    const american = await inspect('X,Y,Z\nC1,02/13/2026,"1,234.50"\n', { what: 'payments' })
    assert.deepEqual([american.body.dates, american.body.decimals], ['mdy', '.'])
  })
})

test('encoding and delimiter are told, also of the beginning of a file alone', async () => {
  const text = `Efternamn;Ort\n${'Sjöberg;Malmö\n'.repeat(50)}`
  for (const [bytes, encoding] of [
    [Buffer.from(text, 'latin1'), 'windows-1252'],
    [Buffer.from(text, 'utf16le'), 'utf-16le'],
    [Buffer.from(`\ufeff${text}`), 'utf-8'],
    [Buffer.from(text).subarray(0, 50), 'utf-8'],
  ] as const) {
    const { body } = await inspect(bytes, { beginning: 'true' })
    assert.deepEqual([body.format, body.encoding, body.delimiter], ['csv', encoding, ';'])
    assert.deepEqual(body.columns[0]!.examples, ['Sjöberg'])
  }
})

test('NDJSON is told too', async () => {
  const { body } = await inspect('{"lastname":"Ek","email":"a@b.se"}\n', { fileName: 'x.ndjson' })
  assert.deepEqual([body.format, members(body)], ['ndjson', ['lastname', 'email']])
})

test('an empty file, a picture, a damaged workbook and other callers are refused', async () => {
  assertProblem(await inspect(''), 'invalid', /empty|required/)
  assertProblem(await inspect(Buffer.from('%PDF-1.7')), 'invalid', /The file is a PDF/)
  assertProblem(await inspect(Buffer.from('PK\x03\x04xx', 'latin1')), 'invalid', /damaged/)
  assertProblem(await inspect('a\n', {}, await api.signIn(3)), 'forbidden', /./)
  const json = await api.call('POST', '/system/files/inspect?fileName=a.csv', { body: {} })
  assertProblem(json, 'unsupported-media-type', /octet-stream/)
})

/** 1,000 rows with the columns of another system; every 50th is wrong. */
const line = (index: number) =>
  `K-${index};Efternamn${index};Storgatan ${index};${index % 50 === 0 ? 'nej' : '211 42'};Malmö;"Rad ${index}\nrad två";13.02.1990;SE`
const portfolio = (count: number) =>
  `Kundnummer;Efternamn;Gatuadress;Postnr;Ort;Anm;Födelsedatum;Land\n${Array.from({ length: count }, (_, index) => `${line(index + 1)}\n`).join('')}`

test('1,000 rows are tried without a trace, imported, and their rejected rows imported once corrected', async () => {
  const file = Buffer.from(portfolio(1000), 'latin1')
  const { body: inspection } = await inspect(file)
  assert.equal(inspection.what, 'debtors')
  const fileGuid = await uploadInspected(file, inspection, 'wizard')
  const counted = await countRows()
  const tried = await run('check-import', fileGuid)
  assert.deepEqual(counts(tried), { rows: 1000, inserted: 980, alreadyThere: 0, rejected: 20 })
  const [first] = tried.result!['firstRejections'] as { line: number; field: string; reason: string }[]
  assert.deepEqual([first!.line, first!.field], [100, 'zipCode'])
  assert.deepEqual(await countRows(), counted)
  const imported = await run('import', fileGuid)
  assert.deepEqual(counts(imported), counts(tried))
  const [stored] = await api.sql`
    select (date_of_birth at time zone 'utc')::date::text as born from debtor where lastname = 'Efternamn1'`
  assert.equal(stored!['born'], '1990-02-13')
  const rejected = await api.call('GET', `/system/files/${fileGuid}/rejected?rows=true`)
  assert.match(
    rejected.text,
    /^\ufeff?Kundnummer;Efternamn;Gatuadress;Postnr;Ort;Anm;Födelsedatum;Land;rejectedLine;rejectedReason\r\nK-50;Efternamn50;Storgatan 50;nej;Malmö;"Rad 50\nrad två";13\.02\.1990;SE;100;Postal code: This is not a postal code of SE\. Write it as NNN NN/,
  )
  const corrected = rejected.text.replaceAll(';nej;', ';211 42;')
  const again = await inspect(corrected)
  const second = await uploadInspected(corrected, again.body, 'wizard')
  assert.deepEqual(counts(await run('import', second)), {
    rows: 20,
    inserted: 20,
    alreadyThere: 0,
    rejected: 0,
  })
  const [all] =
    await api.sql`select count(*)::int as count from debtor where source_reference like 'wizard/%'`
  assert.equal(all!['count'], 1000)
  assertProblem(await api.call('GET', `/system/files/${second}/rejected?rows=true`), 'not-found', /rejected/)
})

test('a workbook is imported like CSV', async () => {
  const parts: Uint8Array[] = []
  const columns = (['Kundnummer', 'Efternamn', 'Födelsedatum'] as const).map((heading, index) => ({
    heading,
    type: index === 2 ? ('date' as const) : ('text' as const),
  }))
  const rows = Array.from({ length: 30 }, (_, index) => [`X-${index}`, `Blad${index}`, '1990-02-13'])
  for await (const part of writeWorkbook({ name: 'Kunder', columns, rows })) parts.push(part)
  const file = Buffer.concat(parts)
  const { body } = await inspect(file, { fileName: 'kunder.xlsx' })
  assert.deepEqual([body.format, body.sheet, body.delimiter], ['xlsx', 'Kunder', null])
  const fileGuid = await uploadInspected(file, body, 'blad')
  const wanted = { rows: 30, inserted: 30, alreadyThere: 0, rejected: 0 }
  assert.deepEqual(counts(await run('check-import', fileGuid)), wanted)
  assert.deepEqual(counts(await run('import', fileGuid)), wanted)
  const [row] =
    await api.sql`select (date_of_birth at time zone 'utc')::date::text as born from debtor where source_reference = 'blad/X-7'`
  assert.equal(row!['born'], '1990-02-13')
})

describe('a dry run says what the import then does', () => {
  const files: Partial<Record<ImportedKind, string>> = {
    parties: `partyReferenceCode,name,parentPartyReferenceCode\nNORD,Nord,\n${Array.from({ length: 700 }, (_, index) => `N${index},Nord ${index},NORD`).join('\n')}\nN1,again,\nX,orphan,NONE\n`,
    debtors: `sourceReference,lastname,idNumber\n${Array.from({ length: 600 }, (_, index) => `D${index},Ek${index},`).join('\n')}\nA,Ek,19900101-2385\nB,Al,199001012385\nD1,double,\n`,
    cases:
      'sourceReference,partyReferenceCode,debtorReference,principal,currencyCode\nC1,NORD,D1,1200,SEK\nC2,NORD,D2,500,SEK\nC3,NONE,D1,1,SEK\nC1,NORD,D1,7,SEK\n',
    payments: `sourceReference,caseReference,amount\n${Array.from({ length: 150 }, (_, index) => `B${index},C1,1`).join('\n')}\nB1,C2,5\nB200,C9,5\n`,
    invoices: 'sourceReference,caseReference,principal,dueDate\nI1,C1,100,2026-01-15\nI2,C9,100,2026-01-15\n',
    plans:
      'sourceReference,debtorReference,paymentPlanType,numberOfPayments,active\nP1,D1,1,6,2\nP2,D77,1,6,2\n',
    customers: 'partyReferenceCode,customerNumber,name\nNORD,100,Berg\nNORD,100,Dal\n',
    users:
      'email,fullName,partyReferenceCode,userRole\neva@kund.example,Eva,NORD,9\nEVA@kund.example,Eva,NORD,9\nbo@kund.example,Bo,NONE,9\n',
  }
  for (const [what, text] of Object.entries(files))
    test(`of ${what}`, async () => {
      const fileGuid = await upload(text, { what, source: 'same' })
      const counted = await countRows()
      const tried = await run('check-import', fileGuid)
      assert.deepEqual(await countRows(), counted)
      const imported = await run('import', fileGuid)
      assert.deepEqual(counts(tried), counts(imported))
      assert.ok(Number(imported.result!['rejected']) > 0)
      assert.ok(Number(imported.result!['inserted']) > 0)
    })

  test('and needs the same rights as an import', async () => {
    const fileGuid = await upload('lastname\nEk\n', { what: 'debtors' })
    const refused = await api.call('POST', '/system/commands/check-import', {
      body: { argument: [fileGuid] },
      token: await api.signIn(3),
    })
    assert.equal(refused.status, 403)
  })
})

describe('templates (getImportTemplate)', () => {
  for (const what of importedKinds)
    test(`of ${what}, as JSON, CSV and workbook`, async () => {
      const { body } = await api.call<{ headings: string[] }>('GET', `/system/files/templates/${what}`)
      const csv = await api.call('GET', `/system/files/templates/${what}?format=csv`)
      assert.deepEqual(parse(csv.text, { bom: true }), [body.headings])
      const response = await fetch(`${api.address}/api/v1/system/files/templates/${what}?format=xlsx`, {
        headers: { authorization: `Bearer ${api.token}` },
      })
      assert.match(response.headers.get('content-disposition')!, new RegExp(`${what}\\.xlsx`))
      const inspected = await inspect(Buffer.from(await response.arrayBuffer()), { what, fileName: 'a.xlsx' })
      assert.deepEqual(
        inspected.body.columns.map(({ heading }) => heading),
        body.headings,
      )
    })

  test('of a kind that there is not is refused', async () => {
    assert.equal((await api.call('GET', '/system/files/templates/houses')).status, 400)
  })
})
