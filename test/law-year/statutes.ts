/**
 * What the law of five countries lets an agency do to a debtor, written from statutes and authorities. It shares no
 * code with the service, and was written before its law packs were read. Amounts are in units of the currency, days are
 * YYYY-MM-DD.
 */
export type Country = 'SE' | 'NO' | 'DK' | 'FI' | 'DE'

export interface Facts {
  country: Country
  isBusiness: boolean
  principal: number
  dueDate: string
  /** The debtor is under 18 throughout. */
  isMinor: boolean
  isReminderFeeAgreed: boolean
  /** The last day on which the claim can be demanded. */
  barredAfter: string
  /** From when the agency knows it. Null if it does not hold. */
  deadSince: string | null
  reliefSince: string | null
  /** Whole claims that are disputed, both days included. A null end is open. */
  disputes: { from: string; to: string | null }[]
  /** When the case was taken to court. */
  courtDays: string[]
  /** When a payment plan was made with the debtor. */
  planDays: string[]
}

export interface Letter {
  kind: string
  date: string
  /** The day by which it asks to be paid. */
  due: string | null
}
export interface Fee {
  type: string
  amount: number
  date: string
}

export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000)

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

/** What holds for each demand and each fee, in all five countries. */
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

/** SE: IMY, eight days from the letter. NO: inkassoloven §§ 9, 10. DK: inkassoloven § 10. FI: perintälaki 5 §. */
const leastDays: Record<Country, Partial<Record<string, number>>> = {
  SE: { demand: 8 },
  NO: { notice: 14, demand: 14, legal: 14 },
  DK: { demand: 10 },
  FI: { demand: 14 },
  DE: {},
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
  // NO: inkassoloven § 10. A demand follows the deadline of the notice.
  if (facts.country === 'NO' && kind === 'demand' && !isAfter('notice'))
    faults.push('a demand before the deadline of a notice has passed')
  // Each country: nothing is taken to court before the debtor could pay on the demand.
  if (kind === 'legal' && !isAfter('demand'))
    faults.push('a notice of legal action before the deadline of a demand has passed')
  return faults
}

/** A dispute stops no court: it decides. All else holds as for a demand, and the debtor has had the time of one. */
function judgeCourt(facts: Facts, date: string, letters: readonly Letter[]): string[] {
  const hadTime = letters.some(({ kind, due }) => kind === 'demand' && due !== null && due < date)
  return [
    ...judgeMoment({ ...facts, disputes: [] }, date, 'a court'),
    ...(hadTime ? [] : ['a court before the deadline of a demand has passed']),
  ]
}

/** A plan costs something only when it was made. SE: 1981:739 3 § 2. NO: § 2-4. DK: BEK 601/2002 § 4. FI: 10 a §. */
const judgePlanFee = ({ planDays }: Facts, { type, date }: Fee): string[] =>
  type.startsWith('plan') && !planDays.some((day) => day <= date) ? [`${type} without a plan`] : []

type FeeLaw = (facts: Facts, fees: readonly Fee[], letters: readonly Letter[]) => string[]
const sum = (fees: readonly Fee[]) => fees.reduce((all, { amount }) => all + amount, 0)
const ofType = (fees: readonly Fee[], ...types: string[]) => fees.filter(({ type }) => types.includes(type))

/** Faults of fees that cost more than their type may, or of a type that may cost nothing. */
function judgeEach(fees: readonly Fee[], highest: (fee: Fee, index: number) => number): string[] {
  const counts = new Map<string, number>()
  return fees.flatMap((fee) => {
    const index = counts.get(fee.type) ?? 0
    counts.set(fee.type, index + 1)
    const most = highest(fee, index)
    return fee.amount > most + 0.001 ? [`${fee.type} ${index + 1} of ${fee.amount}, at most ${most}`] : []
  })
}

/** Fees of the types on days that are too near to each other. */
function judgeSpacing(fees: readonly Fee[], days: number): string[] {
  const sorted = fees.map(({ date }) => date).toSorted()
  return sorted.flatMap((date, index) =>
    index > 0 && daysBetween(sorted[index - 1]!, date) < days ? [`fees less than ${days} days apart`] : [],
  )
}

