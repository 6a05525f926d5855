/** Which claims the law, or the client, has demanded together, and what the law asks of them as one. Pure. */
import { latest } from '../calendar/calendar.ts'
import type { StepAction } from '../cases/strategies.ts'
import type { RuleOf } from './pack.ts'
import { findRule, lawPacks } from './packs.ts'
import type { LegalCase } from './legal-case.ts'
import type { DebtorKind } from './terms.ts'

/** The actions that are done together where no rule names them and the client wants it. */
const usualActions = [
  'letter:reminder',
  'letter:notice',
  'letter:demand',
  'letter:legal',
  'letter:surveillance',
  'fee:reminder',
  'fee:collectionNotice',
  'fee:ownCollectionDemand',
  'fee:collectionDemand',
  'fee:collectionFee',
  'fee:externalCollection',
]

export interface Bundling {
  /** Null where only the client wants it. */
  rule: RuleOf<'bundling'> | null
  actions: readonly string[]
  /** True if the one fee is judged by the principal of all claims together. */
  isJointPrincipal: boolean
}

/**
 * How claims are demanded together on a day. Null: one by one. `wish` is the client's; it counts where no rule
 * demands otherwise, and null is none.
 */
export function findBundling(
  country: string | null,
  { date, debtor, wish }: { date: string; debtor: DebtorKind; wish: boolean | null },
): Bundling | null {
  const rule = findRule(country, 'bundling', { date, debtor })
  if (!rule) return wish ? { rule: null, actions: usualActions, isJointPrincipal: false } : null
  if (rule.override && wish === false) return null
  return { rule, actions: rule.actions, isJointPrincipal: rule.principal === 'joint' }
}

/**
 * The countries whose law has claims demanded together on a day, for SQL. `always`: whatever the client wants.
 * `unlessRefused`: where the client does not want otherwise. Elsewhere the client must want it.
 */
export function listBundlingCountries(date: string): { always: string[]; unlessRefused: string[] } {
  const found = lawPacks.flatMap(({ country }) => findRule(country, 'bundling', { date }) ?? [])
  const countries = (isLeft: boolean) =>
    found.filter(({ override }) => (override === true) === isLeft).map(({ code }) => code.slice(0, 2))
  return { always: countries(false), unlessRefused: countries(true) }
}

/** True if one of the actions is done for all claims together. */
export const isBundled = ({ actions }: Pick<Bundling, 'actions'>, step: readonly StepAction[]): boolean =>
  step.some(
    (action) =>
      (action.kind === 'letter' && actions.includes(`letter:${action.letter}`)) ||
      (action.kind === 'fee' && actions.includes(`fee:${action.feeType}`)),
  )

const everywhere = lawPacks.flatMap(({ rules }) =>
  rules.flatMap((rule) => (rule.subject === 'bundling' ? rule.actions : [])),
)
const bundledAnywhere = [...new Set([...usualActions, ...everywhere])]

/** False for a step that no rule and no client has taken together. */
export const mayBeBundled = (step: readonly StepAction[]): boolean =>
  isBundled({ actions: bundledAnywhere }, step)

/**
 * Claims as the law sees them when they are demanded together. The bearing claim gets the fee, so the rules about a single claim
 * apply to it. Counts, dates and circumstances are those of all claims.
 */
export function joinLegalCases(
  bearing: LegalCase,
  others: readonly LegalCase[],
  isJointPrincipal: boolean,
): LegalCase {
  const all = [bearing, ...others]
  const notices = all.flatMap(({ noticeDeadline }) => noticeDeadline ?? [])
  return {
    ...bearing,
    jointPrincipal: isJointPrincipal ? all.reduce((sum, { principal }) => sum + principal, 0n) : undefined,
    dueDate: all.map(({ dueDate }) => dueDate).reduce(latest),
    circumstances: [...new Set(all.flatMap(({ circumstances }) => circumstances))],
    hasGuardian: all.every(({ hasGuardian }) => hasGuardian),
    noticeDeadline: notices.length === 0 ? null : notices.reduce(latest),
    fees: distinct(all.flatMap(({ fees }) => fees)),
    letters: distinct(all.flatMap(({ letters }) => letters)),
  }
}

/** What several claims share is counted once. */
const distinct = <T extends { id?: string }>(acts: readonly T[]): T[] => {
  const known = new Set<string>()
  return acts.filter(({ id }) => id === undefined || (!known.has(id) && known.add(id)))
}
