/** The cost per case from what was counted (docs/domain/treasury.md#cost-per-case). Pure. */
import type { ContactPrices, CostMonth } from '../../../contract/insight/case-costs.ts'
import { divideHalfUp, fromMinor, toMinor } from '../../../core/money/money.ts'
import type { StoredSettings } from '../../metadata/system/system-settings.changes.ts'
import { midnight } from './months.ts'

const contactKinds = ['letter', 'email', 'sms', 'call'] as const

/** Of the settings of the installation. */
export const toPrices = (settings: StoredSettings): ContactPrices => ({
  currencyCode: settings.currencyCode!,
  letter: settings.letterPrice ?? null,
  email: settings.emailPrice ?? null,
  sms: settings.smsPrice ?? null,
  call: settings.callPrice ?? null,
})

/** What was done and closed in a month, in a currency of cases. */
export interface CountedMonth {
  currencyCode: string
  /** The first day. */
  month: string
  /** Minor units, as text. */
  outlays: string
  letter: number
  email: number
  sms: number
  call: number
  workedCases: number
  closedCases: number
}

export function priceMonth(counted: CountedMonth, prices: ContactPrices): CostMonth {
  const { currencyCode, workedCases, closedCases } = counted
  let cost = BigInt(counted.outlays)
  let unpriced = 0
  for (const kind of contactKinds) {
    const price = prices.currencyCode === currencyCode ? prices[kind] : null
    if (price === null) unpriced += counted[kind]
    else cost += toMinor(price, currencyCode) * BigInt(counted[kind])
  }
  const divide = (cases: number) =>
    cases === 0 ? null : fromMinor(divideHalfUp(cost, BigInt(cases)), currencyCode)
  return {
    currencyCode,
    month: midnight(counted.month),
    outlays: fromMinor(BigInt(counted.outlays), currencyCode),
    letters: counted.letter,
    emails: counted.email,
    sms: counted.sms,
    calls: counted.call,
    unpriced,
    cost: fromMinor(cost, currencyCode),
    workedCases,
    closedCases,
    perWorkedCase: divide(workedCases),
    perClosedCase: divide(closedCases),
  }
}
