import type { PaymentInput } from '../../contract/cases/case-inputs.ts'
import type { Db } from '../platform/database/transaction.ts'
import type { Caller } from '../platform/http/caller.ts'
import { ApiError, invalid } from '../platform/http/errors.ts'
import { readPaymentReference } from '../claims/payment-reference.rules.ts'
import * as store from './payments.store.ts'

/** The target of a payment: one case, the open cases of a debtor, or those of a demand group. */
export interface Target {
  caseGuids: string[]
  /** The named case. Null when a debtor was named. */
  caseGuid: string | null
  debtorGuid: string | null
  /** Cases that are paid after the others: what the debtor disputes of a demand group. */
  paidLast?: ReadonlySet<string>
  /** The field that named the target. */
  member: 'caseGuid' | 'paymentReferenceNumber' | 'debtorGuid'
}

export async function findTarget(db: Db, caller: Caller, input: PaymentInput): Promise<Target> {
  const { caseGuid, debtorGuid, paymentReferenceNumber: reference } = input
  const given = Object.entries({ caseGuid, paymentReferenceNumber: reference, debtorGuid }).filter(
    ([, value]) => value,
  )
  const requiredMessage =
    'is required, or paymentReferenceNumber or debtorGuid: name what is paid by one of the three.'
  if (given.length === 0) throw invalid({ caseGuid: [requiredMessage] })
  if (given.length > 1)
    throw invalid(
      Object.fromEntries(
        given.map(([member]) => [member, ['goes without the others: one of them says what is paid.']]),
      ),
    )
  if (caseGuid)
    return {
      caseGuids: [caseGuid.toLowerCase()],
      caseGuid: caseGuid.toLowerCase(),
      debtorGuid: null,
      member: 'caseGuid',
    }
  if (debtorGuid) return debtorTarget(db, caller, debtorGuid.toLowerCase(), 'debtorGuid')
  const numbers = readReference(reference!)
  if (numbers instanceof ApiError) throw numbers
  return matchTarget(db, caller, await store.findByReference(db, caller, numbers))
}

/**
 * Finds the targets of many payments, in their order, with few statements for references. An error stands in
 * place of its target.
 */
export async function findTargets(
  db: Db,
  caller: Caller,
  inputs: readonly PaymentInput[],
): Promise<(Target | ApiError)[]> {
  const numbers = inputs.map((input) =>
    input.paymentReferenceNumber && !input.caseGuid && !input.debtorGuid
      ? readReference(input.paymentReferenceNumber)
      : null,
  )
  const asked = numbers.flatMap((one) => (one === null || one instanceof ApiError ? [] : one))
  const matches = await store.findByReferences(db, caller, asked)
  const targets: (Target | ApiError)[] = []
  for (const [index, input] of inputs.entries()) {
    const own = numbers[index]!
    const found = own instanceof ApiError || own === null ? undefined : matches.get(own)
    targets.push(
      own instanceof ApiError
        ? own
        : await catchRefusal(() => (found ? matchTarget(db, caller, found) : findTarget(db, caller, input))),
    )
  }
  return targets
}

/**
 * Locks the cases of many payments in one order, with those in the same plans, before the payments are booked one after
 * the other. Call `holdDate` first.
 */
export async function lockTargets(tx: Db, caller: Caller, inputs: readonly PaymentInput[]): Promise<void> {
  const targets = await findTargets(tx, caller, inputs)
  const caseGuids = targets.flatMap((target) => (target instanceof ApiError ? [] : target.caseGuids))
  if (caseGuids.length > 0) await store.lockCases(tx, caller, [...new Set(caseGuids)])
}

/**
 * Returns an ApiError instead of throwing it. A failed computation, such as a missing interest rate, becomes
 * a 422.
 */
export async function catchRefusal<T>(work: () => Promise<T>): Promise<T | ApiError> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ApiError) return error
    if (error instanceof RangeError) return new ApiError('unprocessable', error.message)
    throw error
  }
}

function readReference(reference: string): ReturnType<typeof readPaymentReference> | ApiError {
  const numbers = readPaymentReference(reference)
  if (numbers.caseNumbers.length > 0) return numbers
  return invalid({
    paymentReferenceNumber: ['is not a payment reference: the check digit is wrong. Check the number.'],
  })
}

async function matchTarget(
  db: Db,
  caller: Caller,
  [found, other]: readonly store.ReferenceMatch[],
): Promise<Target> {
  if (!found) throw targetNotFound('case with this payment reference', 'paymentReferenceNumber')
  if (other && !found.exact) {
    const message = 'fits several cases of different countries. Name the case by caseGuid.'
    throw invalid({ paymentReferenceNumber: [message] })
  }
  if (found.groupGuid !== null) return groupTarget(db, caller, found.groupGuid)
  if (found.caseGuid === null) return debtorTarget(db, caller, found.debtorGuid!, 'paymentReferenceNumber')
  return {
    caseGuids: [found.caseGuid],
    caseGuid: found.caseGuid,
    debtorGuid: null,
    member: 'paymentReferenceNumber',
  }
}

async function debtorTarget(
  db: Db,
  caller: Caller,
  debtorGuid: string,
  member: Target['member'],
): Promise<Target> {
  const cases = await store.listOwedCases(db, caller, debtorGuid)
  if (cases.length === 0) throw targetNotFound('debtor with an open case', member)
  return { caseGuids: cases.map((one) => one.caseGuid), caseGuid: null, debtorGuid, member }
}

/** The open cases of a demand group; of a group without any, all of them, so that the money becomes credit. */
async function groupTarget(db: Db, caller: Caller, groupGuid: string): Promise<Target> {
  const cases = await store.listGroupedCases(db, caller, groupGuid)
  const open = cases.filter(({ isOpen }) => isOpen)
  const waiting = open.flatMap(({ caseGuid, isWaiting }) => (isWaiting ? caseGuid : []))
  return {
    caseGuids: (open.length > 0 ? open : cases).map(({ caseGuid }) => caseGuid),
    caseGuid: null,
    debtorGuid: null,
    paidLast: new Set(waiting),
    member: 'paymentReferenceNumber',
  }
}

/** The 404 of a payment without a target that the caller may see, at the field that named it. */
export const targetNotFound = (what: string, member: Target['member']): ApiError =>
  new ApiError('not-found', `There is no such ${what}, or it is outside what you may see. Check ${member}.`, {
    errors: { [member]: [`names no ${what} that you may see.`] },
  })
