/** The queue of the case handlers: operations that the specification does not have. */
import { NextStep } from '../collection/next-step.ts'
import { Type, type Static } from 'typebox'
import { caseFields } from '../cases/cases.ts'
import { date, guid, inputSchema, key, outputSchema, reference, text } from '../metadata/fields.ts'
import { operation } from '../platform/operation.ts'
import { page, pageQuery } from '../platform/page.ts'
import { callFields } from './calls.ts'

/** Why a case is in the queue. A case has an item for each reason. The first is the most urgent of a day. */
export const workReasons = [
  'PROMISE_BROKEN',
  'PLAN_BROKEN',
  'OBJECTION',
  'MENTION',
  'PROMISE_DUE',
  'LIMITATION_NEAR',
  'FOLLOW_UP',
  'NOTE_FOLLOW_UP',
  'STRATEGY_TASK',
] as const
export type WorkReason = (typeof workReasons)[number]

const optionalGuid = (title: string, lookup?: string) =>
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'uuid',
    title,
    'x-field': lookup === undefined ? {} : { lookup },
  })

const fields = {
  itemId: key(120, 'Item'),
  reason: key(30, 'Why it is in the queue', { lookup: 'workreason' }),
  task: text(500, 'What to do'),
  promisedAmount: callFields.promisedAmount,
  dueDate: Type.Unsafe<string>({
    type: 'string',
    format: 'date-time',
    title: 'Due',
    'x-field': { kind: 'date' },
  }),
  daysLate: Type.Integer({ title: 'Days late', description: 'Negative for an item that is not yet due.' }),
  ownerGuid: optionalGuid('Handler', 'user'),
  ownerName: text(200, 'Handler', { personalData: 'name' }),
  teamGuid: optionalGuid('Team'),
  teamName: text(200, 'Team'),
  nextAction: text(500, 'Next action'),
  nextActionDate: date('Date of the next action'),
}

const { mainDebtorGuid: debtorGuid, mainDebtorName: debtorName, currencyCode, remainingSum } = caseFields

export const WorkItem = outputSchema(
  { ...caseFields, ...fields, debtorGuid, debtorName },
  [
    'itemId',
    'caseGuid',
    'caseNumber',
    'debtorGuid',
    'debtorName',
    'clientGuid',
    'clientName',
    'status',
    'subStatus',
    'currencyCode',
    'remainingSum',
    'reason',
    'task',
    'promisedAmount',
    'dueDate',
    'daysLate',
    'ownerGuid',
    'ownerName',
    'teamGuid',
    'teamName',
    'nextAction',
    'nextActionDate',
  ],
  { $id: 'WorkItem' },
)
export type WorkItem = Static<typeof WorkItem>

const owner = { ownerGuid: fields.ownerGuid, ownerName: fields.ownerName }
const team = { teamGuid: fields.teamGuid, teamName: fields.teamName }

export const WorkQueue = Type.Object(
  {
    ...owner,
    ...team,
    items: Type.Integer({ title: 'Items due' }),
    dueToday: Type.Integer({ title: 'Due today' }),
    late: Type.Integer({ title: 'Late by up to 7 days' }),
    veryLate: Type.Integer({ title: 'Late by 8 days or more' }),
    oldestDate: fields.dueDate,
    amounts: Type.Array(Type.Object({ currencyCode, remainingSum }), {
      description: 'What remains of the cases, each case once, by currency.',
    }),
  },
  { $id: 'WorkQueue' },
)
export type WorkQueue = Static<typeof WorkQueue>
export const WorkQueues = Type.Object({ queues: Type.Array(WorkQueue) }, { $id: 'WorkQueues' })

export const WorkOwners = Type.Object(
  {
    users: Type.Array(Type.Object({ userGuid: guid('User'), fullName: key(200, 'Name') })),
    teams: Type.Array(Type.Object({ teamGuid: guid('Team'), name: key(200, 'Name') })),
  },
  { $id: 'WorkOwners' },
)
export type WorkOwners = Static<typeof WorkOwners>

/** The maximum number of cases or items in one request. */
export const workAtOnceMax = 500

export const AssignmentInput = Type.Object(
  {
    caseGuids: Type.Array(guid('Case'), { minItems: 1, maxItems: workAtOnceMax }),
    ownerGuid: Type.Optional(optionalGuid('Handler; null for nobody')),
    teamGuid: Type.Optional(optionalGuid('Team; null for none')),
  },
  { $id: 'AssignmentInput', additionalProperties: false },
)
export type AssignmentInput = Static<typeof AssignmentInput>

export const Assigned = Type.Object(
  { assigned: Type.Integer({ description: 'Cases whose handler or team changed.' }) },
  { $id: 'Assigned' },
)

export const TakenWork = Type.Object(
  {
    item: Type.Unsafe<WorkItem | null>({
      anyOf: [WorkItem, { type: 'null' }],
      description: 'Null when nothing due is free.',
    }),
  },
  { $id: 'TakenWork' },
)

const nextAction = Type.Optional(fields.nextAction)
const nextActionDate = Type.Optional(fields.nextActionDate)

