import { OwnSession } from '../../../contract/access/own-sessions.ts'
import { selectList } from '../../platform/database/columns.ts'
import {
  listRows,
  type ListContext,
  type ListSource,
  type Page,
  type PageQuery,
} from '../../platform/database/list.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import { ownSessions } from './sessions.scope.ts'
import { filterableProperties } from '../../platform/odata/properties.ts'

const columns = {
  sessionGuid: 's.id',
  createdAt: 's.created_at',
  endsAt: 'least(s.ends_at, t.until)',
  how: 's.how',
  carriedBy: 's.carried_by',
  address: 's.address',
  userAgent: 's.user_agent',
}
const { current: _current, ...stored } = OwnSession.properties

/** A session is alive as long as one of its tokens is valid. */
const source: ListSource<'session'> = {
  entity: 'session',
  from: `session s join lateral (
    select max(x.expires_at) as until from session_token x where x.session_id = s.id and x.used_at is null
  ) t on t.until > now()`,
  key: 's.id',
  select: selectList(columns),
  properties: filterableProperties({ properties: stored }, columns),
  defaultOrder: {
    terms: [],
    keyDescending: true,
    text: 's.created_at desc, s.id desc',
    reversedText: 's.created_at, s.id',
  },
}

export async function listOwnSessions(
  db: Db,
  caller: Caller,
  query: PageQuery,
  context: ListContext,
): Promise<Page<OwnSession>> {
  const page = await listRows<Omit<OwnSession, 'current'>, 'session'>(
    db,
    source,
    ownSessions(caller),
    query,
    context,
  )
  const value = page.value.map((row) => ({ ...row, current: row.sessionGuid === caller.sessionId }))
  return { ...page, value }
}

/** Ends live sessions of the caller: the given one, or all but the excepted one. Returns how many. */
export async function revokeOwnSessions(
  db: Db,
  origin: Origin,
  { userId }: Caller,
  which: { only: string } | { except: string },
): Promise<number> {
  const condition = 'only' in which ? db`s.id = ${which.only}` : db`s.id <> ${which.except}`
  const rows = await db`
    with ended as (
      update session s set revoked_at = now()
      where s.user_id = ${userId} and s.revoked_at is null and s.ends_at > now() and ${condition}
        and exists (select from session_token t where t.session_id = s.id and t.used_at is null and t.expires_at > now())
      returning s.id
    )
    insert into audit_entry (business_date, actor_id, request_id, operation, action, entity, entity_id, subject, changes)
    select ${origin.businessDate}::date, ${origin.actorId}, ${origin.requestId}, ${origin.operation}, 'revoked', 'session', id,
      ${userId}, '{}' from ended
    returning 1`
  return rows.length
}
