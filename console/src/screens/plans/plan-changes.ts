import { refresh } from '../../api/queries.ts'

/** Reloads everything that shows a plan after a change. */
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
