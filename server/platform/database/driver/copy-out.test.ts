/** Rows of a `copy … to stdout` stay what they were while they wait for a slow reader. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openTestDatabase } from '../../../testing/database.ts'

test('rows that wait for their reader are not overwritten by later ones', async () => {
  const { sql, close } = await openTestDatabase()
  try {
    const count = 60_000
    await sql.begin(async (tx) => {
      const read = await tx
        .unsafe(
          `copy (select n || repeat('-', 1 + n % 997) || n from generate_series(1, ${count}) n) to stdout`,
        )
        .readable()
      const chunks: Buffer[] = []
      for await (const chunk of read as AsyncIterable<Buffer>) {
        chunks.push(chunk)
        // The reader falls behind, and what has arrived waits.
        await sleep(1)
      }
      const lines = Buffer.concat(chunks).toString().trimEnd().split('\n')
      const wrong = lines.filter((line, index) => {
        const n = index + 1
        return line !== `${n}${'-'.repeat(1 + (n % 997))}${n}`
      })
      assert.deepEqual([lines.length, wrong.length], [count, 0])
    })
  } finally {
    await close()
  }
})
