/**
 * Interest pauses as rates of zero, for what is reckoned ahead such as a payment plan. The ledger stops interest by
 * its movements instead. Pure.
 */
import type { YearDays } from './day-count.ts'
import type { RateSteps } from './interest.ts'

/** Day numbers: interest of the days after `after` is not owed, through `through`. Null: no end is known. */
export interface InterestPause {
  after: number
  through: number | null
}

/** The rates with zero in the days of the pauses, which may overlap. */
export function pauseRates(steps: RateSteps, pauses: readonly InterestPause[]): RateSteps {
  if (pauses.length === 0) return steps
  const days = new Set(steps.days)
  for (const { after, through } of pauses) {
    days.add(after + 1)
    if (through !== null) days.add(through + 1)
  }
  const paused = { days: [] as number[], rates: [] as number[], yearDays: [] as YearDays[] }
  let index = 0
  for (const day of [...days].toSorted((a, b) => a - b)) {
    // Before the first known rate there is none to pause.
    if (day < steps.days[0]!) continue
    while (index + 1 < steps.days.length && steps.days[index + 1]! <= day) index++
    const isPaused = pauses.some(({ after, through }) => day > after && (through === null || day <= through))
    paused.days.push(day)
    paused.rates.push(isPaused ? 0 : steps.rates[index]!)
    paused.yearDays.push(steps.yearDays[index]!)
  }
  return { ...steps, ...paused }
}
