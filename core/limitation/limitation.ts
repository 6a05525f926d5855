/**
 * Computes when a claim becomes time-barred. Rules per country with their sources. Not legal advice. The
 * sources were read second-hand (encyclopaedias, law firms and courts citing the acts), so every row is
 * marked unverified.
 *
 * The period runs from the due date, in Sweden from when the claim arose. An interruption restarts it, some
 * with a longer period. A final limit, where one exists, counts from the due date and is never moved.
 */
import { addYears, earliest, endOfYear, latest } from '../calendar/calendar.ts'

/** Events that can interrupt the limitation period. */
export const interruptions = ['ACKNOWLEDGEMENT', 'PAYMENT', 'DEMAND', 'CLAIM_FILED', 'TITLE'] as const
export type Interruption = (typeof interruptions)[number]

export interface InterruptionEvent {
  kind: Interruption
  date: string
}

/**
 * CONSUMER: goods or services of a trader for private use by a natural person. CONSUMER_CREDIT: a loan for
 * such use. GENERAL: all other claims, including those on a negotiable instrument.
 */
export const claimKinds = ['GENERAL', 'CONSUMER', 'CONSUMER_CREDIT'] as const
export type ClaimKind = (typeof claimKinds)[number]

export interface LimitationRule {
  country: string
  claim: ClaimKind
  years: number
  /** True if the period starts at the end of the year in which the claim fell due. */
  fromYearEnd: boolean
  /** True if the period starts when the claim arose, not when it fell due. */
  fromOrigin: boolean
  /** Years of the new period by interruption. Events without an entry do not interrupt. */
  anew: Partial<Record<Interruption, number>>
  /**
   * Years from the due date, and from the first title, after which the claim is lost despite interruptions.
   */
  final: { years: number; afterTitle: number } | null
  source: string
  unverified: boolean
}

const rule = (
  country: string,
  claim: ClaimKind,
  years: number,
  anew: LimitationRule['anew'],
  source: string,
  more: Partial<LimitationRule> = {},
): LimitationRule => ({
  country,
  claim,
  years,
  fromYearEnd: false,
  fromOrigin: false,
  anew,
  final: null,
  source,
  unverified: true,
  ...more,
})

const every = (years: number): LimitationRule['anew'] => ({
  ACKNOWLEDGEMENT: years,
  PAYMENT: years,
  DEMAND: years,
  CLAIM_FILED: years,
  TITLE: years,
})

const nordic = (
  years: number,
  { acknowledged = years, title = 10 }: { acknowledged?: number; title?: number } = {},
): LimitationRule['anew'] => ({
  ACKNOWLEDGEMENT: acknowledged,
  PAYMENT: years,
  CLAIM_FILED: years,
  TITLE: title,
})

const sources = {
  SE: 'preskriptionslagen (1981:130) 2 § 1 st., 5–7 §§',
  'SE consumer':
    'preskriptionslagen (1981:130) 2 § 2 st., 5–7 §§: three years for goods, services and other benefits, not on a negotiable instrument (lagen.nu, SFS 2022:976)',
  NO: 'foreldelsesloven (1979-05-18 nr 18) §§ 2, 3, 14–21',
  'NO loan': 'foreldelsesloven (1979-05-18 nr 18) § 5: ten years for loans (snl.no)',
  DK: 'forældelsesloven §§ 2, 3, 5, 15–19; ten years when acknowledged in writing, § 5 stk. 1 nr. 3 (danskelove.dk)',
  'DK loan': 'forældelsesloven § 6: ten years for loans, three for their interest (b2claw.dk)',
  FI: 'laki velan vanhentumisesta 728/2003 4, 5, 10, 11, 13 §',
  'FI natural':
    'laki velan vanhentumisesta 728/2003 4, 5, 10, 11, 13 §; 13 a § (20 years, natural persons), ulosottokaari 2:24 (15 years) (oikeus.fi)',
  DE: 'BGB §§ 195, 197, 199, 212',
  'DE loan':
    'BGB § 497(3): suspended from default, ten years from when it arose at the latest (OLG Hamm 29.12.2015, 31 W 82/15; others let three years follow)',
  IS: 'lög um fyrningu kröfuréttinda 150/2007, 3., 14. gr.',
  'IS loan': 'lög um fyrningu kröfuréttinda 150/2007, 5. gr.: loans; not looked up',
}

