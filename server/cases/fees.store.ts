import { fromMinor } from '../../core/money.ts'
import { statutoryFees } from '../../core/statutory-fees.ts'
import type { Db } from '../database/transaction.ts'
import type { CaseRow } from './case-lock.ts'
import { findClientTerms, type ClientTerms } from './client-terms.ts'

/** What the cost of a fee depends on. */
export interface FeeFacts {
  terms: Pick<ClientTerms, 'countryCode' | 'currencyCode' | 'fees'> | undefined
  juridicalType: number | null
  /** The original principal, in minor units. */
  principal: number
  currencyCode: string
}

/**
 * What a fee costs on a day: as the client's terms say, which are in the client's currency, else as the statute does; null
 * where neither does.
 */
export function feeAmountOf(
  { terms, juridicalType, principal, currencyCode }: FeeFacts,
  feeType: string,
  date: string,
): number | null {
  if (terms === undefined) return null
  const own = terms.fees[feeType]
  if (own !== undefined && (terms.currencyCode ?? currencyCode) === currencyCode) return own
  if (terms.countryCode === null) return null
  const fee = statutoryFees({
    country: terms.countryCode,
    debtor: juridicalType === 1 ? 'business' : 'consumer',
    date,
    principal: BigInt(principal),
  }).find(({ type, currency, amount }) => type === feeType && currency === currencyCode && amount !== null)
  return fee ? fromMinor(fee.amount!, fee.currency) : null
}

type FeeCase = Pick<CaseRow, 'caseGuid' | 'clientGuid' | 'currencyCode'>

/** What the cost of fees in some cases depends on, by the case. */
export async function findFeeFacts(db: Db, cases: readonly FeeCase[]): Promise<Map<string, FeeFacts>> {
  const terms = new Map<string, ClientTerms | undefined>()
  for (const { clientGuid } of cases)
    if (!terms.has(clientGuid)) terms.set(clientGuid, await findClientTerms(db, clientGuid))
  const found = await db<{ caseGuid: string; juridicalType: number | null; principal: number }[]>`
    select c.id as "caseGuid", d.juridical_type as "juridicalType", c.original_principal as principal
    from debt_case c join debtor d on d.id = c.main_debtor_id
    where c.id = any(${cases.map(({ caseGuid }) => caseGuid)}::uuid[])`
  const byCase = new Map(found.map((one) => [one.caseGuid, one]))
  return new Map(
    cases.map(({ caseGuid, clientGuid, currencyCode }) => [
      caseGuid,
      { ...byCase.get(caseGuid)!, currencyCode, terms: terms.get(clientGuid) },
    ]),
  )
}

/** What a fee costs in a case on a day. */
export const findFeeAmount = async (
  db: Db,
  row: CaseRow,
  feeType: string,
  date: string,
): Promise<number | null> => feeAmountOf((await findFeeFacts(db, [row])).get(row.caseGuid)!, feeType, date)
