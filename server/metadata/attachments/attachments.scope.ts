import { creditorRoles } from '../../../contract/access/access.ts'
import { caseCondition, rowExists } from '../../access/scope/visible-rows.ts'
import { defineScope, type Bind, type Scope } from '../../platform/database/row-scope.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { itemCondition } from '../search/items.scope.ts'

/** Of a file of a note or a call, what these say. */
export const shownToClient = 'coalesce(n.shown_to_client, k.shown_to_client, a.shown_to_client)'

/** The rows that the conditions are about. */
export const attachmentRows =
  'attachment a left join note n on n.id = a.note_id left join phone_call k on k.id = a.call_id'

/** A draft is its sender's. Creditors see what is marked for them, and their own. */
export function attachmentCondition(caller: Caller, bind: Bind): string {
  const isOwn = `a.created_by = ${bind(caller.userId, 'uuid')}`
  const shown = creditorRoles.includes(caller.role) ? ` and (${shownToClient} or ${isOwn})` : ''
  return `(not a.is_draft or ${isOwn})${shown}`
}

export const visibleCaseAttachments = (caller: Caller, caseGuid: string): Scope<'attachment'> =>
  defineScope('attachment', (bind) => {
    const item = bind(caseGuid, 'uuid')
    return `a.item_guid = ${item} and ${caseCondition(caller, bind)} and ${attachmentCondition(caller, bind)}`
  })

/** Those about a debtor whom the caller was found to see, and about the debtor's cases. */
export const visibleDebtorAttachments = (caller: Caller, debtorGuid: string): Scope<'attachment'> =>
  defineScope('attachment', (bind) => {
    const debtor = bind(debtorGuid, 'uuid')
    const cases = caller.accessCodes.has('case.read')
      ? ` union all select c.id from debt_case c where c.main_debtor_id = ${debtor} and ${caseCondition(caller, bind)}`
      : ''
    return `a.item_guid = any(array(select ${debtor}${cases})) and ${attachmentCondition(caller, bind)}`
  })

/** Files about all cases and debtors that the caller may see and read. */
export const visibleAttachments = (caller: Caller): Scope<'attachment'> =>
  defineScope('attachment', (bind) => {
    const readable = [
      caller.accessCodes.has('case.read') ? 'c.id is not null' : 'false',
      caller.accessCodes.has('debtor.read') ? 'c.id is null' : 'false',
    ].join(' or ')
    const item = rowExists(`item i where i.guid = a.item_guid and ${itemCondition(caller, bind)}`)
    return `(${readable}) and ${item} and ${attachmentCondition(caller, bind)}`
  })
