/**
 * When late interest begins on a claim whose due date was not agreed in advance, by the law pack of its country. Not
 * legal advice.
 */
import { addDays, addMonths, latest } from '../calendar/calendar.ts'
import type { RuleOf } from '../law/pack.ts'
import { findRule } from '../law/packs.ts'
import type { DebtorKind } from '../law/terms.ts'

export interface UnagreedClaim {
  country: string | null
  debtor: DebtorKind
  invoiceDate: string | null
  dueDate: string | null
  /** The day on which the agency took the claim: a claim without an invoice date was demanded then at the latest. */
  registeredOn: string
}

export interface InterestStart {
  /** The day after which interest runs. Null when it begins with a reminder alone. */
  from: string | null
  rule: RuleOf<'interestStart'>
}

/** Null where no law of the country is known: then the due date stands. */
export function findInterestStart({
  country,
  debtor,
  invoiceDate,
  dueDate,
  registeredOn,
}: UnagreedClaim): InterestStart | null {
  const rule = findRule(country, 'interestStart', { date: registeredOn, debtor })
  if (!rule) return null
  if (rule.days === null && rule.months === undefined) return { from: null, rule }
  const demanded = invoiceDate ?? registeredOn
  const due = dueDate ?? demanded
  const since = rule.after === 'invoice' ? demanded : latest(demanded, due)
  const start = addDays(addMonths(since, rule.months ?? 0), rule.days ?? 0)
  return { from: latest(start, due), rule }
}
