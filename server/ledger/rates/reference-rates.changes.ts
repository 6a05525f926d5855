/**
 * Changes of reference rates. The same transaction adjusts interest that follows the series: a future rate
 * ends the affected accrual lines, a past rate rebooks the cases.
 */
import type { InterestRateCorrection, InterestRateInput } from '../../../contract/cases/case-inputs.ts'
import { scaleRate } from '../../../core/interest/interest.ts'
import { compareTransactions } from '../../../core/ledger/case-transaction.ts'
import { shippedRates } from '../../../core/interest/reference-rates.ts'
import { inTransaction, type Db } from '../../platform/database/transaction.ts'
import { insertRecords, toRecords, type Change } from '../../platform/events/record.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import { ApiError, FieldErrors, notFound } from '../../platform/http/errors.ts'
import { requireMatch, type IfMatch } from '../../platform/http/version.ts'
import { toBookedCase } from '../booked-case.ts'
import { bookMovements, deriveWith, isClosedByHand, type BookedCase } from '../booking.ts'
import { readDate } from '../../claims/case-inputs.rules.ts'
import type { CaseChangeNote } from '../../claims/case-lock.ts'
import { loadHistories, bookingLock } from '../ledger.store.ts'
import { insertMoney, emptyRows, type MoneyRows } from '../../claims/money-rows.store.ts'
import * as store from './reference-rates.store.ts'

const chunkRows = 200

/** Loads the rates shipped with this version into the database. */
export async function loadShippedRates(db: Db, businessDate: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    await tx`select pg_advisory_xact_lock(${bookingLock})`
    const changed = await store.insertShippedRates(tx)
    const origin = { actorId: null, requestId: null, operation: 'start', businessDate }
    await applyRateChanges(tx, changed, origin)
  })
}

/** Sets the rate of a series from a day on, or replaces the rate of that day. */
export async function setReferenceRate(
  db: Db,
  { input }: { input: InterestRateInput },
  { caller, origin }: { caller: Pick<Caller, 'language'>; origin: Origin },
): Promise<{ interestRateGuid: string }> {
  const checks = new FieldErrors(caller.language)
  const series = input.interestSeries?.trim().toUpperCase() ?? ''
  if (!/^[A-Z]{2,5}$/.test(series)) checks.add('interestSeries', 'is required: enter a series such as SE.')
  const from = readDate(input.validFrom, 'validFrom', checks)
  if (!input.validFrom) checks.add('validFrom', 'is required: enter the first day of the rate.')
  const rate = readPercent(input.rate, checks)
  checks.throwIfAny()
  const wanted = { series, from: from!, rate: rate!, source: input.source?.trim() || null }
  const interestRateGuid = await inTransaction(db, async (tx) => {
    await tx`select pg_advisory_xact_lock(${bookingLock})`
    return (await storeRate(tx, wanted, origin)).id
  })
  return { interestRateGuid }
}

/** Corrects a rate or its source. Returns the version. Throws a 400, 404 or 412. */
export async function changeReferenceRate(
  db: Db,
  { id, input, ifMatch }: { id: string; input: InterestRateCorrection; ifMatch: IfMatch },
  origin: Origin,
): Promise<number> {
  return inTransaction(db, async (tx) => {
    await tx`select pg_advisory_xact_lock(${bookingLock})`
    const before = await requireRate(tx, id, { lock: true })
    requireMatch(ifMatch, before.version)
    const checks = new FieldErrors()
    const rate = readPercent(input.rate ?? before.rate, checks)
    checks.throwIfAny()
    const source = typeof input.source === 'string' ? input.source.trim() || null : before.source
    if (Number(rate) === before.rate && source === before.source) return before.version
    const { interestSeries: series, validFrom: from } = before
    return (await storeRate(tx, { series, from, rate: rate!, source }, origin)).version
  })
}

/**
 * Removes a rate; the previous rate then continues. Throws a 404 or 412. Throws a 409 for a shipped rate, and
 * for one that booked interest depends on.
 */
