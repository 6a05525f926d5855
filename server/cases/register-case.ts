/** Registers a case from a form. The import shares `readCase`. */
import type { RegisterCaseInput } from '../../contract/cases/case-inputs.ts'
import { allocationOrders } from '../../core/ledger/allocation.ts'
import { deriveLedger } from '../../core/ledger/case-ledger.ts'
import { debtorRoles, owingRoles, services } from '../../core/cases/case-lifecycle.ts'
import type { Claim } from '../../core/ledger/case-movement.ts'
import type { Balances } from '../../core/ledger/case-transaction.ts'
import { contractTerms, readDayCounts } from '../../core/interest/day-count.ts'
import type { InterestTerms, RateTable } from '../../core/interest/interest.ts'
import { dueDateBases } from '../../core/law/terms.ts'
import { claimKinds } from '../../core/limitation/limitation.ts'
import { makeId } from '../platform/database/make-id.ts'
import { findReader } from '../platform/dictionary/reader.ts'
import { inTransaction, type Db } from '../platform/database/transaction.ts'
import type { Caller } from '../platform/http/caller.ts'
import { FieldErrors } from '../platform/http/errors.ts'
import { fitsAmountLimit } from '../ledger/booking.ts'
import {
  checkRatesKnown,
  readChoice,
  readCurrency,
  readDate,
  readMoney,
  readRate,
} from '../claims/case-inputs.rules.ts'
import type { CaseContext } from '../claims/case-lock.ts'
import { isVisibleDebtor } from '../claims/case-parties.store.ts'
import { findClientTerms, type ClientTerms } from '../claims/client-terms.ts'
import { insertCases } from './insert-cases.ts'
import type { PreparedCase, RegisteredCase } from './prepared-case.ts'
import { readFeeType } from '../ledger/fee-types.rules.ts'
import { findFeeTypes } from '../ledger/fees.store.ts'
import { holdDateForFew } from '../ledger/ledger.store.ts'
import { findRatesNow } from '../ledger/rates/reference-rates.store.ts'

/**
 * Registers a case with its first debtor and invoice. Throws a 400 that names every wrong field. A client or
 * debtor that the caller may not see counts as missing.
 */
export async function registerCase(
  db: Db,
  caller: Caller,
  input: RegisterCaseInput,
  context: CaseContext,
): Promise<RegisteredCase> {
  return inTransaction(db, async (tx) => {
    await holdDateForFew(tx)
    const prepared = await prepareCase(tx, caller, input, context.origin.businessDate)
    const [made] = await insertCases(tx, [prepared], context, {
      refuse: findReader(caller.language),
    })
    return made!
  })
}

export async function prepareCase(
  db: Db,
  caller: Caller,
  input: RegisterCaseInput,
  today: string,
): Promise<PreparedCase> {
  const checks = new FieldErrors(caller.language)
  const client = await findClient(db, caller, input.clientGuid, checks)
  const debtorGuid = input.debtorGuid?.toLowerCase() ?? null
  if (!debtorGuid) checks.add('debtorGuid', 'is required: choose a debtor.')
  else if (!(await isVisibleDebtor(db, caller, debtorGuid)))
    checks.add('debtorGuid', 'is not a debtor that you may see. Check the debtor.')
  const rates = await findRatesNow(db)
  const feeTypes = await findFeeTypesAsked(db, client, input)
  const prepared = readCase(input, { client, today, rates, feeTypes }, checks)
  checks.throwIfAny()
  return { ...prepared, client: client!, debtorGuid: debtorGuid! } as PreparedCase
}

export async function findClient(
  db: Db,
  caller: Caller,
  clientGuid: string | null | undefined,
  checks: FieldErrors,
): Promise<ClientTerms | undefined> {
  if (!clientGuid) {
    checks.add('clientGuid', 'is required: choose a client.')
    return undefined
  }
  const guid = clientGuid.toLowerCase()
  const visible = caller.partyIds === null || caller.partyIds.includes(guid)
  const client = visible ? await findClientTerms(db, guid) : undefined
  if (!client) checks.add('clientGuid', 'is not a client that you may see. Check the client.')
  return client
}

/** The fee types that a case of the client may have; none are read for an input that names none. */
export const findFeeTypesAsked = async (
  db: Db,
  client: ClientTerms | undefined,
  { feeType }: RegisterCaseInput,
): Promise<string[]> => (feeType?.trim() ? findFeeTypes(db, client?.clientGuid ?? null) : [])

interface LedgerContext {
  client: ClientTerms | undefined
  today: string
  rates: RateTable
}

interface ReadingContext extends LedgerContext {
  /** The fee types that a case of the client may have. */
  feeTypes: readonly string[]
}

