import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AllCasesItem } from '../../../contract/cases/all-cases.ts'
import { exportColumns } from './export-table.ts'
import { readListFields } from '../lists/list-fields.ts'

const fields = readListFields(AllCasesItem)
const words = {
  formatValue: (_field: unknown, value: unknown) => (value === 'CLOSED' ? 'Closed' : ''),
  codeHeading: (heading: string) => `${heading} (code)`,
}
const table = (columns: string[]) => exportColumns(columns, fields, ({ name }) => name, words)

test('amounts have their currency beside them, with its decimals', () => {
  const columns = table(['caseNumber', 'remainingSum'])
  assert.deepEqual(
    columns.map(({ heading, type }) => [heading, type]),
    [
      ['caseNumber', 'text'],
      ['remainingSum', 'money'],
      ['currencyCode', 'text'],
    ],
  )
  const cells = (currencyCode: string) =>
    columns.map((column) => column.cell({ caseNumber: '007', remainingSum: 1250, currencyCode }))
  assert.deepEqual(cells('SEK'), ['007', { value: 1250, decimals: 2 }, 'SEK'])
  assert.deepEqual(cells('ISK'), ['007', { value: 1250, decimals: 0 }, 'ISK'])
})

test('codes have their labels before them, and days are days', () => {
  const columns = table(['status', 'registrationDate', 'currencyCode', 'remainingSum'])
  assert.deepEqual(
    columns.map(({ heading, type }) => [heading, type]),
    [
      ['status', 'text'],
      ['status (code)', 'text'],
      ['registrationDate', 'date'],
      ['currencyCode', 'text'],
      ['remainingSum', 'money'],
    ],
  )
  const row = {
    status: 'CLOSED',
    registrationDate: '2026-02-28T00:00:00Z',
    currencyCode: null,
    remainingSum: null,
  }
  assert.deepEqual(
    columns.map((column) => column.cell(row)),
    ['Closed', 'CLOSED', '2026-02-28', null, null],
  )
})
