/** The step that a strategy takes next of a case. */
import { Type, type Static } from 'typebox'
import { nullable } from '../metadata/fields.ts'
import { StrategyStepItem } from './strategies.ts'

export const nextStepStates = [
  'PLANNED',
  'REFUSED',
  'HELD',
  'NO_STEP',
  'NO_STRATEGY',
  'PAID',
  'CLOSED',
] as const

const text = (description: string) => nullable<string>({ type: ['string', 'null'], description })
const day = (description: string) =>
  nullable<string>({ type: ['string', 'null'], format: 'date-time', description })

export const NextStep = Type.Object(
  {
    state: Type.Unsafe<(typeof nextStepStates)[number]>({
      type: 'string',
      enum: [...nextStepStates],
      description: [
        'What comes next:',
        '- `PLANNED`: the step is taken on `dueDate`.',
        '- `REFUSED`: the law or the life cycle does not allow the step on that day.',
        '- `HELD`: the case is on hold; the days are counted again once the hold is lifted.',
        '- `NO_STEP`: the strategy has no further step for the status of the case.',
        '- `NO_STRATEGY`: neither the client nor a party above has a strategy.',
        '- `PAID`: nothing is owed.',
        '- `CLOSED`: the case is closed.',
      ].join('\n'),
    }),
    strategyGuid: nullable<string>({
      type: ['string', 'null'],
      format: 'uuid',
      description: 'The strategy of the case.',
    }),
    strategyName: text('Its name.'),
    step: nullable<Static<typeof StrategyStepItem>>({
      anyOf: [StrategyStepItem, { type: 'null' }],
      description: 'The step; null where there is none.',
    }),
    since: day('The day from which the days of the step count: that of the status.'),
    dueDate: day('The business date whose day-end takes the step. Null for a case on hold.'),
    demandedWith: nullable<string>({
      type: ['string', 'null'],
      description: 'The number of the claim that is due first, where the step is taken for claims together.',
    }),
    reason: text('Why the step is refused, in the caller’s language.'),
    rule: text('The rule that refuses it.'),
    from: day(
      'The first day on which the step is allowed, or the day after the last of the hold. Null when it is not known.',
    ),
  },
  { $id: 'NextStep' },
)
export type NextStep = Static<typeof NextStep>
