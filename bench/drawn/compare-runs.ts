/** What moved between two runs beyond noise. */
import { computeMedian } from '../report/statistics.ts'

/** One figure of a cell, measured in each round. */
export interface Series {
  name: string
  values: number[]
}

export interface Move {
  name: string
  before: number
  now: number
}

const spread = (values: readonly number[]) => Math.max(...values) - Math.min(...values)

/**
 * A figure moved when no round of one run lies within the rounds of the other, and the medians are further apart than
 * the rounds of either run. Figures of one run only are left out.
 */
export function findMoves(before: readonly Series[], now: readonly Series[]): Move[] {
  const earlier = new Map(before.map((series) => [series.name, series.values]))
  return now.flatMap(({ name, values }) => {
    const old = earlier.get(name)
    if (!old || old.length === 0 || values.length === 0) return []
    const apart = Math.min(...values) > Math.max(...old) || Math.max(...values) < Math.min(...old)
    const [was, is] = [computeMedian(old), computeMedian(values)]
    return apart && Math.abs(is - was) > Math.max(spread(old), spread(values))
      ? [{ name, before: was, now: is }]
      : []
  })
}
