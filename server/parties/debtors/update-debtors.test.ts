/** Debtors that are changed at the same time are stored together: each must be what it is when it is changed alone. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Debtor, DebtorChange } from '../../../contract/parties/debtors.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { agencyItself, type Caller } from '../../platform/http/caller.ts'
import { changeDebtor } from './debtors.changes.ts'
import { findDebtorForChange } from './debtors.store.ts'
import { updateDebtor } from './update-debtors.store.ts'
import { inTransaction } from '../../platform/database/transaction.ts'

let api: TestApi
before(async () => {
  api = await startApi()
  await api.setDate('2026-06-15')
})
after(() => api.close())

const make = async (members: object = {}) => {
  const body = { lastname: 'Ek', languageCode: 'sv', ...members }
  return (await api.call<Debtor>('POST', '/debtors', { body })).body.debtorGuid
}
const change = (guid: string, body: object, headers: Record<string, string> = {}) =>
  api.call('PATCH', `/debtors/${guid}`, { body, headers })
const readEntries = (guid: string) => api.sql`
  select type, action, entity, entity_id = subject as own, sequence, business_date, actor_id, operation, version,
    data - 'debtorGuid' as data, changes
  from audit_entry where subject = ${guid} and type = 'debtor.updated' order by sequence`
const readRecord = async (guid: string) => {
  const { body, headers } = await api.call<Debtor>('GET', `/debtors/${guid}`)
  const { debtorGuid: _guid, debtorReference: _reference, links: _links, ...members } = body
  return { members, etag: headers.get('etag') }
}
const readItem = async (guid: string) =>
  (
    await api.sql`
      select i.primary_description, i.search_keys, d.full_name, debtor_search_keys(d) as keys
      from item i join debtor d on d.id = i.guid where i.guid = ${guid}`
  )[0]!

const samples: DebtorChange[] = [
  { placeOfBirth: '  Lund ' },
  { gender: 2 },
  { cultureCode: 'sv-se' },
  { domicile: 'Skåne' },
  { municipalCode: '1280' },
  { naceCode: '62.01' },
  { email: 'Ek@Example.COM' },
  { languageCode: 'EN' },
  { languageCode: '' },
  { currencyCode: 'eur' },
  { conversationNotificationChannel: 1 },
  { conversationNotificationEmail: 'ek@example.com' },
  { placeOfBirth: 'O’Hara "x" \\ {}', languageCode: 'sv', email: 'a@example.com', gender: null },
  { idNumber: '19900101-2385' },
  { juridicalType: 1, fullName: 'Ek AB' },
  { dateOfBirth: '2020-02-29' },
  { underAged: true },
  { firstname: 'Åsa', middlename: 'B', lastname: 'Al', nameSuffix: 'jr' },
  { lastname: '', fullName: 'Åsa på Lunden' },
  { homePhone: '08-12 34 56', workPhone: '08-12 34 57', telefax: '08-12 34 58' },
  { cellularPhone: '070-174 06 05', conversationNotificationCellularPhone: '070-174 06 06' },
  { vatNumber: 'SE556677889901' },
]
const allowDuplicate = { 'x-allow-duplicate': 'true' }
test('every member is stored alone and beside changes of others alike', async () => {
  const [alone, together] = [await makeMany(samples.length), await makeMany(samples.length)]
  const answers = []
  for (const [index, sample] of samples.entries())
    answers.push(await change(alone[index]!, sample, allowDuplicate))
  answers.push(
    ...(await Promise.all(samples.map((sample, index) => change(together[index]!, sample, allowDuplicate)))),
  )
  assert.deepEqual(
    answers.map(({ status, headers }) => [status, headers.get('etag')]),
    answers.map(() => [200, '"2"']),
  )
  for (const [index, sample] of samples.entries()) {
    const about = JSON.stringify(sample)
    const [one, other] = [alone[index]!, together[index]!]
    const record = await readRecord(one)
    assert.deepEqual(await readRecord(other), record, about)
    const [entry, ...more] = await readEntries(one)
    assert.equal(more.length, 0, about)
    assert.deepEqual([...(await readEntries(other))], [entry], about)
    for (const [name, [, value]] of Object.entries(entry!['changes'] as Record<string, unknown[]>))
      assert.equal((record.members as Record<string, unknown>)[name], value, about)
    for (const guid of [one, other]) {
      const { primary_description, search_keys, full_name, keys } = await readItem(guid)
      assert.deepEqual([primary_description, search_keys], [full_name, keys], about)
    }
  }
})

test('what is wrong is not stored', async () => {
  const guid = await make()
  for (const body of [{ email: 'nobody' }, { currencyCode: 'XXY' }])
    assert.equal((await change(guid, body)).status, 400)
  assert.equal((await readRecord(guid)).etag, '"1"')
})

test('what is there already leaves version and events alone', async () => {
  const guid = await make({ placeOfBirth: 'Lund' })
  const answer = await change(guid, { placeOfBirth: 'Lund', languageCode: 'SV' })
  assert.deepEqual([answer.status, answer.headers.get('etag')], [200, '"1"'])
  await change(guid, { placeOfBirth: 'Lund', languageCode: 'no' })
  const [entry, ...others] = await readEntries(guid)
  assert.deepEqual([entry!['changes'], others], [{ languageCode: ['sv', 'no'] }, []])
})

test('the version must be one that the caller wants', async () => {
  const guid = await make()
  for (const tag of ['"2"', 'W/"1"', '"1', 'x', '"99999999999999999999"']) {
    const answer = await change(guid, { placeOfBirth: 'Lund' }, { 'if-match': tag })
    assert.deepEqual([answer.status, answer.headers.get('etag')], [412, '"1"'], tag)
  }
  assert.equal((await readRecord(guid)).etag, '"1"')
  for (const [tag, place] of [
    ['"7", "1"', 'Lund'],
    ['*', 'Malmö'],
    ['"3"', 'Ystad'],
  ] as const)
    assert.equal((await change(guid, { placeOfBirth: place }, { 'if-match': tag })).status, 200, tag)
  assert.equal((await readRecord(guid)).etag, '"4"')
})

test('of changes at once none is lost, whichever way they go', async () => {
  const guid = await make()
  const places = Array.from({ length: 12 }, (_, index) => `Place ${index}`)
  const answers = await Promise.all(
    places.flatMap((place, index) => [
      change(guid, { placeOfBirth: place }),
      change(guid, { homePhone: `08-12 34 5${index}`, domicile: place }),
    ]),
  )
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  const entries = await readEntries(guid)
  assert.equal(entries.length, 24)
  assert.deepEqual(
    entries.map(({ sequence }) => sequence),
    entries.map((_, index) => index + 2),
  )
  let last: unknown = null
  for (const { changes } of entries as unknown as { changes: Record<string, [unknown, unknown]> }[]) {
    const place = changes['placeOfBirth']
    if (!place) continue
    assert.equal(place[0], last)
    last = place[1]
  }
  const { members, etag } = await readRecord(guid)
  assert.deepEqual([members.placeOfBirth, etag], [last, '"25"'])
})

test('of two with the same entity tag one is stored', async () => {
  const guid = await make()
  const answers = await Promise.all(
    ['Lund', 'Ystad', 'Malmö'].map((place) => change(guid, { placeOfBirth: place }, { 'if-match': '"1"' })),
  )
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 412, 412])
})

test('a debtor that is not there, or that the caller may not see, is not found', async () => {
  const unknown = '01900000-0000-7000-8000-000000000000'
  assert.equal((await change(unknown, { placeOfBirth: 'Lund' })).status, 404)
  const [guid, party] = [await make(), await api.addParty('OTHERS')]
  const theirs: Caller = {
    userId: unknown,
    sessionId: '',
    partyId: party,
    role: 6,
    accessCodes: new Set(['debtor.write']),
    partyIds: [party],
    mfaPending: false,
    language: 'en',
  }
  const request = { debtorGuid: guid, input: { placeOfBirth: 'Lund' }, allowDuplicate: false }
  const options = { origin: makeOrigin('request'), countryCode: 'SE', ifMatch: undefined }
  await assert.rejects(changeDebtor(api.sql, theirs, request, options), { kind: 'not-found' })
  assert.equal((await readEntries(guid)).length, 0)
  assert.equal(await changeDebtor(api.sql, { ...theirs, partyIds: null }, request, options), 2)
})

const agent: Caller = { ...agencyItself, accessCodes: new Set(['debtor.write']) }
const makeOrigin = (requestId: string) => ({
  actorId: null,
  requestId,
  operation: 'D4',
  businessDate: '2026-06-15',
})
/** What is stored in one turn goes together. */
async function storeMany(places: readonly (readonly [guid: string, place: string])[]) {
  const read = await Promise.all(places.map(([guid]) => findDebtorForChange(api.sql, agent, guid)))
  return Promise.allSettled(
    places.map(([debtorGuid, place], index) =>
      updateDebtor(api.sql, {
        debtorGuid,
        before: read[index]!,
        changes: { placeOfBirth: [read[index]!.record.placeOfBirth, place] },
        duplicateNumber: 0,
        origin: makeOrigin(`request-${index}`),
      }),
    ),
  )
}
const listOutcomes = (settled: PromiseSettledResult<boolean>[]) =>
  settled.map((one) => (one.status === 'fulfilled' ? one.value : 'failed'))
