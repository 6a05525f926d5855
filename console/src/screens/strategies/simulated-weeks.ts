/** The weeks of a simulation for charts and tables: sums, and weeks taken together where there are many. */
import type { Simulation, SimulatedWeek } from '../../../../contract/collection/strategy-simulation.ts'

export const weekFigures = ['collected', 'fees', 'letters', 'emails', 'tasks', 'cost'] as const
export type WeekFigure = (typeof weekFigures)[number]

export const isMoney = (figure: WeekFigure): boolean =>
  figure === 'collected' || figure === 'fees' || figure === 'cost'

/** Consecutive weeks; `first` and `last` are alike where each stands by itself. */
export interface WeekSpan {
  first: number
  last: number
  from: string | null
  /** A value for each simulation. */
  values: number[]
}

const spansMost = 26

/** The currencies in which anything happens, the most frequent letters first. */
export function listCurrencies(simulations: readonly Simulation[]): string[] {
  const busy = new Map<string, number>()
  for (const { currency, letters, emails, fees, collected, tasks } of simulations.flatMap(
    ({ weeks }) => weeks,
  ))
    busy.set(currency, (busy.get(currency) ?? 0) + letters + emails + tasks + Math.sign(fees + collected))
  return [...busy].toSorted(([, a], [, b]) => b - a).map(([currency]) => currency)
}

/** A figure by week, beside each other. Weeks are taken together so that a year still fits into a chart. */
export function spanWeeks(
  simulations: readonly Simulation[],
  currency: string,
  figure: WeekFigure,
): WeekSpan[] {
  const columns = simulations.map(({ weeks }) => weeks.filter((week) => week.currency === currency))
  const longest = columns.toSorted((a, b) => b.length - a.length)[0] ?? []
  const size = Math.ceil(longest.length / spansMost)
  return longest
    .filter((_, index) => index % size === 0)
    .map(({ week, from }) => ({
      first: week,
      last: Math.min(week + size - 1, longest.length),
      from,
      values: columns.map((own) => addUp(own.slice(week - 1, week - 1 + size), figure)),
    }))
}

export const addUp = (weeks: readonly SimulatedWeek[], figure: WeekFigure | 'unpriced'): number =>
  weeks.reduce((sum, week) => sum + week[figure], 0)
