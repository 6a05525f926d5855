/// <reference types="node" />
/** Plays a readable table of events against the ledger, row by row. For tests. */
import assert from 'node:assert/strict'
import { allocationOrders, type AllocationOrderCode } from '../ledger/allocation.ts'
import { deriveLedger, type CaseLedger } from '../ledger/case-ledger.ts'
import type { CaseOpening, Claim, LedgerInput, Movement, MovementEffect } from '../ledger/case-movement.ts'
import { sumBalances, sumComponents } from '../ledger/case-transaction.ts'
import type { InterestTerms } from '../interest/interest.ts'
import { formatMinor, toMinor } from '../money/money.ts'
import { buildRateTable, shippedRates } from '../interest/reference-rates.ts'

/** The shipped rates, and a series XX that falls below zero. */
export const rates = buildRateTable([
  ...shippedRates,
  { series: 'XX', from: '2025-01-01', rate: '-0.5' },
  { series: 'XX', from: '2026-01-01', rate: '2' },
  { series: 'XX', from: '2026-07-01', rate: '-12' },
])
export const fixed = (rate: string): InterestTerms => ({ kind: 'fixed', rate })

/** An event of a table, and its value date when that differs from the row's. */
export type Event = ((minor: (amount: number) => bigint) => MovementEffect) & { dated?: string }
export const payment =
  (amount: number): Event =>
  (minor) => ({ kind: 'payment', amount: minor(amount) })
export const toThirdParty =
  (amount: number): Event =>
  (minor) => ({ kind: 'thirdPartyPayment', amount: minor(amount) })
export const creditUse =
  (amount: number): Event =>
  (minor) => ({ kind: 'creditUse', amount: minor(amount) })
export const refund =
  (amount: number): Event =>
  (minor) => ({ kind: 'refund', amount: minor(amount) })
export const fee =
  (amount: number): Event =>
  (minor) => ({ kind: 'fee', amount: minor(amount) })
export const writeOff =
  (amount: number | null, component: 'interest' | null = null): Event =>
  (minor) => ({ kind: 'writeOff', amount: amount === null ? null : minor(amount), component })
export const creditNote =
  (amount: number, claim = 'A'): Event =>
  (minor) => ({ kind: 'creditNote', amount: minor(amount), claim })
export const invoice =
  (id: string, principal: number, from: string | null, terms: InterestTerms | null = null): Event =>
  (minor) => ({
    kind: 'claim',
    claim: { id, principal: minor(principal), dueDate: from, interestFrom: from, terms },
  })
export const terms =
  (rate: string, claim: string | null = null): Event =>
  () => ({ kind: 'terms', terms: fixed(rate), claim })
export const close: Event = () => ({ kind: 'close' })
export const reopen: Event = () => ({ kind: 'reopen' })
/** Undoes the event of a row, counted from 1. */
export const reversal =
  (row: number): Event =>
  () => ({ kind: 'reversal', of: `row ${row}` })
export const dated = (date: string, event: Event): Event =>
  Object.assign((minor: (amount: number) => bigint) => event(minor), { dated: date })

/** The date of the figures, the event booked on it, and the amounts remaining after it. */
export type Row = [
  asOf: string,
  event: Event | null,
  principal: string,
  interest: string,
  cost: string,
  remaining: string,
]

export interface Given {
  currency?: string
  registeredOn?: string
  principal?: number
  interestFrom?: string | null
  claims?: [id: string, principal: number, from: string | null, terms?: InterestTerms][]
  interest?: number
  cost?: number
  terms?: InterestTerms
  order?: AllocationOrderCode
  tolerance?: number
}

function buildOpening(given: Given, minor: (amount: number) => bigint): CaseOpening {
  const { principal = 10_000, interestFrom = '2026-01-01', interest = 0, cost = 0 } = given
  const claims = (given.claims ?? [['A', principal, interestFrom]]).map(
    ([id, amount, from, own = null]): Claim => ({
      id,
      principal: minor(amount),
      dueDate: from,
      interestFrom: from,
      terms: own,
    }),
  )
  return {
    registeredOn: given.registeredOn ?? '2026-01-01',
    claims,
    interest: minor(interest),
    cost: minor(cost),
    terms: given.terms ?? fixed('10'),
  }
}

/** Plays the rows in sequence, checks every figure, and returns the final ledger. */
export function play(given: Given, rows: Row[]): CaseLedger & { show: (minor: bigint) => string } {
  const { currency = 'SEK', order = 'COST_INTEREST_PRINCIPAL', tolerance = 0 } = given
  const minor = (amount: number) => toMinor(amount, currency)
  const show = (amount: bigint) => formatMinor(amount, currency)
  const movements: Movement[] = []
  const input: LedgerInput = {
    opening: buildOpening(given, minor),
    movements,
    order: allocationOrders[order],
    tolerance: minor(tolerance),
    rates,
  }
  let ledger = deriveLedger(input, input.opening.registeredOn)
  for (const [index, [asOf, event, principal, interest, cost, remaining]] of rows.entries()) {
    const id = `row ${index + 1}`
    if (event) movements.push({ id, booking: index, valueDate: event.dated ?? asOf, ...event(minor) })
    ledger = deriveLedger(input, asOf)
    const left = ledger.balances.remaining
    const shown = [left.principal, left.interest, left.cost, sumComponents(left)].map(show)
    assert.deepEqual(shown, [principal, interest, cost, remaining], `${id}, ${asOf}`)
    assertSound(ledger)
  }
  return { ...ledger, show }
}

/**
 * Checks that each transaction sums to zero without zero entries, that interest follows from principal and days and sums to
 * the accrual, that balances equal the entries, and that each component balances.
 */
export function assertSound({
  transactions,
  posted,
  accrued: running,
  balances,
  pending,
  unapplied,
}: CaseLedger): void {
  for (const { entries } of transactions) {
    assert.equal(
      entries.reduce((sum, { amount }) => sum + amount, 0n),
      0n,
    )
    assert.ok(entries.length > 0 && entries.every(({ amount }) => amount !== 0n))
  }
  for (const { principal, from, to } of [...pending, ...transactions.flatMap(({ periods }) => periods)])
    assert.ok(principal > 0n && from < to)
  assert.equal(
    pending.reduce((sum, { amount }) => sum + amount, 0n),
    running,
  )
  assert.ok(unapplied.every(({ amount }) => amount > 0n))
  assert.deepEqual(posted, sumBalances(transactions))
  for (const component of ['principal', 'interest', 'cost'] as const) {
    const { original, accrued, paid, remaining, writtenOff } = balances
    assert.equal(
      original[component] + accrued[component],
      paid[component] + remaining[component] + writtenOff[component],
    )
    assert.ok(remaining[component] >= 0n)
  }
}
