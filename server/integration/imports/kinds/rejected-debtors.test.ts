import assert from 'node:assert/strict'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import {
  pickCounts,
  openDebtorImports,
  readRejected,
  type DebtorImports,
} from '../../../testing/records/debtors.ts'
import { ImportRefused } from '../reading/import-refused.ts'

let imports: DebtorImports
beforeEach(async () => {
  imports = await openDebtorImports()
})
afterEach(() => imports.close())

describe('rejected rows', () => {
  test('are reported with line, reference, field and reason, and the other rows are imported', async () => {
    const file = await imports.write(
      'sourceReference,idNumber,lastname,city,gender,email\n' +
        '1,,Ek,"Lund",,\n' +
        '2,19121212-1213,Al,,,\n' +
        '3,,"Two\nlines",,7,nobody\n' +
        '4,,Ask,\n' +
        '5,,,,,\n' +
        '6,,Bok,,,\n',
    )
    const report = await imports.run(file)
    assert.deepEqual(pickCounts(report), { rows: 6, inserted: 2, alreadyThere: 0, rejected: 4 })
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
    assert.deepEqual(await imports.names(), ['Ek', 'Bok'])
    assert.equal((await stat(report.rejectedFile)).mode & 0o777, 0o600)
  })

  test('have no date of birth that contradicts the identity number', async () => {
    const report = await imports.importText(
      'sourceReference,idNumber,lastname,dateOfBirth\n' +
        '1,19900101-2385,Ek,1985-05-05\n' +
        '2,640883-3231,Al,1964-08-23\n' +
        '3,1011221015,Bo,1910-11-22\n',
    )
    const rejected = await readRejected(report.rejectedFile!)
    assert.deepEqual(
      rejected.map(({ sourceReference, field }) => [sourceReference, field]),
      [
        ['1', 'dateOfBirth'],
        ['1', 'idNumber'],
      ],
    )
    const [bare] = await imports.sql`select id_number from debtor where lastname = 'Bo'`
    assert.match(String(bare!['id_number']), /^1910/)
  })

  test('have reasons without personal data', async () => {
    const report = await imports.importText(
      'lastname,dateOfBirth,underAged,juridicalType\nEk,1985-02-29,nej,person\n',
    )
    const rejected = await readRejected(report.rejectedFile!)
    assert.deepEqual(rejected.map(({ field, reason }) => `${field} ${reason}`).toSorted(), [
      'dateOfBirth is not a day of the calendar: the month ends on day 28.',
      'juridicalType is not a whole number. Write it as 12.',
      'underAged is neither true nor false. Write true or false, or 1 or 0.',
    ])
    const json = await imports.importText('{"lastname":"Ek","dateOfBirth":"31.12.1985"}\n', {}, 'ndjson')
    const [row] = await readRejected(json.rejectedFile!)
    assert.equal(row!['reason'], 'must be a day of the calendar such as 2026-12-31.')
  })

  test('are reported again in each run, and the report is deleted when there are none', async () => {
    const file = await imports.write('sourceReference,lastname\n1,Ek\n2,\n')
    const first = await imports.run(file)
    const again = await imports.run(file)
    assert.deepEqual([again.alreadyThere, again.rejected], [1, 1])
    assert.equal((await readRejected(first.rejectedFile!)).length, 1)
    await writeFile(file, 'sourceReference,lastname\n1,Ek\n2,Mended\n')
    assert.deepEqual(pickCounts(await imports.run(file)), {
      rows: 2,
      inserted: 1,
      alreadyThere: 1,
      rejected: 0,
    })
    await assert.rejects(stat(first.rejectedFile!), { code: 'ENOENT' })
  })

  test('with a wrong encoding do not stop the others, and are imported without duplicates once the encoding is given', async () => {
    const text = Buffer.from('sourceReference,lastname\n1,Ek\n2,Sj\xf6\n3,A\0l\n4,Al\n', 'latin1')
    const file = await imports.write('')
    await writeFile(file, text)
    const first = await imports.run(file)
    assert.deepEqual(pickCounts(first), { rows: 4, inserted: 2, alreadyThere: 0, rejected: 2 })
    assert.deepEqual(
      (await readRejected(first.rejectedFile!)).map((one) => [one.line, one.sourceReference, one.field]),
      [
        ['3', '2', 'lastname'],
        ['4', '3', 'lastname'],
      ],
    )
    const second = await imports.run(file, { encoding: 'windows-1252' })
    assert.deepEqual(pickCounts(second), { rows: 4, inserted: 1, alreadyThere: 2, rejected: 1 })
    assert.deepEqual((await imports.names()).toSorted(), ['Al', 'Ek', 'Sjö'])
  })

  test('cannot put a formula into a spreadsheet', async () => {
    const report = await imports.importText('sourceReference;lastname\n=1+2;\n@x;\n-1;\n')
    const text = await readFile(report.rejectedFile!, 'utf8')
    assert.deepEqual(
      (await readRejected(report.rejectedFile!)).map(({ sourceReference }) => sourceReference),
      ["'=1+2", "'@x", "'-1"],
    )
    assert.match(text, /^line;sourceReference;field;reason\r\n2;/)
  })

  test('begin with a byte order mark when the source does, so that a spreadsheet reads both the same', async () => {
    const report = await imports.importText('\ufeffsourceReference;lastname\nÅ1;\n')
    assert.match(await readFile(report.rejectedFile!, 'utf8'), /^\ufeffline;/)
  })

  test('with a repeated reference name the first line', async () => {
    const text = `sourceReference,lastname\n1,Ek\n1,Al\n${Array.from({ length: 1500 }, (_, n) => `n${n},N\n`).join('')}1,Ask\n`
    for (const inserted of [1501, 0]) {
      const report = await imports.importText(text)
      assert.deepEqual([report.inserted, report.rejected], [inserted, 2])
      assert.deepEqual(
        (await readRejected(report.rejectedFile!)).map(({ line, field, reason }) => [line, field, reason]),
        [
          ['3', 'sourceReference', 'is already on line 2.'],
          ['1504', 'sourceReference', 'is already on line 2.'],
        ],
      )
    }
    assert.deepEqual((await imports.names())[0], 'Ek')
  })

  test('with a reference too long or of several lines say so', async () => {
    const report = await imports.importText(`sourceReference,lastname\n${'x'.repeat(201)},Ek\n"a\nb",Al\n`)
    assert.deepEqual(
      (await readRejected(report.rejectedFile!)).map(({ line, field, reason }) => [line, field, reason]),
      [
        ['2', 'sourceReference', 'must be one line of at most 200 characters.'],
        ['3', 'sourceReference', 'must be one line of at most 200 characters.'],
      ],
    )
  })

  test('never overwrite a file that is not such a report', async () => {
    const file = await imports.write('lastname\nEk\n')
    const own = await imports.write('my own notes\n', 'txt')
    await assert.rejects(imports.run(file, { rejectedFile: own }), ImportRefused)
    await assert.rejects(imports.run(file, { rejectedFile: file }), ImportRefused)
    await assert.rejects(
      imports.run(file, { rejectedFile: join(imports.folder, 'none', 'x.csv') }),
      /--rejected/,
    )
    assert.equal(await readFile(own, 'utf8'), 'my own notes\n')
    assert.deepEqual(await imports.names(), [])
  })
})

