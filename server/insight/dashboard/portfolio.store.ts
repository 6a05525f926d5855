/** Open cases by status and age, in one statement that reads each row once. */
import type { Portfolio, PortfolioAge } from '../../../contract/insight/dashboard.ts'
import { fromMinor } from '../../../core/money/money.ts'
import { isOpen, owedFee, owedInterest, owedPrincipal } from '../../claims/remaining-amounts.ts'
import { runStatement } from '../../platform/database/statement.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { visibleCases } from '../../claims/cases.scope.ts'
import { daysBefore, midnight } from './months.ts'

/** The last day of each age band, in days since the registration. The final band has no end. */
const bandEnds = [30, 90, 180, 365, 1095]

/** The age bands on a business date, the youngest first. */
export const ageBands = (today: string): PortfolioAge[] =>
  [...bandEnds, null].map((toDays, age) => {
    const fromDays = age === 0 ? 0 : bandEnds[age - 1]! + 1
    return {
      age,
      fromDays,
      toDays,
      registeredFrom: toDays === null ? null : midnight(daysBefore(today, toDays)),
      registeredBefore: age === 0 ? null : midnight(daysBefore(today, fromDays - 1)),
    }
  })

interface Row {
  currencyCode: string
  status: string
  age: number
  cases: number
  /** Minor units, as text: sums can exceed the exact range of a double. */
  principal: string
  interest: string
  fee: string
}

export async function readPortfolio(db: Db, caller: Caller, today: string): Promise<Portfolio> {
  const ages = ageBands(today)
  const scope = visibleCases(caller).at(2)
  const rows = await runStatement<Row>(
    db,
    `select c.currency_code as "currencyCode", c.status,
       ${bandEnds.length} - width_bucket(c.registration_date, $1::date[]) as age,
       count(*)::int as cases, sum(${owedPrincipal})::text as principal,
       sum(${owedInterest})::text as interest, sum(${owedFee})::text as fee
     from debt_case c where ${isOpen} and ${scope.text} group by 1, 2, 3 order by 1, 2, 3`,
    [bandEnds.map((days) => daysBefore(today, days)).toReversed(), ...scope.parameters],
    { prepare: true },
  )
  const value = rows.map(({ principal, interest, fee, ...row }) => {
    const money = (minor: bigint) => fromMinor(minor, row.currencyCode)
    const [a, b, c] = [BigInt(principal), BigInt(interest), BigInt(fee)]
    return { ...row, principal: money(a), interest: money(b), fee: money(c), sum: money(a + b + c) }
  })
  return { asOf: midnight(today), ages, value }
}
