import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from '../../platform/database/driver/pool.ts'
import type { EventType } from '../../../contract/platform/event-types.ts'
import type { Event } from '../../../contract/platform/events.ts'
import { makeId } from '../../platform/database/make-id.ts'
import { sealAudit, verifyAudit } from '../../platform/events/audit-seal.ts'
import { insertRecords, toRecords } from '../../platform/events/record.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { settleRestoredEvents } from './event-feed.ts'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.close())

interface EventPage {
  next: number
  value: Event[]
}
const origin = { actorId: null, requestId: null, operation: 'test', businessDate: '2026-01-01' }
const read = async (query = '', token?: string) => {
  const { status, body } = await api.call<EventPage>('GET', `/events${query}`, token ? { token } : {})
  assert.equal(status, 200)
  return body
}
/**
 * The current end of the feed, found behind a marker event that is written last. This may take a while: transactions of
 * other tests on the same server delay the feed.
 */
const findEnd = async () => {
  const mark = makeId()
  await api.sql.begin((tx) => write(tx, mark, 1, 'systemdate.set'))
  let next = 0
  for (;;) {
    const page = await read(`?after=${next}&limit=500&wait=1`)
    const found = page.value.find(({ subject }) => subject === mark)
    if (found) return found.position
    next = page.next
  }
}
/** Everything that follows up to now, however long it takes to appear. */
const readAll = async (start: number, query = '', token?: string) => {
  const end = await findEnd()
  const got: Event[] = []
  let next = start
  for (;;) {
    const page = await read(`?after=${next}${query}`, token)
    got.push(...page.value.filter(({ position }) => position !== end))
    if (page.next === next || page.next === end) return got
    next = page.next
  }
}
const write = (tx: Db, subject: string, sequence: number, type: EventType = 'object.created') =>
  insertRecords(
    tx,
    toRecords(origin, [{ type, entityId: subject, subject, sequence, data: {}, changes: {} }]),
  )
const makeDebtor = async (token?: string) =>
  (
    await api.call<{ debtorGuid: string }>('POST', '/debtors', {
      body: { lastname: 'Ek' },
      ...(token && { token }),
    })
  ).body.debtorGuid

test('events of a subject come in the order of their numbers, whichever transaction began first', async () => {
  const start = await findEnd()
  const subject = makeId()
  await api.sql.begin((tx) => write(tx, subject, 1))
  const begun = Promise.withResolvers<void>()
  const later = Promise.withResolvers<void>()
  const early = api.sql.begin(async (tx) => {
    // The transaction gets its number with its first write.
    await write(tx, makeId(), 1)
    begun.resolve()
    await later.promise
    await write(tx, subject, 3)
  })
  await begun.promise
  await api.sql.begin((tx) => write(tx, subject, 2))
  later.resolve()
  await early
  const got = (await readAll(start)).filter((event) => event.subject === subject)
  assert.deepEqual(
    got.map(({ sequence }) => sequence),
    [1, 2, 3],
  )
  await sealAudit(api.sql)
  assert.equal((await verifyAudit(api.sql)).brokenAt, null)
})

test('listEvents gives the events in order, page by page', async () => {
  const start = await findEnd()
  const debtorGuid = await makeDebtor()
  for (const name of ['a', 'b', 'c']) {
    await api.call('POST', `/debtors/${debtorGuid}/extrafields`, { body: { name, value: [] } })
  }
  const all = await readAll(start, '&limit=2')
  const first = await read(`?after=${start}&limit=2`)
  assert.equal(first.value.length, 2)
  assert.deepEqual(
    all.map(({ type, sequence, subject }) => [type, sequence, subject]),
    [
      ['debtor.created', 1, debtorGuid],
      ['extrafield.created', 2, debtorGuid],
      ['extrafield.created', 3, debtorGuid],
      ['extrafield.created', 4, debtorGuid],
    ],
  )
  const last = await findEnd()
  const end = await read(`?after=${last}`)
  assert.deepEqual([end.value, end.next], [[], last])
})

