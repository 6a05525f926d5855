/** The import of debtors with their main addresses: the same checks as D2. */
import { DebtorRow } from '../../../../contract/integration/book-imports.ts'
import { listFieldNames } from '../../../../contract/metadata/fields.ts'
import { mainAddressFields } from '../../../../contract/parties/debtors.ts'
import { isCountry } from '../../../../core/identity/codes.ts'
import { compareTexts } from '../../../../core/text/compare-texts.ts'
import type { Db } from '../../../platform/database/transaction.ts'
import { passReferences } from '../books/carried-references.store.ts'
import { prepareDebtor } from '../../../parties/debtors/debtors.changes.ts'
import {
  findNextDuplicateNumbers,
  findSourceReferences,
  insertDebtors,
  type NewDebtor,
} from '../../../parties/debtors/insert-debtors.store.ts'
import type { Origin } from '../../../platform/http/caller.ts'
import { FieldErrors } from '../../../platform/http/errors.ts'
import { findExtraFaults, insertExtras, readExtras, type DebtorExtras } from '../books/debtor-extras.ts'
import type { ImportKind, Outcome, PrepareContext, ReadyRow, Run } from '../import-kind.ts'
import { existingOutcome } from '../prepare-rows.ts'
import { readJsonCell } from '../reading/list-cell.ts'
import type { Fault } from '../reading/row.ts'

type DebtorFileRow = NewDebtor & DebtorExtras

export const debtorImport: ImportKind<DebtorFileRow> = {
  what: 'debtors',
  own: { entity: 'debtor', table: 'debtor', guidName: 'debtorGuid' },
  schema: DebtorRow,
  cells: { addresses: readJsonCell, extraFields: readJsonCell },
  findPresent: findSourceReferences,
  prepare: (members, key, context) => ({ ...prepareRow(members, context), sourceReference: key }),
  listNames: (debtor) => (debtor.record.idNumber === null ? [] : [identityKey(debtor)]),
  distinct: {
    field: 'idNumber',
    reason: 'is on an earlier row of the file too.',
    unless: ({ allowDuplicates }) => allowDuplicates,
  },
  insert: async (tx, ready, run, origin) => {
    const faults = await findExtraFaults(
      tx,
      ready.map(({ made }) => made),
    )
    const good = ready.filter((_, index) => faults[index]!.length === 0)
    const inserted = (await insertAll(tx, good, run, origin)).values()
    return faults.map((own) => (own.length > 0 ? own : inserted.next().value!))
  },
}

type ReadyDebtor = ReadyRow<DebtorFileRow>

const addressParts = [...listFieldNames(mainAddressFields), 'fullAddress'] as const

/** A line of a whole address may name its country itself. */
function withCountry<T extends DebtorRow>(members: T, countryCode: string | null): T {
  const isAddress = !members.fullAddress && addressParts.some((name) => members[name])
  return countryCode !== null && isAddress && !members.countryCode ? { ...members, countryCode } : members
}

function prepareRow(
  { addresses, extraFields, idCountryCode, keptReference, regDate, ...given }: DebtorRow,
  context: PrepareContext,
): Omit<DebtorFileRow, 'sourceReference'> {
  const checks = new FieldErrors()
  const members = withCountry(given, context.addressCountry)
  const country = idCountryCode?.trim().toUpperCase() || context.countryCode
  if (!isCountry(country)) checks.add('idCountryCode', 'must be a country of ISO 3166-1 such as SE.')
  if (addresses && addressParts.some((name) => members[name]))
    checks.add('addresses', 'go in place of the main address. Give one or the other.')
  const extras = readExtras({ addresses, extraFields, keptReference, regDate }, context, checks)
  checks.throwIfAny()
  const idCountry = idCountryCode?.trim() ? { idCountryCode: country } : {}
  return { ...prepareDebtor(members, { ...context, countryCode: country, ...idCountry }), ...extras }
}

