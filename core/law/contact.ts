/**
 * May this person be contacted by this channel now, and who is to be addressed? Asks the law pack of the
 * governing country and what the person has said. Pure: every message, letter and telephone call asks here.
 * Not legal advice.
 */
import { addDays, isoWeekday } from '../calendar/calendar.ts'
import { localDate } from '../calendar/date-time.ts'
import { listHolidays } from '../calendar/public-holidays.ts'
import type { PackRule, RuleOf } from './pack.ts'
import { findPack, isInForce } from './packs.ts'

export const contactChannels = ['telephone', 'sms', 'email', 'letter'] as const
export type ContactChannel = (typeof contactChannels)[number]

/** GIVEN: the person agreed to the channel. REFUSED: the person objected to it. */
export const consents = ['GIVEN', 'REFUSED'] as const
export type Consent = (typeof consents)[number]

/** Who is contacted: the debtor or the guardian. */
export interface ContactPerson {
  /** IANA name. Null for that of the country. */
  timeZone: string | null
  /** Where the person lives. Null when it is unknown. */
  country: string | null
  hasProtectedIdentity: boolean
  /** An authority that forwards post to a person with a protected identity is on record. */
  hasForwardingAddress: boolean
  consent: Partial<Record<ContactChannel, Consent | null>>
}

export interface ContactFacts {
  /** The governing country. Null when it is unknown. */
  country: string | null
  isMinor: boolean
  isDeceased: boolean
  debtor: ContactPerson
  guardian: ContactPerson | null
  /** When the debtor was contacted by telephone, SMS or e-mail, as ISO instants. */
  contacts: readonly string[]
}

export interface ContactRules {
  /** Contacts within seven days at most. Null for no limit. */
  perWeek: number | null
  /** True if rules that are only proposed apply as well. */
  proposed: boolean
}

export const contactReasons = [
  'minor',
  'deceased',
  'optOut',
  'protectedIdentity',
  'hours',
  'frequency',
] as const
export type ContactReason = (typeof contactReasons)[number]

/** Why a message waits in the outbox: also because the address is gone, or a letter no longer says what is right. */
export const heldReasons = [
  ...contactReasons,
  'noAddress',
  'owesLess',
  'caseClosed',
  'caseOnHold',
  'planEnded',
  'planChanged',
  'lawChanged',
  'lateDeadline',
  'minorClaim',
  'debtRelief',
  'bankruptcy',
  'disputed',
  'unanswered',
  'plan',
  'barred',
] as const
export type HeldReason = (typeof heldReasons)[number]

export type Addressee = 'debtor' | 'guardian' | 'nobody'

export interface ContactVerdict {
  channel: ContactChannel
  allowed: boolean
  /** Null when it is allowed. */
  reason: ContactReason | null
  rule: PackRule | null
  /** The first instant at which it would be allowed, when only time is missing. */
  from: string | null
  recipient: Addressee
}

export function judgeContact(
  facts: ContactFacts,
  { channel, at }: { channel: ContactChannel; at: string },
  { perWeek, proposed }: ContactRules,
): ContactVerdict {
  const recipient: Addressee = facts.isDeceased
    ? 'nobody'
    : !facts.isMinor
      ? 'debtor'
      : facts.guardian
        ? 'guardian'
        : 'nobody'
  const refuse = (reason: ContactReason, more: Partial<ContactVerdict> = {}): ContactVerdict => ({
    channel,
    allowed: false,
    reason,
    rule: null,
    from: null,
    recipient,
    ...more,
  })
  const timeZone = findTimeZone(facts.debtor, facts.country)
  const day = localDate(timeZone, new Date(at))
  if (recipient === 'nobody') {
    const reason = facts.isDeceased ? 'deceased' : 'minor'
    return refuse(reason, { rule: findCircumstance(facts.country, reason, day) })
  }
  const person = recipient === 'guardian' ? facts.guardian! : facts.debtor
  const consent = person.consent[channel] ?? null
  if (consent === 'REFUSED') return refuse('optOut')
  if (
    person.hasProtectedIdentity &&
    (channel === 'letter' ? !person.hasForwardingAddress : consent !== 'GIVEN')
  )
    return refuse('protectedIdentity')
  const late = findLater({ facts, person, channel, at }, { perWeek, proposed })
  if (late !== null) return refuse(late.reason, late)
  return { channel, allowed: true, reason: null, rule: null, from: null, recipient }
}

const weekMs = 7 * 86_400_000

