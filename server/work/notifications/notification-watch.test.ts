import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mock, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { openTestDatabase } from '../../testing/database.ts'
import { watchNotifications } from './notification-watch.ts'

test('a node that closes while somebody follows notifications asks its closed database nothing', async () => {
  const database = await openTestDatabase()
  const errors: unknown[] = []
  mock.timers.enable({ apis: ['setTimeout'] })
  const watch = watchNotifications(database.sql, (error) => errors.push(error))
  const following = watch.change(randomUUID(), '', 60_000, new AbortController().signal)
  watch.stop()
  await following
  await database.close()
  mock.timers.tick(2_000)
  await turn()
  mock.timers.reset()
  assert.deepEqual(errors, [])
})
