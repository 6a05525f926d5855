import { refresh } from '../../api/queries.ts'

/** After anything was done to a plan: what shows it is read again. */
export async function refreshPlan(): Promise<void> {
  await refresh(
    'listPaymentPlans',
    'getPaymentPlan',
    'listAllPlans',
    'listAllPlanPayments',
    'getCaseOverview',
    'listAllCases',
    'getCaseByGuid',
  )
}
