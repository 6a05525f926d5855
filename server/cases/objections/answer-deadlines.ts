/** By when a debtor is answered: when an objection is recorded, and when another country governs the case. */
import type { ObjectionMatter } from '../../../contract/cases/objections.ts'
import { findAnswerDeadline, type AnswerDeadline } from '../../../core/law/answer.ts'
import type { Change } from '../../platform/events/record.ts'
import type { Db } from '../../platform/database/transaction.ts'

interface Received {
  matter: ObjectionMatter
  /** The day of the receipt. */
  received: string
}

/** What the law of a country and the settings want for the debtor of a case. */
type FindDeadline = (received: Received, country: string | null) => AnswerDeadline

export async function openDeadlines(
  tx: Db,
  caseGuid: string,
): Promise<{ country: string | null; find: FindDeadline }> {
  const [row] = await tx<{ country: string | null; isBusiness: boolean; days: number | null }[]>`
    select c.governing_country as country, d.juridical_type is not distinct from 1 as "isBusiness",
      (s.settings ->> 'answerDays')::int as days
    from debt_case c join debtor d on d.id = c.main_debtor_id, system_setting s where c.id = ${caseGuid}`
  const { country, isBusiness, days } = row!
  const debtor = isBusiness ? 'business' : 'consumer'
  return {
    country,
    find: (received, governing) => findAnswerDeadline({ ...received, country: governing, days, debtor }),
  }
}

interface OpenObjection extends Received {
  id: string
  answerBy: string | null
  rule: string | null
}

/**
 * Moves the days of open objections from the law of one country to that of another. A day that somebody entered stays, as far
 * as the other law allows it. Returns the changes for the audit trail.
 */
export async function moveAnswerDeadlines(
  tx: Db,
  caseGuid: string,
  countries: { left: string | null; next: string | null },
): Promise<Change['changes']> {
  const { find } = await openDeadlines(tx, caseGuid)
  const open = await tx<OpenObjection[]>`
    select id, matter, received_date as received, answer_by as "answerBy", answer_rule as rule
    from objection where case_id = ${caseGuid} and status = 'OPEN' order by id for update`
  const changes: Change['changes'] = {}
  for (const { id, answerBy, rule, ...received } of open) {
    const next = find(received, countries.next)
    const isEntered = answerBy !== null && answerBy !== find(received, countries.left).by
    const isAllowed = next.latest === null || (answerBy !== null && answerBy <= next.latest)
    const by = isEntered && isAllowed ? answerBy : isEntered ? next.latest! : next.by
    const nextRule = next.rule?.code ?? null
    if (by === answerBy && nextRule === rule) continue
    await tx`
      update objection set answer_by = ${by}, answer_rule = ${nextRule}, version = version + 1 where id = ${id}`
    if (by !== answerBy) changes[`answerBy ${id}`] = [answerBy, by]
  }
  return changes
}
