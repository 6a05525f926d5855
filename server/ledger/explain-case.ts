import type { CaseExplanation, ExplanationLine } from '../../contract/cases/case-explanation.ts'
import { explainCase, type ExplanationLine as CoreLine } from '../../core/ledger/case-explanation.ts'
import { findDayCount } from '../../core/interest/day-count.ts'
import { describeRule } from '../../core/law/rule-name.ts'
import { deriveLedger } from '../../core/ledger/case-ledger.ts'
import type { LedgerInput } from '../../core/ledger/case-movement.ts'
import { fillPlaceholders } from '../../core/text/fill-in.ts'
import { texts as allTexts } from '../../core/text/texts.ts'
import { fromMinor } from '../../core/money/money.ts'
import type { Db } from '../platform/database/transaction.ts'
import type { Reader } from '../platform/dictionary/reader.ts'
import { findTold } from './explain-facts.ts'
import { loadPasts } from './as-of/case-past.ts'
import { pastMark, requireRegistered, type PastDay } from './as-of/past-day.ts'
import { loadHistories } from './ledger.store.ts'

/** Explains every amount of a case as of the business date, or as of a day before it. Throws a 400 for a day without the case. */
export async function explainStoredCase(
  db: Db,
  caseGuid: string,
  { caseNumber, currencyCode }: { caseNumber: string; currencyCode: string },
  { reader, day }: { reader: Reader; day: PastDay | null },
): Promise<CaseExplanation> {
  const past = day && (await loadPasts(db, [caseGuid], day)).get(caseGuid)
  if (day && past) requireRegistered(day, past)
  const [found] = past ? [] : await loadHistories(db, [caseGuid], { withTransactions: false })
  const history = past?.history ?? found!
  const businessDate = day?.asOf ?? history.businessDate
  const invoices = await db<{ id: string; number: string }[]>`
    select id, coalesce(invoice_number, number::text) as number from invoice where case_id = ${caseGuid}`
  const { dayCount, governingCountry, input } = history
  const counted = findDayCount(dayCount, governingCountry, businessDate)
  const texts = allTexts[reader.language].ledger
  const names = new Map(invoices.map(({ id, number }) => [id, fillPlaceholders(texts.invoice, { number })]))
  const ledger = deriveLedger(
    businessDate < input.opening.registeredOn ? withoutClaims(input) : input,
    businessDate,
  )
  const figures = explainCase(ledger, currencyCode, (claim) => names.get(claim) ?? claim, {
    ...reader.formats,
    texts,
  })
  const told = await findTold(db, caseGuid, {
    figures,
    reader,
    currency: currencyCode,
    day,
  })
  return {
    caseNumber,
    currencyCode,
    asOf: midnight(businessDate),
    ...(day && { knownAt: pastMark(day).knownAt }),
    dayCount: counted.basis,
    dayCountRule: counted.rule === null ? null : describeRule(reader.language, counted.rule),
    figures: figures.map(({ figure, amount, lines }) => ({
      figure,
      amount: fromMinor(amount, currencyCode),
      lines: lines.map((line) => ({ ...toExplanationLine(line, currencyCode), ...told.describeLine(line) })),
    })),
    standstills: told.standstills,
    reversals: told.reversals,
  }
}

/** Before its registration date a case has no claims and no movements. */
const withoutClaims = (input: LedgerInput): LedgerInput => ({
  ...input,
  opening: { ...input.opening, claims: [], interest: 0n, cost: 0n },
  movements: [],
})

const midnight = (day: string) => `${day}T00:00:00Z`

const toExplanationLine = (line: CoreLine, currency: string): ExplanationLine => ({
  rule: line.rule,
  text: line.text,
  date: midnight(line.date),
  invoiceGuid: line.claim,
  movementGuid: line.movementId,
  amount: fromMinor(line.amount, currency),
  ...(line.interest && {
    principal: fromMinor(line.interest.principal, currency),
    ratePercent: Number(line.interest.rate),
    fromDate: midnight(line.interest.from),
    toDate: midnight(line.interest.to),
    days: line.interest.days,
    daysInYear: line.interest.yearDays,
    posted: line.interest.posted,
    ...(line.interest.provisional && { provisional: true }),
  }),
})
