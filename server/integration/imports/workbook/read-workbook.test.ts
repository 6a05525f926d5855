import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { writeWorkbook, type Cell, type SheetColumn } from '../../../../core/spreadsheet/workbook.ts'
import { writeZip } from '../../../../core/spreadsheet/zip.ts'
import { ImportRefused } from '../reading/import-refused.ts'
import { openWorkbook } from './read-workbook.ts'
import { bufferSource } from './zip-file.ts'

async function collect(parts: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = []
  for await (const part of parts) all.push(part)
  return Buffer.concat(all)
}

async function read(file: Buffer, decimals: '.' | ',' = '.') {
  const { sheet, rows } = await openWorkbook(bufferSource(file), decimals)
  const records: [line: number, cells: string[]][] = []
  for await (const block of rows)
    for (const record of block.records) if ('cells' in record) records.push([record.line, record.cells])
  return { sheet, records }
}

const write = (columns: readonly SheetColumn[], rows: Cell[][], name = 'Blad') =>
  collect(writeWorkbook({ name, columns, rows }))

/** A workbook of parts by hand, as other programs write them. */
const workbook = (parts: Record<string, string>) =>
  collect(
    writeZip(
      Object.entries({
        'xl/workbook.xml':
          '<x:workbook xmlns:x="m" xmlns:r="r"><x:sheets><x:sheet name="Gömt" state="hidden" r:id="a"/><x:sheet name="Kunder" r:id="b"/></x:sheets></x:workbook>',
        'xl/_rels/workbook.xml.rels':
          '<Relationships><Relationship Id="a" Target="worksheets/s1.xml"/><Relationship Id="b" Target="/xl/worksheets/s2.xml"/></Relationships>',
        'xl/worksheets/s1.xml': '<worksheet/>',
        ...parts,
      }).map(([name, text]) => ({ name, content: [text] })),
    ),
  )

describe('a workbook', () => {
  test('is read back as it was written, whatever its texts are', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.tuple(fc.string({ unit: 'binary' }), fc.integer({ min: -1e13, max: 1e13 }), fc.boolean()),
          {
            maxLength: 20,
          },
        ),
        async (drawn) => {
          const rows = drawn.map(([text, cents, flag]): Cell[] => [
            `x${text}`,
            { value: cents / 100, decimals: 2 },
            flag,
          ])
          const file = await write(
            [
              { heading: 'Text', type: 'text' },
              { heading: 'Belopp', type: 'money' },
              { heading: 'Ja', type: 'flag' },
            ],
            rows,
          )
          const { records } = await read(file)
          assert.deepEqual(
            records.slice(1).map(([, cells]) => cells),
            drawn.map(([text, cents, flag]) => [
              `x${text.toWellFormed()}`,
              String(cents / 100),
              String(flag),
            ]),
          )
        },
      ),
      { numRuns: 50 },
    )
  })

  test('has days as days, with the decimal sign that is asked for', async () => {
    const columns: SheetColumn[] = ['date', 'dateTime', 'number'].map((type) => ({
      heading: type,
      type: type as 'date',
    }))
    const file = await write(columns, [
      ['2026-02-28', '2026-02-28T13:45:07Z', 0.1 + 0.2],
      ['1900-03-01', null, 12],
      ['1890-01-01', '9999-12-31T00:00:00Z', 1e-7],
    ])
    const { records } = await read(file, ',')
    assert.deepEqual(
      records.slice(1).map(([, cells]) => cells),
      [
        ['2026-02-28', '2026-02-28T13:45:07Z', '0,3'],
        ['1900-03-01', '', '12'],
        ['1890-01-01', '9999-12-31', '1e-7'],
      ],
    )
  })

  test('of another program is read: shared and rich texts, formulas, gaps, formats, hidden sheets', async () => {
    const file = await workbook({
      'xl/sharedStrings.xml':
        '<sst><si><t>Namn</t></si><si><r><t>Å</t></r><r><t xml:space="preserve">sa </t></r><rPh><t>x</t></rPh></si></sst>',
      'xl/styles.xml':
        '<styleSheet><numFmts><numFmt numFmtId="170" formatCode="yyyy\\-mm\\-dd;@"/><numFmt numFmtId="171" formatCode="0000"/><numFmt numFmtId="172" formatCode="#,##0.00&quot; days&quot;"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="170"/><xf numFmtId="171"/><xf numFmtId="172"/></cellXfs></styleSheet>',
      'xl/worksheets/s2.xml':
        '<worksheet><sheetData><row r="2"><c r="A2" t="s"><v>0</v></c><c r="C2" t="inlineStr"><is><t>Post_x0041_nr</t></is></c></row><row r="3"/><row r="5"><c r="A5" t="s"><v>1</v></c><c r="C5" s="2"><v>150</v></c><c r="D5" s="1"><v>46052</v></c><c r="E5" t="str"><f>A1</f><v>beräknat</v></c><c r="AA5" s="3"><v>1.5</v></c><c r="AB5" t="b"><v>1</v></c></row></sheetData></worksheet>',
    })
    const { sheet, records } = await read(file)
    assert.equal(sheet, 'Kunder')
    assert.deepEqual(records[0], [2, ['Namn', '', 'PostAnr']])
    const [line, cells] = records[1]!
    assert.deepEqual(
      [line, cells.slice(0, 5), cells.slice(26)],
      [5, ['Åsa ', '', '0150', '2026-01-30', 'beräknat'], ['1.5', 'true']],
    )
  })

  test('that counts days from 1904 gives the same days', async () => {
    const file = await workbook({
      'xl/workbook.xml':
        '<workbook><workbookPr date1904="1"/><sheets><sheet name="Mac" r:id="b"/></sheets></workbook>',
      'xl/styles.xml': '<styleSheet><cellXfs><xf numFmtId="14"/></cellXfs></styleSheet>',
      'xl/worksheets/s2.xml':
        '<worksheet><sheetData><row><c s="0"><v>44590</v></c></row></sheetData></worksheet>',
    })
    assert.deepEqual((await read(file)).records, [[1, ['2026-01-30']]])
  })
})

