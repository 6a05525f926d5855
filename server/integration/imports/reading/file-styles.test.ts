/** Files as programs write them: drawn tables in every encoding and with every delimiter are read back. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import * as fc from 'fast-check'
import { DebtorInput } from '../../../../contract/parties/debtors.ts'
import { InvoiceRow } from '../../../../contract/integration/case-imports.ts'
import { guessEncoding } from '../inspection/guess-encoding.ts'
import { readColumnNames } from './columns.ts'
import { ImportRefused } from './import-refused.ts'
import { inspectFile, type Encoding } from './inspect-file.ts'
import { readRows, type ReadOptions } from './read-rows.ts'
import { readDay, readDecimal } from './value-style.ts'

let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fordra-styles-'))
})
after(() => rm(folder, { recursive: true }))

let files = 0
async function readMembers(
  content: Buffer,
  {
    schema = DebtorInput as typeof DebtorInput | typeof InvoiceRow,
    encoding,
    ...options
  }: ReadOptions & {
    schema?: typeof DebtorInput | typeof InvoiceRow
    encoding?: Encoding
  } = {},
) {
  const path = join(folder, `${++files}.csv`)
  await writeFile(path, content)
  const file = await inspectFile(path, encoding === undefined ? {} : { encoding })
  const { blocks } = await readRows(file, readColumnNames(schema, []), options)
  const rows = []
  for await (const block of blocks) rows.push(...block.rows)
  return rows.map(({ members, faults }) => (faults.length > 0 ? faults : members))
}

const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16()
const macSigns = new Map([...'ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü'].map((sign, index) => [sign, 0x80 + index]))
const encode: Record<string, (text: string) => Buffer> = {
  'UTF-8': (text) => Buffer.from(text),
  'UTF-8 with a mark': (text) => Buffer.from(`\ufeff${text}`),
  'windows-1252': (text) => Buffer.from(text, 'latin1'),
  'Mac OS Roman': (text) => Buffer.from([...text].map((sign) => macSigns.get(sign) ?? sign.charCodeAt(0))),
  'UTF-16 with a mark': (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  'UTF-16 big-endian with a mark': (text) => utf16be(`\ufeff${text}`),
  'UTF-16 without a mark': (text) => Buffer.from(text, 'utf16le'),
  'UTF-16 big-endian without a mark': (text) => utf16be(text),
}

const quote = (text: string, delimiter: string) =>
  text.includes(delimiter) || /["\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text

describe('a drawn table is read back', () => {
  for (const [name, toBytes] of Object.entries(encode)) {
    test(`in ${name}, with its encoding guessed and any delimiter`, async () => {
      const cell = fc.stringMatching(/^[a-zåäöÅÄÖéü ,;|"\t\n]{1,12}$/).filter((text) => text.trim() !== '')
      const row = fc.record({ lastname: cell, city: cell })
      await fc.assert(
        fc.asyncProperty(
          fc.array(row, { minLength: 1, maxLength: 20 }),
          fc.constantFrom(',', ';', '\t', '|'),
          fc.constantFrom('\n', '\r\n'),
          async (rows, delimiter, end) => {
            const lines = [
              ['lastname', 'city', 'domicile'],
              ...rows.map(({ lastname, city }) => [lastname, city, 'Håå och Ängön']),
            ]
            const text = lines
              .map((line) => line.map((one) => quote(one, delimiter)).join(delimiter) + end)
              .join('')
            const content = toBytes(text)
            const read = await readMembers(content, { encoding: guessEncoding(content) })
            assert.deepEqual(
              read,
              rows.map(({ lastname, city }) => ({ city, domicile: 'Håå och Ängön', lastname })),
            )
          },
        ),
        { numRuns: 25 },
      )
    })
  }
})

describe('days and amounts', () => {
  const amounts: [text: string, sign: '.' | ',', value: number | undefined][] = [
    ['1 234,50', ',', 1234.5],
    ['1.234.567,8', ',', 1234567.8],
    ['1\u00a0234', ',', 1234],
    ['1.234', ',', 1234],
    ['1.23', ',', undefined],
    ['-12,5', ',', -12.5],
    ['1,234.50', '.', 1234.5],
    ['1,234', '.', 1234],
    ['1,23', '.', undefined],
    ["1'234.50", '.', 1234.5],
    ['1 23,50', ',', undefined],
    ['12 kr', ',', undefined],
  ]
  for (const [text, sign, value] of amounts)
    test(`${text} with the sign ${sign} is ${value}`, () => assert.equal(readDecimal(text, sign), value))

  test('every amount is read back as a spreadsheet of each country writes it', () => {
    const writers = { ',': ['sv-SE', 'de-DE', 'da-DK', 'fi-FI', 'nb-NO'], '.': ['en-GB', 'de-CH'] } as const
    fc.assert(
      fc.property(fc.integer({ min: -1e11, max: 1e11 }), fc.constantFrom(',', '.'), (cents, sign) => {
        for (const locale of writers[sign]) {
          const text = (cents / 100).toLocaleString(locale, { minimumFractionDigits: 2 })
          assert.equal(readDecimal(text, sign), cents / 100, `${locale}: ${text}`)
        }
      }),
    )
  })

  const days: [text: string, order: 'ymd' | 'dmy' | 'mdy', day: string | undefined][] = [
    ['31.12.2025', 'dmy', '2025-12-31'],
    ['1/2/2025', 'dmy', '2025-02-01'],
    ['1/2/2025', 'mdy', '2025-01-02'],
    ['20251231', 'ymd', '2025-12-31'],
    ['2025/12/31', 'dmy', '2025-12-31'],
    ['31.2.2025', 'dmy', undefined],
    ['31.12.25', 'dmy', undefined],
    ['1.2.2025', 'ymd', undefined],
  ]
  for (const [text, order, day] of days)
    test(`${text} read as ${order} is ${day}`, () => assert.equal(readDay(text, order), day))

  test('of a file are read in its style, and what is in none stays as it is', async () => {
    const content = Buffer.from(
      'invoiceNumber;dueDate;principal\n1;31.01.2026;1 234,50\n2;2026-01-31;12\n3;x;1.5\n',
    )
    assert.deepEqual(await readMembers(content, { schema: InvoiceRow, dates: 'dmy', decimals: ',' }), [
      { dueDate: '2026-01-31', invoiceNumber: '1', principal: 1234.5 },
      { dueDate: '2026-01-31', invoiceNumber: '2', principal: 12 },
      { dueDate: 'x', invoiceNumber: '3', principal: 1.5 },
    ])
  })
})

describe('columns by their places', () => {
  const content = Buffer.from('Namn;Namn;;Ort\nEk;x;y;Malmö\n')
  test('need no headings of their own', async () => {
    assert.deepEqual(await readMembers(content, { columns: ['lastname', '', '', 'city'] }), [
      { city: 'Malmö', lastname: 'Ek' },
    ])
  })
  const refused: [columns: string[], message: RegExp][] = [
    [['lastname'], /has 4 columns, but 1 are given/],
    [['lastname', 'lastname', '', ''], /Two columns are lastname/],
    [['lastname', 'town', '', ''], /'town' is no field/],
  ]
  for (const [columns, message] of refused)
    test(`are refused: ${columns.join(',')}`, () =>
      assert.rejects(
        readMembers(content, { columns }),
        (error) => error instanceof ImportRefused && message.test(error.message),
      ))
})
