/** Simulates strategies on cases over days without payments or other changes. Not legal advice. */
import { simulateTogether } from './simulate-together.ts'
import type { Period, SimulatedCase, SimulatedStep } from './simulated-case.ts'
import type { StrategyStep } from './strategies.ts'

/** The steps of one case in the order taken, from the first to the last day, both inclusive. */
export const simulateStrategy = (
  steps: readonly StrategyStep[],
  start: SimulatedCase,
  period: Period,
): SimulatedStep[] => simulateTogether([{ steps, start, together: null }], period).map(({ step }) => step)
