import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import * as fc from 'fast-check'
import { csvCell } from './csv-cell.ts'

const cases: [value: unknown, cell: string][] = [
  [null, ''],
  [undefined, ''],
  [-12.5, '-12.5'],
  [false, 'false'],
  ['Åsa; Lindqvist', 'Åsa; Lindqvist'],
  ['Lindqvist, Åsa', '"Lindqvist, Åsa"'],
  ['the "North"', '"the ""North"""'],
  ['two\nlines', '"two\nlines"'],
  [' padded ', '" padded "'],
  ['+46 70-174 06 05', '+46 70-174 06 05'],
  ['=1+1', "'=1+1"],
  ['+cmd|calc', "'+cmd|calc"],
  ['-2+3+cmd', "'-2+3+cmd"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\tx', `"'\tx"`.replace(`"'\tx"`, "'\tx")],
  [['READERS', 'AUDIT'], 'READERS|AUDIT'],
  [{ a: 1 }, '"{""a"":1}"'],
]
for (const [value, cell] of cases) {
  test(`${JSON.stringify(value) ?? 'undefined'} is ${JSON.stringify(cell)}`, () =>
    assert.equal(csvCell(value, ','), cell))
}

test('every text is read back unchanged, except for the apostrophe before a formula', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.constantFrom(',', ';', '\t'), (text, delimiter) => {
      const line = [csvCell(text, delimiter), 'end'].join(delimiter)
      const [cells] = parse(line, { delimiter }) as string[][]
      assert.equal(cells!.length, 2)
      assert.ok(cells![0] === text || cells![0] === `'${text}`)
      assert.doesNotMatch(cells![0]!, /^[=@\t\r\n＝＠]/)
    }),
  )
})
