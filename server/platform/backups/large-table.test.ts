/** A table of many parts comes back row by row: rows wait while a part is compressed. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { checkArchive, restoreArchive } from './restore-backup.ts'
import { writeBackup } from './write-backup.ts'

const count = 200_000
const folder = mkdtempSync(join(tmpdir(), 'fordra-large-'))
let source: TestDatabase
let target: TestDatabase
before(async () => {
  source = await openTestDatabase()
  target = await openTestDatabase()
})
after(async () => {
  await source.close()
  await target.close()
  rmSync(folder, { recursive: true })
})

test('every row of a table of several parts is restored as it was', async () => {
  const file = join(folder, 'large.tar')
  // Each row shows by itself whether it is whole.
  await source.sql`
    insert into search_word (word)
    select n || repeat('-', 1 + n % 97) || n from generate_series(1, ${count}::int) n`
  await writeBackup(source.sql, file)
  await restoreArchive(target.sql, await checkArchive(file))
  const [rows] = await target.sql<{ all: number; distinct: number; whole: number }[]>`
    select count(*)::int as all, count(distinct word)::int as distinct,
      (count(*) filter (where word ~ '^([0-9]+)-+\\1$'))::int as whole
    from search_word`
  assert.deepEqual(rows, { all: count, distinct: count, whole: count })
})