const swedish = { fromOrigin: true }
const german = { ACKNOWLEDGEMENT: 3, PAYMENT: 3, TITLE: 30 }
const finnish = { ...every(3), TITLE: 5 }
const natural = { final: { years: 20, afterTitle: 15 } }

export const limitationRules: readonly LimitationRule[] = [
  rule('SE', 'GENERAL', 10, every(10), sources['SE'], swedish),
  rule('SE', 'CONSUMER', 3, { ...every(3), TITLE: 10 }, sources['SE consumer'], swedish),
  rule('SE', 'CONSUMER_CREDIT', 3, { ...every(3), TITLE: 10 }, sources['SE consumer'], swedish),
  rule('NO', 'GENERAL', 3, nordic(3), sources['NO']),
  rule('NO', 'CONSUMER', 3, nordic(3), sources['NO']),
  rule('NO', 'CONSUMER_CREDIT', 10, nordic(10), sources['NO loan']),
  rule('DK', 'GENERAL', 3, nordic(3, { acknowledged: 10 }), sources['DK']),
  rule('DK', 'CONSUMER', 3, nordic(3, { acknowledged: 10 }), sources['DK']),
  rule('DK', 'CONSUMER_CREDIT', 10, nordic(10), sources['DK loan']),
  rule('FI', 'GENERAL', 3, finnish, sources['FI']),
  rule('FI', 'CONSUMER', 3, finnish, sources['FI natural'], natural),
  rule('FI', 'CONSUMER_CREDIT', 3, finnish, sources['FI natural'], natural),
  rule('DE', 'GENERAL', 3, german, sources['DE'], { fromYearEnd: true }),
  rule('DE', 'CONSUMER', 3, german, sources['DE'], { fromYearEnd: true }),
  rule('DE', 'CONSUMER_CREDIT', 10, german, sources['DE loan']),
  rule('IS', 'GENERAL', 4, nordic(4), sources['IS']),
  rule('IS', 'CONSUMER', 4, nordic(4), sources['IS']),
  rule('IS', 'CONSUMER_CREDIT', 10, nordic(10), sources['IS loan']),
]

/**
 * The kind of a claim. For a natural person the given kind, else CONSUMER in Finland, whose final limit
 * protects natural persons for every kind of claim, else GENERAL. Always GENERAL for a legal person.
 */
export const resolveClaimKind = (country: string, isNatural: boolean, said: ClaimKind | null): ClaimKind =>
  isNatural ? (said ?? (country === 'FI' ? 'CONSUMER' : 'GENERAL')) : 'GENERAL'

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

/**
 * The limitation date: the period from its start, or from the last interruption in time. An interruption
 * never shortens it, and the final limit caps it. Events after the claim was lost have no effect. Null for a
 * country without a rule.
 */
export function computeLimitation(
  country: string,
  claim: ClaimKind,
  { dueDate, originDate }: ClaimDates,
  events: readonly InterruptionEvent[],
): Limitation | null {
  const found = findLimitationRule(country, claim)
  if (!found) return null
  const begins = found.fromOrigin && originDate ? earliest(originDate, dueDate) : dueDate
  let date = addYears(found.fromYearEnd ? endOfYear(begins) : begins, found.years)
  let interruptedBy: InterruptionEvent | null = null
  const inOrder = events.toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))
  for (const event of inOrder) {
    const years = found.anew[event.kind]
    if (years === undefined || event.date > date || event.date < begins) continue
    const later = addYears(event.date, years)
    if (later >= date) interruptedBy = event
    date = latest(date, later)
  }
  return {
    date: found.final ? earliest(date, lastDay(found.final, dueDate, inOrder)) : date,
    rule: found,
    interruptedBy,
  }
}

function lastDay(
  { years, afterTitle }: NonNullable<LimitationRule['final']>,
  dueDate: string,
  events: readonly InterruptionEvent[],
): string {
  const title = events.find(({ kind, date }) => kind === 'TITLE' && date >= dueDate)
  const last = addYears(dueDate, years)
  return title ? earliest(last, addYears(title.date, afterTitle)) : last
}