const makeMany = (count: number) => Promise.all(Array.from({ length: count }, () => make()))
const readPlaces = async (guids: readonly string[]) =>
  Promise.all(guids.map(async (guid) => (await readRecord(guid)).members.placeOfBirth))

test('what is changed together leaves of each what it leaves alone', async () => {
  const guids = await makeMany(30)
  const places = guids.map((guid, index) => [guid, `Å ${index} "{}\\,’ \ue000`] as const)
  assert.deepEqual(
    listOutcomes(await storeMany(places)),
    guids.map(() => true),
  )
  assert.deepEqual(
    await readPlaces(guids),
    places.map(([, place]) => place),
  )
  const entries = await api.sql`
    select feed_xid, subject, request_id, changes from audit_entry
    where subject = any(${guids}) and type = 'debtor.updated' order by array_position(${guids}::uuid[], subject)`
  assert.deepEqual(
    entries.map(({ subject, request_id, changes }) => [subject, request_id, changes]),
    places.map(([guid, place], index) => [guid, `request-${index}`, { placeOfBirth: [null, place] }]),
  )
  assert.equal(new Set(entries.map(({ feed_xid }) => String(feed_xid))).size, 1)
  const lone = (await makeMany(1)) as [string]
  await storeMany([[lone[0], 'Lund']])
  const [alone, together] = [await readEntries(lone[0]), await readEntries(guids[1]!)]
  assert.deepEqual(
    together.map((entry) => ({ ...entry, changes: null })),
    alone.map((entry) => ({ ...entry, changes: null })),
  )
})

