/**
 * The lifecycle of a case. Forms, errors, lookups, documents and the console read these tables.
 *
 * Status and subStatus show the progress of collection. A hold replaces the shown subStatus of an open case
 * and stops automatic steps; the subStatus returns when the hold ends. A closure code must agree with the
 * balance. Reopening, by hand or by a reversed payment, restores the case exactly as it was.
 */

export const services = ['PRECOLLECTION', 'COLLECTION', 'SURVEILLANCE'] as const
export type CaseService = (typeof services)[number]

export const debtorRoles = [
  'MAIN_DEBTOR',
  'CO_DEBTOR',
  'GUARANTOR',
  'ESTATE',
  'GUARDIAN',
  'REPRESENTATIVE',
  'PAYER',
] as const
export type DebtorRole = (typeof debtorRoles)[number]

/**
 * Roles that are jointly and severally liable for the balance. The other roles only pay or receive letters.
 */
export const owingRoles: readonly DebtorRole[] = ['MAIN_DEBTOR', 'CO_DEBTOR', 'GUARANTOR', 'ESTATE']

export const holds = [
  'HOLD_DISPUTE',
  'HOLD_COMPLAINT',
  'HOLD_HARDSHIP',
  'HOLD_BANKRUPTCY',
  'HOLD_DEBT_RELIEF',
  'HOLD_DECEASED',
  'HOLD_REPRESENTED',
  'HOLD_FRAUD',
  'HOLD_CLIENT',
] as const
export type Hold = (typeof holds)[number]

/**
 * By status: its subStatuses, of which the first is the initial one, and the statuses that a user may choose
 * next.
 */
export const caseStatuses = {
  NEW: { subStatuses: ['REGISTERED', 'VALIDATING', 'AWAITING_CLIENT'], next: ['PRECOLLECTION', 'AMICABLE'] },
  PRECOLLECTION: { subStatuses: ['REMINDER_SENT'], next: ['AMICABLE'] },
  AMICABLE: {
    subStatuses: ['DEMAND_SENT', 'DEMAND_EXPIRED', 'CONTACT', 'PROMISE', 'PAYMENT_PLAN', 'SETTLEMENT_OFFER'],
    next: ['LEGAL', 'SURVEILLANCE'],
  },
  LEGAL: {
    subStatuses: ['PAYMENT_ORDER_APPLIED', 'SERVED', 'CONTESTED', 'COURT', 'TITLE_OBTAINED'],
    next: ['ENFORCEMENT', 'AMICABLE', 'SURVEILLANCE'],
  },
  ENFORCEMENT: { subStatuses: ['APPLIED', 'ATTACHMENT', 'NO_ASSETS'], next: ['SURVEILLANCE', 'AMICABLE'] },
  SURVEILLANCE: {
    subStatuses: ['DORMANT', 'REACTIVATION_CHECK', 'PAYMENT_PLAN'],
    next: ['AMICABLE', 'LEGAL', 'ENFORCEMENT'],
  },
  CLOSED: { subStatuses: ['PAID', 'SETTLED', 'RECALLED', 'WRITTEN_OFF', 'INVALID'], next: [] },
} as const satisfies Record<string, { subStatuses: readonly string[]; next: readonly string[] }>

export type CaseStatus = keyof typeof caseStatuses
export type OpenStatus = Exclude<CaseStatus, 'CLOSED'>
export type SubStatus = (typeof caseStatuses)[CaseStatus]['subStatuses'][number]

export const caseStatusCodes = Object.keys(caseStatuses) as CaseStatus[]

/** The subStatus required for a change between two statuses, if any. */
const neededSubStatus: readonly { from: CaseStatus; to: CaseStatus; subStatus: SubStatus }[] = [
  { from: 'LEGAL', to: 'ENFORCEMENT', subStatus: 'TITLE_OBTAINED' },
]

/**
 * The balance that a closure code requires. `covered`: at most the tolerance remains. `small`: more than zero
 * and at most the tolerance remains. `owing`: more than zero remains. `any`: no requirement.
 */
export type BalanceCondition = 'covered' | 'small' | 'owing' | 'any'

