/** The rule of two persons: above a limit of their role nobody does an act alone. docs/domain/approvals.md has the rules. */
import { actsAlone, type ApprovalAct } from '../../../contract/access/approvals.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { findReader } from '../../platform/dictionary/reader.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/errors.ts'
import {
  findLimits,
  findLimitsOrNote,
  insertLoneActs,
  sumOfUser,
  sumsOfCases,
  type CaseShare,
  type StoredLimit,
} from './lone-acts.store.ts'

export interface ActAmount {
  /** Minor units. */
  amount: bigint
  currencyCode: string
}

/** An act about to be done. A change of an account has no amount. */
export interface Act {
  act: ApprovalAct
  value: ActAmount | null
  /** What it does to each case, which the transaction holds. Empty for an act that does not add up. */
  shares?: readonly CaseShare[]
  /** What a request keeps instead of its input, so that exactly this is approved. */
  pinned?: Record<string, unknown>
  /**
   * The amount grows with each day, as interest does, so the input alone says what is approved. What the debtor pays
   * by a plan may still not become less.
   */
  grows?: { leastPaid?: bigint }
  /** Of `BACKDATED_PAYMENT`, whose limit is of days and not of an amount. */
  daysBack?: number
  /** What is no longer as the request said, as a sentence. Null when the act is the one that was requested. */
  findChange?: (requested: Record<string, unknown>) => string | null
}

/** What a second person approves, while they do it. */
export interface ApprovedAct extends Pick<Act, 'act' | 'value'> {
  approvalGuid: string
  /** The input of the request, or what it keeps instead. */
  requested: Record<string, unknown>
  /** The cases of the request. Empty when it was stored before they were. */
  caseGuids: readonly string[]
  leastPaid: bigint | null
  /** What the approver did to the requester's account: then the act must be within the approver's own limit. */
  mustBeAble: string | null
}
export type ActOrigin = Origin & { approved?: ApprovedAct }

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

/** An act on one case. */
export const onCase = (
  act: ApprovalAct,
  { caseGuid, currencyCode }: { caseGuid: string; currencyCode: string },
  amount: bigint,
): Act => ({ act, value: { amount, currencyCode }, shares: [{ caseGuid, amount }] })

interface Limit {
  amount: bigint
  userAmount: bigint
  /** Null: acts do not add up. */
  periodDays: number | null
}

/**
 * Call it in the act's transaction, when its amount is known, its cases are locked and nothing is stored. Throws
 * `ApprovalNeeded` above the limit, and a 409 when what was approved no longer covers the act. Users' acts only: what
 * the agency itself does by its jobs has no role, and a strategy was decided by a person.
 */
export async function requireSecondPerson(
  tx: Db,
  caller: Pick<Caller, 'role' | 'language'>,
  origin: ActOrigin,
  act: Act,
): Promise<void> {
  const { approved, actorId } = origin
  if (approved?.act === act.act) {
    requireCovered(approved, act, caller)
    return requireAble(tx, caller, origin, { approved, act })
  }
  if (actorId === null) return
  const { value, shares = [] } = act
  if (value === null || act.daysBack !== undefined || actsAlone.includes(act.act))
    return requireAlone(tx, caller, origin, act)
  const { currencyCode } = value
  const one = { currencyCode, today: origin.businessDate, userGuid: actorId }
  const acts = shares.map((share) => ({ ...share, ...one }))
  const limits = await findLimitsOrNote(tx, { act: act.act, role: caller.role }, acts)
  if (limits.length === 0) return
  await requireWithin(tx, { ...one, language: caller.language }, act, chooseLimit(limits, act))
  await insertLoneActs(tx, act.act, acts)
}

/** Throws when the caller's role does not do the act alone. */
async function requireAlone(
  tx: Db,
  caller: Pick<Caller, 'role' | 'language'>,
  { actorId, businessDate: today }: Origin,
  act: Act,
): Promise<void> {
  if (act.daysBack !== undefined) {
    // No limit is below zero days.
    if (act.daysBack > 0) await requireRecent(tx, caller, act, act.daysBack)
    return
  }
  const { language, role } = caller
  const limits = await findLimits(tx, { act: act.act, role })
  if (limits.length === 0) return
  await requireWithin(tx, { userGuid: actorId!, today, language }, act, chooseLimit(limits, act))
}

