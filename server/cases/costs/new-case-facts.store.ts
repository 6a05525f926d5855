/** What the law of a new case depends on: its country, and who owes. */
import type { Db } from '../../platform/database/transaction.ts'
import type { PreparedCase } from '../prepared-case.ts'
import type { NewCaseFacts } from './opening-costs.ts'

export interface CaseDebtor {
  isNatural: boolean
  /** The country of the legal address. Null when there is none on the day. */
  country: string | null
}

/** What the law of a case depends on, by debtor. */
export async function findDebtors(
  tx: Db,
  debtorGuids: readonly string[],
  date: string,
): Promise<Map<string, CaseDebtor>> {
  const rows = await tx<({ id: string } & CaseDebtor)[]>`
    select d.id, d.juridical_type is distinct from 1 as "isNatural", (
      select a.country_code from address a
      where a.debtor_id = d.id and a.address_type = 'LEGAL' and a.country_code is not null
        and (a.valid_from is null or a.valid_from < ${date}::date + 1) and (a.valid_to is null or a.valid_to >= ${date}::date)
        and (a.address_not_valid_date is null or a.address_not_valid_date >= ${date}::date)
      order by a.default_address desc, a.id desc limit 1) as country
    from debtor d where d.id = any(${[...debtorGuids]}::uuid[])`
  return new Map(rows.map((row) => [row.id, row]))
}

export const governingCountry = (
  { client }: Pick<PreparedCase, 'client'>,
  debtor: CaseDebtor,
): string | null => (debtor.isNatural ? debtor.country : null) ?? client.countryCode

/** What the law asks of a case. */
export const findFacts = (
  one: Pick<PreparedCase, 'client' | 'registrationDate' | 'reminderFeeAgreed'>,
  { debtor, today }: { debtor: CaseDebtor; today: string },
): NewCaseFacts => ({
  country: governingCountry(one, debtor),
  debtor: debtor.isNatural ? 'consumer' : 'business',
  registeredOn: one.registrationDate ?? today,
  reminderFeeAgreed: one.reminderFeeAgreed ?? one.client.reminderFeeAgreed,
})
