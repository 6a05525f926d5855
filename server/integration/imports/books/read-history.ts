/** Reads a row of case histories: what the ledger is derived from, checked member by member. Pure. */
import type { CarriedMovement, CaseHistoryRow } from '../../../../contract/integration/history-imports.ts'
import {
  caseStatuses,
  closureCodeList,
  debtorRoles,
  holds,
  services,
  type CaseLifecycle,
} from '../../../../core/cases/case-lifecycle.ts'
import { isCountry, isCurrency } from '../../../../core/identity/codes.ts'
import type { InterestTerms } from '../../../../core/interest/interest.ts'
import { allocationOrderCodes } from '../../../../core/ledger/allocation.ts'
import type { Claim } from '../../../../core/ledger/case-movement.ts'
import { claimKinds, interruptions } from '../../../../core/limitation/limitation.ts'
import { readAmount } from '../../../../core/money/money.ts'
import { isGuid } from '../../../../core/text/guid.ts'
import { readInterest } from '../../../claims/client-terms.ts'
import { makeId } from '../../../platform/database/make-id.ts'
import type { FieldErrors } from '../../../platform/http/errors.ts'

export const day = (value: string | null | undefined): string | null => value?.slice(0, 10) || null

export interface ReadInvoice {
  claim: Claim
  invoiceNumber: string | null
  invoiceDate: string | null
  description: string | null
  opening: boolean
  interestStartRule: string | null
}

/** A row whose texts and amounts are checked; its references are not. */
export interface ReadHistory {
  row: CaseHistoryRow
  currencyCode: string
  registeredOn: string
  terms: InterestTerms
  life: CaseLifecycle
  invoices: ReadInvoice[]
  movements: ReadMovement[]
  /** Amounts of the row in minor units. */
  minor: Record<'interest' | 'fee' | 'courtCosts' | 'withheldFee' | 'tolerance', bigint>
  payments: Map<string, bigint>
}

export type ReadMovement = CarriedMovement & { id: string; minor: bigint; toleranceMinor: bigint; on: string }

/** Reads amounts of a currency; what is none is a fault of the member. */
export const amountReader =
  (currency: string, checks: FieldErrors) =>
  (value: number | null | undefined, name: string): bigint => {
    const read = readAmount(value ?? 0, currency)
    if (!read.ok) checks.add(name, read.message)
    else if (read.minor < 0n) checks.add(name, 'must not be below zero.')
    return read.ok ? read.minor : 0n
  }

const readTerms = (row: {
  interestRate?: string | null
  interestSeries?: string | null
  interestPoints?: string | null
}): InterestTerms =>
  readInterest({
    interestRate: row.interestRate ?? null,
    interestSeries: row.interestSeries ?? null,
    interestPoints: row.interestSeries ? (row.interestPoints ?? '0') : null,
  })

export function readHistory(row: CaseHistoryRow, checks: FieldErrors): ReadHistory {
  const currencyCode = row.currencyCode?.trim().toUpperCase() ?? ''
  for (const name of ['partyReferenceCode', 'debtorReference', 'registrationDate'] as const)
    if (!row[name]?.trim()) checks.add(name, 'is required.')
  if (!isCurrency(currencyCode)) checks.add('currencyCode', 'must be a currency of ISO 4217 such as SEK.')
  if (!row.invoices?.some(({ opening }) => opening)) checks.add('invoices', 'need one of the registration.')
  checks.throwIfAny()
  checkCodes(row, checks)
  const amount = amountReader(currencyCode, checks)
  const payments = new Map(
    (row.payments ?? []).map((one) => [one.paymentReference ?? '', amount(one.amount, 'payments')]),
  )
  return {
    row,
    currencyCode,
    registeredOn: day(row.registrationDate)!,
    terms: readTerms(row),
    life: readLife(row, checks),
    invoices: readInvoices(row, amount, checks),
    movements: readMovements(row, { amount, payments }, checks),
    minor: {
      interest: amount(row.interest, 'interest'),
      fee: amount(row.fee, 'fee'),
      courtCosts: amount(row.courtCosts, 'courtCosts'),
      withheldFee: amount(row.withheldFee, 'withheldFee'),
      tolerance: amount(row.tolerance, 'tolerance'),
    },
    payments,
  }
}

type Amount = ReturnType<typeof amountReader>

function checkCodes(row: CaseHistoryRow, checks: FieldErrors): void {
  const requireKnown = (name: string, value: string | null | undefined, known: readonly string[]) => {
    if (!known.some((one) => one === value)) checks.add(name, `must be one of ${known.join(', ')}.`)
  }
  requireKnown('service', row.service, services)
  requireKnown('claimKind', row.claimKind, claimKinds)
  requireKnown('allocationOrder', row.allocationOrder, allocationOrderCodes)
  for (const one of row.debtors ?? []) requireKnown('debtors', one.debtorRole, debtorRoles.slice(1))
  for (const one of row.interruptions ?? []) {
    requireKnown('interruptions', one.interruption, interruptions)
    if (day(one.interruptedDate) === null) checks.add('interruptions', 'need a date each.')
  }
  for (const name of ['governingCountry', 'limitationCountry'] as const)
    if (row[name] && !isCountry(row[name])) checks.add(name, 'must be a country of ISO 3166-1 such as SE.')
  if (row.holdReference && !isGuid(row.holdReference)) checks.add('holdReference', 'must be a GUID.')
  if (day(row.holdFrom) !== null && (day(row.holdUntil) ?? '9999') < day(row.holdFrom)!)
    checks.add('holdUntil', 'must not be before holdFrom.')
  if (!(row.dayCount ?? []).every(isDayCount)) checks.add('dayCount', 'has a term that is none.')
  checkRates(row, 'interestRate', checks)
  for (const one of row.invoices!) checkRates(one, 'invoices', checks)
}

