import type { ComparisonNode, PropertyNode } from './tree.ts'

/** The instants of a year or a day in UTC: `from` is included, `to` is not. */
export interface Period {
  of: PropertyNode
  from: string
  to: string
}

/** The period of `year(property)` or `date(property)` compared with a value; undefined for any other comparison. */
export function findPeriod({ left, right }: ComparisonNode): Period | undefined {
  if (left.kind !== 'call' || right.kind !== 'literal') return undefined
  const of = left.takes[0]
  if (of?.kind !== 'property') return undefined
  if (left.name === 'year' && right.type === 'int32') return yearPeriod(of, Number(right.value))
  if (left.name === 'date') return dayPeriod(of, String(right.value))
  return undefined
}

// Years without four digits use the general comparison, because not all of them can be written as a timestamp.
function yearPeriod(of: PropertyNode, year: number): Period | undefined {
  if (year < 1 || year > 9998) return undefined
  return { of, from: yearStart(year), to: yearStart(year + 1) }
}

const yearStart = (year: number) => `${String(year).padStart(4, '0')}-01-01T00:00:00Z`

function dayPeriod(of: PropertyNode, day: string): Period | undefined {
  const next = new Date(`${day}T00:00:00Z`)
  next.setUTCDate(next.getUTCDate() + 1)
  const following = next.toISOString().slice(0, 10)
  // The day after the last one has a year of six digits.
  if (!/^\d{4}-/.test(following)) return undefined
  return { of, from: `${day}T00:00:00Z`, to: `${following}T00:00:00Z` }
}
