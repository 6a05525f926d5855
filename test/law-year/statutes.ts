/**
 * What the law of six countries lets an agency do to a debtor, written from statutes and authorities. It shares no
 * code with the service, and was written before its law packs were read.
 */
import { daysBetween, type Country, type Facts, type Fee, type Letter } from './facts.ts'
import { feeLaws } from './fee-laws.ts'

/** Fees that a court or an authority sets. */
const official = new Set(['courtCost', 'enforcementCost', 'paymentOrder'])

/** The rules that were broken, in words. `letters` and `fees` are in the order of their days. */
export function judgeCase(facts: Facts, letters: readonly Letter[], fees: readonly Fee[]): string[] {
  const own = fees
    .filter(({ type }) => !official.has(type))
    .map((fee) => (fee.type === 'paymentPlan' ? { ...fee, type: 'planRegistration' } : fee))
  return [
    ...letters.flatMap((letter) => judgeLetter(facts, letter, letters)),
    ...own.flatMap((fee) => judgeMoment(facts, fee.date, `a fee (${fee.type})`)),
    ...facts.courtDays.flatMap((date) => judgeCourt(facts, date, letters)),
    ...own.flatMap((fee) => judgePlanFee(facts, fee)),
    ...feeLaws[facts.country](facts, own, letters),
  ]
}

/** What holds for each demand and each fee, in all countries. */
function judgeMoment(facts: Facts, date: string, what: string): string[] {
  const { dueDate, isMinor, deadSince, reliefSince, disputes, barredAfter } = facts
  const faults: string[] = []
  const fault = (isBroken: boolean, why: string) => void (isBroken && faults.push(`${what}: ${why}`))
  fault(date <= dueDate, 'before the claim was due')
  fault(isMinor, 'to a minor')
  fault(date > barredAfter, 'on a claim that is barred')
  fault(deadSince !== null && date > deadSince, 'of somebody who is dead')
  fault(reliefSince !== null && date > reliefSince, 'during debt relief')
  // On the day itself the letter may have come first.
  fault(
    disputes.some(({ from, to }) => date > from && (to === null || date < to)),
    'on a disputed claim',
  )
  return faults
}

/** SE: IMY, eight days from the letter. NO: inkassoloven §§ 9, 10. DK: inkassoloven § 10. FI: perintälaki 5 §. IS: innheimtulög 7. gr. */
const leastDays: Record<Country, Partial<Record<string, number>>> = {
  SE: { demand: 8 },
  NO: { notice: 14, demand: 14, legal: 14 },
  DK: { demand: 10 },
  FI: { demand: 14 },
  DE: {},
  IS: { notice: 10 },
}

const demanding = new Set(['reminder', 'notice', 'demand', 'legal', 'surveillance'])

function judgeLetter(facts: Facts, letter: Letter, all: readonly Letter[]): string[] {
  const { kind, date, due } = letter
  if (!demanding.has(kind)) return []
  const faults = judgeMoment(facts, date, `a ${kind}`)
  const least = leastDays[facts.country][kind]
  if (least !== undefined && (due === null || daysBetween(date, due) < least))
    faults.push(`a ${kind} with fewer than ${least} days`)
  const isAfter = (before: string) =>
    all.some((other) => other.kind === before && other.due !== null && other.due < date)
  // NO: inkassoloven § 10. IS: innheimtulög 7. gr. A demand follows the deadline of the notice.
  if ((facts.country === 'NO' || facts.country === 'IS') && kind === 'demand' && !isAfter('notice'))
    faults.push('a demand before the deadline of a notice has passed')
  // IS: innheimtulög 7. gr., one warning.
  if (
    facts.country === 'IS' &&
    kind === 'notice' &&
    all.some((other) => other.kind === kind && other.date < date)
  )
    faults.push('a second warning')
  if (kind === 'legal' && !hadTimeToPay(facts, date, all))
    faults.push('a notice of legal action before the debtor had time to pay')
  return faults
}

/** Nothing is taken to court before the debtor could pay on the demand. IS: on the warning, innheimtulög 7. gr. */
const hadTimeToPay = ({ country }: Facts, date: string, letters: readonly Letter[]) =>
  letters.some(
    ({ kind, due }) => kind === (country === 'IS' ? 'notice' : 'demand') && due !== null && due < date,
  )

/** A dispute stops no court: it decides. All else holds as for a demand, and the debtor has had the time of one. */
function judgeCourt(facts: Facts, date: string, letters: readonly Letter[]): string[] {
  return [
    ...judgeMoment({ ...facts, disputes: [] }, date, 'a court'),
    ...(hadTimeToPay(facts, date, letters) ? [] : ['a court before the debtor had time to pay']),
  ]
}

