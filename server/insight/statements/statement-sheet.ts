/** Writes the statement of a case as PDF, in the language and the number format of the reader. */
import type { CaseStatement, StatementLine } from '../../../contract/cases/case-statement.ts'
import { fillPlaceholders } from '../../../core/text/fill-in.ts'
import { texts } from '../../../core/text/texts.ts'
import { typesetReport, type ReportData } from '../../collection/letters/typeset.ts'
import type { Reader } from '../../platform/dictionary/reader.ts'
import { roundToMinor } from './case-statement.ts'

export interface StatementReader extends Reader {
  /** The name of the agency. */
  agency: string
}

export const writeStatementPdf = (statement: CaseStatement, reader: StatementReader): Promise<Buffer> =>
  typesetReport(buildStatementSheet(statement, reader), new Date(statement.to))

/** The content of the PDF. The currency stands once, in the heading. */
export function buildStatementSheet(statement: CaseStatement, reader: StatementReader): ReportData {
  const words = texts[reader.language].report
  const { amount, signed, day } = findColumnFormats(statement.currencyCode, reader)
  const { from, to, unbookedInterest } = statement
  const side = (value: number, isDebit: boolean) =>
    value !== 0 && value > 0 === isDebit ? signed(value) : ''
  const text = ({ text: kind, detail, surplus }: StatementLine) => {
    const what = detail === '' ? kind : `${kind}: ${detail}`
    return surplus === 0
      ? what
      : `${what}. ${fillPlaceholders(words['statement.surplus'], { amount: signed(surplus) })}`
  }
  const titles = [
    words['statement.date'],
    words['statement.number'],
    words['statement.text'],
    words['statement.debit'],
    words['statement.credit'],
    words['statement.balance'],
  ]
  const opening = from && ['', '', words['statement.opening'], '', '', amount(statement.openingBalance)]
  const interest = ['', '', words['statement.interest'], signed(unbookedInterest), '', amount(statement.owed)]
  const closing = [signed(statement.debit), signed(statement.credit), amount(statement.closingBalance)]
  return {
    lang: reader.language === 'no' ? 'nb' : reader.language,
    title: `${words['statement.title']} ${statement.caseNumber}`,
    sender: reader.agency,
    subtitle: [
      statement.debtorName,
      statement.clientName,
      from === null ? day(to) : `${day(from)} – ${day(to)}`,
      statement.currencyCode,
    ]
      .filter(Boolean)
      .join(' · '),
    columns: titles.map((title, index) => ({ title, right: index === 1 || index >= 3 })),
    rows: [
      ...(opening ? [[day(from), ...opening.slice(1)]] : []),
      ...statement.lines.map((line) => [
        day(line.valueDate),
        String(line.number),
        text(line),
        side(line.amount, true),
        side(line.amount, false),
        amount(line.balance),
      ]),
    ],
    totals: [['', '', words['statement.closing'], ...closing], ...(unbookedInterest ? [interest] : [])],
    labels: { page: words['column.page'], total: day(to) },
  }
}

function findColumnFormats(currency: string, { formats }: Reader) {
  const amount = (value: number) => formats.amount(roundToMinor(value, currency), currency)
  return {
    amount,
    signed: (value: number) => (value > 0 ? `+${amount(value)}` : amount(value)),
    day: (date: string) => formats.day(date.slice(0, 10)),
  }
}
