import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Event } from '../../../contract/platform/events.ts'
import { startApi, type TestApi } from '../../testing/api.ts'

interface EventPage {
  total: number
  value: Event[]
}

let api: TestApi
let debtorGuid: string
before(async () => {
  api = await startApi()
  const made = await api.call<{ debtorGuid: string }>('POST', '/debtors', { body: { lastname: 'Händelse' } })
  debtorGuid = made.body.debtorGuid
  await api.call('PATCH', `/debtors/${debtorGuid}`, { body: { email: 'a@example.com' } })
})
after(() => api.close())

const search = async (query = '', token = api.token) => {
  const { status, body } = await api.call<EventPage>('GET', `/events/search${query}`, { token })
  assert.equal(status, 200)
  return body
}

test('searchEvents lists the newest first, and filters', async () => {
  const whole = await search()
  assert.ok(whole.total >= 2)
  const positions = whole.value.map(({ position }) => position)
  assert.deepEqual(
    positions,
    positions.toSorted((a, b) => b - a),
  )
  const own = await search(
    `?$filter=subject eq ${debtorGuid} and startswith(type,'debtor.')&$orderby=sequence`,
  )
  assert.deepEqual(
    own.value.slice(0, 2).map(({ type, sequence }) => [type, sequence]),
    [
      ['debtor.created', 1],
      ['debtor.updated', 2],
    ],
  )
})

test('searchEvents shows handlers no events of users, and creditors none of others', async () => {
  const handler = await search("?$filter=startswith(type,'user.')", await api.signIn(3))
  assert.equal(handler.total, 0)
  assert.ok((await search("?$filter=startswith(type,'user.')")).total > 0)
  const creditor = await api.signIn(6, await api.addParty('STRANGER'))
  assert.equal((await search(`?$filter=subject eq ${debtorGuid}`, creditor)).total, 0)
})

test('searchEvents refuses filters by unknown members', async () => {
  const { status } = await api.call('GET', "/events/search?$filter=data eq 'x'")
  assert.equal(status, 400)
})
