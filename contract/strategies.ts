import { Type, type Static } from 'typebox'
import { inputOf, guid, text } from './fields.ts'
import { operation } from './operation.ts'
import { Problem } from './problem.ts'

const line = (description: string) => Type.String({ description })
const optional = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description })
const codes = (description: string) =>
  Type.Unsafe<string[] | null>({ type: ['array', 'null'], items: { type: 'string' }, description })
const amount = (description: string) => Type.Unsafe<number | null>({ type: ['number', 'null'], description })

export const StrategyStepItem = Type.Object(
  {
    code: line('Within its strategy.'),
    status: line('Where the case stands.'),
    subStatus: optional('Any where it is null, as with every condition.'),
    service: optional('PRECOLLECTION, COLLECTION or SURVEILLANCE.'),
    afterDays: Type.Integer({ description: 'Days that it has stood there, open and not held.' }),
    countries: codes('Of the client.'),
    currencies: codes('Of the case.'),
    amountFrom: amount('What remains, at least.'),
    amountBelow: amount('What remains, less than.'),
    onPlan: Type.Unsafe<boolean | null>({
      type: ['boolean', 'null'],
      description: 'Whether the case is under a payment plan.',
    }),
    actions: Type.Array(
      Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
      { description: 'What is done, in this order: `kind` is fee, status, letter or service.' },
    ),
    source: optional('The law or practice that it follows.'),
  },
  { $id: 'StrategyStep' },
)
export const StrategyItem = Type.Object(
  {
    code: line('What clients are given it by.'),
    name: line('Its name.'),
    source: optional('The law and practice that it follows; never legal advice.'),
    unverified: Type.Boolean({ description: 'The sources were not looked up.' }),
    steps: Type.Array(StrategyStepItem, { description: 'Of several that are due the first is taken.' }),
  },
  { $id: 'Strategy' },
)
export type StrategyItem = Static<typeof StrategyItem>

export const StrategyList = Type.Object({ value: Type.Array(StrategyItem) }, { $id: 'StrategyList' })

const fields = { strategy: text(50, 'Strategy') }
export const StrategyInput = inputOf(fields, ['strategy'], { $id: 'StrategyInput' })
export type StrategyInput = Static<typeof StrategyInput>

export const listStrategies = operation({
  id: 'listStrategies',
  name: 'listStrategies',
  method: 'GET',
  path: '/strategies',
  area: 'System',
  summary: 'List collection strategies',
  description: 'With their steps: what is done with a case after how many days, at the day-end.',
  access: ['client.read', 'system.admin'],
  status: 200,
  response: StrategyList,
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
