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
import type { ClientTerms } from '../claims/client-terms.ts'
import { findDebtors, governingCountry } from './insert-cases.ts'
import type { PreparedCase } from './prepared-case.ts'
import { findReader } from '../platform/dictionary/reader.ts'
import { describeBarred } from './limitation/interrupt-limitation.ts'
import { findClient, openingBalances, readCase } from './register-case.ts'

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
  const { currencyCode, ...read } = readCase(input, { client, today, rates }, checks)
  checks.throwIfAny()
  const { remaining } = openingBalances(read, { client: client!, today, rates })
  return {
    currencyCode,
    remainingInterest: fromMinor(remaining.interest, currencyCode),
    remainingSum: fromMinor(sumComponents(remaining), currencyCode),
    warnings: await warnOfBarred(db, caller, { input, read, currencyCode, client: client!, today }),
  }
}

/** A warning if the claim is barred today. Null without a debtor: who owes decides which law counts. */
async function warnOfBarred(
  db: Db,
  caller: Caller,
  one: {
    input: RegisterCaseInput
    read: Pick<PreparedCase, 'claim' | 'claimKind' | 'invoiceDate'>
    currencyCode: string
    client: ClientTerms
    today: string
  },
): Promise<string | null> {
  const { input, read, client, today } = one
  const guid = input.debtorGuid?.toLowerCase()
  if (!guid || !(await isVisibleDebtor(db, caller, guid))) return null
  const debtor = (await findDebtors(db, [guid], today)).get(guid)!
  const country = governingCountry({ client }, debtor) ?? referenceCountry(one.currencyCode)
  const kind = resolveClaimKind(debtor.isNatural, read.claimKind ?? client.claimKind)
  const dates = { dueDate: read.claim.dueDate ?? today, originDate: read.invoiceDate }
  const found = computeLimitation(country, kind, dates, [])
  return found !== null && found.date < today ? describeBarred(found.date, findReader(caller.language)) : null
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
