import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { localDate } from '../../../core/calendar/date-time.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'

let api: TestApi
before(async () => {
  api = await startApi()
})
afterEach(() => api.setDate(null))
after(() => api.close())

const setDate = (body: unknown, token = api.token) =>
  api.call<{ detail: string }>('PUT', '/system/systemdate', { body, token })
const shownDate = async (node = api) =>
  (await node.call<{ systemDate: string }>('GET', '/system/information')).body.systemDate.slice(0, 10)
const today = () => localDate('Europe/Stockholm', new Date())

describe('S13', () => {
  const taken: [given: string | null | undefined, date: string | null][] = [
    ['2031-05-17', '2031-05-17'],
    ['2031-05-17T23:30:00-08:00', '2031-05-17'],
    ['2028-02-29T00:00:00Z', '2028-02-29'],
    ['', null],
    ['2030-01-01', '2030-01-01'],
    [null, null],
    ['2030-01-01', '2030-01-01'],
    [undefined, null],
  ]
  test('sets the date; null, an empty text or no member restores the real date', async () => {
    for (const [systemDate, date] of taken) {
      const answer = await setDate({ systemDate })
      assert.equal(answer.status, 200, answer.text)
      assert.ok(answer.body.detail.includes(date ?? today()))
      assert.equal(await shownDate(), date ?? today())
    }
  })

  for (const systemDate of ['2026-02-30', 'tomorrow', 20260101, '1899-12-31', '2200-01-01', '0001-01-01']) {
    test(`refuses ${systemDate}, and changes nothing`, async () => {
      assertProblem(await setDate({ systemDate }), 'invalid', /systemDate/)
      assert.equal(await shownDate(), today())
    })
  }

  test('takes effect on every node within a second', async () => {
    const second = await api.startNode()
    try {
      await setDate({ systemDate: '2031-05-17' })
      await wait(1_000)
      assert.equal(await shownDate(second), '2031-05-17')
    } finally {
      await second.close()
    }
  })

  test('needs system.admin', async () => {
    assertProblem(await setDate({ systemDate: null }, await api.signIn(3)), 'forbidden', /system\.admin/)
  })

  test('writes an audit entry and an event in the same transaction', async () => {
    await setDate({ systemDate: '2031-05-17' })
    await setDate({ systemDate: null })
    const entries = await api.sql`
      select operation, action, entity, changes, actor_id from audit_entry where entity = 'systemdate' order by position desc limit 2`
    assert.deepEqual(
      entries.map(({ operation, action, changes }) => [operation, action, changes.systemDate]),
      [
        ['S13', 'set', ['2031-05-17', today()]],
        ['S13', 'set', [today(), '2031-05-17']],
      ],
    )
    assert.ok(entries[0]!['actor_id'])
    const events = await api.sql`select sequence from event where type = 'systemdate.set' order by position`
    assert.deepEqual(
      events.map(({ sequence }) => sequence),
      events.map((_, index) => index + 1),
    )
  })
})
