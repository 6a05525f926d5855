import type { CaseOverview } from '../../contract/cases/cases.ts'
import { fromMinor } from '../../core/money/money.ts'
import { makeDebtorPaymentReference } from '../claims/payment-reference.rules.ts'
import type { OverviewDebtor, OverviewRow } from './cases.store.ts'

/** Roles that do not owe: they pay for a debtor or receive the debtor's letters. */
export const nonOwingRoles = new Set(['GUARDIAN', 'REPRESENTATIVE', 'PAYER'])

/**
 * A debtor's cases, with totals of the open ones that the debtor owes. Amounts in several currencies are not
 * added: the totals are in the debtor's currency, else in that of the oldest case.
 */
export function buildOverview(
  debtorGuid: string,
  debtor: OverviewDebtor,
  rows: readonly OverviewRow[],
  systemCurrency: string | null,
): CaseOverview {
  const owed = rows.filter(({ shown }) => shown.status !== 'CLOSED' && !nonOwingRoles.has(shown.debtorRole))
  const currencies = owed.map(({ shown }) => shown.currencyCode)
  const own = debtor.currencyCode !== null && currencies.includes(debtor.currencyCode)
  const currency = (own ? debtor.currencyCode : currencies[0]) ?? null
  const summed = owed.filter(({ shown }) => shown.currencyCode === currency)
  const total = (part: (row: OverviewRow) => number) => {
    const minor = summed.reduce((sum, row) => sum + BigInt(part(row)), 0n)
    return currency === null ? 0 : fromMinor(minor, currency)
  }
  const closedCases = rows.filter(({ shown }) => shown.status === 'CLOSED').length
  return {
    fullName: debtor.fullName,
    idNumber: debtor.idNumber,
    debtorGuid,
    paymentReference: makeDebtorPaymentReference(debtor),
    bankAccountNo: debtor.bankAccountNo,
    currencyCode: currency ?? debtor.currencyCode ?? rows[0]?.shown.currencyCode ?? systemCurrency,
    remainingPrincipal: total((row) => row.principal),
    remainingInterest: total((row) => row.interest),
    remaininFee: total((row) => row.fee),
    remainingSum: total((row) => row.principal + row.interest + row.fee),
    activeCases: rows.length - closedCases,
    closedCases,
    cases: rows.map(({ shown }) => shown),
  }
}
