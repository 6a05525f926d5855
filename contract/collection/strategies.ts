import { Type, type Static } from 'typebox'
import { date, dateTime, flag, guid, inputSchema, lines, text, type Demands } from '../metadata/fields.ts'
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
      'The actions, in this order, all or nothing:',
      '- `{kind: "fee", feeType}`: the fee of the client’s terms or of the statute; none if neither has one.',
      '- `{kind: "status", status, subStatus}`: a status that can also be set by hand.',
      '- `{kind: "letter", letter, dueDays}`: reminder, demand, legal or surveillance; without `dueDays` it has no due date.',
      '- `{kind: "service", service, userGuid, input}`: a custom service for the debtor, with the rights of the user, who must have the required ones. `input` is checked like in a direct call.',
      '- `{kind: "task", task}`: something that a case handler does by hand. It becomes an item of work with the reason STRATEGY_TASK.',
    ].join('\n'),
  },
)

const conditions = {
  subStatus: optional('Null means any, as for every condition.'),
  service: optional('PRECOLLECTION, COLLECTION or SURVEILLANCE.'),
  countries: codes('Of the client.'),
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

const steps = Type.Array(StrategyStepInput, {
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

const MadeUpCase = Type.Object(
  {
    service: Type.Optional(optional('COLLECTION unless given.')),
    status: Type.Optional(optional('NEW unless given.')),
    subStatus: Type.Optional(optional('Default: the first sub-status of its status.')),
    country: Type.Optional(optional('Default: the client’s or the installation’s country.')),
    currency: Type.Optional(optional('Default: the installation’s currency.')),
    amount: Type.Number({ description: 'The amount remaining, in main units of the currency.' }),
    business: Type.Optional(Type.Boolean({ description: 'True for a business, false for a consumer.' })),
  },
  { $id: 'MadeUpCase', additionalProperties: false },
)
export type MadeUpCase = Static<typeof MadeUpCase>

export const SimulationInput = Type.Object(
  {
    strategyGuid: Type.Optional(optional('The strategy whose steps and cases are simulated.')),
    steps: Type.Optional(Type.Unsafe<StrategyStepInput[] | null>({ ...steps, type: ['array', 'null'] })),
    running: Type.Optional(flag('Also try the steps on open cases')),
    days: Type.Integer({
      minimum: 0,
      maximum: 1000,
      description: 'Days from the business date on; 0 for that day alone, which is a dry run.',
    }),
    case: Type.Optional(Type.Unsafe<MadeUpCase | null>({ anyOf: [MadeUpCase, { type: 'null' }] })),
  },
  {
    $id: 'SimulationInput',
    additionalProperties: false,
    'x-demands': { members: { strategyGuid: { format: 'uuid' } } } satisfies Demands,
  },
)
export type SimulationInput = Static<typeof SimulationInput>

const expected = (description: string) => Type.Number({ description })
const SimulatedWeek = Type.Object(
  {
    week: Type.Integer({
      description: 'From 1. A week has seven days; the first begins on the business date.',
    }),
    from: dateTime('Its first day'),
    currency: line('Of the cases and amounts. Nothing is converted.'),
    collected: expected(
      'What debtors pay, as far as letters of the kind were answered in the last year. See `responses`.',
    ),
    fees: expected('Fees charged on the cases.'),
    letters: expected('Letters by post.'),
    emails: expected('Letters by e-mail.'),
    tasks: expected('Tasks for case handlers.'),
    cost: expected('Costs of courts and authorities, and letters and e-mails at the prices of the settings.'),
    unpriced: expected(
      'Of the letters and e-mails those without a price in this currency. They cost nothing here.',
    ),
  },
  {
    $id: 'SimulatedWeek',
    description:
      'Expected figures: a case counts less, the more of its claim is expected to be paid by then.',
  },
)
export type SimulatedWeek = Static<typeof SimulatedWeek>

const LetterResponse = Type.Object(
  {
    currency: line('Of the cases.'),
    letter: line('The kind of letter.'),
    letters: Type.Integer({
      description: 'Letters of the last year that were followed for at least a week.',
    }),
    weeks: Type.Integer({
      description:
        'Weeks after the letter, up to 13, of which enough letters tell. 0 when there are too few letters.',
    }),
    paidShare: Type.Number({ description: 'The part of the claims paid in these weeks, from 0 to 1.' }),
  },
  { $id: 'LetterResponse' },
)
export type LetterResponse = Static<typeof LetterResponse>

export const Simulation = Type.Object(
  {
    from: date('The business date'),
    days: Type.Integer(),
    cases: Type.Integer({ description: 'Cases examined: at most 2,000, ordered by GUID.' }),
    isSample: Type.Boolean({ description: 'True if there are more cases than examined.' }),
    steps: Type.Array(
      Type.Object(
        {
          step: line('Its code.'),
          taken: Type.Integer({ description: 'Number of cases.' }),
          refused: Type.Integer({ description: 'Number of cases in which the step failed.' }),
          together: Type.Integer({
            description: 'Of the cases in which it is taken, those demanded together with others.',
          }),
        },
        { $id: 'SimulatedStep' },
      ),
    ),
    weeks: Type.Array(SimulatedWeek, { description: 'By currency and week, with payments.' }),
    responses: Type.Array(LetterResponse, { description: 'What `collected` is estimated by.' }),
    course: Type.Array(
      Type.Object(
        {
          day: Type.Integer({ description: 'Starting at 0, the business date.' }),
          date: dateTime('When'),
          caseNumber: optional('Null for an invented case.'),
          step: line('Its code.'),
          actions: Type.Array(Type.String()),
          status: line('The status of the case then.'),
          subStatus: line('And how.'),
          remaining: Type.Number({ description: 'With fees and interest, if nothing is paid.' }),
          currency: line('Of the case.'),
          refused: optional('Why the step failed.'),
          together: Type.Integer({
            description: 'The number of claims that it is taken for at once: 1 for a case by itself.',
          }),
          demandedWith: optional(
            'The case that bears the letter and the fee for this one. Null for a case that bears its own.',
          ),
        },
        { $id: 'SimulatedAction' },
      ),
      { description: 'The first 1,000, by day, if nobody pays.' },
    ),
  },
  { $id: 'Simulation' },
)
export type Simulation = Static<typeof Simulation>

const ofStrategy = Type.Object({ strategyGuid: guid('Strategy') })
const administer = { area: 'System', access: ['system.admin'], unrestricted: true } as const
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
    'Creates a new version. Omitted and null members stay; `steps` replaces all of them. A case for which a step was taken continues with the version of that step, unless `running` is true. All others use the new version.',
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
  description: 'Refused while a party has it, or once one of its steps was taken.',
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
    'What would happen over days if nobody paid or acted, without doing it: on an invented case, or on the open cases of the clients with the strategy. `steps` replace those of its newest version, to try a change. `weeks` has expected money, letters and cost, with payments as debtors answered such letters in the last year.',
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
