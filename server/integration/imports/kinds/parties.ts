/** The import of parties: the agency's clients and their sub-parties, each after its parent. */
import { PartyRow } from '../../../../contract/integration/book-imports.ts'
import { changeClientTerms } from '../../../ledger/client-terms.changes.ts'
import { changeClient } from '../../../parties/clients/clients.changes.ts'
import { inSavepoint, type Db } from '../../../platform/database/transaction.ts'
import { agencyItself, type Origin } from '../../../platform/http/caller.ts'
import { insertRecords, toRecords, type Change } from '../../../platform/events/record.ts'
import { ApiError, FieldErrors } from '../../../platform/http/errors.ts'
import { readParty, type PartyRecord } from '../../../access/users/parties.rules.ts'
import { findParties, insertParty, recordParty } from '../../../access/users/parties.store.ts'
import { findKeys, type ImportKind, type Outcome, type ReadyRow } from '../import-kind.ts'
import { ImportRefused } from '../reading/import-refused.ts'
import { existingOutcome } from '../prepare-rows.ts'
import { toFaults } from '../reading/json-row.ts'
import { splitCell } from '../reading/list-cell.ts'
import type { Fault } from '../reading/row.ts'

/** A party with the terms of business that its row has. */
interface PartyFileRow extends PartyRecord {
  basics: Pick<PartyRow, 'countryCode' | 'currencyCode'>
  terms: Omit<PartyRow, keyof PartyRecord | 'countryCode' | 'currencyCode'>
}

export const partyImport: ImportKind<PartyFileRow> = {
  what: 'parties',
  inTurn: true,
  own: { entity: 'client', table: 'party', guidName: 'clientGuid' },
  schema: PartyRow,
  cells: { services: splitCell, fees: splitCell },
  readReference: ({ partyReferenceCode: code }) => (typeof code === 'string' ? code.trim() || null : null),
  findPresent: (db, keys) => findKeys(db, 'party', keys),
  prepare: (members) => {
    const checks = new FieldErrors()
    const record = readParty(members, checks)
    checks.throwIfAny()
    const {
      partyReferenceCode: _code,
      name: _name,
      parentPartyReferenceCode: _parent,
      ...rest
    } = members as PartyRow
    const { countryCode = null, currencyCode = null, ...terms } = rest
    return { ...record, basics: { countryCode, currencyCode }, terms }
  },
  // A party whose parent is in an earlier chunk waits for that chunk.
  // Parents may stand anywhere before their children.
  rowsInTrial: 20_000,
  listNames: (party) => referenceCodes(party).map((code) => `party ${code}`),
  insert: async (tx, ready, { partyId: agencyId }, origin) => {
    if (agencyId === null) {
      throw new ImportRefused('There is no agency yet. Start the service once: npx fordra start.')
    }
    const chunk = await startChunk(tx, ready, agencyId)
    const outcomes: Outcome[] = []
    const changes: Change[] = []
    for (const one of ready) {
      const outcome = chunk.isPresent(one)
        ? existingOutcome(one)
        : hasTerms(one.made)
          ? await insertWithTerms(tx, chunk, one, origin)
          : await chunk.insert(one)
      outcomes.push(isChange(outcome) ? 'inserted' : outcome)
      if (isChange(outcome)) changes.push(outcome)
    }
    await insertRecords(tx, toRecords(origin, changes))
    return outcomes
  },
}

const isChange = (outcome: Outcome | Change): outcome is Change =>
  typeof outcome === 'object' && 'entityId' in outcome

const hasTerms = ({ basics, terms }: PartyFileRow): boolean =>
  [...Object.values(basics), ...Object.values(terms)].some((value) => value !== null && value !== undefined)

type Chunk = Awaited<ReturnType<typeof startChunk>>

/** Inserts a party, and gives it its terms as the forms do. A party whose terms are refused is not inserted. */
async function insertWithTerms(
  tx: Db,
  chunk: Chunk,
  one: ReadyRow<PartyFileRow>,
  origin: Origin,
): Promise<Outcome> {
  try {
    return await inSavepoint(tx, async (): Promise<Outcome> => {
      const made = await chunk.insert(one)
      if (Array.isArray(made)) return made
      await insertRecords(tx, toRecords(origin, [made as Change]))
      const client = { clientGuid: (made as Change).entityId, ifMatch: undefined }
      const { basics, terms } = one.made
      await changeClient(tx, agencyItself, { ...client, input: basics }, origin)
      await changeClientTerms(tx, agencyItself, { ...client, input: terms }, origin)
      return 'inserted'
    })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    chunk.forget(one)
    return toFaults(error)
  }
}

const referenceCodes = ({
  partyReferenceCode: own,
  parentPartyReferenceCode: parent,
}: PartyRecord): string[] => (parent === null ? [own] : [own, parent]).map((code) => code.toLowerCase())

async function startChunk(tx: Db, ready: readonly ReadyRow<PartyFileRow>[], agencyId: string) {
  const keys = ready.map(({ row }) => row.key)
  const present = await findKeys(tx, 'party', keys)
  const known = await findParties(
    tx,
    ready.flatMap(({ made }) => referenceCodes(made)),
  )
  const idsByCode = new Map(known.map((party) => [party.partyReferenceCode.toLowerCase(), party.partyId]))
  return {
    isPresent: ({ row }: ReadyRow<PartyFileRow>) => present.has(row.key),
    /** Of a party that is not inserted after all. */
    forget: ({ row, made }: ReadyRow<PartyFileRow>): void => {
      idsByCode.delete(made.partyReferenceCode.toLowerCase())
      present.delete(row.key)
    },
    /** The change to insert, or why the row is rejected. */
    insert: async ({ row, made }: ReadyRow<PartyFileRow>): Promise<Change | Fault[]> => {
      const { partyReferenceCode: own, parentPartyReferenceCode: parent, name } = made
      const parentId = parent === null ? agencyId : idsByCode.get(parent.toLowerCase())
      if (idsByCode.has(own.toLowerCase())) {
        return [{ field: 'partyReferenceCode', reason: 'belongs to another party.' }]
      }
      if (parentId === undefined) return [noParent]
      const id = await insertParty(tx, { referenceCode: own, name, parentId, sourceReference: row.key })
      idsByCode.set(own.toLowerCase(), id)
      present.add(row.key)
      return recordParty(id, { partyReferenceCode: own, name, parentPartyReferenceCode: parent })
    },
  }
}

const noParent: Fault = {
  field: 'parentPartyReferenceCode',
  reason: 'is not a party. In the file a parent must come before its sub-parties.',
}
