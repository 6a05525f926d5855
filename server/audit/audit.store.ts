import { AuditEntry } from '../../contract/audit.ts'
import { selectOf } from '../database/columns.ts'
import { listRows, type ListContext, type Page, type PageQuery } from '../database/list.ts'
import type { Db } from '../database/transaction.ts'
import type { Caller } from '../http/caller.ts'
import type { SqlText } from '../odata/filter.ts'
import { propertiesOf } from '../odata/properties.ts'

const columns = {
  position: 'a.position',
  occurredAt: 'a.occurred_at',
  businessDate: 'a.business_date::timestamptz',
  actorGuid: 'a.actor_id::text',
  requestId: 'a.request_id',
  operation: 'a.operation',
  action: 'a.action',
  entity: 'a.entity',
  entityGuid: 'a.entity_id',
  subjectGuid: 'a.subject',
}
const source = {
  from: 'audit_entry a',
  key: 'a.position',
  select: `${selectOf(columns)}, a.changes`,
  properties: propertiesOf(AuditEntry, columns),
  defaultOrder: { terms: [], keyDescending: true, text: 'a.position desc', reversedText: 'a.position' },
}

/** All entries for who has `audit.read` and no restriction; else those of the debtors that the caller may see. */
function visibleTo(caller: Caller): SqlText {
  if (caller.partyIds !== null) {
    return {
      text: `(exists (select from case_debtor cd where cd.debtor_id = a.subject and cd.client_id = any($2::uuid[]))
        or exists (select from debt_case c where c.id = a.subject and c.client_id = any($2::uuid[]))
        or exists (select from debtor d where d.id = a.subject and d.created_by_party_id = $1::uuid
          and not exists (select from case_debtor cd where cd.debtor_id = d.id)))`,
      parameters: [caller.partyId, [...caller.partyIds]],
      usesPattern: false,
    }
  }
  const everything = caller.accessCodes.has('audit.read')
  return {
    text: everything
      ? 'true'
      : "a.entity in ('debtor', 'address', 'extrafield', 'case', 'invoice', 'payment', 'note')",
    parameters: [],
    usesPattern: false,
  }
}

export const listAuditEntries = (
  db: Db,
  caller: Caller,
  query: PageQuery,
  context: ListContext,
): Promise<Page<AuditEntry>> => listRows<AuditEntry>(db, source, visibleTo(caller), query, context)
