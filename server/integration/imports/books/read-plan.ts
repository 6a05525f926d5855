/** Reads a row of plan histories as the record of a plan. Pure. */
import type { PlanHistoryRow } from '../../../../contract/integration/plan-history-imports.ts'
import { isCurrency } from '../../../../core/identity/codes.ts'
import type { PlanType } from '../../../../core/plans/plan-terms.ts'
import { isGuid } from '../../../../core/text/guid.ts'
import { FieldErrors } from '../../../platform/http/errors.ts'
import type { EndReason, PlanRecord, RecordedPayment } from '../../../plans/plan-record.ts'
import { amountReader, day } from './read-history.ts'

/** A plan without what its references stand for. */
export interface ReadPlan {
  row: PlanHistoryRow
  record: Omit<PlanRecord, 'debtorGuid' | 'cases'>
  /** The claim on each case. */
  claims: bigint[]
}

const needed = [
  'paymentPlanGuid',
  'debtorReference',
  'active',
  'paymentPlanType',
  'registrationDate',
  'startDate',
  'firstDueDays',
  'intervalType',
  'interval',
  'graceDays',
  'missesToBreach',
  'levelAmount',
] as const

/** Throws a 400 that names every wrong member. */
export function readPlan(row: PlanHistoryRow): ReadPlan {
  const checks = new FieldErrors()
  for (const name of needed)
    if (row[name] === undefined || row[name] === null) checks.add(name, 'is required.')
  const currencyCode = row.currencyCode ?? ''
  if (!isCurrency(currencyCode)) checks.add('currencyCode', 'must be a currency of ISO 4217 such as SEK.')
  if (!isGuid(row.paymentPlanGuid ?? '')) checks.add('paymentPlanGuid', 'must be a GUID.')
  if (!row.cases?.length) checks.add('cases', 'need one at least.')
  checks.throwIfAny()
  const amount = amountReader(currencyCode, checks)
  const record = readRecord(row, amount)
  checkState(row, record, checks)
  const claims = row.cases!.map(({ claim }) => amount(claim, 'cases'))
  checks.throwIfAny()
  return { row, record, claims }
}

type Amount = ReturnType<typeof amountReader>

function readRecord(row: PlanHistoryRow, amount: Amount): ReadPlan['record'] {
  return {
    planGuid: row.paymentPlanGuid!.toLowerCase(),
    active: row.active as 0 | 1 | 2,
    endReason: (row.endReason ?? null) as EndReason | null,
    endDate: day(row.endDate),
    registrationDate: day(row.registrationDate)!,
    currencyCode: row.currencyCode!,
    invoicedThrough: row.invoicedThrough ?? 0,
    version: 1,
    eventSequence: 0,
    ...readAsked(row, amount),
    startDate: day(row.startDate)!,
    numberOfPayments: row.numberOfPayments ?? row.payments?.length ?? 0,
    countedFrom: day(row.countedFrom),
    levelAmount: amount(row.levelAmount, 'levelAmount'),
    claim: amount(row.claim, 'claim'),
    leftAmount: amount(row.leftAmount, 'leftAmount'),
    annualPercentage: row.annualPercentage ?? null,
    periods: (row.periods ?? []).map((one) => ({
      ...one,
      startDate: day(one.startDate),
      endDate: day(one.endDate),
      amount: amount(one.amount, 'periods'),
    })) as PlanRecord['periods'],
    rows: (row.payments ?? []).map((one) => readPayment(one, amount)),
  }
}

const readAsked = (row: PlanHistoryRow, amount: Amount) => ({
  planType: row.paymentPlanType as PlanType,
  askedNumber: row.askedNumber ?? null,
  askedAmount: row.askedAmount ? amount(row.askedAmount, 'askedAmount') : null,
  registrationFee: amount(row.registrationFee, 'registrationFee'),
  invoiceFee: amount(row.invoiceFee, 'invoiceFee'),
  reminderFee: amount(row.reminderFee, 'reminderFee'),
  firstDueDays: row.firstDueDays!,
  intervalType: row.intervalType as 1 | 2 | 3 | 4,
  intervalCount: row.interval!,
  askedFirstDue: day(row.askedFirstDue),
  payDay: row.payDay ?? null,
  dueCountry: row.dueCountry ?? null,
  evenPayments: row.evenPayments === true,
  closingPayment: row.closingPayment === true,
  freeMonths: row.freeMonths ?? [],
  graceDays: row.graceDays!,
  missesToBreach: row.missesToBreach!,
  deviations: (row.deviations ?? []).map((one) => ({
    paymentNo: one.paymentNo!,
    ...(one.dueDate && { dueDate: day(one.dueDate) }),
    ...(typeof one.amount === 'number' && { amount: amount(one.amount, 'deviations') }),
  })),
})

function readPayment(one: NonNullable<PlanHistoryRow['payments']>[number], amount: Amount): RecordedPayment {
  const [instalment, interest, fee] = (['instalment', 'interest', 'fee'] as const).map((name) =>
    amount(one[name], 'payments'),
  ) as [bigint, bigint, bigint]
  return {
    paymentNo: one.paymentNo ?? 0,
    invoiceDate: day(one.invoiceDate) ?? day(one.dueDate)!,
    dueDate: day(one.dueDate)!,
    instalment,
    interest,
    fee,
    amount: instalment + interest + fee,
    paymentType: (one.paymentType ?? 1) as 1 | 2 | 3,
    paid: amount(one.paid, 'payments'),
    paidDate: day(one.paidDate),
    missedDate: day(one.missedDate),
  }
}

const endReasons = ['COMPLETED', 'BREACHED', 'CANCELLED']

function checkState(row: PlanHistoryRow, record: ReadPlan['record'], checks: FieldErrors): void {
  const isEnded = record.active === 0
  if (isEnded !== endReasons.includes(record.endReason ?? '') || isEnded !== (record.endDate !== null))
    checks.add('endReason', `goes with endDate and an ended plan: one of ${endReasons.join(', ')}.`)
  if (record.intervalType < 1 || record.intervalCount < 1 || record.missesToBreach < 1)
    checks.add('interval', 'must be above zero, as must intervalType and missesToBreach.')
  if (record.levelAmount === 0n || record.claim === 0n)
    checks.add('levelAmount', 'must be above zero, as must claim.')
  for (const [index, one] of record.rows.entries())
    if (one.paymentNo !== index + 1 || one.dueDate === null || one.paid > one.amount)
      checks.add(
        'payments',
        `number ${index + 1} must have its number, a due date, and no more paid than due.`,
      )
  for (const one of row.cases ?? [])
    if (one.active === true && typeof one.movementsBefore !== 'number')
      checks.add('cases', 'in an active plan need movementsBefore.')
}
