/** Figures of one measurement and of several rounds of it. Latencies in milliseconds. */

export interface Figures {
  /** Answers per second. */
  rate: number
  /** NaN without an answer, as p99. */
  p50: number
  p99: number
  /** Answers outside 2xx, broken connections and time-outs. */
  errors: number
}

export interface Cpu {
  /** Seconds of the server process; null where it cannot be read. */
  server: number | null
  /** Seconds of PostgreSQL's processes. */
  database: number | null
}

/** The middle value; the mean of the two middle ones of an even number. NaN without values. */
export function computeMedian(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  if (sorted.length % 2 === 1) return sorted[middle]!
  return (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** The smallest value that `percent` of the values do not exceed (nearest rank). `sorted` is ascending, not empty. */
export function computePercentile(sorted: ArrayLike<number>, percent: number): number {
  const rank = Math.ceil((percent / 100) * sorted.length)
  return sorted[Math.max(0, rank - 1)]!
}

/** The medians of some rounds; errors are summed, since each one counts. */
export const mergeFigures = (rounds: readonly Figures[]): Figures => ({
  rate: computeMedian(rounds.map(({ rate }) => rate)),
  p50: computeMedian(rounds.map(({ p50 }) => p50)),
  p99: computeMedian(rounds.map(({ p99 }) => p99)),
  errors: rounds.reduce((sum, { errors }) => sum + errors, 0),
})

export function mergeCpu(rounds: readonly Cpu[]): Cpu {
  return {
    server: medianIfKnown(rounds.map(({ server }) => server)),
    database: medianIfKnown(rounds.map(({ database }) => database)),
  }
}

const medianIfKnown = (values: (number | null)[]) =>
  values.includes(null) ? null : computeMedian(values.map((value) => value ?? 0))

/**
 * The median over the rounds of this rate by that one of the same round: neighbours in time suffer the same noise, so
 * this is steadier than the ratio of two medians. Null where one side was not measured.
 */
export function computeMedianRatio(these: readonly number[], those: readonly number[]): number | null {
  const rounds = Math.min(these.length, those.length)
  if (rounds === 0) return null
  return computeMedian(these.slice(0, rounds).map((rate, round) => rate / those[round]!))
}
