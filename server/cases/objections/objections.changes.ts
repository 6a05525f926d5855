/** Records, answers and decides objections, complaints and hardship. docs/domain/objections.md has the rules. */
import { nameRule } from '../../../core/law/rule-name.ts'
import type { Language } from '../../../contract/platform/languages.ts'
import * as contract from '../../../contract/cases/objections.ts'
import { readChoice, readDate, readMoney } from '../../claims/case-inputs.rules.ts'
import { lockCase, updateCase, type CaseContext, type CaseRow } from '../../claims/case-lock.ts'
import { makeId } from '../../platform/database/make-id.ts'
import { inTransaction, type Db } from '../../platform/database/transaction.ts'
import { initialChanges } from '../../platform/events/record.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError, FieldErrors } from '../../platform/http/errors.ts'
import { requireMatch, type IfMatch } from '../../platform/http/version.ts'
import { rowHelper } from '../../platform/database/statement.ts'
import { holdDateForFew } from '../../ledger/ledger.store.ts'
import { openDeadlines } from './answer-deadlines.ts'
import { bookCredit } from './credit-claim.ts'
import { requireObjection, type StoredObjection } from './objections.store.ts'

const requireText = (given: string | null | undefined, member: string, checks: FieldErrors): string => {
  const text = given?.trim() ?? ''
  if (text === '') checks.add(member, 'is required.')
  return text
}

/** Records what a debtor says. From then on the law stops what it stops. Returns its guid. */
export async function recordObjection(
  db: Db,
  caller: Caller,
  { caseGuid, input }: { caseGuid: string; input: contract.ObjectionInput },
  { origin }: CaseContext,
): Promise<string> {
  const guid = makeId()
  await inTransaction(db, async (tx) => {
    const row = await lockCase(tx, caller, caseGuid, { origin })
    const record = await readObjection(tx, row, input, {
      today: origin.businessDate,
      language: caller.language,
    })
    await tx`insert into objection ${rowHelper(tx, {
      id: guid,
      case_id: caseGuid,
      ...record,
      received_by: record.received_by ?? (await findUserName(tx, caller)),
      status: 'OPEN',
      created_by: origin.actorId,
    })}`
    const { reason: _, evidence: __, ...told } = record
    const note = {
      type: 'objection.recorded' as const,
      entityId: guid,
      data: { objectionGuid: guid, matter: record.matter },
      changes: initialChanges(told),
    }
    await updateCase(tx, row, { notes: [note] }, origin)
  })
  return guid
}

async function readObjection(
  tx: Db,
  row: CaseRow,
  input: contract.ObjectionInput,
  { today, language }: { today: string; language: Language },
) {
  const checks = new FieldErrors(language)
  const matter = readChoice(input.matter, 'matter', contract.objectionMatters, checks)
  if (!input.matter)
    checks.add('matter', `is required: choose one of ${contract.objectionMatters.join(', ')}.`)
  const kind = readChoice(input.kind, 'kind', contract.objectionKinds, checks) ?? 'OTHER'
  const money = { currency: row.currencyCode, least: 'above zero', required: false } as const
  const amount = readMoney(input.amount, 'amount', money, checks)
  if (amount !== null && matter !== null && matter !== 'OBJECTION')
    checks.add('amount', 'belongs to an objection. A complaint or hardship has no amount.')
  const reason = requireText(input.reason, 'reason', checks)
  const received = readDate(input.receivedDate, 'receivedDate', checks) ?? today
  if (received > today)
    checks.add('receivedDate', `must not be after the business date, ${checks.day(today)}.`)
  const given = readDate(input.answerBy, 'answerBy', checks)
  if (given !== null && given < received) checks.add('answerBy', 'must not be before it was received.')
  const { country, find } = await openDeadlines(tx, row.caseGuid)
  const deadline = find({ matter: matter ?? 'OBJECTION', received }, country)
  if (given !== null && deadline.latest !== null && given > deadline.latest)
    checks.add(
      'answerBy',
      `must not be after ${checks.day(deadline.latest)} (${nameRule(language, deadline.rule!.code)}).`,
    )
  checks.throwIfAny()
  return {
    matter: matter!,
    kind,
    amount: amount === null ? null : Number(amount),
    reason,
    evidence: input.evidence?.trim() || null,
    received_date: received,
    received_by: input.receivedBy?.trim() || null,
    answer_by: given ?? deadline.by,
    answer_rule: deadline.rule?.code ?? null,
  }
}

async function findUserName(tx: Db, caller: Caller): Promise<string | null> {
  const [row] = await tx<
    { name: string }[]
  >`select full_name as name from app_user where id = ${caller.userId}`
  return row?.name ?? null
}

interface ObjectionChange<I> {
  objectionGuid: string
  input: I
  ifMatch: IfMatch
}

/** Locks the case of an objection that is not decided yet. */
async function lockOpen(
  tx: Db,
  caller: Caller,
  { objectionGuid, ifMatch }: { objectionGuid: string; ifMatch: IfMatch },
  { origin }: CaseContext,
): Promise<{ row: CaseRow; found: StoredObjection }> {
  const { caseGuid } = await requireObjection(tx, caller, objectionGuid)
  const row = await lockCase(tx, caller, caseGuid, { origin })
  const found = await requireObjection(tx, caller, objectionGuid)
  requireMatch(ifMatch, found.version)
  if (found.decidedDate !== null)
    throw new ApiError('conflict', 'It has been decided. Record a new objection if there are new grounds.')
  return { row, found }
}

