/** By when a debtor's objection, complaint or hardship is answered. Pure. docs/domain/objections.md has the rules. */
import { addDays } from '../calendar/calendar.ts'
import type { AnsweredMatter, RuleOf } from './pack.ts'
import { findPack, isInForce } from './packs.ts'
import type { DebtorKind } from './terms.ts'

/** Days for an answer where neither the law nor the settings name any. */
const defaultAnswerDays = 14

export interface AnswerQuestion {
  /** The governing country. Null when it is unknown. */
  country: string | null
  debtor: DebtorKind
  matter: AnsweredMatter
  /** The day of the receipt, YYYY-MM-DD. */
  received: string
  /** The days of the settings. Null when there are none. */
  days: number | null
}

export interface AnswerDeadline {
  /** The day by which the debtor gets an answer. */
  by: string
  /** The last day that the law allows. Null where it names no number of days. */
  latest: string | null
  /** The rule about the answer. Null where no pack has one. */
  rule: RuleOf<'answer'> | null
}

/** The law's own days, or fewer where the settings ask for fewer. */
export function findAnswerDeadline(question: AnswerQuestion): AnswerDeadline {
  const { received, days } = question
  const rule = findAnswerRule(question)
  const own = addDays(received, days ?? defaultAnswerDays)
  if (rule === null || rule.days === null) return { by: own, latest: null, rule }
  const latest = addDays(received, rule.days)
  return { by: own < latest ? own : latest, latest, rule }
}

/** The rule in force that gives the fewest days. Proposed rules never apply. */
function findAnswerRule({ country, debtor, matter, received }: AnswerQuestion): RuleOf<'answer'> | null {
  const rules = (findPack(country)?.rules ?? []).filter(
    (rule): rule is RuleOf<'answer'> =>
      rule.subject === 'answer' &&
      rule.status !== 'proposed' &&
      rule.matters.includes(matter) &&
      isInForce(rule, received) &&
      (rule.debtor === undefined || rule.debtor === 'all' || rule.debtor === debtor),
  )
  return rules.toSorted((a, b) => (a.days ?? Infinity) - (b.days ?? Infinity))[0] ?? null
}
