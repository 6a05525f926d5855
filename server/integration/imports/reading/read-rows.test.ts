import assert from 'node:assert/strict'
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { DebtorInput } from '../../../../contract/parties/debtors.ts'
import { readColumnNames } from './columns.ts'
import { ImportRefused } from './import-refused.ts'
import { inspectFile, type Encoding } from './inspect-file.ts'
import { readRows } from './read-rows.ts'
import type { SourceRow } from './row.ts'
import type { DateOrder, DecimalSign } from './value-style.ts'

let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fordra-rows-'))
})
after(() => rm(folder, { recursive: true }))

let files = 0
async function write(content: string | Buffer, ending = 'csv'): Promise<string> {
  const path = join(folder, `${++files}.${ending}`)
  await writeFile(path, content)
  return path
}

interface Reading {
  ending?: string
  encoding?: Encoding
  delimiter?: string
  mappings?: string[]
  columns?: string[]
  dates?: DateOrder
  decimals?: DecimalSign
}

async function read(content: string | Buffer, options: Reading = {}): Promise<SourceRow[]> {
  const file = await inspectFile(await write(content, options.ending), options)
  const names = readColumnNames(DebtorInput, options.mappings ?? [])
  const { blocks } = await readRows(file, names, options)
  const rows: SourceRow[] = []
  for await (const block of blocks)
    rows.push(
      ...block.rows.map(({ line, reference, members, faults }) => ({ line, reference, members, faults })),
    )
  return rows
}

const refuses = (content: string | Buffer, message: RegExp, options: Reading = {}) =>
  assert.rejects(
    read(content, options),
    (error) => error instanceof ImportRefused && message.test(error.message),
  )

const good = (line: number, reference: string | null, members: object) => ({
  line,
  reference,
  members,
  faults: [],
})
const collectFaults = (rows: SourceRow[]) =>
  rows.map(
    ({ line, faults }) => `${line} ${faults.map(({ field, reason }) => `${field}: ${reason}`).join(' ')}`,
  )

describe('CSV', () => {
  const rows = [
    good(2, '1', { city: 'Malmö', lastname: 'Ek' }),
    good(3, '2', { city: 'Åhus, norra', lastname: 'Al' }),
  ]
  test('with a comma, CRLF and a byte order mark', async () => {
    assert.deepEqual(
      await read('\ufeffsourceReference,lastname,city\r\n1,Ek,Malmö\r\n2,Al,"Åhus, norra"\r\n'),
      rows,
    )
  })
  test('with a semicolon, as Nordic spreadsheets write it', async () => {
    assert.deepEqual(await read('sourceReference;lastname;city\n1;Ek;Malmö\n2;Al;Åhus, norra'), rows)
  })
  test('with tabs', async () => {
    assert.deepEqual(await read('sourceReference\tlastname\tcity\n1\tEk\tMalmö\n2\tAl\tÅhus, norra\n'), rows)
  })
  test('with the delimiter that gives known headings, though another is more frequent', async () => {
    const text = '"Ref, a, b, c";lastname\n1;Ek\n'
    assert.deepEqual(await read(text, { mappings: ['Ref, a, b, c=sourceReference'] }), [
      good(2, '1', { lastname: 'Ek' }),
    ])
  })
  test('with a delimiter that is given', async () => {
    assert.deepEqual(await read('lastname|city\nEk|Ystad\n', { delimiter: '|' }), [
      good(2, null, { city: 'Ystad', lastname: 'Ek' }),
    ])
  })
  test('in windows-1252, when that encoding is given', async () => {
    const text = Buffer.from('lastname,city\nSj\xf6berg \x80,Malm\xf6\n', 'latin1')
    assert.deepEqual(await read(text, { encoding: 'windows-1252' }), [
      good(2, null, { city: 'Malmö', lastname: 'Sjöberg €' }),
    ])
  })
  test('with one column, blank lines and lines of blank cells', async () => {
    assert.deepEqual(
      (await read('\n\nlastname,city\n\nEk,\n,\n , \nAl,\n\n')).map(({ line }) => line),
      [5, 8],
    )
    assert.deepEqual(await read('lastname\nEk\n'), [good(2, null, { lastname: 'Ek' })])
  })
  test('leaves out empty cells and reads numbers and booleans', async () => {
    assert.deepEqual(
      await read('juridicalType,gender,underAged,lastname\n0, 2 ,TRUE,\n1,x,ja,Ek\n,,0,Al\n'),
      [
        good(2, null, { gender: 2, juridicalType: 0, underAged: true }),
        good(3, null, { gender: 'x', juridicalType: 1, lastname: 'Ek', underAged: 'ja' }),
        good(4, null, { lastname: 'Al', underAged: false }),
      ],
    )
  })
  test('gives the first line of each row, also after cells of several lines', async () => {
    const text = 'lastname,city\n"Ek\n\nnext",a\nAl,b\n"x\r\ny",c\r\nÅs,d'
    assert.deepEqual(
      (await read(text)).map(({ line }) => line),
      [2, 5, 6, 8],
    )
  })
  test('rejects rows of another width, stray quotes and lines beyond the limit', async () => {
    const text = `lastname,city\nEk\nAl,a,b\n5" x,c\n${'y'.repeat(1_100_000)},d\nOk,e\n"${'z'.repeat(700_000)}\n${'z'.repeat(700_000)}",f\nOk,g\n`
    const rowsRead = await read(text)
    assert.deepEqual(
      rowsRead.filter(({ faults }) => faults.length === 0).map(({ line }) => line),
      [6, 9],
    )
    const faults = collectFaults(rowsRead)
    assert.match(faults[0]!, /^2 : has 1 cells, but the heading line has 2\./)
    assert.match(faults[1]!, /^3 : has 3 cells/)
    assert.match(faults[2]!, /^4 : opens a quote that is not closed/)
    assert.match(faults[3]!, /^5 : is longer than 1048576 bytes/)
    assert.match(faults[5]!, /^7 : opens a quote that is not closed/)
    assert.match(faults[6]!, /^8 : has a quote inside a cell without quotes|^8 : opens a quote/)
  })
  test('with a hundred ignored columns and one that counts', async () => {
    const others = Array.from({ length: 100 }, (_, index) => `Other ${index}`)
    const text = `${others.join(',')},lastname\n${','.repeat(100)}Ek\nEk\n`
    const rowsRead = await read(text, { mappings: others.map((name) => `${name}=`) })
    assert.deepEqual(rowsRead[0], good(2, null, { lastname: 'Ek' }))
    assert.match(collectFaults(rowsRead)[1]!, /^3 : has 1 cells, but the heading line has 101/)
  })
  test('returns every line of a block', async () => {
    const count = 40_000
    const text = Array.from({ length: count }, (_, n) => `${n},Ek ${n},"Öv""re\n${n}"\n`).join('')
    const rowsRead = await read(`sourceReference,lastname,city\n${text}`)
    assert.equal(rowsRead.length, count)
    assert.deepEqual(
      rowsRead[39_999],
      good(79_999 + 1, '39999', { city: 'Öv"re\n39999', lastname: 'Ek 39999' }),
    )
  })
})

