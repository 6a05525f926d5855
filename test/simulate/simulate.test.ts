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

/** What the operations of each group do to each other; how many seeds at least. */
const surroundings: [about: string, only: string[], seeds: number][] = [
  [
    'the database dies while a lock is held, and again while it comes back',
    ['hold a lock', 'kill the database'],
    3,
  ],
  [
    'a backup is restored, beside deaths of the database',
    ['restore a backup', 'kill the database', 'add fee'],
    2,
  ],
  ['the disk is slow', ['slow the disk', 'hold', 'resume'], 2],
  [
    'a trial of strategies begins and ends meanwhile',
    ['begin trial', 'look at a trial', 'end trial', 'roll the date', 'command'],
    3,
  ],
  [
    'rights change meanwhile',
    ['change role', 'restrict user', 'restrict maker of a webhook', 'use a refresh token again'],
    3,
  ],
  [
    'acts need a second person',
    ['limit acts', 'request an act', 'hold a bank file', 'decide a request', 'payout'],
    3,
  ],
  ['letters wait', ['letter', 'letter that must not leave', 'note', 'erasure after years'], 3],
  ['the time zone of the nodes changes', ['change the time zone', 'day end', 'roll the date', 'plan'], 2],
]
/** Chance decides which operations a seed begins: more seeds follow until each has begun. */
const seedsMost = 8

for (const [about, only, seeds] of surroundings)
  test(`what was acknowledged holds when ${about}`, async () => {
    const begun = new Set<string>()
    const isLacking = (name: string) => !begun.has(name)
    for (let seed = 1; seed <= seeds || (seed <= seedsMost && only.some(isLacking)); seed++) {
      const all = ['register case', 'register payment', ...only]
      const { faults, counts } = await runner.run({ seed, length: 20, only: all })
      assert.deepEqual(faults, [], `npm run simulate -- --seed ${seed} --length 20 --only '${all.join(',')}'`)
      for (const name of Object.keys(counts)) begun.add(name)
    }
    assert.deepEqual(only.filter(isLacking), [])
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
