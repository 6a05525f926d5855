/** Assigns cases, sets their next action, and marks items of work as done. */
import type {
  AssignmentInput,
  HandlingInput,
  NextActionInput,
  WorkDoneInput,
} from '../../contract/work/work.ts'
import { rowParameters, rowsFrom } from '../platform/database/row-text.ts'
import { runStatement } from '../platform/database/statement.ts'
import { inTransaction, type Db } from '../platform/database/transaction.ts'
import type { Caller, Origin } from '../platform/http/caller.ts'
import { FieldErrors } from '../platform/http/errors.ts'
import { requireMatch, type IfMatch } from '../platform/http/version.ts'
import {
  holdCases,
  writeHandling,
  type CaseHandling,
  type HandlingUpdate,
  type HeldCase,
} from './case-handling.ts'
import { tellOwners } from './notifications/tell-handlers.ts'
import { noteCase, workRows } from './work-reasons.ts'
import * as store from './work.store.ts'

const assignment = ({ row, before }: HeldCase, after: CaseHandling): HandlingUpdate => ({
  row,
  before,
  after,
  action: 'assigned',
  data: { ownerGuid: after.ownerGuid, teamGuid: after.teamGuid },
})

/** Returns the number of cases that changed. Throws a 400 for an unknown handler or team, and a 404. */
export async function assignCases(
  db: Db,
  caller: Caller,
  { caseGuids, ...input }: AssignmentInput,
  origin: Origin,
): Promise<number> {
  return inTransaction(db, async (tx) => {
    const held = await holdCases(tx, caller, caseGuids)
    const checks = new FieldErrors()
    await checkOwners(tx, caller, input, checks)
    checks.throwIfAny()
    return writeOwners(tx, held, input, origin)
  })
}

/** The handler and team of cases; a member that is left out stays. */
type Owners = Omit<AssignmentInput, 'caseGuids'>

/** Returns the number of cases that changed. */
async function writeOwners(
  tx: Db,
  held: readonly HeldCase[],
  input: Owners,
  origin: Origin,
): Promise<number> {
  const updates = held
    .map((one) => assignment(one, { ...one.before, ...input }))
    .filter(({ before, after }) => before.ownerGuid !== after.ownerGuid || before.teamGuid !== after.teamGuid)
  await writeHandling(tx, updates, origin)
  await tellOwners(tx, updates, origin)
  return updates.length
}

async function checkOwners(
  db: Db,
  caller: Caller,
  { ownerGuid, teamGuid }: Owners,
  checks: FieldErrors,
): Promise<void> {
  const { users, teams } = await store.listWorkOwners(db, caller)
  if (ownerGuid === undefined && teamGuid === undefined)
    checks.add('ownerGuid', 'is required, or teamGuid: choose a handler or a team.')
  const mayOwn = (guid: string) => guid === caller.userId || users.some(({ userGuid }) => userGuid === guid)
  if (ownerGuid && !mayOwn(ownerGuid)) checks.add('ownerGuid', 'must be a user who handles cases.')
  if (teamGuid && !teams.some((team) => team.teamGuid === teamGuid))
    checks.add('teamGuid', 'must be an access group of users who handle cases.')
}

/**
 * Makes the caller the handler of the next free case. A case that somebody else took in the meantime is passed over: each
 * try ends with a case taken, by the caller or by another. Returns the case with the item that led to it.
 */
export async function takeNext(db: Db, caller: Caller, origin: Origin): Promise<store.NextCase | undefined> {
  for (;;) {
    const next = await store.findNextCase(db, caller)
    if (!next) return undefined
    const isTaken = await inTransaction(db, async (tx) => {
      const [held] = await holdCases(tx, caller, [next.caseGuid])
      if (held!.before.ownerGuid !== null) return false
      await writeHandling(tx, [assignment(held!, { ...held!.before, ownerGuid: caller.userId })], origin)
      return true
    })
    if (isTaken) return next
  }
}

interface NextAction {
  caseGuid: string
  input: NextActionInput
  ifMatch: IfMatch
}

/** Throws a 400, 404 or 412. */
export async function setNextAction(
  db: Db,
  caller: Caller,
  { caseGuid, input, ifMatch }: NextAction,
  origin: Origin,
): Promise<void> {
  const next = readNextAction(input)
  const checks = new FieldErrors()
  checkNextAction(next, origin, checks)
  await inTransaction(db, async (tx) => {
    const [held] = await holdCases(tx, caller, [caseGuid])
    checks.throwIfAny()
    requireMatch(ifMatch, held!.row.version)
    await writeNextAction(tx, held!, next, origin)
  })
}

type NextStep = Pick<CaseHandling, 'nextAction' | 'nextActionDate'>

const readNextAction = ({ nextAction, nextActionDate }: NextActionInput): NextStep => ({
  nextAction: nextAction?.trim() || null,
  nextActionDate: nextActionDate?.slice(0, 10) || null,
})

/** A day that the case has already, `kept`, may be past. */
function checkNextAction(
  { nextAction, nextActionDate }: NextStep,
  { businessDate }: Origin,
  checks: FieldErrors,
  kept: string | null = null,
): void {
  if (nextAction !== null && nextActionDate === null)
    checks.add('nextActionDate', 'is required with a next action: say when the case shall come back.')
  if (nextActionDate !== null && nextActionDate < businessDate && nextActionDate !== kept)
    checks.add('nextActionDate', 'must not be before the business date.')
}