/** Throws a 403 when the approver may be the requester, and does not do the act alone. */
async function requireAble(
  tx: Db,
  caller: Pick<Caller, 'role' | 'language'>,
  origin: Origin,
  { approved: { mustBeAble }, act }: { approved: ApprovedAct; act: Act },
): Promise<void> {
  if (mustBeAble === null) return
  try {
    await requireAlone(tx, caller, origin, act)
  } catch (error) {
    if (!(error instanceof ApprovalNeeded)) throw error
    throw new ApiError(
      'forbidden',
      `Somebody else approves it: you ${mustBeAble} the account that requested it, and the act is above the limit of your own role.`,
    )
  }
}

/** Whether the caller's role has a limit of the act, in any currency. */
export async function hasLimit(db: Db, caller: Pick<Caller, 'role'>, act: ApprovalAct): Promise<boolean> {
  const limits =
    await db`select from approval_limit where act = ${act} and user_role = ${caller.role} limit 1`
  return limits.length > 0
}

/** Throws when the value date is further back than the caller's role goes alone. */
async function requireRecent(
  tx: Db,
  caller: Pick<Caller, 'role'>,
  act: Act,
  daysBack: number,
): Promise<void> {
  const [limit] = await tx<{ days: number }[]>`
    select coalesce(days_back, 0) as days from approval_limit where act = ${act.act} and user_role = ${caller.role}`
  if (limit !== undefined && daysBack > limit.days)
    throw new ApprovalNeeded(
      act,
      `The value date is ${daysBack} days before the business date, more than ${limit.days}, the limit of your role.`,
    )
}

/** The limit in the act's currency. Throws for an account. */
function chooseLimit(limits: readonly StoredLimit[], act: Act): Limit {
  const { value } = act
  if (value === null) throw new ApprovalNeeded(act, 'Your role changes no account alone.')
  const own = limits.find(({ currencyCode }) => currencyCode === value.currencyCode)
  if (own === undefined) return { amount: 0n, userAmount: 0n, periodDays: null }
  return { amount: BigInt(own.amount), userAmount: BigInt(own.userAmount), periodDays: own.periodDays }
}

/** Throws when the act, or the act with those before it, is above the limit. */
async function requireWithin(
  tx: Db,
  { userGuid, today, language }: { userGuid: string; today: string } & Pick<Caller, 'language'>,
  act: Act,
  { amount: most, userAmount, periodDays }: Limit,
): Promise<void> {
  const { amount, currencyCode } = act.value!
  const { formats } = findReader(language)
  const money = (minor: bigint) => formats.money(minor, currencyCode)
  if (amount > most)
    throw new ApprovalNeeded(act, `${money(amount)} is above ${money(most)}, the limit of your role.`)
  if (amount === 0n || periodDays === null) return
  const shares = act.shares ?? []
  const counted = { act: act.act, currencyCode, today, periodDays }
  const within = periodDays === 1 ? 'today' : `within ${periodDays} days`
  const cases = shares.flatMap(({ caseGuid }) => caseGuid ?? [])
  const before = await sumsOfCases(tx, cases, counted)
  for (const { caseGuid, amount: share } of shares) {
    const sum = caseGuid === null ? 0n : (before.get(caseGuid) ?? 0n)
    if (share > 0n && sum + share > most)
      throw new ApprovalNeeded(
        act,
        `${money(share)}, with ${money(sum)} that was done on the case alone ${within}, is above ${money(most)}, the limit of your role.`,
      )
  }
  const own = await sumOfUser(tx, userGuid, counted)
  if (own + amount > userAmount)
    throw new ApprovalNeeded(
      act,
      `${money(amount)}, with ${money(own)} that you did alone ${within}, is above ${money(userAmount)}, the limit of your role.`,
    )
}

/** Throws a 409 when the act is no longer what was requested. */
function requireCovered(
  { value: approved, caseGuids, leastPaid, requested }: ApprovedAct,
  act: Act,
  { language }: Pick<Caller, 'language'>,
): void {
  const { value, shares = [], grows, findChange } = act
  const change = findChange?.(requested) ?? null
  if (change !== null) throw changedSince(change)
  const others =
    caseGuids.length > 0 && shares.some(({ caseGuid }) => caseGuid !== null && !caseGuids.includes(caseGuid))
  if (others) throw changedSince('The act is now about other cases than were requested.')
  if (approved === null || value === null) return
  if (leastPaid !== null && (grows?.leastPaid ?? leastPaid) < leastPaid)
    throw changedSince('The debtor would now pay less than was requested.')
  if (grows) return
  if (value.currencyCode === approved.currencyCode && value.amount <= approved.amount) return
  const money = findReader(language).formats.money(value.amount, value.currencyCode)
  throw changedSince(`The act is now about ${money}, more than was requested.`)
}

/** The act is no longer the one that was requested. */
export const changedSince = (what: string) =>
  new ApiError('conflict', `${what} Reject it, and request it anew.`)
