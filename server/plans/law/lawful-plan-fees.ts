/** Holds the fees of a plan to the law of its cases. */
import { judge, type LegalReason, type Verdict } from '../../../core/law/permissions.ts'
import { formatMinor } from '../../../core/money/money.ts'
import { describeRefusal } from '../../ledger/lawful-fees.ts'
import { findFeeTables, findLegalCases } from '../../ledger/legal-cases.store.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { findReader } from '../../platform/dictionary/reader.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/errors.ts'
import type { PlanRecord } from '../plan-record.ts'

/** What is refused of a fee that is agreed with the plan: its amount, kind or number, and not its day. */
const refused: ReadonlySet<LegalReason | null> = new Set([
  'ceiling',
  'total',
  'scale',
  'others',
  'noAmount',
  'count',
])

/**
 * Throws a 422 that names the rule, and the highest amount where there is one, when the law of the case does not allow the
 * fee for the plan or for a reminder within it. The fee for each payment is agreed with the plan; no pack has a rule for it.
 * Returns the rule by which the registration fee was judged, or null.
 */
export async function requireLawfulPlanFees(
  tx: Db,
  caller: Pick<Caller, 'language'>,
  plan: Pick<PlanRecord, 'registrationFee' | 'reminderFee' | 'currencyCode' | 'cases'>,
  date: string,
): Promise<string | null> {
  const { registrationFee, reminderFee, currencyCode } = plan
  if (registrationFee === 0n && reminderFee === 0n) return null
  const { caseGuid } = plan.cases[0]!
  const one = (await findLegalCases(tx, [caseGuid], date)).get(caseGuid)!
  const fees = (await findFeeTables(tx, [one.country], date))(one.country)
  const ask = (feeType: string, amount: bigint): Verdict => {
    const asked = { action: `fee:${feeType}`, date, amount }
    const verdict = judge(one, asked, fees)
    return verdict.from === null ? verdict : judge(one, { ...asked, date: verdict.from }, fees)
  }
  const refuse = (member: 'registrationFee' | 'reminderFee', verdict: Verdict): void => {
    const detail = describeRefusal(verdict, { reader: findReader(caller.language), currency: currencyCode })
    throw new ApiError('unprocessable', detail, {
      errors: { [member]: [detail] },
      members: {
        rule: verdict.rule?.code ?? null,
        ...(verdict.highest !== null && { highest: formatMinor(verdict.highest, currencyCode) }),
      },
    })
  }
  const registration = registrationFee > 0n ? ask('paymentPlan', registrationFee) : null
  if (registration && refused.has(registration.reason)) refuse('registrationFee', registration)
  const rule = registration?.rule?.code ?? null
  if (reminderFee === 0n) return rule
  const own = ask('planReminder', reminderFee)
  // Most packs know reminders only. Whether one is charged is asked when a payment is late, not when the plan begins.
  const verdict = own.reason === 'others' ? ask('reminder', reminderFee) : own
  if (verdict.reason === 'ceiling') refuse('reminderFee', verdict)
  return rule
}
