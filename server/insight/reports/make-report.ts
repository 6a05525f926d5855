/**
 * Builds a report from its rows: totals by currency, percentages, API amounts, and titles in the caller's
 * language.
 */
import { Report, reportNames, type ReportName } from '../../../contract/insight/reports.ts'
import { toMidnight } from '../../../core/calendar/date-time.ts'
import { fromMinor } from '../../../core/money/money.ts'
import { pastMark, type PastDay } from '../../ledger/as-of/past-day.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { invalid, notFound } from '../../platform/http/errors.ts'
import { reports, type ReportDefinition } from './report-definitions.ts'
import type { ReportRange, ReportRow } from './report-queries.ts'
import { columnTitle, reportTitle } from './report-texts.ts'

export function requireReportName(name: string): ReportName {
  const found = reportNames.find((one) => one === name)
  if (!found) throw notFound('report')
  return found
}

export async function makeReport(
  db: Db,
  caller: Caller,
  {
    name,
    range,
    businessDate,
    day,
  }: { name: ReportName; range: ReportRange; businessDate: string; day: PastDay | null },
): Promise<Report> {
  const definition = reports[name]
  if (day && definition.loadPast === null)
    throw invalid({
      asOf: [`cannot be used with ${name}: plans have no derived past. Leave out asOf and knownAt.`],
    })
  const rows =
    day && definition.loadPast
      ? await definition.loadPast(db, caller, range, day)
      : await definition.load(db, caller, range)
  const out = (row: ReportRow) => toApiRow(definition, row)
  return {
    reportName: name,
    title: reportTitle(name, caller.language),
    businessDate: toMidnight(businessDate),
    from: definition.hasBeginning ? toMidnight(range.from) : null,
    to: toMidnight(range.to),
    columns: definition.columns.map(([code, kind]) => ({
      code,
      title: columnTitle(code, caller.language),
      kind,
    })),
    rows: rows.map(out),
    totals: sumTotals(definition, rows).map(out),
    ...(day && pastMark(day)),
  }
}

/** Totals of counts and amounts, by currency. */
export function sumTotals({ columns }: ReportDefinition, rows: readonly ReportRow[]): ReportRow[] {
  return [...Map.groupBy(rows, ({ currencyCode }) => currencyCode)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([currencyCode, own]) => {
      const total: ReportRow = { currencyCode }
      for (const [code, kind] of columns)
        if (kind === 'integer') total[code] = own.reduce((sum, row) => sum + Number(row[code] ?? 0), 0)
        else if (kind === 'money')
          total[code] = String(own.reduce((sum, row) => sum + BigInt(row[code] ?? 0), 0n))
      return total
    })
}

function toApiRow({ columns }: ReportDefinition, row: ReportRow): Record<string, string | number | null> {
  const { currencyCode } = row
  return Object.fromEntries(
    columns.map(([code, kind]) => {
      if (code === 'paidPercent') return [code, percentShare(Number(row['paid']), Number(row['due']))]
      const value = row[code] ?? null
      if (value === null || kind !== 'money') return [code, value]
      return [code, fromMinor(BigInt(value), currencyCode)]
    }),
  )
}

/** A percentage with one decimal. Null when the whole is zero. */
const percentShare = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((1000 * part) / whole) / 10