/** What stands in the way only for a time: too many contacts, or the hour. The later of both. */
function findLater(
  {
    facts,
    person,
    channel,
    at,
  }: { facts: ContactFacts; person: ContactPerson; channel: ContactChannel; at: string },
  { perWeek, proposed }: ContactRules,
): { reason: ContactReason; rule: PackRule | null; from: string } | null {
  const now = Date.parse(at)
  let from = now
  let reason: ContactReason | null = null
  if (perWeek !== null && channel !== 'letter') {
    const recent = facts.contacts
      .map((contact) => Date.parse(contact))
      .filter((contact) => contact > now - weekMs)
      .toSorted((a, b) => b - a)
    if (recent.length >= perWeek) {
      reason = 'frequency'
      from = (perWeek === 0 ? now : recent[perWeek - 1]!) + weekMs
    }
  }
  const timeZone = findTimeZone(person, facts.country)
  const rule = findHours(facts.country, { channel, day: localDate(timeZone, new Date(from)), proposed })
  const opening = rule === undefined ? from : findOpening(rule, { from, timeZone, country: facts.country })
  if (opening > from) {
    reason ??= 'hours'
    from = opening
  }
  return reason === null
    ? null
    : { reason, rule: reason === 'hours' ? rule! : null, from: new Date(from).toISOString() }
}

const findHours = (
  country: string | null,
  { channel, day, proposed }: { channel: ContactChannel; day: string; proposed: boolean },
): RuleOf<'contact'> | undefined =>
  findPack(country)?.rules.find(
    (rule): rule is RuleOf<'contact'> =>
      rule.subject === 'contact' &&
      rule.actions.includes(`contact:${channel}`) &&
      (rule.status !== 'proposed' || proposed) &&
      isInForce(rule, day),
  )

const findCircumstance = (country: string | null, circumstance: 'minor' | 'deceased', day: string) =>
  findPack(country)?.rules.find(
    (rule) =>
      rule.subject === 'circumstance' &&
      rule.circumstance === circumstance &&
      rule.status !== 'proposed' &&
      isInForce(rule, day),
  ) ?? null

/** The first instant from `from` on that lies within the hours of a rule. */
function findOpening(
  rule: RuleOf<'contact'>,
  { from, timeZone, country }: { from: number; timeZone: string; country: string | null },
): number {
  let day = localDate(timeZone, new Date(from))
  for (let tries = 0; tries < 14; tries++, day = addDays(day, 1)) {
    const hours = openHours(rule, day, country)
    if (hours === null) continue
    const [opens, closes] = hours.split('-').map((time) => toInstant(day, time, timeZone)) as [number, number]
    if (from < closes) return Math.max(from, opens)
  }
  throw new RangeError(`The rule ${rule.code} never allows contact.`)
}

/** Hours as `08:00-21:00`. Null for a Sunday or a public holiday. */
function openHours(rule: RuleOf<'contact'>, day: string, country: string | null): string | null {
  const weekday = isoWeekday(day)
  const holidays = country === null ? [] : listHolidays(country, Number(day.slice(0, 4)))
  if (weekday === 7 || holidays.some(({ date, kind }) => date === day && kind === 'public')) return null
  return weekday === 6 ? rule.saturdays : rule.weekdays
}

const zones: Record<string, string> = {
  SE: 'Europe/Stockholm',
  NO: 'Europe/Oslo',
  DK: 'Europe/Copenhagen',
  FI: 'Europe/Helsinki',
  DE: 'Europe/Berlin',
  IS: 'Atlantic/Reykjavik',
  AT: 'Europe/Vienna',
  GB: 'Europe/London',
}

/** The person's own time zone, else that of the country in which the person lives, else of the governing one. */
export const findTimeZone = ({ timeZone, country }: ContactPerson, governing: string | null): string =>
  timeZone ?? zones[country ?? ''] ?? zones[governing ?? ''] ?? 'UTC'

const formats = new Map<string, Intl.DateTimeFormat>()

/** Local date and time at an instant, as `YYYY-MM-DDTHH:mm`. */
export function localTime(timeZone: string, instant: number): string {
  let format = formats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
    formats.set(timeZone, format)
  }
  return format.format(instant).replace(' ', 'T')
}

/** The instant of a local time. In the hour that a change of clocks leaves out, the one after it. */
function toInstant(day: string, time: string, timeZone: string): number {
  const wanted = Date.parse(`${day}T${time}:00Z`)
  let instant = wanted
  for (let round = 0; round < 2; round++)
    instant += wanted - Date.parse(`${localTime(timeZone, instant)}:00Z`)
  return instant
}
