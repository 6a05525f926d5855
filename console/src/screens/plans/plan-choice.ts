/** What is chosen for a plan, as typed, and the input of the service that it makes. Pure, apart from the culture. */
import { isDate } from '../../../../core/calendar/calendar.ts'
import { userCulture } from '../../format/format.ts'
import type { FormValues } from '../../forms/definition.ts'
import { readNumber } from '../../format/numbers.ts'
import type { Deviations } from './plan-table.tsx'
import type { PlanInput } from './plan-terms.ts'

export interface PlanChoice {
  type: number
  by: 'number' | 'amount'
  number: string
  amount: string
  /** YYYY-MM-DD, or the text that is no day. Empty: as the client's terms say. */
  firstDueDate: string
  /** Unit and count: `3/1` is monthly. */
  rhythm: string
  payDay: string
  businessDays: boolean
  evenPayments: boolean
  closingPayment: boolean
  registrationFee: string
  invoiceFee: string
  cases: string[]
}

/** The rhythms that can be chosen: unit (2 week, 3 month, 4 year) and count. */
export const rhythms = ['2/1', '2/2', '2/4', '3/1', '3/2', '3/3', '3/6', '4/1'] as const

/** Types that need both the number of payments and the amount. */
export const takesBoth = (type: number): boolean => type === 2 || type === 4 || type === 5
/** A pay day is a day of the month. */
export const hasPayDay = (rhythm: string): boolean => rhythm.startsWith('3') || rhythm.startsWith('4')
export const hasEvenPayments = ({ type, by }: PlanChoice): boolean => !takesBoth(type) && by === 'number'
export const hasClosingPayment = ({ type }: PlanChoice): boolean => type === 1 || type === 3

/** A text that is no day is not left out in silence. */
export const hasDayFault = ({ firstDueDate }: PlanChoice): boolean =>
  firstDueDate !== '' && !isDate(firstDueDate)

/** The first choice: the terms of the client, as the service has them. */
export function startChoice(values: FormValues, currency: string, cases: string[]): PlanChoice {
  const isOwnCurrency = values['currencyCode'] === currency
  const fee = (name: string) => (isOwnCurrency && typeof values[name] === 'number' ? values[name] : 0)
  return {
    type: 1,
    by: 'number',
    number: '12',
    amount: '',
    firstDueDate: '',
    rhythm: `${Number(values['intervalType'] ?? 3)}/1`,
    payDay: '',
    businessDays: values['businessDays'] === true,
    evenPayments: values['evenPayments'] === true,
    closingPayment: values['closingPayment'] === true,
    registrationFee: String(fee('registrationFee')),
    invoiceFee: String(fee('invoiceFee')),
    cases,
  }
}

const read = (text: string) => readNumber(text, userCulture()) ?? null

export function createPlanInput(choice: PlanChoice, deviations: Deviations, currencyCode: string): PlanInput {
  const { type, by, rhythm, payDay, firstDueDate } = choice
  const both = takesBoth(type)
  const [intervalType, interval] = rhythm.split('/').map(Number) as [number, number]
  const day = hasPayDay(rhythm) ? read(payDay) : null
  return {
    paymentPlanType: type,
    numberOfPayments: both || by === 'number' ? read(choice.number) : null,
    amount: both || by === 'amount' ? read(choice.amount) : null,
    currencyCode,
    registrationFee: type === 5 ? 0 : (read(choice.registrationFee) ?? 0),
    invoiceFee: type === 5 ? 0 : (read(choice.invoiceFee) ?? 0),
    intervalType,
    interval,
    ...(isDate(firstDueDate) && { firstDueDate: `${firstDueDate}T00:00:00Z` }),
    ...(day !== null && { payDay: day }),
    businessDays: choice.businessDays,
    evenPayments: hasEvenPayments(choice) && choice.evenPayments,
    closingPayment: hasClosingPayment(choice) && choice.closingPayment,
    payments: Object.entries(deviations).map(([paymentNo, { dueDate, amount }]) => ({
      paymentNo: Number(paymentNo),
      ...(dueDate && { specifiedDueDate: `${dueDate}T00:00:00Z` }),
      ...(amount !== undefined && { specifiedAmount: amount }),
    })),
    cases: choice.cases,
  }
}
