/** The weeks of a simulation: what the simulated steps are expected to bring and cost (docs/domain/strategies.md#weeks). */
import type { LetterResponse, SimulatedWeek } from '../../../contract/collection/strategy-simulation.ts'
import { addDays } from '../../../core/calendar/calendar.ts'
import { toMidnight } from '../../../core/calendar/date-time.ts'
import {
  expectWeeks,
  readShares,
  shareOfAll,
  type ExpectedClaim,
  type ExpectedWeek,
  type WeeklyShares,
} from '../../../core/cases/expected-weeks.ts'
import type { LetterKind, Period } from '../../../core/cases/simulated-case.ts'
import { fromMinor, toMinor } from '../../../core/money/money.ts'
import type { StoredSettings } from '../../metadata/system/system-settings.changes.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { findLetterWeeks } from './letter-responses.store.ts'

/** A kind of letter, or a week after it, that was observed less often says nothing about money. */
const lettersLeast = 20

export type FollowedClaim = Omit<ExpectedClaim, 'findShares'>
type Settings = Pick<StoredSettings, 'currencyCode' | 'letterPrice' | 'emailPrice'>

interface Response {
  told: LetterResponse
  shares: WeeklyShares
}

export async function findWeeks(
  db: Db,
  claims: readonly FollowedClaim[],
  { period, settings }: { period: Period; settings: Settings },
): Promise<{ weeks: SimulatedWeek[]; responses: LetterResponse[] }> {
  const responses = await findResponses(db, period.from)
  const weeks = [...Map.groupBy(claims, ({ start }) => start.currency)].flatMap(([currency, own]) => {
    const known = responses.filter(({ told }) => told.currency === currency)
    const findShares = (letter: LetterKind) => known.find(({ told }) => told.letter === letter)?.shares ?? []
    return expectWeeks(
      own.map((claim) => ({ ...claim, findShares })),
      period,
    ).map((week, index) => describeWeek(week, { index, currency, from: period.from, settings }))
  })
  return { weeks, responses: responses.map(({ told }) => told) }
}

async function findResponses(db: Db, today: string): Promise<Response[]> {
  const rows = await findLetterWeeks(db, today)
  const groups = Map.groupBy(rows, ({ currencyCode, letter }) => `${currencyCode} ${letter}`)
  return [...groups.values()].map((observed) => {
    const { currencyCode: currency, letter } = observed[0]!
    const shares = readShares(observed, lettersLeast)
    const letters = Math.max(...observed.map((one) => one.letters))
    const paidShare = round(shareOfAll(shares), 4)
    return { told: { currency, letter, letters, weeks: shares.length, paidShare }, shares }
  })
}

function describeWeek(
  week: ExpectedWeek,
  { index, currency, from, settings }: { index: number; currency: string; from: string; settings: Settings },
): SimulatedWeek {
  const isPriced = settings.currencyCode === currency
  const price = (given: number | undefined) =>
    isPriced && given !== undefined ? Number(toMinor(given, currency)) : null
  const [letter, email] = [price(settings.letterPrice), price(settings.emailPrice)]
  const money = (minor: number) => fromMinor(BigInt(Math.round(minor)), currency)
  return {
    week: index + 1,
    from: toMidnight(addDays(from, 7 * index)),
    currency,
    collected: money(week.collected),
    fees: money(week.fees),
    letters: round(week.letters, 2),
    emails: round(week.emails, 2),
    tasks: round(week.tasks, 2),
    cost: money(week.outlays + week.letters * (letter ?? 0) + week.emails * (email ?? 0)),
    unpriced: round((letter === null ? week.letters : 0) + (email === null ? week.emails : 0), 2),
  }
}

const round = (value: number, decimals: number): number => Number(value.toFixed(decimals))
