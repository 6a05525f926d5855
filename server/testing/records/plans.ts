/** What the tests of payment plans share: debtors with cases, and plans over HTTP. */
import assert from 'node:assert/strict'
import type { CaseDetail } from '../../../contract/cases/cases.ts'
import type { PaymentPlan } from '../../../contract/plans/payment-plans.ts'
import { agencyCaller, makeDebtor, setTerms } from './cases.ts'
import { registerPayment } from '../../payments/payments.ts'
import { registerCase } from '../../cases/register-case.ts'
import { contextOn } from './cases.ts'
import { startApi, type Response, type TestApi } from '../api.ts'

export interface PlanStage {
  api: TestApi
  client: string
  /** The date that is set. */
  today: string
  setDate(date: string): Promise<void>
  /** A debtor with cases as given; returns their guids in the order of registration. */
  debtorWith(...cases: object[]): Promise<{ debtorGuid: string; caseGuids: string[] }>
  /** D14. */
  plan(debtorGuid: string, body: object): Promise<Response<PaymentPlan>>
  get(debtorGuid: string, planGuid: string | null): Promise<PaymentPlan>
  /** D7. */
  detail(debtorGuid: string, caseGuid: string): Promise<CaseDetail>
  pay(input: object): Promise<string>
}

export async function openPlanStage(today = '2026-01-15'): Promise<PlanStage> {
  const api = await startApi()
  await api.setDate(today)
  const client = await api.addParty('CLIENT')
  await setTerms(api, client, { currency_code: 'SEK', plan_grace_days: 5, plan_misses_to_breach: 2 })
  const stage: PlanStage = {
    api,
    client,
    today,
    setDate: async (date) => {
      stage.today = date
      await api.setDate(date)
    },
    debtorWith: async (...cases) => {
      const debtorGuid = await makeDebtor(api)
      const caseGuids: string[] = []
      for (const one of cases) {
        const whole = { clientGuid: client, debtorGuid, currencyCode: 'SEK', principal: 1000, ...one }
        caseGuids.push((await registerCase(api.sql, agencyCaller, whole, contextOn(stage.today))).caseGuid)
      }
      return { debtorGuid, caseGuids }
    },
    plan: (debtorGuid, body) => api.call('POST', `/debtors/${debtorGuid}/paymentplans`, { body }),
    get: async (debtorGuid, planGuid) => {
      const answer = await api.call<PaymentPlan>('GET', `/debtors/${debtorGuid}/paymentplans/${planGuid}`)
      assert.equal(answer.status, 200, answer.text)
      return answer.body
    },
    detail: async (debtorGuid, caseGuid) =>
      (await api.call<CaseDetail>('GET', `/debtors/${debtorGuid}/cases/${caseGuid}`)).body,
    pay: async (input) =>
      (await registerPayment(api.sql, agencyCaller, input, contextOn(stage.today))).paymentGuid,
  }
  return stage
}