export const closureCodes = {
  PAID_IN_FULL: { subStatus: 'PAID', balance: 'covered' },
  PAID_TO_CLIENT: { subStatus: 'PAID', balance: 'covered' },
  SMALL_BALANCE: { subStatus: 'PAID', balance: 'small' },
  SETTLED: { subStatus: 'SETTLED', balance: 'any' },
  CREDITED: { subStatus: 'RECALLED', balance: 'covered' },
  RECALLED_BY_CLIENT: { subStatus: 'RECALLED', balance: 'any' },
  CLIENT_UNRESPONSIVE: { subStatus: 'RECALLED', balance: 'any' },
  DISPUTE_UPHELD: { subStatus: 'INVALID', balance: 'any' },
  INVALID_DATA: { subStatus: 'INVALID', balance: 'any' },
  DUPLICATE: { subStatus: 'INVALID', balance: 'any' },
  FRAUD: { subStatus: 'INVALID', balance: 'any' },
  MINOR: { subStatus: 'INVALID', balance: 'any' },
  DECEASED: { subStatus: 'WRITTEN_OFF', balance: 'any' },
  INSOLVENT: { subStatus: 'WRITTEN_OFF', balance: 'owing' },
  DEBT_RELIEF: { subStatus: 'WRITTEN_OFF', balance: 'any' },
  UNTRACEABLE: { subStatus: 'WRITTEN_OFF', balance: 'owing' },
  ABROAD: { subStatus: 'WRITTEN_OFF', balance: 'owing' },
  TIME_BARRED: { subStatus: 'WRITTEN_OFF', balance: 'owing' },
  UNECONOMICAL: { subStatus: 'WRITTEN_OFF', balance: 'owing' },
  WRITTEN_OFF: { subStatus: 'WRITTEN_OFF', balance: 'any' },
  SOLD: { subStatus: 'RECALLED', balance: 'owing' },
  MERGED: { subStatus: 'INVALID', balance: 'any' },
  OTHER: { subStatus: 'WRITTEN_OFF', balance: 'any' },
} as const satisfies Record<string, { subStatus: SubStatus; balance: BalanceCondition }>

export type ClosureCode = keyof typeof closureCodes
export const closureCodeList = Object.keys(closureCodes) as ClosureCode[]

/** A status with its subStatus. */
export interface CasePlace {
  status: OpenStatus
  subStatus: SubStatus
}

/** The lifecycle state of a case. `place` is its status underneath a hold and after a reopening. */
export interface CaseLifecycle {
  place: CasePlace
  hold: Hold | null
  /** The status before the active payment plan. Null without a plan. */
  beforePlan: CasePlace | null
  /** Set exactly when the case is closed. */
  closureCode: ClosureCode | null
}

/** The status and subStatus to show: the closure if closed, else the hold as subStatus, else the place. */
export function shownStatus(life: CaseLifecycle): { status: CaseStatus; subStatus: SubStatus | Hold } {
  if (life.closureCode) return { status: 'CLOSED', subStatus: closureCodes[life.closureCode].subStatus }
  return { status: life.place.status, subStatus: life.hold ?? life.place.subStatus }
}

export const hasSubStatus = (status: CaseStatus, subStatus: string): subStatus is SubStatus =>
  (caseStatuses[status].subStatuses as readonly string[]).includes(subStatus)

export const isOpenStatus = (status: string): status is OpenStatus =>
  status !== 'CLOSED' && Object.hasOwn(caseStatuses, status)

export const newCase: CaseLifecycle = {
  place: { status: 'NEW', subStatus: 'REGISTERED' },
  hold: null,
  beforePlan: null,
  closureCode: null,
}

export type LifecycleResult =
  { ok: true; life: CaseLifecycle } | { ok: false; message: string; allowedTransitions: string[] }

/**
 * The statuses that a case may change to. Includes its own status when that has several subStatuses. An open
 * case may always become CLOSED, by closing it. A closed case may return to its previous status, by reopening
 * it.
 */
