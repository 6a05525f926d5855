/** The rule of two persons: above a limit of their role nobody does an act alone. */
import type { ApprovalAct } from '../../../contract/access/approvals.ts'
import { formatMinor } from '../../../core/money/money.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/errors.ts'

export interface ActAmount {
  /** Minor units. */
  amount: bigint
  currencyCode: string
}

/** An act about to be done. A change of an account has no amount. */
export interface Act {
  act: ApprovalAct
  value: ActAmount | null
}

/** What a second person approves, while they do it. */
export interface ApprovedAct extends Act {
  approvalGuid: string
}

/** The act is above the limit of the caller's role. */
export class ApprovalNeeded extends ApiError {
  readonly needed: Act

  constructor(needed: Act, limit: string) {
    super('needs-approval', `${limit} Request it, and somebody else approves it.`, {
      members: { approval: { act: needed.act } },
    })
    this.needed = needed
  }
}

/** Users' acts only: what the agency itself does by its jobs has no role, and a strategy was decided by a person. */
const hasRole = ({ actorId }: Origin) => actorId !== null

/**
 * Call it in the act's transaction, when its amount is known and nothing is stored. Throws `ApprovalNeeded` above the
 * limit, and a 409 when what was approved no longer covers the act.
 */
export async function requireSecondPerson(
  tx: Db,
  caller: Pick<Caller, 'role'>,
  origin: Origin & { approved?: ApprovedAct },
  act: Act,
): Promise<void> {
  const { approved } = origin
  if (approved?.act === act.act) return requireCovered(approved, act)
  if (!hasRole(origin)) return
  const limits = await tx<{ currencyCode: string | null; amount: string }[]>`
    select currency_code as "currencyCode", amount::text as amount from approval_limit
    where act = ${act.act} and user_role = ${caller.role}`
  if (limits.length === 0) return
  const { value } = act
  if (value === null) throw new ApprovalNeeded(act, 'Your role changes no account alone.')
  const own = limits.find(({ currencyCode }) => currencyCode === value.currencyCode)
  const limit = own === undefined ? 0n : BigInt(own.amount)
  if (value.amount <= limit) return
  const [asked, most] = [value.amount, limit].map((amount) => formatMinor(amount, value.currencyCode))
  throw new ApprovalNeeded(
    act,
    `${asked} ${value.currencyCode} is above ${most} ${value.currencyCode}, the limit of your role.`,
  )
}

function requireCovered({ value: approved }: ApprovedAct, { value }: Act): void {
  if (approved === null || value === null) return
  if (value.currencyCode === approved.currencyCode && value.amount <= approved.amount) return
  throw new ApiError(
    'conflict',
    `The act is now about ${formatMinor(value.amount, value.currencyCode)} ${value.currencyCode}, more than was requested. Reject it, and request it anew.`,
  )
}
