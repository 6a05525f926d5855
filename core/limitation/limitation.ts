/**
 * Computes when a claim becomes time-barred, by the limitation rules of the law packs. Not legal advice.
 *
 * The period runs from the due date, in Sweden from when the claim arose. An interruption restarts it, some
 * with a longer period. A final limit, where one exists, counts from the due date and is never moved.
 */
import { addYears, earliest, endOfYear, latest } from '../calendar/calendar.ts'
import { citeRule, lawPacks } from '../law/packs.ts'
import type { ClaimKind, Interruption } from '../law/terms.ts'

export { claimKinds, interruptions, type ClaimKind, type Interruption } from '../law/terms.ts'

export interface InterruptionEvent {
  kind: Interruption
  date: string
  /** Of an acknowledgement: in writing, with the amount. */
  inWriting?: boolean
}

export interface LimitationRule {
  code: string
  country: string
  claim: ClaimKind
  years: number
  /** True if the period starts at the end of the year in which the claim fell due. */
  fromYearEnd: boolean
  /** True if the period starts when the claim arose, not when it fell due. */
  fromOrigin: boolean
  /** Years of the new period by interruption. Events without an entry do not interrupt. */
  anew: Partial<Record<Interruption, number>>
  /** Years of the new period after an acknowledgement in writing. Null where it counts as any other. */
  anewInWriting: number | null
  /**
   * Years from the due date, and from the first title, after which the claim is lost despite interruptions.
   */
  final: { years: number; afterTitle: number } | null
  source: string
  /** The source with its paragraph. */
  cited: string
  unverified: boolean
}

export const limitationRules: readonly LimitationRule[] = lawPacks.flatMap(({ country, rules, sources }) =>
  rules.flatMap((rule) =>
    rule.subject === 'limitation'
      ? {
          code: rule.code,
          country,
          claim: rule.claim,
          years: rule.years,
          fromYearEnd: rule.fromYearEnd ?? false,
          fromOrigin: rule.fromOrigin ?? false,
          anew: rule.anew,
          anewInWriting: rule.anewInWriting ?? null,
          final: rule.final ?? null,
          source: sources[rule.source]!.title,
          cited: citeRule(country, rule),
          unverified: rule.status !== 'verified',
        }
      : [],
  ),
)

/**
 * The kind of a claim. For a natural person the given kind, else CONSUMER, whose period is nowhere the longer
 * one: who does not know the kind must not demand longer than the law of consumers lets them. Always GENERAL
 * for a legal person.
 */
export const resolveClaimKind = (isNatural: boolean, said: ClaimKind | null): ClaimKind =>
  isNatural ? (said ?? 'CONSUMER') : 'GENERAL'

/** The rule of a country. Null when none is known. */
export const findLimitationRule = (country: string, claim: ClaimKind): LimitationRule | null =>
  limitationRules.find((one) => one.country === country && one.claim === claim) ?? null

export interface Limitation {
  /** The last day on which the claim is enforceable. */
  date: string
  rule: LimitationRule
  /** The event that the period runs from. Null without an interruption. */
  interruptedBy: InterruptionEvent | null
}

/** When a claim fell due, and when it arose if known: the date of its invoice. */
export interface ClaimDates {
  dueDate: string
  originDate?: string | null
}

/** What an interruption did to the limitation date. */
export interface InterruptionStep {
  event: InterruptionEvent
  /** True if it moved the date. False for one that does not count, came too late or would shorten the period. */
  counted: boolean
  /** The limitation date after it. */
  date: string
}

/** The limitation date with the way to it. */
export interface LimitationTrace extends Limitation {
  /** The day that the claim fell due or arose. */
  begins: string
  /** The day after which the period runs: `begins`, or the end of its year. */
  runsFrom: string
  /** The date without interruptions. */
  firstDate: string
  steps: InterruptionStep[]
  /** The day after which the claim is lost despite interruptions. Null without such a limit. */
  finalDate: string | null
}

/**
 * The limitation date: the period from its start, or from the last interruption in time. An interruption
 * never shortens it, and the final limit caps it. Events after the claim was lost have no effect. Null for a
 * country without a rule.
 */
export function traceLimitation(
  country: string,
  claim: ClaimKind,
  { dueDate, originDate }: ClaimDates,
  events: readonly InterruptionEvent[],
): LimitationTrace | null {
  const found = findLimitationRule(country, claim)
  if (!found) return null
  const begins = found.fromOrigin && originDate ? earliest(originDate, dueDate) : dueDate
  const runsFrom = found.fromYearEnd ? endOfYear(begins) : begins
  const firstDate = addYears(runsFrom, found.years)
  let date = firstDate
  let interruptedBy: InterruptionEvent | null = null
  const inOrder = events.toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))
  const steps = inOrder.map((event): InterruptionStep => {
    const years = findYears(found, event)
    if (years === undefined || event.date > date || event.date < begins)
      return { event, counted: false, date }
    const later = addYears(event.date, years)
    const counted = later >= date
    if (counted) interruptedBy = event
    date = latest(date, later)
    return { event, counted, date }
  })
  const finalDate = found.final && lastDay(found.final, dueDate, inOrder)
  return {
    date: finalDate === null ? date : earliest(date, finalDate),
    rule: found,
    interruptedBy,
    begins,
    runsFrom,
    firstDate,
    steps,
    finalDate,
  }
}

/** The years of the new period. Undefined for an event that does not interrupt. */
const findYears = (
  { anew, anewInWriting }: LimitationRule,
  { kind, inWriting }: InterruptionEvent,
): number | undefined =>
  kind === 'ACKNOWLEDGEMENT' && inWriting && anewInWriting !== null ? anewInWriting : anew[kind]

/** The limitation date alone; see `traceLimitation`. */
export const computeLimitation = (
  country: string,
  claim: ClaimKind,
  dates: ClaimDates,
  events: readonly InterruptionEvent[],
): Limitation | null => traceLimitation(country, claim, dates, events)

function lastDay(
  { years, afterTitle }: NonNullable<LimitationRule['final']>,
  dueDate: string,
  events: readonly InterruptionEvent[],
): string {
  const title = events.find(({ kind, date }) => kind === 'TITLE' && date >= dueDate)
  const last = addYears(dueDate, years)
  return title ? earliest(last, addYears(title.date, afterTitle)) : last
}
