/** A client's own terms. A case takes over the client's terms when it is registered. */
import type { ClientTermsInput } from '../../contract/cases/case-inputs.ts'
import { allocationOrderCodes } from '../../core/ledger/allocation.ts'
import { bankAccountFault } from '../../core/identity/bank-account.ts'
import { services } from '../../core/cases/case-lifecycle.ts'
import { dayCountCodes, type DayCountCode } from '../../core/interest/day-count.ts'
import { dueDateBases, type DueDateBasis } from '../../core/law/terms.ts'
import { claimKinds, type ClaimKind } from '../../core/limitation/limitation.ts'
import { findNearest } from '../../core/text/nearest.ts'
import { requireSecondPerson, type ActOrigin } from '../access/approvals/second-person.ts'
import { rowHelper } from '../platform/database/statement.ts'
import { formatMinor, readAmount } from '../../core/money/money.ts'
import { inTransaction, type Db } from '../platform/database/transaction.ts'
import { changesBetween, insertRecords, toRecords, type Change } from '../platform/events/record.ts'
import type { Caller, Origin } from '../platform/http/caller.ts'
import { ApiError, FieldErrors, notFound } from '../platform/http/errors.ts'
import { requireMatch, type IfMatch } from '../platform/http/version.ts'
import { readChoice, readMoney, readTerms } from '../claims/case-inputs.rules.ts'
import { interestColumns } from '../claims/client-terms.ts'
import { findFeeType } from './fee-types.rules.ts'
import { findFeeTypes } from './fees.store.ts'
import { findRatesNow } from './rates/reference-rates.store.ts'

/** The client's own values. Null means that the parent party's value applies. */
export interface OwnTerms {
  clientGuid: string
  name: string
  currencyCode: string | null
  interestRate: number | null
  interestSeries: string | null
  interestPoints: number | null
  interestDayCount: DayCountCode | null
  allocationOrder: string | null
  tolerance: number | null
  bankAccountNo: string | null
  claimKind: ClaimKind | null
  services: string[] | null
  /** One line per fee: its type and amount. */
  fees: string[] | null
  lettersByEmail: boolean | null
  reminderFeeAgreed: boolean | null
  dueDateBasis: DueDateBasis | null
  bundleClaims: boolean | null
  version: number
  eventSequence: number
}

/**
 * Returns the client's own terms. Throws a 404; the agency has none, because its terms are the
 * installation's.
 */
export async function requireOwnTerms(
  db: Db,
  { partyIds }: Pick<Caller, 'partyIds'>,
  clientGuid: string,
  { lock = false } = {},
): Promise<OwnTerms> {
  const [row] = await db<OwnTerms[]>`
    select id as "clientGuid", name, currency_code as "currencyCode", interest_rate::float8 as "interestRate",
      interest_series as "interestSeries", interest_points::float8 as "interestPoints", interest_day_count as "interestDayCount", allocation_order as "allocationOrder",
      tolerance::float8 as tolerance, bank_account_no as "bankAccountNo",
      claim_kind as "claimKind", services, letters_by_email as "lettersByEmail", reminder_fee_agreed as "reminderFeeAgreed",
      due_date_basis as "dueDateBasis",
      bundle_claims as "bundleClaims", (select array_agg(key || ' ' || value order by key) from jsonb_each_text(fees)) as fees, version, event_sequence as "eventSequence"
    from party where id = ${clientGuid} and (${partyIds as string[] | null}::uuid[] is null or id = any(${partyIds as string[] | null}::uuid[]))
    ${lock ? db`for update` : db``}`
  if (!row) throw notFound('client')
  return row
}

