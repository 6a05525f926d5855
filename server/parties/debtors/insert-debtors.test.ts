/** Debtors that are made at the same time are written together: each must be what it is when it is made alone. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Debtor } from '../../../contract/parties/debtors.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { countWaiting } from '../../testing/waiting.ts'
import { prepareDebtor } from './debtors.changes.ts'
import { insertDebtor, insertDebtors } from './insert-debtors.store.ts'

let api: TestApi
before(async () => {
  api = await startApi()
  await api.setDate('2026-06-15')
})
after(() => api.close())

const create = (body: object, headers: Record<string, string> = {}, token?: string) =>
  api.call<Debtor>('POST', '/debtors', { body, headers, ...(token !== undefined && { token }) })
const listStatuses = (answers: { status: number }[]) => answers.map(({ status }) => status)
const readEntries = (guid: string) => api.sql`
  select type, action, entity, sequence, business_date, actor_id, request_id, operation, changes, feed_xid
  from audit_entry where subject = ${guid} order by sequence`

const makeBody = (index: number) => ({
  firstname: `Åke "${index}"`,
  lastname: `Ek\\${index}`,
  ...(index % 3 > 0 && { street: `Storgatan ${index}`, city: 'Malmö', countryCode: 'SE' }),
})

test('many at once are stored each with its address, its events and who asked for it', async () => {
  const tokens = [await api.signIn(2), await api.signIn(2)]
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      create(makeBody(index), { 'x-request-id': `made-${index}` }, tokens[index % 2]),
    ),
  )
  assert.deepEqual([...new Set(listStatuses(answers))], [201])
  const references = answers.map(({ body }) => body.debtorReference)
  assert.equal(new Set(references).size, 40)
  const actors = new Set<unknown>()
  const transactions = new Set<unknown>()
  for (const [index, { body, headers }] of answers.entries()) {
    assert.equal(headers.get('etag'), '"1"')
    assert.match(headers.get('location')!, new RegExp(`${body.debtorGuid}$`))
    assert.equal(body.fullName, `Åke "${index}" Ek\\${index}`)
    const { body: read } = await api.call<Debtor>('GET', `/debtors/${body.debtorGuid}`)
    assert.deepEqual(read, body)
    const entries = await readEntries(body.debtorGuid)
    assert.deepEqual(
      entries.map(({ type, sequence, request_id }) => [type, sequence, request_id]),
      [
        ['debtor.created', 1, `made-${index}`],
        ...(index % 3 > 0 ? [['address.created', 2, `made-${index}`]] : []),
      ],
    )
    for (const { actor_id, feed_xid } of entries) {
      actors.add(`${index % 2} ${actor_id}`)
      transactions.add(String(feed_xid))
    }
  }
  assert.equal(actors.size, 2)
  assert.ok(transactions.size < 40, 'Some were written together.')
})

test('of those with one identity number at once one is stored, and doubles are numbered', async () => {
  const idNumber = '198507099805'
  const person = (index: number) => ({ lastname: `Ek ${index}`, idNumber, countryCode: 'SE' })
  const others = Array.from({ length: 10 }, (_, index) => create({ lastname: `Al ${index}` }))
  const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => create(person(index))))
  assert.deepEqual(listStatuses(answers).toSorted(), [201, ...Array.from({ length: 9 }, () => 409)])
  assert.deepEqual([...new Set(listStatuses(await Promise.all(others)))], [201])
  const doubles = await Promise.all(
    Array.from({ length: 5 }, (_, index) => create(person(index), { 'x-allow-duplicate': 'true' })),
  )
  assert.deepEqual([...new Set(listStatuses(doubles))], [201])
  const numbers = await api.sql<{ number: number }[]>`
    select duplicate_number as number from debtor where id_number = ${answers.find(({ status }) => status === 201)!.body.idNumber!}
    order by 1`
  assert.deepEqual(
    numbers.map(({ number }) => number),
    [0, 1, 2, 3, 4, 5],
  )
})

test('what the database refuses of one is refused of that one alone', async () => {
  await api.sql.unsafe(`alter table debtor add constraint debtor_not_nobody check (lastname <> 'Nobody')`)
  const names = Array.from({ length: 20 }, (_, index) => (index === 11 ? 'Nobody' : `Ek ${index}`))
  const answers = await Promise.all(
    names.map((lastname) => create({ lastname }).catch(() => ({ status: 500 }))),
  )
  await api.sql.unsafe('alter table debtor drop constraint debtor_not_nobody')
  assert.deepEqual(
    listStatuses(answers).map((status) => status === 201),
    names.map((name) => name !== 'Nobody'),
  )
})

test('a create that waits for an open transaction holds up no other create', async () => {
  for (const [outcome, idNumber] of [
    [201, '198001019804'],
    [409, '198001019812'],
  ] as const) {
    const held = { lastname: 'Ek', idNumber, countryCode: 'SE' }
    const answers = await api.sql.begin(async (tx) => {
      await tx`savepoint unheld`
      const debtor = prepareDebtor(held, { countryCode: 'SE', today: '2026-06-15' })
      const options = { origin: makeOrigin(1), partyId: null }
      await insertDebtors(tx, [{ ...debtor, sourceReference: null }], options)
      const waiting = [create(held), create(held)]
      const others = Promise.all(
        Array.from({ length: 16 }, (_, index) => {
          if (index % 5 === 4) waiting.push(create(held))
          return create({ lastname: `Al ${index}` })
        }),
      )
      // No create may depend on this transaction's end.
      const answered = await Promise.race([others, sleep(10_000, null, { ref: false })])
      assert.deepEqual(answered && [...new Set(listStatuses(answered))], [201])
      const settled = await Promise.race([...waiting, sleep(10, 'waiting', { ref: false })])
      assert.equal(settled, 'waiting')
      if (outcome === 201) await tx`rollback to savepoint unheld`
      return { waiting }
    })
    const statuses = listStatuses(await Promise.all(answers.waiting)).toSorted()
    assert.deepEqual(statuses, [outcome, 409, 409, 409, 409])
  }
})

test('creates that wait for one lock leave connections to others, and are answered 503 when it takes long', async () => {
  const held = { lastname: 'Ek', idNumber: '198001019838', countryCode: 'SE' }
  await api.sql.begin(async (tx) => {
    const debtor = prepareDebtor(held, { countryCode: 'SE', today: '2026-06-15' })
    await insertDebtors(tx, [{ ...debtor, sourceReference: null }], { origin: makeOrigin(1), partyId: null })
    // More than the pool has connections.
    const waiting = Array.from({ length: 24 }, () => create(held))
    const progress = { ended: 0 }
    for (const one of waiting) void one.finally(() => progress.ended++)
    let most = 0
    let rounds = 0
    for (; rounds < 20 && progress.ended === 0; rounds++) {
      const others = Promise.all(Array.from({ length: 4 }, (_, index) => create({ lastname: `Al ${index}` })))
      assert.deepEqual([...new Set(listStatuses(await others))], [201])
      most = Math.max(most, await countWaiting(api))
    }
    assert.ok(rounds >= 1 && most >= 1)
    const answers = await Promise.all(waiting)
    assert.deepEqual([...new Set(listStatuses(answers))], [503])
    assert.equal(answers[0]!.headers.get('retry-after'), '2')
  })
  assert.equal((await create(held)).status, 409)
})

const makeOrigin = (index: number) => ({
  actorId: null,
  requestId: `request-${index}`,
  operation: `D${index}`,
  businessDate: `2026-06-${10 + index}`,
})

test('those that are made in one turn are stored by two statements, each with its own origin', async () => {
  const inserted = await Promise.all(
    Array.from({ length: 10 }, (_, index) => {
      const debtor = prepareDebtor({ lastname: `Ek ${index}` }, { countryCode: 'SE', today: '2026-06-15' })
      const options = { origin: makeOrigin(index), partyId: null }
      return insertDebtor(api.sql, { ...debtor, sourceReference: null }, options)
    }),
  )
  const transactions = new Set<string>()
  for (const [index, debtor] of inserted.entries()) {
    assert.equal(debtor!.lastname, `Ek ${index}`)
    const [entry, ...others] = await readEntries(debtor!.debtorGuid)
    transactions.add(String(entry!['feed_xid']))
    const { business_date: businessDate, actor_id: actorId, request_id: requestId, operation } = entry!
    assert.deepEqual([{ actorId, requestId, operation, businessDate }, others.length], [makeOrigin(index), 0])
  }
  assert.equal(transactions.size, 2)
})
