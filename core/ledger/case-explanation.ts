/**
 * Explains every amount of a case for debtors, lawyers and tests. Each figure has lines that sum to it. An
 * interest line is principal × rate × days / the days of the year, of one claim at one rate.
 */
import type { Component } from './allocation.ts'
import { fromDayNumber } from '../calendar/calendar.ts'
import type { CaseLedger } from './case-ledger.ts'
import { sumComponents, type InterestPeriod, type Transaction } from './case-transaction.ts'
import { fillPlaceholders } from '../text/fill-in.ts'
import { texts as allTexts, type Texts } from '../text/texts.ts'
import {
  computeInterest,
  formatRate,
  rateSegments,
  weighSegment,
  type RateSegment,
  type RateSteps,
} from '../interest/interest.ts'
import { countDays } from '../interest/day-count.ts'
import { formatMinor, splitByWeight } from '../money/money.ts'

type LedgerTexts = Texts['ledger']

export type ExplanationRule =
  | 'REGISTERED'
  | 'CLAIM_ADDED'
  | 'INTEREST'
  | 'FEE'
  | 'PAID'
  | 'PAID_TO_THIRD_PARTY'
  | 'PAID_FROM_CREDIT'
  | 'WRITTEN_OFF'
  | 'CREDITED'
  | 'SURPLUS'
  | 'CREDIT_USED'
  | 'CREDIT_REFUNDED'

export interface ExplanationLine {
  rule: ExplanationRule
  /** A sentence with the numbers in it. */
  text: string
  date: string
  claim: string | null
  movementId: string | null
  /** The change of the figure in minor units, negative for a reduction. */
  amount: bigint
  /**
   * For interest: `from` excluded, `to` included; `rate` is percent a year as decimal text. `posted` is false
   * for accrued interest.
   */
  interest: {
    principal: bigint
    rate: string
    from: string
    to: string
    days: number
    yearDays: number
    posted: boolean
    /** The rate is only the last known one. */
    provisional: boolean
    /** What the rate consists of, with the day from which the reference rate holds. Null for a rate of its own. */
    reference: { series: string; rate: string; points: string; from: string } | null
    /** The amount less what the formula gives by itself: lines of a day are rounded together. */
    rounding: bigint
  } | null
}

const parts = { Principal: 'principal', Interest: 'interest', Fee: 'cost' } as const
type Part = keyof typeof parts
type Group = 'original' | 'accrued' | 'paid' | 'writtenOff' | 'remaining'
/** Named as in the API, where costs are called Fee. */
export type FigureName = `${Group}${Part | 'Sum'}` | 'paidToThirdParty' | 'credit'

export interface ExplainedFigure {
  figure: FigureName
  amount: bigint
  lines: ExplanationLine[]
}

/** A line with its component and its group of figures. */
interface PlacedLine extends ExplanationLine {
  component: Component
  group: Exclude<Group, 'remaining'>
}

/** The texts of a language, and how its sentences write amounts, days (YYYY-MM-DD) and rates (decimal text). */
export interface ExplanationWriter {
  texts: LedgerTexts
  money: (minor: bigint, currency: string) => string
  day: (day: string) => string
  rate: (rate: string) => string
}

const plainWriter: ExplanationWriter = {
  texts: allTexts.en.ledger,
  money: (minor, currency) => `${formatMinor(minor, currency)} ${currency}`,
  day: (day) => day,
  rate: (rate) => rate,
}

/**
 * Explains all figures of a case as its ledger shows them, in the order original, accrued, paid, written off,
 * remaining, each by component and in total. Then follow `paidToThirdParty` and `credit`: overpayments less
 * their use and refunds, negative when a refunded payment was reversed. `getName` returns the name of a claim
 * for the sentences, in their language. Without a writer they are English with plain numbers and days.
 */
