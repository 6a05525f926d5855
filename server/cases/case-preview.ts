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
import { findClient, openingBalances, readCase } from './register-case.ts'

/** The currency, and the amounts owed today with interest up to today. Throws a 400. */
export async function previewTotals(
  db: Db,
  caller: Caller,
  input: RegisterCaseInput,
  today: string,
): Promise<{ currencyCode: string; remainingInterest: number; remainingSum: number }> {
  const checks = new FieldErrors()
  const client = await findClient(db, caller, input.clientGuid, checks)
  const rates = await findRatesNow(db)
  const { currencyCode, ...read } = readCase(input, { client, today, rates }, checks)
  checks.throwIfAny()
  const { remaining } = openingBalances(read, { client: client!, today, rates })
  return {
    currencyCode,
    remainingInterest: fromMinor(remaining.interest, currencyCode),
    remainingSum: fromMinor(sumComponents(remaining), currencyCode),
  }
}

/** The payment reference of the next case. Another registration in between takes it. */
export async function previewReference(
  db: Db,
  caller: Caller,
  input: RegisterCaseInput,
): Promise<{ paymentReferenceNumber: string }> {
  const checks = new FieldErrors()
  const client = await findClient(db, caller, input.clientGuid, checks)
  const currency = readCurrency(input.currencyCode, client?.currencyCode ?? null, checks)
  checks.throwIfAny()
  const [counter] = await db<{ last: number }[]>`select last_number as last from case_counter`
  const country = client!.countryCode ?? referenceCountry(currency!)
  return { paymentReferenceNumber: makeCaseReference(makeCaseNumber(counter!.last + 1), country) }
}
