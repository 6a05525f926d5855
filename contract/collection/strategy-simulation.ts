/** Simulating a strategy: what its steps would do over days, and what debtors would pay. */
import { Type, type Static } from 'typebox'
import { date, dateTime, flag, type Demands } from '../metadata/fields.ts'
import { operation } from '../platform/operation.ts'
import { administer, exampleStep, optional, steps, type StrategyStepInput } from './strategies.ts'

const line = (description: string) => Type.String({ description })

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
