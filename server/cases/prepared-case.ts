import type { DebtorRole } from '../../core/cases/case-life.ts'
import type { InterestTerms } from '../../core/interest/interest.ts'
import type { Claim } from '../../core/ledger/case-movement.ts'
import type { ClaimKind } from '../../core/limitation/limitation.ts'
import type { ClientTerms } from '../claims/client-terms.ts'

export interface RegisteredCase {
  caseGuid: string
  caseNumber: string
  paymentReferenceNumber: string
}

/** A case that is checked and complete, but for its number. */
export interface PreparedCase {
  client: ClientTerms
  debtorGuid: string
  debtorRole: DebtorRole
  service: string
  clientReferenceNumber: string | null
  currencyCode: string
  claim: Claim
  invoiceNumber: string | null
  invoiceDate: string | null
  interest: bigint
  fee: bigint
  /** The case's own or the client's. */
  terms: InterestTerms
  /** What the claim is for; null for what the client's claims are. */
  claimKind: ClaimKind | null
  description: string | null
  /** Null for the business date; an earlier day for a case that was kept elsewhere before. */
  registrationDate: string | null
  sourceReference: string | null
}
