/** Says which step the strategy takes next of a case, on which day, and what keeps it from being taken. */
import type { NextStep } from '../../../../contract/collection/next-step.ts'
import { addDays } from '../../../../core/calendar/calendar.ts'
import { toMidnight } from '../../../../core/calendar/date-time.ts'
import { compareTexts } from '../../../../core/text/compare-texts.ts'
import { describeRefusal } from '../../../ledger/lawful-fees.ts'
import { findReader } from '../../../platform/dictionary/reader.ts'
import type { Db } from '../../../platform/database/transaction.ts'
import type { Caller } from '../../../platform/http/caller.ts'
import { foresee } from '../take-steps.ts'
import { findCaseStrategy, listCandidates, type CandidateStep, type CaseStrategy } from './next-step.store.ts'
import { judgeSteps } from '../step-law.ts'

const nothing: Omit<NextStep, 'state' | 'strategyGuid' | 'strategyName'> = {
  step: null,
  since: null,
  dueDate: null,
  demandedWith: null,
  reason: null,
  rule: null,
  from: null,
}

/** The caller may see the case. */
export async function findNextStep(
  db: Db,
  caseGuid: string,
  { caller, date }: { caller: Caller; date: string },
): Promise<NextStep> {
  const found = await findCaseStrategy(db, caseGuid, date)
  const { row, strategyGuid, strategyName, since, holdUntil } = found
  const none = (state: NextStep['state']): NextStep => ({ ...nothing, state, strategyGuid, strategyName })
  if (row.closureCode !== null) return none('CLOSED')
  if (row.remainingMinor <= 0) return none('PAID')
  if (strategyGuid === null) return none('NO_STRATEGY')
  const candidates = await listCandidates(db, caseGuid, { date, dayAfter: addDays(date, 1) })
  const night = (step: CandidateStep) => findNight(step, found, date)
  const [first] = candidates.toSorted((a, b) => compareTexts(night(a), night(b)) || a.number - b.number)
  if (!first) return none('NO_STEP')
  const step = { ...none('PLANNED'), step: first.conditions, since: toMidnight(since) }
  if (row.hold !== null)
    return { ...step, state: 'HELD', from: holdUntil && toMidnight(addDays(holdUntil, 1)) }
  const dueDate = toMidnight(night(first))
  const refusal = await findRefusal(db, first, { found, caller, date: night(first) })
  return { ...step, dueDate, demandedWith: first.demandedWith, ...refusal }
}

/** The business date whose day-end takes a step: not one that is over. */
function findNight({ dueDate, refusedToday }: CandidateStep, { isNightDone }: CaseStrategy, date: string) {
  const next = isNightDone || refusedToday !== null ? addDays(date, 1) : date
  return dueDate < next ? next : dueDate
}

type Refusal = Pick<NextStep, 'state' | 'reason' | 'rule' | 'from'>

const refuse = (reason: string): Refusal => ({ state: 'REFUSED', reason, rule: null, from: null })

async function findRefusal(
  db: Db,
  step: CandidateStep,
  { found: { row }, caller, date }: { found: CaseStrategy; caller: Caller; date: string },
): Promise<Refusal | null> {
  const [foreseen] = foresee(step, row)
  if (foreseen) return refuse(foreseen.reason)
  const judge = await judgeSteps(db, [{ due: step, row }], date)
  const { refused, verdict } = judge.judgeOne(row.caseGuid)
  if (verdict)
    return {
      ...refuse(
        describeRefusal(verdict, { reader: findReader(caller.language), currency: row.currencyCode }),
      ),
      rule: verdict.rule?.code ?? null,
      from: verdict.from && toMidnight(verdict.from),
    }
  const reason = refused ?? step.refusedToday
  return reason === null ? null : refuse(reason)
}
