/** Work in chunks and concurrent parts: each chunk runs once, and nothing continues after a failure. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApi, type TestApi } from '../../testing/api.ts'
import { countWork, runChunks, type ChunkedWork, type PartedWork } from './chunked-work.ts'

interface Sum {
  chunks: number
}

let api: TestApi
before(async () => {
  api = await startApi()
  await api.sql`create table worked (part text, chunk int, primary key (part, chunk))`
})
after(() => api.close())

const origin = { actorId: null, requestId: null, operation: 'test', businessDate: '2026-01-01' }

/** Writes a row for each of its chunks, then runs the given function. */
const part = (
  name: string,
  chunks: number,
  then: (chunk: number) => unknown = () => {},
): ChunkedWork<Sum, number> => ({
  none: { chunks: 0 },
  count: async () => chunks,
  run: async (tx, { figures, place }) => {
    const chunk = (place ?? 0) + 1
    await tx`insert into worked values (${name}, ${chunk})`
    await then(chunk)
    return { figures: { chunks: figures.chunks + 1 }, place: chunk, isDone: chunk === chunks, worked: 1 }
  },
})
const parted = (...parts: ChunkedWork<Sum, number>[]): PartedWork<Sum, number> => ({
  parts,
  join: (figures) => ({ chunks: figures.reduce((sum, { chunks }) => sum + chunks, 0) }),
})
const workedBy = async (name: string) =>
  (await api.sql<{ chunk: number }[]>`select chunk from worked where part = ${name} order by chunk`).map(
    ({ chunk }) => chunk,
  )

test('parts run concurrently, each chunk once, and report together', async () => {
  const both = Promise.withResolvers<void>()
  let begun = 0
  // Neither can finish before both have started.
  const meet = () => (++begun === 2 ? both.resolve() : both.promise)
  const work = parted(
    part('a', 3, (chunk) => chunk === 1 && meet()),
    part('b', 2, (chunk) => chunk === 1 && meet()),
  )
  assert.equal(await countWork(api.sql, work, origin), 5)
  const told: number[] = []
  const figures = await runChunks(api.sql, work, origin, async (worked) => void told.push(worked))
  assert.deepEqual(figures, { chunks: 5 })
  assert.deepEqual(told, [1, 2, 3, 4, 5])
  assert.deepEqual(
    [await workedBy('a'), await workedBy('b')],
    [
      [1, 2, 3],
      [1, 2],
    ],
  )
})

test('when one part fails its chunk is rolled back, and the others stop after theirs', async () => {
  const failing = Promise.withResolvers<void>()
  const work = parted(
    part('long', 1000, async (chunk) => {
      if (chunk === 2) failing.resolve()
    }),
    part('failing', 3, async () => {
      await failing.promise
      throw new Error('stumbled')
    }),
  )
  await assert.rejects(runChunks(api.sql, work, origin), /stumbled/)
  const done = await workedBy('long')
  assert.ok(done.length >= 2 && done.length < 1000, `${done.length}`)
  assert.deepEqual(await workedBy('failing'), [])
  await api.sql`select pg_sleep(0.05)`
  assert.deepEqual(await workedBy('long'), done, 'nothing goes on behind the failure')
})
