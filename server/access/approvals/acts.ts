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

const onCase = (entity: string, type: string): ActOperation => ({
  operation: 'createFromForm',
  params: { entity, type },
  code: 'case.write',
})

export const actOperations: Readonly<Record<ApprovalAct, ActOperation>> = {
  WRITE_OFF: onCase('writeoff', 'register'),
  FEE_OVERRIDE: onCase('fee', 'add'),
  REFUND: onCase('credit', 'refund'),
  OBJECTION_CREDIT: {
    operation: 'storeFromForm',
    params: { entity: 'objection', type: 'decide' },
    code: 'case.write',
  },
  LAW_CORRECTION: { operation: 'confirmLawFindings', code: 'case.admin' },
  CLIENT_ACCOUNT: {
    operation: 'storeFromForm',
    params: { entity: 'client', type: 'terms' },
    code: 'client.write',
  },
  PAYOUT: { operation: 'createPayout', code: 'payment.admin' },
}
