/** Events as a list, for people. Programs read the feed (event-feed.ts), which never skips an event. */
import { Event } from '../../../contract/platform/events.ts'
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
import { visibleEventsAbout } from './events.scope.ts'
import { filterableProperties } from '../../platform/odata/properties.ts'
import { readableEntities } from './event-feed.ts'

const columns = {
  position: 'e.position',
  id: 'e.id',
  type: 'e.type',
  version: 'e.version',
  occurredAt: 'e.occurred_at',
  sequence: 'e.sequence',
  subject: 'e.subject',
}
const rows: ListSource<'event'> = {
  entity: 'event',
  // The view `event` by the type, which the index of kinds has: so that events are counted without a look at them.
  from: `(select position, id, type, version, occurred_at, subject, sequence, data, feed_xid
    from audit_entry where type is not null) e`,
  key: 'e.position',
  select: `${selectList(columns)}, e.data`,
  properties: filterableProperties(Event, columns),
  defaultOrder: { terms: [], keyDescending: true, text: 'e.position desc', reversedText: 'e.position' },
}

/** For unrestricted callers: which events are visible depends on nothing but the events. */
const source: ListSource<'event'> = { ...rows, addedBy: 'e.feed_xid' }

export const searchEvents = (
  db: Db,
  caller: Caller,
  query: PageQuery,
  context: ListContext,
): Promise<Page<Event>> =>
  listRows<Event, 'event'>(
    db,
    caller.partyIds === null ? source : rows,
    visibleEventsAbout(caller, readableEntities(caller)),
    query,
    context,
  )
