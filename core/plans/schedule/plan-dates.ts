/**
 * Due dates of a plan: the same day of every month, counted from the first due date and clamped to the end of
 * the month. A deviating date moves no other date. Where a country is given, a date that is not a business day
 * there moves to the next one; the dates after it are counted from where it was.
 */
import { fromDayNumber, toDayNumber } from '../../calendar/calendar.ts'
import { isBusinessDay } from '../../calendar/public-holidays.ts'
import {
  dayNumberToCivil,
  civilToDayNumber,
  monthLength,
  writeDay,
  type Civil,
} from '../../calendar/civil-day.ts'
import type { PlanError, PlanTerms } from '../plan-terms.ts'

export interface DueDates {
  start: number
  /** The day from which the dates are counted. */
  anchor: number
  /** Day numbers and dates by payment number. Entries before the first computed payment are empty. */
  due: number[]
  civil: Civil[]
  /** Computes the dates up to this payment. */
  extendTo(paymentNo: number): void
}

const monthly = { type: 3, count: 1 } as const

/** Throws RangeError for an invalid date, an empty interval, or when every month is free. */
export function createDueDates(terms: PlanTerms): DueDates {
  const { type, count } = terms.interval ?? monthly
  if (!Number.isInteger(count) || count < 1) throw new RangeError('An interval is a whole number of units.')
  const free = new Set(terms.type === 5 ? terms.freeMonths : [])
  if (free.size > 11) throw new RangeError('At least one month of the year is not free.')
  const start = toDayNumber(terms.startDate)
  const anchor = firstDueDay(terms, start)
  const first = dayNumberToCivil(anchor)
  const rhythm = terms.payDay ? { ...first, day: terms.payDay } : first
  const deviating = new Map<number, number>()
  for (const { paymentNo, dueDate } of terms.deviations ?? []) {
    if (dueDate) deviating.set(paymentNo, toDayNumber(dueDate))
  }
  const [due, civil]: [number[], Civil[]] = [[], []]
  let nextInterval = 0
  const nextDate = (): Civil => {
    for (;;) {
      const steps = nextInterval++ * count
      const date =
        type === 3 || type === 4
          ? monthsAfter(steps === 0 ? first : rhythm, type === 3 ? steps : steps * 12)
          : dayNumberToCivil(anchor + steps * (type === 2 ? 7 : 1))
      if (!free.has(date.month)) return date
    }
  }
  const { dueCountry = null } = terms
  // Before any deviation: one that is late pushes no other.
  let before = -Infinity
  const regularDay = (): number => {
    const date = nextDate()
    const day = civilToDayNumber(date.year, date.month, date.day)
    return dueCountry === null ? day : (before = moveToBusinessDay(day, before, dueCountry, free))
  }
  return {
    start,
    anchor,
    due,
    civil,
    extendTo(paymentNo) {
      for (let no = due.length || 1; no <= paymentNo; no++) {
        const regular = regularDay()
        const day = (deviating.size > 0 ? deviating.get(no) : undefined) ?? regular
        due[no] = day
        civil[no] = dayNumberToCivil(day)
      }
    },
  }
}

/**
 * The next business day that is after the date before and in no free month; where the next one is in a free month, the
 * last one before it.
 */
function moveToBusinessDay(
  day: number,
  before: number,
  country: string,
  freeMonths: ReadonlySet<number>,
): number {
  const isOpen = (candidate: number) => isBusinessDay(fromDayNumber(candidate), country)
  const isFree = (candidate: number) => freeMonths.has(dayNumberToCivil(candidate).month)
  let next = Math.max(day, before + 1)
  while (!isOpen(next)) next++
  if (!isFree(next)) return next
  let earlier = day
  while (earlier > before && !isOpen(earlier)) earlier--
  if (earlier > before && !isFree(earlier)) return earlier
  while (!isOpen(next) || isFree(next)) next++
  return next
}

function firstDueDay(
  { deviations, firstDueDate, firstDueDays, payDay, tail }: PlanTerms,
  start: number,
): number {
  if (firstDueDate) return toDayNumber(firstDueDate)
  if (tail) throw new RangeError('The rest of a plan is counted from when its payment 1 was due.')
  const moved = deviations?.find(({ paymentNo }) => paymentNo === 1)?.dueDate
  if (moved) return toDayNumber(moved)
  const day = start + (firstDueDays ?? 30)
  return payDay ? findPayDay(day, payDay) : day
}

/** The first pay day on or after a day. */
function findPayDay(from: number, payDay: number): number {
  const month = { ...dayNumberToCivil(from), day: payDay }
  const [now, next] = [0, 1].map((months) => {
    const date = monthsAfter(month, months)
    return civilToDayNumber(date.year, date.month, date.day)
  }) as [number, number]
  return now >= from ? now : next
}

function monthsAfter({ year, month, day }: Civil, months: number): Civil {
  const count = year * 12 + month - 1 + months
  const laterYear = Math.floor(count / 12)
  const laterMonth = count - laterYear * 12 + 1
  return {
    year: laterYear,
    month: laterMonth,
    day: day <= 28 ? day : Math.min(day, monthLength(laterYear, laterMonth)),
  }
}

/**
 * The first deviating date that is before the start or not between its neighbours. No two payments share a
 * day. `last` is the plan's last payment.
 */
export function findDisorder(terms: PlanTerms, dates: DueDates, last: number): PlanError | null {
  const { deviations = [], tail } = terms
  const first = (tail?.paidThrough ?? 0) + 1
  const dayBefore = tail?.lastDueDate === undefined ? -Infinity : toDayNumber(tail.lastDueDate)
  for (const [index, { paymentNo, dueDate }] of deviations.entries()) {
    if (!dueDate || paymentNo > last) continue
    dates.extendTo(Math.min(paymentNo + 1, last))
    const before = paymentNo < last ? dates.due[paymentNo + 1]! : Infinity
    const earlier = paymentNo > first ? dates.due[paymentNo - 1]! : dayBefore
    const orOn = earlier < dates.start
    const after = orOn ? dates.start : earlier
    const day = dates.due[paymentNo]!
    if (day < after || (day === after && !orOn) || day >= before) {
      return {
        code: 'dates-out-of-order',
        index,
        paymentNo,
        dueDate,
        after: writeDay(after),
        orOn,
        before: before === Infinity ? null : writeDay(before),
      }
    }
  }
  return null
}
