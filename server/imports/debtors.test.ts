import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import type { Sql } from 'postgres'
import { sealAudit, verifyAudit } from '../events/audit-seal.ts'
import { openTestDatabase, type TestDatabase } from '../testing/database.ts'
import { debtorImport } from './debtors.ts'
import { importFile, type ImportRequest } from './import-file.ts'
import { ImportRefused } from './import-refused.ts'

let folder = ''
let database: TestDatabase
let sql: Sql
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fordra-import-'))
})
after(() => rm(folder, { recursive: true }))
beforeEach(async () => {
  database = await openTestDatabase()
  sql = database.sql
  await sql`insert into business_clock (business_date) values ('2026-03-01')`
})
afterEach(() => database.close())

let files = 0
async function write(content: string, ending = 'csv'): Promise<string> {
  const file = join(folder, `${++files}.${ending}`)
  await writeFile(file, content)
  return file
}

const request = (file: string, more: Partial<ImportRequest> = {}): ImportRequest => ({
  file,
  source: 'test',
  mappings: [],
  allowDuplicates: false,
  rejectedFile: `${file}.rejected.csv`,
  ...more,
})
const run = (file: string, more: Partial<ImportRequest> = {}) =>
  importFile(sql, debtorImport, request(file, more), { countryCode: 'SE', currencyCode: 'SEK' })
const importText = async (content: string, more: Partial<ImportRequest> = {}, ending = 'csv') =>
  run(await write(content, ending), more)

const countsOf = ({ rows, inserted, alreadyThere, rejected }: Awaited<ReturnType<typeof run>>) => ({
  rows,
  inserted,
  alreadyThere,
  rejected,
})
const names = async () =>
  (await sql<{ name: string }[]>`select full_name as name from debtor order by id`).map(({ name }) => name)
async function readRejected(path: string): Promise<Record<string, string>[]> {
  const text = await readFile(path, 'utf8')
  const delimiter = text.includes('line;') ? ';' : ','
  return parse(text, { columns: true, bom: true, delimiter })
}

describe('a file of debtors', () => {
  test('goes in with addresses, events and audit entries, as D2 would have it', async () => {
    const report = await importText(
      'sourceReference,idNumber,firstname,lastname,street,houseNo,zipCode,city,countryCode,cellularPhone\n' +
        'K-1,19900101-2385,Åsa,Lindqvist,Storgatan,12,21142,Malmö,SE,070-174 06 05\n' +
        'K-2,,,Ek,,,,,,\n',
    )
    assert.deepEqual(countsOf(report), { rows: 2, inserted: 2, alreadyThere: 0, rejected: 0 })
    assert.equal(report.rejectedFile, null)
    const [debtor] = await sql`
      select full_name, id_number, date_of_birth, gender, cellular_phone, zip_code, source_reference, event_sequence, reg_date
      from debtor where source_reference = 'test/K-1'`
    assert.deepEqual(
      { ...debtor },
      {
        full_name: 'Åsa Lindqvist',
        id_number: '19900101-2385',
        date_of_birth: '1990-01-01T00:00:00Z',
        gender: 2,
        cellular_phone: '+46701740605',
        zip_code: '211 42',
        source_reference: 'test/K-1',
        event_sequence: 2,
        reg_date: '2026-03-01T00:00:00Z',
      },
    )
    const [records] = await sql`
      select (select count(*) from address where default_address) as addresses, (select count(*) from event) as events,
        (select count(*) from audit_entry where operation = 'import' and actor_id is null and request_id = ${report.runId}) as entries`
    assert.deepEqual({ ...records }, { addresses: 1, events: 3, entries: 3 })
  })

  test('is recorded as a run', async () => {
    const report = await importText('lastname\nEk\nAl\n,\n'.replace(',\n', ''))
    const [found] = await sql`
      select id, what, source, file_name, business_date, rows_read, inserted, complete, ended_at is not null as ended from import_run`
    assert.deepEqual(
      { ...found },
      {
        id: report.runId,
        what: 'debtors',
        source: 'test',
        file_name: `${files}.csv`,
        business_date: '2026-03-01',
        rows_read: 2,
        inserted: 2,
        complete: true,
        ended: true,
      },
    )
  })

  test('may be NDJSON', async () => {
    const text =
      '{"sourceReference":1,"lastname":"Ek","juridicalType":0}\n{"fullName":"Ek AB","juridicalType":1}\n'
    const report = await importText(text, {}, 'ndjson')
    assert.deepEqual(countsOf(report), { rows: 2, inserted: 2, alreadyThere: 0, rejected: 0 })
    assert.equal(report.withoutReference, 1)
  })

  test('may have headings of its own', async () => {
    await importText('Kund;Efternamn;Not\n7;Ek;x\n', {
      mappings: ['Kund=sourceReference', 'Efternamn=lastname', 'Not='],
    })
    assert.deepEqual(await names(), ['Ek'])
  })

  test('of a heading alone is nothing to do', async () => {
    assert.deepEqual(countsOf(await importText('lastname\n')), {
      rows: 0,
      inserted: 0,
      alreadyThere: 0,
      rejected: 0,
    })
  })

  test('leaves an audit trail that holds', async () => {
    await importText('lastname\nEk\nAl\n')
    await sealAudit(sql)
    assert.deepEqual((await verifyAudit(sql)).brokenAt, null)
  })

  test('larger than a chunk goes in to the last row', async () => {
    const text = Array.from({ length: 2750 }, (_, n) => `R${n},Name ${n}\n`).join('')
    const shares: number[] = []
    const report = await importFile(
      sql,
      debtorImport,
      request(await write(`sourceReference,lastname\n${text}`)),
      {
        countryCode: 'SE',
        currencyCode: 'SEK',
        onProgress: ({ share }) => shares.push(share),
      },
    )
    assert.equal(report.inserted, 2750)
    assert.ok(shares.length >= 3)
    assert.equal(shares.at(-1), 1)
    const [stored] = await sql`
      select count(distinct source_reference)::int as rows, max(substr(source_reference, 7)::int) as last from debtor`
    assert.deepEqual({ ...stored }, { rows: 2750, last: 2749 })
  })
})

