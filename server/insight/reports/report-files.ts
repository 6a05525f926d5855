/** Writes a report as CSV for spreadsheets, or as PDF. */
import { stringify } from 'csv-stringify/sync'
import { locales, type Language } from '../../../contract/platform/languages.ts'
import type { Report } from '../../../contract/insight/reports.ts'
import { guardFormula } from '../../../core/spreadsheet/guard-formula.ts'
import { countDecimals } from '../../../core/money/money.ts'
import { typesetReport, type ReportData } from '../../collection/letters/typeset.ts'
import { columnTitle, readableText } from './report-texts.ts'

type Value = string | number | null

/**
 * Writes codes unchanged, for other programs. Uses semicolons except in English, because spreadsheets with a
 * decimal comma expect them.
 */
export function writeCsv({ columns, rows, totals }: Report, language: Language): Buffer {
  const isEnglish = language === 'en'
  const cell = (value: Value, kind: string, currency: string): string => {
    if (value === null) return ''
    if (typeof value === 'string') return guardFormula(value)
    const text = kind === 'money' ? value.toFixed(countDecimals(currency)) : String(value)
    return isEnglish ? text : text.replace('.', ',')
  }
  const line = (row: Record<string, Value>) =>
    columns.map(({ code, kind }) => cell(row[code] ?? null, kind, String(row['currencyCode'])))
  const lines = [columns.map(({ title }) => title), ...rows.map(line), ...totals.map(line)]
  const text = stringify(lines, { delimiter: isEnglish ? ',' : ';', record_delimiter: 'windows', bom: true })
  return Buffer.from(text)
}

interface Reader {
  language: Language
  /** The name of the agency. */
  agency: string
}

export const writePdf = (report: Report, reader: Reader): Promise<Buffer> =>
  typesetReport(buildSheet(report, reader), new Date(report.businessDate))

/** The content of the PDF: codes in words, amounts and dates in the format of the language. */
export function buildSheet(report: Report, { language, agency }: Reader): ReportData {
  const { columns, rows, totals } = report
  const locale = locales[language]
  const write = (code: string, value: Value, kind: string, currency: string): string => {
    if (value === null) return ''
    if (typeof value === 'string') return readableText(code, value, language)
    const decimals = kind === 'money' ? countDecimals(currency) : kind === 'percent' ? 1 : 0
    const options = { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
    return new Intl.NumberFormat(locale, options).format(value)
  }
  const line = (row: Record<string, Value>) =>
    columns.map(({ code, kind }) => write(code, row[code] ?? null, kind, String(row['currencyCode'])))
  const dayIn = (date: string) =>
    new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(date))
  return {
    lang: language === 'no' ? 'nb' : language,
    title: report.title,
    sender: agency,
    subtitle: report.from === null ? dayIn(report.to) : `${dayIn(report.from)} – ${dayIn(report.to)}`,
    columns: columns.map(({ title, kind }) => ({ title, right: kind !== 'text' })),
    rows: rows.map(line),
    totals: totals.map(line),
    labels: { page: columnTitle('page', language), total: columnTitle('total', language) },
  }
}
