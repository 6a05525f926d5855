/** Objections, complaints and hardship of debtors: operations that the specification does not have. */
import type { Static } from 'typebox'
import {
  date,
  dateTime,
  flag,
  guid,
  inputSchema,
  key,
  lines,
  money,
  outputSchema,
  text,
} from '../metadata/fields.ts'
import { operation } from '../platform/operation.ts'
import { pageQuery } from '../platform/page.ts'
import { pageWithSums, withSums } from '../platform/sums.ts'

export const objectionMatters = ['OBJECTION', 'COMPLAINT', 'HARDSHIP'] as const
export type ObjectionMatter = (typeof objectionMatters)[number]
export const objectionKinds = [
  'NOT_MINE',
  'PAID',
  'WRONG_AMOUNT',
  'NOT_DELIVERED',
  'DEFECT',
  'WITHDRAWN',
  'BARRED',
  'CONDUCT',
  'ILLNESS',
  'INCOME',
  'OTHER',
] as const
export const objectionDecisions = ['UPHELD', 'PARTLY', 'REJECTED', 'WITHDRAWN'] as const
export const objectionStatuses = ['OPEN', 'ANSWERED', ...objectionDecisions] as const
export const forbearanceMeasures = [
  'NONE',
  'PLAN',
  'POSTPONEMENT',
  'LOWER_INTEREST',
  'PARTIAL_REMISSION',
  'OTHER',
] as const

const readOnly = { readOnly: true } as const
const fields = {
  objectionGuid: guid('Objection', readOnly),
  caseGuid: guid('Case', readOnly),
  caseNumber: key(50, 'Case', readOnly),
  clientGuid: guid('Client', readOnly),
  clientName: key(200, 'Client', readOnly),
  debtorGuid: guid('Debtor', readOnly),
  mainDebtorName: key(200, 'Main debtor', { ...readOnly, personalData: 'name' }),
  matter: text(20, 'Matter', { lookup: 'objectionmatter' }),
  kind: text(20, 'Kind', { lookup: 'objectionkind' }),
  currencyCode: text(3, 'Currency', { lookup: 'currency', readOnly: true }),
  amount: money('Amount'),
  reason: lines(4000, 'Reason'),
  evidence: lines(4000, 'Evidence'),
  receivedDate: date('Received on'),
  receivedBy: text(200, 'Received by'),
  answerBy: date('Answer by'),
  answerRule: text(50, 'Rule of the answer', readOnly),
  isOverdue: flag('Answer overdue', readOnly),
  status: key(20, 'Status', { lookup: 'objectionstatus', readOnly: true }),
  answer: lines(4000, 'Answer'),
  answeredDate: date('Answered on'),
  decision: text(20, 'Decision', { lookup: 'objectiondecision' }),
  decisionReason: lines(4000, 'Reason of the decision'),
  decidedDate: date('Decided on', readOnly),
  creditedAmount: money('Credited', readOnly),
  measure: text(20, 'Forbearance', { lookup: 'forbearance' }),
  referredDate: date('Referred to debt advice on'),
  createdAt: dateTime('Recorded at', readOnly),
}
/** The dictionary of an objection: every field once. */
export const objectionFields = fields

export const Objection = outputSchema(
  fields,
  [
    'objectionGuid',
    'caseGuid',
    'caseNumber',
    'clientGuid',
    'clientName',
    'debtorGuid',
    'mainDebtorName',
    'matter',
    'kind',
    'currencyCode',
    'amount',
    'reason',
    'evidence',
    'receivedDate',
    'receivedBy',
    'answerBy',
    'answerRule',
    'isOverdue',
    'status',
    'answer',
    'answeredDate',
    'decisionReason',
    'decidedDate',
    'creditedAmount',
    'measure',
    'referredDate',
    'createdAt',
  ],
  { $id: 'Objection' },
)
export type Objection = Static<typeof Objection>

export const ObjectionInput = inputSchema(fields, [
  'matter',
  'kind',
  'amount',
  'reason',
  'evidence',
  'receivedDate',
  'receivedBy',
  'answerBy',
])
export type ObjectionInput = Static<typeof ObjectionInput>

export const ObjectionAnswer = inputSchema(fields, ['answer', 'answeredDate'])
export type ObjectionAnswer = Static<typeof ObjectionAnswer>

export const ObjectionRuling = inputSchema(fields, [
  'decision',
  'amount',
  'decisionReason',
  'measure',
  'referredDate',
])
export type ObjectionRuling = Static<typeof ObjectionRuling>

export const listObjections = operation({
  id: 'listObjections',
  name: 'listObjections',
  method: 'GET',
  path: '/objections',
  area: 'Debtors',
  summary: 'List objections, complaints and hardship',
  description:
    'What debtors object to, complain about or cannot pay, of the clients that the caller may see, latest first. `answerBy` is the day by which the debtor gets an answer. The forms `objection/create`, `objection/answer` and `objection/decide` record, answer and decide.',
  access: ['case.read'],
  query: withSums(pageQuery, ['amount', 'creditedAmount']),
  status: 200,
  response: pageWithSums(Objection, ['amount', 'creditedAmount']),
  example: { query: { $filter: "status eq 'OPEN' and answerBy lt 2026-12-01", $orderby: 'answerBy' } },
})
