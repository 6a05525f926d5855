import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { CsvRecords, type CsvRecord } from './csv-records.ts'

function readText(text: string, delimiter = ',', linesInBlock = 1000): CsvRecord[] {
  const records = new CsvRecords(delimiter)
  const lines = text.split(/\r?\n/)
  const found: CsvRecord[] = []
  for (let at = 0; at < lines.length; at += linesInBlock) {
    found.push(...records.take({ firstLine: at + 1, lines: lines.slice(at, at + linesInBlock), bytes: 0 }))
  }
  return [...found, ...records.end()]
}

const firstLines = (records: CsvRecord[]) =>
  records.map((record) =>
    'fault' in record ? `${record.line}!` : `${record.line}:${record.cells.join('|')}`,
  )

const quote = (text: string) => (/[",;\t\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

describe('records of CSV', () => {
  const cases: [name: string, text: string, expected: string[]][] = [
    ['plain lines', 'a,b\n1,2\n\n3,', ['1:a|b', '2:1|2', '4:3|']],
    ['quoted cells', '"a","b ""x"""\n"1,2",3', ['1:a|b "x"', '2:1,2|3']],
    ['a line end in a cell', 'a,"b\nc\n",d\n1,2,3', ['1:a|b\nc\n|d', '4:1|2|3']],
    ['a blank line in a cell', '"a\n\nb"\nc', ['1:a\n\nb', '4:c']],
    ['a stray quote in a cell costs its line', 'a,5" pipe\n1,2', ['1!', '2:1|2']],
    ['two stray quotes in one line', 'a "b" c,d\n1,2', ['1!', '2:1|2']],
    ['text after a closing quote', '"a"b,c\n1,2', ['1!', '2:1|2']],
    ['a quote that is never closed', 'a,"b\n1,2\n3,4', ['1!', '2:1|2', '3:3|4']],
    ['two lines with a stray quote', 'a,5" x\n1,2\nb,6" y\n3,4', ['1!', '2:1|2', '3!', '4:3|4']],
    ['good records with quotes around a bad one', '"a",1\n"b"c,2\n"d",3', ['1:a|1', '2!', '3:d|3']],
    ['empty cells in quotes', '"",""', ['1:|']],
    ['nothing', '', []],
  ]
  for (const [name, text, expected] of cases) {
    test(name, () => {
      for (const linesInBlock of [1000, 1]) {
        assert.deepEqual(firstLines(readText(text, ',', linesInBlock)), expected)
      }
    })
  }

  test('a line that is too long is a fault of its own, and so is the record around it', () => {
    const records = new CsvRecords(',')
    const lines = ['a,b', null, '"c', null, 'd,e']
    const found = records.take({ firstLine: 1, lines, bytes: 0 })
    assert.deepEqual(firstLines(found), ['1:a|b', '2!', '3!', '4!', '5:d|e'])
  })

  test('a quote still open after a thousand lines is a fault, and the lines after it are read as rows', () => {
    const text = `x,"open\n${'1,2\n'.repeat(3000)}`
    const records = readText(text)
    assert.equal(records.length, 3001)
    assert.deepEqual(firstLines(records.slice(0, 2)), ['1!', '2:1|2'])
  })

  test('records written by RFC 4180 are read back, however they are cut into blocks', () => {
    const cell = fc.oneof(
      fc.string({ maxLength: 8 }),
      fc.stringMatching(/^[ab",;\n]{0,8}$/),
      fc.string({ unit: 'grapheme', maxLength: 6 }),
    )
    const clean = cell.map((text) => text.replaceAll('\r', ''))
    const rows = fc
      .integer({ min: 2, max: 5 })
      .chain((width) => fc.array(fc.array(clean, { minLength: width, maxLength: width }), { maxLength: 12 }))
    fc.assert(
      fc.property(
        rows,
        fc.constantFrom(',', ';', '\t'),
        fc.integer({ min: 1, max: 7 }),
        (table, delimiter, size) => {
          const text = table.map((row) => `${row.map(quote).join(delimiter)}\n`).join('')
          const read = readText(text, delimiter, size)
          assert.deepEqual(
            read.map((record) => ('cells' in record ? record.cells : record.fault)),
            table,
          )
          let line = 1
          for (const [index, row] of table.entries()) {
            assert.equal(read[index]!.line, line)
            line += 1 + row.join('').split('\n').length - 1
          }
        },
      ),
    )
  })
})
