/** Adds up an amount of selected rows. */
import { countDecimals } from '../../format/decimals.ts'
import type { CurrencySum } from './use-sums.ts'

/** An amount of a row, in the currency of the row. */
export interface Amount {
  currencyCode: string | null
  amount: number | null
}

/** In whole minor units, so that the sum is exact; a line per currency, by its code. */
export function addUp(rows: readonly Amount[]): Amount[] {
  const sums = new Map<string | null, bigint>()
  for (const { currencyCode, amount } of rows) {
    if (amount === null) continue
    const minor = BigInt(Math.round(amount * 10 ** decimals(currencyCode)))
    sums.set(currencyCode, (sums.get(currencyCode) ?? 0n) + minor)
  }
  return [...sums]
    .map(([currencyCode, minor]) => ({
      currencyCode,
      amount: Number(minor) / 10 ** decimals(currencyCode),
    }))
    .toSorted((a, b) => String(a.currencyCode).localeCompare(String(b.currencyCode)))
}

const decimals = (currency: string | null) => (currency === null ? 2 : countDecimals(currency))

/** The sums that the service gave for an amount. */
export const listSums = (sums: readonly CurrencySum[] | null | undefined, name: string): Amount[] =>
  (sums ?? []).flatMap(({ currencyCode, amounts }) =>
    amounts[name] === undefined ? [] : { currencyCode, amount: amounts[name] },
  )