describe('identity numbers that another debtor has', () => {
  const text =
    'sourceReference,idNumber,lastname\n1,19900101-2385,Ek\n2,199001012385,Al\n3,900101-2385,Ask\n4,,Bok\n'
  test('are rejected, and the first of them is imported', async () => {
    const report = await imports.importText(text)
    assert.deepEqual(pickCounts(report), { rows: 4, inserted: 2, alreadyThere: 0, rejected: 2 })
    assert.deepEqual(
      (await readRejected(report.rejectedFile!)).map(({ line, field, reason }) => [line, field, reason]),
      [
        ['3', 'idNumber', 'belongs to another debtor.'],
        ['4', 'idNumber', 'belongs to another debtor.'],
      ],
    )
    assert.deepEqual(await imports.names(), ['Ek', 'Bok'])
    assert.deepEqual(pickCounts(await imports.importText(text)), {
      rows: 4,
      inserted: 0,
      alreadyThere: 2,
      rejected: 2,
    })
  })

  test('are rejected in file order also when far apart', async () => {
    const others = Array.from({ length: 800 }, (_, n) => `n${n},,N\n`).join('')
    const rows = `a,19900101-2385,Ek\n${others}b,19900101-2385,Al\n`
    const report = await imports.importText(`sourceReference,idNumber,lastname\n${rows}`)
    assert.deepEqual([report.inserted, report.rejected], [801, 1])
    assert.equal((await readRejected(report.rejectedFile!))[0]!['line'], '803')
  })

  test('are numbered in file order when duplicates are allowed', async () => {
    assert.equal((await imports.importText(text)).inserted, 2)
    const report = await imports.importText(text, { allowDuplicates: true })
    assert.deepEqual(pickCounts(report), { rows: 4, inserted: 2, alreadyThere: 2, rejected: 0 })
    const rows =
      await imports.sql`select full_name, duplicate_number from debtor where id_number is not null order by duplicate_number`
    assert.deepEqual(
      rows.map((row) => [row['full_name'], row['duplicate_number']]),
      [
        ['Ek', 0],
        ['Al', 1],
        ['Ask', 2],
      ],
    )
    assert.equal((await imports.sql`select from event`).length, 4)
  })
})
