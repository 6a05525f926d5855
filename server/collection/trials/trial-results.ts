/** The results of a trial: its intervals, and what it can show. */
import {
  trialOutcomes,
  type TrialItem,
  type TrialOutcome,
  type TrialResults,
} from '../../../contract/collection/trials.ts'
import { daysBetween } from '../../../core/calendar/calendar.ts'
import { toMinor } from '../../../core/money/money.ts'
import {
  detectableEffect,
  effectInterval,
  neededCases,
  type EffectTerms,
  type EffectTotals,
} from '../../../core/trials/effect-sequence.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { findFigures, type TrialFigures } from './trial-results.store.ts'

/** The probability that any interval of a trial fails at any look. Outcomes and challengers divide it among them. */
const trialError = 0.05
/** Of an outcome, for the power: such as 40% of cases paid in full. */
const assumedVariance = 0.24
/** Effects of which the power says how many cases show them. */
const namedEffects = [0.01, 0.02, 0.05, 0.1]

const outcomeNames = Object.keys(trialOutcomes) as TrialOutcome[]
const day = (value: string) => value.slice(0, 10)

export async function findResults(db: Db, trial: TrialItem, today: string): Promise<TrialResults> {
  const figures = await findFigures(db, trial.trialGuid, {
    days: trial.outcomeDays,
    date: today,
    highestMinor: Number(toMinor(trial.highestAmount, trial.currencyCode)),
  })
  const sum = (member: 'cases' | 'matureCases') => figures.arms.reduce((total, arm) => total + arm[member], 0)
  return {
    date: `${today}T00:00:00Z`,
    cases: sum('cases'),
    matureCases: sum('matureCases'),
    plannedCases: trial.plannedCases,
    daysLeft: computeDaysLeft(trial, figures, today),
    arms: trial.arms.map((arm, number) => ({
      ...arm,
      ...figures.arms[number]!,
      ...(arm.isChampion ? { effects: null, power: null } : compare(trial, figures, number)),
    })),
  }
}

/** A challenger beside the champion. */
function compare(trial: TrialItem, figures: TrialFigures, number: number) {
  const both = trial.arms[0]!.share + trial.arms[number]!.share
  const terms: EffectTerms = {
    share: trial.arms[number]!.share / both,
    error: trialError / outcomeNames.length / (trial.arms.length - 1),
  }
  const totals = figures.totals[number - 1]!
  const intervals = outcomeNames.map((name) => [name, effectInterval(totals[name], terms)] as const)
  return {
    effects: Object.fromEntries(intervals) as Record<TrialOutcome, (typeof intervals)[number][1]>,
    power: describePower(trial, terms, { both: both / 100, now: totals.collectedShare }),
  }
}

function describePower(
  { plannedCases }: TrialItem,
  terms: EffectTerms,
  { both, now }: { both: number; now: EffectTotals },
) {
  const assumed = { ...terms, variance: assumedVariance }
  const detectable = (cases: number) => Math.min(1, detectableEffect(cases, assumed))
  return {
    detectableNow: now.cases === 0 ? null : detectable(now.cases),
    detectablePlanned: detectable(Math.max(1, plannedCases * both)),
    needed: namedEffects.map((effect) => {
      const cases = neededCases(effect, assumed)
      return { effect, cases: cases === null ? null : Math.ceil(cases / both) }
    }),
  }
}

/** A running trial goes on at the pace of its days so far. */
function computeDaysLeft(
  { status, startedDate, plannedCases, outcomeDays }: TrialItem,
  { arms, lastAssigned }: TrialFigures,
  today: string,
): number | null {
  const cases = arms.reduce((sum, arm) => sum + arm.cases, 0)
  if (cases === 0 || lastAssigned === null || startedDate === null) return null
  const missing = status === 'RUNNING' ? plannedCases - cases : 0
  if (missing <= 0) return Math.max(0, daysBetween(today, lastAssigned) + outcomeDays + 1)
  const pace = cases / (daysBetween(day(startedDate), today) + 1)
  return Math.ceil(missing / pace) + outcomeDays + 1
}
