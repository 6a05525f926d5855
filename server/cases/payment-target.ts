import type { PaymentInput } from '../../contract/case-inputs.ts'
import type { Db } from '../database/transaction.ts'
import type { Caller } from '../http/caller.ts'
import { invalid, notFound } from '../http/errors.ts'
import { readPaymentReference } from './payment-reference.rules.ts'
import * as store from './payments.store.ts'

/** What a payment is for: a case, or the open cases of a debtor. */
export interface Target {
  caseGuids: string[]
  /** Null for all cases of a debtor. */
  caseGuid: string | null
  debtorGuid: string | null
  /** Which field named it. */
  member: 'caseGuid' | 'paymentReferenceNumber' | 'debtorGuid'
}

export async function findTarget(db: Db, caller: Caller, input: PaymentInput): Promise<Target> {
  const { caseGuid, debtorGuid, paymentReferenceNumber: reference } = input
  const given = [caseGuid, debtorGuid, reference].filter(Boolean)
  if (given.length !== 1)
    throw invalid({
      caseGuid: [
        'or paymentReferenceNumber or debtorGuid is required: one of the three, which says what is paid.',
      ],
    })
  if (caseGuid)
    return {
      caseGuids: [caseGuid.toLowerCase()],
      caseGuid: caseGuid.toLowerCase(),
      debtorGuid: null,
      member: 'caseGuid',
    }
  if (debtorGuid) return targetOfDebtor(db, caller, debtorGuid.toLowerCase(), 'debtorGuid')
  const numbers = readPaymentReference(reference!)
  if (numbers.caseNumbers.length === 0)
    throw invalid({ paymentReferenceNumber: ['is no payment reference: a check digit is wrong.'] })
  const [found, other] = await store.findByReference(db, caller, numbers)
  if (!found) throw notFound('case with this payment reference')
  if (other && !found.exact) {
    const message = 'fits several cases, depending on the country it is of. Name the case by caseGuid.'
    throw invalid({ paymentReferenceNumber: [message] })
  }
  if (found.caseGuid === null) return targetOfDebtor(db, caller, found.debtorGuid!, 'paymentReferenceNumber')
  return {
    caseGuids: [found.caseGuid],
    caseGuid: found.caseGuid,
    debtorGuid: null,
    member: 'paymentReferenceNumber',
  }
}

async function targetOfDebtor(
  db: Db,
  caller: Caller,
  debtorGuid: string,
  member: Target['member'],
): Promise<Target> {
  const cases = await store.listOwedCases(db, caller, debtorGuid)
  if (cases.length === 0) throw notFound('debtor with an open case')
  return { caseGuids: cases.map((one) => one.caseGuid), caseGuid: null, debtorGuid, member }
}
