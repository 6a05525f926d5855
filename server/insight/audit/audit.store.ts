import { operations } from '../../../contract/api.ts'
import { AuditEntry, type AuditHead } from '../../../contract/insight/audit.ts'
import { selectList } from '../../platform/database/columns.ts'
import {
  listRows,
  type ListContext,
  type ListSource,
  type Page,
  type PageQuery,
} from '../../platform/database/list.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { visibleAuditEntries } from './audit.scope.ts'
import { findLastHead } from '../../platform/events/anchor-heads.store.ts'
import type { StoredChanges } from './masking.ts'
import { filterableProperties } from '../../platform/odata/properties.ts'

/** Operations of the specification are recorded by its numbers. */
const namesByNumber = Object.fromEntries(
  operations.filter(({ id, name }) => id !== name).map(({ id, name }) => [id, name]),
)

const columns = {
  position: 'a.position',
  occurredAt: 'a.occurred_at',
  businessDate: 'a.business_date::timestamptz',
  actorGuid: 'a.actor_id::text',
  requestId: 'a.request_id',
  operation: 'a.operation',
  operationId: `coalesce('${JSON.stringify(namesByNumber)}'::jsonb ->> a.operation, a.operation)`,
  action: 'a.action',
  entity: 'a.entity',
  entityGuid: 'a.entity_id',
  subjectGuid: 'a.subject',
  currencyCode: 'coalesce(ac.currency_code, ap.currency_code)',
}
const rows: ListSource<'audit'> = {
  entity: 'audit',
  from: 'audit_entry a',
  joins: {
    ac: { join: 'left join debt_case ac on ac.id = a.subject', changesKeptAs: 'debt_case', indexed: [] },
    ap: {
      join: 'left join payment_plan ap on ap.id = a.subject',
      changesKeptAs: 'payment_plan',
      indexed: [],
    },
  },
  key: 'a.position',
  select: `${selectList(columns)}, a.changes`,
  properties: filterableProperties(AuditEntry, columns),
  defaultOrder: { terms: [], keyDescending: true, text: 'a.position desc', reversedText: 'a.position' },
}

/** For unrestricted callers: which entries are visible depends on nothing but the entries. */
const source: ListSource<'audit'> = { ...rows, addedBy: 'a.feed_xid' }

/** For restricted callers. Hides the total of a payment on several cases, which older entries contain. */
const restrictedSource: ListSource<'audit'> = {
  ...rows,
  select: `${selectList(columns)}, a.changes - 'minorAmountInAll' as changes`,
}

export type StoredEntry = Omit<AuditEntry, 'changes' | 'erased'> & { changes: StoredChanges }

export const listAuditEntries = (
  db: Db,
  caller: Caller,
  query: PageQuery,
  context: ListContext,
): Promise<Page<StoredEntry>> =>
  listRows<StoredEntry, 'audit'>(
    db,
    caller.partyIds === null ? source : restrictedSource,
    visibleAuditEntries(caller),
    query,
    context,
  )

/** The newest signed head of the trail, by which a copy of entries can later be held against the whole. */
export async function findAuditHead(db: Db): Promise<AuditHead | null> {
  const [head] = await findLastHead(db)
  if (!head) return null
  return {
    seal: head.seal,
    hash: head.hash.toString('hex'),
    key: head.keyId,
    signature: head.signature.toString('base64'),
    signedAt: head.signedAt,
  }
}
