/** Holds the costs that a case brings with it to the ceilings of the law. */
import { findOpeningCeiling, type NewLegalCase } from '../../../core/law/fees/opening-costs.ts'
import type { ShippedFee } from '../../../core/ledger/statutory-fees.ts'
import { formatMinor } from '../../../core/money/money.ts'
import { describeRefusal } from '../../ledger/lawful-fees.ts'
import type { Reader } from '../../platform/dictionary/reader.ts'
import { ApiError } from '../../platform/http/errors.ts'
import type { PreparedCase } from '../prepared-case.ts'

/** What becomes of costs above the ceiling: a person is told, an import keeps them apart. */
export type OverCeiling = { refuse: Reader } | 'withhold'

export interface OpeningCosts {
  /** Owed with the registration, court costs included. Minor units. */
  demanded: bigint
  /** Above the ceiling: kept apart and not demanded. */
  withheld: bigint
}

/** What the law asks of a case that is registered. */
export interface NewCaseFacts extends Pick<NewLegalCase, 'country' | 'debtor'> {
  registeredOn: string
  reminderFeeAgreed: boolean
}

/** The day whose law limits the costs of a new case. Null for a case without costs. */
export const findCostDate = (
  { fee, costs }: Pick<PreparedCase, 'fee' | 'costs'>,
  registeredOn: string,
): string | null => (fee === 0n ? null : (costs?.feeDate ?? registeredOn))

/**
 * Divides the costs of a new case into what is demanded and what is withheld. `fees` has at least those that are in force
 * in the country on `findCostDate`. Throws a 422 for a person.
 */
export function divideOpeningCosts(
  one: PreparedCase,
  facts: NewCaseFacts,
  { fees, overCeiling }: { fees: readonly ShippedFee[]; overCeiling: OverCeiling },
): OpeningCosts {
  const { feeType = null, courtCosts = 0n } = one.costs ?? {}
  const whole = { demanded: one.fee + courtCosts, withheld: 0n }
  const date = findCostDate(one, facts.registeredOn)
  if (date === null) return whole
  const legal = {
    country: facts.country,
    debtor: facts.debtor,
    currency: one.currencyCode,
    principal: one.claim.principal,
    dueDate: one.claim.dueDate ?? facts.registeredOn,
    reminderFeeAgreed: facts.reminderFeeAgreed,
  }
  const ceiling = findOpeningCeiling(legal, { feeType, date }, fees)
  if (ceiling === null || one.fee <= ceiling.highest) return whole
  if (overCeiling === 'withhold')
    return { demanded: ceiling.highest + courtCosts, withheld: one.fee - ceiling.highest }
  const verdict = {
    action: `fee:${feeType ?? '*'}`,
    allowed: false,
    from: null,
    recipient: 'debtor' as const,
    ...ceiling,
  }
  const detail = describeRefusal(verdict, { reader: overCeiling.refuse, currency: one.currencyCode })
  throw new ApiError('unprocessable', detail, {
    errors: { fee: [detail] },
    members: { rule: ceiling.rule.code, highest: formatMinor(ceiling.highest, one.currencyCode) },
  })
}
