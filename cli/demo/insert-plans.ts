/** Writes the demo's payment plans, through the functions that make and activate any plan. */
import type { PaymentPlanInput } from '../../contract/plans/payment-plan-inputs.ts'
import type { Db } from '../../server/platform/database/transaction.ts'
import type { Origin } from '../../server/platform/http/caller.ts'
import { ApiError } from '../../server/platform/http/errors.ts'
import { createPlan } from '../../server/plans/plans.changes.ts'
import { demoCaller } from './insert-cases.ts'

/** One of each kind in turn; amounts and fees suit the Nordic crowns as well as the euro. */
const kinds: PaymentPlanInput[] = [
  { paymentPlanType: 1, numberOfPayments: 24, active: 1, registrationFee: 17, invoiceFee: 0, reminderFee: 5 },
  { paymentPlanType: 3, numberOfPayments: 12, active: 1 },
  { paymentPlanType: 1, numberOfPayments: 36, active: 2, payments: [{ paymentNo: 2, specifiedAmount: 0 }] },
  { paymentPlanType: 2, numberOfPayments: 10, amount: 250, active: 1, registrationFee: 10 },
  { paymentPlanType: 5, numberOfPayments: 36, amount: 40, active: 1 },
  { paymentPlanType: 4, numberOfPayments: 6, amount: 100, active: 2 },
]

/** Where the law knows no fee for a plan. */
const withoutFee = new Set(['DK', 'DE'])

/** A plan for every so many of the debtors; those whose debt does not fit the kind have none. Returns how many were made. */
export async function insertDemoPlans(
  db: Db,
  debtors: readonly { debtorGuid: string; countryCode: string }[],
  { origin, every = 7 }: { origin: Origin; every?: number },
): Promise<number> {
  const environment = { countryCode: 'SE', currencyCode: 'SEK' }
  let made = 0
  for (let index = 0; index < debtors.length; index += every) {
    const kind = kinds[(index / every) % kinds.length]!
    const { debtorGuid, countryCode } = debtors[index]!
    const input = withoutFee.has(countryCode) ? { ...kind, registrationFee: 0 } : kind
    try {
      await createPlan(db, demoCaller, { debtorGuid, input }, { origin, environment })
      made++
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
    }
  }
  return made
}