describe('run again', () => {
  const text = 'sourceReference,lastname\n1,Ek\n2,Al\n3,Ask\n'
  test('it makes no doubles', async () => {
    await importText(text)
    assert.deepEqual(countsOf(await importText(text)), { rows: 3, inserted: 0, alreadyThere: 3, rejected: 0 })
    assert.equal((await sql`select from event`).length, 3)
  })

  test('with more rows it takes these', async () => {
    await importText(text)
    const report = await importText(`${text}4,Bok\n`)
    assert.deepEqual(countsOf(report), { rows: 4, inserted: 1, alreadyThere: 3, rejected: 0 })
  })

  test('from another source the same references are others', async () => {
    await importText(text)
    assert.equal((await importText(text, { source: 'other' })).inserted, 3)
  })

  test('without references rows are known by what they hold, whatever the order and the form', async () => {
    const first = await importText('lastname,city,gender\nEk,Lund,1\nEk,Lund,1\nAl,,\n')
    assert.deepEqual(countsOf(first), { rows: 3, inserted: 3, alreadyThere: 0, rejected: 0 })
    assert.equal(first.withoutReference, 3)
    const again = await importText('city;gender;lastname\n;;Al\nLund;1;Ek\nLund;1;Ek\nLund;1;Ek\n')
    assert.deepEqual(countsOf(again), { rows: 4, inserted: 1, alreadyThere: 3, rejected: 0 })
    const json = '{"lastname":"Al"}\n{"gender":1,"lastname":"Ek","city":"Lund"}\n'
    assert.equal((await importText(json, {}, 'ndjson')).alreadyThere, 2)
  })

  test('after an end in the midst it goes on', async () => {
    const rows = Array.from({ length: 2500 }, (_, n) => `${n},Name ${n}\n`)
    const file = await write(`sourceReference,lastname\n${rows.join('')}`)
    const stop = new AbortController()
    const report = await importFile(sql, debtorImport, request(file), {
      countryCode: 'SE',
      currencyCode: 'SEK',
      stop: stop.signal,
      onProgress: () => stop.abort(),
    })
    assert.equal(report.complete, false)
    assert.ok(report.inserted > 0 && report.inserted < 2500, `${report.inserted} inserted`)
    assert.equal((await sql`select complete from import_run`)[0]!['complete'], false)
    const rest = await run(file)
    assert.equal(rest.complete, true)
    assert.deepEqual([rest.inserted, rest.alreadyThere], [2500 - report.inserted, report.inserted])
  })

  test('two at once make no doubles', async () => {
    const rows = Array.from({ length: 1700 }, (_, n) => `${n},Name ${n}\n`)
    const file = await write(`sourceReference,lastname\n${rows.join('')}`)
    const reports = await Promise.all([
      run(file, { rejectedFile: `${file}.1` }),
      run(file, { rejectedFile: `${file}.2` }),
    ])
    assert.equal(reports[0].inserted + reports[1].inserted, 1700)
    assert.equal(reports[0].alreadyThere + reports[1].alreadyThere, 1700)
    assert.equal((await sql`select from debtor`).length, 1700)
  })
})

