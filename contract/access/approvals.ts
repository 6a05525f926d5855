/** Acts that need a second person above a limit: operations that the specification does not have. */
import { Type, type Static } from 'typebox'
import {
  dateTime,
  guid,
  inputSchema,
  integer,
  key,
  lines,
  money,
  outputSchema,
  text,
  code,
  type Demands,
} from '../metadata/fields.ts'
import { operation } from '../platform/operation.ts'
import { page, pageQuery } from '../platform/page.ts'
import { userRoles } from './access.ts'

export const approvalActs = [
  'WRITE_OFF',
  'FEE_OVERRIDE',
  'REFUND',
  'OBJECTION_CREDIT',
  'CREDIT_NOTE',
  'PAYMENT',
  'BACKDATED_PAYMENT',
  'DEBT_RELIEF',
  'BACKDATED_TERMS',
  'BACKDATED_HOLD',
  'TOLERANCE',
  'CLIENT_TOLERANCE',
  'LAW_CORRECTION',
  'CLIENT_ACCOUNT',
  'PAYOUT',
  'BANK_FILE',
] as const
export type ApprovalAct = (typeof approvalActs)[number]
/** What a request is about; nothing for an act of the agency, and where the input says it. */
export type ApprovalSubject = 'case' | 'client' | 'objection' | 'invoice' | 'debtor'
export const approvalSubjects: Readonly<Record<ApprovalAct, ApprovalSubject | null>> = {
  WRITE_OFF: 'case',
  FEE_OVERRIDE: 'case',
  REFUND: 'case',
  OBJECTION_CREDIT: 'objection',
  CREDIT_NOTE: 'invoice',
  PAYMENT: null,
  BACKDATED_PAYMENT: null,
  DEBT_RELIEF: 'debtor',
  BACKDATED_TERMS: 'case',
  BACKDATED_HOLD: 'case',
  TOLERANCE: 'case',
  CLIENT_TOLERANCE: 'client',
  LAW_CORRECTION: null,
  CLIENT_ACCOUNT: 'client',
  PAYOUT: null,
  BANK_FILE: null,
}
/** Acts that are judged alone. The amounts of all others add up, so that no limit is evaded by dividing an amount. */
export const actsAlone: readonly ApprovalAct[] = [
  'CLIENT_ACCOUNT',
  'CLIENT_TOLERANCE',
  'PAYOUT',
  'BACKDATED_PAYMENT',
]
export const approvalStatuses = ['WAITING', 'APPROVED', 'REJECTED', 'WITHDRAWN', 'ENDED'] as const
/** Why a request ended without a decision. */
export const approvalEndReasons = ['FILE_EXPIRED', 'PERSON_ERASED', 'FILE_NOT_COPIED'] as const
export type ApprovalEndReason = (typeof approvalEndReasons)[number]

const fields = {
  approvalGuid: guid('Approval', { readOnly: true }),
  act: text(20, 'Act', { lookup: 'approvalact' }),
  status: key(20, 'Status', { lookup: 'approvalstatus', readOnly: true }),
  caseGuid: Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'uuid', title: 'Case' }),
  caseNumber: text(20, 'Case number'),
  clientGuid: Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'uuid', title: 'Client' }),
  clientName: text(200, 'Client'),
  objectionGuid: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'uuid',
    title: 'Objection',
  }),
  invoiceGuid: Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'uuid', title: 'Invoice' }),
  debtorGuid: Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'uuid', title: 'Debtor' }),
  amount: money('Amount'),
  currencyCode: text(3, 'Currency', { lookup: 'currency' }),
  reason: lines(2000, 'Reason'),
  requestedAt: dateTime('Requested at'),
  requestedBy: text(200, 'Requested by', { personalData: 'name' }),
  requestedByGuid: guid('User who requested it'),
  decidedAt: dateTime('Decided at'),
  decidedBy: text(200, 'Decided by', { personalData: 'name' }),
  decisionText: lines(2000, 'Reason of the decision'),
  endReason: text(20, 'Why it ended without a decision', { lookup: 'approvalendreason' }),
}

