import * as contract from '../../../contract/insight/reports.ts'
import { datePart } from '../../../core/calendar/date-time.ts'
import { invalid, writeDay } from '../../platform/http/errors.ts'
import { readPastDay } from '../../ledger/as-of/past-day.ts'
import { serve } from '../../access/serve/route.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import { makeReport, requireReportName } from './make-report.ts'
import { writeCsv, writePdf } from './report-files.ts'

export function serveReports(service: ServerContext): void {
  const { clock } = service

  serve(service, contract.getReport, async ({ db, caller, params, query }) => {
    const name = requireReportName(params.reportName)
    const businessDate = clock.today()
    const day = readPastDay(query, businessDate, caller)
    const to = query.to ? datePart(query.to) : (day?.asOf ?? businessDate)
    if (day && to > day.asOf)
      throw invalid({ to: [`must not be after asOf, ${writeDay(day.asOf, caller.language)}.`] })
    const from = query.from ? datePart(query.from) : `${to.slice(0, 4)}-01-01`
    if (from > to)
      throw invalid({ from: [`must not be after the last day (to), ${writeDay(to, caller.language)}.`] })
    const range = {
      from,
      to,
      knownAt: day?.knownAt ?? null,
      clientGuid: query.clientGuid?.toLowerCase() ?? null,
    }
    const body = await makeReport(db, caller, { name, range, businessDate, day })
    if (query.format === 'csv')
      return {
        body,
        file: { type: 'text/csv', bytes: writeCsv(body, caller.language), name: `${name}-${to}.csv` },
      }
    if (query.format === 'pdf') {
      const [agency] = await db<{ name: string }[]>`select name from party where parent_id is null`
      const bytes = await writePdf(body, { language: caller.language, agency: agency!.name })
      return { body, file: { type: 'application/pdf', bytes, name: `${name}-${to}.pdf` } }
    }
    return { body }
  })
}