export function allowedTransitions(life: CaseLifecycle): CaseStatus[] {
  if (life.closureCode) return [life.place.status]
  const { status, subStatus } = life.place
  const next: readonly CaseStatus[] = caseStatuses[status].next
  const open = next.filter((to) =>
    neededSubStatus.every((need) => need.from !== status || need.to !== to || need.subStatus === subStatus),
  )
  const own: CaseStatus[] = caseStatuses[status].subStatuses.length > 1 ? [status] : []
  return [...own, ...open, 'CLOSED']
}

/** What a case shows of its life, as lists have it. */
export interface ShownPlace {
  status: string
  subStatus: string
  hold: string | null
}

/**
 * Whether a case that shows `from` can be given its status again after a change to `to`. A case on hold shows its hold
 * instead of its sub-status, and the status of a payment plan cannot be restored by hand.
 */
export function mayReturn(from: ShownPlace, to: { status: string; subStatus: string }): boolean {
  if (from.hold !== null || from.subStatus === 'PAYMENT_PLAN') return false
  if (!isOpenStatus(from.status) || !hasSubStatus(from.status, from.subStatus)) return false
  const { status, subStatus } = to
  if (!isOpenStatus(status) || !hasSubStatus(status, subStatus)) return false
  const place = { status, subStatus }
  return allowedTransitions({ place, hold: null, beforePlan: null, closureCode: null }).includes(from.status)
}

const refuse = (life: CaseLifecycle, message: string): LifecycleResult => ({
  ok: false,
  message,
  allowedTransitions: allowedTransitions(life),
})

const joinCodes = (list: readonly string[]): string => list.join(', ')

/**
 * Changes the status and subStatus, by a user or (`automatic`) by a collection step, which a hold stops.
 * Without a subStatus the case gets the initial one of the status. A hold stays in place.
 */
export function changeStatus(
  life: CaseLifecycle,
  status: CaseStatus,
  subStatus?: string | null,
  { automatic = false } = {},
): LifecycleResult {
  if (life.closureCode)
    return refuse(life, `The case is closed. Reopen it first; it then returns to ${life.place.status}.`)
  if (status === 'CLOSED')
    return refuse(life, 'A status change cannot close a case. Close it with a closure code.')
  if (automatic && life.hold)
    return refuse(
      life,
      `The case is on hold (${life.hold}), which stops automatic steps. End the hold first.`,
    )
  const allowed = allowedTransitions(life)
  if (status !== life.place.status && !allowed.includes(status))
    return refuse(life, describeRefusal(life, status))
  const [first] = caseStatuses[status].subStatuses
  const given = subStatus ?? (status === life.place.status ? life.place.subStatus : first)
  if (!hasSubStatus(status, given)) {
    return refuse(
      life,
      `The subStatus of ${status} must be one of ${joinCodes(caseStatuses[status].subStatuses)}.`,
    )
  }
  if (given === 'PAYMENT_PLAN' && !life.beforePlan)
    return refuse(
      life,
      'A case has the subStatus PAYMENT_PLAN only while a payment plan is active. Activate a plan instead.',
    )
  return { ok: true, life: { ...life, place: { status, subStatus: given } } }
}

function describeRefusal(life: CaseLifecycle, status: CaseStatus): string {
  const need = neededSubStatus.find(({ from, to }) => from === life.place.status && to === status)
  if (need) return `A case can change from ${need.from} to ${status} only from ${need.subStatus}.`
  return `A case in ${life.place.status} cannot become ${status}. Choose one of ${joinCodes(allowedTransitions(life))}.`
}

/** Puts an open case on hold, or changes the reason of its hold. */
export function holdCase(life: CaseLifecycle, hold: Hold): LifecycleResult {
  if (life.closureCode) return refuse(life, 'The case is closed. Only an open case can be put on hold.')
  if (life.hold !== null && life.hold !== hold && protects(life.hold, hold))
    return refuse(
      life,
      `The case is on hold for ${life.hold}, which protects the debtor. Lift that hold before you choose another.`,
    )
  return { ok: true, life: { ...life, hold } }
}

/** Holds that tell of the debtor: all of the debtor's claims are protected by them. */
const personalHolds: ReadonlySet<Hold> = new Set(['HOLD_BANKRUPTCY', 'HOLD_DEBT_RELIEF', 'HOLD_DECEASED'])

