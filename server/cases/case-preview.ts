/** Previews a case for the recalculations of its form, as if it were registered now. Stores nothing. */
import type { RegisterCaseInput } from '../../contract/cases/case-inputs.ts'
import { sumComponents } from '../../core/ledger/case-transaction.ts'
import { fromMinor } from '../../core/money/money.ts'
import { makeCaseNumber, makeCaseReference } from '../../core/identity/payment-reference.ts'
import type { Db } from '../platform/database/transaction.ts'
import type { Caller } from '../platform/http/caller.ts'
import { FieldErrors } from '../platform/http/errors.ts'
import { readCurrency } from '../claims/case-inputs.rules.ts'
import { referenceCountry } from '../claims/payment-reference.rules.ts'
import { findRatesNow } from '../ledger/rates/reference-rates.store.ts'
import { computeLimitation, resolveClaimKind } from '../../core/limitation/limitation.ts'
import { isVisibleDebtor } from '../claims/case-parties.store.ts'
import { findDebtors, findFacts, governingCountry } from './costs/new-case-facts.store.ts'
import { beginInterest } from './interest-start/begin-interest.ts'
import type { PreparedCase } from './prepared-case.ts'
import { findReader, type Reader } from '../platform/dictionary/reader.ts'
import { describeBarred } from './limitation/interrupt-limitation.ts'
import { findClient, findFeeTypesAsked, openingBalances, readCase } from './register-case.ts'

/** The currency, and the amounts owed today with interest up to today. Throws a 400. */
export async function previewTotals(
  db: Db,
  caller: Caller,
  input: RegisterCaseInput,
  today: string,
): Promise<{
  currencyCode: string
  remainingInterest: number
  remainingSum: number
  warnings: string | null
}> {
  const checks = new FieldErrors(caller.language)
  const client = await findClient(db, caller, input.clientGuid, checks)
  const rates = await findRatesNow(db)
  const feeTypes = await findFeeTypesAsked(db, client, input)
  const { currencyCode, ...read } = readCase(input, { client, today, rates, feeTypes }, checks)
  checks.throwIfAny()
  const debtor = await findPreviewDebtor(db, caller, input, today)
  const prepared = { ...read, client: client!, currencyCode, debtorGuid: debtor?.guid ?? '' } as PreparedCase
  // Without a debtor nobody knows whose law counts. What a person must still enter is told when the case is registered.
  const begun = debtor
    ? beginInterest(prepared, findFacts(prepared, { debtor, today }), 'withhold')
    : prepared
  const { remaining } = openingBalances(begun, { client: client!, today, rates })
  return {
    currencyCode,
    remainingInterest: fromMinor(remaining.interest, currencyCode),
    remainingSum: fromMinor(sumComponents(remaining), currencyCode),
    warnings: debtor && warnOfBarred(prepared, { debtor, today, reader: findReader(caller.language) }),
  }
}

/** Null without a debtor that the caller sees. */
async function findPreviewDebtor(db: Db, caller: Caller, input: RegisterCaseInput, today: string) {
  const guid = input.debtorGuid?.toLowerCase()
  if (!guid || !(await isVisibleDebtor(db, caller, guid))) return null
  return { guid, ...(await findDebtors(db, [guid], today)).get(guid)! }
}

/** A warning if the claim is barred today. */
function warnOfBarred(
  { client, claim, claimKind, invoiceDate, currencyCode }: PreparedCase,
  {
    debtor,
    today,
    reader,
  }: { debtor: Parameters<typeof governingCountry>[1]; today: string; reader: Reader },
): string | null {
  const country = governingCountry({ client }, debtor) ?? referenceCountry(currencyCode)
  const kind = resolveClaimKind(debtor.isNatural, claimKind ?? client.claimKind)
  const dates = { dueDate: claim.dueDate ?? today, originDate: invoiceDate }
  const found = computeLimitation(country, kind, dates, [])
  return found !== null && found.date < today ? describeBarred(found.date, reader) : null
}

/** The payment reference of the next case. Another registration in between takes it. */
export async function previewReference(
  db: Db,
  caller: Caller,
  input: RegisterCaseInput,
): Promise<{ paymentReferenceNumber: string }> {
  const checks = new FieldErrors(caller.language)
  const client = await findClient(db, caller, input.clientGuid, checks)
  const currency = readCurrency(input.currencyCode, client?.currencyCode ?? null, checks)
  checks.throwIfAny()
  const [counter] = await db<{ last: number }[]>`select last_number as last from case_counter`
  const country = client!.countryCode ?? referenceCountry(currency!)
  return { paymentReferenceNumber: makeCaseReference(makeCaseNumber(counter!.last + 1), country) }
}