/** Changes a client's terms. Existing cases keep theirs. Returns the version. Throws a 400, 404 or 412. */
export async function changeClientTerms(
  db: Db,
  caller: Caller,
  { clientGuid, input, ifMatch }: { clientGuid: string; input: ClientTermsInput; ifMatch: IfMatch },
  origin: ActOrigin,
): Promise<number> {
  return inTransaction(db, async (tx) => {
    const before = await requireOwnTerms(tx, caller, clientGuid, { lock: true })
    requireMatch(ifMatch, before.version)
    const columns = await readColumns(tx, input, before)
    const old = {
      ...ownInterestColumns(before),
      interest_day_count: before.interestDayCount,
      allocation_order: before.allocationOrder,
      tolerance: before.tolerance === null ? null : String(before.tolerance),
      bank_account_no: before.bankAccountNo,
      claim_kind: before.claimKind,
      services: before.services,
      fees:
        before.fees === null ? null : readFees(before.fees, { currency: null, known: [] }, new FieldErrors()),
      letters_by_email: before.lettersByEmail,
      reminder_fee_agreed: before.reminderFeeAgreed,
      due_date_basis: before.dueDateBasis,
      bundle_claims: before.bundleClaims,
    }
    const changes = changesBetween(old, { ...old, ...columns })
    if ('bank_account_no' in changes) await requireTwoForAccount(tx, caller, clientGuid, origin)
    if ('tolerance' in changes) await requireTwoForTolerance(tx, caller, origin, { before, changes })
    return storeTerms(tx, before, changes, origin)
  })
}

/** A request that waited while the account was changed would put the older account back: 409. */
async function requireTwoForAccount(
  tx: Db,
  caller: Caller,
  clientGuid: string,
  origin: ActOrigin,
): Promise<void> {
  await requireSecondPerson(tx, caller, origin, { act: 'CLIENT_ACCOUNT', value: null })
  if (origin.approved?.act !== 'CLIENT_ACCOUNT') return
  const later = await tx`
    select from audit_entry e join approval a on a.id = ${origin.approved.approvalGuid}
    where e.entity_id = ${clientGuid} and e.changes ? 'bank_account_no' and e.occurred_at > a.requested_at limit 1`
  if (later.length > 0)
    throw new ApiError(
      'conflict',
      'The account was changed after this was requested. Reject it, and request it anew.',
    )
}

/** A higher tolerance closes cases with more left on them. It counts whole, so that no raise passes in parts. */
async function requireTwoForTolerance(
  tx: Db,
  caller: Caller,
  origin: Origin,
  { before, changes }: { before: OwnTerms; changes: Change['changes'] },
): Promise<void> {
  const now = Number(changes['tolerance']![1])
  if (now <= (before.tolerance ?? 0)) return
  const currencyCode = before.currencyCode!
  const read = readAmount(now, currencyCode)
  if (!read.ok) throw new RangeError(read.message)
  await requireSecondPerson(tx, caller, origin, {
    act: 'CLIENT_TOLERANCE',
    value: { amount: read.minor, currencyCode },
  })
}

/** Stores changed terms of a locked client, by their columns; returns the version. */
export async function storeTerms(
  tx: Db,
  { clientGuid, version, eventSequence }: Pick<OwnTerms, 'clientGuid' | 'version' | 'eventSequence'>,
  changes: Change['changes'],
  origin: Origin,
  columnName = (name: string) => name,
): Promise<number> {
  const names = Object.keys(changes)
  if (names.length === 0) return version
  const values = Object.fromEntries(names.map((name) => [columnName(name), changes[name]![1]]))
  const sequence = eventSequence + 1
  await tx`
    update party set ${rowHelper(tx, { ...values, event_sequence: sequence })}, version = version + 1 where id = ${clientGuid}`
  const record: Change = {
    type: 'client.terms_changed',
    entityId: clientGuid,
    subject: clientGuid,
    sequence,
    data: { clientGuid, changed: names },
    changes,
  }
  await insertRecords(tx, toRecords(origin, [record]))
  return version + 1
}

const numberText = (value: number | null) => (value === null ? null : String(value))
const ownInterestColumns = ({ interestRate, interestSeries, interestPoints }: OwnTerms) => ({
  interest_rate: numberText(interestRate),
  interest_series: interestSeries,
  interest_points: numberText(interestPoints),
})

/** Reads a bank account number for payouts. Empty text clears it. */
function readAccount(text: string, checks: FieldErrors): string | null {
  const account = text.trim()
  if (account === '') return null
  const fault = bankAccountFault(account)
  if (fault !== null) checks.add('bankAccountNo', fault)
  return account
}

/**
 * The columns to change: omitted and null members stay, empty text clears, an empty `interestSeries` clears
 * all interest terms.
 */
