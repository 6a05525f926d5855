/**
 * Bulk changes of cases, each by the operation for a single case: with its access codes and the entity tag of the shown
 * version. Each returns its undo function, if the case's life cycle allows one.
 */
import type { AllCasesItem } from '../../../../../contract/cases/all-cases.ts'
import { mayReturn, type CaseStatus } from '../../../../../core/cases/case-lifecycle.ts'
import type { Owner } from '../../work/owner-fields.tsx'
import { api } from '../../../api/client.ts'
import { ChangedMeanwhile, type BulkWork } from '../../../lists/bulk/use-bulk-run.ts'

interface NextAction {
  nextAction: string | null
  nextActionDate: string | null
}
type Shown = Pick<AllCasesItem, 'caseGuid' | 'status' | 'subStatus' | 'hold'>

/** Stores a form of a case that is unchanged since it was shown. Returns its new state. */
async function store(shown: Shown, type: string, body: Record<string, unknown>): Promise<Shown> {
  const { caseGuid } = shown
  const { body: now, etag } = await api.withAnswer.getCaseByGuid({ caseGuid })
  if (now.status !== shown.status || now.subStatus !== shown.subStatus || now.hold !== shown.hold)
    throw new ChangedMeanwhile<Shown>(now)
  await api.storeFromForm({ entity: 'case', type, id: caseGuid, body }, etag ? { ifMatch: etag } : {})
  return api.getCaseByGuid({ caseGuid })
}

export const holdCases =
  (reason: string): BulkWork<AllCasesItem> =>
  async (row) => {
    const held = await store(row, 'hold', { reason })
    return () => store(held, 'resume', {})
  }

export const resumeCases: BulkWork<AllCasesItem> = async (row) => {
  const reason = row.hold
  const resumed = await store(row, 'resume', {})
  return reason === null ? undefined : () => store(resumed, 'hold', { reason })
}

export const moveCases =
  (status: CaseStatus, subStatus: string): BulkWork<AllCasesItem> =>
  async (row) => {
    const moved = await store(row, 'status', { status, subStatus })
    const back = { status: row.status, subStatus: row.subStatus }
    return mayReturn(row, { status, subStatus }) ? () => store(moved, 'status', back) : undefined
  }

export const noteCases =
  (text: string): BulkWork<AllCasesItem> =>
  async ({ caseGuid }) => {
    const { noteGuid } = (await api.createFromForm({
      entity: 'note',
      type: 'create',
      id: caseGuid,
      body: { text },
    })) as { noteGuid?: unknown }
    if (typeof noteGuid !== 'string') return undefined
    return () => api.deleteFromForm({ entity: 'note', type: 'edit', id: caseGuid, subId: noteGuid })
  }

export const closeCases =
  (closureCode: string): BulkWork<AllCasesItem> =>
  async (row) => {
    const closed = await store(row, 'close', { closureCode })
    return () => store(closed, 'reopen', {})
  }

export const assignCases =
  (owner: Partial<Owner>): BulkWork<AllCasesItem> =>
  async ({ caseGuid }) => {
    const { ownerGuid, teamGuid } = await api.getCaseWork({ caseGuid })
    await api.assignWork({ body: { ...owner, caseGuids: [caseGuid] } })
    return () => api.assignWork({ body: { caseGuids: [caseGuid], ownerGuid, teamGuid } })
  }

export const setNextActions =
  (body: NextAction): BulkWork<AllCasesItem> =>
  async ({ caseGuid }) => {
    const { nextAction, nextActionDate } = await api.getCaseWork({ caseGuid })
    await api.setNextAction({ caseGuid, body })
    return () => api.setNextAction({ caseGuid, body: { nextAction, nextActionDate } })
  }

export const proposePlans =
  (plan: { paymentPlanType: number; numberOfPayments: number }): BulkWork<AllCasesItem> =>
  async ({ caseGuid, mainDebtorGuid: debtorGuid }) => {
    const body = { ...plan, active: 2, cases: [caseGuid] }
    const { paymentPlanGuid } = await api.createPaymentPlan({ debtorGuid, body })
    if (paymentPlanGuid === null) return undefined
    return () => api.cancelPaymentPlan({ debtorGuid, paymentplanGuid: paymentPlanGuid })
  }
