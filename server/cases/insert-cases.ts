/** Writes prepared cases: rows, ledger, search items, events and audit entries. */
import { allocationOrders } from '../../core/ledger/allocation.ts'
import { newCase } from '../../core/cases/case-lifecycle.ts'
import type { Claim } from '../../core/ledger/case-movement.ts'
import { contractTerms, readDayCounts } from '../../core/interest/day-count.ts'
import type { RateTable } from '../../core/interest/interest.ts'
import { resolveClaimKind, type ClaimKind } from '../../core/limitation/limitation.ts'
import { countDecimals, toMinor } from '../../core/money/money.ts'
import { makeCaseNumber, makeCaseReference } from '../../core/identity/payment-reference.ts'
import { makeId } from '../platform/database/make-id.ts'
import type { Db } from '../platform/database/transaction.ts'
import { ApiError } from '../platform/http/errors.ts'
import { initialChanges } from '../platform/events/record.ts'
import { bookMovements } from '../ledger/booking.ts'
import type { CaseChangeNote, CaseContext } from '../claims/case-lock.ts'
import { interestColumns, type ClientTerms } from '../claims/client-terms.ts'
import { insertMoney, emptyRows, type MoneyRows } from '../claims/money-rows.store.ts'
import { referenceCountry } from '../claims/payment-reference.rules.ts'
import { findFeeTablesBetween } from '../ledger/legal-cases.store.ts'
import { findRatesNow } from '../ledger/rates/reference-rates.store.ts'
import { assignToTrials, hasTrials } from './trials/assign-to-trials.ts'
import { findDebtors, findFacts, governingCountry, type CaseDebtor } from './costs/new-case-facts.store.ts'
import {
  divideOpeningCosts,
  findCostDate,
  type NewCaseFacts,
  type OpeningCosts,
  type OverCeiling,
} from './costs/opening-costs.ts'
import { beginInterest } from './interest-start/begin-interest.ts'
import type { PreparedCase, RegisteredCase } from './prepared-case.ts'
import { caseSearchKeys, invoiceSearchKeys } from '../claims/search-keys.ts'

/**
 * Inserts cases and all their records. Case numbers are assigned last, to hold the counter's lock only
 * briefly.
 */
export async function insertCases(
  tx: Db,
  cases: readonly PreparedCase[],
  { origin }: CaseContext,
  overCeiling: OverCeiling = 'withhold',
): Promise<RegisteredCase[]> {
  const rates = await findRatesNow(tx)
  const debtors = await findDebtors(
    tx,
    cases.map(({ debtorGuid }) => debtorGuid),
    origin.businessDate,
  )
  if (cases.some(({ debtorGuid }) => !debtors.has(debtorGuid))) throw debtorDeleted()
  const today = origin.businessDate
  const facts = cases.map((one) => findFacts(one, { debtor: debtors.get(one.debtorGuid)!, today }))
  const costs = await divideCosts(tx, cases, { facts, today, overCeiling })
  const [state] = await tx<{ date: string; last: number; hasTrials: boolean }[]>`
    update case_counter set last_number = last_number + ${cases.length}
    returning last_number as last, (select business_date from business_clock) as date,
      ${tx.unsafe(hasTrials)} as "hasTrials"`
  const first = state!.last - cases.length + 1
  const rows = emptyRows()
  const made = cases.map((asked, index) => {
    const one = beginInterest(asked, facts[index]!, overCeiling)
    const debtor = debtors.get(one.debtorGuid)!
    return addCase(rows, one, { number: first + index, today: state!.date, rates, debtor, ...costs[index]! })
  })
  // A trigger locks the debtor of each row: in the order in which all changes lock debtors.
  rows.caseDebtors.sort((a, b) => (String(a['debtor_id']) < String(b['debtor_id']) ? -1 : 1))
  await insertMoney(tx, rows, origin).catch((error: unknown) => {
    throw lacksDebtor(error) ? debtorDeleted() : error
  })
  if (state!.hasTrials)
    await assignToTrials(
      tx,
      made.map(({ caseGuid }) => caseGuid),
      state!.date,
    )
  return made
}

/** Since its visibility was checked. */
const debtorDeleted = () =>
  new ApiError(
    'conflict',
    'The debtor was deleted by another request at the same moment. Choose a debtor that exists.',
  )

/** The trigger that locks the debtor of a row reads from it what the row must have. */
function lacksDebtor(error: unknown): boolean {
  const { code, table } = error as { code?: unknown; table?: unknown }
  return code === '23502' && table === 'case_debtor'
}