export const WorkDoneInput = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        {
          caseGuid: guid('Case'),
          reason: Type.String({ title: 'Reason', maxLength: 30 }),
          dueDate: fields.dueDate,
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: workAtOnceMax },
    ),
  },
  { $id: 'WorkDoneInput', additionalProperties: false },
)
export type WorkDoneInput = Static<typeof WorkDoneInput>
export const WorkDone = Type.Object(
  { done: Type.Integer({ description: 'Items that were not done before.' }) },
  { $id: 'WorkDone' },
)

export const CaseWork = Type.Object(
  {
    ...owner,
    ...team,
    nextAction: fields.nextAction,
    nextActionDate: fields.nextActionDate,
    nextStep: NextStep,
    items: Type.Array(WorkItem, { description: 'The earliest first.' }),
  },
  { $id: 'CaseWork' },
)
export type CaseWork = Static<typeof CaseWork>

export const NextActionInput = Type.Object(
  { nextAction, nextActionDate },
  { $id: 'NextActionInput', additionalProperties: false },
)
export type NextActionInput = Static<typeof NextActionInput>

/** The fields of the form `case/handling`. The lookups have the handlers and teams of `listWorkOwners`. */
export const handlingFields = {
  ownerGuid: reference('Handler', 'casehandler'),
  teamGuid: reference('Team', 'caseteam'),
  nextAction: fields.nextAction,
  nextActionDate: fields.nextActionDate,
}
export const HandlingInput = inputSchema(
  handlingFields,
  ['ownerGuid', 'teamGuid', 'nextAction', 'nextActionDate'],
  { $id: 'HandlingInput' },
)
export type HandlingInput = Static<typeof HandlingInput>

const read = { area: 'Debtors', method: 'GET', access: ['case.write'], status: 200 } as const
const write = { area: 'Debtors', access: ['case.write'], status: 200 } as const
const ofCase = Type.Object({ caseGuid: guid('Case') })

export const listWork = operation({
  ...read,
  id: 'listWork',
  name: 'listWork',
  path: '/work',
  summary: 'List the work on cases',
  description:
    'An item for each case and reason, of the clients that the caller may see; the earliest due date first. Items of the future are included: filter by `dueDate`.',
  query: pageQuery,
  response: page(WorkItem),
  example: { query: { $filter: "reason eq 'PLAN_BROKEN' and ownerGuid eq null" } },
})
export const getWorkQueues = operation({
  ...read,
  id: 'getWorkQueues',
  name: 'getWorkQueues',
  path: '/work/queues',
  summary: 'Count the work by team and handler',
  description: 'What is due up to the business date, by team and handler, with its age and value.',
  response: WorkQueues,
})
export const listWorkOwners = operation({
  ...read,
  id: 'listWorkOwners',
  name: 'listWorkOwners',
  path: '/work/owners',
  summary: 'List the handlers and teams that cases can be assigned to',
  description:
    'Users of the agency who are not disabled, and the access groups that such a user is in. A group is a team.',
  response: WorkOwners,
})
export const takeNextWork = operation({
  ...write,
  id: 'takeNextWork',
  name: 'takeNextWork',
  method: 'POST',
  path: '/work/next',
  summary: 'Take the next case',
  description:
    'Makes the caller the handler of the most urgent due case that has no handler and belongs to no team or to one of the caller’s. Two handlers never get the same case.',
  response: TakenWork,
})
export const assignWork = operation({
  ...write,
  id: 'assignWork',
  name: 'assignWork',
  method: 'POST',
  path: '/work/assignments',
  summary: 'Assign cases',
  description:
    'Sets the handler, the team or both; a member that is left out stays as it is. All cases are assigned, or none.',
  body: AssignmentInput,
  problems: ['not-found'],
  response: Assigned,
  example: {
    body: {
      caseGuids: ['0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70'],
      ownerGuid: '0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e71',
    },
  },
})
export const completeWork = operation({
  ...write,
  id: 'completeWork',
  name: 'completeWork',
  method: 'POST',
  path: '/work/done',
  summary: 'Mark items of work as done',
  description:
    'An item that is done leaves the queue. It returns if its reason arises on another date. A follow-up that is done also clears the next action of its case.',
  body: WorkDoneInput,
  problems: ['not-found'],
  response: WorkDone,
  example: {
    body: {
      items: [
        {
          caseGuid: '0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70',
          reason: 'PLAN_BROKEN',
          dueDate: '2026-06-15T00:00:00Z',
        },
      ],
    },
  },
})
export const getCaseWork = operation({
  ...read,
  id: 'getCaseWork',
  name: 'getCaseWork',
  path: '/cases/:caseGuid/work',
  summary: 'Get the handler, next action and work of a case',
  description: '`nextStep` is what the strategy does next by itself, and on which day.',
  params: ofCase,
  response: CaseWork,
  versioned: true,
})
export const setNextAction = operation({
  ...write,
  id: 'setNextAction',
  name: 'setNextAction',
  method: 'PUT',
  path: '/cases/:caseGuid/nextaction',
  summary: 'Set the next action of a case',
  description:
    'The case comes back as work with the reason FOLLOW_UP on that date. Without a date the next action is removed.',
  params: ofCase,
  body: NextActionInput,
  response: CaseWork,
  versioned: true,
  example: { body: { nextAction: 'Call the debtor’s employer', nextActionDate: '2027-03-01T00:00:00Z' } },
})
