/** Calls with debtors and the promises made in them: operations that the specification does not have. */
import { Type, type Static } from 'typebox'
import { caseFields } from '../cases/cases.ts'
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
  type Demands,
} from '../metadata/fields.ts'
import { ofDebtor } from '../parties/debtors.ts'
import { operation } from '../platform/operation.ts'
import { page, pageQuery } from '../platform/page.ts'

export const callOutcomes = [
  'REACHED',
  'CALL_BACK',
  'REFUSED',
  'NO_ANSWER',
  'VOICEMAIL',
  'WRONG_NUMBER',
] as const
export type CallOutcome = (typeof callOutcomes)[number]
/** A promise is kept, broken, open, or replaced by a later one. */
export const promiseStatuses = ['OPEN', 'KEPT', 'BROKEN', 'REPLACED'] as const

const fields = {
  callGuid: guid('Call'),
  debtorGuid: guid('Debtor'),
  outcome: text(20, 'Outcome', { lookup: 'calloutcome' }),
  inbound: flag('The debtor called'),
  rightParty: flag('The debtor was on the line'),
  text: lines(10_000, 'What was said'),
  promisedAmount: money('Promised amount'),
  promisedDate: date('Promised on'),
  promiseStatus: text(10, 'Promise', { lookup: 'promisestatus' }),
  followUp: text(500, 'Next action'),
  followUpDate: date('Date of the next action'),
  shownToClient: flag('The client sees it'),
  createdAt: dateTime('Logged'),
  createdBy: text(200, 'Logged by', { personalData: 'name' }),
}
/** The dictionary of a call: every field once. */
export const callFields = fields

export const Call = outputSchema(
  {
    ...fields,
    caseGuid: caseFields.caseGuid,
    caseNumber: key(20, 'Case number'),
    currencyCode: caseFields.currencyCode,
  },
  [
    'callGuid',
    'caseGuid',
    'caseNumber',
    'debtorGuid',
    'outcome',
    'inbound',
    'rightParty',
    'text',
    'promisedAmount',
    'promisedDate',
    'promiseStatus',
    'currencyCode',
    'shownToClient',
    'createdAt',
    'createdBy',
  ],
  { $id: 'Call' },
)
export type Call = Static<typeof Call>

export const CallInput = inputSchema(
  fields,
  [
    'outcome',
    'inbound',
    'rightParty',
    'text',
    'promisedAmount',
    'promisedDate',
    'followUp',
    'followUpDate',
    'shownToClient',
  ],
  { $id: 'CallInput', 'x-demands': { required: ['outcome'] } satisfies Demands },
)
export type CallInput = Static<typeof CallInput>

const read = { area: 'Debtors', method: 'GET', access: ['case.read'], status: 200 } as const
const ofCase = Type.Object({ caseGuid: guid('Case') })

export const listCaseCalls = operation({
  ...read,
  id: 'listCaseCalls',
  name: 'listCaseCalls',
  path: '/cases/:caseGuid/calls',
  summary: "List a case's calls",
  description: 'The latest first. Creditors see the calls with `shownToClient`.',
  params: ofCase,
  query: pageQuery,
  response: page(Call),
})
export const listDebtorCalls = operation({
  ...read,
  id: 'listDebtorCalls',
  name: 'listDebtorCalls',
  path: '/debtors/:debtorGuid/calls',
  summary: "List a debtor's calls",
  description:
    'Of the cases that the caller may see, the latest first. Creditors see the calls with `shownToClient`.',
  params: ofDebtor,
  query: pageQuery,
  response: page(Call),
})
export const logCall = operation({
  id: 'logCall',
  name: 'logCall',
  method: 'POST',
  area: 'Debtors',
  access: ['case.write'],
  status: 201,
  path: '/cases/:caseGuid/calls',
  summary: 'Log a call with the main debtor',
  description:
    'A promise to pay comes back as work on its day. Payments that are booked after the call with a value date up to that day keep it. A new promise replaces the open one of the case. `followUpDate` sets the next action of the case.',
  params: ofCase,
  body: CallInput,
  response: Call,
  example: {
    body: { outcome: 'REACHED', rightParty: true, promisedAmount: 500, promisedDate: '2100-07-01T00:00:00Z' },
  },
})