/** By the law of each case. The fee tables are read once for all cases. */
async function divideCosts(
  tx: Db,
  cases: readonly PreparedCase[],
  { facts, today, overCeiling }: { facts: readonly NewCaseFacts[]; today: string; overCeiling: OverCeiling },
): Promise<OpeningCosts[]> {
  const asked = cases.flatMap((one, index) => {
    const { country, registeredOn } = facts[index]!
    const date = findCostDate(one, registeredOn)
    return date === null ? [] : [{ country, date }]
  })
  const dates = asked.map(({ date }) => date).toSorted()
  const fees = await findFeeTablesBetween(
    tx,
    asked.map(({ country }) => country),
    { from: dates[0] ?? today, to: dates.at(-1) ?? today },
  )
  return cases.map((one, index) =>
    divideOpeningCosts(one, facts[index]!, { fees: fees(facts[index]!.country), overCeiling }),
  )
}

/** A case whose first day of interest is known. */
type BegunCase = ReturnType<typeof beginInterest>

function addCase(
  rows: MoneyRows,
  one: BegunCase,
  made: { number: number; today: string; rates: RateTable; debtor: CaseDebtor } & OpeningCosts,
): RegisteredCase {
  const { client, claim, currencyCode, debtorGuid } = one
  const { number, today, rates, debtor, demanded: cost, withheld } = made
  const registeredOn = one.registrationDate ?? today
  const caseGuid = makeId()
  const caseNumber = makeCaseNumber(number)
  const governing = governingCountry(one, debtor)
  const country = governing ?? referenceCountry(currencyCode)
  const paymentReferenceNumber = makeCaseReference(
    caseNumber,
    client.countryCode ?? referenceCountry(currencyCode),
  )
  const tolerance = computeTolerance(client, currencyCode)
  const claimKind = resolveClaimKind(debtor.isNatural, one.claimKind ?? client.claimKind)
  const { interest, terms } = one
  const opening = { registeredOn, claims: [claim], interest, cost, terms }
  const order = allocationOrders[client.allocationOrder]
  const limitation = { country, claim: claimKind, originDate: one.invoiceDate, interruptions: [] }
  const dayCounts = readDayCounts(contractTerms(client.dayCount), governing)
  const input = { opening, movements: [], order, tolerance, rates, dayCounts }
  const found = { ...unbooked(client, currencyCode), caseGuid, input, businessDate: today, limitation }
  const names = { caseNumber, paymentReferenceNumber }
  const told = {
    ...names,
    governingCountry: governing,
    minorFee: Number(cost),
    minorWithheldFee: Number(withheld),
  }
  const note = registrationNote(caseGuid, one, told)
  const { columns } = bookMovements(rows, found, { movements: [], notes: [note] })
  rows.cases.push({
    ...columns,
    ...caseColumns(one, { number, ...names, registeredOn, country, governing, claimKind }),
    opening_fee: Number(cost),
    withheld_fee: Number(withheld),
    tolerance_minor: Number(tolerance),
  })
  rows.caseDebtors.push({
    case_id: caseGuid,
    debtor_id: debtorGuid,
    client_id: client.clientGuid,
    debtor_role: one.debtorRole,
    added_date: registeredOn,
  })
  addInvoiceRows(
    rows,
    { caseGuid, caseNumber, clientGuid: client.clientGuid, number: 1 },
    { ...one, opening: true },
  )
  rows.items.push(searchItem(one, { caseGuid, ...names }))
  const limited = columns.limitation_date
  return { caseGuid, ...names, withheld, barredOn: limited !== null && limited < today ? limited : null }
}

/** A case before its first booking. */
const unbooked = ({ clientGuid }: ClientTerms, currencyCode: string) => ({
  clientGuid,
  currencyCode,
  life: newCase,
  closureDate: null,
  movementCount: 0,
  transactionCount: 0,
  version: 0,
  eventSequence: 0,
  stored: [],
  payments: new Map(),
  limitationDate: null,
})

const searchItem = (
  { client, clientReferenceNumber }: PreparedCase,
  made: Omit<RegisteredCase, 'withheld' | 'barredOn'>,
) => ({
  guid: made.caseGuid,
  type: 1,
  primary_description: made.caseNumber,
  secondary_description: [client.name, clientReferenceNumber].filter(Boolean).join(', ').slice(0, 200),
  party_id: client.clientGuid,
  search_keys: caseSearchKeys({ ...made, clientReferenceNumber }),
})

