/** One action on every row of a list that a filter matches: operations that the specification does not have. */
import { Type, type Static } from 'typebox'
import { guid, outputSchema, text } from '../metadata/fields.ts'
import { operation } from '../platform/operation.ts'
import { page, pageQuery } from '../platform/page.ts'

/** The maximum number of rows in one bulk action. */
export const bulkRowsMax = 50_000

/** The actions of each list. */
export const bulkActions = {
  cases: ['hold', 'resume', 'status', 'close', 'note', 'letter', 'assign', 'nextaction', 'plan'],
  work: ['assign', 'done'],
  clients: ['strategy'],
} as const
export type BulkList = keyof typeof bulkActions
export type BulkActionName = (typeof bulkActions)[BulkList][number]
export const bulkLists = Object.keys(bulkActions) as BulkList[]
export const bulkActionNames = [...new Set<BulkActionName>(Object.values(bulkActions).flat())]

export const bulkStates = ['waiting', 'running', 'completed', 'stopped', 'failed'] as const
export type BulkState = (typeof bulkStates)[number]
export const bulkRowStates = ['waiting', 'done', 'refused', 'undone'] as const
export type BulkRowState = (typeof bulkRowStates)[number]

const list = Type.Unsafe<BulkList>({ type: 'string', enum: bulkLists, title: 'List', 'x-field': {} })
const action = Type.Unsafe<BulkActionName>({
  type: 'string',
  enum: bulkActionNames,
  title: 'Action',
  'x-field': {},
})
const count = (title: string, description?: string) =>
  Type.Unsafe<number>({
    type: 'integer',
    minimum: 0,
    title,
    ...(description !== undefined && { description }),
    'x-field': {},
  })
const instant = (title: string, description?: string) =>
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'date-time',
    title,
    ...(description !== undefined && { description }),
    'x-field': {},
  })

const fields = {
  bulkActionGuid: guid('Bulk action'),
  list,
  action,
  filter: text(4000, 'Filter'),
  status: Type.Unsafe<BulkState>({
    type: 'string',
    enum: [...bulkStates],
    title: 'Status',
    description: 'Of the run, or of its undo once that has begun.',
    'x-field': { lookup: 'bulkstate' },
  }),
  isUndo: Type.Boolean({ title: 'Is being undone', 'x-field': {} }),
  expected: count('Rows confirmed'),
  found: count('Rows found', 'Those that matched when the request was accepted.'),
  toDo: count('Rows to do'),
  done: count('Rows done'),
  refused: count('Rows refused'),
  undone: count('Rows undone'),
  undoable: count('Rows that can be undone', '0 while the job runs, and once a letter may have left.'),
  jobId: guid('Job'),
  lettersLeaveAt: instant('Letters leave not before', 'Null while the run goes on, and for other actions.'),
  createdAt: Type.Unsafe<string>({
    type: 'string',
    format: 'date-time',
    title: 'Asked for at',
    'x-field': {},
  }),
  endedAt: instant('Ended at'),
}
export const BulkAction = outputSchema(fields, Object.keys(fields) as (keyof typeof fields)[], {
  $id: 'BulkAction',
})
export type BulkAction = Static<typeof BulkAction>

const rowFields = {
  number: Type.Integer({ title: 'Number', 'x-field': {} }),
  subjectGuid: guid('The case or client'),
  reference: text(50, 'Case number, or code of the client'),
  name: text(300, 'Main debtor, or client', { personalData: 'name' }),
  state: Type.Unsafe<BulkRowState>({
    type: 'string',
    enum: [...bulkRowStates],
    title: 'State',
    'x-field': { lookup: 'bulkrowstate' },
  }),
  reason: text(1000, 'Why it was refused, or not undone'),
}
export const BulkRow = outputSchema(rowFields, Object.keys(rowFields) as (keyof typeof rowFields)[], {
  $id: 'BulkRow',
})
export type BulkRow = Static<typeof BulkRow>

