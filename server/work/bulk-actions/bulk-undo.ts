/** The call that undoes a row of a bulk action, and what must not have changed since. */
import { ApiError } from '../../platform/http/errors.ts'
import type { Db } from '../../platform/database/transaction.ts'

export interface Undo {
  operation: string
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  /** The version of the case after the change. */
  version?: number
  /** The strategy of the client after the change. */
  strategy?: string
}

export interface CaseState {
  caseGuid: string
  version: number
  debtorGuid: string
  status: string
  subStatus: string
  hold: string | null
  ownerGuid: string | null
  teamGuid: string | null
  nextAction: string | null
  nextActionDate: string | null
}

/** The case as it is, of cases that an operation has let the caller see; undefined for an unknown one. */
export async function findCaseState(tx: Db, caseGuid: string): Promise<CaseState | undefined> {
  const [row] = await tx<CaseState[]>`
    select id as "caseGuid", version, main_debtor_id as "debtorGuid", status, sub_status as "subStatus", hold,
      owner_user_id as "ownerGuid", owner_group_id as "teamGuid", next_action as "nextAction",
      next_action_date::timestamptz as "nextActionDate"
    from debt_case where id = ${caseGuid}`
  return row
}

/** The code of a client's own strategy; empty without one. */
export async function findClientStrategy(tx: Db, clientGuid: string): Promise<string> {
  const [row] = await tx<{ code: string | null }[]>`
    select s.code from party p left join strategy s on s.id = p.strategy_id where p.id = ${clientGuid}`
  return row?.code ?? ''
}

const changed = () => new ApiError('conflict', 'It was changed meanwhile, and stays as it is.')

/** Throws a 409 when somebody has changed the record since. */
export async function requireUnchanged(tx: Db, subjectGuid: string, undo: Undo): Promise<void> {
  if (undo.version !== undefined) {
    const now = await findCaseState(tx, subjectGuid)
    if (now?.version !== undo.version) throw changed()
  }
  if (undo.strategy !== undefined && (await findClientStrategy(tx, subjectGuid)) !== undo.strategy)
    throw changed()
  if (!(await isAsMade(tx, undo))) throw changed()
}

/** True unless somebody has changed the plan or note that the row got: a plan that was activated is no proposal any more. */
async function isAsMade(tx: Db, { operation, params, query }: Undo): Promise<boolean> {
  if (operation === 'cancelPaymentPlan') {
    const plans = await tx`
      select from payment_plan where id = ${String(params!['paymentplanGuid'])} and active = 2 and version = 1`
    return plans.length > 0
  }
  if (operation !== 'deleteFromForm') return true
  const notes = await tx`select from note where id = ${String(query!['subId'])} and version = 1`
  return notes.length > 0
}
