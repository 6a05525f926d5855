/** Takes one step of one case: all of its actions or none, each by the function that a person's own request would call. */
import { allAccessCodes } from '../../contract/access.ts'
import { addDays } from '../../core/calendar.ts'
import type { StepAction } from '../../core/strategies.ts'
import { lockCase, updateCase, type CaseContext } from '../cases/case-lock.ts'
import { changeCaseStatus } from '../cases/case-status.ts'
import { findFeeAmount } from '../cases/fees.store.ts'
import { addFee } from '../cases/movements.ts'
import type { Db } from '../database/transaction.ts'
import { writeLetter } from '../documents/write-letter.ts'
import type { Caller, Origin } from '../http/caller.ts'
import { ApiError } from '../http/errors.ts'
import { insertJob } from '../jobs/jobs.store.ts'
import { queueLetter } from '../messages/messages.store.ts'
import { noteRefused, noteTaken, type DueStep } from './strategies.store.ts'

/** Nobody in particular, of the agency: a strategy asks for nothing but what its steps say. */
const strategist: Caller = {
  userId: '00000000-0000-0000-0000-000000000000',
  sessionId: '',
  partyId: '00000000-0000-0000-0000-000000000000',
  role: 1,
  accessCodes: new Set(allAccessCodes),
  partyIds: null,
  mfaPending: false,
  language: 'en',
}

export type StepOutcome = 'taken' | 'passed' | { refused: string }

/** `passed`: it is another's, or no longer due. A refusal undoes the step and is noted with its reason. */
export async function takeStep(tx: Db, due: DueStep, origin: Origin): Promise<StepOutcome> {
  const date = origin.businessDate
  await tx.unsafe('savepoint strategy_step')
  try {
    const isTaken = (await noteTaken(tx, due, date)) && (await isStillDue(tx, due))
    if (isTaken) {
      const context = { origin: { ...origin, operation: `strategy ${due.strategy}/${due.step}` } }
      for (const action of due.actions) await act(tx, due, action, context)
      await tell(tx, due, context)
    } else await tx.unsafe('rollback to savepoint strategy_step')
    await tx.unsafe('release savepoint strategy_step')
    return isTaken ? 'taken' : 'passed'
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    await tx.unsafe('rollback to savepoint strategy_step')
    await noteRefused(tx, due, date, error.message.slice(0, 500))
    return { refused: error.message }
  }
}

/** The case may have changed since the steps were listed; held from here on, it does not. */
async function isStillDue(tx: Db, due: DueStep): Promise<boolean> {
  const row = await lockCase(tx, strategist, due.caseGuid, { origin: nowhere })
  return (
    row.closureCode === null &&
    row.hold === null &&
    row.remainingMinor > 0 &&
    row.placeStatus === due.status &&
    row.placeSubStatus === due.subStatus
  )
}
const nowhere = { actorId: null, requestId: null, operation: 'strategy', businessDate: '' }

async function act(
  tx: Db,
  { caseGuid, debtorGuid }: DueStep,
  action: StepAction,
  context: CaseContext,
): Promise<void> {
  const { origin } = context
  switch (action.kind) {
    case 'fee': {
      const row = await lockCase(tx, strategist, caseGuid, context)
      const amount = await findFeeAmount(tx, row, action.feeType, origin.businessDate)
      if (amount === null || amount === 0) return
      await addFee(tx, strategist, { caseGuid, input: { feeType: action.feeType, amount } }, context)
      return
    }
    case 'status': {
      const { status, subStatus } = action
      await changeCaseStatus(tx, strategist, { caseGuid, input: { status, subStatus } }, context)
      return
    }
    case 'letter': {
      const dueDate = action.dueDays === undefined ? null : addDays(origin.businessDate, action.dueDays)
      const request = { debtorGuid, caseGuid, kind: action.letter, language: null, dueDate }
      await queueLetter(tx, await writeLetter(tx, strategist, request, origin))
      return
    }
    case 'service':
      await insertJob(tx, {
        kind: 'service',
        name: action.service,
        payload: { item: { type: 'debtor', guid: debtorGuid }, input: action.input ?? {}, scope: null },
        askedBy: action.userGuid,
        requestId: null,
      })
  }
}

/** What happened stands among the case's events. */
async function tell(tx: Db, { caseGuid, strategy, step }: DueStep, context: CaseContext): Promise<void> {
  const row = await lockCase(tx, strategist, caseGuid, context)
  const note = {
    type: 'case.step_taken',
    entityId: caseGuid,
    data: { strategy, step },
    changes: { strategyStep: [null, `${strategy}/${step}`] as [unknown, unknown] },
  }
  await updateCase(tx, row, { notes: [note] }, context.origin)
}
