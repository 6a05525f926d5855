/** The amounts owed on a case on a day, as input for a plan. */
import { deriveLedger } from '../ledger/case-ledger.ts'
import { effectiveMovements, type Claim, type LedgerInput } from '../ledger/case-movement.ts'
import { toDayNumber } from '../calendar/calendar.ts'
import { buildRateSteps, type InterestTerms } from '../interest/interest.ts'
import { pauseRates, type InterestPause } from '../interest/paused-rates.ts'
import type { CaseParts } from './plan-payment.ts'
import type { PlanCase } from './plan-terms.ts'

const none: InterestTerms = { kind: 'none' }
const byDueDate = (a: Claim, b: Claim): number =>
  a.dueDate === b.dueDate ? 0 : (a.dueDate ?? '') < (b.dueDate ?? '') ? -1 : 1

/** The interest terms in force on a day: the case's, and those of claims with their own. */
export function termsInForce(input: LedgerInput, date: string) {
  const claims = new Map(input.opening.claims.map((claim) => [claim.id, claim]))
  let terms = input.opening.terms
  for (const movement of effectiveMovements(input, date)) {
    if (movement.kind === 'claim') claims.set(movement.claim.id, movement.claim)
    if (movement.kind !== 'terms') continue
    const claim = movement.claim === null ? undefined : claims.get(movement.claim)
    if (movement.claim === null) terms = movement.terms
    else if (claim) claims.set(claim.id, { ...claim, terms: movement.terms })
  }
  return { terms, claims: [...claims.values()].toSorted(byDueDate) }
}

/** The end of time for movements: those with a later value date are known already. */
const always = '9999-12-31'

/**
 * The interest pauses that last on a day or begin later, as the ledger will count them. A pause without a known end
 * lasts.
 */
export function pausesAhead(input: LedgerInput, date: string): InterestPause[] {
  const pauses: InterestPause[] = []
  let open = 0
  for (const { kind, valueDate } of effectiveMovements(input, always)) {
    if (kind === 'pause') {
      if (open === 0) pauses.push({ after: toDayNumber(valueDate), through: null })
      open += 1
    }
    if (kind !== 'resume' || open === 0) continue
    open -= 1
    if (open === 0) pauses.at(-1)!.through = toDayNumber(valueDate)
  }
  return pauses.filter(({ through }) => through === null || through > toDayNumber(date))
}

/**
 * Principal by claim, the one due first first; interest up to and including the day; and costs. Minor units.
 * Throws RangeError where `deriveLedger` does.
 */
export function computeOwed(input: LedgerInput, date: string): PlanCase {
  const { transactions, balances, coveredOn } = deriveLedger(input, date)
  const { terms, claims } = termsInForce(input, date)
  const pauses = pausesAhead(input, date)
  const principal = new Map<string | null, bigint>()
  for (const { account, claim, amount } of transactions.flatMap(({ entries }) => entries)) {
    if (account === 'receivable:principal') principal.set(claim, (principal.get(claim) ?? 0n) + amount)
  }
  const invoices = claims.flatMap((claim) => {
    const owed = principal.get(claim.id) ?? 0n
    if (owed <= 0n) return []
    const bears = coveredOn === null && claim.interestFrom !== null
    const running = buildRateSteps(bears ? (claim.terms ?? terms) : none, input.rates, input.dayCounts)
    const rates = bears ? pauseRates(running, pauses) : running
    return {
      principal: owed,
      rates,
      ...(claim.interestFrom !== null && { interestFrom: claim.interestFrom }),
    }
  })
  return { invoices, interest: balances.remaining.interest, costs: balances.remaining.cost }
}

/** Amounts paid by component, up to a day, by movements booked after movement number `after`. Minor units. */
export function computePaid(input: LedgerInput, date: string, after: number): CaseParts {
  const bookings = new Map(input.movements.map(({ id, booking }) => [id, booking]))
  const paid = { costs: 0n, interest: 0n, principal: 0n }
  for (const { kind, movementId, lines } of deriveLedger(input, date).transactions) {
    const pays = kind === 'payment' || kind === 'thirdPartyPayment' || kind === 'creditUse'
    if (!pays || movementId === null || bookings.get(movementId)! <= after) continue
    for (const { component, amount } of lines) paid[component === 'cost' ? 'costs' : component] += amount
  }
  return paid
}
