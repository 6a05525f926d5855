import { Favorite } from '../../../contract/metadata/items.ts'
import { makeId } from '../../platform/database/make-id.ts'
import { findRow } from '../../platform/database/find-row.ts'
import {
  listRows,
  type ListContext,
  type ListSource,
  type Page,
  type PageQuery,
} from '../../platform/database/list.ts'
import { selectList } from '../../platform/database/columns.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { visibleFavorites } from './items.scope.ts'
import { filterableProperties } from '../../platform/odata/properties.ts'

/** An item's description is the current one; a URL keeps the stored description. */
const columns = {
  itemGuid: 'f.id',
  type: 'f.type::text',
  guid: 'f.target::text',
  primaryDescription: 'coalesce(i.primary_description, f.primary_description)',
  secondaryDescription: 'coalesce(i.secondary_description, f.secondary_description)',
  url: 'f.url',
  subType: 'f.sub_type',
}
const from = 'favorite f left join item i on i.guid = f.target'
const select = selectList(columns)
const properties = filterableProperties(Favorite, columns)

const source: ListSource<'favorite'> = {
  entity: 'favorite',
  from,
  key: 'f.id',
  select,
  properties,
  defaultOrder: {
    terms: [],
    keyDescending: false,
    text: 'f.position, f.id',
    reversedText: 'f.position desc, f.id desc',
  },
}

export const listFavorites = (
  db: Db,
  caller: Caller,
  query: PageQuery,
  context: ListContext,
): Promise<Page<Favorite>> =>
  listRows<Favorite, 'favorite'>(db, source, visibleFavorites(caller), query, context)

export const findFavorite = (db: Db, caller: Caller, favoriteGuid: string): Promise<Favorite | undefined> =>
  findRow(db, source, favoriteGuid, visibleFavorites(caller))

/** The user's favorites in order, locked for the rest of the transaction. */
export async function lockFavorites(
  tx: Db,
  userId: string,
): Promise<{ id: string; type: number; target: string | null; url: string | null }[]> {
  await tx`select from app_user where id = ${userId} for no key update`
  return tx`select id, type, target, url from favorite where user_id = ${userId} order by position`
}

export interface NewFavorite {
  type: number
  target: string | null
  url: string | null
  subType: string | null
  primaryDescription: string | null
  secondaryDescription: string | null
}

/** Returns the favorite's GUID. */
export async function insertFavorite(
  tx: Db,
  userId: string,
  position: number,
  favorite: NewFavorite,
): Promise<string> {
  const id = makeId()
  await tx`
    insert into favorite (id, user_id, position, type, target, url, sub_type, primary_description, secondary_description)
    values (${id}, ${userId}, ${position}, ${favorite.type}, ${favorite.target}, ${favorite.url}, ${favorite.subType},
      ${favorite.primaryDescription}, ${favorite.secondaryDescription})`
  return id
}

/** Numbers the favorites in the given order. */
export async function renumberFavorites(tx: Db, ids: readonly string[]): Promise<void> {
  await tx`
    update favorite f set position = o.position - 1
    from unnest(${[...ids]}::uuid[]) with ordinality o (id, position) where o.id = f.id`
}

export async function deleteFavorite(tx: Db, favoriteGuid: string): Promise<void> {
  await tx`delete from favorite where id = ${favoriteGuid}`
}
