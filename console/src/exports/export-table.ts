/** The rows of a list as a table for spreadsheets: typed cells, labels beside codes, the currency beside amounts. */
import type { Cell, SheetColumn } from '../../../core/spreadsheet/workbook.ts'
import { countDecimals } from '../format/decimals.ts'
import type { ListField } from '../lists/list-fields.ts'

type Row = Readonly<Record<string, unknown>>

export interface ExportColumn extends SheetColumn {
  cell(row: Row): Cell
}

export interface ExportWords {
  /** The label of a code of a field. */
  formatValue(field: ListField, value: unknown): string
  /** The heading of the codes beside the labels of a field. */
  codeHeading(label: string): string
}

const currencyName = 'currencyCode'

/** The visible columns, and the currency where amounts would have none. */
export function exportColumns(
  columns: readonly string[],
  fields: readonly ListField[],
  label: (field: ListField) => string,
  words: ExportWords,
): ExportColumn[] {
  const shown = columns.flatMap((name) => fields.find((field) => field.name === name) ?? [])
  const currency = fields.find(({ name }) => name === currencyName)
  const lacksCurrency = currency && shown.some(({ money }) => money) && !columns.includes(currencyName)
  return [...shown, ...(lacksCurrency ? [currency] : [])].flatMap((field) =>
    toColumns(field, label(field), words),
  )
}

function toColumns(field: ListField, heading: string, words: ExportWords): ExportColumn[] {
  const { name, kind } = field
  const text = (row: Row) => toText(row[name])
  switch (kind) {
    case 'choice':
      return [
        { heading, type: 'text', cell: (row) => words.formatValue(field, row[name]) || null },
        { heading: words.codeHeading(heading), type: 'text', cell: text },
      ]
    case 'date':
      return [{ heading, type: field.isDay ? 'date' : 'dateTime', cell: (row) => toTime(row[name], field) }]
    case 'number':
      return [{ heading, type: field.money ? 'money' : 'number', cell: (row) => toNumber(row, field) }]
    case 'boolean':
      return [{ heading, type: 'flag', cell: (row) => (row[name] as boolean | null | undefined) ?? null }]
    default:
      return [{ heading, type: 'text', cell: text }]
  }
}

const toText = (value: unknown): string | null => {
  if (value === null || value === undefined || value === '') return null
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function toNumber(row: Row, { name, money }: ListField): Cell {
  const value = row[name]
  if (typeof value !== 'number') return null
  const currency = row[currencyName]
  return money ? { value, decimals: typeof currency === 'string' ? countDecimals(currency) : 2 } : value
}

const two = (number: number) => String(number).padStart(2, '0')

/** A day as it is, a time in the reader's own zone. */
function toTime(value: unknown, { isDay }: ListField): string | null {
  if (typeof value !== 'string') return null
  if (isDay) return value.slice(0, 10)
  const time = new Date(value)
  if (Number.isNaN(time.getTime())) return value
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}T${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`
}