describe('rejected rows', () => {
  test('are reported with line, reference, field and reason, and the rest goes in', async () => {
    const file = await write(
      'sourceReference,idNumber,lastname,city,gender,email\n' +
        '1,,Ek,"Lund",,\n' +
        '2,19121212-1213,Al,,,\n' +
        '3,,"Two\nlines",,7,nobody\n' +
        '4,,Ask,\n' +
        '5,,,,,\n' +
        '6,,Bok,,,\n',
    )
    const report = await run(file)
    assert.deepEqual(countsOf(report), { rows: 6, inserted: 2, alreadyThere: 0, rejected: 4 })
    assert.equal(report.rejectedFile, `${file}.rejected.csv`)
    const rejected = await readRejected(report.rejectedFile)
    assert.deepEqual(
      rejected.map(({ line, sourceReference, field }) => [line, sourceReference, field]),
      [
        ['3', '2', 'idNumber'],
        ['4', '3', 'gender'],
        ['4', '3', 'lastname'],
        ['6', '', ''],
        ['7', '5', 'lastname'],
      ].toSorted(),
    )
    const reasons = rejected.map(({ reason }) => reason).join('\n')
    assert.match(reasons, /wrong check digit/)
    assert.match(reasons, /must be one of 0, 1, 2\./)
    assert.match(reasons, /must be one line without control characters\./)
    assert.ok(!reasons.includes('1213'), 'no reason shows the number')
    assert.deepEqual(await names(), ['Ek', 'Bok'])
    assert.equal((await stat(report.rejectedFile)).mode & 0o777, 0o600)
  })

  test('are reported again when run again, and the report goes when there are none', async () => {
    const file = await write('sourceReference,lastname\n1,Ek\n2,\n')
    const first = await run(file)
    const again = await run(file)
    assert.deepEqual([again.alreadyThere, again.rejected], [1, 1])
    assert.equal((await readRejected(first.rejectedFile!)).length, 1)
    await writeFile(file, 'sourceReference,lastname\n1,Ek\n2,Mended\n')
    assert.deepEqual(countsOf(await run(file)), { rows: 2, inserted: 1, alreadyThere: 1, rejected: 0 })
    await assert.rejects(stat(first.rejectedFile!), { code: 'ENOENT' })
  })

  test('cannot bring a formula into a spreadsheet', async () => {
    const report = await importText('sourceReference;lastname\n=1+2;\n@x;\n-1;\n')
    const text = await readFile(report.rejectedFile!, 'utf8')
    assert.deepEqual(
      (await readRejected(report.rejectedFile!)).map(({ sourceReference }) => sourceReference),
      ["'=1+2", "'@x", "'-1"],
    )
    assert.match(text, /^line;sourceReference;field;reason\r\n2;/)
  })

  test('begin with a byte order mark when the source does, so that a spreadsheet reads both alike', async () => {
    const report = await importText('\ufeffsourceReference;lastname\nÅ1;\n')
    assert.match(await readFile(report.rejectedFile!, 'utf8'), /^\ufeffline;/)
  })

  test('with a reference that stands there twice tell the first line', async () => {
    const text = `sourceReference,lastname\n1,Ek\n1,Al\n${Array.from({ length: 1500 }, (_, n) => `n${n},N\n`).join('')}1,Ask\n`
    for (const inserted of [1501, 0]) {
      const report = await importText(text)
      assert.deepEqual([report.inserted, report.rejected], [inserted, 2])
      assert.deepEqual(
        (await readRejected(report.rejectedFile!)).map(({ line, field, reason }) => [line, field, reason]),
        [
          ['3', 'sourceReference', 'stands on line 2 already.'],
          ['1504', 'sourceReference', 'stands on line 2 already.'],
        ],
      )
    }
    assert.deepEqual((await names())[0], 'Ek')
  })

  test('with a reference too long or of several lines say so', async () => {
    const report = await importText(`sourceReference,lastname\n${'x'.repeat(201)},Ek\n"a\nb",Al\n`)
    assert.deepEqual(
      (await readRejected(report.rejectedFile!)).map(({ line, field, reason }) => [line, field, reason]),
      [
        ['2', 'sourceReference', 'must be one line of at most 200 characters.'],
        ['3', 'sourceReference', 'must be one line of at most 200 characters.'],
      ],
    )
  })

  test('go to no file that is something else', async () => {
    const file = await write('lastname\nEk\n')
    const own = await write('my own notes\n', 'txt')
    await assert.rejects(run(file, { rejectedFile: own }), ImportRefused)
    await assert.rejects(run(file, { rejectedFile: file }), ImportRefused)
    await assert.rejects(run(file, { rejectedFile: join(folder, 'none', 'x.csv') }), /--rejected/)
    assert.equal(await readFile(own, 'utf8'), 'my own notes\n')
    assert.deepEqual(await names(), [])
  })
})

