import { Type, type Static } from 'typebox'
import { flag, guid, inputSchema, lines, text, type Demands } from '../metadata/fields.ts'
import { operation } from '../platform/operation.ts'
import { Problem } from '../platform/problem.ts'

const line = (description: string) => Type.String({ description })
export const optional = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description })
const codes = (description: string) =>
  Type.Unsafe<string[] | null>({
    type: ['array', 'null'],
    items: { type: 'string' },
    maxItems: 300,
    description,
  })
const amount = (description: string) => Type.Unsafe<number | null>({ type: ['number', 'null'], description })
const actions = Type.Array(
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
  {
    maxItems: 10,
    description: [
      'The actions, in this order, all or nothing:',
      '- `{kind: "fee", feeType}`: the fee of the client’s terms or of the statute; none if neither has one.',
      '- `{kind: "status", status, subStatus}`: a status that can also be set by hand.',
      '- `{kind: "letter", letter, dueDays}`: reminder, notice, demand, legal or surveillance; without `dueDays` it has no due date.',
      '- `{kind: "service", service, userGuid, input}`: a custom service for the debtor, with the rights of the user, who must have the required ones. `input` is checked like in a direct call.',
      '- `{kind: "task", task}`: something that a case handler does by hand. It becomes an item of work with the reason STRATEGY_TASK.',
    ].join('\n'),
  },
)

const conditions = {
  subStatus: optional('Null means any, as for every condition.'),
  service: optional('PRECOLLECTION, COLLECTION or SURVEILLANCE.'),
  countries: codes('The governing countries of cases; of a case without one, the country of its client.'),
  currencies: codes('The case’s currency; required if an amount is a condition.'),
  amountFrom: amount('The least amount remaining.'),
  amountBelow: amount('The amount remaining is less than this.'),
  onPlan: Type.Unsafe<boolean | null>({
    type: ['boolean', 'null'],
    description: 'True if the case has a payment plan.',
  }),
  source: optional('The law or practice behind it.'),
}
const place = {
  code: line('Unique within the strategy: a step with the same code is the same step in every version.'),
  status: line('The status of the case.'),
  afterDays: Type.Integer({ description: 'Days in that status, open and not on hold.' }),
}

export const StrategyStepItem = Type.Object({ ...place, ...conditions, actions }, { $id: 'StrategyStep' })

export const StrategyStepInput = Type.Object(
  {
    ...place,
    ...(Object.fromEntries(
      Object.entries(conditions).map(([name, schema]) => [name, Type.Optional(schema)]),
    ) as { [N in keyof typeof conditions]: ReturnType<typeof Type.Optional<(typeof conditions)[N]>> }),
    actions,
  },
  { $id: 'StrategyStepInput', additionalProperties: false },
)
export type StrategyStepInput = Static<typeof StrategyStepInput>

export const StrategyItem = Type.Object(
  {
    strategyGuid: guid('Strategy'),
    code: line('The code by which clients get the strategy.'),
    name: line('Its name.'),
    source: optional('The law and practice behind it; never legal advice.'),
    unverified: Type.Boolean({ description: 'The sources were not checked.' }),
    version: Type.Integer({ description: 'Each change creates a new version.' }),
    clients: Type.Integer({ description: 'Parties with this strategy as their own.' }),
    steps: Type.Array(StrategyStepItem, { description: 'If several steps are due, the first is taken.' }),
  },
  { $id: 'Strategy' },
)
export type StrategyItem = Static<typeof StrategyItem>

export const StrategyList = Type.Object({ value: Type.Array(StrategyItem) }, { $id: 'StrategyList' })

const fields = {
  strategy: text(50, 'Strategy'),
  strategyGuid: guid('Strategy', { readOnly: true }),
  code: text(50, 'Code'),
  name: text(200, 'Name'),
  source: lines(2000, 'Law and practice'),
  running: flag('Also for cases under way', { audit: false }),
}
export const StrategyInput = inputSchema(fields, ['strategy'], {
  $id: 'StrategyInput',
  'x-demands': { required: ['strategy'] } satisfies Demands,
})
export type StrategyInput = Static<typeof StrategyInput>

export const steps = Type.Array(StrategyStepInput, {
  maxItems: 100,
  description: 'All steps in order: if several are due, the first is taken.',
})
export const NewStrategy = Type.Object(
  {
    code: Type.Optional(fields.code),
    name: Type.Optional(fields.name),
    source: Type.Optional(fields.source),
    steps: Type.Optional(steps),
  },
  {
    $id: 'NewStrategy',
    additionalProperties: false,
    'x-demands': {
      required: ['code', 'name', 'steps'],
      members: { code: { minLength: 1 }, name: { minLength: 1 }, steps: { minItems: 1 } },
    } satisfies Demands,
  },
)
export type NewStrategy = Static<typeof NewStrategy>

