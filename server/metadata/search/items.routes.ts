import * as contract from '../../../contract/metadata/items.ts'
import type { FavoriteInput, ItemType } from '../../../contract/metadata/items.ts'
import { cleanText } from '../../../core/identity/person-name.ts'
import { isGuid } from '../../../core/text/guid.ts'
import { inTransaction, type Db } from '../../platform/database/transaction.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError, done, FieldErrors, notFound } from '../../platform/http/errors.ts'
import { serve } from '../../access/serve/route.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import * as store from './favorites.store.ts'
import { findItem } from './items.store.ts'

export function serveItems(service: ServerContext): void {
  const { clock, totals } = service

  serve(service, contract.describeItem, async ({ db, caller, body }) => {
    const checks = new FieldErrors()
    const guid = body.guid ? requireGuid(body.guid, 'guid', checks) : null
    if (typeof body.type !== 'number') checks.add('type', 'is required: 1 to 9.')
    checks.throwIfAny()
    const item = guid && (await findItem(db, caller, { guid, type: body.type as ItemType }))
    return { body: { items: item ? [item] : [] } }
  })

  serve(service, contract.listFavorites, async ({ db, caller, query }) => ({
    body: await store.listFavorites(db, caller, query, { totals, today: clock.today() }),
  }))

  serve(service, contract.addFavorite, async ({ db, caller, body }) => {
    const favorite = prepareFavorite(body)
    const favoriteGuid = await inTransaction(db, (tx) => addFavorite(tx, caller, favorite))
    const made = await store.findFavorite(db, caller, favoriteGuid)
    return { body: made!, location: `/users/current/favorites/${favoriteGuid}` }
  })

  serve(service, contract.updateFavorite, async ({ db, caller, params, body, path }) => {
    await inTransaction(db, async (tx) => {
      const others = await requireFavorite(tx, caller, params.guid)
      if (typeof body.position !== 'number') return
      const position = Math.min(Math.max(0, body.position), others.length)
      await store.renumberFavorites(tx, others.toSpliced(position, 0, params.guid))
    })
    return { body: done('The favorite is moved.', path) }
  })

  serve(service, contract.deleteFavorite, async ({ db, caller, params, path }) => {
    await inTransaction(db, async (tx) => {
      const others = await requireFavorite(tx, caller, params.guid)
      await store.deleteFavorite(tx, params.guid)
      await store.renumberFavorites(tx, others)
    })
    return { body: done('The favorite is deleted.', path) }
  })
}

function requireGuid(given: string | null | undefined, member: string, checks: FieldErrors): string {
  if (!given) checks.add(member, 'is required: the GUID of the item.')
  else if (!isGuid(given)) checks.add(member, 'must be a GUID such as 0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70.')
  return (given ?? '').toLowerCase()
}

/**
 * A favorite of type 0 is a path of the console or a web page. Other URL schemes are refused because they could run
 * scripts.
 */
const urlPattern = /^(https?:\/\/|\/(?!\/))[^\s]*$/i

const cleanMember = (value: string | null | undefined) => cleanText(value ?? '') || null

function prepareFavorite(input: FavoriteInput): store.NewFavorite {
  const checks = new FieldErrors()
  const type = /^[0-9]$/.test(input.type ?? '') ? Number(input.type) : Number.NaN
  if (Number.isNaN(type)) checks.add('type', "is required: '0' for a URL or '1' to '9' for an item.")
  const own = {
    url: cleanMember(input.url),
    subType: cleanMember(input.subType),
    primaryDescription: cleanMember(input.primaryDescription),
    secondaryDescription: cleanMember(input.secondaryDescription),
  }
  if (type === 0) {
    if (own.url === null) checks.add('url', 'is required with type 0.')
    else if (!urlPattern.test(own.url)) checks.add('url', 'must begin with https://, http:// or a single /.')
    if (input.guid) checks.add('guid', 'is only for the types 1 to 9.')
    checks.throwIfAny()
    return { type, target: null, ...own }
  }
  const target = requireGuid(input.guid, 'guid', checks)
  for (const name of ['url', 'subType'] as const)
    if (own[name] !== null) checks.add(name, 'is only for type 0.')
  checks.throwIfAny()
  return { type, target, url: null, subType: null, primaryDescription: null, secondaryDescription: null }
}

const favoritesMax = 1000

/** Returns the GUID of the favorite, which is the existing one if the target is a favorite already. */
async function addFavorite(tx: Db, caller: Caller, favorite: store.NewFavorite): Promise<string> {
  if (favorite.target !== null) {
    const item = await findItem(tx, caller, { guid: favorite.target, type: favorite.type as ItemType })
    if (!item) throw notFound('item of this type')
  }
  const all = await store.lockFavorites(tx, caller.userId)
  const same = all.find(
    ({ type, target, url }) =>
      type === favorite.type && (target === null ? url === favorite.url : target === favorite.target),
  )
  if (same) return same.id
  if (all.length >= favoritesMax) {
    throw new ApiError('unprocessable', `You have ${favoritesMax} favorites, the maximum. Delete some first.`)
  }
  return store.insertFavorite(tx, caller.userId, all.length, favorite)
}

/** Throws a 404 for a favorite that is not the caller's. Returns the GUIDs of the others in order. */
async function requireFavorite(tx: Db, caller: Caller, favoriteGuid: string): Promise<string[]> {
  const all = (await store.lockFavorites(tx, caller.userId)).map(({ id }) => id)
  if (!all.includes(favoriteGuid)) throw notFound('favorite')
  return all.filter((id) => id !== favoriteGuid)
}
