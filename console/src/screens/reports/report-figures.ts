/** How a report's rows are drawn: which columns are parts of a bar, and what the bars represent. */
import type { Report } from '../../../../contract/insight/reports.ts'
import { translateLabel } from '../../texts/labels.ts'
import { dayAfter, listAt, longMonth, addMonths, shortMonth } from '../dashboard/months.ts'
import { formatMoney, formatNumber } from '../../format/format.ts'
import type { ChartColumn, ChartPart } from '../../charts/stacked-chart.tsx'

type Row = Report['rows'][number]
type Plan = { by: string; parts: readonly string[] } | { buckets: readonly string[] }

const plans: Partial<Record<Report['reportName'], Plan>> = {
  portfolio: { by: 'status', parts: ['principal', 'interest', 'fee'] },
  aging: {
    buckets: ['notDue', 'days30', 'days60', 'days90', 'days180', 'days365', 'older', 'noDueDate'],
  },
  collected: { by: 'month', parts: ['principal', 'interest', 'fee', 'thirdParty'] },
  trust: { by: 'client', parts: ['agencysShare', 'paidOut', 'held'] },
  plans: { by: 'planType', parts: ['proposed', 'active', 'completed', 'breached', 'cancelled'] },
}
const colours: Record<string, string> = {
  principal: 'chart-main',
  interest: 'chart-warn',
  fee: 'chart-other',
  thirdParty: 'chart-good',
  agencysShare: 'chart-other',
  paidOut: 'chart-good',
  held: 'chart-main',
  proposed: 'chart-warn',
  active: 'chart-main',
  completed: 'chart-good',
  breached: 'chart-bad',
  cancelled: 'chart-age-0',
}
/** More bars than this are too narrow to distinguish. */
const barsMax = 18

export interface Figures {
  parts: ChartPart[]
  columns: ChartColumn[]
  /** The total number of bars. */
  all: number
}

const sumColumn = (rows: readonly Row[], code: string) =>
  rows.reduce((sum, row) => sum + Number(row[code] ?? 0), 0)

/** A text of a row in words: the names of statuses, types and months. */
export function rowText(code: string, value: string): string {
  if (code === 'status') return translateLabel(`lookup.casestatus.${value}`, value)
  if (code === 'planType') return translateLabel(`lookup.paymentplantype.${value}`, value)
  return code === 'month' ? longMonth(`${value}-01`) : value
}

/** Undefined for a report that is only a table. */
export function createFigures(
  report: Report,
  { currency, clientGuid }: { currency: string; clientGuid: string | undefined },
): Figures | undefined {
  const plan = plans[report.reportName]
  if (!plan) return undefined
  const own = report.rows.filter(({ currencyCode }) => currencyCode === currency)
  const findTitle = (code: string) => report.columns.find((column) => column.code === code)?.title ?? code
  const isMoney = (code: string) => report.columns.some((one) => one.code === code && one.kind === 'money')
  const show = (code: string, value: number) =>
    isMoney(code) ? formatMoney(value, currency) : formatNumber(value)
  if ('buckets' in plan) {
    const columns = plan.buckets.map((code) => {
      const value = sumColumn(own, code)
      return {
        key: code,
        label: findTitle(code),
        values: [value],
        about: `${findTitle(code)}: ${show(code, value)}`,
      }
    })
    return { parts: [{ name: findTitle('sum'), colour: 'chart-main' }], columns, all: columns.length }
  }
  const { by, parts } = plan
  const groups = [...Map.groupBy(own, (row) => String(row[by] ?? ''))]
  const weigh = ([, rows]: [string, Row[]]) => parts.reduce((sum, code) => sum + sumColumn(rows, code), 0)
  const chosen = by === 'client' ? groups.toSorted((a, b) => weigh(b) - weigh(a)) : sortGroups(by, groups)
  const shown = by === 'month' ? chosen.slice(-barsMax) : chosen.slice(0, barsMax)
  return {
    parts: parts.map((code) => ({ name: findTitle(code), colour: colours[code] ?? 'chart-main' })),
    columns: shown.map(([key, rows]) => {
      const name = rowText(by, key)
      const to = rowsBehind(by, key, { currency, clientGuid, to: report.to })
      return {
        key,
        label: by === 'month' ? shortMonth(`${key}-01`) : name,
        // Reversals can make a sum negative; the table shows that, a bar cannot.
        values: parts.map((code) => Math.max(0, sumColumn(rows, code))),
        about: `${name}: ${parts.map((code) => `${findTitle(code)} ${show(code, sumColumn(rows, code))}`).join(', ')}`,
        ...(to !== undefined && { to }),
      }
    }),
    all: groups.length,
  }
}

/** Months in order; statuses and types as the service orders them. */
const sortGroups = <T>(by: string, groups: [string, T][]): [string, T][] =>
  by === 'month' ? groups.toSorted(([a], [b]) => (a < b ? -1 : 1)) : groups

/** The list with the same rows, if there is one. */
function rowsBehind(
  by: string,
  key: string,
  { currency, clientGuid, to }: { currency: string; clientGuid: string | undefined; to: string },
): string | undefined {
  const inCurrency = `currencyCode eq '${currency}'`
  const clientCondition = clientGuid === undefined ? null : `clientGuid eq ${clientGuid}`
  if (by === 'status') return listAt('/cases', `status eq '${key}'`, inCurrency, clientCondition)
  if (by === 'planType') return listAt('/plans', `paymentPlanType eq ${key}`, inCurrency)
  if (by !== 'month') return undefined
  const month = `${key}-01T00:00:00Z`
  const [next, end] = [addMonths(month), dayAfter(to)]
  const until = next < end ? next : end
  return listAt(
    '/payments',
    'reversed eq false',
    inCurrency,
    clientCondition,
    `valueDate ge ${month}`,
    `valueDate lt ${until}`,
  )
}