/** Lag (1981:739) 2–5 §§ and 4 a §; IMY, Hur mycket får man ta ut i inkassokostnader? */
const judgeSwedish: FeeLaw = (facts, fees) => {
  const amounts: Record<string, number> = {
    reminder: facts.isReminderFeeAgreed ? 60 : 0,
    collectionDemand: 180,
    planRegistration: 170,
    planReminder: 60,
    planInvoice: 60,
    compensation: facts.isBusiness ? 450 : 0,
  }
  const once = new Set(['reminder', 'collectionDemand', 'planRegistration', 'compensation'])
  const faults = judgeEach(fees, ({ type }, index) =>
    once.has(type) && index > 0 ? 0 : (amounts[type] ?? 0),
  )
  const costs = sum(ofType(fees, 'reminder', 'collectionDemand', 'planRegistration', 'planReminder'))
  const compensation = sum(ofType(fees, 'compensation'))
  if (compensation > 0 && compensation + costs > Math.max(450, costs) + 0.001)
    faults.push('compensation and costs together above the larger of both')
  return faults
}

/** Inkassoforskriften § 2-2 with the reductions of 1 October 2020, in parts of the rate; a business half as much more. */
const norwegianParts: [upTo: number, part: number][] = [
  [500, 0.25],
  [1000, 0.35],
  [2500, 0.4],
  [10_000, 0.8],
  [50_000, 1.6],
  [250_000, 3.6],
  [Infinity, 7.2],
]

/** The collection rate (inkassosatsen). */
const rate = (date: string) => (date < '2026-01-01' ? 700 : 750)
/** A twentieth of it. Finanstilsynet rounds 37.50 to 38. */
const reminder = ({ date }: Fee) => (date < '2026-01-01' ? 35 : 38)

/** Inkassoforskriften §§ 1-1 to 1-3, 2-2 to 2-4; inkassoloven § 17. */
const judgeNorwegian: FeeLaw = (facts, fees, letters) => {
  const part = norwegianParts.find(([upTo]) => facts.principal <= upTo)![1] * (facts.isBusiness ? 1.5 : 1)
  const heavyFrom = letters.find(({ kind, due }) => kind === 'demand' && due !== null)?.due ?? null
  const faults = judgeEach(fees, (fee, index) => {
    const isHeavy = heavyFrom !== null && daysBetween(heavyFrom, fee.date) >= 28
    if (fee.type === 'reminder' || fee.type === 'planReminder') return reminder(fee)
    if (fee.type === 'collectionNotice') return index > 0 ? 0 : reminder(fee)
    if (fee.type === 'ownCollectionDemand') return index > 0 ? 0 : Math.ceil((3 * rate(fee.date)) / 20)
    if (fee.type === 'collectionFee') return part * rate(fee.date) * (isHeavy ? 2 : 1)
    if (fee.type === 'planRegistration') return index > 0 ? 0 : 1.5 * rate(fee.date)
    if (fee.type === 'compensation') return facts.isBusiness && index === 0 ? 470 : 0
    return 0
  })
  const reminders = ofType(fees, 'reminder', 'collectionNotice', 'planReminder')
  if (reminders.length > 2) faults.push('fees for more than two reminders and notices')
  for (const { date } of reminders)
    if (daysBetween(facts.dueDate, date) < 14)
      faults.push('a fee for a reminder before 14 days after the due date')
  for (const { date } of ofType(fees, 'collectionFee'))
    if (!letters.some(({ kind, due }) => kind === 'notice' && due !== null && due < date))
      faults.push('a collection fee before the deadline of a notice has passed')
  if (sum(ofType(fees, 'collectionFee')) > 2 * part * 750 + 0.001)
    faults.push('collection fees above the heavy fee')
  return faults
}

