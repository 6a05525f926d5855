/** The report and its parameters are in the address, so that they can be bookmarked and shared. */
import type { ReportName } from '../../../../contract/insight/reports.ts'

export interface ReportKind {
  name: ReportName
  /** Which it takes; the others are as of the business date and of everybody. */
  takes: readonly ('from' | 'to' | 'clientGuid')[]
}

export const reportKinds: readonly ReportKind[] = [
  { name: 'portfolio', takes: ['clientGuid'] },
  { name: 'aging', takes: ['clientGuid'] },
  { name: 'collected', takes: ['from', 'to', 'clientGuid'] },
  { name: 'trust', takes: ['to', 'clientGuid'] },
  { name: 'trust-balance', takes: ['to'] },
  { name: 'plans', takes: ['clientGuid'] },
]

export interface ReportSearch {
  report?: ReportName
  from?: string
  to?: string
  clientGuid?: string
}

const dayForm = /^\d{4}-\d\d-\d\d$/
const isDay = (value: unknown): value is string => typeof value === 'string' && dayForm.test(value)
const guidForm = /^[0-9a-f-]{36}$/i

export function readReportSearch({ report, from, to, clientGuid }: Record<string, unknown>): ReportSearch {
  const kind = reportKinds.find(({ name }) => name === report)
  return {
    ...(kind && { report: kind.name }),
    ...(isDay(from) && { from }),
    ...(isDay(to) && { to }),
    ...(typeof clientGuid === 'string' && guidForm.test(clientGuid) && { clientGuid }),
  }
}

/** The query for the operation: the parameters in the address that the report takes. */
export function reportInput(
  { name, takes }: ReportKind,
  search: ReportSearch,
): { reportName: ReportName } & Pick<ReportSearch, 'from' | 'to' | 'clientGuid'> {
  const { from, to, clientGuid } = search
  const has = (one: ReportKind['takes'][number]) => takes.includes(one)
  return {
    reportName: name,
    ...(from !== undefined && has('from') && { from }),
    ...(to !== undefined && has('to') && { to }),
    ...(clientGuid !== undefined && has('clientGuid') && { clientGuid }),
  }
}
