/** Invented cases: three per debtor, with their history. Each depends only on the seed and its number. */
import { addDays, daysBetween } from '../../core/calendar/calendar.ts'
import { countDecimals } from '../../core/money/money.ts'
import { caseStatuses, type OpenStatus } from '../../core/cases/case-lifecycle.ts'
import { hashKey, startRandom, type Random } from './random.ts'
import type { CountryCode } from './country.ts'

export interface DemoCase {
  /** The code of the demo agency's client. */
  clientCode: string
  currencyCode: string
  registrationDate: string
  invoiceNumber: string
  invoiceDate: string
  dueDate: string
  clientReferenceNumber: string
  /** Minor units. */
  principal: bigint
  fee: bigint
  description: string
  status: OpenStatus
  subStatus: string
  movements: DemoMovement[]
}

export interface DemoMovement {
  kind: 'payment' | 'thirdPartyPayment' | 'fee' | 'writeOff'
  amount: bigint
  valueDate: string
}

const demoClients: Record<CountryCode, readonly string[]> = {
  SE: ['NORDKRAFT', 'STADSHEM', 'STADSHEM'],
  NO: ['NORDKRAFT-NO', 'NORDKRAFT-NO', 'KLARTELE'],
  DK: ['KLARTELE', 'KLARTELE', 'NORDKRAFT'],
  FI: ['NORDKRAFT-FI', 'NORDKRAFT-FI', 'STADSHEM'],
  DE: ['KLARTELE-DE', 'KLARTELE-DE', 'KLARTELE'],
}

/**
 * Terms of the demo's clients, and example accounts from handbooks, which belong to nobody but have valid check digits.
 */
export const demoTerms = [
  { code: 'AGENCY', country: 'SE', currency: 'SEK', points: 8, account: 'SE45 5000 0000 0583 9825 7466' },
  { code: 'NORDKRAFT', country: 'SE', currency: 'SEK', points: 8, account: 'SE49 6000 0000 0006 0002 0028' },
  { code: 'NORDKRAFT-NO', country: 'NO', currency: 'NOK', points: 0, account: 'NO93 8601 1117 947' },
  { code: 'NORDKRAFT-FI', country: 'FI', currency: 'EUR', points: 7, account: 'FI21 1234 5600 0007 85' },
  { code: 'STADSHEM', country: 'SE', currency: 'SEK', points: 8, account: '991-2346' },
  { code: 'KLARTELE', country: 'DK', currency: 'DKK', points: 8, account: 'DK50 0040 0440 1162 43' },
  { code: 'KLARTELE-DE', country: 'DE', currency: 'EUR', points: 5, account: 'DE89 3704 0044 0532 0130 00' },
] as const
const findTerms = new Map<string, (typeof demoTerms)[number]>(demoTerms.map((terms) => [terms.code, terms]))

const goods: Record<string, readonly string[]> = {
  NORDKRAFT: ['Electricity', 'Grid fee', 'District heating'],
  STADSHEM: ['Rent', 'Parking space', 'Repair after moving out'],
  KLARTELE: ['Mobile subscription', 'Broadband', 'Telephone in instalments'],
}

const places: readonly OpenStatus[] = [
  'NEW',
  'AMICABLE',
  'AMICABLE',
  'AMICABLE',
  'LEGAL',
  'ENFORCEMENT',
  'SURVEILLANCE',
]
const casesPerDebtor = 3

/** The cases of the `debtor`-th debtor of a seed, who lives in `country`, as of `today`. */
export function* generateCases(options: {
  seed: number
  debtor: number
  country: CountryCode
  today: string
}): Generator<DemoCase> {
  const { seed, debtor, country, today } = options
  for (let number = 0; number < casesPerDebtor; number++) {
    const random = startRandom(hashKey(hashKey(hashKey(11, seed), debtor), number))
    yield makeCase(random, { clientCode: demoClients[country][number]!, today, number: debtor * 3 + number })
  }
}

function makeCase(
  random: Random,
  { clientCode, today, number }: { clientCode: string; today: string; number: number },
): DemoCase {
  const { currency } = findTerms.get(clientCode)!
  const unit = 10n ** BigInt(countDecimals(currency))
  const registrationDate = addDays(today, -30 - random.below(700))
  const dueDate = addDays(registrationDate, -20 - random.below(60))
  const principal =
    BigInt(150 + random.below(120) * random.below(120)) * unit + BigInt(random.below(Number(unit)))
  const status = places[random.below(places.length)]!
  const steps: readonly string[] = caseStatuses[status].subStatuses.filter((one) => one !== 'PAYMENT_PLAN')
  const words = goods[clientCode.split('-')[0]!]!
  return {
    clientCode,
    currencyCode: currency,
    registrationDate,
    dueDate,
    invoiceDate: addDays(dueDate, -30),
    invoiceNumber: `F${String(100_000 + number)}`,
    clientReferenceNumber: `K${String(70_000 + random.below(20_000))}`,
    principal,
    fee: BigInt(60 + 60 * random.below(3)) * unit,
    description: words[random.below(words.length)]!,
    status,
    subStatus: steps[random.below(steps.length)]!,
    movements: makeMovements(random, { registrationDate, today, principal, unit, currency }),
  }
}

/** What a reminder may cost, in whole units. One in ten fees is above it, for the review by the law to find. */
const reminderFees: Record<string, number> = { SEK: 60, NOK: 35, DKK: 100, EUR: 5 }

/** About four movements, together less than the principal. */
function makeMovements(
  random: Random,
  of: { registrationDate: string; today: string; principal: bigint; unit: bigint; currency: string },
): DemoMovement[] {
  const days = daysBetween(of.registrationDate, of.today)
  const dates = Array.from({ length: 3 + random.below(3) }, () => 1 + random.below(days)).toSorted(
    (a, b) => a - b,
  )
  return dates.map((day, index) => {
    const valueDate = addDays(of.registrationDate, day)
    if (index === 0) {
      const drawn = random.below(30)
      const units = drawn < 27 ? reminderFees[of.currency]! : 35 + 5 * drawn
      return { kind: 'fee', amount: BigInt(units) * of.unit, valueDate }
    }
    const share = (of.principal * BigInt(2 + random.below(12))) / 100n
    const kind = random.chance(0.1) ? 'thirdPartyPayment' : random.chance(0.04) ? 'writeOff' : 'payment'
    // Most people pay whole kronor.
    const amount = share < of.unit ? of.unit : share - (share % of.unit)
    return { kind, amount, valueDate }
  })
}
