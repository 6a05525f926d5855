/** The import of parties: the agency's clients and their sub-parties, each after its parent. */
import { PartyInput } from '../../../../contract/access/parties.ts'
import type { Db } from '../../../platform/database/transaction.ts'
import { insertRecords, toRecords, type Change } from '../../../platform/events/record.ts'
import { FieldErrors } from '../../../platform/http/errors.ts'
import { readParty, type PartyRecord } from '../../../access/users/parties.rules.ts'
import { findParties, insertParty, recordParty } from '../../../access/users/parties.store.ts'
import { findKeys, type ImportKind, type Outcome, type ReadyRow } from '../import-kind.ts'
import { ImportRefused } from '../reading/import-refused.ts'
import { existingOutcome } from '../prepare-rows.ts'
import type { Fault } from '../reading/row.ts'

export const partyImport: ImportKind<PartyRecord> = {
  what: 'parties',
  inTurn: true,
  own: { entity: 'client', table: 'party', guidName: 'clientGuid' },
  schema: PartyInput,
  referenceOf: ({ partyReferenceCode: code }) => (typeof code === 'string' ? code.trim() || null : null),
  findPresent: (db, keys) => findKeys(db, 'party', keys),
  prepare: (members) => {
    const checks = new FieldErrors()
    const record = readParty(members, checks)
    checks.throwIfAny()
    return record
  },
  // A party whose parent is in an earlier chunk waits for that chunk.
  // Parents may stand anywhere before their children.
  rowsInTrial: 20_000,
  namesOf: (party) => referenceCodes(party).map((code) => `party ${code}`),
  insert: async (tx, ready, { partyId: agencyId }, origin) => {
    if (agencyId === null) {
      throw new ImportRefused('There is no agency yet. Start the service once: npx fordra start.')
    }
    const chunk = await startChunk(tx, ready, agencyId)
    const outcomes: Outcome[] = []
    const changes: Change[] = []
    for (const one of ready) {
      const outcome = chunk.isPresent(one) ? existingOutcome(one) : await chunk.insert(one)
      outcomes.push(typeof outcome === 'object' && 'entityId' in outcome ? 'inserted' : outcome)
      if (typeof outcome === 'object' && 'entityId' in outcome) changes.push(outcome)
    }
    await insertRecords(tx, toRecords(origin, changes))
    return outcomes
  },
}

const referenceCodes = ({
  partyReferenceCode: own,
  parentPartyReferenceCode: parent,
}: PartyRecord): string[] => (parent === null ? [own] : [own, parent]).map((code) => code.toLowerCase())

async function startChunk(tx: Db, ready: readonly ReadyRow<PartyRecord>[], agencyId: string) {
  const keys = ready.map(({ row }) => row.key)
  const present = await findKeys(tx, 'party', keys)
  const known = await findParties(
    tx,
    ready.flatMap(({ made }) => referenceCodes(made)),
  )
  const idsByCode = new Map(known.map((party) => [party.partyReferenceCode.toLowerCase(), party.partyId]))
  return {
    isPresent: ({ row }: ReadyRow<PartyRecord>) => present.has(row.key),
    /** The change to insert, or why the row is rejected. */
    insert: async ({ row, made }: ReadyRow<PartyRecord>): Promise<Change | Fault[]> => {
      const { partyReferenceCode: own, parentPartyReferenceCode: parent, name } = made
      const parentId = parent === null ? agencyId : idsByCode.get(parent.toLowerCase())
      if (idsByCode.has(own.toLowerCase())) {
        return [{ field: 'partyReferenceCode', reason: 'belongs to another party.' }]
      }
      if (parentId === undefined) return [noParent]
      const id = await insertParty(tx, { referenceCode: own, name, parentId, sourceReference: row.key })
      idsByCode.set(own.toLowerCase(), id)
      present.add(row.key)
      return recordParty(id, made)
    },
  }
}

const noParent: Fault = {
  field: 'parentPartyReferenceCode',
  reason: 'is not a party. In the file a parent must come before its sub-parties.',
}
