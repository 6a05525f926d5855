import { addDays } from '../../core/calendar/calendar.ts'
import type { ClientTerms } from '../../server/claims/client-terms.ts'
import type { PreparedCase } from '../../server/cases/prepared-case.ts'
import { makeId } from '../../server/platform/database/make-id.ts'

export type BenchCase = PreparedCase

/** A case that was due some time ago, its amounts and dates spread by its number. */
export function newCase(client: ClientTerms, debtorGuid: string, number: number, today: string): BenchCase {
  const dueDate = addDays(today, -30 - (number % 300))
  return {
    client,
    debtorGuid,
    debtorRole: 'MAIN_DEBTOR',
    service: 'COLLECTION',
    clientReferenceNumber: null,
    currencyCode: 'SEK',
    claim: {
      id: makeId(),
      principal: BigInt(50_000 + (number % 997) * 1000),
      dueDate,
      interestFrom: dueDate,
      terms: null,
    },
    invoiceNumber: `F${number}`,
    invoiceDate: null,
    interest: 0n,
    fee: 6_000n,
    terms: client.interest,
    claimKind: null,
    reminderFeeAgreed: null,
    dueDateBasis: null,
    isInterestStartGiven: false,
    noticeDeadline: null,
    description: null,
    registrationDate: null,
    sourceReference: null,
  }
}
