/** Steps of a strategy for display and editing. */
import type { StrategyItem, StrategyStepInput } from '../../../../contract/collection/strategies.ts'
import { caseStatusCodes, isOpenStatus } from '../../../../core/cases/case-lifecycle.ts'
import { formatNumber, userCulture } from '../../format/format.ts'
import { translateLabel } from '../../texts/labels.ts'
import { statusLabel, subStatusLabel } from '../cases/status-badge.tsx'

export type Step = StrategyItem['steps'][number]
export const openStatuses = caseStatusCodes.filter(isOpenStatus)
export type Action = Record<string, unknown>

export const newStep = (number: number): StrategyStepInput => ({
  code: `STEP-${number}`,
  status: 'NEW',
  afterDays: 0,
  actions: [newAction('letter')],
})

export const actionKinds = ['fee', 'status', 'letter', 'service', 'task'] as const
export type ActionKind = (typeof actionKinds)[number]

export function newAction(kind: ActionKind): Action {
  if (kind === 'fee') return { kind, feeType: 'reminder' }
  if (kind === 'status') return { kind, status: 'AMICABLE', subStatus: 'DEMAND_SENT' }
  if (kind === 'letter') return { kind, letter: 'reminder', dueDays: 14 }
  if (kind === 'task') return { kind, task: '' }
  return { kind, service: '', userGuid: '' }
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : '')

/** An action in words. */
export function describeAction(action: Action): string {
  const kind = translateLabel(`lookup.strategyaction.${toText(action['kind'])}`, toText(action['kind']))
  switch (action['kind']) {
    case 'fee':
      return `${kind}: ${translateLabel(`lookup.feetype.${toText(action['feeType'])}`, toText(action['feeType']))}`
    case 'status':
      return `${kind}: ${statusLabel(toText(action['status']))}, ${subStatusLabel(toText(action['subStatus']))}`
    case 'letter':
      return `${kind}: ${translateLabel(`lookup.letterkind.${toText(action['letter'])}`, toText(action['letter']))}`
    case 'task':
      return `${kind}: ${toText(action['task'])}`
    default:
      return `${kind}: ${toText(action['service'])}`
  }
}

/** What a step is called: its letter, or else its first action, with the countries that it is for. */
export function nameStep({ actions, countries }: Pick<StrategyStepInput, 'actions' | 'countries'>): string {
  const action = actions.find(({ kind }) => kind === 'letter') ?? actions[0]
  if (!action) return '–'
  const name =
    action['kind'] === 'letter'
      ? translateLabel(`lookup.letterkind.${toText(action['letter'])}`, toText(action['letter']))
      : describeAction(action)
  return countries?.length ? `${name} (${countries.join(', ')})` : name
}

/** The names of steps by their codes. Those that are called alike have their code too. */
export function nameSteps(
  steps: readonly Pick<StrategyStepInput, 'code' | 'actions' | 'countries'>[],
): Map<string, string> {
  const names = new Map(steps.map((step) => [step.code, nameStep(step)]))
  const alike = [...names].filter(([code, name]) =>
    [...names].some(([other, otherName]) => other !== code && otherName === name),
  )
  for (const [code, name] of alike) names.set(code, `${name} (${code})`)
  return names
}

/** An action of a simulated course, such as `letter reminder`, in words. */
export function readAction(told: string): string {
  const [kind = '', first = '', second = ''] = told.split(' ')
  const action = { fee: 'feeType', letter: 'letter', status: 'status', service: 'service' }[kind]
  if (action === undefined) return describeAction({ kind, task: told.slice(kind.length + 1) })
  return describeAction({ kind, [action]: first, subStatus: second })
}

/** For which cases a step is, in words. Nothing when it is for all. */
export function describeConditions(
  step: Omit<StrategyStepInput, 'actions' | 'code' | 'status' | 'afterDays'>,
  onPlan: string,
): string[] {
  const currencies = (step.currencies ?? []).join(', ')
  const amounts = [
    typeof step.amountFrom === 'number' ? `≥ ${formatNumber(step.amountFrom)}` : '',
    typeof step.amountBelow === 'number' ? `< ${formatNumber(step.amountBelow)}` : '',
  ].filter(Boolean)
  return [
    step.service ? translateLabel(`lookup.caseservice.${step.service}`, step.service) : '',
    (step.countries ?? []).map(nameCountry).join(', '),
    [amounts.join(', '), currencies].filter(Boolean).join(' '),
    typeof step.onPlan === 'boolean' ? `${onPlan}: ${step.onPlan ? '✓' : '✗'}` : '',
  ].filter(Boolean)
}

/** The country's name in the reader's language. */
function nameCountry(code: string): string {
  try {
    return new Intl.DisplayNames(userCulture(), { type: 'region' }).of(code) ?? code
  } catch {
    return code
  }
}

/** A stored step without its null members, for sending it back. */
export const toDraft = ({ code, status, afterDays, actions, ...conditions }: Step): StrategyStepInput => ({
  code,
  status,
  afterDays,
  ...Object.fromEntries(Object.entries(conditions).filter(([, value]) => value !== null)),
  actions,
})
