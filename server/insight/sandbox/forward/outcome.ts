/** The outcome of a sandbox's nights, for people and as JSON. */
import { fromMinor } from '../../../../core/money/money.ts'
import type { Db } from '../../../platform/database/transaction.ts'
import * as store from './outcome.store.ts'

export interface Figures {
  currencyCode: string
  collected: number
  fees: number
  letters: number
  /** Of the steps that the law refused, each once for a rule. */
  refusedSteps: number
  closedCases: number
}

export interface Outcome {
  /** The first night since the sandbox was made. */
  from: string
  to: string
  nights: number
  periods: (Figures & { period: string })[]
  /** The sums of the periods, by currency. */
  totals: Figures[]
  refusedByLaw: store.RuleRow[]
  /** Steps that something else refused. */
  otherRefusals: number
}

/**
 * Of all nights since the sandbox was made, in however many calls, or of those after a date. Undefined before the first.
 */
export async function readOutcome(
  db: Db,
  by: store.Grouping,
  after: string | null = null,
): Promise<Outcome | undefined> {
  const span = await store.findSpan(db, after)
  if (!span) return undefined
  const rows = await store.listPeriods(db, span, by)
  const byCurrency = Map.groupBy(rows, ({ currencyCode }) => currencyCode)
  return {
    ...span,
    periods: rows.map((row) => ({ period: row.period, ...toFigures([row]) })),
    totals: [...byCurrency.values()].map(toFigures).toSorted(byCode),
    refusedByLaw: await store.listRules(db, span),
    otherRefusals: await store.countOtherRefusals(db, span),
  }
}

const byCode = ({ currencyCode: one }: Figures, { currencyCode: other }: Figures) => (one < other ? -1 : 1)

/** Rows of one currency. */
function toFigures(rows: readonly store.PeriodRow[]): Figures {
  const { currencyCode } = rows[0]!
  const money = (member: 'collected' | 'fees') =>
    fromMinor(
      rows.reduce((sum, row) => sum + BigInt(row[member]), 0n),
      currencyCode,
    )
  const count = (member: 'letters' | 'refusedSteps' | 'closedCases') =>
    rows.reduce((sum, row) => sum + row[member], 0)
  return {
    currencyCode,
    collected: money('collected'),
    fees: money('fees'),
    letters: count('letters'),
    refusedSteps: count('refusedSteps'),
    closedCases: count('closedCases'),
  }
}