function damage(file: Buffer): Buffer {
  const copy = Buffer.from(file)
  const name = 'xl/worksheets/sheet1.xml'
  const at = copy.indexOf(name) + name.length
  copy.fill(0xff, at, at + 40)
  return copy
}

function encrypted(file: Buffer): Buffer {
  const copy = Buffer.from(file)
  const at = copy.lastIndexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02]))
  copy[at + 8] = copy[at + 8]! | 1
  return copy
}

const whole = await write([{ heading: 'A', type: 'text' }], [['b']])
const entity =
  '<!DOCTYPE x [<!ENTITY a "aaaa">]><worksheet><sheetData><row><c t="str"><v>&a;</v></c></row></sheetData></worksheet>'
const refused: [what: string, file: Buffer, message: RegExp][] = [
  ['that is cut off', whole.subarray(0, whole.length - 30), /damaged or was cut off/],
  ['with a damaged part', damage(whole), /damaged/],
  [
    'that is another archive',
    await collect(writeZip([{ name: 'a.txt', content: ['x'] }])),
    /no Excel workbook/,
  ],
  [
    'with XML that is not well-formed',
    await workbook({ 'xl/worksheets/s2.xml': '<worksheet><row></c>' }),
    /XML is damaged/,
  ],
  ['with a document type', await workbook({ 'xl/worksheets/s2.xml': entity }), /XML is damaged/],
  ['whose sheet is missing', await workbook({}), /no Excel workbook/],
  ['that is encrypted', encrypted(whole), /encrypted/],
]
for (const [what, file, message] of refused)
  test(`a workbook ${what} is refused`, () =>
    assert.rejects(read(file), (error) => error instanceof ImportRefused && message.test(error.message)))

describe('a workbook that would fill the memory is refused:', () => {
  const bombs: [what: string, parts: Record<string, string>][] = [
    [
      'a million sheets',
      { 'xl/workbook.xml': `<workbook><sheets>${'<sheet/>'.repeat(1_000_001)}</sheets></workbook>` },
    ],
    [
      'a text without an end',
      {
        'xl/worksheets/s2.xml': '<worksheet/>',
        'xl/sharedStrings.xml': `<sst><si><t>${'a'.repeat(4 * 1_048_576)}`,
      },
    ],
    [
      'a tag without an end',
      { 'xl/worksheets/s2.xml': `<worksheet><sheetData a="${'a'.repeat(4 * 1_048_576)}` },
    ],
  ]
  for (const [what, parts] of bombs)
    test(what, async () => {
      await assert.rejects(workbook(parts).then(read), (error: Error) => {
        assert.ok(error instanceof ImportRefused, error.stack)
        assert.match(error.message, /damaged/)
        return true
      })
    })
})