const listed = [
  'approvalGuid',
  'act',
  'status',
  'caseGuid',
  'caseNumber',
  'clientGuid',
  'clientName',
  'objectionGuid',
  'invoiceGuid',
  'debtorGuid',
  'amount',
  'currencyCode',
  'reason',
  'requestedAt',
  'requestedBy',
  'requestedByGuid',
  'decidedAt',
  'decidedBy',
  'decisionText',
  'endReason',
] as const
export const Approval = outputSchema(fields, listed, { $id: 'Approval' })
export type Approval = Static<typeof Approval>

const input = Type.Record(Type.String(), Type.Unknown(), {
  description:
    'The fields of the form, or the body of the operation, that the act has. A `PAYOUT` has the `account` that it is paid from and the `lines` with the clients that it pays.',
})
export const ApprovalDetail = Type.Object({ ...Approval.properties, input }, { $id: 'ApprovalDetail' })
export type ApprovalDetail = Static<typeof ApprovalDetail>

export const ApprovalRequest = Type.Object(
  {
    act: Type.Enum([...approvalActs]),
    caseGuid: Type.Optional(
      Type.String({
        format: 'uuid',
        description:
          'Of `WRITE_OFF`, `FEE_OVERRIDE`, `REFUND`, `BACKDATED_TERMS`, `BACKDATED_HOLD` and `TOLERANCE`.',
      }),
    ),
    clientGuid: Type.Optional(
      Type.String({ format: 'uuid', description: 'Of `CLIENT_ACCOUNT` and `CLIENT_TOLERANCE`.' }),
    ),
    objectionGuid: Type.Optional(Type.String({ format: 'uuid', description: 'Of `OBJECTION_CREDIT`.' })),
    invoiceGuid: Type.Optional(Type.String({ format: 'uuid', description: 'Of `CREDIT_NOTE`.' })),
    debtorGuid: Type.Optional(Type.String({ format: 'uuid', description: 'Of `DEBT_RELIEF`.' })),
    input,
    reason: Type.Optional(fields.reason),
  },
  { $id: 'ApprovalRequest', additionalProperties: false },
)
export type ApprovalRequest = Static<typeof ApprovalRequest>

export const ApprovalDecision = inputSchema(fields, ['decisionText'], { $id: 'ApprovalDecision' })
export type ApprovalDecision = Static<typeof ApprovalDecision>

const area = 'Users'
const params = Type.Object({ approvalGuid: guid('Approval') })
// Those of the acts.
const access = [
  'case.write',
  'client.write',
  'payment.admin',
  'case.admin',
  'payment.write',
  'paymentplan.write',
] as const
const read = { area, method: 'GET', access, status: 200 } as const
const write = { area, method: 'POST', access } as const

