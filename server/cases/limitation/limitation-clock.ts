/** The limitation clock of a case: how its limitation date comes about. */
import type { LimitationClock } from '../../../contract/cases/limitation.ts'
import { daysBetween } from '../../../core/calendar/calendar.ts'
import { toMidnight } from '../../../core/calendar/date-time.ts'
import { traceLimitation } from '../../../core/limitation/limitation.ts'
import { limitationFacts } from '../../claims/limitation.rules.ts'
import { loadHistories } from '../../ledger/ledger.store.ts'
import type { Db } from '../../platform/database/transaction.ts'

const midnight = (day: string | null | undefined): string | null => (day ? toMidnight(day) : null)

export async function findLimitationClock(db: Db, caseGuid: string): Promise<LimitationClock> {
  const [history] = await loadHistories(db, [caseGuid])
  const { limitation, input, businessDate } = history!
  const { country, claim } = limitation
  const { dates, events } = limitationFacts(limitation, input)
  const found = traceLimitation(country, claim, dates, events)
  return {
    caseGuid,
    asOf: toMidnight(businessDate),
    country,
    claimKind: claim,
    rule: found?.rule.code ?? null,
    source: found?.rule.cited ?? null,
    verified: found?.rule.unverified === false,
    periodYears: found?.rule.years ?? null,
    begins: midnight(found?.begins),
    runsFrom: midnight(found?.runsFrom),
    firstDate: midnight(found?.firstDate),
    interruptions: (found?.steps ?? []).map(({ event, counted, date }) => ({
      interruption: event.kind,
      date: toMidnight(event.date),
      inWriting: event.inWriting === true,
      counted,
      limitationDate: toMidnight(date),
    })),
    finalDate: midnight(found?.finalDate),
    limitationDate: midnight(found?.date),
    daysLeft: found ? daysBetween(businessDate, found.date) : null,
    barred: found !== null && found.date < businessDate,
  }
}