describe('NDJSON', () => {
  const ending = 'ndjson'
  test('has members by name, in any letter case', async () => {
    assert.deepEqual(
      await read(
        '{"sourceReference":17,"LastName":"Ek","gender":1,"email":null}\r\n\n{"city":"Lund","lastname":"Al"}',
        { ending },
      ),
      [good(1, '17', { gender: 1, lastname: 'Ek' }), good(3, null, { city: 'Lund', lastname: 'Al' })],
    )
  })
  test('is detected by its contents when the name does not tell', async () => {
    assert.deepEqual(await read('\ufeff{"lastname":"Ek"}\n', { ending: 'data' }), [
      good(1, null, { lastname: 'Ek' }),
    ])
  })
  test('is mapped as CSV is', async () => {
    assert.deepEqual(
      await read('{"Namn":"Ek","Notes":{"a":[1]}}', { ending, mappings: ['Namn=lastname', 'Notes='] }),
      [good(1, null, { lastname: 'Ek' })],
    )
  })
  test('has the faults of a request body, without showing values', async () => {
    const lines = [
      '{"lastname":"19121212-1212"',
      '["Ek"]',
      '"Ek"',
      '{"surname":"Ek","town":1}',
      '{"city":"a","CITY":"b"}',
      '{"sourceReference":{},"lastname":"Ek"}',
      '{"lastname":"\\ud800"}',
      '{"__proto__":{"lastname":"Ek"}}',
      `{"lastname":${'['.repeat(100_000)}`,
      `{"lastname":"${'x'.repeat(1_100_000)}"}`,
      '{"lastname":"a\\u0000b"}',
    ]
    const faults = collectFaults(await read(lines.join('\n'), { ending }))
    const expected = [
      /^1 : is not well-formed JSON\.$/,
      /^2 : must be one JSON object/,
      /^3 : must be one JSON object/,
      /^4 surname: is not known here\. Known are sourceReference, .* town: is not known here/,
      /^5 city: is given more than once/,
      /^6 sourceReference: must be a text in quotes or a whole number/,
      /^7 lastname: has a NUL character or half a surrogate pair/,
      /^8 : has a member named __proto__/,
      /^9 : is nested deeper than 32 levels/,
      /^10 : is longer than/,
      /^11 lastname: has a NUL character/,
    ]
    assert.equal(faults.length, expected.length)
    for (const [index, pattern] of expected.entries()) assert.match(faults[index]!, pattern)
    assert.ok(!faults.join().includes('1212'))
  })
  test('may be empty', async () => assert.deepEqual(await read('', { ending }), []))
})

