/** Requests acts that need a second person, and decides them. */
import {
  approvalSubjects,
  type ApprovalAct,
  type ApprovalDecision,
  type ApprovalRequest,
  type ApprovalSubject,
} from '../../../contract/access/approvals.ts'
import { countDecimals } from '../../../core/money/money.ts'
import { makeId } from '../../platform/database/make-id.ts'
import { toJson } from '../../platform/database/statement.ts'
import { inSavepoint, inTransaction, type Db } from '../../platform/database/transaction.ts'
import { initialChanges, insertRecords, toRecords, type Change } from '../../platform/events/record.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import { ApiError, invalid } from '../../platform/http/errors.ts'
import type { InternalCall } from '../serve/internal-call-types.ts'
import { requireAccess } from '../serve/admit.ts'
import { findUserCaller } from '../sessions/sessions.ts'
import { findTie } from './account-ties.store.ts'
import { actOperations, toCall, type Wanted } from './acts.ts'
import { mayStillRequest, requireApproval } from './approvals.store.ts'
import { ApprovalNeeded, type Act, type ActOrigin } from './second-person.ts'
import { tellApprovers, tellRequester } from './tell-approvers.ts'

export interface ApprovalContext {
  operations: ReadonlyMap<string, InternalCall>
  caller: Caller
  origin: Origin
}

/** Does the act, or tries it. */
function callAct(db: Db, { operations, caller }: ApprovalContext, wanted: Wanted, origin: ActOrigin) {
  const { operation, ...request } = toCall(wanted)
  return operations.get(operation)!.call({ db, caller, origin, ...request })
}

/** Undoes a try that nothing stopped. */
class Tried extends Error {}

/** What the act is about when it is tried now. Throws what the act itself would, and a 422 when it needs nobody. */
async function findNeeded(tx: Db, context: ApprovalContext, wanted: Wanted): Promise<Act> {
  try {
    await inSavepoint(tx, async () => {
      await callAct(tx, context, wanted, context.origin)
      throw new Tried()
    })
  } catch (error) {
    if (error instanceof ApprovalNeeded && error.needed.act === wanted.act) return error.needed
    if (!(error instanceof Tried)) throw error
  }
  throw new ApiError(
    'unprocessable',
    'The act needs no second person. Do it by its own operation; nothing was booked.',
  )
}

/** The case, client, objection, invoice or debtor of the act. Throws a 400 when it is missing, or not the act's. */
function readSubject(request: ApprovalRequest): string | null {
  const { act, caseGuid, clientGuid, objectionGuid, invoiceGuid, debtorGuid } = request
  const about = approvalSubjects[act]
  const given = {
    case: caseGuid,
    client: clientGuid,
    objection: objectionGuid,
    invoice: invoiceGuid,
    debtor: debtorGuid,
  }
  for (const kind of ['case', 'client', 'objection', 'invoice', 'debtor'] as const) {
    if (kind === about && given[kind] === undefined)
      throw invalid({ [`${kind}Guid`]: [`is required when the act is ${act}.`] })
    if (kind !== about && given[kind] !== undefined)
      throw invalid({ [`${kind}Guid`]: [`must be left out when the act is ${act}.`] })
  }
  return about === null ? null : given[about]!.toLowerCase()
}

