/** What the law of a case depends on: its governing country, the agreed reminder fee, and the notice. */
import type { CaseLawInput } from '../../contract/cases/case-inputs.ts'
import { isCountry, normaliseCountry } from '../../core/identity/codes.ts'
import { findPack } from '../../core/law/packs.ts'
import { changeCountry, readDayCounts, type DayCountTerm } from '../../core/interest/day-count.ts'
import { inTransaction, type Db } from '../platform/database/transaction.ts'
import { changesBetween } from '../platform/events/record.ts'
import type { Caller } from '../platform/http/caller.ts'
import { ApiError, FieldErrors, invalid } from '../platform/http/errors.ts'
import { addDays, latest } from '../../core/calendar/calendar.ts'
import { deriveLedger } from '../../core/ledger/case-ledger.ts'
import { findBookedCase } from '../ledger/booked-case.ts'
import { accrualColumns, type BookedCase } from '../ledger/booking.ts'
import { readDate } from '../claims/case-inputs.rules.ts'
import { lockCase, updateCase, type CaseContext } from '../claims/case-lock.ts'
import { limitationColumns } from '../claims/limitation.rules.ts'
import type { CaseChange } from './case-status.ts'
import { moveAnswerDeadlines } from './objections/answer-deadlines.ts'

export interface CaseLaw {
  governingCountry: string | null
  reminderFeeAgreed: boolean
  noticeDeadline: string | null
  /** True if somebody examined the ground of a claim that arose when the debtor was under 18. */
  minorClaimChecked: boolean
}

export async function findCaseLaw(db: Db, caseGuid: string): Promise<CaseLaw> {
  const [row] = await db<CaseLaw[]>`
    select governing_country as "governingCountry", reminder_fee_agreed as "reminderFeeAgreed",
      notice_deadline as "noticeDeadline", minor_claim_checked as "minorClaimChecked"
    from debt_case where id = ${caseGuid}`
  return row!
}

/**
 * Changes what the law of a case depends on. Another country also changes the limitation. Empty text clears.
 * Returns the version. Throws a 400, 403, 404 or 412.
 */
export async function changeCaseLaw(
  db: Db,
  caller: Caller,
  { caseGuid, input }: CaseChange<CaseLawInput>,
  context: CaseContext,
): Promise<number> {
  const checks = new FieldErrors(caller.language)
  const country = normaliseCountry(input.governingCountry ?? '')
  if (country !== '' && !isCountry(country))
    checks.add('governingCountry', 'must be an ISO 3166-1 country code, for example SE.')
  const noticeDeadline = readDate(input.noticeDeadline, 'noticeDeadline', checks)
  checks.throwIfAny()
  return inTransaction(db, async (tx) => {
    const row = await lockCase(tx, caller, caseGuid, context)
    const before = await findCaseLaw(tx, caseGuid)
    const after: CaseLaw = {
      governingCountry:
        typeof input.governingCountry === 'string' ? country || null : before.governingCountry,
      reminderFeeAgreed: input.reminderFeeAgreed ?? before.reminderFeeAgreed,
      noticeDeadline: typeof input.noticeDeadline === 'string' ? noticeDeadline : before.noticeDeadline,
      minorClaimChecked: input.minorClaimChecked ?? before.minorClaimChecked,
    }
    const changes = changesBetween(before, after)
    if (Object.keys(changes).length === 0) return row.version
    if ('governingCountry' in changes) {
      const reason = requireMove(caller, before.governingCountry, input.countryReason)
      if (reason !== null) changes['countryReason'] = [null, reason]
    }
    const columns: Record<string, unknown> = {
      reminder_fee_agreed: after.reminderFeeAgreed,
      notice_deadline: after.noticeDeadline,
      minor_claim_checked: after.minorClaimChecked,
    }
    if ('governingCountry' in changes) {
      const found = await findBookedCase(tx, row)
      const { limitation, input: booked } = found
      const limited = after.governingCountry ?? limitation.country
      const moved = limitationColumns({ ...limitation, country: limited }, booked)
      const dayCount = await moveDayCount(tx, found, {
        country: before.governingCountry,
        next: after.governingCountry,
      })
      Object.assign(columns, moved, {
        governing_country: after.governingCountry,
        governing_from: context.origin.businessDate,
        limitation_country: limited,
        ...dayCount.columns,
      })
      if (JSON.stringify(dayCount.after) !== JSON.stringify(dayCount.before))
        changes['dayCount'] = [dayCount.before, dayCount.after]
      if (moved.limitation_date !== row.limitationDate)
        changes['limitationDate'] = [row.limitationDate, moved.limitation_date]
      const countries = { left: before.governingCountry, next: after.governingCountry }
      Object.assign(changes, await moveAnswerDeadlines(tx, caseGuid, countries))
    }
    const note = { type: 'case.law_changed' as const, entityId: caseGuid, changes }
    return updateCase(tx, row, { columns, notes: [note] }, context.origin)
  })
}

/**
 * Another law may forbid less, and which of two laws forbids less no rule can say. So leaving one takes a reason, and
 * leaving a law that is known here takes an administrator. Throws a 400 or 403. Returns the reason.
 */
function requireMove(caller: Caller, left: string | null, given: string | null | undefined): string | null {
  const reason = given?.trim() || null
  if (left === null) return reason
  if (findPack(left) && !caller.accessCodes.has('case.admin'))
    throw new ApiError(
      'forbidden',
      `The law of ${left} governs the case. Another country needs the access code case.admin.`,
    )
  if (reason === null)
    throw invalid({
      countryReason: ['is required: say why another law governs. It is kept in the audit trail.'],
    })
  return reason
}

/** Booked interest keeps its day count; interest after the last movement follows the new country. */
async function moveDayCount(
  tx: Db,
  { caseGuid, input, businessDate }: BookedCase,
  countries: { country: string | null; next: string | null },
): Promise<{
  before: readonly DayCountTerm[] | null
  after: readonly DayCountTerm[] | null
  columns: Record<string, unknown>
}> {
  const [row] = await tx<{ dayCount: DayCountTerm[] | null }[]>`
    select day_count as "dayCount" from debt_case where id = ${caseGuid}`
  const last = input.movements.reduce((date, { valueDate }) => latest(date, valueDate), businessDate)
  const terms = changeCountry(row!.dayCount, { ...countries, from: addDays(last, 1) })
  const moved = { ...input, dayCounts: readDayCounts(terms, countries.next) }
  const columns = {
    day_count: terms === null ? null : tx.json(terms as never),
    ...accrualColumns(deriveLedger(moved, businessDate), { businessDate, input: moved }),
  }
  return { before: row!.dayCount, after: terms, columns }
}