test('of two changes of one debtor in one statement one is stored', async () => {
  const [first, guid] = (await makeMany(2)) as [string, string]
  const outcomes = listOutcomes(
    await storeMany([
      [first, 'Lund'],
      [guid, 'Ystad'],
      [guid, 'Malmö'],
    ]),
  )
  assert.deepEqual(outcomes.toSorted(), [false, true, true])
  const [entry, ...others] = await readEntries(guid)
  assert.deepEqual(
    [entry!['changes'], others.length],
    [{ placeOfBirth: [null, (await readPlaces([guid]))[0]] }, 0],
  )
})

test('a debtor that somebody holds keeps nobody else waiting', async () => {
  const guids = await makeMany(4)
  const [held] = guids.slice(2)
  await api.sql.begin(async (tx) => {
    await tx`select from debtor where id = ${held!} for update`
    const changing = storeMany(guids.map((guid) => [guid, 'Lund'])).then(listOutcomes)
    assert.deepEqual(await Promise.race([changing, sleep(10_000, 'waited', { ref: false })]), [
      true,
      true,
      false,
      true,
    ])
  })
  assert.deepEqual(await readPlaces(guids), ['Lund', 'Lund', null, 'Lund'])
})

test('a change that waits for an open transaction holds up no other change', async () => {
  const guids = await makeMany(6)
  const [holder] = await makeMany(1)
  const changes = guids.map((guid, index) =>
    index % 3 === 2
      ? { guid, body: { idNumber: '19800101-9804' } }
      : { guid, body: { placeOfBirth: 'Lund' } },
  )
  let waiting: Promise<unknown>[] = []
  await api.sql.begin(async (tx) => {
    await tx`update debtor set id_number = '19800101-9804', id_country_code = 'SE' where id = ${holder!}`
    const answers = changes.map(({ guid, body }) => change(guid, body))
    waiting = answers.filter((_, index) => index % 3 === 2)
    const others = Promise.all(answers.filter((_, index) => index % 3 !== 2))
    const answered = await Promise.race([others, sleep(10_000, null, { ref: false })])
    assert.deepEqual(
      answered?.map(({ status }) => status),
      [200, 200, 200, 200],
    )
    assert.equal(await Promise.race([...waiting, sleep(10, 'waiting', { ref: false })]), 'waiting')
  })
  const statuses = (await Promise.all(waiting)).map((answer) => (answer as { status: number }).status)
  assert.deepEqual(statuses, [409, 409])
})

test('what the database refuses of one is refused of that one alone', async () => {
  const guids = await makeMany(4)
  await api.sql.unsafe(`
    alter table debtor add constraint debtor_born_somewhere check (place_of_birth is distinct from 'Nowhere')`)
  const outcomes = listOutcomes(
    await storeMany(guids.map((guid, index) => [guid, index === 2 ? 'Nowhere' : 'Lund'])),
  )
  await api.sql.unsafe('alter table debtor drop constraint debtor_born_somewhere')
  assert.deepEqual(outcomes, [true, true, 'failed', true])
  assert.deepEqual(await readPlaces(guids), ['Lund', 'Lund', null, 'Lund'])
})