/** BEK 601/2002 bilag 1 as changed by BEK 476/2016, for claims from 1 July 2016. VAT left out. */
const danishAmounts: [upTo: number, amount: number][] = [
  [1000, 400],
  [2500, 700],
  [5000, 1000],
  [10_000, 1300],
  [25_000, 1700],
  [50_000, 2250],
  [100_000, 2850],
  [250_000, 3850],
  [Infinity, 6400],
]

/** Renteloven §§ 9 a and 9 b; BEK 601/2002 §§ 2–4; inkassoloven § 10. */
const judgeDanish: FeeLaw = (facts, fees, letters) => {
  const [, most] = danishAmounts.find(([upTo]) => facts.principal <= upTo)!
  const agencys = ofType(fees, 'externalCollection', 'planRegistration', 'planInvoice')
  const faults = judgeEach(fees, ({ type }, index) => {
    if (type === 'reminder' || type === 'planReminder') return 100
    if (type === 'collectionDemand') return index > 0 ? 0 : 100
    if (type === 'compensation') return facts.isBusiness && index === 0 ? 310 : 0
    return agencys.some((fee) => fee.type === type) ? most : 0
  })
  const reminders = ofType(fees, 'reminder', 'planReminder')
  if (reminders.length > 3) faults.push('fees for more than three reminders')
  faults.push(...judgeSpacing(reminders, 10))
  if (sum(agencys) > most + 0.001) faults.push(`costs of the agency above ${most}`)
  for (const { date } of agencys)
    if (!letters.some(({ kind, due }) => kind === 'demand' && due !== null && due < date))
      faults.push('costs of the agency before the deadline of a demand has passed')
  return faults
}

/** Laki saatavien perinnästä 10 a–10 d §; KKV, Perintäkulut ja perinnän eteneminen; for businesses the act of 2022. */
const judgeFinnish: FeeLaw = (facts, fees) => {
  const { principal, isBusiness } = facts
  const step = (...steps: [number, number][]) => steps.find(([upTo]) => principal <= upTo)![1]
  const demand = isBusiness
    ? step([500, 50], [2500, 70], [10_000, 90], [Infinity, 110])
    : step([100, 14], [1000, 24], [Infinity, 50])
  const plan = isBusiness ? 0 : step([100, 20], [1000, 30], [Infinity, 50])
  const faults = judgeEach(fees, ({ type }, index) => {
    if (type === 'reminder' || type === 'planReminder') return isBusiness ? 12 : 5
    if (type === 'collectionDemand') return index > 1 ? 0 : index > 0 ? demand / 2 : demand
    if (type === 'planRegistration') return index > 1 ? 0 : plan
    if (type === 'dueDateMove') return isBusiness ? 10 : 5
    if (type === 'draft')
      return isBusiness ? step([500, 110], [2500, 125], [10_000, 140], [Infinity, 155]) : 0
    if (type === 'compensation') return isBusiness && index === 0 ? 40 : 0
    return 0
  })
  const dated = ofType(fees, 'reminder', 'collectionDemand')
  faults.push(...judgeSpacing(dated, isBusiness ? 10 : 14))
  for (const { date } of dated)
    if (!isBusiness && daysBetween(facts.dueDate, date) < 14)
      faults.push('a fee before 14 days after the due date')
  const cap = step([100, 60], [1000, 120], [Infinity, 210])
  if (!isBusiness && sum(fees) > cap + 0.001) faults.push(`costs above ${cap} in all`)
  return faults
}

/** RVG § 13 in the text of 1 June 2025, up to 25,000 EUR. */
function lawyersFee(value: number): number {
  if (value <= 50) return 31.5
  const steps = (above: number, upTo: number, each: number, amount: number) =>
    Math.ceil(Math.max(0, Math.min(value, upTo) - above) / each) * amount
  return (
    51.5 + steps(500, 2000, 500, 41.5) + steps(2000, 10_000, 1000, 59.5) + steps(10_000, 25_000, 3000, 55)
  )
}