async function writeNextAction(tx: Db, held: HeldCase, next: NextStep, origin: Origin): Promise<void> {
  const { nextActionDate } = next
  // The same follow-up on the same date is work again.
  await tx`delete from work_done where case_id = ${held.row.caseGuid} and reason = 'FOLLOW_UP' and due_date = ${nextActionDate}`
  const after = { ...held.before, ...next }
  await writeHandling(tx, [{ ...held, after, action: 'next_action_set', data: { nextActionDate } }], origin)
}

interface Handling {
  caseGuid: string
  input: HandlingInput
  ifMatch: IfMatch
}

/**
 * Changes handler, team and next action of a case as `assignCases` and `setNextAction` do; a member that is left out
 * stays, and an empty one is cleared. Returns the version. Throws a 400, 404 or 412.
 */
export async function changeHandling(
  db: Db,
  caller: Caller,
  { caseGuid, input, ifMatch }: Handling,
  origin: Origin,
): Promise<number> {
  return inTransaction(db, async (tx) => {
    const [held] = await holdCases(tx, caller, [caseGuid])
    const { row, before } = held!
    requireMatch(ifMatch, row.version)
    const owners = readOwners(input)
    const next = readNextAction({ ...before, ...input })
    const checks = new FieldErrors()
    if (Object.keys(owners).length > 0) await checkOwners(tx, caller, owners, checks)
    checkNextAction(next, origin, checks, before.nextActionDate)
    checks.throwIfAny()
    await writeOwners(tx, [held!], owners, origin)
    const isNext = next.nextAction !== before.nextAction || next.nextActionDate !== before.nextActionDate
    if (isNext) await writeNextAction(tx, { row, before: { ...before, ...owners } }, next, origin)
    return row.version
  })
}

const readOwners = ({ ownerGuid, teamGuid }: HandlingInput): Owners => ({
  ...(ownerGuid !== undefined && { ownerGuid: ownerGuid?.toLowerCase() || null }),
  ...(teamGuid !== undefined && { teamGuid: teamGuid?.toLowerCase() || null }),
})

const doneTypes = { case_id: 'uuid', reason: 'text', due_date: 'date' }

/** Returns the number of items that were not done before. Throws a 400 for an item that is not in the queue, or a 404. */
export async function completeWork(
  db: Db,
  caller: Caller,
  input: WorkDoneInput,
  origin: Origin,
): Promise<number> {
  const items = input.items.map(({ caseGuid, reason, dueDate }) => ({
    case_id: caseGuid,
    reason,
    due_date: dueDate.slice(0, 10),
  }))
  return inTransaction(db, async (tx) => {
    const held = await holdCases(
      tx,
      caller,
      items.map((item) => item.case_id),
    )
    const done = await runStatement<DoneItem>(
      tx,
      `insert into work_done (case_id, reason, due_date, done_date, done_by)
       select given.case_id, given.reason, given.due_date, $1::date, $2::uuid from ${rowsFrom(doneTypes, 3)} given
       where exists (select from ${workRows} w
         where w.user_id is null and w.case_id = given.case_id and w.reason = given.reason and w.due_date = given.due_date)
       on conflict do nothing returning case_id, reason, due_date::text`,
      [origin.businessDate, origin.actorId, ...rowParameters(doneTypes, items)],
    )
    done.push(...(await completeMentions(tx, caller, items, origin)))
    const byCase = Map.groupBy(done, ({ case_id }) => case_id)
    const updates = held.flatMap((one): HandlingUpdate[] => {
      const own = byCase.get(one.row.caseGuid)
      if (!own) return []
      const isFollowedUp = own.some(({ reason }) => reason === 'FOLLOW_UP')
      const after = isFollowedUp ? { ...one.before, nextAction: null, nextActionDate: null } : one.before
      const reasons = own.map(({ reason, due_date: dueDate }) => ({ reason, dueDate }))
      return [{ ...one, after, action: 'work_done', data: { reasons } }]
    })
    await writeHandling(tx, updates, origin)
    return done.length
  })
}

interface DoneItem {
  case_id: string
  reason: string
  due_date: string
}

/** Marks what the caller is mentioned in as done: for the caller alone. */
async function completeMentions(
  tx: Db,
  caller: Caller,
  items: readonly DoneItem[],
  origin: Origin,
): Promise<DoneItem[]> {
  const given = items.filter(({ reason }) => reason === 'MENTION')
  if (given.length === 0) return []
  return runStatement<DoneItem>(
    tx,
    `with marked as (
       update note_mention m set done_date = $1::date
       from note n, ${rowsFrom(doneTypes, 3)} given
       where n.id = m.note_id and m.user_id = $2::uuid and m.done_date is null
         and m.mentioned_date = given.due_date and given.case_id = ${noteCase}
       returning given.case_id, given.reason, given.due_date)
     select distinct case_id, reason, due_date::text from marked`,
    [origin.businessDate, caller.userId, ...rowParameters(doneTypes, given)],
  )
}