test('what somebody else stores after a statement began is what it finds', async () => {
  const guids = await makeMany(4)
  const between = guids.filter((_, index) => index !== 2)
  await api.sql.unsafe(`
    create function wait_a_little() returns trigger language plpgsql as 'begin perform pg_advisory_xact_lock(99); return null; end';
    create trigger waits_a_little before update on debtor for each statement execute function wait_a_little()`)
  const holder = await api.sql.reserve()
  await holder`select pg_advisory_lock(99)`
  const changing = Promise.all(guids.map((guid) => change(guid, { placeOfBirth: 'Lund' })))
  const isWaiting = () => api.sql`
    select from pg_stat_activity where wait_event = 'advisory' and datname = current_database() having count(*) >= 1`
  for (let tries = 0; (await isWaiting()).length === 0; tries++) {
    assert.ok(tries < 2000, 'A statement begins.')
    await sleep(5)
  }
  await api.sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`
      update debtor set place_of_birth = 'Between', version = version + 1, event_sequence = event_sequence + 1
      where id = any(${between})`
  })
  await holder`select pg_advisory_unlock(99)`
  holder.release()
  assert.deepEqual(
    (await changing).map(({ headers }) => headers.get('etag')),
    ['"3"', '"3"', '"2"', '"3"'],
  )
  await api.sql.unsafe('drop trigger waits_a_little on debtor; drop function wait_a_little')
  for (const guid of guids) {
    const [entry] = await readEntries(guid)
    const was = between.includes(guid) ? 'Between' : null
    assert.deepEqual(
      [entry!['changes'], entry!['sequence']],
      [{ placeOfBirth: [was, 'Lund'] }, was === null ? 2 : 3],
    )
  }
})

test('a change waits for no other transaction that has changed debtors', async () => {
  const [first, second] = (await makeMany(2)) as [string, string]
  const countChanges = async () =>
    Number((await api.sql`select sum(changes) as sum from list_total where entity = 'debtor'`)[0]!['sum'])
  const counted = await countChanges()
  const node = await api.sql.reserve()
  const [backend] = await node`select pg_backend_pid() % 32 as slot`
  await api.sql.begin(async (tx) => {
    // As a transaction on a backend of the same number would have it.
    await tx`select pg_advisory_xact_lock(7240032, ${backend!['slot'] as number})`
    await tx`update list_total set changes = changes + 1 where slot = ${backend!['slot'] as number}`
    await node`set lock_timeout = '2s'`
    await node`update debtor set version = version + 1 where id = ${first}`
    await node`update debtor set version = version + 1 where id = ${second}`
    await node`reset lock_timeout`
  })
  node.release()
  assert.equal(await countChanges(), counted + 3)
})

/** The debtors that a change of the members updates, and those of them without the indexes of debtors. */
async function countHot(guid: string, changes: Record<string, [unknown, unknown]>) {
  return inTransaction(api.sql, async (tx) => {
    const count = async () =>
      (
        await tx<{ updated: number; hot: number }[]>`
          select pg_stat_get_xact_tuples_updated('debtor'::regclass)::int as updated,
            pg_stat_get_xact_tuples_hot_updated('debtor'::regclass)::int as hot`
      )[0]!
    const [read, first] = [(await findDebtorForChange(tx, agencyItself, guid))!, await count()]
    const origin = { actorId: null, requestId: null, operation: 'updateDebtor', businessDate: '2026-06-15' }
    await updateDebtor(tx, { debtorGuid: guid, before: read, changes, duplicateNumber: 0, origin })
    const last = await count()
    return { updated: last.updated - first.updated, hot: last.hot - first.hot }
  })
}

test('a change of contact leaves the indexes of debtors alone', async () => {
  const changes: DebtorChange = {
    email: 'ny@example.com',
    cellularPhone: '+46701740699',
    homePhone: '+4681234567',
    workPhone: '+4681234568',
    languageCode: 'en',
    placeOfBirth: 'Lund',
  }
  for (const [name, value] of Object.entries(changes)) {
    const { debtorGuid } = (await api.call<Debtor>('POST', '/debtors', { body: { lastname: 'Ek' } })).body
    assert.deepEqual(await countHot(debtorGuid, { [name]: [null, value] }), { updated: 1, hot: 1 }, name)
  }
})

test('a change of a name teaches the search its new words alone', async () => {
  const { debtorGuid } = (await api.call<Debtor>('POST', '/debtors', { body: { lastname: 'Kvistbergius' } }))
    .body
  const count = async (word: string) =>
    (
      await api.sql<{ count: number }[]>`select count(*)::int as count from search_word where word = ${word}`
    )[0]!.count
  assert.deepEqual([await count('kvistbergius'), await count('grankvistius')], [1, 0])
  await api.sql`delete from search_word where word = 'kvistbergius'`
  const body = { firstname: 'Grankvistius', lastname: 'Kvistbergius' }
  assert.equal((await api.call('PATCH', `/debtors/${debtorGuid}`, { body })).status, 200)
  assert.deepEqual([await count('kvistbergius'), await count('grankvistius')], [0, 1])
})