/** BGB §§ 280, 286, 288; RDG § 13e with RVG VV 2300; BGH VIII ZR 95/18. */
const judgeGerman: FeeLaw = (facts, fees, letters) => {
  const base = lawyersFee(facts.principal)
  const demandDue = letters.find(({ kind, due }) => kind === 'demand' && due !== null)?.due ?? null
  const faults = judgeEach(fees, ({ type, date }, index) => {
    const factor = demandDue !== null && demandDue < date ? 0.9 : 0.5
    if (type === 'reminder' || type === 'planReminder') return 0.76
    if (type === 'collectionDemand' || type === 'collectionFee') return Math.max(15, base * factor)
    if (type === 'compensation') return facts.isBusiness && index === 0 ? 40 : 0
    return 0
  })
  // The first reminder puts the debtor in default.
  for (const { date } of ofType(fees, 'reminder', 'planReminder'))
    if (!letters.some((letter) => letter.kind === 'reminder' && letter.date < date))
      faults.push('a fee for the first reminder')
  if (sum(ofType(fees, 'collectionDemand', 'collectionFee', 'reminder')) > Math.max(15, 0.9 * base) + 0.001)
    faults.push('costs above nine tenths of a lawyer’s fee')
  return faults
}

const feeLaws: Record<Country, FeeLaw> = {
  SE: judgeSwedish,
  NO: judgeNorwegian,
  DK: judgeDanish,
  FI: judgeFinnish,
  DE: judgeGerman,
}

/**
 * Reference rates from 1 January 2025, from 1 July 2025 and from 1 January 2026. SE: Riksbanken, räntelagen 9 §. NO: with the
 * points, forsinkelsesrenteloven § 3. DK: Nationalbanken’s lending rate, renteloven § 5. FI: Suomen Pankki, korkolaki 12 §. DE:
 * Bundesbank, BGB § 247.
 */
const referenceRates: Record<Country, [number, number, number]> = {
  SE: [3, 2, 2],
  NO: [12.5, 12.25, 12],
  DK: [2.75, 1.75, 1.75],
  FI: [3.5, 2.5, 2.5],
  DE: [2.27, 1.27, 1.27],
}
/** The first day of the known rates. */
export const ratesFrom = '2025-01-01'

/** Räntelagen 6 §, renteloven § 5, korkolaki 4 and 4 a §, BGB § 288. */
const points = ({ country, isBusiness }: Pick<Facts, 'country' | 'isBusiness'>): number =>
  ({ SE: 8, NO: 0, DK: 8, FI: isBusiness ? 8 : 7, DE: isBusiness ? 9 : 5 })[country]

/** Late interest on a day, percent a year. */
export const lateInterest = (facts: Pick<Facts, 'country' | 'isBusiness'>, day: string): number =>
  referenceRates[facts.country][day < '2025-07-01' ? 0 : day < '2026-01-01' ? 1 : 2] + points(facts)

/** Simple interest from the day after `from` to `to`, both in years of 365 days, in units of the currency. */
export function interestFor(facts: Facts, from: string, to: string): number {
  let sumOfDays = 0
  for (let at = Date.parse(from) + 86_400_000; at <= Date.parse(to); at += 86_400_000)
    sumOfDays += lateInterest(facts, new Date(at).toISOString().slice(0, 10)) / 100 / 365
  return facts.principal * sumOfDays
}

/**
 * The last day on which a claim that nothing interrupted can be demanded. SE: preskriptionslagen 2 §, three years from when a
 * consumer’s debt arose, else ten. NO: foreldelsesloven §§ 2, 3. DK: forældelsesloven §§ 2, 3. FI: vanhentumislaki 4, 5 §. DE:
 * BGB §§ 195, 199, from the end of the year.
 */
export function lastDay({
  country,
  isBusiness,
  dueDate,
}: Pick<Facts, 'country' | 'isBusiness' | 'dueDate'>): string {
  const year = Number(dueDate.slice(0, 4))
  if (country === 'DE') return `${year + 3}-12-31`
  return `${year + (country === 'SE' && isBusiness ? 10 : 3)}${dueDate.slice(4)}`
}
