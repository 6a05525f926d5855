/**
 * When a claim becomes time-barred. Data per country with its source; not legal advice, and nothing here was checked
 * against a statute book, so every row is marked unverified and shown as such to an administrator.
 *
 * A claim runs from its due date. What interrupts it starts the period anew, some with a longer period than before; a
 * final limit, where there is one, is counted from the due date and isn't moved.
 */
import { addYears, earliest, endOfYear, latest } from './calendar.ts'

/** What may interrupt the period. */
export const interruptions = ['ACKNOWLEDGEMENT', 'PAYMENT', 'DEMAND', 'CLAIM_FILED', 'TITLE'] as const
export type Interruption = (typeof interruptions)[number]

export interface InterruptionEvent {
  kind: Interruption
  date: string
}

export type ClaimKind = 'general' | 'consumerCredit'

export interface LimitationRule {
  country: string
  claim: ClaimKind
  years: number
  /** Whether the period starts at the end of the year in which the claim fell due. */
  fromYearEnd: boolean
  /** The years that run anew from each event that interrupts; no entry, no interruption. */
  anew: Partial<Record<Interruption, number>>
  /** Years from the due date, and from the first title, after which the claim is lost whatever interrupted it. */
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

const nordic = (years: number, acknowledged: number, title: number): LimitationRule['anew'] => ({
  ACKNOWLEDGEMENT: acknowledged,
  PAYMENT: acknowledged,
  CLAIM_FILED: years,
  TITLE: title,
})

export const limitationRules: readonly LimitationRule[] = [
  rule('SE', 'general', 10, every(10), 'preskriptionslagen (1981:130) 2, 5–7 §§'),
  rule(
    'SE',
    'consumerCredit',
    3,
    { ...every(3), TITLE: 10 },
    'preskriptionslagen (1981:130) 2 § 2 st., 5–7 §§',
  ),
  rule('NO', 'general', 3, nordic(3, 3, 10), 'foreldelsesloven (1979-05-18 nr 18) §§ 2, 14–21'),
  rule('NO', 'consumerCredit', 3, nordic(3, 3, 10), 'foreldelsesloven (1979-05-18 nr 18) §§ 2, 14–21'),
  rule('DK', 'general', 3, nordic(3, 10, 10), 'forældelsesloven §§ 3, 5, 15–19'),
  rule('DK', 'consumerCredit', 3, nordic(3, 10, 10), 'forældelsesloven §§ 3, 5, 15–19'),
  rule('FI', 'general', 3, { ...every(3), TITLE: 5 }, 'laki velan vanhentumisesta 728/2003 4, 10, 11, 13 §'),
  rule(
    'FI',
    'consumerCredit',
    3,
    { ...every(3), TITLE: 5 },
    'laki velan vanhentumisesta 728/2003; 13 a § (20 years, natural persons), ulosottokaari 2:24 (15 years)',
    {
      final: { years: 20, afterTitle: 15 },
    },
  ),
  rule('DE', 'general', 3, { ACKNOWLEDGEMENT: 3, PAYMENT: 3, TITLE: 30 }, 'BGB §§ 195, 197, 199, 212', {
    fromYearEnd: true,
  }),
  rule(
    'DE',
    'consumerCredit',
    3,
    { ACKNOWLEDGEMENT: 3, PAYMENT: 3, TITLE: 30 },
    'BGB §§ 195, 197, 199, 212',
    {
      fromYearEnd: true,
    },
  ),
  rule('IS', 'general', 4, nordic(4, 4, 10), 'lög um fyrningu kröfuréttinda 150/2007, 3., 5., 14. gr.'),
  rule(
    'IS',
    'consumerCredit',
    4,
    nordic(4, 4, 10),
    'lög um fyrningu kröfuréttinda 150/2007, 3., 5., 14. gr.',
  ),
]

/** The rule of a country; null where none is known. */
export const limitationRuleOf = (country: string, claim: ClaimKind): LimitationRule | null =>
  limitationRules.find((one) => one.country === country && one.claim === claim) ?? null

export interface Limitation {
  /** The last day on which the claim isn't time-barred. */
  date: string
  rule: LimitationRule
  /** The event the period runs from; null when nothing has interrupted it. */
  interruptedBy: InterruptionEvent | null
}

/**
 * Until when a claim can be enforced: the period from its due date or from the last event that interrupted it in time,
 * never shorter than it was, and no longer than the final limit. Events after the claim was lost revive nothing.
 * Null for a country without a rule.
 */
export function limitationOf(
  country: string,
  claim: ClaimKind,
  dueDate: string,
  events: readonly InterruptionEvent[],
): Limitation | null {
  const found = limitationRuleOf(country, claim)
  if (!found) return null
  let date = addYears(found.fromYearEnd ? endOfYear(dueDate) : dueDate, found.years)
  let interruptedBy: InterruptionEvent | null = null
  const inOrder = events.toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))
  for (const event of inOrder) {
    const years = found.anew[event.kind]
    if (years === undefined || event.date > date || event.date < dueDate) continue
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
