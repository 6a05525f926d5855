/**
 * The life of a case as one table: what forms, errors, lookups, documents and the console read.
 *
 * Status and subStatus tell how far collection has come. A hold lies over the subStatus of an open case and stops
 * automatic steps; lifting it shows the subStatus again. A case closes by a code that must agree with its balance, and
 * comes back, on reopening or when a payment is reversed, exactly as it was.
 */

export const services = ['PRECOLLECTION', 'COLLECTION', 'SURVEILLANCE'] as const
export type Service = (typeof services)[number]

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

/** Roles that owe the case's balance, jointly and severally; the others are only written to or pay. */
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

/** Per status its subStatuses, the first being the one a case enters by, and the statuses it may go to by hand. */
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

/** The subStatus a case must have to go from one status to another, where there is one. */
export const neededSubStatus: readonly { from: CaseStatus; to: CaseStatus; subStatus: SubStatus }[] = [
  { from: 'LEGAL', to: 'ENFORCEMENT', subStatus: 'TITLE_OBTAINED' },
]

/**
 * What a closure code says of the balance: `covered`, nothing above the tolerance remains; `small`, something does but
 * not above the tolerance; `owing`, something remains; `any`, nothing is said.
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

/** A place in the machine. */
export interface Place {
  status: OpenStatus
  subStatus: SubStatus
}

/** The state of a case. `place` is where it stands, or stood when it was closed; hold and plan place lie over it. */
export interface CaseLife {
  place: Place
  hold: Hold | null
  /** Where the case stood before an active payment plan moved it; null without one. */
  beforePlan: Place | null
  /** Not null exactly when the case is closed. */
  closureCode: ClosureCode | null
}

/** What is shown as the case's status and subStatus: the closure before the hold before the place. */
export function shownStatusOf(life: CaseLife): { status: CaseStatus; subStatus: SubStatus | Hold } {
  if (life.closureCode) return { status: 'CLOSED', subStatus: closureCodes[life.closureCode].subStatus }
  return { status: life.place.status, subStatus: life.hold ?? life.place.subStatus }
}

export const isSubStatusOf = (status: CaseStatus, subStatus: string): subStatus is SubStatus =>
  (caseStatuses[status].subStatuses as readonly string[]).includes(subStatus)

export const isOpenStatus = (status: string): status is OpenStatus =>
  status !== 'CLOSED' && Object.hasOwn(caseStatuses, status)

export const newCase: CaseLife = {
  place: { status: 'NEW', subStatus: 'REGISTERED' },
  hold: null,
  beforePlan: null,
  closureCode: null,
}

export type LifeResult =
  { ok: true; life: CaseLife } | { ok: false; message: string; allowedTransitions: string[] }

/**
 * The statuses a case may be given now, the one it has included when that has other subStatuses to choose from. CLOSED
 * is always allowed to an open case (by closing), the status before to a closed one (by reopening).
 */
export function allowedTransitions(life: CaseLife): CaseStatus[] {
  if (life.closureCode) return [life.place.status]
  const { status, subStatus } = life.place
  const next: readonly CaseStatus[] = caseStatuses[status].next
  const open = next.filter((to) =>
    neededSubStatus.every((need) => need.from !== status || need.to !== to || need.subStatus === subStatus),
  )
  const own: CaseStatus[] = caseStatuses[status].subStatuses.length > 1 ? [status] : []
  return [...own, ...open, 'CLOSED']
}

const refuse = (life: CaseLife, message: string): LifeResult => ({
  ok: false,
  message,
  allowedTransitions: allowedTransitions(life),
})

const among = (list: readonly string[]): string => list.join(', ')

/**
 * The case given a status and subStatus by hand (`automatic` false) or by a step of ours, which a hold stops. Without a
 * subStatus the case enters by the status's first. A hold stays over the new place.
 */
export function changeStatus(
  life: CaseLife,
  status: CaseStatus,
  subStatus?: string | null,
  { automatic = false } = {},
): LifeResult {
  if (life.closureCode)
    return refuse(life, `The case is closed; reopened it is ${life.place.status} as before.`)
  if (status === 'CLOSED') return refuse(life, 'A case is closed with a closure code, not by its status.')
  if (automatic && life.hold)
    return refuse(life, `The case is on hold (${life.hold}), which stops automatic steps.`)
  const allowed = allowedTransitions(life)
  if (status !== life.place.status && !allowed.includes(status)) return refuse(life, refusalOf(life, status))
  const [first] = caseStatuses[status].subStatuses
  const given = subStatus ?? (status === life.place.status ? life.place.subStatus : first)
  if (!isSubStatusOf(status, given)) {
    return refuse(life, `A subStatus of ${status} is one of ${among(caseStatuses[status].subStatuses)}.`)
  }
  if (given === 'PAYMENT_PLAN' && !life.beforePlan)
    return refuse(life, 'A case is on PAYMENT_PLAN while a payment plan is active, not by its status.')
  return { ok: true, life: { ...life, place: { status, subStatus: given } } }
}

