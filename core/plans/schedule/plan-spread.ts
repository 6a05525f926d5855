/**
 * Spreads the rounding of a level amount. With one level amount the last payment takes the whole difference: half a unit
 * for each payment before it, with its interest. Spread, the first payments are one unit larger, so that the last is
 * within a unit of the others.
 */
import { computeSchedule, type Schedule, type ScheduleInput } from './plan-schedule.ts'

interface Level {
  /** The exact level amount, and the same rounded. */
  root: number
  level: number
  last: number
}

export interface Spread {
  /** Within a unit of the rounded level amount; each payment is within a unit of it. */
  level: number
  schedule: Schedule
}

/**
 * Null where no spread brings the last payment within a unit: where amounts have a few units, or where the interest of
 * many cases is rounded and few payments are level.
 */
export function spreadRounding(course: ScheduleInput, { root, level: rounded, last }: Level): Spread | null {
  const places = levelPayments(course, last)
  for (const level of [rounded, rounded + 1, rounded - 1]) {
    if (level < 1) continue
    const target = course.specified[last] ?? level
    for (const base of [Math.floor(root), Math.floor(root) - 1, Math.floor(root) + 1]) {
      if (base < 1 || Math.abs(base - level) > 1) continue
      const schedule = findSpread(course, { base, level, target, last, places })
      if (schedule) return { level, schedule }
    }
  }
  return null
}

/** The numbers of the payments that have the level amount, without the last. */
function levelPayments({ first, specified }: ScheduleInput, last: number): number[] {
  const places: number[] = []
  for (let no = first; no < last; no++) if (specified[no] === undefined) places.push(no)
  return places
}

interface Search {
  base: number
  level: number
  target: number
  last: number
  places: readonly number[]
}

/**
 * The last payment falls with each larger payment: by more the earlier that one is, as interest runs on the difference.
 * So as many of the first payments are larger as leave the last at least its amount; then single later ones, each the
 * earliest that still does.
 */
function findSpread(course: ScheduleInput, { base, level, target, last, places }: Search): Schedule | null {
  const upper = Math.min(base, level) + 1
  const extra = new Int8Array(last + 1)
  const run = (): { schedule: Schedule; end: number } => {
    const schedule = computeSchedule(course, base, last, true, extra)
    return { schedule, end: lastAmount(course, schedule, last) }
  }
  let found = run()
  if (upper === base || found.end < target - 1)
    return Math.abs(found.end - target) <= 1 ? found.schedule : null
  const raise = (from: number, to: number) => {
    for (let index = from; index < to; index++) extra[places[index]!] = upper - base
    const raised = run()
    for (let index = from; index < to; index++) extra[places[index]!] = 0
    return raised
  }
  const keep = (from: number, to: number) => {
    for (let index = from; index < to; index++) extra[places[index]!] = upper - base
    found = run()
  }
  const early = countUntil(places.length, (count) => raise(0, count + 1).end < target)
  keep(0, early)
  for (let next = early; found.end > target + 1; next++) {
    const from = next
    next += countUntil(places.length - from, (count) => raise(from + count, from + count + 1).end >= target)
    if (next >= places.length) break
    keep(next, next + 1)
  }
  return Math.abs(found.end - target) <= 1 ? found.schedule : null
}

/** The least of 0 to `most` for which a condition holds that holds for all above it; `most` if for none. */
function countUntil(most: number, holds: (count: number) => boolean): number {
  let [low, high] = [0, most]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}

/** The last payment, or for a linear plan its principal. Negative where the plan ends before it. */
function lastAmount({ first, byPrincipal, specified }: ScheduleInput, schedule: Schedule, last: number) {
  const index = last - first
  if (schedule.instalment.length <= index) return -Infinity
  const instalment = schedule.instalment[index]!
  if (byPrincipal && specified[last] === undefined) return instalment
  return schedule.fee[index]! + schedule.interest[index]! + instalment
}
