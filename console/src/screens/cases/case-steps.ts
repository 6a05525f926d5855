import {
  allowedTransitions,
  caseStatuses,
  hasSubStatus,
  type CaseStatus,
  type OpenStatus,
} from '../../../../core/cases/case-lifecycle.ts'

/** The statuses that the case may change to, by the same rules as the service. */
export function allowedStatuses({
  status,
  subStatus,
}: {
  status: string
  subStatus: string | null
}): CaseStatus[] {
  const from = status as OpenStatus
  const within =
    subStatus !== null && hasSubStatus(from, subStatus) ? subStatus : caseStatuses[from].subStatuses[0]
  return allowedTransitions({
    place: { status: from, subStatus: within },
    hold: null,
    beforePlan: null,
    closureCode: null,
  }).filter((next) => next !== 'CLOSED')
}

/** The sub-statuses that can be set by hand; only a payment plan sets its own. */
export const allowedSubStatuses = (status: CaseStatus): string[] =>
  caseStatuses[status].subStatuses.filter((subStatus) => subStatus !== 'PAYMENT_PLAN')