test('listEvents filters by types and entities, and `next` moves past events that were filtered out', async () => {
  const start = await findEnd()
  const debtorGuid = await makeDebtor()
  await api.call('POST', `/debtors/${debtorGuid}/extrafields`, { body: { name: 'a', value: [] } })
  await api.call('PATCH', `/debtors/${debtorGuid}`, { body: { lastname: 'Alm' } })
  const readTypes = async (types: string) => (await readAll(start, `&types=${types}`)).map(({ type }) => type)
  assert.deepEqual(await readTypes('debtor.*'), ['debtor.created', 'debtor.updated'])
  assert.deepEqual(await readTypes('debtor.updated,extrafield.*'), ['extrafield.created', 'debtor.updated'])
  const none = await read(`?after=${start}&types=payment.registered`)
  assert.deepEqual(none.value, [])
  assert.ok(none.next > start)
})

test('an event that is rare among thousands is found', async () => {
  const start = await findEnd()
  await api.sql.begin(async (tx) => {
    await tx`
      insert into audit_entry (business_date, operation, action, entity, entity_id, changes, id, type, subject, sequence, data)
      select '2026-01-01', 'test', 'many', 'test', gen_random_uuid(), '{}', gen_random_uuid(), 'object.updated', gen_random_uuid(), 1, '{}'
      from generate_series(1, 12000)`
    await write(tx, makeId(), 1, 'object.deleted')
    await write(tx, makeId(), 1, 'object.deleted')
  })
  await findEnd()
  const first = await read(`?after=${start}&types=object.deleted&limit=1`)
  const second = await read(`?after=${first.next}&types=object.deleted&limit=1`)
  assert.deepEqual([first.value.length, second.value.length], [1, 1])
  assert.notEqual(first.value[0]!.id, second.value[0]!.id)
  assert.equal(second.next, second.value[0]!.position)
})

test('a transaction that commits late is not skipped: later events wait for it', async () => {
  const start = await findEnd()
  const [early, late] = [makeId(), makeId()]
  const ended = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const slow = api.sql.begin(async (tx) => {
    await write(tx, late, 1)
    begun.resolve()
    await ended.promise
  })
  await begun.promise
  await api.sql.begin((tx) => write(tx, early, 1))
  const meanwhile = await read(`?after=${start}`)
  assert.deepEqual(meanwhile.value, [])
  ended.resolve()
  await slow
  assert.deepEqual(
    (await readAll(meanwhile.next)).map(({ subject }) => subject),
    [late, early],
  )
})

test('a reader sees every event of many writers once, those of a subject in order', async () => {
  const start = await findEnd()
  const subjects = Array.from({ length: 6 }, () => makeId())
  const each = 25
  const writers = subjects.map(async (subject, writer) => {
    for (let sequence = 1; sequence <= each; sequence++) {
      await api.sql.begin(async (tx) => {
        await write(tx, subject, sequence)
        await sleep((writer * 7 + sequence) % 13)
      })
    }
  })
  const got: Event[] = []
  let next = start
  while (got.length < subjects.length * each) {
    const page = await read(`?after=${next}&limit=7&wait=1`)
    got.push(...page.value)
    next = page.next
  }
  await Promise.all(writers)
  assert.deepEqual(await readAll(next), [])
  for (const subject of subjects) {
    const own = got.filter((event) => event.subject === subject).map(({ sequence }) => sequence)
    assert.deepEqual(
      own,
      Array.from({ length: each }, (_, index) => index + 1),
    )
  }
})

test('creditors see events of their own debtors, and handlers see none of users and jobs', async () => {
  const start = await findEnd()
  const partyId = await api.addParty('CLIENT1')
  const agencys = await makeDebtor()
  const own = await makeDebtor()
  await api.sql`update debtor set created_by_party_id = ${partyId} where id = ${own}`
  const [creditor, handler] = [await api.signIn(7, partyId), await api.signIn(3)]
  await api.sql.begin((tx) => write(tx, makeId(), 1, 'job.completed'))
  const readSubjects = async (token: string) =>
    (await readAll(start, '', token)).map(({ type, subject }) => `${type} ${subject}`)
  assert.deepEqual(await readSubjects(creditor), [`debtor.created ${own}`])
  assert.deepEqual(await readSubjects(handler), [`debtor.created ${agencys}`, `debtor.created ${own}`])
  const all = (await readAll(start)).map(({ type }) => type)
  assert.ok(all.includes('user.created') && all.includes('job.completed'))
  assert.equal((await api.call('GET', '/events', { token: null })).status, 401)
})

test('a long poll ends with the first event', async () => {
  const start = await findEnd()
  const waiting = read(`?after=${start}&wait=30`)
  const others = Array.from({ length: 5 }, () => read(`?after=${start}&wait=30&types=debtor.*`))
  await sleep(150)
  const debtorGuid = await makeDebtor()
  for (const page of await Promise.all([waiting, ...others])) {
    assert.deepEqual(
      page.value.map(({ subject }) => subject),
      [debtorGuid],
    )
  }
})