/** Stores a request. Returns its GUID. */
export function requestApproval(db: Db, context: ApprovalContext, request: ApprovalRequest): Promise<string> {
  const { act, input, reason } = request
  const about = approvalSubjects[act]
  const wanted = { act, id: readSubject(request), input }
  const idFor = (kind: ApprovalSubject) => (about === kind ? wanted.id : null)
  return inTransaction(db, async (tx) => {
    const {
      value,
      pinned = fixDay(act, input, context.origin),
      shares = [],
      grows,
    } = await findNeeded(tx, context, wanted)
    const approvalGuid = makeId()
    const caseGuids = shares.flatMap(({ caseGuid }) => caseGuid ?? [])
    const ofCases =
      act === 'PAYMENT' || act === 'BACKDATED_PAYMENT' || act === 'DEBT_RELIEF'
        ? await findCasesTogether(tx, caseGuids)
        : undefined
    await tx`
      insert into approval (id, act, case_id, client_id, objection_id, invoice_id, debtor_id, case_ids, least_paid, currency_code, amount, minor_per_unit, request, reason, requested_by)
      values (${approvalGuid}, ${act}, coalesce(${idFor('case') ?? ofCases?.caseGuid ?? null}::uuid, (select case_id from objection where id = ${idFor('objection')}::uuid),
        (select case_id from invoice where id = ${idFor('invoice')}::uuid)),
        ${idFor('client')}, ${idFor('objection')}, ${idFor('invoice')}, ${idFor('debtor') ?? ofCases?.debtorGuid ?? null}, ${caseGuids}::uuid[],
        ${grows?.leastPaid === undefined ? null : String(grows.leastPaid)}::bigint, ${value?.currencyCode ?? null}, ${value ? String(value.amount) : null}::bigint,
        ${value ? 10 ** countDecimals(value.currencyCode) : 1}, ${toJson(tx, pinned)}, ${reason?.trim() || null}, ${context.caller.userId})`
    await note(tx, context.origin, {
      action: 'requested',
      approval: { ...wanted, approvalGuid, sequence: 1 },
      changes: initialChanges({
        act,
        currencyCode: value?.currencyCode ?? null,
        minorAmount: value ? Number(value.amount) : null,
      }),
    })
    await tellApprovers(tx, approvalGuid, actOperations[act].code)
    return approvalGuid
  })
}

/** A payment without a value date has that of its request: the debtor owes no interest while others look at it. */
const fixDay = (act: ApprovalAct, input: Record<string, unknown>, { businessDate }: Origin) =>
  act === 'PAYMENT' ? { ...input, valueDate: input['valueDate'] ?? businessDate } : input

/**
 * The debtor of cases, and one of the cases, which shows a request to those who may see its client. No case when they
 * have several clients.
 */
async function findCasesTogether(
  tx: Db,
  caseGuids: readonly string[],
): Promise<{ caseGuid: string | null; debtorGuid: string }> {
  const rows = await tx<{ caseGuid: string; clientGuid: string; debtorGuid: string }[]>`
    select id as "caseGuid", client_id as "clientGuid", main_debtor_id as "debtorGuid"
    from debt_case where id = any(${[...caseGuids]}::uuid[]) order by id`
  const [first] = rows
  const isOneClient = rows.every(({ clientGuid }) => clientGuid === first!.clientGuid)
  return { caseGuid: isOneClient ? first!.caseGuid : null, debtorGuid: first!.debtorGuid }
}

interface StoredApproval {
  approvalGuid: string
  act: ApprovalAct
  id: string | null
  input: Record<string, unknown>
  currencyCode: string | null
  amount: string | null
  caseGuids: string[]
  leastPaid: string | null
  requestedBy: string
  sequence: number
}

/** Locks a request that waits. Throws a 404, or a 409 when it is decided. */
async function lockWaiting(tx: Db, caller: Caller, guid: string): Promise<StoredApproval> {
  await requireApproval(tx, caller, guid)
  const [row] = await tx<(StoredApproval & { status: string })[]>`
    select id as "approvalGuid", act, coalesce(objection_id, invoice_id, debtor_id, case_id, client_id) as id, request as input, currency_code as "currencyCode",
      amount::text as amount, case_ids as "caseGuids", least_paid::text as "leastPaid", requested_by as "requestedBy", status, event_sequence + 1 as sequence
    from approval where id = ${guid} for update`
  if (row!.status !== 'WAITING')
    throw new ApiError('conflict', `The request is decided: ${row!.status.toLowerCase()}.`)
  return row!
}

/** Does the act as its second person. */
export function approveRequest(
  db: Db,
  context: ApprovalContext,
  { guid, decision }: { guid: string; decision: ApprovalDecision },
): Promise<void> {
  const { caller, origin } = context
  return inTransaction(db, async (tx) => {
    const stored = await lockWaiting(tx, caller, guid)
    if (stored.requestedBy === caller.userId)
      throw new ApiError('forbidden', 'Somebody else approves it: you requested it yourself.')
    await requirePerson(tx, caller)
    const mustBeAble = await requireOtherPerson(tx, caller.userId, stored.requestedBy)
    await requireRequester(tx, stored)
    const { act, amount, currencyCode, caseGuids } = stored
    const value = currencyCode === null ? null : { amount: BigInt(amount!), currencyCode }
    const leastPaid = stored.leastPaid === null ? null : BigInt(stored.leastPaid)
    const approved = {
      act,
      value,
      approvalGuid: guid,
      requested: stored.input,
      caseGuids,
      leastPaid,
      mustBeAble,
    }
    await callAct(tx, context, stored, { ...origin, approved })
    await decide(tx, context, { stored, status: 'APPROVED', decision })
  })
}

