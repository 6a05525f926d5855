/** Confirms findings of a review by the law: books their corrections. docs/domain/law.md has the rules. */
import type {
  LawConfirmation,
  LawConfirmationInput,
  LawObstacle,
} from '../../../contract/cases/law-reviews.ts'
import { requireCorrectable, requireTwoForCorrections } from './second-person.ts'
import { lockCases, type CaseRow } from '../../claims/case-lock.ts'
import { emptyRows, insertMoney } from '../../claims/money-rows.store.ts'
import { loadHistories, holdDate } from '../../ledger/ledger.store.ts'
import { toBookedCase } from '../../ledger/booked-case.ts'
import { inTransaction, type Db } from '../../platform/database/transaction.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import { invalid, notFound } from '../../platform/http/errors.ts'
import { bookCorrections } from './correct-case.ts'
import * as store from './law-reviews.store.ts'
import { findPaidOut } from './reviewed-cases.store.ts'

/** How many findings one request confirms at most. */
const most = 200

type Outcome = LawConfirmation['findings'][number]

/**
 * Throws a 400 unless findings or a review are named, and a 404 for an unknown review, or for findings
 * that the caller may not see.
 */
export async function confirmFindings(
  db: Db,
  caller: Caller,
  input: LawConfirmationInput,
  origin: Origin,
): Promise<LawConfirmation> {
  const { lawFindingGuids, lawReviewGuid } = input
  if ((lawFindingGuids === undefined) === (lawReviewGuid === undefined))
    throw invalid({ lawFindingGuids: ['or lawReviewGuid is required, and only one of them.'] })
  return inTransaction(db, async (tx) => {
    await holdDate(tx)
    if (lawReviewGuid && !(await store.hasReview(tx, lawReviewGuid))) throw notFound('review')
    const guids = [...new Set(lawFindingGuids?.map((guid) => guid.toLowerCase()))]
    const asked = lawReviewGuid
      ? ofOneCurrency(await store.findOpenFindings(tx, caller, { reviewGuid: lawReviewGuid, most }))
      : await store.findFindings(tx, caller, guids)
    if (!lawReviewGuid && asked.length < guids.length) throw notFound('finding')
    const caseGuids = [...new Set(asked.map(({ caseGuid }) => caseGuid))]
    const held = await lockCases(tx, caller, caseGuids)
    // Read again now that the cases are locked: another request may have confirmed them meanwhile.
    const found = await store.findFindings(
      tx,
      caller,
      asked.map(({ guid }) => guid),
    )
    const findings = await confirmLocked(tx, caller, { held, found }, origin)
    requireCorrectable(findings, origin)
    const remaining = lawReviewGuid ? await store.countOpenFindings(tx, caller, lawReviewGuid) : 0
    const confirmed = findings.filter(({ outcome }) => outcome === 'CONFIRMED').length
    return { confirmed, remaining, findings }
  })
}

/** A limit of what one does alone is for one currency. */
const ofOneCurrency = (found: readonly store.StoredFinding[]): readonly store.StoredFinding[] =>
  found.filter(({ currencyCode }) => currencyCode === found[0]!.currencyCode)

async function confirmLocked(
  tx: Db,
  caller: Caller,
  { held, found }: { held: readonly CaseRow[]; found: readonly store.StoredFinding[] },
  origin: Origin,
): Promise<Outcome[]> {
  const histories = await loadHistories(
    tx,
    held.map(({ caseGuid }) => caseGuid),
  )
  const paidOut = await findPaidOut(
    tx,
    held.map(({ caseGuid }) => caseGuid),
  )
  const rows = emptyRows()
  const outcomes: Outcome[] = []
  const changed: store.FindingUpdate[] = []
  const tell = (
    one: store.StoredFinding,
    outcome: Outcome['outcome'],
    obstacle: Outcome['obstacle'] = null,
  ) => outcomes.push({ lawFindingGuid: one.guid, caseNumber: one.caseNumber, outcome, obstacle })
  for (const [index, row] of held.entries()) {
    const own = found.filter(({ caseGuid }) => caseGuid === row.caseGuid)
    const open = own.filter(({ status }) => status === 'OPEN')
    for (const one of own.filter(({ status }) => status !== 'OPEN'))
      if (one.status === 'CONFIRMED') tell(one, 'ALREADY_CONFIRMED')
      else tell(one, 'REFUSED', one.status === 'REPLACED' ? 'REPLACED' : one.obstacle)
    const obstacle = findObstacle(row, open, paidOut)
    for (const one of open) {
      tell(one, obstacle === null ? 'CONFIRMED' : 'REFUSED', obstacle)
      changed.push({ guid: one.guid, obstacle })
    }
    if (open.length === 0 || obstacle !== null) continue
    const booked = toBookedCase(row, histories[index]!)
    const { columns, dayCount } = bookCorrections(
      rows,
      { row, found: booked, history: histories[index]! },
      open,
    )
    rows.caseUpdates.push(columns)
    if (dayCount !== undefined) await store.updateDayCount(tx, row.caseGuid, dayCount)
    await store.moveVersions(tx, { caseGuid: row.caseGuid, from: row.version, to: columns.version })
  }
  const confirmed = new Set(changed.flatMap(({ guid, obstacle }) => (obstacle === null ? [guid] : [])))
  await requireTwoForCorrections(
    tx,
    caller,
    found.filter(({ guid }) => confirmed.has(guid)),
    origin,
  )
  if (rows.caseUpdates.length > 0) await insertMoney(tx, rows, origin)
  await store.updateFindings(tx, changed, origin)
  return outcomes
}

function findObstacle(
  row: CaseRow,
  open: readonly store.StoredFinding[],
  paidOut: ReadonlySet<string>,
): LawObstacle | null {
  if (row.closureCode !== null) return 'CLOSED'
  if (open.some(({ caseVersion }) => caseVersion !== row.version)) return 'CASE_CHANGED'
  if (paidOut.has(row.caseGuid)) return 'PAID_OUT'
  return row.beforePlanStatus === null ? null : 'PLAN'
}