/** The tolerance in minor units of `currency`. Zero when it is set in another currency. */
const computeTolerance = ({ tolerance, toleranceCurrency: own }: ClientTerms, currency: string): bigint => {
  if (own !== null && own !== currency) return 0n
  const [whole = '0', fraction = ''] = tolerance.split('.')
  const decimals = countDecimals(currency)
  return BigInt(whole + fraction.padEnd(decimals, '0').slice(0, decimals))
}

function caseColumns(
  one: PreparedCase,
  made: {
    number: number
    caseNumber: string
    paymentReferenceNumber: string
    registeredOn: string
    country: string
    governing: string | null
    claimKind: ClaimKind
  },
) {
  return {
    running_number: made.number,
    case_number: made.caseNumber,
    client_id: one.client.clientGuid,
    main_debtor_id: one.debtorGuid,
    currency_code: one.currencyCode,
    minor_per_unit: Number(toMinor(1, one.currencyCode)),
    service: one.service,
    registration_date: made.registeredOn,
    client_reference_number: one.clientReferenceNumber,
    payment_reference_number: made.paymentReferenceNumber,
    description: one.description,
    ...interestColumns(one.terms),
    opening_interest: Number(one.interest),
    opening_court_costs: Number(one.costs?.courtCosts ?? 0n),
    opening_fee_type: one.costs?.feeType ?? null,
    opening_fee_date: one.costs?.feeDate ?? null,
    allocation_order: one.client.allocationOrder,
    claim_kind: made.claimKind,
    limitation_country: made.country,
    governing_country: made.governing,
    governing_from: made.registeredOn,
    reminder_fee_agreed: one.reminderFeeAgreed ?? one.client.reminderFeeAgreed,
    due_date_basis: one.dueDateBasis ?? one.client.dueDateBasis,
    notice_deadline: one.noticeDeadline,
    day_count: contractTerms(one.client.dayCount),
    source_reference: one.sourceReference,
  }
}

function registrationNote(
  caseGuid: string,
  one: BegunCase,
  made: {
    caseNumber: string
    paymentReferenceNumber: string
    governingCountry: string | null
    minorFee: number
    minorWithheldFee: number
  },
): CaseChangeNote {
  return {
    type: 'case.registered',
    entityId: caseGuid,
    data: { caseNumber: made.caseNumber, clientGuid: one.client.clientGuid, debtorGuid: one.debtorGuid },
    changes: initialChanges({
      ...made,
      clientGuid: one.client.clientGuid,
      debtorGuid: one.debtorGuid,
      debtorRole: one.debtorRole,
      service: one.service,
      clientReferenceNumber: one.clientReferenceNumber,
      currencyCode: one.currencyCode,
      minorPrincipal: Number(one.claim.principal),
      minorInterest: Number(one.interest),
      interestTerms: one.terms,
      interestFromDate: one.claim.interestFrom,
      dueDateBasis: one.dueDateBasis,
      interestStartRule: one.interestStartRule,
      claimKind: one.claimKind,
      invoiceNumber: one.invoiceNumber,
      invoiceDate: one.invoiceDate,
      dueDate: one.claim.dueDate,
      description: one.description,
    }),
  }
}

/** Adds an invoice's row and its search item. */
export function addInvoiceRows(
  rows: MoneyRows,
  of: { caseGuid: string; caseNumber: string; clientGuid: string; number: number },
  invoice: {
    claim: Claim
    invoiceNumber: string | null
    invoiceDate: string | null
    description: string | null
    opening: boolean
    /** The rule of law by which its interest begins. */
    interestStartRule?: string | null
    /** The identifier of the record in the import's source system. */
    source?: string | null
  },
): void {
  const { claim, invoiceNumber } = invoice
  rows.invoices.push({
    id: claim.id,
    case_id: of.caseGuid,
    number: of.number,
    invoice_number: invoiceNumber,
    invoice_date: invoice.invoiceDate,
    due_date: claim.dueDate,
    description: invoice.opening ? null : invoice.description,
    principal: Number(claim.principal),
    ...interestColumns(claim.terms ?? { kind: 'none' }),
    interest_from_date: claim.interestFrom,
    interest_start_rule: invoice.interestStartRule ?? null,
    opening: invoice.opening,
    source_reference: invoice.source ?? null,
  })
  rows.items.push({
    guid: claim.id,
    type: 5,
    primary_description: invoiceNumber ?? `${of.caseNumber}-${of.number}`,
    secondary_description: of.caseNumber,
    party_id: of.clientGuid,
    search_keys: invoiceSearchKeys(invoiceNumber),
  })
}
