import { makeId } from '../../platform/database/make-id.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { initialChanges, type Change } from '../../platform/events/record.ts'

/** The agency: the root of the tree of parties. */
export async function findAgency(db: Db): Promise<string | undefined> {
  const [row] = await db<{ id: string }[]>`select id from party where parent_id is null order by id limit 1`
  return row?.id
}

/** The name of the agency; empty before there is one. */
export async function findAgencyName(db: Db): Promise<string> {
  const [row] = await db<{ name: string }[]>`
    select name from party where parent_id is null order by id limit 1`
  return row?.name ?? ''
}

export interface Party {
  partyId: string
  partyReferenceCode: string
}

/** The parties with the given reference codes, in any letter case and without duplicates. */
export async function findParties(db: Db, referenceCodes: readonly string[]): Promise<Party[]> {
  const lower = referenceCodes.map((code) => code.toLowerCase())
  return db<Party[]>`
    select id as "partyId", reference_code as "partyReferenceCode" from party where lower(reference_code) = any(${lower}::text[])`
}

/** The reference code of a party. */
export async function findPartyCode(db: Db, partyId: string): Promise<string | undefined> {
  const [row] = await db<{ code: string }[]>`select reference_code as code from party where id = ${partyId}`
  return row?.code
}

/** The given parties and all below them. */
export async function findPartiesBelow(db: Db, partyIds: readonly string[]): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    with recursive below as (
      select id from party where id = any(${[...partyIds]}::uuid[])
      union select p.id from party p join below b on p.parent_id = b.id
    ) select id from below`
  return rows.map(({ id }) => id)
}

export async function insertParty(
  tx: Db,
  party: { referenceCode: string; name: string; parentId: string | null; sourceReference?: string },
): Promise<string> {
  const id = makeId()
  await tx`
    insert into party (id, reference_code, name, parent_id, source_reference)
    values (${id}, ${party.referenceCode}, ${party.name}, ${party.parentId}, ${party.sourceReference ?? null})`
  if (party.parentId !== null) {
    await tx`
      insert into item (guid, type, primary_description, secondary_description, party_id)
      values (${id}, 2, ${party.name}, ${party.referenceCode}, ${id})`
  }
  return id
}

/** Writes the event and audit entry of a new party. */
export const recordParty = (
  partyGuid: string,
  record: { partyReferenceCode: string; name: string; parentPartyReferenceCode: string | null },
): Change => ({
  type: 'party.created',
  entityId: partyGuid,
  subject: partyGuid,
  sequence: 1,
  data: { partyGuid, partyReferenceCode: record.partyReferenceCode },
  changes: initialChanges(record),
})

export interface AccessGroup {
  id: string
  code: string
  accessCodes: string[]
}

/** The access groups with the given codes, in any letter case. */
export async function findAccessGroups(db: Db, groupCodes: readonly string[]): Promise<AccessGroup[]> {
  const lower = groupCodes.map((code) => code.toLowerCase())
  return db<AccessGroup[]>`
    select id, code, access_codes as "accessCodes" from access_group where lower(code) = any(${lower}::text[])`
}
