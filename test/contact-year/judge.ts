/**
 * Judges what was sent by what is known of the debtor. Written from the rules in words (docs/domain/law.md), without
 * any code of the service: it shares neither the law packs nor the calendar nor the store.
 */
import type { Country, Person } from './people.ts'

export type Channel = 'email' | 'sms' | 'letter' | 'telephone'

export interface Contact {
  channel: Channel
  /** Milliseconds since 1970. */
  at: number
  /** The address, the number, or the name on a letter. */
  recipient: string
  /** What is printed above a posted letter. */
  printed: string
}

export interface Known {
  person: Person
  /** Who is addressed in place of a minor. */
  guardian: Person | null
  /** E-mails, text messages and calls so far that reached the debtor. Milliseconds, ascending. */
  reached: readonly number[]
}

export const contactsPerWeek = 2

/** The rules that a contact breaks, in words. */
export function judge({ person, guardian, reached }: Known, contact: Contact): string[] {
  const { channel, at, recipient, printed } = contact
  if (person.isDead) return ['The debtor is dead.']
  const faults: string[] = []
  const isMinor = isMinorOn(person, localDay(person, at))
  const addressed = isMinor ? guardian : person
  if (addressed === null) return ['The debtor is a minor without a guardian.']
  if (recipient !== ownRecipient(addressed, channel))
    faults.push(`It went to ${recipient}, not to ${ownRecipient(addressed, channel)}.`)
  const consent = channel === 'letter' ? null : addressed.consents[channel]
  if (consent === 'REFUSED') faults.push('The channel was refused.')
  if (addressed.isProtected) {
    if (channel !== 'letter' && consent !== 'GIVEN') faults.push('A protected identity gave no consent.')
    if (channel === 'letter' && addressed.forwarding === null)
      faults.push('Nobody forwards the post of a protected identity.')
    if (printed.includes('Secret Street')) faults.push('The address of a protected identity was printed.')
  }
  if (channel !== 'letter') {
    const recent = reached.filter((one) => one > at - 7 * 86_400_000)
    if (recent.length >= contactsPerWeek) faults.push('More contacts within seven days than are allowed.')
  }
  if (channel === 'telephone' && person.country === 'NO' && !isNorwegianHour(addressed, at))
    faults.push('A call to Norway outside the hours.')
  return faults
}

const ownRecipient = (person: Person, channel: Channel) =>
  channel === 'email' ? person.email : channel === 'letter' ? `Person ${person.number}` : person.phone

const isMinorOn = ({ born, underAged }: Person, day: string): boolean =>
  born === null ? underAged : `${Number(born.slice(0, 4)) + 18}${born.slice(4)}` > day

const zones: Record<Country, string> = {
  SE: 'Europe/Stockholm',
  NO: 'Europe/Oslo',
  DK: 'Europe/Copenhagen',
  FI: 'Europe/Helsinki',
  DE: 'Europe/Berlin',
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** As `2026-03-02 14:05`. */
function localTime({ timeZone, country }: Person, at: number): string {
  const zone = timeZone ?? zones[country]
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' })
  formats.set(zone, format)
  return format.format(at)
}

export const localDay = (person: Person, at: number) => localTime(person, at).slice(0, 10)

/** Lov om helligdager 1995 § 2 with the days of 2026 and 2027; 1 and 17 May by lov 1947 nr. 1. Sundays apart. */
const norwegianHolidays = new Set([
  '2026-04-02',
  '2026-04-03',
  '2026-04-06',
  '2026-05-01',
  '2026-05-14',
  '2026-05-25',
  '2026-12-25',
  '2026-12-26',
  '2027-01-01',
  '2027-03-25',
  '2027-03-26',
  '2027-03-29',
  '2027-05-01',
  '2027-05-06',
  '2027-05-17',
])

function isNorwegianHour(person: Person, at: number): boolean {
  const [day = '', time = ''] = localTime(person, at).split(' ')
  const weekday = new Date(`${day}T12:00:00Z`).getUTCDay()
  if (weekday === 0 || norwegianHolidays.has(day)) return false
  return weekday === 6 ? time >= '09:00' && time < '15:00' : time >= '08:00' && time < '21:00'
}