async function openStream(query: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${api.address}/api/v1/events${query}`, {
    headers: { authorization: `Bearer ${api.token}`, accept: 'text/event-stream', ...headers },
  })
  assert.equal(response.status, 200)
  assert.match(response.headers.get('content-type')!, /^text\/event-stream/)
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  return {
    until: async (pattern: RegExp) => {
      while (!pattern.test(text)) {
        const { value, done } = await reader.read()
        assert.ok(!done, `the stream ended with: ${text}`)
        text += value
      }
      return text
    },
    close: () => reader.cancel(),
  }
}

test('listEvents as a stream sends each event as it happens, and continues after Last-Event-ID', async () => {
  const start = await findEnd()
  const stream = await openStream(`?after=${start}&types=debtor.*`)
  await stream.until(/retry: 1000\n\n/)
  const debtorGuid = await makeDebtor()
  const text = await stream.until(/\ndata: .*\n\n/)
  await stream.close()
  const [, id, type, data] = /id: (\d+)\nevent: (\S+)\ndata: (.*)\n\n/.exec(text)!
  const event = JSON.parse(data!) as Event
  assert.deepEqual([type, event.subject, event.position], ['debtor.created', debtorGuid, Number(id)])
  await api.call('PATCH', `/debtors/${debtorGuid}`, { body: { lastname: 'Alm' } })
  const again = await openStream('?types=debtor.*', { 'last-event-id': id! })
  const rest = await again.until(/\ndata: .*\n\n/)
  await again.close()
  assert.equal(/event: (\S+)/.exec(rest)![1], 'debtor.updated')
})

test('a node that stops ends waiting requests', async () => {
  const node = await api.startNode()
  const start = await findEnd()
  const waiting = node.call<EventPage>('GET', `/events?after=${start}&wait=30`)
  await sleep(100)
  await node.app.close()
  assert.equal((await waiting).status, 200)
})

for (const [query, member] of [
  ['?types=debtor', 'types'],
  ['?types=debtor.*,', 'types'],
  ["?types=debtor.*'--", 'types'],
  ['?limit=0', 'limit'],
  ['?limit=501', 'limit'],
  ['?after=-1', 'after'],
  ['?after=first', 'after'],
  ['?wait=31', 'wait'],
  ['?since=1', 'since'],
] as const) {
  test(`listEvents refuses ${query}`, async () => {
    const answer = await api.call<{ errors: Record<string, string[]> }>('GET', `/events${query}`)
    assert.equal(answer.status, 400)
    assert.ok(answer.body.errors[member], answer.text)
  })
}

/** Other transactions in the cluster may delay a seal for a moment. */
async function sealAll(sql: Sql): Promise<void> {
  for (let open = 1; open > 0; await sleep(20)) {
    await sealAudit(sql)
    const [row] = await sql<[{ open: number }]>`
      select ((select count(*) from audit_entry) - (select coalesce(sum(entries), 0) from audit_seal))::int as open`
    open = row.open
  }
}

test('after a restore into another cluster the feed continues after the old events', async () => {
  const restored = await startApi()
  await restored.call('POST', '/debtors', { body: { lastname: 'Ek' } })
  // As in a cluster whose transaction numbers were far ahead.
  await restored.sql`update audit_entry set feed_xid = feed_xid + 1000000000`
  const hidden = await restored.call<EventPage>('GET', '/events')
  assert.deepEqual(hidden.body.value, [])
  await settleRestoredEvents(restored.sql)
  const old = await restored.call<EventPage>('GET', '/events')
  assert.ok(old.body.value.length > 0)
  await restored.call('POST', '/debtors', { body: { lastname: 'Alm' } })
  const later = await restored.call<EventPage>('GET', `/events?after=${old.body.next}&wait=30`)
  assert.deepEqual(
    later.body.value.map(({ type }) => type),
    ['debtor.created'],
  )
  await sealAll(restored.sql)
  const { entries, brokenAt } = await verifyAudit(restored.sql)
  const [{ count }] = await restored.sql<[{ count: number }]>`select count(*)::int as count from audit_entry`
  assert.deepEqual([entries, brokenAt], [count, null])
  await restored.close()
})