describe('a row with invalid text is rejected alone', () => {
  test('in CSV, with its columns, and with its reference where that is valid', async () => {
    const text =
      'sourceReference,lastname,city,x\n1,Ek,Lund,\n2,Sj\xf6,Malm\xf6,\n\xe5,Al,,\n3,A\0l,,\n' +
      '4,"Two\nSj\xf6\n",,\n5,Ek,,\xe4\n6,Al,Ystad,\n'
    const rows = await read(Buffer.from(text, 'latin1'), { mappings: ['x='] })
    assert.deepEqual(rows[0], good(2, '1', { city: 'Lund', lastname: 'Ek' }))
    assert.deepEqual(rows.at(-1), good(10, '6', { city: 'Ystad', lastname: 'Al' }))
    assert.deepEqual(
      rows
        .slice(1, -1)
        .map(({ line, reference, faults }) => [line, reference, faults.map((one) => one.field)]),
      [
        [3, '2', ['lastname', 'city']],
        [4, null, ['sourceReference']],
        [5, '3', ['lastname']],
        [6, '4', ['lastname']],
        [9, '5', ['']],
      ],
    )
    assert.match(collectFaults(rows)[1]!, /lastname: holds bytes that are not UTF-8\..*windows-1252/)
    assert.match(collectFaults(rows)[3]!, /lastname: holds a NUL character/)
  })
  test('in NDJSON, by its line', async () => {
    const text = '{"lastname":"Ek"}\n{"lastname":"Sj\xf6"}\n{"lastname":"A\0l"}\n{"lastname":"Al"}'
    const rows = await read(Buffer.from(text, 'latin1'), { ending: 'ndjson' })
    assert.deepEqual(
      [rows[0], rows[3]],
      [good(1, null, { lastname: 'Ek' }), good(4, null, { lastname: 'Al' })],
    )
    assert.match(collectFaults(rows)[1]!, /^2 : holds bytes that are not UTF-8/)
    assert.match(collectFaults(rows)[2]!, /^3 : holds a NUL character/)
  })
  test('in windows-1252 for NUL alone', async () => {
    const rows = await read(Buffer.from('lastname\nSj\xf6\nA\0l\n', 'latin1'), { encoding: 'windows-1252' })
    assert.deepEqual(rows[0], good(2, null, { lastname: 'Sjö' }))
    assert.match(collectFaults(rows)[1]!, /^3 lastname: holds a NUL/)
  })
  test('and a row with U+FFFD in valid UTF-8 is accepted', async () => {
    const text = Buffer.concat([Buffer.from('lastname\nS\ufffd\nSj'), Buffer.from([0xf6, 10])])
    const rows = await read(text)
    assert.deepEqual(rows[0], good(2, null, { lastname: 'S\ufffd' }))
    assert.match(collectFaults(rows)[1]!, /^3 lastname: holds bytes/)
  })
  test('however late it comes, and never for letters split between blocks', async () => {
    const long = `lastname\n${'ö€😀x\n'.repeat(300_000)}`
    const rows = await read(Buffer.concat([Buffer.from(long), Buffer.from([0xc3])]))
    assert.deepEqual(
      rows.filter(({ faults }) => faults.length > 0).map(({ line }) => line),
      [300_002],
    )
    assert.deepEqual(rows[299_999], good(300_001, null, { lastname: 'ö€😀x' }))
  })
})

describe('a file is refused whole, before any row is used', () => {
  test('when it does not exist, or is a folder or special file', async () => {
    await mkdir(join(folder, 'inner.csv'))
    const refusals: [path: string, message: RegExp][] = [
      [join(folder, 'none.csv'), /There is no file/],
      [join(folder, 'inner.csv'), /is a folder/],
      ['/dev/null', /is not a regular file/],
    ]
    for (const [path, message] of refusals) {
      await assert.rejects(
        inspectFile(path),
        (error) => error instanceof ImportRefused && message.test(error.message),
      )
    }
  })
  test('when it is empty or blank', async () => {
    await refuses('', /is empty\. The first line of a CSV file names its columns/)
    await refuses('\n \n'.replace(' ', ''), /is empty/)
    await refuses('\ufeff', /is empty/)
  })
  test('when it is binary, or text in another encoding', async () => {
    await refuses(Buffer.from('lastname\nEk\n', 'utf16le'), /heading line .* NUL character/)
    await refuses(Buffer.from('PK\x03\x04rest', 'latin1'), /damaged or was cut off/)
    await refuses(Buffer.from([0x1f, 0x8b, 8, 0]), /compressed with gzip/)
    await refuses(Buffer.from('lastname\r\nEk\r\n', 'utf16le').swap16(), /heading line .* NUL character/)
    await refuses(Buffer.from('f\xf6rnamn\nEk\n', 'latin1'), /heading line .* not UTF-8.*windows-1252/)
  })
  test('when its lines end in CR alone', async () => {
    await refuses('lastname,city\rEk,a\rAl,b\r', /end in CR alone/)
  })
  test('when its heading line cannot be read', async () => {
    await refuses('"lastname,city\nEk,a\n', /heading line .* cannot be read/)
    await refuses(`${'x'.repeat(1_100_000)}\n`, /heading line .* cannot be read: it is longer/)
  })
})
