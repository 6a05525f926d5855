/** Payment plans, D13 to D19 of the specification, as far as the console uses them and the service has them. */
import { callLater, findLater } from './later.ts'

const path = '/debtors/:debtorGuid/paymentplans'
export const planOperations = {
  list: findLater('GET', path),
  create: findLater('POST', path),
  calculate: findLater('POST', `${path}/calculate`),
  activate: findLater('POST', `${path}/:paymentplanGuid/activate`),
  cancel: findLater('POST', `${path}/:paymentplanGuid/cancel`),
}

export interface PlanInput {
  active?: number
  paymentPlanType: number
  numberOfPayments: number | null
  amount: number | null
  currencyCode: string
  registrationFee: number
  invoiceFee: number
  payments: { paymentNo: number; specifiedDueDate?: string; specifiedAmount?: number }[]
  cases: string[]
}
export interface PlanAnswer {
  paymentPlanGuid: string | null
  payments: {
    paymentNo: number
    invoiceDate: string
    dueDate: string
    instalment: number
    interest: number
    fee: number
    amount: number
  }[]
}
export interface PlanListItem {
  paymentPlanGuid: string
  startDate: string
  /** 0 ended, 1 active, 2 proposal. */
  active: number
  paymentPlanType: number
  numberOfPayments: number
  remainingNumberOfPayments: number
  amount: number
  currencyCode: string
}

export const listPlans = (debtorGuid: string, signal: AbortSignal) =>
  callLater<{ value: PlanListItem[]; total: number }>(
    planOperations.list!,
    { debtorGuid, $top: 50, $orderby: 'startDate desc' },
    { signal },
  )
export const calculatePlan = (debtorGuid: string, body: PlanInput, signal: AbortSignal) =>
  callLater<PlanAnswer>(planOperations.calculate!, { debtorGuid, body }, { signal })
export const createPlan = (debtorGuid: string, body: PlanInput) =>
  callLater<PlanAnswer>(planOperations.create!, { debtorGuid, body })
export const stepPlan = (step: 'activate' | 'cancel', debtorGuid: string, paymentplanGuid: string) =>
  callLater<unknown>(planOperations[step]!, { debtorGuid, paymentplanGuid })
