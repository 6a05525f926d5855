/**
 * What is done to many cases at once, each by the operation that does it to one: with that case's access, its entity tag,
 * and as it was shown. Each gives what takes it back, where the case's life allows that.
 */
import type { AllCasesItem } from '../../../../contract/cases/all-cases.ts'
import {
  allowedTransitions,
  isOpenStatus,
  isSubStatusOf,
  type CaseStatus,
} from '../../../../core/cases/case-life.ts'
import { api } from '../../api/client.ts'
import { ChangedMeanwhile, type BulkWork } from '../../lists/use-bulk-run.ts'

type Shown = Pick<AllCasesItem, 'caseGuid' | 'status' | 'subStatus' | 'hold'>

/** Stores a form of a case that still stands as it was shown; returns how it stands then. */
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
    return mayGoBack(row, status, subStatus) ? () => store(moved, 'status', back) : undefined
  }

/** A case that is on hold shows the hold in place of where it stood, and a plan is not gone back to by hand. */
function mayGoBack(row: Shown, status: CaseStatus, subStatus: string): boolean {
  const from = row.status
  if (row.hold !== null || row.subStatus === 'PAYMENT_PLAN') return false
  if (!isOpenStatus(from) || !isSubStatusOf(from, row.subStatus)) return false
  if (!isOpenStatus(status) || !isSubStatusOf(status, subStatus)) return false
  const place = { status, subStatus }
  return allowedTransitions({ place, hold: null, beforePlan: null, closureCode: null }).includes(from)
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
