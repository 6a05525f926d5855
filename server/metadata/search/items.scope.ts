import { creditorRoles } from '../../../contract/access/access.ts'
import { itemAccess } from '../../../contract/metadata/items.ts'
import { anyParty, caseCondition, debtorIsVisible } from '../../access/scope/visible-rows.ts'
import {
  defineScope,
  defineChildScope,
  type Bind,
  type Scope,
  type VisibleGuid,
} from '../../platform/database/row-scope.ts'
import type { Caller } from '../../platform/http/caller.ts'

/** An item is visible if its debtor or party is; for cases and invoices that is the client. */
export function itemCondition(caller: Caller, bind: Bind): string {
  if (caller.partyIds === null) return 'true'
  const party = `i.party_id = ${anyParty(caller, bind)}`
  return `(${party} or ${debtorIsVisible(caller, 'i.debtor_id', bind)})`
}

/**
 * Values that the planner does not see: knowing them it would plan the search anew for each caller, which takes longer
 * than the search.
 */
const unseen =
  (bind: Bind): Bind =>
  (value, type) =>
    `(select ${bind(value, type)})::${type}`

export const visibleItems = (caller: Caller): Scope<'item'> =>
  defineScope('item', (bind) => itemCondition(caller, unseen(bind)))

/** The caller's favorites `f` without those whose item `i` they may no longer see, or not by a token of this scope. */
export const visibleFavorites = (caller: Caller): Scope<'favorite'> =>
  defineScope('favorite', (bind) => {
    const types = Object.entries(itemAccess).flatMap(([type, code]) =>
      caller.accessCodes.has(code) ? [Number(type)] : [],
    )
    const isReadable = `f.type = any(${bind(types, 'int[]')}) and i.guid is not null and ${itemCondition(caller, bind)}`
    return `f.user_id = ${bind(caller.userId, 'uuid')} and (f.type = 0 or (${isReadable}))`
  })

/** Creditors see the notes `n` that are marked for them, and their own. */
export const noteCondition = (caller: Caller, bind: Bind): string =>
  creditorRoles.includes(caller.role)
    ? `(n.shown_to_client or n.created_by = ${bind(caller.userId, 'uuid')})`
    : 'true'

/** The notes about a case. */
export const visibleCaseNotes = (caller: Caller, caseGuid: string): Scope<'note'> =>
  defineScope('note', (bind) => {
    const item = bind(caseGuid, 'uuid')
    return `n.item_guid = ${item} and exists (select from debt_case c where c.id = ${item} and ${caseCondition(caller, bind)}) and ${noteCondition(caller, bind)}`
  })

/** The notes about a visible debtor. */
export const debtorNotes = (caller: Caller, debtor: VisibleGuid<'debtor'>): Scope<'note'> =>
  defineChildScope('note', { column: 'n.item_guid', guid: debtor }, (bind) => noteCondition(caller, bind))

/** One note about an item that the caller may see. */
export const visibleNote = (caller: Caller, noteGuid: string): Scope<'note'> =>
  defineScope('note', (bind) => `n.id = ${bind(noteGuid, 'uuid')} and ${noteCondition(caller, bind)}`)
