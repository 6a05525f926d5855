/**
 * The highest fees that a debtor may be charged for collection, by country: the fee tables of the law packs (data/law).
 * Administrators see which rows are unverified. Not legal advice.
 */
import type { PackFee } from '../law/pack.ts'
import { lawPacks } from '../law/packs.ts'
import type { DebtorKind } from '../law/terms.ts'
import { textToMinor } from '../money/money.ts'

/** The debtors that a fee applies to. */
export const feeDebtors = ['consumer', 'business', 'all'] as const

/** A row of a fee table with its country, as stored or as shipped; a stored row may lack its source. */
export interface ShippedFee extends Omit<PackFee, 'source'> {
  country: string
  source: string | null
}

export const shippedFees: readonly (ShippedFee & { source: string })[] = lawPacks.flatMap(
  ({ country, fees, sources }) =>
    fees.map((row) => ({ country, ...row, source: sources[row.source]!.title })),
)

/** The types of the fee tables, and those of costs that a court or an enforcement authority sets. */
export const feeTypes: readonly string[] = [
  ...new Set([
    ...shippedFees.map(({ type }) => type),
    ...lawPacks.flatMap(({ rules }) =>
      rules.flatMap((rule) => (rule.subject === 'others' ? rule.allowed : [])),
    ),
  ]),
]

/** Fees that the agency pays to an authority first: its own cost (docs/domain/treasury.md#cost-per-case). */
export const outlayTypes: ReadonlySet<string> = new Set(['courtCost', 'enforcementCost'])

export interface FeeQuestion {
  country: string
  debtor: DebtorKind
  /** The day on which the fee is charged. */
  date: string
  /** Minor units of the fee's currency. */
  principal: bigint
  creditorDeductsVat?: boolean
}

export interface StatutoryFee extends Omit<ShippedFee, 'amount' | 'second'> {
  /** Minor units of `currency`. Null when unknown. */
  amount: bigint | null
  second: bigint | null
}

/**
 * The fees that may be charged in a case, in the order of the rows, with their conditions in words. `rows`
 * defaults to the shipped fees. Fees by scale are excluded; see `scaleFee`.
 */
export function statutoryFees(
  question: FeeQuestion,
  rows: readonly ShippedFee[] = shippedFees,
): StatutoryFee[] {
  return rows.flatMap((row) => {
    if (row.type === 'lawyerScale' || !appliesTo(row, question)) return []
    const minor = (text: string | null | undefined) =>
      text === null || text === undefined ? null : textToMinor(text, row.currency)
    return { ...row, amount: minor(row.amount), second: minor(row.second) }
  })
}

/** Whether a row is about this country, debtor, day and principal. */
export function appliesTo(
  row: ShippedFee,
  { country, debtor, date, principal, creditorDeductsVat = true }: FeeQuestion,
) {
  return (
    row.country === country &&
    (row.debtor === 'all' || row.debtor === debtor) &&
    (row.from === null || row.from <= date) &&
    (row.to === null || date <= row.to) &&
    (row.above === null || principal > textToMinor(row.above, row.currency)) &&
    (row.upTo === null || principal <= textToMinor(row.upTo, row.currency)) &&
    (row.creditorDeductsVat ?? creditorDeductsVat) === creditorDeductsVat
  )
}

/**
 * The full fee (factor 1.0) of Germany's scale for lawyers on a day, RVG § 13(1). Value and result are in cents. The
 * highest collection cost is this fee times the factor of VV 2300 (RDG § 13e), at least 15 euros (§ 13(3)).
 */
export function scaleFee(value: bigint, date: string): bigint {
  let fee = 0n
  for (const { above, upTo, amount, perStarted } of findScale('lawyerScale', date)) {
    if (above === null || !perStarted) {
      fee += textToMinor(amount!, 'EUR')
      continue
    }
    const [from, step] = [textToMinor(above, 'EUR'), textToMinor(perStarted, 'EUR')]
    const to = upTo === null ? value : textToMinor(upTo, 'EUR')
    const within = (value < to ? value : to) - from
    if (within > 0n) fee += ((within + step - 1n) / step) * textToMinor(amount!, 'EUR')
  }
  return fee
}

const scaleRows = shippedFees.filter(({ type }) => type === 'lawyerScale' || type === 'smallClaimBase')

const findScale = (name: string, date: string): ShippedFee[] =>
  scaleRows.filter(
    ({ type, from, to }) => type === name && (from === null || from <= date) && (to === null || date <= to),
  )

/** The least that a fee by the German scale comes to, in cents (RVG § 13(3)). */
export const scaleMinimum = textToMinor(shippedFees.find(({ type }) => type === 'minimumFee')!.amount!, 'EUR')

/** The full fee for a small uncontested claim on a day (RVG § 13(2)), in cents. Null for a larger one. */
export function smallClaimFee(value: bigint, date: string): bigint | null {
  const [row] = findScale('smallClaimBase', date)
  return value <= textToMinor(row!.upTo!, 'EUR') ? textToMinor(row!.amount!, 'EUR') : null
}