export function explainCase(
  ledger: CaseLedger,
  currency: string,
  getName: (claim: string) => string = (claim) => claim,
  writer: ExplanationWriter = plainWriter,
): ExplainedFigure[] {
  const words: Words = { ...writer, money: (amount) => writer.money(amount, currency), getName }
  const placed = [
    ...ledger.transactions.flatMap((transaction) => transactionLines(transaction, words)),
    ...ledger.pending.flatMap((period) => interestLines(period, fromDayNumber(period.to), false, words)),
  ]
  const groups: Group[] = ['original', 'accrued', 'paid', 'writtenOff', 'remaining']
  const figures = groups.flatMap((group) => {
    const own = linesIn(group, placed)
    const byPart = (Object.keys(parts) as Part[]).map((part): ExplainedFigure => {
      const component = parts[part]
      const lines = own.filter((line) => line.component === component)
      return {
        figure: `${group}${part}`,
        amount: ledger.balances[group][component],
        lines: lines.map(stripPlacement),
      }
    })
    const sum: ExplainedFigure = {
      figure: `${group}Sum`,
      amount: sumComponents(ledger.balances[group]),
      lines: own.map(stripPlacement),
    }
    return [...byPart, sum]
  })
  const lines = placed.filter(({ rule }) => rule === 'PAID_TO_THIRD_PARTY').map(stripPlacement)
  const { paidToThirdParty, credit } = ledger.balances
  return [
    ...figures,
    { figure: 'paidToThirdParty', amount: paidToThirdParty, lines },
    { figure: 'credit', amount: credit, lines: ledger.transactions.flatMap((one) => creditLine(one, words)) },
  ]
}

const creditRules = { payment: 'SURPLUS', creditUse: 'CREDIT_USED', refund: 'CREDIT_REFUNDED' } as const

/** The change of the debtor's credit by a transaction. */
function creditLine(
  { kind, valueDate, movementId, entries }: Transaction,
  { money, day, texts }: Words,
): ExplanationLine[] {
  const amount = entries.reduce((sum, entry) => (entry.account === 'credit' ? sum - entry.amount : sum), 0n)
  if (amount === 0n || !(kind === 'payment' || kind === 'creditUse' || kind === 'refund')) return []
  const text = fillPlaceholders(texts[`credit.${kind}`], {
    amount: money(amount < 0n ? -amount : amount),
    date: day(valueDate),
  })
  return [{ rule: creditRules[kind], text, date: valueDate, claim: null, movementId, amount, interest: null }]
}

/** The remaining amount consists of everything owed less payments and write-offs. */
function linesIn(group: Group, placed: readonly PlacedLine[]): PlacedLine[] {
  if (group !== 'remaining') return placed.filter((line) => line.group === group)
  return placed.map((line) =>
    line.group === 'paid' || line.group === 'writtenOff' ? { ...line, amount: -line.amount } : line,
  )
}

const stripPlacement = ({
  rule,
  text,
  date,
  claim,
  movementId,
  amount,
  interest,
}: PlacedLine): ExplanationLine => ({
  rule,
  text,
  date,
  claim,
  movementId,
  amount,
  interest,
})

interface Words extends Omit<ExplanationWriter, 'money'> {
  money: (minor: bigint) => string
  getName: (claim: string) => string
}

/**
 * Rule and group of the lines of each kind of transaction. Interest lines come from the transaction's periods
 * instead.
 */
const lineRules: Record<
  Exclude<Transaction['kind'], 'interest' | 'refund'>,
  { rule: ExplanationRule; group: PlacedLine['group'] }
> = {
  registration: { rule: 'REGISTERED', group: 'original' },
  claim: { rule: 'CLAIM_ADDED', group: 'original' },
  fee: { rule: 'FEE', group: 'accrued' },
  payment: { rule: 'PAID', group: 'paid' },
  thirdPartyPayment: { rule: 'PAID_TO_THIRD_PARTY', group: 'paid' },
  creditUse: { rule: 'PAID_FROM_CREDIT', group: 'paid' },
  writeOff: { rule: 'WRITTEN_OFF', group: 'writtenOff' },
  creditNote: { rule: 'CREDITED', group: 'writtenOff' },
}