async function readColumns(
  db: Db,
  input: ClientTermsInput,
  { clientGuid, currencyCode: currency }: Pick<OwnTerms, 'clientGuid' | 'currencyCode'>,
): Promise<Record<string, unknown>> {
  const checks = new FieldErrors()
  const columns: Record<string, unknown> = {}
  if (typeof input.bankAccountNo === 'string')
    columns['bank_account_no'] = readAccount(input.bankAccountNo, checks)
  if (typeof input.lettersByEmail === 'boolean') columns['letters_by_email'] = input.lettersByEmail
  if (typeof input.reminderFeeAgreed === 'boolean') columns['reminder_fee_agreed'] = input.reminderFeeAgreed
  if (typeof input.bundleClaims === 'boolean') columns['bundle_claims'] = input.bundleClaims
  if (typeof input.interestDayCount === 'string')
    columns['interest_day_count'] = readChoice(
      input.interestDayCount,
      'interestDayCount',
      dayCountCodes,
      checks,
    )
  if (typeof input.dueDateBasis === 'string')
    columns['due_date_basis'] = readChoice(input.dueDateBasis, 'dueDateBasis', dueDateBases, checks)
  if (typeof input.claimKind === 'string')
    columns['claim_kind'] = readChoice(input.claimKind, 'claimKind', claimKinds, checks)
  if (input.services) {
    const bought = input.services.flatMap((one) => readChoice(one, 'services', services, checks) ?? [])
    columns['services'] = bought.length > 0 ? [...new Set(bought)] : null
  }
  if (input.fees) {
    columns['fees'] = readFees(input.fees, { currency, known: await findFeeTypes(db, clientGuid) }, checks)
    if (columns['fees'] !== null && currency === null)
      checks.add('fees', 'need a currency: set the client’s currencyCode first.')
  }
  const order = readChoice(input.allocationOrder, 'allocationOrder', allocationOrderCodes, checks)
  if (typeof input.allocationOrder === 'string') columns['allocation_order'] = order
  const terms = readTerms(input, checks)
  if (terms?.kind === 'reference' && !(await findRatesNow(db)).get(terms.series)?.length)
    checks.add(
      'interestSeries',
      `has no reference rates to follow: enter a rate of the series ${terms.series} first.`,
    )
  if (terms) Object.assign(columns, interestColumns(terms))
  else if (input.interestSeries === '') Object.assign(columns, interestColumns({ kind: 'none' }))
  const expected = { currency, least: 'zero', required: false } as const
  const tolerance = readMoney(input.tolerance, 'tolerance', expected, checks)
  if (tolerance !== null && currency === null)
    checks.add('tolerance', 'needs a currency: set the client’s currencyCode first.')
  if (tolerance !== null && currency !== null)
    columns['tolerance'] = trimZeros(formatMinor(tolerance, currency))
  checks.throwIfAny()
  return columns
}

/**
 * Reads lines such as `reminder 60` into amounts by fee type. Null when there are none. A client may have types of its own;
 * one that is nearly a known type is refused as misspelt.
 */
function readFees(
  lines: readonly string[],
  { currency, known }: { currency: string | null; known: readonly string[] },
  checks: FieldErrors,
): Record<string, number> | null {
  const fees: Record<string, number> = {}
  for (const line of lines) {
    if (line.trim() === '') continue
    const [, given, amount] = /^\s*(\S+)\s+(\d+(?:\.\d+)?)\s*$/.exec(line) ?? []
    const kind = given && (findFeeType(given, known) ?? given)
    if (kind === undefined || kind in fees) {
      checks.add(
        'fees',
        'must have one fee per line, a type and an amount such as “reminder 60.00”, with each type once.',
      )
      continue
    }
    const nearest = known.includes(kind) ? null : findNearest(kind, known)
    if (nearest !== null)
      checks.add(
        'fees',
        `have the fee type ${kind}, which is not known. Did you mean ${nearest}? A type of the agency’s own is first added to the lookup feetype.`,
      )
    if (currency !== null)
      readMoney(Number(amount), 'fees', { currency, least: 'zero', required: true }, checks)
    fees[kind] = Number(amount)
  }
  return Object.keys(fees).length > 0 ? fees : null
}

const trimZeros = (decimal: string) => (decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal)