export const listApprovals = operation({
  ...read,
  id: 'listApprovals',
  name: 'listApprovals',
  path: '/approvals',
  summary: 'List acts that need a second person',
  description:
    'The latest first: acts that the caller may do themselves, of visible cases and clients, and their own requests. A caller restricted to clients sees own requests only as long as all their clients are allowed.',
  query: pageQuery,
  response: page(Approval),
  example: { query: { $filter: "status eq 'WAITING'" } },
})
export const getApproval = operation({
  ...read,
  id: 'getApproval',
  name: 'getApproval',
  path: '/approvals/:approvalGuid',
  summary: 'Get an act that needs a second person',
  params,
  response: ApprovalDetail,
})
export const requestApproval = operation({
  ...write,
  id: 'requestApproval',
  name: 'requestApproval',
  path: '/approvals',
  summary: 'Request an act that needs a second person',
  description:
    'For an act that was answered `needs-approval`: the same input is checked again, booked by nobody yet, and waits. `WRITE_OFF` takes the fields of the form `writeoff/register`, `FEE_OVERRIDE` of `fee/add`, `REFUND` of `credit/refund`, `OBJECTION_CREDIT` of `objection/decide`, `CREDIT_NOTE` of `invoice/credit`, `PAYMENT` and `BACKDATED_PAYMENT` of `payment/register`, `BACKDATED_TERMS` and `TOLERANCE` of `case/terms`, `BACKDATED_HOLD` of `case/hold`, `CLIENT_ACCOUNT` and `CLIENT_TOLERANCE` of `client/terms`, `DEBT_RELIEF` the body of `createPaymentPlan`, or `paymentplanGuid` to activate a proposal, with `payments` to change an active plan, `PAYOUT` the body of `createPayout`, `LAW_CORRECTION` that of `confirmLawFindings`, `BANK_FILE` the `heldFileGuid` of `holdPaymentFile`. 422 when the act needs no second person.',
  status: 201,
  problems: ['not-found', 'conflict'],
  body: ApprovalRequest,
  response: ApprovalDetail,
  example: {
    body: {
      act: 'WRITE_OFF',
      caseGuid: '0198f2c4-7d02-7b61-8c0f-6a1e5b9d3f24',
      input: { amount: 4000, component: 'PRINCIPAL' },
      reason: 'Settled with the debtor by telephone.',
    },
  },
})
export const approveRequest = operation({
  ...write,
  id: 'approveRequest',
  name: 'approveRequest',
  path: '/approvals/:approvalGuid/approve',
  summary: 'Approve an act as its second person',
  description:
    'Does the act with the rights of the caller, who must not be its requester, nor use an account that the requester made or gave its rights; both stand in the audit trail. Who made the requester’s account approves only what their own role does alone. It is checked again: 409 when the amount has grown since, when a payout is no longer the one that was requested, or when the request is decided.',
  status: 200,
  problems: ['conflict'],
  params,
  body: ApprovalDecision,
  response: ApprovalDetail,
  example: { body: { decisionText: null } },
})
export const rejectRequest = operation({
  ...write,
  id: 'rejectRequest',
  name: 'rejectRequest',
  path: '/approvals/:approvalGuid/reject',
  summary: 'Reject or withdraw an act that waits for a second person',
  description: 'By its requester it is withdrawn, by anybody else rejected, with a reason.',
  status: 200,
  problems: ['conflict'],
  params,
  body: ApprovalDecision,
  response: ApprovalDetail,
  example: { body: { decisionText: 'The debtor can pay.' } },
})

const limitFields = {
  approvalLimitGuid: guid('Limit', { readOnly: true }),
  act: fields.act,
  userRole: code('Role', userRoles, { lookup: 'userrole' }),
  currencyCode: fields.currencyCode,
  amount: money('Up to this amount alone'),
  userAmount: money('Up to this sum alone on all cases'),
  periodDays: integer('Days that add up', { minimum: 1, maximum: 366 }),
  daysBack: integer('Days back alone', { minimum: 0, maximum: 36_500 }),
}
/** The dictionary of a limit above which a role needs a second person. */
export const approvalLimitFields = limitFields

export const ApprovalLimitInput = inputSchema(
  limitFields,
  ['act', 'userRole', 'currencyCode', 'amount', 'userAmount', 'periodDays', 'daysBack'],
  { 'x-demands': { required: ['act', 'userRole'] } satisfies Demands },
)
export type ApprovalLimitInput = Static<typeof ApprovalLimitInput>
export const ApprovalLimitChange = inputSchema(limitFields, [
  'amount',
  'userAmount',
  'periodDays',
  'daysBack',
])
export type ApprovalLimitChange = Static<typeof ApprovalLimitChange>

export const ApprovalLimit = outputSchema(
  { ...limitFields, act: key(20, 'Act', { lookup: 'approvalact' }) },
  ['approvalLimitGuid', 'act', 'userRole', 'currencyCode', 'amount', 'userAmount', 'periodDays', 'daysBack'],
  { $id: 'ApprovalLimit' },
)
export type ApprovalLimit = Static<typeof ApprovalLimit>

export const listApprovalLimits = operation({
  id: 'listApprovalLimits',
  name: 'listApprovalLimits',
  method: 'GET',
  path: '/approvals/limits',
  area,
  summary: 'List the limits above which a second person is needed',
  description:
    'By act and role. A role without a limit acts alone. A limit without a currency lets the role do nothing of the kind alone; with a limit in one currency, every amount in another needs a second person. Within `periodDays` the amounts of an act add up: on one case to `amount`, of one user to `userAmount`. A limit of `BACKDATED_PAYMENT` has `daysBack` instead: by so many days the role alone dates a payment back. The forms of `approvallimit` create, change and delete limits.',
  access: ['system.admin'],
  unrestricted: true,
  query: pageQuery,
  status: 200,
  response: page(ApprovalLimit),
  example: { query: { $filter: "act eq 'WRITE_OFF'" } },
})
