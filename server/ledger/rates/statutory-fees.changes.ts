/**
 * Changes of statutory fees. A version applies from its first day on. Fees already charged are movements with
 * their own amounts and stay.
 */
import type { StatutoryFeeCorrection, StatutoryFeeInput } from '../../../contract/ledger/statutory-fees.ts'
import type { EventAction } from '../../../contract/platform/event-types.ts'
import { isCountry, normaliseCountry } from '../../../core/identity/codes.ts'
import { fromMinor } from '../../../core/money/money.ts'
import { feeDebtors } from '../../../core/ledger/statutory-fees.ts'
import { toRow } from '../../platform/database/columns.ts'
import { makeId } from '../../platform/database/make-id.ts'
import { rowHelper } from '../../platform/database/statement.ts'
import { inTransaction, type Db } from '../../platform/database/transaction.ts'
import {
  changesBetween,
  initialChanges,
  insertRecords,
  toRecords,
  type Change,
} from '../../platform/events/record.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import { ApiError, FieldErrors, notFound } from '../../platform/http/errors.ts'
import { requireMatch, type IfMatch } from '../../platform/http/version.ts'
import { readChoice, readCurrency, readDate, readMoney } from '../../claims/case-inputs.rules.ts'
import { bookingLock } from '../ledger.store.ts'
import { findSameFee, findStoredFee, insertShippedFees, type StoredFee } from './statutory-fees.store.ts'

const debtorKinds = feeDebtors.map((kind) => kind.toUpperCase())

type Slot = Pick<
  StoredFee,
  | 'countryCode'
  | 'feeType'
  | 'debtorKind'
  | 'currencyCode'
  | 'principalAbove'
  | 'principalUpTo'
  | 'stage'
  | 'creditorDeductsVat'
  | 'validFrom'
>
type Content = Pick<StoredFee, 'validTo' | 'amount' | 'secondAmount' | 'condition' | 'source'>

/** Loads the fees shipped with this version into the database. */
export const loadShippedFees = (db: Db): Promise<void> => inTransaction(db, insertShippedFees)

/**
 * Sets a fee from a day on, or replaces the version of that day. Throws a 400 that names every wrong field.
 */
export async function setStatutoryFee(
  db: Db,
  { input }: { input: StatutoryFeeInput },
  { caller, origin }: { caller: Pick<Caller, 'language'>; origin: Origin },
): Promise<StoredFee> {
  const checks = new FieldErrors(caller.language)
  const slot = readSlot(input, checks)
  const content = readContent(input, slot, checks)
  if (typeof input.amount !== 'number')
    checks.add('amount', 'is required: enter the highest amount that may be charged.')
  checks.throwIfAny()
  const fee = { ...noContent, ...slot, ...content } as Omit<StoredFee, 'statutoryFeeGuid' | 'version'>
  return inTransaction(db, async (tx) => {
    await tx`select pg_advisory_xact_lock(${bookingLock})`
    const same = await findSameFee(tx, fee)
    if (same) {
      await storeContent(tx, same, { ...emptyContent, ...content }, origin)
    } else {
      const id = makeId()
      await tx`insert into statutory_fee ${rowHelper(tx, toRow({ ...fee, id }))}`
      const change = { action: 'set' as const, sequence: 1, changes: initialChanges({ ...slot, ...content }) }
      await recordChange(tx, origin, id, change)
      return (await findStoredFee(tx, id))!
    }
    return (await findStoredFee(tx, same.statutoryFeeGuid))!
  })
}

/** Corrects a version. Returns its new version number. Throws a 400, 404 or 412. */
export async function changeStatutoryFee(
  db: Db,
  { id, input, ifMatch }: { id: string; input: StatutoryFeeCorrection; ifMatch: IfMatch },
  { caller, origin }: { caller: Pick<Caller, 'language'>; origin: Origin },
): Promise<number> {
  return inTransaction(db, async (tx) => {
    const before = await requireFee(tx, id, { lock: true })
    requireMatch(ifMatch, before.version)
    const checks = new FieldErrors(caller.language)
    const content = readContent(input, before, checks)
    checks.throwIfAny()
    return storeContent(tx, before, content, origin)
  })
}

/**
 * Removes a version; the previous one then continues. Throws a 404 or 412, and a 409 for a shipped version.
 */
export async function removeStatutoryFee(
  db: Db,
  { id, ifMatch }: { id: string; ifMatch: IfMatch },
  origin: Origin,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const before = await requireFee(tx, id, { lock: true })
    requireMatch(ifMatch, before.version)
    if (before.shipped)
      throw new ApiError(
        'conflict',
        'This fee is shipped with the product and cannot be removed. Enter a last day (validTo) instead.',
      )
    await tx`delete from statutory_fee where id = ${id}`
    const { statutoryFeeGuid: _id, version, shipped: _shipped, ...fee } = before
    const changes = Object.fromEntries(
      Object.entries(fee)
        .filter(([, value]) => value !== null)
        .map(([name, value]) => [name, [value, null] as [unknown, unknown]]),
    )
    await recordChange(tx, origin, id, { action: 'removed', sequence: version + 1, changes })
  })
}