export const BulkActionInput = Type.Object(
  {
    list,
    action,
    filter: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        maxLength: 4000,
        title: 'Filter',
        description:
          'As `$filter` of the list: of `listAllCases`, `listWork` or `listClients`. Null for all.',
      }),
    ),
    expected: Type.Integer({
      minimum: 1,
      maximum: bulkRowsMax,
      title: 'Rows confirmed',
      description: 'How many rows the user was told. When more match now, nothing is done.',
    }),
    input: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        title: 'Input',
        description: 'What the operation for a single record takes.',
      }),
    ),
  },
  { $id: 'BulkActionInput', additionalProperties: false },
)
export type BulkActionInput = Static<typeof BulkActionInput>

const area = 'Debtors'
const access = ['case.write', 'client.write'] as const
const ofAction = Type.Object({ bulkActionGuid: guid('Bulk action') })

export const startBulkAction = operation({
  id: 'startBulkAction',
  name: 'startBulkAction',
  method: 'POST',
  path: '/bulkactions',
  area,
  access,
  summary: 'Do an action on every row that a filter matches',
  description:
    'Runs as a job, as the caller: each row by the operation for a single record, with the rights at that moment. A refused row does not stop the others. Needs the access codes of that operation too. Letters leave ten minutes after the job has ended. Answers 409 with `found` when more rows match than `expected`, and 422 above 50,000 rows.',
  body: BulkActionInput,
  status: 202,
  response: BulkAction,
  problems: ['conflict'],
  example: {
    body: {
      list: 'cases',
      action: 'hold',
      filter: "status eq 'AMICABLE' and remainingSum lt 500",
      expected: 124,
      input: { reason: 'HOLD_DISPUTE' },
    },
  },
})
export const listBulkActions = operation({
  id: 'listBulkActions',
  name: 'listBulkActions',
  method: 'GET',
  path: '/bulkactions',
  area,
  access,
  summary: 'List your bulk actions',
  description: 'Those of the caller, newest first.',
  query: pageQuery,
  status: 200,
  response: page(BulkAction),
})
export const getBulkAction = operation({
  id: 'getBulkAction',
  name: 'getBulkAction',
  method: 'GET',
  path: '/bulkactions/:bulkActionGuid',
  area,
  access,
  summary: 'Get a bulk action with its progress',
  description: 'Only the user who asked for it sees it.',
  params: ofAction,
  status: 200,
  response: BulkAction,
})
export const listBulkRows = operation({
  id: 'listBulkRows',
  name: 'listBulkRows',
  method: 'GET',
  path: '/bulkactions/:bulkActionGuid/rows',
  area,
  access,
  summary: 'List the rows of a bulk action',
  description: 'In order, without records that the caller may no longer see. Refused rows have their reason.',
  params: ofAction,
  query: pageQuery,
  status: 200,
  response: page(BulkRow),
  example: { query: { $filter: "state eq 'refused'" } },
})
export const stopBulkAction = operation({
  id: 'stopBulkAction',
  name: 'stopBulkAction',
  method: 'POST',
  path: '/bulkactions/:bulkActionGuid/stop',
  area,
  access,
  summary: 'Stop a bulk action',
  description: 'What is done stays done. The rows under way are finished, and no other is begun.',
  params: ofAction,
  status: 200,
  response: BulkAction,
  problems: ['conflict'],
})
export const undoBulkAction = operation({
  id: 'undoBulkAction',
  name: 'undoBulkAction',
  method: 'POST',
  path: '/bulkactions/:bulkActionGuid/undo',
  area,
  access,
  summary: 'Undo a bulk action',
  description:
    'Undoes the done rows as a job. A row that was changed meanwhile stays, with the reason. Refused with 409 while the job runs, and once a letter may have left.',
  params: ofAction,
  status: 202,
  response: BulkAction,
  problems: ['conflict'],
})
