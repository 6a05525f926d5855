/**
 * Double-entry bookkeeping: a transaction is a list of entries, debit positive and credit negative, that sum
 * to zero. Balances are sums of entries and nothing else. Amounts are in minor units.
 */
import type { AllocationLine, Component } from './allocation.ts'
import type { RateSteps } from '../interest/interest.ts'
import type { MovementKind } from './case-movement.ts'

/** The accounts. `receivable` is the amount owed; the others are its counter accounts. */
export const accounts = [
  'receivable:principal',
  'receivable:interest',
  'receivable:cost',
  /** The registered amounts of the case and of later claims, less credit notes. */
  'claim:principal',
  'claim:interest',
  'claim:cost',
  'income:interest',
  'income:fee',
  /** Client funds. */
  'bank',
  'third-party',
  /** The debtor's credit: unallocated money at the agency. */
  'credit',
  /** The part of third-party payments above the amount owed. */
  'third-party-credit',
  'write-off',
] as const
export type Account = (typeof accounts)[number]

export interface Entry {
  account: Account
  /** The claim. Null for the case as a whole. */
  claim: string | null
  amount: bigint
}

export type TransactionKind =
  | 'registration'
  | 'interest'
  | Exclude<MovementKind, 'terms' | 'close' | 'reopen' | 'pause' | 'resume' | 'reversal'>

const everyKind = {
  registration: true,
  claim: true,
  interest: true,
  fee: true,
  payment: true,
  thirdPartyPayment: true,
  creditNote: true,
  creditUse: true,
  writeOff: true,
  refund: true,
} as const satisfies Record<TransactionKind, true>
export const transactionKinds = Object.keys(everyKind) as TransactionKind[]

/** A period of one claim within an interest posting, by day numbers: `from` excluded, `to` included. */
export interface InterestPeriod {
  claim: string
  principal: bigint
  steps: RateSteps
  from: number
  to: number
  /** Its share of the posting, in minor units. */
  amount: bigint
}

export interface Transaction {
  kind: TransactionKind
  valueDate: string
  /** Null for the registration and for interest. */
  movementId: string | null
  /** They sum to zero, and none is zero. */
  entries: Entry[]
  /** The amounts paid or written off by claim. Empty for other kinds. */
  lines: AllocationLine[]
  /** The periods of an interest posting. Empty for other kinds. */
  periods: InterestPeriod[]
}

/** Amounts by component, in minor units. */
export type ByComponent = Record<Component, bigint>

/** In each component `original + accrued = paid + remaining + writtenOff`. */
export interface Balances {
  /** Registered with the case, or as a later claim. */
  original: ByComponent
  /** Interest and fees added since the registration. */
  accrued: ByComponent
  /** Paid to the agency or to a third party. */
  paid: ByComponent
  /** Written off or credited. */
  writtenOff: ByComponent
  remaining: ByComponent
  /** The part of `paid` that a third party received. */
  paidToThirdParty: bigint
  /** The debtor's credit from this case. Negative when more was used or refunded than it provided. */
  credit: bigint
}

export const sumComponents = ({ principal, interest, cost }: ByComponent): bigint =>
  principal + interest + cost

const zero = (): ByComponent => ({ principal: 0n, interest: 0n, cost: 0n })

export const emptyBalances = (): Balances => ({
  original: zero(),
  accrued: zero(),
  paid: zero(),
  writtenOff: zero(),
  remaining: zero(),
  paidToThirdParty: 0n,
  credit: 0n,
})

/** Adds a transaction to balances, in place. */
export function addToBalances(balances: Balances, { kind, entries, lines }: Transaction): void {
  for (const { account, amount } of entries) {
    const [family, component] = account.split(':') as [string, Component | 'fee' | undefined]
    if (family === 'receivable') balances.remaining[component as Component] += amount
    else if (family === 'claim' && kind !== 'creditNote') balances.original[component as Component] -= amount
    else if (family === 'income') balances.accrued[component === 'fee' ? 'cost' : 'interest'] -= amount
    else if (family === 'credit') balances.credit -= amount
  }
  const lowered = kind === 'writeOff' || kind === 'creditNote' ? balances.writtenOff : balances.paid
  for (const { component, amount } of lines) {
    lowered[component] += amount
    if (kind === 'thirdPartyPayment') balances.paidToThirdParty += amount
  }
}

export function sumBalances(transactions: readonly Transaction[]): Balances {
  const balances = emptyBalances()
  for (const transaction of transactions) addToBalances(balances, transaction)
  return balances
}

/**
 * What the client is owed of the money that came to the agency, in minor units: the paid principal and interest, and the
 * paid costs up to those registered with the case. Costs that the agency added are its own. Payouts are not subtracted.
 */
export function computeClientsShare(transactions: readonly Pick<Transaction, 'kind' | 'entries'>[]): bigint {
  let [claimed, cost, registeredCost] = [0n, 0n, 0n]
  for (const { kind, entries } of transactions) {
    const isPaying = kind === 'payment' || kind === 'creditUse'
    for (const { account, amount } of entries) {
      if (account === 'claim:cost') registeredCost -= amount
      else if (isPaying && account === 'receivable:cost') cost -= amount
      else if (isPaying && account.startsWith('receivable:')) claimed -= amount
    }
  }
  return claimed + (cost < registeredCost ? cost : registeredCost)
}

/** A text that is equal for two transactions exactly when date, kind, movement and entries are equal. */
export const transactionKey = ({
  kind,
  valueDate,
  movementId,
  entries,
}: Pick<Transaction, 'kind' | 'valueDate' | 'movementId' | 'entries'>): string =>
  [
    kind,
    valueDate,
    movementId ?? '',
    ...entries.map(({ account, claim, amount }) => `${account} ${claim ?? ''} ${amount}`).toSorted(),
  ].join('\n')

/**
 * Compares stored transactions (not reversed) with the derived ones. Returns the stored ones to reverse, and
 * the derived ones to append, in order.
 */
export function compareTransactions<
  Stored extends Pick<Transaction, 'kind' | 'valueDate' | 'movementId' | 'entries'>,
>(stored: readonly Stored[], derived: readonly Transaction[]): { reverse: Stored[]; append: Transaction[] } {
  const left = new Map<string, Stored[]>()
  for (const transaction of stored) {
    const key = transactionKey(transaction)
    left.set(key, [...(left.get(key) ?? []), transaction])
  }
  const append = derived.filter((transaction) => !left.get(transactionKey(transaction))?.shift())
  return { reverse: [...left.values()].flat(), append }
}
