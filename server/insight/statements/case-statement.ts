/** The ledger of a case as a statement of account: signed amounts, a running balance, and the same as PDF. */
import type { CaseMovements } from '../../../contract/cases/all-cases.ts'
import type { CaseStatement, StatementLine } from '../../../contract/cases/case-statement.ts'
import { locales, type Language } from '../../../contract/platform/languages.ts'
import { toMidnight } from '../../../core/calendar/date-time.ts'
import { fillPlaceholders } from '../../../core/text/fill-in.ts'
import { countDecimals } from '../../../core/money/money.ts'
import { findText, texts } from '../../../core/text/texts.ts'
import { typesetReport, type ReportData } from '../../collection/letters/typeset.ts'

export interface StatementOf {
  caseNumber: string
  debtorName: string
  clientName: string
}
export interface StatementRange {
  /** YYYY-MM-DD. Null: from the registration on. */
  from: string | null
  to: string
  /** Null for all. */
  kinds: ReadonlySet<string> | null
  language: Language
}

type Transaction = CaseMovements['transactions'][number]

/** A debtor's credit is owed to the debtor, so it counts against what is owed. */
const isOwed = (account: string): boolean => account.startsWith('receivable:') || account === 'credit'

export function composeStatement(
  subject: StatementOf,
  ledger: CaseMovements,
  { from, to, kinds, language }: StatementRange,
): CaseStatement {
  const currency = ledger.currencyCode
  // Whole minor units: doubles of decimal amounts do not add exactly.
  const unit = 10 ** countDecimals(currency)
  const numbers = new Map(ledger.transactions.map(({ transactionGuid, number }) => [transactionGuid, number]))
  const reversed = new Set(ledger.transactions.map(({ reversesGuid }) => reversesGuid))
  const payments = new Map(ledger.movements.map(({ movementGuid, paymentGuid }) => [movementGuid, paymentGuid]))
  const sign = ({ entries }: Transaction): number =>
    entries.reduce(
      (sum, { account, amount }) => sum + (isOwed(account) ? Math.round(amount * unit) : 0),
      0,
    )
  const lines: StatementLine[] = []
  let balance = 0
  let opening = 0
  for (const one of inOrder(ledger.transactions)) {
    const day = one.valueDate.slice(0, 10)
    if (day > to) break
    const minor = sign(one)
    balance += minor
    if (from !== null && day < from) opening = balance
    else if ((kinds === null || kinds.has(one.kind)) && minor !== 0)
      lines.push({
        transactionGuid: one.transactionGuid,
        number: one.number,
        kind: one.kind,
        text: describe(one, language),
        valueDate: one.valueDate,
        bookedDate: one.bookedDate,
        amount: minor / unit,
        balance: balance / unit,
        reversesNumber: one.reversesGuid === null ? null : numbers.get(one.reversesGuid)!,
        reversed: reversed.has(one.transactionGuid),
        paymentGuid: (one.movementGuid !== null && payments.get(one.movementGuid)) || null,
      })
  }
  const total = (counts: (amount: number) => boolean) =>
    lines.reduce((sum, { amount }) => sum + (counts(amount) ? Math.round(amount * unit) : 0), 0) / unit
  return {
    ...subject,
    currencyCode: currency,
    from: from === null ? null : toMidnight(from),
    to: toMidnight(to),
    openingBalance: opening / unit,
    closingBalance: balance / unit,
    debit: total((amount) => amount > 0),
    credit: total((amount) => amount < 0),
    kinds: [...new Set(ledger.transactions.map(({ kind }) => kind))],
    lines,
  }
}

const inOrder = (transactions: readonly Transaction[]): Transaction[] =>
  transactions.toSorted((a, b) => a.valueDate.localeCompare(b.valueDate) || a.number - b.number)

function describe({ kind, reversesGuid }: Transaction, language: Language): string {
  const what = findText(language, 'lookup', `transactionkind.${kind}`) ?? kind
  return reversesGuid === null ? what : fillPlaceholders(texts[language].report['statement.reversal'], { what })
}

/** The statement as a PDF, in the language and format of the reader. */
export function writeStatementPdf(
  statement: CaseStatement,
  { language, agency }: { language: Language; agency: string },
): Promise<Buffer> {
  return typesetReport(buildStatementSheet(statement, { language, agency }), new Date(statement.to))
}

export function buildStatementSheet(
  statement: CaseStatement,
  { language, agency }: { language: Language; agency: string },
): ReportData {
  const words = texts[language].report
  const { currencyCode, from, to, lines } = statement
  const decimals = countDecimals(currencyCode)
  const amounts = new Intl.NumberFormat(locales[language], {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
  const signed = new Intl.NumberFormat(locales[language], {
    ...amounts.resolvedOptions(),
    signDisplay: 'exceptZero',
  })
  const days = new Intl.DateTimeFormat(locales[language], { dateStyle: 'medium', timeZone: 'UTC' })
  const day = (date: string) => days.format(new Date(date))
  const period = from === null ? day(to) : `${day(from)} – ${day(to)}`
  const titles = [words['statement.date'], words['statement.number'], words['statement.text'], words['statement.amount'], words['statement.balance']]
  const opening = from === null ? [] : [[day(from), '', words['statement.opening'], '', amounts.format(statement.openingBalance)]]
  return {
    lang: language === 'no' ? 'nb' : language,
    title: `${words['statement.title']} ${statement.caseNumber}`,
    sender: agency,
    subtitle: [statement.debtorName, statement.clientName, period, currencyCode].join(' · '),
    columns: titles.map((title, index) => ({ title, right: index >= 3 })),
    rows: [
      ...opening,
      ...lines.map((line) => [
        day(line.valueDate),
        String(line.number),
        line.text,
        signed.format(line.amount),
        amounts.format(line.balance),
      ]),
    ],
    totals: [['', '', words['statement.closing'], '', amounts.format(statement.closingBalance)]],
    labels: { page: texts[language].report['column.page'], total: day(to) },
  }
}
