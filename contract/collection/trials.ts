/** Trials of strategies: a champion, its challengers, and the results. */
import { Type, type Static } from 'typebox'
import {
  date,
  guid,
  inputSchema,
  integer,
  key,
  money,
  nullable,
  reference,
  text,
  type Demands,
} from '../metadata/fields.ts'
import { operation } from '../platform/operation.ts'
import { Problem } from '../platform/problem.ts'

export const trialStatuses = ['DRAFT', 'RUNNING', 'STOPPED'] as const
/** The most challengers of a trial. */
export const challengersMax = 3

const strategy = (title: string) => text(50, title, { lookup: 'strategy' })
const share = (title: string) => integer(title, { minimum: 1, maximum: 99 })

/** The dictionary of the form, where each challenger has its place. */
export const trialFields = {
  trialGuid: guid('Trial', { readOnly: true }),
  name: text(200, 'Name'),
  clientGuid: reference('Client', 'client'),
  champion: strategy('Champion'),
  challenger: strategy('Challenger'),
  challengerShare: share('Challenger’s share in percent'),
  secondChallenger: strategy('Second challenger'),
  secondShare: share('Second challenger’s share in percent'),
  thirdChallenger: strategy('Third challenger'),
  thirdShare: share('Third challenger’s share in percent'),
  outcomeDays: integer('Days until the outcome', { minimum: 1, maximum: 730 }),
  highestAmount: money('Highest amount that counts'),
  currencyCode: text(3, 'Currency', { lookup: 'currency' }),
  plannedCases: integer('Planned cases', { minimum: 1, maximum: 1_000_000 }),
}

const planned = ['outcomeDays', 'highestAmount', 'currencyCode', 'plannedCases'] as const
const formMembers = [
  'name',
  'clientGuid',
  'champion',
  'challenger',
  'challengerShare',
  'secondChallenger',
  'secondShare',
  'thirdChallenger',
  'thirdShare',
  ...planned,
] as const
export const TrialForm = inputSchema(trialFields, formMembers, { $id: 'TrialForm' })
export type TrialForm = Static<typeof TrialForm>

export const Challenger = Type.Object(
  {
    strategy: Type.String({ maxLength: 50, description: 'Its code.' }),
    share: Type.Integer({ minimum: 1, maximum: 99, description: 'Percent of the debtors.' }),
  },
  { $id: 'Challenger', additionalProperties: false },
)
const members = inputSchema(trialFields, ['name', 'clientGuid', 'champion', ...planned])
const inputMembers = {
  ...members.properties,
  challengers: Type.Optional(
    Type.Array(Challenger, {
      maxItems: challengersMax,
      description: 'The champion has the rest of the debtors.',
    }),
  ),
}
export const NewTrial = Type.Object(inputMembers, {
  $id: 'NewTrial',
  additionalProperties: false,
  'x-demands': {
    required: ['name', 'champion', 'challengers', ...planned],
    members: { name: { minLength: 1 }, champion: { minLength: 1 }, challengers: { minItems: 1 } },
  } satisfies Demands,
})
export const TrialChange = Type.Object(inputMembers, { $id: 'TrialChange', additionalProperties: false })
export type TrialInput = Static<typeof TrialChange>

const TrialArm = Type.Object(
  {
    strategy: Type.String({ description: 'Its code.' }),
    strategyName: Type.String({ description: 'Its name.' }),
    share: Type.Integer({ description: 'Percent of the debtors.' }),
    isChampion: Type.Boolean(),
  },
  { $id: 'TrialArm' },
)

