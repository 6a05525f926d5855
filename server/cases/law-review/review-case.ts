/**
 * What the law says of one case: fees, letters, opening costs, limitation and interest. Pure. All legal answers
 * come from core/law; a correction is proposed for each, with what would be booked.
 */
import { toLegalType } from '../../ledger/legal-cases.store.ts'
import type { LawFindingKind, LawObstacle } from '../../../contract/cases/law-reviews.ts'
import { closureCodes, type ClosureCode } from '../../../core/cases/case-lifecycle.ts'
import { dropKeptCount, readDayCounts, type DayCountTerm } from '../../../core/interest/day-count.ts'
import { citeRule, findRule } from '../../../core/law/packs.ts'
import { findOpeningCeiling } from '../../../core/law/fees/opening-costs.ts'
import type { LegalCase } from '../../../core/law/legal-case.ts'
import type { LegalReason } from '../../../core/law/verdict.ts'
import { reviewActs, type ActFinding } from '../../../core/law/review-acts.ts'
import { deriveLedger } from '../../../core/ledger/case-ledger.ts'
import type { LedgerInput, Movement } from '../../../core/ledger/case-movement.ts'
import type { ShippedFee } from '../../../core/ledger/statutory-fees.ts'
import { findLimitationRule } from '../../../core/limitation/limitation.ts'
import type { CaseHistory } from '../../ledger/ledger.store.ts'
import type { NewFinding, ReviewedCase } from './reviewed-cases.store.ts'

export interface ReviewContext {
  legal: LegalCase
  /** The fee table of all days concerned. */
  fees: readonly ShippedFee[]
  date: string
  /** Null where the interest needs no closer look. */
  history: CaseHistory | null
  closedPeriods: readonly { code: string; from: string; to: string }[]
}

const nothing = {
  action: null,
  actedDate: null,
  movementGuid: null,
  documentGuid: null,
  rule: null,
  source: null,
  verified: false,
  charged: null,
  lawful: null,
  amount: 0n,
  correction: 'NONE',
  details: {},
  obstacle: null,
} as const satisfies Omit<NewFinding, 'kind'>

/** The findings of a case. Those of a closed or paid-out case are only listed. */
export function reviewCase(one: ReviewedCase, context: ReviewContext): NewFinding[] {
  const { legal, fees } = context
  const opening = reviewOpeningCosts(one, context)
  const then = lowerOpeningCosts(legal, opening[0]?.lawful ?? null)
  const found = [
    ...reviewFees(one, legal, reviewActs(then, { ...one, fees: nameLegally(one, legal) }, fees)),
    ...opening,
    ...reviewLimitation(one, context),
    ...reviewInterest(one, context),
  ]
  const general: LawObstacle | null =
    one.closureCode !== null ? 'CLOSED' : one.isPaidOut ? 'PAID_OUT' : one.onPlan ? 'PLAN' : null
  return found.map((finding) => ({
    ...finding,
    obstacle: finding.correction === 'NONE' ? 'NOTHING_TO_BOOK' : general,
  }))
}

const nameLegally = ({ fees }: ReviewedCase, { country }: LegalCase): ReviewedCase['fees'] =>
  fees.map((fee) => ({ ...fee, type: toLegalType(fee.type, country) }))

/** What the acts were found to be, and the fees that were charged for each of several claims, not once. */
function reviewFees(one: ReviewedCase, legal: LegalCase, acts: readonly ActFinding[]): NewFinding[] {
  const byId = new Map(one.fees.map((fee) => [fee.id, fee]))
  const known = new Set(acts.map(({ id }) => id))
  const described = acts.map((act): NewFinding => {
    const { demandGroup = null, jointPrincipal = null } = byId.get(act.id) ?? {}
    const details = {
      ...(demandGroup !== null && { demandGroup }),
      ...(jointPrincipal !== null && { jointPrincipal: Number(jointPrincipal) }),
    }
    return { ...describeAct(legal, act), details }
  })
  const repeated = one.fees.flatMap((fee): NewFinding[] => {
    const { id, type, date, amount, isRepeated, isOverridden } = fee
    const action = `fee:${type}`
    const rule = findRule(legal.country, 'bundling', { date, debtor: legal.debtor })
    // Where the law leaves it to the client, what the client wanted then is not on record.
    if (!isRepeated || isOverridden || known.has(id) || !rule || rule.override) return []
    if (!rule.actions.includes(action)) return []
    return [
      {
        ...nothing,
        kind: 'FEE_NOT_ALLOWED',
        action,
        actedDate: date,
        movementGuid: id,
        rule: rule.code,
        source: citeRule(legal.country!, rule),
        verified: rule.status === 'verified',
        charged: amount,
        lawful: 0n,
        amount,
        correction: 'REVERSE_FEE',
      },
    ]
  })
  return [...described, ...repeated]
}

const kindOfFee = (reason: LegalReason | null): LawFindingKind => {
  if (reason === 'ceiling' || reason === 'total' || reason === 'scale') return 'FEE_ABOVE_CEILING'
  return reason === 'waiting' || reason === 'spacing' || reason === 'missing'
    ? 'FEE_EARLY'
    : 'FEE_NOT_ALLOWED'
}
const kindOfLetter = (reason: LegalReason | null): LawFindingKind =>
  reason === 'deadline' ? 'DEMAND_DEADLINE' : 'DEMAND_EARLY'

