import type { ItemDescription, ItemType } from '../../contract/items.ts'
import type { Db } from '../database/transaction.ts'
import type { Caller } from '../http/caller.ts'
import type { SqlText } from '../odata/filter.ts'

/**
 * The condition on `item i` for the items a caller may see: an item is visible where its debtor or its party is (of a case
 * or an invoice: the client).
 */
export function visibleTo(caller: Caller, firstParameter: number): SqlText {
  if (caller.partyIds === null) return { text: 'true', parameters: [], usesPattern: false }
  return {
    text: `(i.party_id = any($${firstParameter}::uuid[])
      or exists (select from case_debtor cd where cd.debtor_id = i.debtor_id and cd.client_id = any($${firstParameter}::uuid[]))
      or exists (select from debtor d where d.id = i.debtor_id and d.created_by_party_id = $${firstParameter + 1}::uuid
        and not exists (select from case_debtor cd where cd.debtor_id = d.id)))`,
    parameters: [[...caller.partyIds], caller.partyId],
    usesPattern: false,
  }
}

/** The item of a type, if it exists and the caller may see it. */
export async function findItem(
  db: Db,
  caller: Caller,
  { guid, type }: { guid: string; type: ItemType },
): Promise<ItemDescription | undefined> {
  const scope = visibleTo(caller, 3)
  const [row] = await db.unsafe<ItemDescription[]>(
    `select i.guid, i.type, i.primary_description as "primaryDescription", i.secondary_description as "secondaryDescription"
     from item i where i.guid = $1 and i.type = $2 and ${scope.text}`,
    [guid, type, ...scope.parameters] as never,
    { prepare: true },
  )
  return row
}
