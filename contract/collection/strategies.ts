import { Type, type Static } from 'typebox'
import { dateTime, flag, guid, inputOf, lines, text } from '../metadata/fields.ts'
import { operation } from '../platform/operation.ts'
import { Problem } from '../platform/problem.ts'

const line = (description: string) => Type.String({ description })
const optional = (description: string) =>
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
      'What is done, in this order, all or nothing:',
      '- `{kind: "fee", feeType}`: as the client’s terms or the statute say; none where neither has one.',
      '- `{kind: "status", status, subStatus}`: where the case may go by hand.',
      '- `{kind: "letter", letter, dueDays}`: reminder, demand, legal or surveillance; without `dueDays` it asks for nothing by a day.',
      '- `{kind: "service", service, userGuid, input}`: a custom service for the debtor, with the rights of the user, who must have those that it needs. `input` is checked as when it is invoked.',
    ].join('\n'),
  },
)

const conditions = {
  subStatus: optional('Any where it is null, as with every condition.'),
  service: optional('PRECOLLECTION, COLLECTION or SURVEILLANCE.'),
  countries: codes('Of the client.'),
  currencies: codes('Of the case; needed where an amount is a condition.'),
  amountFrom: amount('What remains, at least.'),
  amountBelow: amount('What remains, less than.'),
  onPlan: Type.Unsafe<boolean | null>({
    type: ['boolean', 'null'],
    description: 'Whether the case is under a payment plan.',
  }),
  source: optional('The law or practice that it follows.'),
}
const place = {
  code: line('Within its strategy: a step of the same code counts as the same in every version.'),
  status: line('Where the case stands.'),
  afterDays: Type.Integer({ description: 'Days that it has stood there, open and not held.' }),
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
    code: line('What clients are given it by.'),
    name: line('Its name.'),
    source: optional('The law and practice that it follows; never legal advice.'),
    unverified: Type.Boolean({ description: 'The sources were not looked up.' }),
    version: Type.Integer({ description: 'Each change makes a new one.' }),
    clients: Type.Integer({ description: 'Parties that have it as their own.' }),
    steps: Type.Array(StrategyStepItem, { description: 'Of several that are due the first is taken.' }),
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
export const StrategyInput = inputOf(fields, ['strategy'], { $id: 'StrategyInput' })
export type StrategyInput = Static<typeof StrategyInput>

const steps = Type.Array(StrategyStepInput, {
  maxItems: 100,
  description: 'All of them, in their order: of several that are due the first is taken.',
})
export const NewStrategy = Type.Object(
  {
    code: Type.Optional(fields.code),
    name: Type.Optional(fields.name),
    source: Type.Optional(fields.source),
    steps: Type.Optional(steps),
  },
  { $id: 'NewStrategy', additionalProperties: false },
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

/** The dictionary of the form: a step is a line of JSON there. */
export const strategyFields = {
  ...fields,
  steps: Type.Array(Type.String(), {
    title: 'Steps, each a line of JSON',
    'x-field': { unfilterable: true },
  }),
}
export const StrategyForm = inputOf(strategyFields, ['code', 'name', 'source', 'steps'], {
  $id: 'StrategyForm',
})
export const StrategyChangeForm = inputOf(strategyFields, ['name', 'source', 'steps', 'running'], {
  $id: 'StrategyChangeForm',
})

const MadeUpCase = Type.Object(
  {
    service: Type.Optional(optional('COLLECTION unless given.')),
    status: Type.Optional(optional('NEW unless given.')),
    subStatus: Type.Optional(optional('The first of its status unless given.')),
    country: Type.Optional(optional('Of the client; that of the installation unless given.')),
    currency: Type.Optional(optional('That of the installation unless given.')),
    amount: Type.Number({ description: 'What remains, in the currency itself.' }),
    business: Type.Optional(Type.Boolean({ description: 'The debtor is a business; else a consumer.' })),
  },
  { $id: 'MadeUpCase', additionalProperties: false },
)
export type MadeUpCase = Static<typeof MadeUpCase>

export const SimulationInput = Type.Object(
  {
    strategyGuid: Type.Optional(optional('Whose steps, and whose cases.')),
    steps: Type.Optional(Type.Unsafe<StrategyStepInput[] | null>({ ...steps, type: ['array', 'null'] })),
    running: Type.Optional(flag('The steps are tried on cases under way too')),
    days: Type.Integer({
      minimum: 0,
      maximum: 1000,
      description: 'From the business date on; 0 for that alone, which is a dry run.',
    }),
    case: Type.Optional(Type.Unsafe<MadeUpCase | null>({ anyOf: [MadeUpCase, { type: 'null' }] })),
  },
  { $id: 'SimulationInput', additionalProperties: false },
)
export type SimulationInput = Static<typeof SimulationInput>

export const Simulation = Type.Object(
  {
    from: dateTime('The business date'),
    days: Type.Integer(),
    cases: Type.Integer({ description: 'That were looked at: at most 2,000, the first by their guids.' }),
    isSample: Type.Boolean({ description: 'There are more cases than were looked at.' }),
    steps: Type.Array(
      Type.Object(
        {
          step: line('Its code.'),
          taken: Type.Integer({ description: 'In how many cases.' }),
          refused: Type.Integer({ description: 'In how many cases it could not be taken.' }),
        },
        { $id: 'SimulatedStep' },
      ),
    ),
    course: Type.Array(
      Type.Object(
        {
          day: Type.Integer({ description: 'From 0, the business date.' }),
          date: dateTime('When'),
          caseNumber: optional('Null for a case that is made up.'),
          step: line('Its code.'),
          actions: Type.Array(Type.String()),
          status: line('Where the case then stands.'),
          subStatus: line('And how.'),
          remaining: Type.Number({ description: 'With fees and interest, if nothing is paid.' }),
          currency: line('Of the case.'),
          refused: optional('Why it cannot be taken.'),
        },
        { $id: 'SimulatedAction' },
      ),
      { description: 'The first 1,000, by day.' },
    ),
  },
  { $id: 'Simulation' },
)
export type Simulation = Static<typeof Simulation>

const ofStrategy = Type.Object({ strategyGuid: guid('Strategy') })
const administer = { area: 'System', access: ['system.admin'] } as const
const exampleStep = {
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
    'With the steps of their newest version: what is done with a case after how many days, at the day-end.',
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
        Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'An older one; its steps.' }),
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
  description: 'Nothing is done by it until a client has it (`assignStrategy`).',
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
    'Makes a new version; what is omitted or null stays, `steps` replaces all of them. A case of which a step was taken goes on by the version of that step, unless `running` is true; all others go by the new version.',
  params: ofStrategy,
  body: StrategyChange,
  status: 200,
  response: StrategyItem,
  problems: ['precondition-failed'],
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
  description: 'Refused while a party has it, and for ever once one of its steps was taken.',
  params: ofStrategy,
  status: 200,
  response: Problem,
  problems: ['conflict', 'precondition-failed'],
  versioned: true,
})
export const simulateStrategy = operation({
  id: 'simulateStrategy',
  name: 'simulateStrategy',
  method: 'POST',
  path: '/strategies/simulate',
  ...administer,
  summary: 'Simulate a collection strategy',
  description:
    'What would happen over days if nobody paid or did anything, without doing it: on a case that is made up, or on the open cases of the clients that go by the strategy. `steps` stand in for those of its newest version, to try a change.',
  body: SimulationInput,
  status: 200,
  response: Simulation,
  example: { body: { steps: [exampleStep], days: 60, case: { amount: 1200, service: 'PRECOLLECTION' } } },
})
export const assignStrategy = operation({
  id: 'assignStrategy',
  name: 'assignStrategy',
  method: 'PUT',
  path: '/clients/:clientGuid/strategy',
  area: 'Users',
  summary: 'Give a client a strategy',
  description:
    'The empty string takes it away: then that of the party above holds. Steps that were taken stay taken. `apply-strategies dry-run` lists what would happen next.',
  access: ['client.write'],
  params: Type.Object({ clientGuid: guid('Client') }),
  body: StrategyInput,
  status: 200,
  response: Problem,
  example: { body: { strategy: 'NORDIC' } },
})
