/** What a bulk action does to a row: the operation for a single record, and the call that undoes it. */
import { mayReturn } from '../../../core/cases/case-lifecycle.ts'
import { delayMinutesMax } from '../../../contract/collection/letters.ts'
import type { InternalAnswer, InternalRequest } from '../../access/serve/internal-call-types.ts'
import { findHold } from '../../cases/holds/holds.store.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { notFound } from '../../platform/http/errors.ts'
import { formatETag } from '../../platform/http/version.ts'
import { findSharedLetter } from './bulk-actions.store.ts'
import { findCaseState, findClientStrategy, type CaseState, type Undo } from './bulk-undo.ts'

/** Calls an operation by its name, as the user who asked for the action. */
export type CallOperation = (
  name: string,
  request: Pick<InternalRequest, 'params' | 'query' | 'body' | 'ifMatch'>,
) => Promise<InternalAnswer>

export interface RowWork {
  tx: Db
  call: CallOperation
  actionGuid: string
  subjectGuid: string
  itemId: string | null
  input: Record<string, unknown>
}

/** Changes the record. Returns how to undo it, or null. */
export type RowAction = (work: RowWork) => Promise<Undo | null>

const storeForm = (type: string, caseGuid: string, body: unknown): Undo => ({
  operation: 'storeFromForm',
  params: { entity: 'case', type },
  query: { id: caseGuid },
  body,
})

async function requireState({ tx, subjectGuid }: RowWork): Promise<CaseState> {
  const state = await findCaseState(tx, subjectGuid)
  if (!state) throw notFound('case')
  return state
}

/** An undo that holds as long as nobody changes the case. */
async function untilChanged(work: RowWork, undo: Undo | null): Promise<Undo | null> {
  return undo && { ...undo, version: (await requireState(work)).version }
}

/** Stores a form of the case as it was read. */
function changeByForm(
  type: string,
  findUndo: (before: CaseState, work: RowWork) => Undo | null | Promise<Undo | null>,
): RowAction {
  return async (work) => {
    const before = await requireState(work)
    const undo = await findUndo(before, work)
    const { operation, ...request } = storeForm(type, before.caseGuid, work.input)
    await work.call(operation, { ...request, ifMatch: formatETag(before.version) })
    return untilChanged(work, undo)
  }
}

/** Gives a case its hold again: with the days that it had, or from the day of the undo. */
async function holdAgain({ caseGuid, hold }: CaseState, tx: Db, since: 'before' | 'undo'): Promise<Undo> {
  const { from, until, paused } = await findHold(tx, caseGuid)
  return storeForm('hold', caseGuid, {
    reason: hold,
    ...(since === 'before' && { holdFrom: from }),
    holdUntil: until,
    interestPaused: paused,
  })
}

const addNote: RowAction = async ({ call, subjectGuid, input }) => {
  const params = { entity: 'note', type: 'create' }
  const { body } = await call('createFromForm', { params, query: { id: subjectGuid }, body: input })
  return {
    operation: 'deleteFromForm',
    params: { entity: 'note', type: 'edit' },
    query: { id: subjectGuid, subId: (body as { noteGuid: string }).noteGuid },
  }
}

/**
 * The letter waits until the run has ended: then all may leave together. A case that a letter of the run demands together
 * with another gets no second one.
 */
const sendLetter: RowAction = async (work) => {
  const { debtorGuid, caseGuid } = await requireState(work)
  const sent = await findSharedLetter(work.tx, { ...work, debtorGuid })
  if (sent !== undefined) return { operation: 'withdrawLetter', params: { documentGuid: sent } }
  const body = { ...work.input, caseGuid, delayMinutes: delayMinutesMax }
  const made = await work.call('sendLetter', { params: { debtorGuid }, body })
  const { documentGuid } = made.body as { documentGuid: string }
  return { operation: 'withdrawLetter', params: { documentGuid } }
}

const assignCase: RowAction = async (work) => {
  const { caseGuid, ownerGuid, teamGuid } = await requireState(work)
  const { body } = await work.call('assignWork', { body: { ...work.input, caseGuids: [caseGuid] } })
  if ((body as { assigned: number }).assigned === 0) return null
  return untilChanged(work, {
    operation: 'assignWork',
    body: { caseGuids: [caseGuid], ownerGuid, teamGuid },
  })
}

const setNextAction: RowAction = async (work) => {
  const { caseGuid, version, nextAction, nextActionDate } = await requireState(work)
  const params = { caseGuid }
  await work.call('setNextAction', { params, body: work.input, ifMatch: formatETag(version) })
  return untilChanged(work, { operation: 'setNextAction', params, body: { nextAction, nextActionDate } })
}

const proposePlan: RowAction = async (work) => {
  const { debtorGuid, caseGuid } = await requireState(work)
  const body = { ...work.input, active: 2, cases: [caseGuid] }
  const made = await work.call('createPaymentPlan', { params: { debtorGuid }, body })
  const { paymentPlanGuid } = made.body as { paymentPlanGuid: string }
  return { operation: 'cancelPaymentPlan', params: { debtorGuid, paymentplanGuid: paymentPlanGuid } }
}

/** The key of an item of work is case, reason, date and, for a mention, user. */
const completeItem: RowAction = async ({ call, subjectGuid, itemId }) => {
  const [, reason, dueDate] = itemId!.split('/')
  const item = { caseGuid: subjectGuid, reason, dueDate: `${dueDate}T00:00:00Z` }
  await call('completeWork', { body: { items: [item] } })
  return null
}

const assignStrategy: RowAction = async ({ tx, call, subjectGuid, input }) => {
  const before = await findClientStrategy(tx, subjectGuid)
  const params = { clientGuid: subjectGuid }
  await call('assignStrategy', { params, body: input })
  const strategy = await findClientStrategy(tx, subjectGuid)
  if (strategy === before) return null
  return { operation: 'assignStrategy', params, body: { strategy: before }, strategy }
}

export const rowActions: Readonly<Record<string, RowAction>> = {
  hold: changeByForm('hold', (before, { tx }) =>
    before.hold === null ? storeForm('resume', before.caseGuid, {}) : holdAgain(before, tx, 'before'),
  ),
  resume: changeByForm('resume', (before, { tx }) =>
    before.hold === null ? null : holdAgain(before, tx, 'undo'),
  ),
  status: changeByForm('status', (before, { input }) => {
    const { caseGuid, status, subStatus } = before
    const to = input as { status: string; subStatus: string }
    return mayReturn(before, to) ? storeForm('status', caseGuid, { status, subStatus }) : null
  }),
  close: changeByForm('close', ({ caseGuid }) => storeForm('reopen', caseGuid, {})),
  note: addNote,
  letter: sendLetter,
  assign: assignCase,
  nextaction: setNextAction,
  plan: proposePlan,
  done: completeItem,
  strategy: assignStrategy,
}