async function insertAll(
  tx: Db,
  ready: readonly ReadyDebtor[],
  run: Run,
  origin: Origin,
): Promise<Outcome[]> {
  await passReferences(
    tx,
    ready.map(({ made }) => made.debtorReference),
  )
  const inserted = await insertOnce(tx, ready, run, origin)
  const outcomes: Outcome[] = inserted.map(() => 'inserted')
  const out = [...ready.keys()].filter((index) => !inserted[index])
  const settled = await explainSkipped(
    tx,
    out.map((index) => ready[index]!),
    run,
    origin,
  )
  for (const [at, index] of out.entries()) outcomes[index] = settled[at]!
  const extended = ready.filter(
    ({ made }, index) =>
      outcomes[index] === 'inserted' && made.addresses.length + made.extraFields.length > 0,
  )
  await insertExtras(tx, new Map(extended.map(({ row, made }) => [row.key, made])), origin)
  return outcomes
}

const identityKey = ({ record }: NewDebtor) => `${record.idCountryCode} ${record.idNumber}`

/** Inserts in the order of identity numbers: two imports with the same numbers then wait for each other one way only. */
async function insertOnce(
  tx: Db,
  ready: readonly ReadyDebtor[],
  { partyId }: Run,
  origin: Origin,
  duplicateNumber = 0,
): Promise<boolean[]> {
  const places = [...ready.keys()].toSorted((one, other) =>
    compareTexts(insertKey(ready[one]!), insertKey(ready[other]!)),
  )
  const inserted = await insertDebtors(
    tx,
    places.map((place) => ready[place]!.made),
    { origin, partyId, duplicateNumber },
  )
  const isInserted = ready.map(() => false)
  for (const [at, place] of places.entries()) isInserted[place] = inserted[at] !== undefined
  return isInserted
}

const insertKey = ({ row, made }: ReadyDebtor) =>
  made.record.idNumber === null ? row.key : identityKey(made)

const sameIdNumber: Fault = { field: 'idNumber', reason: 'belongs to another debtor.' }

/**
 * Why debtors were skipped: their reference was inserted meanwhile or is twice in the chunk, or their number is taken.
 */
async function explainSkipped(
  tx: Db,
  out: readonly ReadyDebtor[],
  run: Run,
  origin: Origin,
): Promise<Outcome[]> {
  if (out.length === 0) return []
  const keys = out.map(({ row }) => row.key)
  const present = await findSourceReferences(tx, keys)
  const doubles = out.filter(({ row }) => !present.has(row.key))
  const left = new Set(run.allowDuplicates ? await insertDuplicates(tx, doubles, run, origin) : doubles)
  return out.map((one) => {
    if (present.has(one.row.key)) return existingOutcome(one)
    return left.has(one) ? [sameIdNumber] : 'inserted'
  })
}

const triesMax = 5

/**
 * Inserts debtors as duplicates of those with their identity number. Returns those that a concurrent insert keeps out.
 */
async function insertDuplicates(
  tx: Db,
  doubles: readonly ReadyDebtor[],
  run: Run,
  origin: Origin,
): Promise<readonly ReadyDebtor[]> {
  let left = doubles
  for (let tries = 0; tries < triesMax && left.length > 0; tries++) {
    const numbers = await numberDuplicates(tx, left)
    const stillOut: ReadyDebtor[] = []
    for (const number of new Set(numbers)) {
      const group = left.filter((_, index) => numbers[index] === number)
      const inserted = await insertOnce(tx, group, run, origin, number)
      stillOut.push(...group.filter((_, index) => !inserted[index]))
    }
    left = stillOut
  }
  return left
}

async function numberDuplicates(tx: Db, doubles: readonly ReadyDebtor[]): Promise<number[]> {
  const next = await findNextDuplicateNumbers(
    tx,
    doubles.map(({ made }) => made.record),
  )
  const seen = new Map<string, number>()
  return doubles.map(({ made }, index) => {
    const identity = identityKey(made)
    const before = seen.get(identity) ?? 0
    seen.set(identity, before + 1)
    return next[index]! + before
  })
}