/** True if another hold in its place would end a protection of the debtor unsaid. */
const protects = (hold: Hold, other: Hold): boolean =>
  hold === 'HOLD_DECEASED' || (personalHolds.has(hold) && !personalHolds.has(other))

/** Ends the hold. The subStatus underneath is shown again. */
export function resumeCase(life: CaseLifecycle): LifecycleResult {
  if (life.closureCode) return refuse(life, 'The case is closed and has no hold.')
  if (!life.hold) return refuse(life, 'The case is not on hold.')
  return { ok: true, life: { ...life, hold: null } }
}

/** The remaining amount and the tolerance of a case, in minor units. */
export interface Balance {
  remaining: bigint
  tolerance: bigint
}

/** Returns whether a balance allows a closure code. */
export function meetsBalance(code: ClosureCode, { remaining, tolerance }: Balance): boolean {
  const condition: BalanceCondition = closureCodes[code].balance
  if (condition === 'covered') return remaining <= tolerance
  if (condition === 'small') return remaining > 0n && remaining <= tolerance
  return condition === 'any' || remaining > 0n
}

/** Why a balance does not allow a closure code. */
const refusals: Record<Exclude<BalanceCondition, 'any'>, string> = {
  covered: 'The case still has more outstanding than the tolerance',
  small: 'The outstanding amount is zero or above the tolerance',
  owing: 'The case has nothing outstanding',
}

/** The closure codes that a balance allows. */
export const allowedClosureCodes = (balance: Balance): ClosureCode[] =>
  closureCodeList.filter((code) => meetsBalance(code, balance))

/** Closes an open case, on hold or not. Hold and status are kept for a reopening. */
export function closeCase(life: CaseLifecycle, code: ClosureCode, balance: Balance): LifecycleResult {
  if (life.closureCode) return refuse(life, 'The case is already closed.')
  const condition: BalanceCondition = closureCodes[code].balance
  if (condition !== 'any' && !meetsBalance(code, balance))
    return refuse(
      life,
      `${refusals[condition]}, so it cannot be closed as ${code}. Choose another closure code.`,
    )
  return { ok: true, life: { ...life, closureCode: code } }
}

/** Reopens a closed case with its previous status, subStatus, hold and plan. */
export function reopenCase(life: CaseLifecycle): LifecycleResult {
  if (!life.closureCode) return refuse(life, 'The case is open. Only a closed case can be reopened.')
  return { ok: true, life: { ...life, closureCode: null } }
}

/**
 * Puts an open case into an active payment plan. In SURVEILLANCE it keeps that status, otherwise it becomes
 * AMICABLE, because only these two have the subStatus. The previous status is stored.
 */
export function startPlan(life: CaseLifecycle): LifecycleResult {
  if (life.closureCode)
    return refuse(life, 'The case is closed. Only an open case can be part of an active payment plan.')
  if (life.beforePlan) return refuse(life, 'The case is already part of an active payment plan.')
  const status = life.place.status === 'SURVEILLANCE' ? 'SURVEILLANCE' : 'AMICABLE'
  return { ok: true, life: { ...life, place: { status, subStatus: 'PAYMENT_PLAN' }, beforePlan: life.place } }
}

/**
 * Ends a plan. The case, open or closed, gets its previous status back, unless a user has changed its status
 * since.
 */
export function endPlan(life: CaseLifecycle): LifecycleResult {
  if (!life.beforePlan) return refuse(life, 'The case is not part of an active payment plan.')
  const place = life.place.subStatus === 'PAYMENT_PLAN' ? life.beforePlan : life.place
  return { ok: true, life: { ...life, place, beforePlan: null } }
}

/** The closure code of an automatic closing. Null while more than the tolerance remains. */
export function closureByBalance({ remaining, tolerance }: Balance): 'PAID_IN_FULL' | 'SMALL_BALANCE' | null {
  if (remaining <= 0n) return 'PAID_IN_FULL'
  return remaining <= tolerance ? 'SMALL_BALANCE' : null
}
