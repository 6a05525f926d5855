import { TimelineEntry } from '../../../contract/parties/timeline.ts'
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
import { visibleTimeline } from './audit.scope.ts'
import type { VisibleGuid } from '../../platform/database/row-scope.ts'
import { filterableProperties } from '../../platform/odata/properties.ts'
import type { StoredChanges } from './masking.ts'

/**
 * Columns shared by all branches. `client_ids` are the clients that an entry concerns, null for the debtor's
 * own entries.
 */
const entryColumns = (parts: Record<'debtor' | 'clients' | 'case', string>) => `
  select 'a' || a.position as key, ${parts.debtor} as debtor_id, ${parts.clients} as client_ids, a.occurred_at,
    a.business_date, a.entity, a.action, a.entity_id, ${parts.case} as case_id, a.actor_id, null::text as text,
    null::timestamptz as sent_at, a.changes, a.type, a.data`
const noteColumns = (parts: Record<'debtor' | 'clients' | 'case', string>) => `
  select 'n' || n.id, ${parts.debtor}, ${parts.clients}, n.created_at, null::date, 'note', 'created', n.id,
    ${parts.case}, n.created_by, n.text, null::timestamptz, '{}'::jsonb, null::text, null::jsonb`
/** Files that are attached, as notes are. */
const fileColumns = (parts: Record<'debtor' | 'clients' | 'case', string>) => `
  select 'f' || f.id, ${parts.debtor}, ${parts.clients}, f.created_at, null::date, 'attachment', 'created', f.id,
    ${parts.case}, f.created_by, f.file_name, null::timestamptz, '{}'::jsonb, null::text, null::jsonb`

const from = `(
  ${entryColumns({ debtor: 'a.subject', clients: 'null::uuid[]', case: 'null::uuid' })}
  from audit_entry a
  union all
  ${entryColumns({ debtor: 'cd.debtor_id', clients: 'array[cd.client_id]', case: 'cd.case_id' })}
  from case_debtor cd join audit_entry a on a.subject = cd.case_id
  union all
  ${entryColumns({
    debtor: 'pp.debtor_id',
    clients: '(select array_agg(pc.client_id) from payment_plan_case pc where pc.plan_id = pp.id)',
    case: 'null::uuid',
  })}
  from payment_plan pp join audit_entry a on a.subject = pp.id
  union all
  ${noteColumns({ debtor: 'n.item_guid', clients: 'null::uuid[]', case: 'null::uuid' })} from note n
  union all
  ${noteColumns({ debtor: 'cd.debtor_id', clients: 'array[cd.client_id]', case: 'cd.case_id' })}
  from case_debtor cd join note n on n.item_guid = cd.case_id
  union all
  ${fileColumns({ debtor: 'f.item_guid', clients: 'null::uuid[]', case: 'null::uuid' })} from attachment f
  union all
  ${fileColumns({ debtor: 'cd.debtor_id', clients: 'array[cd.client_id]', case: 'cd.case_id' })}
  from case_debtor cd join attachment f on f.item_guid = cd.case_id
  union all
  select 'm' || m.id, m.debtor_id, o.client_ids, m.created_at, null::date, 'message', m.channel, m.id, o.case_id, null::uuid,
    m.subject, m.sent_at, '{}'::jsonb, null::text, null::jsonb
  from message m left join document o on o.id = m.document_id
) tl`

const columns = {
  entryId: 'tl.key',
  occurredAt: 'tl.occurred_at',
  businessDate: 'tl.business_date::timestamptz',
  entity: 'tl.entity',
  action: 'tl.action',
  entityGuid: 'tl.entity_id',
  caseGuid: 'tl.case_id',
  caseNumber: '(select c.case_number from debt_case c where c.id = tl.case_id)',
  actorGuid: 'tl.actor_id::text',
  actor: '(select u.full_name from app_user u where u.id = tl.actor_id)',
  text: 'tl.text',
  sentAt: 'tl.sent_at',
  currencyCode: `coalesce((select c.currency_code from debt_case c where c.id = tl.case_id),
    (select p.currency_code from payment_plan p where p.id = tl.entity_id))`,
}
const source: ListSource<'timeline'> = {
  entity: 'timeline',
  from,
  key: 'tl.key',
  select: `${selectList(columns)}, tl.changes`,
  properties: filterableProperties(TimelineEntry, columns),
  defaultOrder: {
    terms: [],
    keyDescending: true,
    text: 'tl.occurred_at desc, tl.key desc',
    reversedText: 'tl.occurred_at, tl.key',
  },
}

/** For restricted callers; see `audit.store.ts`. */
const restrictedSource: ListSource<'timeline'> = {
  ...source,
  select: `${selectList(columns)}, tl.changes - 'minorAmountInAll' as changes`,
}

export type StoredTimelineEntry = Omit<TimelineEntry, 'changes' | 'erased'> & { changes: StoredChanges }

export const listTimeline = (
  db: Db,
  caller: Caller,
  debtor: VisibleGuid<'debtor'>,
  query: PageQuery,
  context: ListContext,
): Promise<Page<StoredTimelineEntry>> =>
  listRows<StoredTimelineEntry, 'timeline'>(
    db,
    caller.partyIds === null ? source : restrictedSource,
    visibleTimeline(caller, debtor),
    query,
    context,
  )
