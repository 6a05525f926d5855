import type { StepAction, StrategyStep } from '../../core/strategies.ts'

const stepMembers = [
  'code',
  'status',
  'subStatus',
  'service',
  'afterDays',
  'countries',
  'currencies',
  'amountFrom',
  'amountBelow',
  'onPlan',
  'actions',
  'source',
] as const
const actionMembers = [
  'kind',
  'feeType',
  'status',
  'subStatus',
  'letter',
  'dueDays',
  'service',
  'userGuid',
  'input',
]

/** A step with its members in their order, without those that are null: stored and read ones compare as JSON. */
export const canonicalStep = (step: object): StrategyStep => {
  const members = pick(step, stepMembers)
  const actions = members['actions'] as StepAction[]
  return {
    ...members,
    actions: actions.map((action) => pick(action, actionMembers)),
  } as unknown as StrategyStep
}

const pick = (from: object, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = (from as Record<string, unknown>)[name] ?? null
      return value === null ? [] : [[name, value]]
    }),
  )
