import { runStatement } from '../../platform/database/statement.ts'
import { itemAccess, type ItemDescription, type ItemType } from '../../../contract/metadata/items.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { visibleItems } from './items.scope.ts'

/** The item of a type, if it exists and the caller may see it. A token with a scope may read some types alone. */
export async function findItem(
  db: Db,
  caller: Caller,
  { guid, type }: { guid: string; type: ItemType },
): Promise<ItemDescription | undefined> {
  if (!caller.accessCodes.has(itemAccess[type])) return undefined
  const scope = visibleItems(caller).at(3)
  const [row] = await runStatement<ItemDescription>(
    db,
    `select i.guid, i.type, i.primary_description as "primaryDescription", i.secondary_description as "secondaryDescription"
     from item i where i.guid = $1 and i.type = $2 and ${scope.text}`,
    [guid, type, ...scope.parameters],
    { prepare: true },
  )
  return row
}
