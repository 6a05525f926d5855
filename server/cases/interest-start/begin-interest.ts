/** When interest begins on a claim whose due date was not agreed in advance: by the law of its case. */
import { latest } from '../../../core/calendar/calendar.ts'
import type { InterestTerms } from '../../../core/interest/interest.ts'
import { findInterestStart, type UnagreedClaim } from '../../../core/interest/interest-start.ts'
import { describeRule } from '../../../core/law/rule-name.ts'
import type { DueDateBasis } from '../../../core/law/terms.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Reader } from '../../platform/dictionary/reader.ts'
import { ApiError } from '../../platform/http/errors.ts'
import type { PreparedCase } from '../prepared-case.ts'

/** A claim that only a reminder makes bear interest: a person must enter its day, and an import takes the claim without interest. */
export type NoStart = { refuse: Pick<Reader, 'language'> } | 'withhold'

const bearsInterest = (terms: InterestTerms): boolean =>
  terms.kind === 'reference' || (terms.kind === 'fixed' && Number(terms.rate) > 0)

/** The case with the day on which the law lets its interest begin, and the rule. Throws a 422 for a person. */
export function beginInterest(
  one: PreparedCase,
  facts: Pick<UnagreedClaim, 'country' | 'debtor' | 'registeredOn'>,
  noStart: NoStart,
): PreparedCase & { interestStartRule: string | null } {
  const { claim, client, invoiceDate, terms } = one
  const whole = { ...one, interestStartRule: null }
  if (
    (one.dueDateBasis ?? client.dueDateBasis) === 'AGREED' ||
    one.isInterestStartGiven ||
    !bearsInterest(terms)
  )
    return whole
  const start = findInterestStart({ ...facts, invoiceDate, dueDate: claim.dueDate })
  if (start === null) return whole
  const interestStartRule = start.rule.code
  if (start.from !== null)
    return {
      ...one,
      claim: { ...claim, interestFrom: latest(claim.interestFrom!, start.from) },
      interestStartRule,
    }
  if (noStart !== 'withhold') throw refuse(start.rule, noStart.refuse)
  return { ...one, terms: { kind: 'none' }, interestStartRule }
}

const refuse = (rule: Parameters<typeof describeRule>[1], { language }: Pick<Reader, 'language'>) => {
  const detail = `is required: without an agreed due date a consumer owes interest from a reminder after it. Enter the day on which the reminder came; before there is one, enter 0 as the interest. (${describeRule(language, rule)})`
  return new ApiError('unprocessable', `interestFromDate ${detail}`, {
    errors: { interestFromDate: [detail] },
    members: { rule: rule.code },
  })
}

/** The same for an invoice that is added to a case. `dueDateBasis`: null for what the case says. */
export async function beginInvoiceInterest(
  tx: Db,
  caseGuid: string,
  asked: {
    dueDateBasis: DueDateBasis | null
    invoiceDate: string | null
    dueDate: string | null
    interestFrom: string
    terms: InterestTerms
    today: string
  },
  reader: Pick<Reader, 'language'>,
): Promise<{ interestFrom: string; interestStartRule: string | null }> {
  const { interestFrom, today, terms, dueDateBasis, ...dates } = asked
  const whole = { interestFrom, interestStartRule: null }
  if (dueDateBasis === 'AGREED' || !bearsInterest(terms)) return whole
  const [found] = await tx<{ country: string | null; isBusiness: boolean; dueDateBasis: DueDateBasis }[]>`
    select c.governing_country as country, d.juridical_type is not distinct from 1 as "isBusiness",
      c.due_date_basis as "dueDateBasis"
    from debt_case c join debtor d on d.id = c.main_debtor_id where c.id = ${caseGuid}`
  const { country, isBusiness } = found!
  if ((dueDateBasis ?? found!.dueDateBasis) === 'AGREED') return whole
  const debtor = isBusiness ? 'business' : 'consumer'
  const start = findInterestStart({ country, debtor, ...dates, registeredOn: today })
  if (start === null) return whole
  if (start.from === null) throw refuse(start.rule, reader)
  return { interestFrom: latest(interestFrom, start.from), interestStartRule: start.rule.code }
}
