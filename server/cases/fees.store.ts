import { fromMinor } from '../../core/money.ts'
import { statutoryFees } from '../../core/statutory-fees.ts'
import type { Db } from '../database/transaction.ts'
import type { CaseRow } from './case-lock.ts'
import { findClientTerms } from './client-terms.ts'

/**
 * What a fee costs in a case on a day: as its client's terms say, which are in the client's currency, else as the statute
 * does; null where neither does.
 */
export async function findFeeAmount(
  db: Db,
  row: CaseRow,
  feeType: string,
  date: string,
): Promise<number | null> {
  const terms = await findClientTerms(db, row.clientGuid)
  if (terms === undefined) return null
  const own = terms.fees[feeType]
  if (own !== undefined && (terms.currencyCode ?? row.currencyCode) === row.currencyCode) return own
  if (terms.countryCode === null) return null
  const [found] = await db<{ juridicalType: number | null; principal: number }[]>`
    select d.juridical_type as "juridicalType", c.original_principal as principal
    from debt_case c join debtor d on d.id = c.main_debtor_id where c.id = ${row.caseGuid}`
  const fee = statutoryFees({
    country: terms.countryCode,
    debtor: found!.juridicalType === 1 ? 'business' : 'consumer',
    date,
    principal: BigInt(found!.principal),
  }).find(
    ({ type, currency, amount }) => type === feeType && currency === row.currencyCode && amount !== null,
  )
  return fee ? fromMinor(fee.amount!, fee.currency) : null
}
