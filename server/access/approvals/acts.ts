/** Which operation does an act that may need a second person. */
import type { AccessCode } from '../../../contract/access/access.ts'
import type { ApprovalAct } from '../../../contract/access/approvals.ts'

export interface ActOperation {
  /** The name of the operation. */
  operation: 'createFromForm' | 'storeFromForm' | 'createPayout' | 'confirmLawFindings'
  params?: { entity: string; type: string }
  /** Who may do the act sees its requests. */
  code: AccessCode
}

const byForm = (entity: string, type: string): ActOperation => ({
  operation: 'createFromForm',
  params: { entity, type },
  code: 'case.write',
})

export const actOperations: Readonly<Record<ApprovalAct, ActOperation>> = {
  WRITE_OFF: byForm('writeoff', 'register'),
  FEE_OVERRIDE: byForm('fee', 'add'),
  REFUND: byForm('credit', 'refund'),
  OBJECTION_CREDIT: {
    operation: 'storeFromForm',
    params: { entity: 'objection', type: 'decide' },
    code: 'case.write',
  },
  CREDIT_NOTE: byForm('invoice', 'credit'),
  LAW_CORRECTION: { operation: 'confirmLawFindings', code: 'case.admin' },
  CLIENT_ACCOUNT: {
    operation: 'storeFromForm',
    params: { entity: 'client', type: 'terms' },
    code: 'client.write',
  },
  PAYOUT: { operation: 'createPayout', code: 'payment.admin' },
}