/** The balances of a case registered today, with interest up to today. */
export function openingBalances(
  {
    claim,
    interest,
    fee,
    costs,
    terms,
  }: Pick<PreparedCase, 'claim' | 'interest' | 'fee' | 'costs' | 'terms'>,
  { client, today, rates }: LedgerContext & { client: ClientTerms },
): Balances {
  const opening = {
    registeredOn: today,
    claims: [claim],
    interest,
    cost: fee + (costs?.courtCosts ?? 0n),
    terms,
  }
  const order = allocationOrders[client.allocationOrder]
  const dayCounts = readDayCounts(contractTerms(client.dayCount), client.countryCode)
  return deriveLedger({ opening, movements: [], order, tolerance: 0n, rates, dayCounts }, today).balances
}

function readCosts(
  input: RegisterCaseInput,
  { currency, today, feeTypes }: { currency: string | null; today: string; feeTypes: readonly string[] },
  checks: FieldErrors,
) {
  const feeDate = readDate(input.feeDate, 'feeDate', checks)
  if (feeDate !== null && feeDate > today)
    checks.add('feeDate', `must not be after the registration, ${checks.day(today)}.`)
  const optional = { currency, least: 'zero', required: false } as const
  const courtCosts = readMoney(input.courtCosts, 'courtCosts', optional, checks) ?? 0n
  return { courtCosts, feeType: readFeeType(input.feeType, feeTypes, checks), feeDate }
}

/**
 * Reads all members except client and debtor. Adds errors to `checks`; the result is of use only when there are none.
 */
export function readCase(
  input: RegisterCaseInput,
  { client, today, rates, feeTypes }: ReadingContext,
  checks: FieldErrors,
) {
  const currency = readCurrency(input.currencyCode, client?.currencyCode ?? null, checks)
  const debtorRole = readChoice(input.debtorRole, 'debtorRole', debtorRoles, checks) ?? 'MAIN_DEBTOR'
  if (!owingRoles.includes(debtorRole))
    checks.add('debtorRole', `of the first debtor must be a role that owes: ${owingRoles.join(', ')}.`)
  const principal = readMoney(
    input.principal,
    'principal',
    { currency, least: 'above zero', required: true },
    checks,
  )
  const optional = { currency, least: 'zero', required: false } as const
  const interest = readMoney(input.interest, 'interest', optional, checks) ?? 0n
  const fee = readMoney(input.fee, 'fee', optional, checks) ?? 0n
  const costs = readCosts(input, { currency, today, feeTypes }, checks)
  const invoiceDate = readDate(input.invoiceDate, 'invoiceDate', checks)
  const dueDate = readDate(input.dueDate, 'dueDate', checks)
  if (invoiceDate !== null && dueDate !== null && dueDate < invoiceDate)
    checks.add('dueDate', 'must not be before the invoice date.')
  const rate = readRate(input.interestRate, 'interestRate', checks)
  const terms: InterestTerms =
    rate === null ? (client?.interest ?? { kind: 'none' }) : { kind: 'fixed', rate }
  // Opening interest already covers the time up to the registration.
  const given = readDate(input.interestFromDate, 'interestFromDate', checks)
  const interestFrom = given ?? (interest > 0n ? today : (dueDate ?? today))
  checkRatesKnown(terms, interestFrom, rates, 'interestFromDate', checks)
  const claim: Claim = { id: makeId(), principal: principal!, dueDate, interestFrom, terms: null }
  if (!checks.any) {
    const opening = { claim, interest, fee, costs, terms }
    if (!fitsAmountLimit(openingBalances(opening, { client: client!, today, rates })))
      checks.add(
        'principal',
        'comes to more than 15 digits together with interest and fee. Enter smaller amounts.',
      )
  }
  return {
    currencyCode: currency!,
    debtorRole,
    service: readChoice(input.service, 'service', services, checks) ?? 'COLLECTION',
    clientReferenceNumber: input.clientReferenceNumber?.trim() || null,
    claim,
    invoiceNumber: input.invoiceNumber?.trim() || null,
    invoiceDate,
    interest,
    fee,
    costs,
    terms,
    claimKind: readChoice(input.claimKind, 'claimKind', claimKinds, checks),
    reminderFeeAgreed: input.reminderFeeAgreed ?? null,
    dueDateBasis: readChoice(input.dueDateBasis, 'dueDateBasis', dueDateBases, checks),
    isInterestStartGiven: given !== null,
    noticeDeadline: readDate(input.noticeDeadline, 'noticeDeadline', checks),
    description: input.description?.trim() || null,
    registrationDate: null,
    sourceReference: null,
  }
}
