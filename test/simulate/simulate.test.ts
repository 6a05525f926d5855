/** A short run of the simulator, and that it finds what it is there to find. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { SeedRunner } from './run-worker.ts'

const runner = new SeedRunner()
after(() => runner.stop())

test('a few seeds hold', async () => {
  for (const seed of [1, 3]) {
    const { faults } = await runner.run({ seed, length: 15, calm: true })
    assert.deepEqual(faults, [], `npm run simulate -- --seed ${seed} --length 15`)
  }
})

test('a fault that is planted in the service is found', async () => {
  const planted = new SeedRunner('answer-not-kept')
  try {
    let found: string[] = []
    for (let seed = 1; found.length === 0 && seed <= 30; seed++)
      found = (await planted.run({ seed, length: 15, calm: true })).faults
    assert.match(found.join('\n'), /by one key/)
  } finally {
    await planted.stop()
  }
})
