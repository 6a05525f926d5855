/** What the fees of a claim may be in each country, written from statutes and authorities as statutes.ts is. */
import { daysBetween, type Country, type Facts, type Fee, type Letter } from './facts.ts'

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
    // Forsinkelsesrenteloven § 3 a, note 1: 460 kr. from 1 July 2025 and from 1 January 2026.
    if (fee.type === 'compensation') return facts.isBusiness && index === 0 ? 460 : 0
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

/** Reglugerð 133/2010, 1. gr. 2. Amounts without VAT. */
const icelandicLetters: [upTo: number, amount: number][] = [
  [2999, 1300],
  [10_499, 2100],
  [84_999, 3700],
  [Infinity, 5900],
]

/** Innheimtulög 95/2008, 7. and 12. gr.; reglugerð 37/2009, 6. gr. (133/2010) and 6. gr. a (401/2015); lög 8/2015, 6. gr. */
const judgeIcelandic: FeeLaw = (facts, fees, letters) => {
  const [, letter] = icelandicLetters.find(([upTo]) => facts.principal <= upTo)!
  const faults = judgeEach(fees, ({ type }, index) => {
    if (type === 'collectionNotice') return index > 0 ? 0 : 950
    if (type === 'collectionDemand') return index > 2 ? 0 : letter
    if (type === 'collectionCall') return index > 0 ? 0 : 550
    if (type === 'planRegistration') return index > 0 ? 0 : 2700
    if (type === 'compensation') return facts.isBusiness && index === 0 ? 6700 : 0
    return 0
  })
  const costs = fees.filter(({ type }) => type !== 'compensation')
  const compensation = sum(ofType(fees, 'compensation'))
  if (compensation > 0 && compensation + sum(costs) > Math.max(6700, sum(costs)) + 0.001)
    faults.push('compensation and costs together above the larger of both')
  for (const { type, date } of costs)
    if (type !== 'collectionNotice' && !isAfterNotice(letters, date))
      faults.push('costs before the deadline of the warning has passed')
  return faults
}

const isAfterNotice = (letters: readonly Letter[], date: string) =>
  letters.some(({ kind, due }) => kind === 'notice' && due !== null && due < date)

export const feeLaws: Record<Country, FeeLaw> = {
  SE: judgeSwedish,
  NO: judgeNorwegian,
  DK: judgeDanish,
  FI: judgeFinnish,
  DE: judgeGerman,
  IS: judgeIcelandic,
}
