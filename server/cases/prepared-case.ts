import type { DebtorRole } from '../../core/cases/case-lifecycle.ts'
import type { InterestTerms } from '../../core/interest/interest.ts'
import type { Claim } from '../../core/ledger/case-movement.ts'
import type { DueDateBasis } from '../../core/law/terms.ts'
import type { ClaimKind } from '../../core/limitation/limitation.ts'
import type { ClientTerms } from '../claims/client-terms.ts'

export interface RegisteredCase {
  caseGuid: string
  caseNumber: string
  paymentReferenceNumber: string
  /** Costs above the ceiling of the law, which are not demanded. Minor units. */
  withheld: bigint
  /** The day on which the claim was barred already. Null for one that is not. */
  barredOn: string | null
}

/** A case that is checked and complete, except for its number. */
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
  /** Costs up to the registration, without those that a court set. */
  fee: bigint
  /** What is known of the costs. */
  costs?: { feeType: string | null; feeDate: string | null; courtCosts: bigint }
  /** The case's own terms, or the client's. */
  terms: InterestTerms
  /** The kind of claim. Null for the client's default. */
  claimKind: ClaimKind | null
  /** Null for what the client's terms say. */
  reminderFeeAgreed: boolean | null
  /** Null for what the client's terms say. */
  dueDateBasis: DueDateBasis | null
  /** Somebody gave the first day of interest, so no rule moves it. */
  isInterestStartGiven: boolean
  /** The deadline of the collection notice that the creditor sent. Null without one. */
  noticeDeadline: string | null
  description: string | null
  /** An earlier day for a case taken over from another system. Null for the business date. */
  registrationDate: string | null
  sourceReference: string | null
}
