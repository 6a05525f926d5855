/** Composes the ledger of a case as a statement of account: signed amounts with a running balance. */
import type { CaseMovements } from '../../../contract/cases/all-cases.ts'
import type { CaseStatement, StatementEvent, StatementLine } from '../../../contract/cases/case-statement.ts'
import type { Language } from '../../../contract/platform/languages.ts'
import { toMidnight } from '../../../core/calendar/date-time.ts'
import { countDecimals, fromMinor } from '../../../core/money/money.ts'
import { fillPlaceholders } from '../../../core/text/fill-in.ts'
import { findText, texts } from '../../../core/text/texts.ts'

export interface StatementRange {
  /** YYYY-MM-DD. Null: from the registration on. */
  from: string | null
  to: string
  /** Null for all. */
  kinds: ReadonlySet<string> | null
}
export type WholeStatement = Omit<
  CaseStatement,
  'caseNumber' | 'debtorName' | 'clientName' | 'unbookedInterest' | 'owed' | 'count' | 'skip' | 'total'
>

type Movement = CaseMovements['movements'][number]
type Transaction = CaseMovements['transactions'][number]

/** All lines of the period, the earliest first. */
export function composeStatement(
  {
    currencyCode,
    movements,
    transactions,
  }: Pick<CaseMovements, 'currencyCode' | 'movements' | 'transactions'>,
  { from, to, kinds }: StatementRange,
  language: Language,
): WholeStatement {
  const money = (minor: bigint) => fromMinor(minor, currencyCode)
  const describe = lineDescriber({ movements, transactions }, language)
  const lines: StatementLine[] = []
  const sums = { opening: 0n, closing: 0n, debit: 0n, credit: 0n }
  for (const one of inOrder(transactions)) {
    const day = one.valueDate.slice(0, 10)
    if (day > to) break
    const amount = sumEntries(one, currencyCode, (account) => account.startsWith('receivable:'))
    sums.closing += amount
    if (from !== null && day < from) sums.opening = sums.closing
    else if (kinds === null || kinds.has(one.kind)) {
      const surplus = -sumEntries(one, currencyCode, (account) => account === 'credit')
      if (amount === 0n && surplus === 0n) continue
      sums[amount > 0n ? 'debit' : 'credit'] += amount
      const shown = { amount: money(amount), balance: money(sums.closing), surplus: money(surplus) }
      lines.push({ ...describe(one), ...shown })
    }
  }
  return {
    currencyCode,
    from: from === null ? null : toMidnight(from),
    to: toMidnight(to),
    openingBalance: money(sums.opening),
    closingBalance: money(sums.closing),
    debit: money(sums.debit),
    credit: money(sums.credit),
    kinds: [...new Set(transactions.map(({ kind }) => kind))],
    lines,
    events: findEvents(movements, { from, to }),
  }
}

/** Movements that move no money themselves, and their reversals. */
function findEvents(
  movements: readonly Movement[],
  { from, to }: Pick<StatementRange, 'from' | 'to'>,
): StatementEvent[] {
  const amounts = new Map(movements.map(({ movementGuid, amount }) => [movementGuid, amount]))
  const isIn = (day: string) => day <= to && (from === null || day >= from)
  return movements
    .filter(({ amount, reversesGuid }) => amount === 0 && !(reversesGuid && amounts.get(reversesGuid)))
    .filter(({ valueDate }) => isIn(valueDate.slice(0, 10)))
    .map(({ movementGuid, kind, text, valueDate, bookedDate, reversed }) => ({
      movementGuid,
      kind,
      text,
      valueDate,
      bookedDate,
      reversed,
    }))
}

const inOrder = (transactions: readonly Transaction[]): Transaction[] =>
  transactions.toSorted((a, b) => a.valueDate.localeCompare(b.valueDate) || a.number - b.number)

/** An amount of the ledger in minor units: doubles of decimal amounts do not add exactly. */
export const roundToMinor = (amount: number, currency: string): bigint =>
  BigInt(Math.round(amount * 10 ** countDecimals(currency)))

const sumEntries = (
  { entries }: Transaction,
  currency: string,
  counts: (account: string) => boolean,
): bigint =>
  entries.reduce(
    (sum, { account, amount }) => sum + (counts(account) ? roundToMinor(amount, currency) : 0n),
    0n,
  )

/** Makes what a line says about its transaction, without the amounts. */
function lineDescriber(
  { movements, transactions }: Pick<CaseMovements, 'movements' | 'transactions'>,
  language: Language,
) {
  const byGuid = new Map(movements.map((movement) => [movement.movementGuid, movement]))
  const numbers = new Map(transactions.map(({ transactionGuid, number }) => [transactionGuid, number]))
  const reversed = new Set(transactions.map(({ reversesGuid }) => reversesGuid))
  return (one: Transaction): Omit<StatementLine, 'amount' | 'balance' | 'surplus'> => {
    const { transactionGuid, number, kind, valueDate, bookedDate, reversesGuid, movementGuid, entries } = one
    const movement = movementGuid === null ? undefined : byGuid.get(movementGuid)
    const reverses = (reversesGuid && numbers.get(reversesGuid)) || null
    return {
      transactionGuid,
      number,
      kind,
      text: describeKind(kind, reverses, language),
      detail: movement?.detail ?? '',
      valueDate,
      bookedDate,
      reversesNumber: reverses,
      reversed: reversed.has(transactionGuid),
      paymentGuid: movement?.paymentGuid ?? null,
      entries: entries.map(({ account, amount }) => ({ account, amount })),
    }
  }
}

function describeKind(kind: string, reverses: number | null, language: Language): string {
  const what = findText(language, 'lookup', `transactionkind.${kind}`) ?? kind
  const text =
    reverses === null
      ? what
      : fillPlaceholders(texts[language].report['statement.reversal'], { what, number: String(reverses) })
  return text.slice(0, 1).toLocaleUpperCase() + text.slice(1)
}
