/** The first users of an installation, and their audit entries. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSettings } from '../../platform/config.ts'
import { openTestDatabase } from '../../testing/database.ts'
import { ensureFirstUsers } from './first-users.ts'

for (const demo of ['0', '1']) {
  test(`with FORDRA_DEMO=${demo} every first party and user has one audit entry`, async () => {
    const database = await openTestDatabase()
    const { sql } = database
    const settings = readSettings({ FORDRA_DEMO: demo, FORDRA_COMPANY: 'Inkasso AB' })
    await Promise.all([1, 2].map(() => ensureFirstUsers(sql, settings, '2026-01-01')))
    const made = await sql<
      { id: string }[]
    >`select id from party union all select id from app_user order by id`
    assert.ok(made.length >= 2)
    const told = await sql<{ id: string; type: string; sequence: number }[]>`
      select entity_id as id, type, sequence from audit_entry order by entity_id`
    assert.deepEqual(
      told.map(({ id }) => id),
      made.map(({ id }) => id),
    )
    assert.deepEqual([...new Set(told.map(({ type }) => type))].toSorted(), ['party.created', 'user.created'])
    assert.ok(told.every(({ sequence }) => sequence === 1))
    const [agency] = await sql`
      select a.changes -> 'name' as name from audit_entry a join party p on p.id = a.entity_id where p.parent_id is null`
    assert.deepEqual(agency!['name'], [null, 'Inkasso AB'])
    await database.close()
  })
}

const guessable: [what: string, password: string][] = [
  ['the name of the agency', 'Nordinkasso Nordinkasso'],
  ['the e-mail of the administrator', 'chefen@nord.example'],
  ['a common one', 'passwordpassword'],
]
for (const [what, password] of guessable) {
  test(`a password of the first administrator that is ${what} refuses the start`, async () => {
    const database = await openTestDatabase()
    const settings = readSettings({
      FORDRA_COMPANY: 'Nordinkasso',
      FORDRA_ADMIN_EMAIL: 'chefen@nord.example',
      FORDRA_ADMIN_PASSWORD: password,
    })
    await assert.rejects(ensureFirstUsers(database.sql, settings, '2026-01-01'), (error: Error) => {
      assert.match(error.message, /^FORDRA_ADMIN_PASSWORD (must not|is )/)
      assert.ok(!error.message.includes(password), 'the message does not show the password')
      return true
    })
    const [made] = await database.sql`select count(*)::int as users from app_user`
    assert.equal(made!['users'], 0)
    await database.close()
  })
}

test('a good password of the first administrator is taken', async () => {
  const database = await openTestDatabase()
  const settings = readSettings({ FORDRA_ADMIN_PASSWORD: 'en lång mening som chefen valt' })
  assert.deepEqual(await ensureFirstUsers(database.sql, settings, '2026-01-01'), [])
  const [made] = await database.sql`select count(*)::int as users from app_user`
  assert.equal(made!['users'], 1)
  await database.close()
})