/** A plan costs something only when it was made. SE: 1981:739 3 § 2. NO: § 2-4. DK: BEK 601/2002 § 4. FI: 10 a §. IS: 37/2009, 6. gr. 6. */
const judgePlanFee = ({ planDays }: Facts, { type, date }: Fee): string[] =>
  type.startsWith('plan') && !planDays.some((day) => day <= date) ? [`${type} without a plan`] : []

type HalfYearly = Exclude<Country, 'IS'>

/**
 * Reference rates from 1 January 2025, from 1 July 2025 and from 1 January 2026. SE: Riksbanken, räntelagen 9 §. NO: with the
 * points, forsinkelsesrenteloven § 3. DK: Nationalbanken’s lending rate, renteloven § 5. FI: Suomen Pankki, korkolaki 12 §. DE:
 * Bundesbank, BGB § 247.
 */
const referenceRates: Record<HalfYearly, [number, number, number]> = {
  SE: [3, 2, 2],
  NO: [12.5, 12.25, 12],
  DK: [2.75, 1.75, 1.75],
  FI: [3.5, 2.5, 2.5],
  DE: [2.27, 1.27, 1.27],
}
/** The first day of the known rates. */
export const ratesFrom = '2025-01-01'

/**
 * Iceland: dráttarvextir by lög 38/2001, 6. gr. 1. mgr., of each month from January 2025 to June 2026, as the central bank
 * published them. Between businesses one point more.
 */
const icelandicRates = [
  16.25, 16.25, 15.75, 15.5, 15.5, 15.25, 15.25, 15.25, 15.25, 15.25, 15.25, 15, 15, 15, 15, 15.25, 15.25,
  15.5,
]

type Rated = { country: Country; isBusiness: boolean }

/** Räntelagen 6 §, renteloven § 5, korkolaki 4 and 4 a §, BGB § 288. */
const points = ({ country, isBusiness }: Rated & { country: HalfYearly }): number =>
  ({ SE: 8, NO: 0, DK: 8, FI: isBusiness ? 8 : 7, DE: isBusiness ? 9 : 5 })[country]

/** Late interest on a day, percent a year. */
const lateInterest = (facts: Rated & { country: HalfYearly }, day: string): number =>
  referenceRates[facts.country][day < '2025-07-01' ? 0 : day < '2026-01-01' ? 1 : 2] + points(facts)

/** Simple interest from the day after `from` to `to`, in units of the currency. Years of 365 days, in Iceland months of 30. */
export function interestFor(facts: Rated & Pick<Facts, 'principal'>, from: string, to: string): number {
  const { country } = facts
  if (country === 'IS') return facts.principal * icelandicShare(facts, from, to)
  let sumOfDays = 0
  for (let at = Date.parse(from) + 86_400_000; at <= Date.parse(to); at += 86_400_000)
    sumOfDays += lateInterest({ ...facts, country }, new Date(at).toISOString().slice(0, 10)) / 100 / 365
  return facts.principal * sumOfDays
}

/**
 * Lög 38/2001, 5. and 12. gr.: from the due date to the day of payment, which bears none; each month has 30 days, each of
 * them a 360th of the month's rate.
 */
function icelandicShare({ isBusiness }: Rated, from: string, to: string): number {
  const [first, last] = [from, to].map((date) => date.split('-').map(Number) as [number, number, number])
  let share = 0
  for (let month = (first![0] - 2025) * 12 + first![1] - 1; ; month++) {
    const isFirst = month === (first![0] - 2025) * 12 + first![1] - 1
    const isLast = month === (last![0] - 2025) * 12 + last![1] - 1
    const days = (isLast ? Math.min(last![2], 30) : 31) - (isFirst ? Math.min(first![2], 30) : 1)
    share += ((icelandicRates[month]! + (isBusiness ? 1 : 0)) * days) / 36_000
    if (isLast) return share
  }
}

/**
 * The last day on which a claim that nothing interrupted can be demanded. SE: preskriptionslagen 2 §, three years from when a
 * consumer’s debt arose, else ten. NO: foreldelsesloven §§ 2, 3. DK: forældelsesloven §§ 2, 3. FI: vanhentumislaki 4, 5 §. DE:
 * BGB §§ 195, 199, from the end of the year. IS: lög 150/2007, 3. gr., four years.
 */
export function lastDay({
  country,
  isBusiness,
  dueDate,
}: Pick<Facts, 'country' | 'isBusiness' | 'dueDate'>): string {
  const year = Number(dueDate.slice(0, 4))
  if (country === 'DE') return `${year + 3}-12-31`
  const years = country === 'IS' ? 4 : country === 'SE' && isBusiness ? 10 : 3
  return `${year + years}${dueDate.slice(4)}`
}