export async function removeReferenceRate(
  db: Db,
  { id, ifMatch }: { id: string; ifMatch: IfMatch },
  origin: Origin,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await tx`select pg_advisory_xact_lock(${bookingLock})`
    const before = await requireRate(tx, id, { lock: true })
    requireMatch(ifMatch, before.version)
    const { interestSeries: series, validFrom: from, rate, version } = before
    if (shippedRates.some((one) => one.series === series && one.from === from))
      throw new ApiError(
        'conflict',
        'This rate is shipped with the product and cannot be removed. Correct it instead.',
      )
    await store.noteRateBefore(tx, { series, from })
    await tx`delete from reference_rate where id = ${id}`
    await noteRate(tx, { id, version: version + 1, series, from, change: [String(rate), null] }, origin)
    try {
      await applyRateChanges(tx, [{ series, from }], origin)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      throw new ApiError(
        'conflict',
        `This rate cannot be removed: the interest of some cases depends on it. ${error.message}`,
      )
    }
  })
}

export async function requireRate(db: Db, id: string, { lock = false } = {}): Promise<store.StoredRate> {
  const found = await store.findStoredRate(db, id, { lock })
  if (!found) throw notFound('reference rate')
  return found
}

async function storeRate(
  tx: Db,
  wanted: store.ChangedRate & { rate: string; source: string | null },
  origin: Origin,
): Promise<{ id: string; version: number }> {
  const { before, id, version } = await store.replaceRate(tx, wanted)
  const { series, from, rate } = wanted
  await noteRate(tx, { id, version, series, from, change: [before, rate] }, origin)
  await applyRateChanges(tx, [wanted], origin)
  return { id, version }
}

async function noteRate(
  tx: Db,
  {
    id,
    version,
    series,
    from,
    change,
  }: store.ChangedRate & {
    id: string
    version: number
    change: [before: string | null, after: string | null]
  },
  origin: Origin,
): Promise<void> {
  const record: Change = {
    type: change[1] === null ? 'interestrate.removed' : 'interestrate.set',
    entityId: id,
    subject: id,
    sequence: version,
    data: { series, from },
    changes: { [`${series} ${from}`]: change },
  }
  await insertRecords(tx, toRecords(origin, [record]))
}

function readPercent(given: number | null | undefined, checks: FieldErrors): string | null {
  try {
    if (typeof given === 'number' && Math.abs(scaleRate(String(given))) <= 100_000_000) return String(given)
  } catch {
    // Reported below.
  }
  checks.add(
    'rate',
    'is required: enter a yearly rate in percent from -100 to 100, with at most six decimals.',
  )
  return null
}

async function applyRateChanges(
  tx: Db,
  changed: readonly store.ChangedRate[],
  origin: Origin,
): Promise<void> {
  if (changed.length === 0) return
  const [clock] = await tx<{ today: string }[]>`select business_date as today from business_clock`
  const past = new Set<string>()
  for (const rate of changed) {
    if (rate.from > clock!.today) await store.endAccrualLines(tx, rate)
    else past.add(rate.series)
  }
  for (const series of past) await rebookCases(tx, series, origin)
}

async function rebookCases(tx: Db, series: string, origin: Origin): Promise<void> {
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const held = await store.lockFollowingCases(tx, series, after, chunkRows)
    if (held.length === 0) return
    const histories = await loadHistories(
      tx,
      held.map(({ caseGuid }) => caseGuid),
    )
    const rows = emptyRows()
    held.forEach((row, index) => correctInterest(rows, toBookedCase(row, histories[index]!), series))
    await insertMoney(tx, rows, origin)
    after = held.at(-1)!.caseGuid
  }
}

/**
 * Books the interest of a case by the present rates. A closed case stays closed: a person decides whether the
 * debtor pays a remainder or gets a surplus back. A closed case whose bookings stay the same is not changed.
 */
function correctInterest(rows: MoneyRows, found: BookedCase, series: string): void {
  const isClosed = found.life.closureCode !== null
  if (isClosed && isCurrent(found)) return
  const note: CaseChangeNote = {
    type: 'case.interest_corrected',
    entityId: found.caseGuid,
    data: { series },
    changes: {},
  }
  const request = { movements: [], notes: [note], ...(isClosed && { life: found.life }) }
  rows.caseUpdates.push(bookMovements(rows, found, request).columns)
}

/** True if interest stands still and the bookings are those that the present rates give. */
function isCurrent(found: BookedCase): boolean {
  const { ledger, whole } = deriveWith(found, [])
  if (ledger.coveredOn === null && !isClosedByHand(found.input)) return false
  const { reverse, append } = compareTransactions(found.stored, whole.transactions)
  return reverse.length === 0 && append.length === 0
}