export async function requireFee(db: Db, id: string, { lock = false } = {}): Promise<StoredFee> {
  const found = await findStoredFee(db, id, { lock })
  if (!found) throw notFound('statutory fee')
  return found
}

async function storeContent(
  tx: Db,
  before: StoredFee,
  content: Partial<Content>,
  origin: Origin,
): Promise<number> {
  const old = Object.fromEntries(Object.keys(content).map((name) => [name, before[name as keyof Content]]))
  const changes = changesBetween(old, content)
  if (Object.keys(changes).length === 0) return before.version
  // An administrator who sets a fee has checked it against a source.
  const values = { ...toRow(content), unverified: false, edited: true, version: before.version + 1 }
  await tx`update statutory_fee set ${rowHelper(tx, values)} where id = ${before.statutoryFeeGuid}`
  const change = { action: 'changed' as const, sequence: before.version + 1, changes }
  await recordChange(tx, origin, before.statutoryFeeGuid, change)
  return before.version + 1
}

const emptyContent: Content = {
  validTo: null,
  amount: null,
  secondAmount: null,
  condition: null,
  source: null,
}
const noContent = {
  ...emptyContent,
  unverified: false,
  shipped: false,
  edited: true,
}

async function recordChange(
  tx: Db,
  origin: Origin,
  id: string,
  {
    action,
    sequence,
    changes,
  }: { action: EventAction<'statutoryfee'>; sequence: number; changes: Change['changes'] },
): Promise<void> {
  const record: Change = {
    type: `statutoryfee.${action}`,
    entityId: id,
    subject: id,
    sequence,
    data: { statutoryFeeGuid: id, changed: Object.keys(changes) },
    changes,
  }
  await insertRecords(tx, toRecords(origin, [record]))
}

/** Reads which fee is meant, and its first day. */
function readSlot(input: StatutoryFeeInput, checks: FieldErrors): Slot {
  const countryCode = normaliseCountry(input.countryCode ?? '')
  if (!isCountry(countryCode))
    checks.add('countryCode', 'must be an ISO 3166-1 country code, for example SE.')
  const feeType = input.feeType?.trim() ?? ''
  if (feeType === '') checks.add('feeType', 'is required: enter a fee type such as reminder.')
  const currency = readCurrency(input.currencyCode || '?', null, checks)
  const bound = { currency, least: 'zero', required: false } as const
  const above = readMoney(input.principalAbove, 'principalAbove', bound, checks)
  const upTo = readMoney(input.principalUpTo, 'principalUpTo', bound, checks)
  if (upTo !== null && upTo <= (above ?? 0n)) checks.add('principalUpTo', 'must be more than principalAbove.')
  const validFrom = readDate(input.validFrom, 'validFrom', checks)
  if (!input.validFrom) checks.add('validFrom', 'is required: enter the first day of the fee.')
  const plain = (minor: bigint | null) =>
    minor === null || currency === null ? null : fromMinor(minor, currency)
  return {
    countryCode,
    feeType,
    debtorKind: readChoice(input.debtorKind, 'debtorKind', debtorKinds, checks) ?? 'ALL',
    currencyCode: currency ?? '',
    principalAbove: plain(above),
    principalUpTo: plain(upTo),
    stage: input.stage?.trim() || null,
    creditorDeductsVat: input.creditorDeductsVat ?? null,
    validFrom,
  }
}

/** Reads the changed content of a version. Omitted and null members stay; empty text clears. */
function readContent(
  input: StatutoryFeeCorrection,
  { currencyCode, validFrom }: Pick<Slot, 'currencyCode' | 'validFrom'>,
  checks: FieldErrors,
): Partial<Content> {
  const content: Partial<Content> = {}
  const currency = currencyCode || null
  for (const name of ['amount', 'secondAmount'] as const) {
    const minor = readMoney(input[name], name, { currency, least: 'zero', required: false }, checks)
    if (minor !== null && currency !== null) content[name] = fromMinor(minor, currency)
  }
  if (typeof input.validTo === 'string') content.validTo = readDate(input.validTo, 'validTo', checks)
  if (content.validTo && validFrom !== null && content.validTo < validFrom)
    checks.add('validTo', `must not be before the first day, ${checks.day(validFrom)}.`)
  if (typeof input.condition === 'string') content.condition = input.condition.trim() || null
  if (typeof input.source === 'string') content.source = input.source.trim() || null
  return content
}
