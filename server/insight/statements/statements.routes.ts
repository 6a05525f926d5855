import type { Language } from '../../../contract/platform/languages.ts'
import {
  getCaseStatement,
  printedLinesMax,
  type CaseStatement,
} from '../../../contract/cases/case-statement.ts'
import { datePart } from '../../../core/calendar/date-time.ts'
import { fromMinor } from '../../../core/money/money.ts'
import { sumComponents, transactionKinds } from '../../../core/ledger/case-transaction.ts'
import { serve } from '../../access/serve/route.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import { findMovements, requireCase, type ListedCase } from '../../cases/all-cases.store.ts'
import { requirePast } from '../../cases/as-of/past-cases.ts'
import { readPastDay, type PastDay } from '../../ledger/as-of/past-day.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { findReader } from '../../platform/dictionary/reader.ts'
import { FieldErrors, invalid } from '../../platform/http/errors.ts'
import { composeStatement, roundToMinor } from './case-statement.ts'
import { writeStatementPdf } from './statement-sheet.ts'

export function serveStatements(service: ServerContext): void {
  const { clock } = service

  serve(service, getCaseStatement, async ({ db, caller, params: { caseGuid }, query }) => {
    const today = clock.today()
    const past = readPastDay(query, today, caller)
    const found = await requireCase(db, caller, caseGuid)
    if (past) await requirePast(db, caseGuid, past)
    const range = readRange(query, {
      lastDay: past?.asOf ?? today,
      registeredOn: datePart(found.registrationDate!),
      language: caller.language,
    })
    const { language } = caller
    const reader = findReader(language, query.culture)
    const ledger = await findMovements(db, found, { reader, day: past })
    const kinds = readKinds(query.kind)
    const whole = composeStatement(ledger, { ...range, kinds }, language)
    const live = past === null && range.to === today
    const owed = live
      ? found.remainingSum
      : await findOwed(db, found, { asOf: range.to, knownAt: past?.knownAt ?? null, today, language })
    const { skip, lines } = pageLines(whole.lines, query)
    const body: CaseStatement = {
      caseNumber: found.caseNumber,
      debtorName: found.mainDebtorName,
      clientName: found.clientName,
      ...whole,
      unbookedInterest: subtract(owed, whole.closingBalance, found.currencyCode),
      owed,
      count: lines.length,
      skip,
      total: whole.lines.length,
      lines,
    }
    if (query.format !== 'pdf') return { body }
    const [agency] = await db<{ name: string }[]>`select name from party where parent_id is null`
    const bytes = await writeStatementPdf(body, { ...reader, agency: agency!.name })
    return { body, file: { type: 'application/pdf', bytes, name: `${found.caseNumber}-${range.to}.pdf` } }
  })
}

function readRange(
  query: { from?: string; to?: string },
  { lastDay, registeredOn, language }: { lastDay: string; registeredOn: string; language: Language },
) {
  const checks = new FieldErrors(language)
  const to = query.to === undefined ? lastDay : datePart(query.to)
  const from = query.from === undefined ? null : datePart(query.from)
  if (to > lastDay) checks.add('to', `must not be after ${checks.day(lastDay)}.`)
  else if (to < registeredOn)
    checks.add('to', `must not be before the case was registered, ${checks.day(registeredOn)}.`)
  else if (from !== null && from > to)
    checks.add('from', `must not be after the last day (to), ${checks.day(to)}.`)
  checks.throwIfAny()
  return { from, to }
}

/**
 * In upper or lower case. Throws a 400 for what is no kind, so that a mistyped one does not look like an empty ledger.
 */
function readKinds(given: string | undefined): ReadonlySet<string> | null {
  if (given === undefined) return null
  const known = new Map(transactionKinds.map((kind): [string, string] => [kind.toLowerCase(), kind]))
  const kinds = given.split(',').map((one) => {
    const kind = known.get(one.toLowerCase())
    if (kind === undefined)
      throw invalid({
        kind: [`has ${one}, which is no kind of transaction. Kinds are ${transactionKinds.join(', ')}.`],
      })
    return kind
  })
  return new Set(kinds)
}

/** A page as JSON, every line as PDF. Throws a 400 where a PDF would have too many. */
function pageLines<Line>(
  all: readonly Line[],
  {
    $skip: skip = 0,
    $top: top = 100,
    $orderby: order,
    format,
  }: {
    $skip?: number
    $top?: number
    $orderby?: string
    format?: string
  },
): { skip: number; lines: Line[] } {
  if (format === 'pdf') {
    if (all.length > printedLinesMax)
      throw invalid({
        format: [
          `pdf takes at most ${printedLinesMax} lines, and these are ${all.length}. Choose a shorter period.`,
        ],
      })
    return { skip: 0, lines: [...all] }
  }
  const ordered = order === 'valueDate desc' ? all.toReversed() : all
  return { skip, lines: ordered.slice(skip, skip + top) }
}

/** What is owed on the case on a day, with the interest up to it. */
async function findOwed(db: Db, { caseGuid, currencyCode }: ListedCase, day: PastDay): Promise<number> {
  const { ledger } = await requirePast(db, caseGuid, day)
  return fromMinor(sumComponents(ledger.balances.remaining), currencyCode)
}

const subtract = (one: number, other: number, currency: string): number =>
  fromMinor(roundToMinor(one, currency) - roundToMinor(other, currency), currency)
