/** Making, changing and deleting clients: the one way, for the forms and the import. */
import { ClientInput } from '../../../contract/parties/clients.ts'
import { isCountry, isCurrency, normaliseCountry, normaliseCurrency } from '../../../core/identity/codes.ts'
import { makeId } from '../../platform/database/make-id.ts'
import { inTransaction, violatedUniqueness, type Db } from '../../platform/database/transaction.ts'
import {
  deleteTracked,
  insertTracked,
  updateTracked,
  type TrackedTable,
} from '../../platform/events/tracked-row.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import { ApiError, FieldErrors, notFound } from '../../platform/http/errors.ts'
import { inUse } from '../../platform/http/in-use.ts'
import { mergeMembers, noMembers } from '../../platform/http/merge-members.ts'
import { requireMatch, type IfMatch } from '../../platform/http/version.ts'
import { maySeeParty } from '../../access/users/grants.ts'
import { findParties, findPartiesBelow } from '../../access/users/parties.store.ts'
import * as store from './clients.store.ts'

const noClient: store.ClientRecord = {
  ...noMembers(ClientInput.properties),
  name: '',
  partyReferenceCode: '',
}

const party: TrackedTable = {
  table: 'party',
  entity: 'client',
  guidName: 'clientGuid',
  columns: { partyReferenceCode: 'reference_code' },
  computed: ['parentPartyReferenceCode'],
}

/** Adds a client below the given party, or below the caller's own. Throws a 400 or 409. */
export async function addClient(
  db: Db,
  caller: Caller,
  input: ClientInput,
  origin: Origin,
): Promise<store.StoredClient> {
  const checks = new FieldErrors()
  const record = applyClientInput(noClient, input, checks)
  const parentId = await findParent(db, caller, record, checks)
  checks.throwIfAny()
  const clientGuid = makeId()
  await atDuplicate(() =>
    inTransaction(db, async (tx) => {
      const more = { parent_id: parentId }
      await insertTracked(tx, party, { guid: clientGuid, members: record, more }, origin)
      await store.insertItem(tx, clientGuid, record)
    }),
  )
  // Not yet among the parties that the caller's session knows of.
  return (await store.findClient(db, { partyIds: [clientGuid] }, clientGuid))!
}

/** Returns the version after the change. Throws a 400, 404, 409, 412 or 422. */
export async function changeClient(
  db: Db,
  caller: Caller,
  { clientGuid, input, ifMatch }: { clientGuid: string; input: ClientInput; ifMatch: IfMatch },
  origin: Origin,
): Promise<number> {
  return atDuplicate(() =>
    inTransaction(db, async (tx) => {
      const { clientGuid: _, version, ...old } = await requireClient(tx, caller, clientGuid, ifMatch)
      const checks = new FieldErrors()
      const after = applyClientInput(old, input, checks)
      const moved = after.parentPartyReferenceCode !== old.parentPartyReferenceCode
      const parentId = moved ? await findParent(tx, caller, after, checks) : null
      checks.throwIfAny()
      if (moved) await requirePlace(tx, clientGuid, old, parentId!)
      const more = (): Record<string, unknown> => (moved ? { parent_id: parentId } : {})
      const stored = await updateTracked(
        tx,
        party,
        { guid: clientGuid, before: old, version, after, more },
        origin,
      )
      if (stored !== version) await store.updateItem(tx, clientGuid, after)
      return stored
    }),
  )
}

/** Throws a 404, a 409 that names what uses the client, or a 412. */
export async function removeClient(
  db: Db,
  caller: Caller,
  { clientGuid, ifMatch }: { clientGuid: string; ifMatch: IfMatch },
  origin: Origin,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { version: _, clientGuid: __, ...before } = await requireClient(tx, caller, clientGuid, ifMatch)
    if (before.parentPartyReferenceCode === null)
      throw new ApiError('conflict', 'This is the agency itself, which everything belongs to: it stays.')
    const used = inUse('client', await store.countUses(tx, clientGuid))
    if (used) throw used
    await store.deleteItem(tx, clientGuid)
    await deleteTracked(tx, party, { guid: clientGuid, before }, origin)
  })
}

async function requireClient(
  tx: Db,
  caller: Caller,
  clientGuid: string,
  ifMatch: IfMatch,
): Promise<store.StoredClient> {
  const found = await store.findClient(tx, caller, clientGuid, { lock: true })
  if (!found) throw notFound('client')
  requireMatch(ifMatch, found.version)
  return found
}

function applyClientInput(
  before: store.ClientRecord,
  input: ClientInput,
  checks: FieldErrors,
): store.ClientRecord {
  const record = mergeMembers(before, input)
  for (const name of ['name', 'partyReferenceCode'] as const) {
    record[name] ??= ''
    if (record[name] === '') checks.add(name, 'is required.')
  }
  // A restriction names clients in a list, with /* for those below: neither may be part of a code.
  if (input.partyReferenceCode && /[,*\\]/.test(record.partyReferenceCode))
    checks.add('partyReferenceCode', 'must be without commas, asterisks and backslashes.')
  if (input.countryCode && record.countryCode !== null) {
    record.countryCode = normaliseCountry(record.countryCode)
    if (!isCountry(record.countryCode))
      checks.add('countryCode', 'must be a country of ISO 3166-1 such as SE.')
  }
  if (input.currencyCode && record.currencyCode !== null) {
    record.currencyCode = normaliseCurrency(record.currencyCode)
    if (!isCurrency(record.currencyCode))
      checks.add('currencyCode', 'must be a currency of ISO 4217 such as SEK.')
  }
  return record
}

/** The party that a client belongs to: the given one, else the caller's own. Its code is spelt as it is stored. */
async function findParent(
  db: Db,
  caller: Caller,
  record: store.ClientRecord,
  checks: FieldErrors,
): Promise<string | null> {
  if (record.parentPartyReferenceCode === null && maySeeParty(caller, caller.partyId)) return caller.partyId
  if (record.parentPartyReferenceCode === null) {
    checks.add('parentPartyReferenceCode', 'is required: the code of a party that you may see.')
    return null
  }
  const [parent] = await findParties(db, [record.parentPartyReferenceCode])
  if (parent && maySeeParty(caller, parent.partyId)) {
    record.parentPartyReferenceCode = parent.partyReferenceCode
    return parent.partyId
  }
  checks.add('parentPartyReferenceCode', 'must be the code of a party that you may see.')
  return null
}

/** The tree has one root, and no client is below itself. Moves come one after the other. */
async function requirePlace(
  tx: Db,
  clientGuid: string,
  old: store.ClientRecord,
  parentId: string,
): Promise<void> {
  if (old.parentPartyReferenceCode === null)
    throw new ApiError('unprocessable', 'This is the agency itself, which belongs to nobody.')
  await tx`select pg_advisory_xact_lock(hashtext('party tree'))`
  if ((await findPartiesBelow(tx, [clientGuid])).includes(parentId))
    throw new ApiError('unprocessable', 'A client cannot belong to itself or to one below it.')
}

async function atDuplicate<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (violatedUniqueness(error) !== 'party_reference_code') throw error
    throw new ApiError('conflict', 'There is a party with this partyReferenceCode already. Choose another.', {
      errors: { partyReferenceCode: ['belongs to another party.'] },
    })
  }
}
