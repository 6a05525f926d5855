/** Draws debtors, their claims, and what happens to them in a year. */
import { addDays } from '../../core/calendar/calendar.ts'
import type { Random } from '../simulate/random.ts'

export const countries = ['SE', 'NO', 'DK', 'FI', 'DE'] as const
export type Country = (typeof countries)[number]

export const currencies: Record<Country, string> = { SE: 'SEK', NO: 'NOK', DK: 'DKK', FI: 'EUR', DE: 'EUR' }
const languages: Record<Country, string> = { SE: 'sv', NO: 'nb', DK: 'da', FI: 'fi', DE: 'de' }

export type Consent = 'GIVEN' | 'REFUSED' | null

/** What a debtor says, and is, at a moment of the year. */
export interface Person {
  number: number
  country: Country
  timeZone: string | null
  language: string
  /** `YYYY-MM-DD`, or null when nobody knows it. */
  born: string | null
  /** Only for those whose birth date nobody knows. */
  underAged: boolean
  email: string | null
  phone: string | null
  consents: Record<'email' | 'sms' | 'telephone', Consent>
  isProtected: boolean
  forwarding: string | null
  isDead: boolean
}

const drawConsent = (random: Random): Consent =>
  random.chance(0.12) ? 'REFUSED' : random.chance(0.2) ? 'GIVEN' : null

/** Mobile numbers of the countries, as their plans allow them. */
const phones: Record<Country, (number: number) => string> = {
  SE: (number) => `+4670174${pad(number, 4)}`,
  NO: (number) => `+47400${pad(number, 5)}`,
  DK: (number) => `+4520${pad(number, 6)}`,
  FI: (number) => `+358401${pad(number, 6)}`,
  DE: (number) => `+49151${pad(number, 8)}`,
}
const pad = (number: number, digits: number) => String(number % 10 ** digits).padStart(digits, '0')

/** Of the age of 15 to 90; one in eight comes of age in the year or is a minor throughout. */
const drawBirth = (random: Random, start: string): string =>
  random.chance(0.12)
    ? addDays(start, -Math.floor(365.25 * (16 + random.next() * 2.2)))
    : addDays(start, -Math.floor(365.25 * (19 + random.next() * 71)))

export function drawPerson(random: Random, number: number, start: string): Person {
  const country = random.pick(countries)
  const isKnown = random.chance(0.93)
  const isProtected = random.chance(0.04)
  return {
    number,
    country,
    timeZone: random.chance(0.05)
      ? random.pick(['Asia/Tokyo', 'America/New_York', 'Atlantic/Azores', 'Pacific/Auckland'])
      : null,
    language: random.chance(0.85) ? languages[country] : 'en',
    born: isKnown ? drawBirth(random, start) : null,
    underAged: !isKnown && random.chance(0.15),
    email: random.chance(0.7) ? makeEmail(number, 0) : null,
    phone: random.chance(0.7) ? phones[country](number) : null,
    consents: { email: drawConsent(random), sms: drawConsent(random), telephone: drawConsent(random) },
    isProtected,
    forwarding: isProtected && random.chance(0.6) ? forwarding(number) : null,
    isDead: false,
  }
}

export const makeEmail = (number: number, change: number) => `d${number}.${change}@example.com`
export const forwarding = (number: number) => `Authority, Box ${number}, 403 20 Gothenburg`
export const street = (number: number) => `Secret Street ${number}`

/** The body of a request that makes or changes a debtor. */
export const toBody = (person: Person) => ({
  lastname: `Person ${person.number}`,
  street: street(person.number),
  zipCode: person.country === 'NO' || person.country === 'DK' ? '1000' : '10000',
  city: 'Town',
  countryCode: person.country,
  languageCode: person.language,
  timeZone: person.timeZone,
  email: person.email,
  cellularPhone: person.phone,
  dateOfBirth: person.born === null ? null : `${person.born}T00:00:00Z`,
  ...(person.born === null && { underAged: person.underAged }),
  emailConsent: person.consents.email,
  smsConsent: person.consents.sms,
  phoneConsent: person.consents.telephone,
  protectedIdentity: person.isProtected,
  forwardingAddress: person.forwarding,
})

export interface DrawnClaim {
  principal: number
  dueDate: string
  service: 'PRECOLLECTION' | 'COLLECTION'
  noticeDeadline: string | null
}

export function drawClaim(random: Random, day: string): DrawnClaim {
  const dueDate = addDays(day, -random.below(60) - 1)
  return {
    principal: Math.ceil(100 * Math.exp(random.next() * 5)),
    dueDate,
    service: random.chance(0.3) ? 'PRECOLLECTION' : 'COLLECTION',
    noticeDeadline: random.chance(0.5) ? addDays(dueDate, random.below(10)) : null,
  }
}

/** Something that a debtor says or that is learned of one. The person is changed; the text names what happened. */
export function changePerson(random: Random, person: Person, day: number): string {
  const channel = random.pick(['email', 'sms', 'telephone'] as const)
  const changes: (() => string)[] = [
    () => {
      person.consents[channel] = random.pick(['GIVEN', 'REFUSED', null])
      return `consent to ${channel}: ${person.consents[channel]}`
    },
    () => {
      person.email = random.chance(0.3) ? null : makeEmail(person.number, day)
      return `e-mail: ${person.email}`
    },
    () => {
      person.isProtected = !person.isProtected
      person.forwarding = person.isProtected && random.chance(0.7) ? forwarding(person.number) : null
      return `protected: ${person.isProtected}, forwarded: ${person.forwarding !== null}`
    },
    () => {
      person.timeZone = random.pick(['Asia/Tokyo', 'America/New_York', null])
      return `time zone: ${person.timeZone}`
    },
    () => {
      person.born = person.born === null ? '2011-04-05' : person.born
      person.underAged = false
      return `born: ${person.born}`
    },
  ]
  return random.pick(changes)()
}