/** A program is no second person: whoever made the request may have made the program too. */
async function requirePerson(tx: Db, { userId, assistant }: Caller): Promise<void> {
  const [user] = await tx<
    { isProgram: boolean }[]
  >`select api_user as "isProgram" from app_user where id = ${userId}`
  if (assistant !== undefined || user!.isProgram)
    throw new ApiError('forbidden', 'A person approves it: API users and assistants do not.')
}

/**
 * Who made an account, or gave it its rights, may be both people. The requester's accounts never approve. Who made the
 * requester's account approves what they may do alone anyhow: returns why, or null when nothing ties them.
 */
async function requireOtherPerson(tx: Db, approver: string, requester: string): Promise<string | null> {
  const made = await findTie(tx, { account: approver, maker: requester })
  if (made !== null)
    throw new ApiError(
      'forbidden',
      `Somebody else approves it: whoever requested it ${made} your account. Two people are needed, and one may have both accounts.`,
    )
  return findTie(tx, { account: requester, maker: approver })
}

/** A request ends when its user could no longer do the act: else one person alone would answer for it. */
async function requireRequester(
  tx: Db,
  { approvalGuid, act, requestedBy }: Pick<StoredApproval, 'approvalGuid' | 'act' | 'requestedBy'>,
): Promise<void> {
  const user = await findUserCaller(tx, requestedBy, null)
  if (!user) throw new ApiError('conflict', 'The user who requested it is disabled or deleted. Reject it.')
  const mayAct =
    user.accessCodes.has(actOperations[act].code) && (await mayStillRequest(tx, user, approvalGuid))
  if (!mayAct) throw new ApiError('conflict', 'The user who requested it may no longer do it. Reject it.')
}

/** Rejects a request of somebody else, with a reason, or withdraws an own one. */
export function rejectRequest(
  db: Db,
  context: ApprovalContext,
  { guid, decision }: { guid: string; decision: ApprovalDecision },
): Promise<void> {
  const { caller } = context
  return inTransaction(db, async (tx) => {
    const stored = await lockWaiting(tx, caller, guid)
    const isOwn = stored.requestedBy === caller.userId
    if (!isOwn) {
      requireAccess({ access: [actOperations[stored.act].code] }, caller)
      if (!decision.decisionText?.trim())
        throw invalid({ decisionText: ['is required: why the request is rejected.'] })
    }
    await decide(tx, context, { stored, status: isOwn ? 'WITHDRAWN' : 'REJECTED', decision })
  })
}

interface Decision {
  stored: StoredApproval
  status: 'APPROVED' | 'REJECTED' | 'WITHDRAWN'
  decision: ApprovalDecision
}

async function decide(
  tx: Db,
  { caller, origin }: ApprovalContext,
  { stored, status, decision }: Decision,
): Promise<void> {
  await tx`
    update approval set status = ${status}, decided_by = ${caller.userId}, decided_at = now(),
      decision_text = ${decision.decisionText?.trim() || null}, event_sequence = ${stored.sequence}
    where id = ${stored.approvalGuid}`
  await tellRequester(tx, stored.approvalGuid)
  await note(tx, origin, {
    action: status.toLowerCase() as Lowercase<typeof status>,
    approval: stored,
    changes: {
      status: ['WAITING', status],
      ...(status === 'APPROVED' && { requestedBy: [null, stored.requestedBy] }),
    },
  })
}

interface Noted {
  action: 'requested' | 'approved' | 'rejected' | 'withdrawn'
  approval: Pick<StoredApproval, 'approvalGuid' | 'act' | 'id' | 'sequence'>
  changes: Change['changes']
}

async function note(tx: Db, origin: Origin, { action, approval, changes }: Noted): Promise<void> {
  const { approvalGuid, act, id, sequence } = approval
  const about = approvalSubjects[act]
  const change: Change = {
    type: `approval.${action}`,
    entityId: approvalGuid,
    subject: approvalGuid,
    sequence,
    data: { approvalGuid, act, ...(about && { [`${about}Guid`]: id }) },
    changes,
  }
  await insertRecords(tx, toRecords(origin, [change]))
}