function refusalOf(life: CaseLife, status: CaseStatus): string {
  const need = neededSubStatus.find(({ from, to }) => from === life.place.status && to === status)
  if (need) return `${need.from} goes to ${status} only from ${need.subStatus}.`
  return `A case in ${life.place.status} may become ${among(allowedTransitions(life))}, not ${status}.`
}

/** Puts a hold on an open case, or changes the one it has. */
export function holdCase(life: CaseLife, hold: Hold): LifeResult {
  if (life.closureCode) return refuse(life, 'Only an open case can be put on hold; this one is closed.')
  return { ok: true, life: { ...life, hold } }
}

/** Lifts the hold; the subStatus that lay under it shows again. */
export function resumeCase(life: CaseLife): LifeResult {
  if (life.closureCode) return refuse(life, 'The case is closed and has no hold to lift.')
  if (!life.hold) return refuse(life, 'The case is not on hold.')
  return { ok: true, life: { ...life, hold: null } }
}

/** What remains on a case against what is forgiven, in minor units. */
export interface Balance {
  remaining: bigint
  tolerance: bigint
}

/** Whether a balance agrees with a closure code. */
export function meetsBalance(code: ClosureCode, { remaining, tolerance }: Balance): boolean {
  const condition: BalanceCondition = closureCodes[code].balance
  if (condition === 'covered') return remaining <= tolerance
  if (condition === 'small') return remaining > 0n && remaining <= tolerance
  return condition === 'any' || remaining > 0n
}

const sayings: Record<BalanceCondition, string> = {
  covered: 'closes a case on which nothing above the tolerance remains',
  small: 'closes a case on which a little remains, up to the tolerance',
  owing: 'closes a case on which something remains',
  any: 'closes any case',
}

/** The codes with which a case of this balance may be closed. */
export const allowedClosureCodes = (balance: Balance): ClosureCode[] =>
  closureCodeList.filter((code) => meetsBalance(code, balance))

/** Closes an open case, held or not. The hold and the place are remembered for reopening. */
export function closeCase(life: CaseLife, code: ClosureCode, balance: Balance): LifeResult {
  if (life.closureCode) return refuse(life, 'The case is closed already.')
  if (!meetsBalance(code, balance)) return refuse(life, `${code} ${sayings[closureCodes[code].balance]}.`)
  return { ok: true, life: { ...life, closureCode: code } }
}

/** Reopens a closed case as it was: status, subStatus, hold and plan. */
export function reopenCase(life: CaseLife): LifeResult {
  if (!life.closureCode) return refuse(life, 'Only a closed case can be reopened; this one is open.')
  return { ok: true, life: { ...life, closureCode: null } }
}

/**
 * Puts an open case under an active payment plan: in SURVEILLANCE it stays there, from anywhere else it becomes
 * AMICABLE, since only these two have the subStatus. The place before is remembered.
 */
export function startPlan(life: CaseLife): LifeResult {
  if (life.closureCode) return refuse(life, 'Only an open case can be part of an active payment plan.')
  if (life.beforePlan) return refuse(life, 'The case is part of an active payment plan already.')
  const status = life.place.status === 'SURVEILLANCE' ? 'SURVEILLANCE' : 'AMICABLE'
  return { ok: true, life: { ...life, place: { status, subStatus: 'PAYMENT_PLAN' }, beforePlan: life.place } }
}

/** Ends a plan: the case, open or closed, gets back its place before, unless somebody has moved it on meanwhile. */
export function endPlan(life: CaseLife): LifeResult {
  if (!life.beforePlan) return refuse(life, 'The case is part of no active payment plan.')
  const place = life.place.subStatus === 'PAYMENT_PLAN' ? life.beforePlan : life.place
  return { ok: true, life: { ...life, place, beforePlan: null } }
}

/** The code with which a balance closes a case by itself; null while more than the tolerance remains. */
export function closureByBalance({ remaining, tolerance }: Balance): 'PAID_IN_FULL' | 'SMALL_BALANCE' | null {
  if (remaining <= 0n) return 'PAID_IN_FULL'
  return remaining <= tolerance ? 'SMALL_BALANCE' : null
}