function transactionLines(transaction: Transaction, words: Words): PlacedLine[] {
  const { kind, valueDate, movementId, entries, lines, periods } = transaction
  if (kind === 'refund') return []
  if (kind === 'interest') return periods.flatMap((period) => interestLines(period, valueDate, true, words))
  const { rule, group } = lineRules[kind]
  const { money, day, getName, texts } = words
  const moved =
    lines.length > 0
      ? lines
      : entries
          .filter(({ account }) => account.startsWith('receivable:'))
          .map(({ account, claim, amount }) => ({
            component: account.slice('receivable:'.length) as Component,
            claim,
            amount,
          }))
  return moved.map(({ component, claim, amount }) => ({
    rule,
    group,
    component,
    text: fillPlaceholders(texts[`line.${kind}`], {
      amount: money(amount),
      part: texts[`part.${component}`],
      ofClaim: claim === null ? '' : fillPlaceholders(texts['line.ofClaim'], { claim: getName(claim) }),
      date: day(valueDate),
    }),
    date: valueDate,
    claim,
    movementId,
    amount,
    interest: null,
  }))
}

/** One line per rate. The rounded amount of the period is split among them by largest remainder. */
function interestLines(period: InterestPeriod, date: string, posted: boolean, words: Words): PlacedLine[] {
  const { claim, principal, steps, amount } = period
  const { money, day, getName, texts } = words
  const awaited = steps.provisionalFrom ?? Number.POSITIVE_INFINITY
  const segments = rateSegments(steps, period.from, period.to).flatMap((segment) =>
    segment.from < awaited - 1 && segment.to >= awaited
      ? [cutSegment(segment, { to: awaited - 1 }), cutSegment(segment, { from: awaited - 1 })]
      : segment,
  )
  const shares = splitByWeight(amount, segments.map(weighSegment))
  return segments.map((segment, index) => {
    const [rate, from, to] = [
      formatRate(segment.rate),
      fromDayNumber(segment.from),
      fromDayNumber(segment.to),
    ]
    const { days } = segment
    const provisional = segment.to >= awaited
    const added = provisional
      ? fillPlaceholders(texts['interest.provisional'], { date: day(fromDayNumber(awaited)) })
      : ''
    return {
      rule: 'INTEREST',
      group: 'accrued',
      component: 'interest',
      text: `${fillPlaceholders(texts[posted ? 'interest.posted' : 'interest.accrued'], {
        amount: money(shares[index]!),
        claim: getName(claim),
        principal: money(principal),
        rate: words.rate(rate),
        days: String(days),
        yearDays: String(segment.yearDays),
        from: day(from),
        to: day(to),
      })}${added}`,
      date,
      claim,
      movementId: null,
      amount: shares[index]!,
      interest: {
        principal,
        rate,
        from,
        to,
        days,
        yearDays: segment.yearDays,
        posted,
        provisional,
        reference: findReference(steps, firstDay(segment)),
        rounding: shares[index]! - computeInterest(principal, steps, from, to),
      },
    }
  })
}

const cutSegment = (segment: RateSegment, cut: { from?: number; to?: number }): RateSegment => {
  const { yearDays, from, to } = { ...segment, ...cut }
  return { ...segment, from, to, days: countDays(yearDays, from, to) }
}

/** The day whose rate a segment has. In months of 30 days the first day of a period bears the interest. */
const firstDay = ({ from, yearDays }: RateSegment): number => (yearDays === 360 ? from : from + 1)

/** The reference rate of a day, and the points above it. */
function findReference({ reference }: RateSteps, day: number) {
  if (!reference) return null
  const date = fromDayNumber(day)
  const row = reference.rows.findLast(({ from }) => from <= date)
  return row ? { series: reference.series, rate: row.rate, points: reference.points, from: row.from } : null
}
