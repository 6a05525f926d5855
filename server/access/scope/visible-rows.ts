/** Row conditions in SQL that several rooms share (contract section 6). Only `*.scope.ts` files use them. */
import type { EventType } from '../../../contract/platform/event-types.ts'
import type { Bind } from '../../platform/database/row-scope.ts'
import type { Caller } from '../../platform/http/caller.ts'

/** `any($n::uuid[])` with the parties that the caller is restricted to. */
export const anyParty = (caller: Caller, bind: Bind) => `any(${bind([...caller.partyIds!], 'uuid[]')})`

/**
 * True if the row exists, looked up by its key. With `exists` between other conditions the planner would rather build a
 * hash of all matching rows, which is very slow for a large client.
 */
export const rowExists = (rows: string): string => `(select true from ${rows} limit 1) is true`

/** True if the caller may see the debtor with the given key. */
export const debtorIsVisible = (caller: Caller, key: string, bind: Bind): string =>
  `(${rowExists(`case_debtor cd where cd.debtor_id = ${key} and cd.client_id = ${anyParty(caller, bind)}`)}
    or ${rowExists(`debtor d where d.id = ${key} and d.created_by_party_id = ${bind(caller.partyId, 'uuid')}
      and not exists (select from case_debtor cd where cd.debtor_id = d.id)`)})`

/** Cases: all, or those of the caller's clients. */
export const caseCondition = (caller: Caller, bind: Bind): string =>
  caller.partyIds === null ? 'true' : `c.client_id = ${anyParty(caller, bind)}`

const documentEvents: readonly EventType[] = ['debtor.document_created', 'debtor.document_deleted']

/**
 * Only users who may see a document see its audit entries and events. For a deleted document the owner is unknown, so
 * restricted users see none.
 */
export const hidesDocuments = (alias: 'a' | 'e' | 'tl', allowed: string): string =>
  `((${alias}.type in (${documentEvents.map((type) => `'${type}'`).join(', ')})) is not true
    or ${rowExists(`document told where told.id = (${alias}.data ->> 'documentGuid')::uuid and told.client_ids <@ ${allowed}`)})`