describe('identity numbers that another debtor has', () => {
  const text =
    'sourceReference,idNumber,lastname\n1,19900101-2385,Ek\n2,199001012385,Al\n3,900101-2385,Ask\n4,,Bok\n'
  test('are rejected, the first of them goes in', async () => {
    const report = await importText(text)
    assert.deepEqual(countsOf(report), { rows: 4, inserted: 2, alreadyThere: 0, rejected: 2 })
    assert.deepEqual(
      (await readRejected(report.rejectedFile!)).map(({ line, field, reason }) => [line, field, reason]),
      [
        ['3', 'idNumber', 'belongs to another debtor.'],
        ['4', 'idNumber', 'belongs to another debtor.'],
      ],
    )
    assert.deepEqual(await names(), ['Ek', 'Bok'])
    assert.deepEqual(countsOf(await importText(text)), { rows: 4, inserted: 0, alreadyThere: 2, rejected: 2 })
  })

  test('are rejected by the order of the file also far apart', async () => {
    const others = Array.from({ length: 800 }, (_, n) => `n${n},,N\n`).join('')
    const rows = `a,19900101-2385,Ek\n${others}b,19900101-2385,Al\n`
    const report = await importText(`sourceReference,idNumber,lastname\n${rows}`)
    assert.deepEqual([report.inserted, report.rejected], [801, 1])
    assert.equal((await readRejected(report.rejectedFile!))[0]!['line'], '803')
  })

  test('are numbered when doubles are allowed, in the order of the file', async () => {
    assert.equal((await importText(text)).inserted, 2)
    const report = await importText(text, { allowDuplicates: true })
    assert.deepEqual(countsOf(report), { rows: 4, inserted: 2, alreadyThere: 2, rejected: 0 })
    const rows =
      await sql`select full_name, duplicate_number from debtor where id_number is not null order by duplicate_number`
    assert.deepEqual(
      rows.map((row) => [row['full_name'], row['duplicate_number']]),
      [
        ['Ek', 0],
        ['Al', 1],
        ['Ask', 2],
      ],
    )
    assert.equal((await sql`select from event`).length, 4)
  })
})

describe('nothing goes in', () => {
  test('when a heading is no field', async () => {
    await assert.rejects(importText('lastname,Ort\nEk,Lund\n'), /'Ort' is no field/)
    assert.deepEqual([...(await sql`select from import_run`)], [])
  })
  test('when the source has no name', async () => {
    await assert.rejects(importText('lastname\nEk\n', { source: 'a/b' }), /is no name of a source/)
  })
})

test('debtors are checked for the business date they go in on, also when it moves on in between', async () => {
  const rows = Array.from({ length: 1200 }, (_, n) => `${n},N,2008-03-02\n`).join('')
  const file = await write(`sourceReference,lastname,dateOfBirth\n${rows}`)
  let moved = Promise.resolve<unknown>(undefined)
  const report = await importFile(sql, debtorImport, request(file), {
    countryCode: 'SE',
    currencyCode: 'SEK',
    onProgress: ({ rows: done }) => {
      if (done < 1200) moved = sql`update business_clock set business_date = '2026-03-02'`.execute()
    },
  })
  await moved
  assert.equal(report.inserted, 1200)
  const found = await sql<{ day: string; minors: number; count: number }[]>`
    select reg_date::date as day, count(*) filter (where under_aged) as minors, count(*) as count from debtor group by 1`
  for (const { day, minors, count } of found) assert.equal(minors, day === '2026-03-01' ? count : 0)
})
