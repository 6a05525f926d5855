/** Which operation does an act that may need a second person. */
import type { AccessCode } from '../../../contract/access/access.ts'
import { approvalSubjects, type ApprovalAct } from '../../../contract/access/approvals.ts'

export interface ActOperation {
  /** The name of the operation. */
  operation:
    | 'createFromForm'
    | 'storeFromForm'
    | 'createPayout'
    | 'confirmLawFindings'
    | 'createPaymentPlan'
    | 'bookHeldPaymentFile'
  params?: { entity: string; type: string }
  /** Who may do the act sees its requests. */
  code: AccessCode
}

const byForm = (entity: string, type: string, code: AccessCode = 'case.write'): ActOperation => ({
  operation: 'createFromForm',
  params: { entity, type },
  code,
})
const byChange = (entity: string, type: string, code: AccessCode = 'case.write'): ActOperation => ({
  ...byForm(entity, type, code),
  operation: 'storeFromForm',
})

export const actOperations: Readonly<Record<ApprovalAct, ActOperation>> = {
  WRITE_OFF: byForm('writeoff', 'register'),
  FEE_OVERRIDE: byForm('fee', 'add'),
  REFUND: byForm('credit', 'refund'),
  OBJECTION_CREDIT: byChange('objection', 'decide'),
  CREDIT_NOTE: byForm('invoice', 'credit'),
  PAYMENT: byForm('payment', 'register', 'payment.write'),
  BACKDATED_PAYMENT: byForm('payment', 'register', 'payment.write'),
  DEBT_RELIEF: { operation: 'createPaymentPlan', code: 'paymentplan.write' },
  BACKDATED_TERMS: byChange('case', 'terms'),
  BACKDATED_HOLD: byChange('case', 'hold'),
  TOLERANCE: byChange('case', 'terms'),
  CLIENT_TOLERANCE: byChange('client', 'terms', 'client.write'),
  LAW_CORRECTION: { operation: 'confirmLawFindings', code: 'case.admin' },
  CLIENT_ACCOUNT: byChange('client', 'terms', 'client.write'),
  PAYOUT: { operation: 'createPayout', code: 'payment.admin' },
  BANK_FILE: { operation: 'bookHeldPaymentFile', code: 'payment.write' },
}

export interface Wanted {
  act: ApprovalAct
  /** The case, client, objection, invoice or debtor. */
  id: string | null
  input: Record<string, unknown>
}

/** The operation that does an act, as it is called. */
export function toCall({ act, id, input }: Wanted): {
  operation: string
  params?: Record<string, unknown>
  query: Record<string, unknown>
  body?: Record<string, unknown>
} {
  if (act === 'DEBT_RELIEF') return toPlanCall(id!, input)
  if (act === 'BANK_FILE')
    return { operation: 'bookHeldPaymentFile', params: { heldFileGuid: input['heldFileGuid'] }, query: {} }
  const { operation, params } = actOperations[act]
  if (act === 'PAYOUT') return { operation, query: {}, body: withoutLines(input) }
  return {
    operation,
    ...(params && { params }),
    query: approvalSubjects[act] === null ? {} : { id },
    body: input,
  }
}

/** A plan is made active as it is created or later, and its payments can become less while it is. */
function toPlanCall(debtorGuid: string, { paymentplanGuid, ...input }: Record<string, unknown>) {
  if (paymentplanGuid === undefined)
    return { operation: 'createPaymentPlan', params: { debtorGuid }, query: {}, body: input }
  const params = { debtorGuid, paymentplanGuid }
  return 'payments' in input
    ? { operation: 'updatePaymentPlan', params, query: {}, body: input }
    : { operation: 'activatePaymentPlan', params, query: {} }
}

/** A payout pays all that is due: whom that was when it was requested is compared, not given. */
const withoutLines = ({ account: _account, lines: _lines, ...body }: Record<string, unknown>) => body