const isDayCount = ({ from, basis, country, ...rest }: Record<string, unknown>): boolean =>
  (from === null || (typeof from === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(from))) &&
  (basis === undefined || basis === 'actual/365' || basis === 'actual/actual') &&
  (country === undefined || country === null || isCountry(String(country))) &&
  Object.keys(rest).length === 0

function checkRates(row: { interestRate?: string | null }, name: string, checks: FieldErrors): void {
  if (row.interestRate?.startsWith('-')) checks.add(name, 'must not be below zero.')
}

const isPlace = (one: unknown, sub: unknown) =>
  Object.entries(caseStatuses).some(
    ([name, { subStatuses }]) => name === one && subStatuses.some((other) => other === sub),
  )

function readLife(row: CaseHistoryRow, checks: FieldErrors): CaseLifecycle {
  const { status, subStatus, hold = null, closureCode = null, beforePlanStatus, beforePlanSubStatus } = row
  if (!isPlace(status, subStatus)) checks.add('subStatus', 'must be a sub-status of the status.')
  if (beforePlanStatus && !isPlace(beforePlanStatus, beforePlanSubStatus))
    checks.add('beforePlanSubStatus', 'must be a sub-status of the status before the plan.')
  if (hold !== null && !holds.some((one) => one === hold))
    checks.add('hold', `must be one of ${holds.join(', ')}.`)
  if (closureCode !== null && !closureCodeList.some((one) => one === closureCode))
    checks.add('closureCode', `must be one of ${closureCodeList.join(', ')}.`)
  if ((closureCode === null) !== (day(row.closureDate) === null))
    checks.add('closureDate', 'goes with closureCode: both, or none.')
  return {
    place: { status, subStatus },
    hold,
    beforePlan: beforePlanStatus ? { status: beforePlanStatus, subStatus: beforePlanSubStatus } : null,
    closureCode,
  } as CaseLifecycle
}

function readInvoices(row: CaseHistoryRow, amount: Amount, checks: FieldErrors): ReadInvoice[] {
  const numbers = new Set<string>()
  return row.invoices!.map((one) => {
    const principal = amount(one.principal, 'invoices')
    const invoiceNumber = one.invoiceNumber?.trim() || null
    if (principal === 0n) checks.add('invoices', 'need a principal above zero.')
    if (invoiceNumber !== null && numbers.has(invoiceNumber))
      checks.add('invoices', `have the number ${invoiceNumber} twice.`)
    if (invoiceNumber !== null) numbers.add(invoiceNumber)
    const terms = readTerms(one)
    const claim = {
      id: makeId(),
      principal,
      dueDate: day(one.dueDate),
      interestFrom: day(one.interestFromDate),
      terms: terms.kind === 'none' ? null : terms,
    }
    const description = one.description ?? null
    return {
      claim,
      invoiceNumber,
      invoiceDate: day(one.invoiceDate),
      description,
      opening: one.opening === true,
      interestStartRule: one.interestStartRule?.trim() || null,
    }
  })
}

const withAmount = new Set([
  'payment',
  'thirdPartyPayment',
  'creditUse',
  'refund',
  'fee',
  'writeOff',
  'creditNote',
])

function readMovements(
  row: CaseHistoryRow,
  { amount, payments }: { amount: Amount; payments: ReadonlyMap<string, bigint> },
  checks: FieldErrors,
): ReadMovement[] {
  const undone = new Set<number>()
  return (row.movements ?? []).map((one, index) => {
    const fault = (reason: string) => checks.add('movements', `number ${index + 1} ${reason}`)
    const minor = amount(one.amount, 'movements')
    const on = day(one.valueDate) ?? day(row.registrationDate)!
    if (minor > 0n !== withAmount.has(one.kind))
      fault(minor > 0n ? 'has an amount, which its kind has not.' : 'needs an amount.')
    if (on < day(row.registrationDate)!) fault('has a value date before the registration.')
    const isPayment = one.kind === 'payment' || one.kind === 'thirdPartyPayment'
    if (isPayment !== payments.has(one.paymentReference ?? '\u0000'))
      fault('must name one of the payments, and only a payment may.')
    const needsInvoice = one.kind === 'claim' || one.kind === 'creditNote'
    if ((needsInvoice || one.invoice) && !row.invoices![(one.invoice ?? 0) - 1])
      fault('names no invoice of the case.')
    const { reverses } = one
    if ((one.kind === 'reversal') !== Boolean(reverses) || (reverses ?? 0) > index)
      fault('must name an earlier movement that it undoes, and only a reversal may.')
    if (reverses && undone.has(reverses)) fault('undoes what is undone already.')
    if (reverses) undone.add(reverses)
    if (one.kind === 'terms' && !isTerms(one.details?.['terms'])) fault('has no terms.')
    if (one.allocationOrder && !allocationOrderCodes.some((code) => code === one.allocationOrder))
      fault('has an unknown order of allocation.')
    return { ...one, id: makeId(), minor, toleranceMinor: amount(one.tolerance, 'movements'), on }
  })
}

function isTerms(value: unknown): boolean {
  const { kind, rate, series, points } = (value ?? {}) as Record<string, unknown>
  if (kind === 'fixed') return typeof rate === 'string'
  return kind === 'reference' ? typeof series === 'string' && typeof points === 'string' : kind === 'none'
}
