/**
 * What simulated steps are expected to bring and cost by week, if debtors answer letters as they did before. The
 * expectation is about money: a claim of which a part is expected to be paid counts that much less from then on, in
 * letters, fees and tasks alike. Money without a letter before it, and money later than the known weeks, is left out.
 */
import { interestDenominator } from '../interest/interest.ts'
import { outlayTypes } from '../ledger/statutory-fees.ts'
import type { LetterKind, Period, SimulatedCase, SimulatedStep } from './simulated-case.ts'

/** Of what is owed at the start of the first, second … week after a letter, the part paid in that week: 0 to 1. */
export type WeeklyShares = readonly number[]

export interface ExpectedClaim {
  start: SimulatedCase
  /** Its steps by day. */
  course: readonly SimulatedStep[]
  /** The last letter before the first day, with the days since. */
  lastLetter: { letter: LetterKind; days: number } | null
  channel: 'letter' | 'email'
  /** The shares of a kind of letter. Empty when too few were sent. */
  findShares(letter: LetterKind): WeeklyShares
}

/** Money in minor units. None of the figures is whole, because they are expectations. */
export interface ExpectedWeek {
  collected: number
  fees: number
  /** Of the fees those that the agency pays to an authority first. */
  outlays: number
  letters: number
  emails: number
  tasks: number
}

/** Sums of all claims, a week of seven days each, the first beginning on the first day. */
export function expectWeeks(
  claims: readonly ExpectedClaim[],
  { days }: Pick<Period, 'days'>,
): ExpectedWeek[] {
  const weeks = Array.from({ length: Math.floor(days / 7) + 1 }, () => ({
    collected: 0,
    fees: 0,
    outlays: 0,
    letters: 0,
    emails: 0,
    tasks: 0,
  }))
  for (const claim of claims) follow(claim, days, weeks)
  return weeks
}

interface Letter {
  day: number
  daily: readonly number[]
}

/** Adds a claim to the weeks, day by day. */
function follow(claim: ExpectedClaim, days: number, weeks: readonly ExpectedWeek[]): void {
  const { start, course, lastLetter } = claim
  const perDay = Number(start.interestPerDay) / Number(interestDenominator)
  const byDay = Map.groupBy(course, ({ day }) => day)
  let letter: Letter | null = lastLetter && {
    day: -lastLetter.days,
    daily: toDaily(claim.findShares(lastLetter.letter)),
  }
  let [unpaid, fees] = [1, 0]
  for (let day = 0; day <= days; day++) {
    const week = weeks[Math.floor(day / 7)]!
    const part = letter === null ? 0 : (letter.daily[Math.floor((day - letter.day - 1) / 7)] ?? 0)
    week.collected += (Number(start.remaining) + perDay * day + fees) * unpaid * part
    unpaid *= 1 - part
    for (const step of byDay.get(day) ?? []) {
      fees += addStep(week, step, { unpaid, channel: claim.channel })
      if (step.letter !== null) letter = { day, daily: toDaily(claim.findShares(step.letter)) }
    }
  }
}

/** The part of a day of each week, so that seven days make the week. */
const toDaily = (shares: WeeklyShares): number[] => shares.map((share) => 1 - (1 - share) ** (1 / 7))

/** Returns the fees of the step. What goes to the debtor counts for the claim that bears it. */
function addStep(
  week: ExpectedWeek,
  { refused, fees, actions }: SimulatedStep,
  { unpaid, channel }: { unpaid: number; channel: ExpectedClaim['channel'] },
): number {
  if (refused !== null) return 0
  let charged = 0
  for (const { feeType, amount } of fees) {
    charged += Number(amount)
    if (outlayTypes.has(feeType)) week.outlays += Number(amount) * unpaid
  }
  week.fees += charged * unpaid
  for (const action of actions) {
    // The notice before legal action is always posted.
    if (action.kind === 'letter')
      week[channel === 'email' && action.letter !== 'legal' ? 'emails' : 'letters'] += unpaid
    if (action.kind === 'task') week.tasks += unpaid
  }
  return charged
}

/** What happened in a week after letters of a kind: all amounts owed at its start, and what of them was paid in it. */
export interface ObservedWeek {
  /** 0 is the first week after the letter. */
  week: number
  letters: number
  owed: number
  paid: number
}

/** The shares of weeks that follow each other, as long as enough letters were observed through them. */
export function readShares(observed: readonly ObservedWeek[], lettersLeast: number): number[] {
  const shares: number[] = []
  for (const { week, letters, owed, paid } of observed.toSorted((a, b) => a.week - b.week)) {
    if (week !== shares.length || letters < lettersLeast) break
    shares.push(owed > 0 ? Math.min(1, paid / owed) : 0)
  }
  return shares
}

/** The part paid over all known weeks. */
export const shareOfAll = (shares: WeeklyShares): number =>
  1 - shares.reduce((unpaid, share) => unpaid * (1 - share), 1)
