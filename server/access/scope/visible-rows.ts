/**
 * The conditions that several rooms restrict their rows by (contract section 6), in SQL. Only the rooms' `*.scope.ts`
 * files use them.
 */
import type { EventType } from '../../../contract/platform/event-types.ts'
import type { Bind } from '../../platform/database/row-scope.ts'
import type { Caller } from '../../platform/http/caller.ts'

/** `any($n::uuid[])` of the parties that the caller is restricted to. */
export const anyParty = (caller: Caller, bind: Bind) => `any(${bind([...caller.partyIds!], 'uuid[]')})`

/**
 * Whether there is such a row, looked up by its key for each row that asks. Of `exists` between other conditions the
 * database would rather make a list of all that it holds for, which for a large client takes longer than all the rest.
 */
export const rowExists = (rows: string): string => `(select true from ${rows} limit 1) is true`

/** The condition that the debtor with the given key is one of the caller's. */
export const debtorIsVisible = (caller: Caller, key: string, bind: Bind): string =>
  `(${rowExists(`case_debtor cd where cd.debtor_id = ${key} and cd.client_id = ${anyParty(caller, bind)}`)}
    or ${rowExists(`debtor d where d.id = ${key} and d.created_by_party_id = ${bind(caller.partyId, 'uuid')}
      and not exists (select from case_debtor cd where cd.debtor_id = d.id)`)})`

/** Cases: all, or those of the clients that are allowed. */
export const caseCondition = (caller: Caller, bind: Bind): string =>
  caller.partyIds === null ? 'true' : `c.client_id = ${anyParty(caller, bind)}`

const documentEvents: readonly EventType[] = ['debtor.document_created', 'debtor.document_deleted']

/**
 * An entry or event that tells of a document is for those who may see the document. Of one that is deleted nobody can say
 * any more whose business it was.
 */
export const revealsNoDocument = (alias: 'a' | 'e' | 'tl', allowed: string): string =>
  `((${alias}.type in (${documentEvents.map((type) => `'${type}'`).join(', ')})) is not true
    or ${rowExists(`document told where told.id = (${alias}.data ->> 'documentGuid')::uuid and told.client_ids <@ ${allowed}`)})`
