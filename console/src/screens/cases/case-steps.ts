import {
  allowedTransitions,
  caseStatuses,
  isSubStatusOf,
  type CaseStatus,
  type OpenStatus,
} from '../../../../core/cases/case-life.ts'

/** The steps that the case may take from where it stands, by the rules that the service goes by too. */
export function stepsOf({ status, subStatus }: { status: string; subStatus: string | null }): CaseStatus[] {
  const from = status as OpenStatus
  const within =
    subStatus !== null && isSubStatusOf(from, subStatus) ? subStatus : caseStatuses[from].subStatuses[0]
  return allowedTransitions({
    place: { status: from, subStatus: within },
    hold: null,
    beforePlan: null,
    closureCode: null,
  }).filter((next) => next !== 'CLOSED')
}

/** Where it may stand within a status; a payment plan moves it there by itself. */
export const subStatusesOf = (status: CaseStatus): string[] =>
  caseStatuses[status].subStatuses.filter((subStatus) => subStatus !== 'PAYMENT_PLAN')