/** Stores what the debtor was answered. Returns the version. */
export function answerObjection(
  db: Db,
  caller: Caller,
  { input, ...at }: ObjectionChange<contract.ObjectionAnswer>,
  context: CaseContext,
): Promise<number> {
  const { businessDate } = context.origin
  const checks = new FieldErrors(caller.language)
  const answer = requireText(input.answer, 'answer', checks)
  const answered = readDate(input.answeredDate, 'answeredDate', checks) ?? businessDate
  if (answered > businessDate)
    checks.add('answeredDate', `must not be after the business date, ${checks.day(businessDate)}.`)
  checks.throwIfAny()
  return inTransaction(db, async (tx) => {
    const { row, found } = await lockOpen(tx, caller, at, context)
    await tx`
      update objection set status = 'ANSWERED', answer = ${answer}, answered_date = ${answered}, version = version + 1
      where id = ${at.objectionGuid}`
    const note = {
      type: 'objection.answered' as const,
      entityId: at.objectionGuid,
      data: { objectionGuid: at.objectionGuid },
      changes: { status: [found.status, 'ANSWERED'], answeredDate: [found.answeredDate, answered] } as const,
    }
    await updateCase(tx, row, { notes: [{ ...note, changes: { ...note.changes } as never }] }, context.origin)
    return found.version + 1
  })
}

/**
 * Decides. An objection that is upheld, in whole or in part, is credited to the debtor. Returns the version. Throws a
 * 400, 404, 409, 412 or 422.
 */
export function decideObjection(
  db: Db,
  caller: Caller,
  { input, ...at }: ObjectionChange<contract.ObjectionRuling>,
  context: CaseContext,
): Promise<number> {
  return inTransaction(db, async (tx) => {
    // A credit books, and the date is locked before the case.
    await holdDateForFew(tx)
    const { row, found } = await lockOpen(tx, caller, at, context)
    const ruling = readRuling(input, { found, row, language: caller.language })
    const credited = ruling.credits
      ? await bookCredit(tx, caller, { row, amount: ruling.amount }, context.origin)
      : { minor: null, version: null }
    await tx`
      update objection set status = ${ruling.decision}, decision_reason = ${ruling.reason},
        decided_date = ${context.origin.businessDate}, decided_by = ${context.origin.actorId}, measure = ${ruling.measure},
        referred_date = ${ruling.referred}, credited = ${credited.minor === null ? null : String(credited.minor)},
        version = version + 1
      where id = ${at.objectionGuid}`
    const after = {
      status: ruling.decision,
      measure: ruling.measure,
      referredDate: ruling.referred,
      minorCredited: credited.minor === null ? null : Number(credited.minor),
    }
    const note = {
      type: 'objection.decided' as const,
      entityId: at.objectionGuid,
      data: { objectionGuid: at.objectionGuid, matter: found.matter, decision: ruling.decision },
      changes: { ...initialChanges(after), status: [found.status, ruling.decision] as [unknown, unknown] },
    }
    const current =
      credited.version === null ? row : await lockCase(tx, caller, row.caseGuid, { origin: context.origin })
    await updateCase(tx, current, { notes: [note] }, context.origin)
    return found.version + 1
  })
}

function readRuling(
  input: contract.ObjectionRuling,
  { found, row, language }: { found: StoredObjection; row: CaseRow; language: Language },
) {
  const checks = new FieldErrors(language)
  const decision = readChoice(input.decision, 'decision', contract.objectionDecisions, checks)
  if (!input.decision)
    checks.add('decision', `is required: choose one of ${contract.objectionDecisions.join(', ')}.`)
  const reason = requireText(input.decisionReason, 'decisionReason', checks)
  const isObjection = found.matter === 'OBJECTION'
  const isPart = isObjection && decision === 'PARTLY'
  const money = { currency: row.currencyCode, least: 'above zero', required: isPart } as const
  const given = readMoney(input.amount, 'amount', money, checks)
  if (given !== null && !isPart) checks.add('amount', 'belongs to an objection that is partly upheld.')
  const disputed = found.amount === null ? null : readMoney(found.amount, 'amount', money, checks)
  if (isPart && given !== null && disputed !== null && given > disputed)
    checks.add('amount', 'must not be more than what is disputed.')
  const measure = readChoice(input.measure, 'measure', contract.forbearanceMeasures, checks)
  const referred = readDate(input.referredDate, 'referredDate', checks)
  if (found.matter === 'HARDSHIP' && decision !== null && decision !== 'WITHDRAWN' && measure === null)
    checks.add('measure', `is required: choose one of ${contract.forbearanceMeasures.join(', ')}.`)
  checks.throwIfAny()
  return {
    decision: decision!,
    reason,
    credits: isObjection && (decision === 'UPHELD' || decision === 'PARTLY'),
    amount: isPart ? given : disputed,
    measure,
    referred,
  }
}
