/** What is known of a claim, and what was sent and charged. Amounts are in units of the currency, days are YYYY-MM-DD. */
export type Country = 'SE' | 'NO' | 'DK' | 'FI' | 'DE' | 'IS'

export interface Facts {
  country: Country
  isBusiness: boolean
  principal: number
  dueDate: string
  /** The debtor is under 18 throughout. */
  isMinor: boolean
  isReminderFeeAgreed: boolean
  /** The last day on which the claim can be demanded. */
  barredAfter: string
  /** From when the agency knows it. Null if it does not hold. */
  deadSince: string | null
  reliefSince: string | null
  /** Whole claims that are disputed, both days included. A null end is open. */
  disputes: { from: string; to: string | null }[]
  /** When the case was taken to court. */
  courtDays: string[]
  /** When a payment plan was made with the debtor. */
  planDays: string[]
}

export interface Letter {
  kind: string
  date: string
  /** The day by which it asks to be paid. */
  due: string | null
}
export interface Fee {
  type: string
  amount: number
  date: string
}

export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000)
