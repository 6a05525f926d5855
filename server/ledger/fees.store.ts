import { fromMinor } from '../../core/money/money.ts'
import { feeTypes, statutoryFees, type ShippedFee } from '../../core/ledger/statutory-fees.ts'
import type { Db } from '../platform/database/transaction.ts'
import type { CaseRow } from '../claims/case-lock.ts'
import { findClientTerms, type ClientTerms } from '../claims/client-terms.ts'
import { isShippedFeeType } from './fee-types.rules.ts'
import { findFeesBetween } from './rates/statutory-fees.store.ts'

/** The facts that decide the amount of a fee. */
export interface FeeFacts {
  terms: Pick<ClientTerms, 'currencyCode' | 'fees'> | undefined
  juridicalType: number | null
  /** The original principal, in minor units. */
  principal: number
  currencyCode: string
  /** The governing country of the case, else the client's. */
  country: string | null
  /** The statutory fees of that country in the requested period. */
  statutes: readonly ShippedFee[]
}

/**
 * The amount of a fee on a day, in units of the case's currency. The client's own fee applies if it is in
 * that currency, otherwise the statutory fee. Null when neither exists.
 */
export function computeFeeAmount(
  { terms, juridicalType, principal, currencyCode, country, statutes }: FeeFacts,
  feeType: string,
  date: string,
): number | null {
  if (terms === undefined) return null
  const own = terms.fees[feeType]
  if (own !== undefined && (terms.currencyCode ?? currencyCode) === currencyCode) return own
  if (country === null) return null
  const question = {
    country,
    debtor: juridicalType === 1 ? ('business' as const) : ('consumer' as const),
    date,
    principal: BigInt(principal),
  }
  const rows = statutes.filter(({ type, currency }) => type === feeType && currency === currencyCode)
  const fee = statutoryFees(question, rows).find(({ amount }) => amount !== null)
  return fee ? fromMinor(fee.amount!, fee.currency) : null
}

type FeeCase = Pick<CaseRow, 'caseGuid' | 'clientGuid' | 'currencyCode'>

/** Fee facts by case guid, for a period that includes both days. */
export async function findFeeFacts(
  db: Db,
  cases: readonly FeeCase[],
  period: { from: string; to: string },
): Promise<Map<string, FeeFacts>> {
  const terms = new Map<string, ClientTerms | undefined>()
  for (const clientGuid of new Set(cases.map((one) => one.clientGuid)))
    terms.set(clientGuid, await findClientTerms(db, clientGuid))
  const found = await db<
    { caseGuid: string; juridicalType: number | null; principal: number; governing: string | null }[]
  >`
    select c.id as "caseGuid", d.juridical_type as "juridicalType", c.original_principal as principal,
      c.governing_country as governing
    from debt_case c join debtor d on d.id = c.main_debtor_id
    where c.id = any(${cases.map(({ caseGuid }) => caseGuid)}::uuid[])`
  const byCase = new Map(found.map((one) => [one.caseGuid, one]))
  const findCountry = ({ caseGuid, clientGuid }: FeeCase) =>
    byCase.get(caseGuid)!.governing ?? terms.get(clientGuid)?.countryCode ?? null
  const statutes = new Map<string, readonly ShippedFee[]>()
  for (const country of new Set(cases.flatMap((one) => findCountry(one) ?? [])))
    statutes.set(country, await findFeesBetween(db, country, period))
  return new Map(
    cases.map((one) => {
      const { caseGuid, clientGuid, currencyCode } = one
      const { juridicalType, principal } = byCase.get(caseGuid)!
      const country = findCountry(one)
      const inForce = statutes.get(country ?? '') ?? []
      const facts = { terms: terms.get(clientGuid), juridicalType, principal, currencyCode, country }
      return [caseGuid, { ...facts, statutes: inForce }]
    }),
  )
}

export const findFeeAmount = async (
  db: Db,
  row: CaseRow,
  feeType: string,
  date: string,
): Promise<number | null> =>
  computeFeeAmount(
    (await findFeeFacts(db, [row], { from: date, to: date })).get(row.caseGuid)!,
    feeType,
    date,
  )

/**
 * The fee types of a client's terms, and those that the agency added to the lookup `feetype` or to the statutory fees: of one
 * country (null: of none), or of all. Those that the product ships are left out.
 */
export async function findOwnFeeTypes(
  db: Db,
  clientGuid: string | null,
  country?: string | null,
): Promise<string[]> {
  const rows = await db<{ code: string }[]>`
    select lookup_key as code from lookup_value where lookup_code = 'feetype'
    union select fee_type from statutory_fee where ${country === undefined} or country_code = ${country ?? null}`
  const terms = clientGuid === null ? undefined : await findClientTerms(db, clientGuid)
  const known = new Set([...Object.keys(terms?.fees ?? {}), ...rows.map(({ code }) => code)])
  return [...known].filter((type) => !isShippedFeeType(type))
}

/** The fee types that a case of the client may have: shipped, of the agency, and of the client's terms. Null: of no client. */
export const findFeeTypes = async (db: Db, clientGuid: string | null): Promise<string[]> => [
  ...feeTypes,
  ...(await findOwnFeeTypes(db, clientGuid)),
]