export const TrialItem = Type.Object(
  {
    trialGuid: guid('Trial'),
    name: key(200, 'Name'),
    status: Type.Enum([...trialStatuses], {
      description: 'DRAFT can be changed. RUNNING assigns debtors. STOPPED is the end.',
    }),
    clientGuid: nullable<string>({
      type: ['string', 'null'],
      format: 'uuid',
      description: 'With the clients below it. Null for every client that has the champion.',
    }),
    clientName: text(200, 'Client'),
    arms: Type.Array(TrialArm, { description: 'The champion first.' }),
    outcomeDays: Type.Integer({ description: 'Days from the assignment to the outcome of a case.' }),
    highestAmount: Type.Number({
      title: 'Highest amount that counts',
      description: 'The collected amount counts up to it.',
      'x-field': { kind: 'money' },
    }),
    currencyCode: key(3, 'Currency'),
    plannedCases: Type.Integer({ description: 'Cases of all arms, for the power.' }),
    cases: Type.Integer({ description: 'Cases that count: the first of each debtor.' }),
    startedDate: date('Started'),
    stoppedDate: date('Stopped'),
    seed: nullable<string>({
      type: ['string', 'null'],
      format: 'uuid',
      description: 'With it each assignment can be checked. Null until the trial is stopped.',
    }),
  },
  { $id: 'Trial' },
)
export type TrialItem = Static<typeof TrialItem>

export const TrialList = Type.Object({ value: Type.Array(TrialItem) }, { $id: 'TrialList' })
export type TrialList = Static<typeof TrialList>

const fraction = (description: string) => Type.Number({ description })
const Effect = Type.Object(
  {
    estimate: fraction('The mean outcome with the challenger, less that with the champion.'),
    from: fraction('The least effect of the interval.'),
    to: fraction('The largest effect of the interval.'),
  },
  { $id: 'TrialEffect' },
)

/** The outcomes of a case, each from 0 to 1. */
export const trialOutcomes = {
  collectedShare: 'The part of the claim that was collected.',
  paidInFull: '1 for a claim that was paid in full, up to the tolerance.',
  collectedAmount: 'The money collected, as a part of the highest amount that counts.',
} as const
export type TrialOutcome = keyof typeof trialOutcomes
const mapOutcomes = <T>(value: (description: string) => T) =>
  Object.fromEntries(
    Object.entries(trialOutcomes).map(([name, description]) => [name, value(description)]),
  ) as Record<TrialOutcome, T>

const Power = Type.Object(
  {
    detectableNow: nullable<number>({
      type: ['number', 'null'],
      description: 'The least effect that the mature cases show with a probability of 80%; null without any.',
    }),
    detectablePlanned: fraction('The same for the planned cases.'),
    needed: Type.Array(
      Type.Object(
        {
          effect: fraction('An effect.'),
          cases: nullable<number>({
            type: ['integer', 'null'],
            description: 'Cases of all arms; null for more than 10 million.',
          }),
        },
        { $id: 'NeededCases' },
      ),
      { description: 'The cases that show an effect with a probability of 80%.' },
    ),
  },
  { $id: 'TrialPower' },
)

const ArmResult = Type.Object(
  {
    ...TrialArm.properties,
    cases: Type.Integer({ description: 'Cases that count.' }),
    matureCases: Type.Integer({ description: 'Those whose outcome is known.' }),
    means: nullable<Record<TrialOutcome, number>>({
      anyOf: [Type.Object(mapOutcomes(fraction), { $id: 'TrialMeans' }), { type: 'null' }],
      description: 'The mean outcomes of mature cases; null without any.',
    }),
    effects: nullable<Record<TrialOutcome, Static<typeof Effect>>>({
      anyOf: [
        Type.Object(
          mapOutcomes(() => Effect),
          { $id: 'TrialEffects' },
        ),
        { type: 'null' },
      ],
      description: 'By comparison with the champion; null for the champion.',
    }),
    power: nullable<Static<typeof Power>>({
      anyOf: [Power, { type: 'null' }],
      description: 'Null for the champion.',
    }),
  },
  { $id: 'TrialArmResult' },
)

export const TrialResults = Type.Object(
  {
    date: date('The business date'),
    cases: Type.Integer({ description: 'Cases that count, of all arms.' }),
    matureCases: Type.Integer({ description: 'Those whose outcome is known.' }),
    plannedCases: Type.Integer(),
    daysLeft: nullable<number>({
      type: ['integer', 'null'],
      description:
        'Days until the planned cases are mature, at the present pace. Of a stopped trial, until all of its cases are. Null while there are none.',
    }),
    arms: Type.Array(ArmResult, { description: 'The champion first.' }),
  },
  { $id: 'TrialResults' },
)
export type TrialResults = Static<typeof TrialResults>

