/** Which operation does an act that may need a second person. */
import type { AccessCode } from '../../../contract/access/access.ts'
import type { ApprovalAct } from '../../../contract/access/approvals.ts'

export interface ActOperation {
  /** The name of the operation. */
  operation: 'createFromForm' | 'storeFromForm' | 'createPayout'
  params?: { entity: string; type: string }
  /** What the identifier of the request is; none for an act of the agency. */
  about?: 'case' | 'client'
  /** Who may do the act sees its requests. */
  code: AccessCode
}

const onCase = (entity: string, type: string): ActOperation => ({
  operation: 'createFromForm',
  params: { entity, type },
  about: 'case',
  code: 'case.write',
})

export const actOperations: Readonly<Record<ApprovalAct, ActOperation>> = {
  WRITE_OFF: onCase('writeoff', 'register'),
  FEE_OVERRIDE: onCase('fee', 'add'),
  REFUND: onCase('credit', 'refund'),
  CLIENT_ACCOUNT: {
    operation: 'storeFromForm',
    params: { entity: 'client', type: 'terms' },
    about: 'client',
    code: 'client.write',
  },
  PAYOUT: { operation: 'createPayout', code: 'payment.admin' },
}
