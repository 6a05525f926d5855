/** Books the corrections of one case: reversals and new bookings, never edits. */
import { closeCase } from '../../../core/cases/case-lifecycle.ts'
import { readDayCounts, type DayCountTerm } from '../../../core/interest/day-count.ts'
import { noteLifecycle, type CaseChangeNote, type CaseRow } from '../../claims/case-lock.ts'
import type { CaseUpdate, MoneyRows } from '../../claims/money-rows.store.ts'
import { newMovement, refuseRangeErrors } from '../../ledger/book-on-case.ts'
import {
  bookMovements,
  deriveWith,
  findBookingDate,
  type BookedCase,
  type NewMovement,
} from '../../ledger/booking.ts'
import type { CaseHistory } from '../../ledger/ledger.store.ts'
import { readBalance } from '../case-status.ts'
import type { StoredFinding } from './law-reviews.store.ts'
import { correctDayCount } from './review-case.ts'

export interface Corrected {
  columns: CaseUpdate
  /** The new day count of the case. Left out where it stays. */
  dayCount?: readonly DayCountTerm[] | null
}

/** Adds the bookings of findings that are confirmed to `rows`. */
export function bookCorrections(
  rows: MoneyRows,
  { row, found, history }: { row: CaseRow; found: BookedCase; history: CaseHistory },
  findings: readonly StoredFinding[],
): Corrected {
  const asks = (correction: StoredFinding['correction']) =>
    findings.some((one) => one.correction === correction)
  const terms = asks('RECKON_INTEREST') ? correctDayCount(history.dayCount) : undefined
  const counted: BookedCase =
    terms === undefined
      ? found
      : { ...found, input: { ...found.input, dayCounts: readDayCounts(terms, history.governingCountry) } }
  const movements: NewMovement[] = []
  for (const finding of findings) movements.push(...makeMovements(counted, finding, movements))
  let { life } = counted
  if (asks('CLOSE_BARRED')) {
    const closed = closeCase(life, 'TIME_BARRED', readBalance(row))
    if (closed.ok) life = closed.life
    if (closed.ok && deriveWith(counted, movements).ledger.coveredOn === null)
      movements.push(newMovement({ kind: 'close' }, findBookingDate(counted)))
  }
  const closes = life !== counted.life
  const notes = findings.map((finding) => {
    const note = makeNote(found.caseGuid, finding)
    if (finding.correction === 'RECKON_INTEREST' && terms !== undefined)
      note.changes['dayCount'] = [history.dayCount, terms]
    return note
  })
  if (closes) notes.push(noteLifecycle(found.caseGuid, counted.life, life, 'closed'))
  const { columns } = refuseRangeErrors(() =>
    bookMovements(rows, counted, { movements, notes, ...(closes && { life }) }),
  )
  return { columns, ...(terms !== undefined && { dayCount: terms }) }
}

function makeMovements(
  found: BookedCase,
  finding: StoredFinding,
  before: readonly NewMovement[],
): NewMovement[] {
  const { correction, movementGuid, lawful, amount, details, actedDate, action, rule } = finding
  switch (correction) {
    case 'REVERSE_FEE':
      return [newMovement({ kind: 'reversal', of: movementGuid! }, actedDate!)]
    case 'LOWER_FEE':
      return [
        newMovement({ kind: 'reversal', of: movementGuid! }, actedDate!),
        newMovement({ kind: 'fee', amount: BigInt(lawful!) }, actedDate!, {
          feeType: action!.slice('fee:'.length),
          rule,
          corrects: movementGuid,
          ...(details.demandGroup !== undefined && { demandGroup: details.demandGroup }),
          ...(details.jointPrincipal !== undefined && { jointPrincipal: details.jointPrincipal }),
        }),
      ]
    case 'WRITE_OFF':
      return writeOffCosts(found, BigInt(amount), before)
    case 'STOP_INTEREST':
      return (details.periods ?? []).flatMap(([from, to]) => [
        newMovement({ kind: 'close' }, from),
        ...(to === null ? [] : [newMovement({ kind: 'reopen' }, to)]),
      ])
    default:
      return []
  }
}

/** Opening costs cannot be reversed: what still remains of the excess is written off. */
function writeOffCosts(found: BookedCase, amount: bigint, before: readonly NewMovement[]): NewMovement[] {
  const movement = newMovement({ kind: 'writeOff', amount, component: 'cost' }, findBookingDate(found))
  const { unapplied } = deriveWith(found, [...before, movement]).whole
  const left = amount - (unapplied.find(({ movementId }) => movementId === movement.id)?.amount ?? 0n)
  return left > 0n ? [{ ...movement, effect: { kind: 'writeOff', amount: left, component: 'cost' } }] : []
}

const makeNote = (
  caseGuid: string,
  { guid, kind, correction, rule, amount }: StoredFinding,
): CaseChangeNote => ({
  type: 'case.law_corrected',
  entityId: caseGuid,
  data: { lawFindingGuid: guid, kind, correction, rule },
  changes: { correction: [null, correction], rule: [null, rule], minorAmount: [null, Number(amount)] },
})
