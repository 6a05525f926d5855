/** Making, changing and deleting what clients have besides cases: the one way, for the forms and the import. */
import { makeId } from '../../platform/database/make-id.ts'
import { inTransaction, violatedUniqueness, type Db } from '../../platform/database/transaction.ts'
import { deleteTracked, insertAllTracked, updateTracked } from '../../platform/events/tracked-row.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import { ApiError, FieldErrors, notFound } from '../../platform/http/errors.ts'
import { inUse } from '../../platform/http/in-use.ts'
import { requireMatch, type IfMatch } from '../../platform/http/version.ts'
import type { HoldingKind, HoldingRecord } from './holding-kinds.ts'
import { applyHoldingInput, toMinorUnits, noHolding, type HoldingContext } from './holdings.rules.ts'
import * as store from './holdings.store.ts'

type Input = Readonly<Record<string, unknown>>
export type HoldingOptions = HoldingContext & { origin: Origin }

/** Returns the new record. Throws a 400 naming every wrong member, or a 409. */
export async function addHolding(
  db: Db,
  caller: Caller,
  kind: HoldingKind,
  input: Input,
  options: HoldingOptions,
): Promise<store.StoredHolding> {
  const checks = new FieldErrors()
  const record = applyHoldingInput(kind, noHolding(kind), input, options, checks)
  record['clientGuid'] = await store.findClient(db, caller, String(record['clientGuid'] ?? ''))
  if (record['clientGuid'] === null)
    checks.add('clientGuid', 'is required: the GUID of a client that you may see.')
  await checkReferences(db, caller, record, noHolding(kind), checks)
  checks.throwIfAny()
  const [guid] = await atDuplicate(kind, () =>
    inTransaction(db, (tx) => insertHoldings(tx, kind, [{ record }], options.origin)),
  )
  return { [kind.guidName]: guid!, ...record, version: 1 } as store.StoredHolding
}

/** Records that have been checked, at least one; returns their GUIDs. */
export async function insertHoldings(
  tx: Db,
  kind: HoldingKind,
  made: readonly { record: HoldingRecord; sourceReference?: string }[],
  origin: Origin,
): Promise<string[]> {
  const rows = made.map(({ record, sourceReference = null }) => ({
    guid: makeId(),
    members: record,
    more: { ...makeAmountColumn(kind, record), source_reference: sourceReference },
  }))
  await insertAllTracked(tx, kind, rows, origin)
  await store.insertItems(tx, kind, rows)
  return rows.map(({ guid }) => guid)
}

/** Returns the version after the change. Throws a 400, 404, 409 or 412. */
export async function changeHolding(
  db: Db,
  caller: Caller,
  kind: HoldingKind,
  { guid, input, ifMatch }: { guid: string; input: Input; ifMatch: IfMatch },
  options: HoldingOptions,
): Promise<number> {
  return atDuplicate(kind, () =>
    inTransaction(db, async (tx) => {
      const before = await requireHolding(tx, caller, kind, guid, ifMatch)
      const checks = new FieldErrors()
      const after = applyHoldingInput(kind, pickMembers(kind, before), input, options, checks)
      await checkReferences(tx, caller, after, before, checks)
      checks.throwIfAny()
      const more = (changed: readonly string[]) =>
        changed.includes('amount') || changed.includes('currencyCode') ? makeAmountColumn(kind, after) : {}
      const version = await updateTracked(
        tx,
        kind,
        { guid, before: pickMembers(kind, before), version: before.version, after, more },
        options.origin,
      )
      if (version !== before.version) await store.updateItem(tx, kind, guid, after)
      return version
    }),
  )
}

/** Throws a 404, a 409 that names what uses the record, or a 412. */
export async function removeHolding(
  db: Db,
  caller: Caller,
  kind: HoldingKind,
  { guid, ifMatch }: { guid: string; ifMatch: IfMatch },
  origin: Origin,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const before = await requireHolding(tx, caller, kind, guid, ifMatch)
    const used = inUse(kind.noun, await store.countUses(tx, kind, guid))
    if (used) throw used
    await store.deleteItem(tx, guid)
    await deleteTracked(tx, kind, { guid, before: pickMembers(kind, before) }, origin)
  })
}

async function requireHolding(
  tx: Db,
  caller: Caller,
  kind: HoldingKind,
  guid: string,
  ifMatch: IfMatch,
): Promise<store.StoredHolding> {
  const found = await store.findHolding(tx, caller, kind, guid, { lock: true })
  if (!found) throw notFound(kind.noun)
  requireMatch(ifMatch, found.version)
  return found
}

const pickMembers = (kind: HoldingKind, record: HoldingRecord): HoldingRecord =>
  Object.fromEntries(kind.members.map((name) => [name, record[name] ?? null]))

const makeAmountColumn = (kind: HoldingKind, { amount, currencyCode }: HoldingRecord) =>
  kind.computed?.includes('amount') === true
    ? { amount_minor: typeof amount === 'number' ? toMinorUnits(amount, String(currencyCode)) : null }
    : {}

/** What a record points at must be there, and be the caller's to see. */
async function checkReferences(
  db: Db,
  caller: Caller,
  record: HoldingRecord,
  before: HoldingRecord,
  checks: FieldErrors,
): Promise<void> {
  const changed = (name: string) => typeof record[name] === 'string' && record[name] !== before[name]
  if (changed('customerGuid') && record['clientGuid'] !== null) {
    const found = await store.isClientCustomer(
      db,
      String(record['clientGuid']),
      String(record['customerGuid']),
    )
    if (!found) checks.add('customerGuid', 'must be the GUID of a customer of the same client.')
  }
  if (changed('debtorGuid') && !(await store.isVisibleDebtor(db, caller, String(record['debtorGuid']))))
    checks.add('debtorGuid', 'must be the GUID of a debtor that you may see.')
}

async function atDuplicate<T>(kind: HoldingKind, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (kind.number === undefined || violatedUniqueness(error) !== kind.number.index) throw error
    const { member } = kind.number
    throw new ApiError(
      'conflict',
      `The client has a ${kind.noun} with this ${member} already. Change that one, or choose another number.`,
      { errors: { [member]: [`belongs to another ${kind.noun} of the client.`] } },
    )
  }
}
