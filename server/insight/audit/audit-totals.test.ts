/** Totals of the trail and of events: exact right after each write, and counted once however often they are asked for. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { AuditEntry } from '../../../contract/insight/audit.ts'
import { searchEvents } from '../../integration/feed/search-events.ts'
import { openDatabase } from '../../platform/database/database.ts'
import type { Sql } from '../../platform/database/driver/pool.ts'
import { ListMemory, type Page, type PageQuery } from '../../platform/database/list.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { agencyCaller } from '../../testing/records/cases.ts'
import { sumBlocks, watchDatabase } from '../../testing/watched-database.ts'
import { listAuditEntries } from './audit.store.ts'

let api: TestApi
before(async () => (api = await startApi()))
after(() => api.close())

/** Their ids are in the order of time, as those of the service are. */
const addEntries = (db: Db, count: number, operation: string) => db`
  insert into audit_entry (business_date, operation, action, entity, entity_id, subject, changes, id, type, sequence, data)
  select '2026-06-15', ${operation}, 'deleted', 'debtor', guid, guid,
    jsonb_build_object('text', jsonb_build_array(null, repeat('x', 600))),
    (lpad(to_hex(1800000000000 + last + number), 12, '0') || '70008000000000000000')::uuid, 'debtor.deleted', 1,
    jsonb_build_object('debtorGuid', guid)
  from (select gen_random_uuid() as guid, number from generate_series(1, ${count}::int) number) made,
    (select max(position) as last from audit_entry) former`

const listEntries = async (query: Record<string, string>) => {
  const { status, body, text } = await api.call<Page<AuditEntry>>(
    'GET',
    `/audit?${new URLSearchParams(query)}`,
  )
  assert.equal(status, 200, text)
  return body
}
/** Of the operation; the total of events is looked at too. */
const countEntries = async (operation: string) => {
  const [trail, events, [stored]] = await Promise.all([
    listEntries({ $filter: `operation eq '${operation}'`, $top: '2' }),
    api.call<Page<unknown>>('GET', `/events/search?$filter=type eq 'debtor.deleted'&$top=2`),
    api.sql<
      { count: number }[]
    >`select count(*)::int as count from audit_entry where type = 'debtor.deleted'`,
  ])
  assert.equal(events.body.total, stored!.count)
  return trail.total
}

describe('the total of a filtered trail', () => {
  test('grows with each entry, also past a thousand', async () => {
    assert.equal(await countEntries('sent'), 0)
    let sent = 0
    for (const count of [1, 3, 1100, 2, 1200, 1]) {
      await addEntries(api.sql, count, 'sent')
      sent += count
      assert.equal(await countEntries('sent'), sent)
      assert.equal(await countEntries('sent'), sent)
    }
    assert.equal(await countEntries('returned'), 0)
  })

  test('has the entries of a transaction that began before others and ended after them', async () => {
    await addEntries(api.sql, 1, 'held')
    assert.equal(await countEntries('held'), 1)
    await api.sql.begin(async (tx) => {
      await addEntries(tx, 5, 'held')
      await addEntries(api.sql, 1100, 'held')
      assert.equal(await countEntries('held'), 1101)
      // The former look counted more than a thousand later entries, so this one begins from a new moment.
      assert.equal(await countEntries('held'), 1101)
    })
    assert.equal(await countEntries('held'), 1106)
  })

  test('is of the moment in which the page is read', async () => {
    const first = await listEntries({ $filter: "operation eq 'counted'" })
    assert.deepEqual([first.count, first.total], [0, 0])
    for (let entries = 1; entries <= 3; entries++) {
      await addEntries(api.sql, 1, 'counted')
      const { count, total } = await listEntries({ $filter: "operation eq 'counted'" })
      assert.deepEqual([count, total], [entries, entries])
    }
  })
})

test('the last page of the trail and of the events is read from its end', async () => {
  await addEntries(api.sql, 3000, 'posted')
  for (const path of ['/audit', '/events/search']) {
    const whole = await api.call<Page<{ position: number }>>('GET', `${path}?$top=1`)
    const $skip = whole.body.total - 3
    const { body } = await api.call<Page<{ position: number }>>('GET', `${path}?$skip=${$skip}&$top=25`)
    assert.equal(body.count, 3)
    const [least] = await api.sql<
      { position: number }[]
    >`select min(position)::int as position from audit_entry`
    assert.equal(body.value.at(-1)!.position, least!.position)
  }
})

describe('the blocks that the trail reads', () => {
  let lists: Sql
  let watched: ReturnType<typeof watchDatabase>
  before(async () => {
    // Vacuum takes a page for visible only when the log of its rows is on the disk.
    await api.sql.begin(async (tx) => {
      await tx`set local synchronous_commit = on`
      await addEntries(tx, 20_000, 'weighed')
    })
    await api.sql`vacuum (analyze) audit_entry`
    watched = watchDatabase(api.databaseUrl)
    lists = openDatabase(watched.url, { max: 1, planEach: true, onnotice: watched.onnotice })
  })
  after(() => lists.end())

  const read = async (
    list: typeof listAuditEntries | typeof searchEvents,
    query: PageQuery,
    totals: ListMemory,
  ) => {
    watched.take()
    await list(lists, agencyCaller, { ...query, $top: 10 }, { totals, today: '2026-06-15' })
    return sumBlocks(watched.take())
  }
  const anew = () => new ListMemory(lists, { prefixesSortFirst: true })

  for (const [list, query] of [
    [listAuditEntries, {}],
    [listAuditEntries, { $filter: "operation eq 'weighed' and businessDate ge 2026-01-01" }],
    [listAuditEntries, { $filter: "startswith(action,'del')" }],
    [listAuditEntries, { $orderby: 'occurredAt' }],
    [listAuditEntries, { $orderby: 'entityGuid' }],
    [listAuditEntries, { $orderby: 'subjectGuid desc' }],
    [searchEvents, {}],
    [searchEvents, { $filter: "type eq 'debtor.deleted'" }],
  ] satisfies [unknown, PageQuery][])
    test(`are few when it is counted for the first time: ${list.name} ${JSON.stringify(query)}`, async () => {
      const blocks = await read(list, query, anew())
      assert.ok(blocks > 0 && blocks < 300, `${blocks} blocks`)
    })

  test('are few for a member that no index has, once it was counted', async () => {
    const totals = anew()
    const query = { $filter: "requestId ne 'none'" }
    const first = await read(listAuditEntries, query, totals)
    await addEntries(api.sql, 5, 'weighed')
    const second = await read(listAuditEntries, query, totals)
    assert.ok(first > 2000 && second < 150, `${first} and then ${second} blocks`)
  })

  test('are those of a range for the id of one event', async () => {
    const [event] = await api.sql<{ id: string }[]>`
      select id from audit_entry where type is not null order by position limit 1`
    const blocks = await read(searchEvents, { $filter: `id eq ${event!.id}` }, anew())
    assert.ok(blocks > 0 && blocks < 600, `${blocks} blocks`)
  })
})
