/** Holds the costs that a case brings with it to the ceilings of the law. */
import { findOpeningCeiling, type NewLegalCase } from '../../../core/law/opening-costs.ts'
import { formatMinor } from '../../../core/money/money.ts'
import { describeRefusal } from '../../ledger/lawful-fees.ts'
import { findFeeTables } from '../../ledger/legal-cases.store.ts'
import type { Reader } from '../../platform/dictionary/reader.ts'
import type { Db } from '../../platform/database/transaction.ts'
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

/** Divides the costs of a new case into what is demanded and what is withheld. Throws a 422 for a person. */
export async function divideOpeningCosts(
  tx: Db,
  one: PreparedCase,
  facts: NewCaseFacts,
  overCeiling: OverCeiling,
): Promise<OpeningCosts> {
  const { feeType = null, feeDate = null, courtCosts = 0n } = one.costs ?? {}
  const whole = { demanded: one.fee + courtCosts, withheld: 0n }
  if (one.fee === 0n) return whole
  const date = feeDate ?? facts.registeredOn
  const fees = (await findFeeTables(tx, [facts.country], date))(facts.country)
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
