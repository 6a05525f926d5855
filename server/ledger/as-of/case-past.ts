/** Derives cases as of a day from the inputs known on a day. Nothing is stored. */
import { latest } from '../../../core/calendar/calendar.ts'
import { readDayCounts, type DayCountTerm } from '../../../core/interest/day-count.ts'
import { allocationOrders, type AllocationOrderCode } from '../../../core/ledger/allocation.ts'
import { deriveLedger, type CaseLedger } from '../../../core/ledger/case-ledger.ts'
import { withoutMovements } from '../../../core/ledger/known-input.ts'
import type { InterruptionEvent } from '../../../core/limitation/limitation.ts'
import type { LedgerInput } from '../../../core/ledger/case-movement.ts'
import { limitationColumns, type CaseLimitation } from '../../claims/limitation.rules.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { refuseRangeErrors } from '../book-on-case.ts'
import { loadHistories, type CaseHistory } from '../ledger.store.ts'
import { findRatesKnownAt } from '../rates/reference-rates.store.ts'
import { statusDay, type PastDay } from './past-day.ts'
import {
  findLaterMovements,
  listRecordedChanges,
  recordedMembers,
  type RecordedChange,
  type RecordedMember,
} from './past-facts.store.ts'

/** Members that differ from those of today. A member that did not change since is left out. */
export type RecordedState = Partial<Record<RecordedMember, unknown>>

export interface CasePast {
  registeredOn: string
  /** The business date on which the case was recorded. */
  recordedOn: string
  /** The history as it was known. */
  history: CaseHistory
  ledger: CaseLedger
  state: RecordedState
  /** The last business date on which the case was closed, up to the day. Null where it never was. */
  closedOn: string | null
  interruptedBy: string | null
  interruptedDate: string | null
}

/** The past of cases, by GUID. Four statements, whatever the number of cases; read the cases' rows before. */
export async function loadPasts(
  db: Db,
  caseGuids: readonly string[],
  day: PastDay,
): Promise<Map<string, CasePast>> {
  if (caseGuids.length === 0) return new Map()
  const histories = await loadHistories(db, caseGuids, { withTransactions: false, withInterruptions: true })
  const later = await findLaterMovements(db, caseGuids, statusDay(day))
  const changes = Map.groupBy(await listRecordedChanges(db, caseGuids, statusDay(day)), (one) => one.caseGuid)
  const version = histories[0]?.ratesVersion
  const rates =
    day.knownAt === null || version === undefined ? null : await findRatesKnownAt(db, version, day.knownAt)
  return new Map(
    histories.map((history) => {
      const own = changes.get(history.caseGuid) ?? []
      return [history.caseGuid, derivePast(history, day, { later, changes: own, rates })]
    }),
  )
}

interface Known {
  /** Movements booked after the earlier day. */
  later: readonly { id: string; date: string }[]
  changes: readonly RecordedChange[]
  rates: LedgerInput['rates'] | null
}

function derivePast(history: CaseHistory, day: PastDay, { later, changes, rates }: Known): CasePast {
  const registeredOn = history.input.opening.registeredOn
  const recordedOn = changes.find(({ isFirst }) => isFirst)?.date ?? registeredOn
  const until = latest(statusDay(day), recordedOn)
  const state = undo(changes, until)
  const terms = day.knownAt === null ? {} : undo(changes, latest(day.knownAt, recordedOn))
  const bookedAfter = (last: string) => new Set(later.flatMap(({ id, date }) => (date > last ? id : [])))
  const known =
    day.knownAt === null ? history.input : withoutMovements(history.input, bookedAfter(day.knownAt))
  const input = applyTerms(known, { history, terms, rates })
  const past = { ...history, ...knownLaw(history, terms), input }
  const ledger = refuseRangeErrors(() => deriveLedger(input, latest(day.asOf, registeredOn)))
  const closedOn = changes.findLast(
    ({ date, changes: made }) =>
      date <= until && made.closureCode?.[0] === null && made.closureCode[1] !== null,
  )?.date
  const limited = limitationColumns(
    withoutInterruptions(history.limitation, changes, until),
    withoutMovements(history.input, bookedAfter(until)),
  )
  return {
    registeredOn,
    recordedOn,
    history: past,
    ledger,
    state,
    closedOn: closedOn === undefined ? null : latest(closedOn, registeredOn),
    interruptedBy: limited.interrupted_by,
    interruptedDate: limited.interrupted_date,
  }
}

/** The limitation without interruptions that were recorded after a day. */
function withoutInterruptions(
  limitation: CaseLimitation,
  changes: readonly RecordedChange[],
  day: string,
): CaseLimitation {
  const undone = changes.flatMap(({ date, interruption }) => (date > day && interruption ? interruption : []))
  const isUndone = (one: InterruptionEvent) =>
    undone.some(({ kind, date }) => kind === one.kind && date === one.date)
  return { ...limitation, interruptions: limitation.interruptions.filter((one) => !isUndone(one)) }
}

/** The values before the first change after a day. Values that did not change are left out. */
function undo(changes: readonly RecordedChange[], day: string): RecordedState {
  const state: RecordedState = {}
  for (const { date, changes: made } of changes) {
    if (date <= day) continue
    for (const name of recordedMembers) {
      const change = made[name]
      if (change !== null && !(name in state)) state[name] = change[0]
    }
  }
  return state
}

function applyTerms(
  input: LedgerInput,
  {
    history,
    terms,
    rates,
  }: { history: CaseHistory; terms: RecordedState; rates: LedgerInput['rates'] | null },
): LedgerInput {
  const { dayCount, governingCountry } = knownLaw(history, terms)
  const order = terms.allocationOrder as AllocationOrderCode | undefined
  return {
    ...input,
    ...(rates && { rates }),
    ...(order && { order: allocationOrders[order] }),
    ...(terms.toleranceMinor !== undefined && { tolerance: BigInt(terms.toleranceMinor as number) }),
    dayCounts: readDayCounts(dayCount, governingCountry),
  }
}

const knownLaw = (history: CaseHistory, terms: RecordedState) => ({
  dayCount: 'dayCount' in terms ? (terms.dayCount as DayCountTerm[] | null) : history.dayCount,
  governingCountry:
    'governingCountry' in terms ? (terms.governingCountry as string | null) : history.governingCountry,
})
