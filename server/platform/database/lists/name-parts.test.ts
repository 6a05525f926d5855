import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestDatabase } from '../../../testing/database.ts'
import { findNameParts } from './name-parts.ts'

test('the database moves the counters that a filter by the name looks at, each once', async () => {
  const database = await openTestDatabase()
  try {
    const moved = async (names: (string | null)[]) => {
      const [row] = await database.sql<{ counts: number[] }[]>`
        select add_name_parts(array_fill(0, array[61]), ${names}::text[]) as counts`
      return row!.counts.flatMap((count, index) => (count === 0 ? [] : [[index + 1, count]]))
    }
    for (const name of ['Ann', 'Åsa Öberg', 'aaaaaaaaaa', "O'Hara 💶"])
      assert.deepEqual(
        await moved([name, name]),
        findNameParts([name]).map((part) => [part, 1]),
      )
    assert.deepEqual(await moved(['', 'ab', null]), [])
    const many = await moved(Array.from({ length: 101 }, () => 'Ann'))
    assert.deepEqual([many.length, many[0]], [61, [1, 1]])
  } finally {
    await database.close()
  }
})
