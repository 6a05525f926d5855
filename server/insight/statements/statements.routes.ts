import { getCaseStatement } from '../../../contract/cases/case-statement.ts'
import { datePart } from '../../../core/calendar/date-time.ts'
import { serve } from '../../access/serve/route.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import { findMovements, requireCase } from '../../cases/all-cases.store.ts'
import { requirePast } from '../../cases/as-of/past-cases.ts'
import { readPastDay } from '../../ledger/as-of/past-day.ts'
import { FieldErrors, invalid } from '../../platform/http/errors.ts'
import { composeStatement, writeStatementPdf } from './case-statement.ts'

export function serveStatements(service: ServerContext): void {
  const { clock } = service

  serve(service, getCaseStatement, async ({ db, caller, params: { caseGuid }, query }) => {
    const day = readPastDay(query, clock.today())
    const range = readRange(query, day?.asOf ?? clock.today())
    const found = await requireCase(db, caller, caseGuid)
    if (day) await requirePast(db, caseGuid, day)
    const { language } = caller
    const ledger = await findMovements(db, found, { language, day })
    const { caseNumber, debtorName, clientName } = found
    const subject = { caseNumber, debtorName: debtorName ?? '', clientName: clientName ?? '' }
    const kinds = readKinds(query.kind, ledger.transactions)
    const body = composeStatement(subject, ledger, { ...range, kinds, language })
    if (query.format !== 'pdf') return { body }
    const [agency] = await db<{ name: string }[]>`select name from party where parent_id is null`
    const bytes = await writeStatementPdf(body, { language, agency: agency!.name })
    return { body, file: { type: 'application/pdf', bytes, name: `${caseNumber}-${range.to}.pdf` } }
  })
}

function readRange(query: { from?: string; to?: string }, lastDay: string) {
  const checks = new FieldErrors()
  const to = query.to === undefined ? lastDay : datePart(query.to)
  const from = query.from === undefined ? null : datePart(query.from)
  if (to > lastDay) checks.add('to', `must not be after ${lastDay}.`)
  if (from !== null && from > to) checks.add('from', `must not be after the last day (to), ${to}.`)
  checks.throwIfAny()
  return { from, to }
}

/** Throws a 400 for a kind that the case does not have, so that a mistyped one does not look like an empty ledger. */
function readKinds(
  given: string | undefined,
  transactions: readonly { kind: string }[],
): ReadonlySet<string> | null {
  if (given === undefined) return null
  const known = new Set(transactions.map(({ kind }) => kind))
  const kinds = new Set(given.split(','))
  const unknown = [...kinds].find((kind) => !known.has(kind))
  if (unknown !== undefined)
    throw invalid({ kind: [`has ${unknown}, which this case does not have. It has ${[...known].join(', ')}.`] })
  return kinds
}
