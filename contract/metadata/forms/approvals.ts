/** Limits above which an act needs a second person. */
import {
  ApprovalLimitChange,
  approvalLimitFields,
  ApprovalLimitInput,
  listApprovalLimits,
} from '../../access/approvals.ts'
import { form, type Access } from './form.ts'

const administer: Access = { access: ['system.admin'], unrestricted: true }
const limit = {
  entity: 'approvallimit',
  noun: 'limit',
  fields: approvalLimitFields,
  groups: [
    {
      code: 'approvallimit',
      columns: 2,
      noTopDivider: true,
      fields: ['act', 'userRole', 'currencyCode', 'amount', 'userAmount', 'periodDays', 'daysBack'],
    },
  ],
  keys: ['approvalLimitGuid'],
  open: administer,
  list: listApprovalLimits,
  required: ['act', 'userRole'],
} as const

export const approvalLimitCreate = form({
  ...limit,
  type: 'create',
  takes: {},
  submit: { ...administer, method: 'POST', body: ApprovalLimitInput },
})
export const approvalLimitEdit = form({
  ...limit,
  type: 'edit',
  takes: { id: 'limit' },
  record: 'id',
  submit: { ...administer, method: 'PATCH', body: ApprovalLimitChange },
  remove: administer,
})