const ofTrial = Type.Object({ trialGuid: guid('Trial') })
const area = 'System'
const read = { area, access: ['client.read', 'system.admin'] } as const
const administer = { area, access: ['system.admin'], unrestricted: true } as const

export const listTrials = operation({
  id: 'listTrials',
  name: 'listTrials',
  method: 'GET',
  path: '/trials',
  ...read,
  summary: 'List trials of strategies',
  description: 'The newest first. A caller who is restricted to clients sees the trials of these clients.',
  status: 200,
  response: TrialList,
})
export const getTrial = operation({
  id: 'getTrial',
  name: 'getTrial',
  method: 'GET',
  path: '/trials/:trialGuid',
  ...read,
  summary: 'Get a trial of strategies',
  params: ofTrial,
  status: 200,
  response: TrialItem,
  versioned: true,
})
export const createTrial = operation({
  id: 'createTrial',
  name: 'createTrial',
  method: 'POST',
  path: '/trials',
  ...administer,
  summary: 'Create a trial of strategies',
  description: 'A draft: it has no effect until it is started.',
  body: NewTrial,
  status: 201,
  response: TrialItem,
  example: {
    body: {
      name: 'Gentler reminders',
      champion: 'NORDIC',
      challengers: [{ strategy: 'SOFT', share: 30 }],
      outcomeDays: 90,
      highestAmount: 20000,
      currencyCode: 'SEK',
      plannedCases: 5000,
    },
  },
})
export const updateTrial = operation({
  id: 'updateTrial',
  name: 'updateTrial',
  method: 'PUT',
  path: '/trials/:trialGuid',
  ...administer,
  summary: 'Change a trial of strategies',
  description: 'Only a draft. Omitted and null members stay; an empty `clientGuid` means all clients.',
  params: ofTrial,
  body: TrialChange,
  status: 200,
  response: TrialItem,
  problems: ['conflict', 'precondition-failed'],
  versioned: true,
  example: { body: { plannedCases: 8000 } },
})
export const deleteTrial = operation({
  id: 'deleteTrial',
  name: 'deleteTrial',
  method: 'DELETE',
  path: '/trials/:trialGuid',
  ...administer,
  summary: 'Delete a trial of strategies',
  description: 'Only a draft.',
  params: ofTrial,
  status: 200,
  response: Problem,
  problems: ['conflict', 'precondition-failed'],
  versioned: true,
})
export const startTrial = operation({
  id: 'startTrial',
  name: 'startTrial',
  method: 'POST',
  path: '/trials/:trialGuid/start',
  ...administer,
  summary: 'Start a trial of strategies',
  description:
    'From now on the debtors of new cases are assigned. Its strategies cannot be changed until it is stopped. Refused with 409 where another trial of the champion runs for the same clients, and where no client has the champion.',
  params: ofTrial,
  status: 200,
  response: TrialItem,
  problems: ['conflict'],
})
export const stopTrial = operation({
  id: 'stopTrial',
  name: 'stopTrial',
  method: 'POST',
  path: '/trials/:trialGuid/stop',
  ...administer,
  summary: 'Stop a trial of strategies',
  description:
    'No further debtor is assigned. Cases keep the strategy of their arm, and so do new cases of a debtor with an open one of the same client. It cannot be started again.',
  params: ofTrial,
  status: 200,
  response: TrialItem,
  problems: ['conflict'],
})
export const getTrialResults = operation({
  id: 'getTrialResults',
  name: 'getTrialResults',
  method: 'GET',
  path: '/trials/:trialGuid/results',
  ...read,
  summary: 'Get the results of a trial of strategies',
  description:
    'A case is mature `outcomeDays` after its assignment, and its outcome does not change afterwards. All intervals of a trial hold together with a probability of at least 95%, however often they are looked at.',
  params: ofTrial,
  status: 200,
  response: TrialResults,
})
