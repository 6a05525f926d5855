/** Which cases are demanded together with a case, for the API and the console. */
import type { DemandGroup } from '../../../contract/cases/demand-groups.ts'
import { toMidnight } from '../../../core/calendar/date-time.ts'
import { findBundling } from '../../../core/law/bundling.ts'
import { citeRule } from '../../../core/law/packs.ts'
import { fromMinor } from '../../../core/money/money.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { findDemandFacts, listGroupCases } from './demand-groups.store.ts'

export async function describeDemandGroup(
  db: Db,
  caller: Caller,
  caseGuid: string,
  date: string,
): Promise<DemandGroup> {
  const facts = (await findDemandFacts(db, caseGuid))!
  const { country, groupGuid, wish, currencyCode } = facts
  const debtor = facts.isBusiness ? 'business' : 'consumer'
  const bundling = findBundling(country, { date, debtor, wish })
  const isAlone = groupGuid === null && (bundling === null || facts.demandedAlone)
  const found = isAlone ? [] : await listGroupCases(db, caller, { caseGuid, groupGuid })
  // Alone with itself, a case is in no group.
  const cases = found.length > 1 || groupGuid !== null ? found : []
  const rule = bundling?.rule ?? null
  return {
    caseGuid,
    together: bundling !== null,
    rule: rule?.code ?? null,
    source: rule && citeRule(country!, rule),
    verified: rule?.status === 'verified',
    demandedAlone: facts.demandedAlone,
    demandGroupGuid: groupGuid,
    paymentReferenceNumber: facts.reference,
    demandedDate: facts.demandedDate && toMidnight(facts.demandedDate),
    currencyCode,
    cases: cases.map(({ remainingMinor, ...one }) => ({
      ...one,
      remainingSum: fromMinor(BigInt(remainingMinor), currencyCode),
      bearsFee: one.caseGuid === cases.find(({ isDemanded }) => isDemanded)?.caseGuid,
    })),
  }
}
