import type { StepAction, StrategyStep } from '../../../core/cases/strategies.ts'

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
  'task',
]

/** A step with its members in a fixed order and without nulls, so that steps can be compared as JSON. */
export const canonicalStep = (step: { actions: object[] }): StrategyStep => ({
  ...pick<StrategyStep>(step, stepMembers),
  actions: step.actions.map((action) => pick<StepAction>(action, actionMembers)),
})

/** The named members, without those that are null. */
const pick = <T extends StrategyStep | StepAction>(from: object, names: readonly string[]): T =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = (from as Record<string, unknown>)[name] ?? null
      return value === null ? [] : [[name, value]]
    }),
  ) as T
