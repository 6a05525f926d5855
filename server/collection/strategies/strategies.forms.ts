/** The form of a strategy. Its steps are lines of JSON in the shape of the API. */
import * as layout from '../../../contract/metadata/forms/strategies.ts'
import { StrategyStepInput, type StrategyItem } from '../../../contract/collection/strategies.ts'
import { handle, type FormHandler } from '../../platform/dictionary/handler.ts'
import { ApiError, FieldErrors, notFound } from '../../platform/http/errors.ts'
import { compileCheck } from '../../platform/http/validation.ts'
import type { CallableService } from './actions.rules.ts'
import { canonicalStep } from './canonical-step.ts'
import { changeStrategy, createStrategy, removeStrategy } from './strategies.changes.ts'
import { findStrategy } from './strategies.store.ts'

const checkStep = compileCheck(StrategyStepInput)

/** `services` are the custom services for debtors. */
export const strategyForms = (services: readonly CallableService[]): FormHandler[] => [
  handle(layout.strategyCreate, {
    defaults: () => ({ steps: [] }),
    create: async ({ db, body, origin }) => {
      const { steps, ...rest } = body
      const input = { ...rest, steps: readLines(steps) }
      const strategyGuid = await createStrategy(db, input, { origin, services })
      return { record: formRecord((await findStrategy(db, strategyGuid))!), version: 1 }
    },
  }),
  handle(layout.strategyEdit, {
    find: async ({ db, id }) => {
      const strategy = await findStrategy(db, id)
      if (!strategy) throw notFound('strategy')
      return { record: formRecord(strategy), version: strategy.version }
    },
    store: ({ db, id, body, origin, ifMatch }) => {
      const { steps, ...rest } = body
      const input = { ...rest, ...(steps && { steps: readLines(steps) }) }
      return changeStrategy(db, id, input, { origin, services }, ifMatch)
    },
    remove: ({ db, id, origin, ifMatch }) => removeStrategy(db, id, origin, ifMatch),
  }),
]

const formRecord = ({ steps, ...rest }: StrategyItem) => ({
  ...rest,
  steps: steps.map((step) => JSON.stringify(canonicalStep(step))),
})

/** Throws a 400 that names the wrong line and its error. */
function readLines(lines: readonly string[] | undefined): StrategyStepInput[] {
  const checks = new FieldErrors()
  const steps = (lines ?? []).flatMap((line, index) => {
    if (line.trim() === '') return []
    const step = readLine(line, (message) => checks.add('steps', `Line ${index + 1}: ${message}`))
    return step === undefined ? [] : [step]
  })
  checks.throwIfAny()
  return steps
}

function readLine(line: string, fail: (message: string) => void): StrategyStepInput | undefined {
  try {
    const step: unknown = JSON.parse(line)
    checkStep(step)
    return step as StrategyStepInput
  } catch (error) {
    if (error instanceof ApiError)
      for (const [path, messages] of Object.entries(error.errors ?? {})) fail(`${path} ${messages.join(' ')}`)
    else fail('must be a step as JSON, such as {"code":"ONE","status":"NEW","afterDays":7,"actions":[…]}.')
    return undefined
  }
}
