import { unusualDecimals } from './decimals.data.ts'

/** The decimals of a currency: JPY 0, SEK 2, KWD 3. */
export const countDecimals = (currency: string): number => unusualDecimals[currency] ?? 2

/** Whether an amount is smaller than the currency can pay. */
export const hasPartUnits = (amount: number, currency: string): boolean =>
  Number(amount.toFixed(countDecimals(currency))) !== amount

/** The decimals with which an amount of a currency is written. Without a currency: two. */
export function decimalOptions(currency: string | null | undefined): Intl.NumberFormatOptions {
  const decimals = currency ? countDecimals(currency) : 2
  return { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
}