function describeAct({ country }: LegalCase, { act, id, date, verdict, charged, lawful }: ActFinding) {
  const { rule, reason, action } = verdict
  const cited = {
    ...nothing,
    action,
    actedDate: date,
    rule: rule?.code ?? null,
    source: rule && citeRule(country!, rule),
    verified: rule?.status === 'verified',
  }
  if (act === 'letter') return { ...cited, kind: kindOfLetter(reason), documentGuid: id }
  const correction =
    reason === 'noAmount'
      ? ('NONE' as const)
      : lawful! > 0n
        ? ('LOWER_FEE' as const)
        : ('REVERSE_FEE' as const)
  return {
    ...cited,
    kind: kindOfFee(reason),
    movementGuid: id,
    charged,
    lawful,
    amount: correction === 'NONE' ? 0n : charged! - lawful!,
    correction,
  }
}

function reviewOpeningCosts(one: ReviewedCase, { legal, fees }: ReviewContext): NewFinding[] {
  if (one.openingFee <= 0n) return []
  const asked = { feeType: one.openingFeeType, date: one.openingFeeDate }
  const ceiling = findOpeningCeiling(legal, asked, fees)
  if (ceiling === null || one.openingFee <= ceiling.highest) return []
  const { rule, highest } = ceiling
  return [
    {
      ...nothing,
      kind: 'OPENING_COSTS',
      action: `fee:${one.openingFeeType ?? '*'}`,
      actedDate: one.openingFeeDate,
      rule: rule.code,
      source: citeRule(legal.country!, rule),
      verified: rule.status === 'verified',
      charged: one.openingFee,
      lawful: highest,
      amount: one.openingFee - highest,
      correction: 'WRITE_OFF',
    },
  ]
}

/** Opening costs count for later fees with what the law lets stand of them. */
const lowerOpeningCosts = (legal: LegalCase, lawful: bigint | null): LegalCase =>
  lawful === null || !legal.openingCosts
    ? legal
    : { ...legal, openingCosts: { ...legal.openingCosts, amount: lawful } }

function reviewLimitation(one: ReviewedCase, { legal, date }: ReviewContext): NewFinding[] {
  const isBarred = one.limitationDate !== null && one.limitationDate < date && one.owed > 0n
  if (!isBarred || one.closureCode !== null) return []
  const rule = findLimitationRule(one.limitationCountry ?? legal.country ?? '', legal.claimKind ?? 'CONSUMER')
  return [
    {
      ...nothing,
      kind: 'BARRED',
      actedDate: one.limitationDate,
      rule: rule?.code ?? null,
      source: rule?.cited ?? null,
      verified: rule?.unverified === false,
      amount: one.owed,
      correction: 'CLOSE_BARRED',
    },
  ]
}

/** The interest booked and accrued up to the business date. */
const sumInterest = (input: LedgerInput, businessDate: string): bigint =>
  deriveLedger(input, businessDate).balances.accrued.interest

function reviewInterest(one: ReviewedCase, context: ReviewContext): NewFinding[] {
  const { history, legal, date } = context
  if (history === null || date < history.input.opening.registeredOn) return []
  const booked = sumInterest(history.input, date)
  const found: NewFinding[] = []
  const add = (lawful: bigint, finding: Partial<NewFinding> & Pick<NewFinding, 'kind' | 'correction'>) => {
    if (lawful === booked) return
    found.push({ ...nothing, charged: booked, lawful, amount: booked - lawful, ...finding })
  }
  const terms = correctDayCount(history.dayCount)
  if (terms !== undefined) {
    const dayCounts = readDayCounts(terms, history.governingCountry)
    const rule = findRule(legal.country, 'dayCount', { date })
    add(sumInterest({ ...history.input, dayCounts }, date), {
      kind: 'INTEREST_DAYS',
      correction: 'RECKON_INTEREST',
      rule: rule?.code ?? null,
      source: rule ? citeRule(legal.country!, rule) : null,
      verified: rule?.status === 'verified',
    })
  }
  const periods = findStandstills(one, context)
  if (periods.length > 0)
    add(sumInterest(withStandstills(history.input, periods), date), {
      kind: 'INTEREST_WHILE_CLOSED',
      correction: 'STOP_INTEREST',
      actedDate: periods[0]![0],
      details: { periods },
    })
  return found
}

/** True if a closure code stops interest also when a payment is reversed later. */
const stops = (code: string): boolean =>
  !['covered', 'small'].includes(closureCodes[code as ClosureCode].balance)

/** The periods in which the case was closed with a code that stops interest, whatever was paid. */
function findStandstills(
  one: ReviewedCase,
  { closedPeriods, history }: ReviewContext,
): [from: string, to: string | null][] {
  const first = history!.input.opening.registeredOn
  const past = closedPeriods.flatMap(({ code, from, to }): [string, string][] =>
    stops(code) && from >= first ? [[from, to]] : [],
  )
  const now = one.closureCode !== null && one.closureDate !== null && stops(one.closureCode)
  return now && one.closureDate! >= first ? [...past, [one.closureDate!, null]] : past
}

/** A ledger's input with the case closed, and reopened, in the given periods. */
function withStandstills(
  input: LedgerInput,
  periods: readonly (readonly [from: string, to: string | null])[],
): LedgerInput {
  const added = periods.flatMap(([from, to], index): Movement[] => {
    const booking = input.movements.length + 1 + index * 2
    const close: Movement = { id: `close ${index}`, kind: 'close', valueDate: from, booking }
    if (to === null) return [close]
    return [close, { id: `reopen ${index}`, kind: 'reopen', valueDate: to, booking: booking + 1 }]
  })
  return { ...input, movements: [...input.movements, ...added] }
}

/**
 * The terms without the count that booked interest kept (decision 0136). Undefined where a contract or the law
 * decides: nothing is to be corrected.
 */
export function correctDayCount(
  terms: readonly DayCountTerm[] | null,
): readonly DayCountTerm[] | null | undefined {
  if (terms === null || terms.length < 2 || terms[0]!.basis === undefined) return undefined
  return dropKeptCount(terms)
}
