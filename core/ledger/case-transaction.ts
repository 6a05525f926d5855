/**
 * Double entry (Pacioli 1494): every transaction is a list of entries, debit above zero and credit below, that sum to
 * zero. Balances are sums over entries and nothing else.
 */
import type { AllocationLine, Component } from './allocation.ts'
import type { RateSteps } from '../interest/interest.ts'
import type { MovementKind } from './case-movement.ts'

/** What each account holds; `receivable` is what is owed, the rest are its counters. */
export const accounts = [
  'receivable:principal',
  'receivable:interest',
  'receivable:cost',
  /** What was registered: with the case, or as a claim later; lowered by a credit note. */
  'claim:principal',
  'claim:interest',
  'claim:cost',
  'income:interest',
  'income:fee',
  /** Client funds. */
  'bank',
  'third-party',
  /** The debtor's unallocated money with us. */
  'credit',
  /** What a third party took above what was owed. */
  'third-party-credit',
  'write-off',
] as const
export type Account = (typeof accounts)[number]

export interface Entry {
  account: Account
  /** The claim it concerns; null for the case as a whole. */
  claim: string | null
  amount: bigint
}

export type TransactionKind =
  'registration' | 'interest' | Exclude<MovementKind, 'terms' | 'close' | 'reopen' | 'reversal'>

/** A period of one claim that an interest posting is made of: day numbers, `from` excluded, `to` included. */
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
  /** Sum to zero, none is zero. */
  entries: Entry[]
  /** What was paid or written off of which claim; none for other kinds. */
  lines: AllocationLine[]
  /** What a posting of interest is made of. */
  periods: InterestPeriod[]
}

/** An amount per component, in minor units. */
export type ByComponent = Record<Component, bigint>

/** `original + accrued = paid + remaining + writtenOff` for each component. */
export interface Balances {
  /** What was registered, with the case or as a claim later. */
  original: ByComponent
  /** What came on top since: interest and fees. */
  accrued: ByComponent
  /** What was paid, to us or to a third party. */
  paid: ByComponent
  /** Written off or credited. */
  writtenOff: ByComponent
  remaining: ByComponent
  /** The part of `paid` that went to a third party. */
  paidToThirdParty: bigint
  /** The debtor's credit from this case; below zero when more was used or refunded than came from it. */
  credit: bigint
}

export const sumOf = ({ principal, interest, cost }: ByComponent): bigint => principal + interest + cost

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

export function balancesOf(transactions: readonly Transaction[]): Balances {
  const balances = emptyBalances()
  for (const transaction of transactions) addToBalances(balances, transaction)
  return balances
}

/** A transaction as text that is the same exactly when date, kind, movement and entries are. */
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
 * What turns the transactions that are stored (those not reversed yet) into the derived ones: which of the stored no
 * longer hold and are to be reversed, and which are to be appended, in order.
 */
export function changesOf<Stored extends Pick<Transaction, 'kind' | 'valueDate' | 'movementId' | 'entries'>>(
  stored: readonly Stored[],
  derived: readonly Transaction[],
): { reverse: Stored[]; append: Transaction[] } {
  const left = new Map<string, Stored[]>()
  for (const transaction of stored) {
    const key = transactionKey(transaction)
    left.set(key, [...(left.get(key) ?? []), transaction])
  }
  const append = derived.filter((transaction) => !left.get(transactionKey(transaction))?.shift())
  return { reverse: [...left.values()].flat(), append }
}
