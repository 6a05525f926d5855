/** Rows of a case that comes with its history. */
import type { RateTable } from '../../../../core/interest/interest.ts'
import { toMinor } from '../../../../core/money/money.ts'
import { interestColumns, type ClientTerms } from '../../../claims/client-terms.ts'
import { caseSearchKeys } from '../../../claims/search-keys.ts'
import { initialChanges } from '../../../platform/events/record.ts'
import { day, type ReadHistory } from './read-history.ts'

export interface HistoryContext {
  caseGuid: string
  /** The running number. */
  number: number
  client: ClientTerms
  debtorGuid: string
  today: string
  rates: RateTable
  sourceReference: string
  /** The payment of each reference. */
  payments: ReadonlyMap<string, string>
}

export interface HistoryNames {
  caseNumber: string
  paymentReferenceNumber: string
}

/** The columns of a case, without those that follow from its ledger. */
export function caseColumns(
  read: ReadHistory,
  { client, debtorGuid, ...context }: HistoryContext,
  names: HistoryNames,
) {
  const { row, currencyCode, registeredOn, terms, minor } = read
  return {
    running_number: context.number,
    case_number: names.caseNumber,
    client_id: client.clientGuid,
    main_debtor_id: debtorGuid,
    currency_code: currencyCode,
    minor_per_unit: Number(toMinor(1, currencyCode)),
    service: row.service,
    registration_date: registeredOn,
    client_reference_number: row.clientReferenceNumber?.trim() || null,
    payment_reference_number: names.paymentReferenceNumber,
    description: row.description ?? null,
    ...interestColumns(terms),
    opening_interest: Number(minor.interest),
    opening_fee: Number(minor.fee),
    opening_court_costs: Number(minor.courtCosts),
    opening_fee_type: row.feeType ?? null,
    opening_fee_date: day(row.feeDate),
    withheld_fee: Number(minor.withheldFee),
    allocation_order: row.allocationOrder,
    tolerance_minor: Number(minor.tolerance),
    claim_kind: row.claimKind,
    governing_country: row.governingCountry ?? null,
    governing_from: day(row.governingFrom),
    reminder_fee_agreed: row.reminderFeeAgreed === true,
    due_date_basis: row.dueDateBasis?.trim() || 'AGREED',
    notice_deadline: day(row.noticeDeadline),
    day_count: row.dayCount ?? null,
    source_reference: context.sourceReference,
  }
}

/** What the search finds the case by. */
export const searchItem = (
  { row }: ReadHistory,
  { caseGuid, client }: HistoryContext,
  names: HistoryNames,
) => ({
  guid: caseGuid,
  type: 1,
  primary_description: names.caseNumber,
  secondary_description: [client.name, row.clientReferenceNumber].filter(Boolean).join(', ').slice(0, 200),
  party_id: client.clientGuid,
  search_keys: caseSearchKeys({ ...names, clientReferenceNumber: row.clientReferenceNumber ?? null }),
})

/** The event of the case. */
export function registrationNote(
  { row, currencyCode }: ReadHistory,
  { caseGuid, client, debtorGuid }: HistoryContext,
  names: HistoryNames,
) {
  const { caseNumber } = names
  return {
    type: 'case.registered' as const,
    entityId: caseGuid,
    data: { caseNumber, clientGuid: client.clientGuid, debtorGuid },
    changes: initialChanges({
      ...names,
      clientGuid: client.clientGuid,
      debtorGuid,
      service: row.service,
      clientReferenceNumber: row.clientReferenceNumber ?? null,
      currencyCode,
      status: row.status,
      subStatus: row.subStatus,
      closureCode: row.closureCode ?? null,
      movements: row.movements?.length ?? 0,
    }),
  }
}
