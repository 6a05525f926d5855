import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../database/database.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { CustomFields } from './custom-fields.ts'
import { alignIndexes } from './custom-indexes.ts'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.close())

test('an index is created even if that exceeds the statement timeout', async () => {
  await api.sql`
    insert into user_field (id, entity, code, type, labels, indexed)
    values (gen_random_uuid(), 'debtor', 'slow', 'integer', '{"en": "Slow"}', true)`
  await api.call('POST', '/debtors', { body: { lastname: 'Ek' } })
  const statementTimeoutMs = 300
  const pool = openDatabase(api.databaseUrl, { max: 3, statementTimeoutMs })
  try {
    // Creating an index waits for transactions that wrote to the table.
    const writing = api.sql.begin(async (tx) => {
      await tx`update debtor set version = version + 1`
      await sleep(3 * statementTimeoutMs)
    })
    await Promise.all([writing, alignIndexes(pool, new CustomFields(pool), new Map([['debtor', 'debtor']]))])
    const made = await api.sql`
      select i.indisvalid as valid from pg_index i join pg_class c on c.oid = i.indexrelid where c.relname like 'own\\_debtor\\_%'`
    assert.deepEqual(
      made.map(({ valid }) => valid as boolean),
      [true],
    )
    const limits = await Promise.all(
      [1, 2, 3].map(() => pool`select current_setting('statement_timeout') as ms, pg_sleep(0.05)`),
    )
    assert.deepEqual(
      limits.map(([row]) => row!['ms'] as string),
      ['300ms', '300ms', '300ms'],
    )
  } finally {
    await pool.end({ timeout: 5 })
  }
})