export const StrategyChange = Type.Object(
  {
    name: Type.Optional(fields.name),
    source: Type.Optional(fields.source),
    steps: Type.Optional(steps),
    running: Type.Optional(fields.running),
  },
  { $id: 'StrategyChange', additionalProperties: false },
)
export type StrategyChange = Static<typeof StrategyChange>

/** The dictionary of the form, where a step is a line of JSON. */
export const strategyFields = {
  ...fields,
  steps: Type.Array(Type.String(), {
    title: 'Steps, each a line of JSON',
    'x-field': { unfilterable: true },
  }),
}
export const StrategyForm = inputSchema(strategyFields, ['code', 'name', 'source', 'steps'], {
  $id: 'StrategyForm',
})
export const StrategyChangeForm = inputSchema(strategyFields, ['name', 'source', 'steps', 'running'], {
  $id: 'StrategyChangeForm',
})

const ofStrategy = Type.Object({ strategyGuid: guid('Strategy') })
export const administer = { area: 'System', access: ['system.admin'], unrestricted: true } as const
export const exampleStep = {
  code: 'REMINDER',
  status: 'NEW',
  subStatus: 'REGISTERED',
  service: 'PRECOLLECTION',
  afterDays: 0,
  actions: [
    { kind: 'status', status: 'PRECOLLECTION', subStatus: 'REMINDER_SENT' },
    { kind: 'letter', letter: 'reminder', dueDays: 14 },
  ],
}

export const listStrategies = operation({
  id: 'listStrategies',
  name: 'listStrategies',
  method: 'GET',
  path: '/strategies',
  area: 'System',
  summary: 'List collection strategies',
  description:
    'With the steps of their newest version: the actions for a case after a number of days, taken at the day-end.',
  access: ['client.read', 'system.admin'],
  status: 200,
  response: StrategyList,
})
export const getStrategy = operation({
  id: 'getStrategy',
  name: 'getStrategy',
  method: 'GET',
  path: '/strategies/:strategyGuid',
  area: 'System',
  summary: 'Get a collection strategy',
  access: ['client.read', 'system.admin'],
  params: ofStrategy,
  query: Type.Object(
    {
      version: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 2_147_483_647,
          description: 'An older version, to get its steps.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  status: 200,
  response: StrategyItem,
  versioned: true,
})
export const createStrategy = operation({
  id: 'createStrategy',
  name: 'createStrategy',
  method: 'POST',
  path: '/strategies',
  ...administer,
  summary: 'Create a collection strategy',
  description: 'It has no effect until a client has it (`assignStrategy`).',
  body: NewStrategy,
  status: 201,
  response: StrategyItem,
  problems: ['conflict'],
  example: { body: { code: 'SOFT', name: 'Soft reminders', steps: [exampleStep] } },
})
export const updateStrategy = operation({
  id: 'updateStrategy',
  name: 'updateStrategy',
  method: 'PUT',
  path: '/strategies/:strategyGuid',
  ...administer,
  summary: 'Change a collection strategy',
  description:
    'Creates a new version. Omitted and null members stay; `steps` replaces all of them. A case for which a step was taken continues with the version of that step, unless `running` is true. All others use the new version. Refused with 409 while a trial of the strategy runs.',
  params: ofStrategy,
  body: StrategyChange,
  status: 200,
  response: StrategyItem,
  problems: ['conflict', 'precondition-failed'],
  versioned: true,
  example: { body: { name: 'Soft reminders', running: false } },
})
export const deleteStrategy = operation({
  id: 'deleteStrategy',
  name: 'deleteStrategy',
  method: 'DELETE',
  path: '/strategies/:strategyGuid',
  ...administer,
  summary: 'Delete a collection strategy',
  description: 'Refused while a party has it, or once one of its steps was taken.',
  params: ofStrategy,
  status: 200,
  response: Problem,
  problems: ['conflict', 'precondition-failed'],
  versioned: true,
})
export const assignStrategy = operation({
  id: 'assignStrategy',
  name: 'assignStrategy',
  method: 'PUT',
  path: '/clients/:clientGuid/strategy',
  area: 'Users',
  summary: 'Assign a strategy to a client',
  description:
    'The empty string removes it: then the parent party’s strategy applies. Steps already taken stay. `apply-strategies dry-run` lists what would happen next.',
  access: ['client.write'],
  params: Type.Object({ clientGuid: guid('Client') }),
  body: StrategyInput,
  status: 200,
  response: Problem,
  example: { body: { strategy: 'NORDIC' } },
})
