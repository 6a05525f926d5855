import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { drawFrom, drawTrial, simulateTrial, type PlantedTrial } from '../testing/simulated-trial.ts'
import { detectableEffect, EffectSequence, neededCases } from './effect-sequence.ts'

const error = 0.05

/** Looks at three outcomes each day, which share the error. Says whether all intervals held, and whether fixed ones did. */
function lookDaily(trial: PlantedTrial, chance: () => number) {
  const { isChallenger, outcomes, effects } = simulateTrial(trial, chance)
  const sequences = outcomes.map(() => new EffectSequence({ share: trial.share, error: error / 3 }))
  let held = true
  let at = 0
  for (let day = 0; day < trial.days; day++) {
    for (let end = at + trial.casesPerDay; at < end; at++)
      for (const [number, sequence] of sequences.entries())
        sequence.add(isChallenger[at] === 1, outcomes[number]![at]!)
    held &&= sequences.every((sequence, number) => sequence.holds(effects[number]!))
  }
  const shown = !sequences[1]!.holds(0)
  return { held, shown, effect: effects[1], estimate: sequences[1]!.interval().estimate }
}

test('in at least 95% of 2,000 runs all intervals hold the planted effects at every daily look', () => {
  const chance = drawFrom(20261126)
  const runs = Array.from({ length: 2000 }, () => lookDaily(drawTrial(chance), chance))
  const held = runs.filter((run) => run.held).length
  assert.ok(held >= 1900, `${held} of 2,000 runs held`)
  const without = runs.filter(({ effect }) => effect === 0)
  assert.ok(without.length > 400)
  assert.ok(without.filter(({ shown }) => shown).length <= without.length * error)
  const large = runs.filter(({ effect }) => Math.abs(effect) > 0.1)
  assert.ok(large.filter(({ shown }) => shown).length > large.length * 0.6)
  assert.ok(large.every(({ shown, effect, estimate }) => !shown || effect * estimate > 0))
})

/** The usual interval of one look, looked at daily: what this replaces. */
function missesOnceDaily(trial: PlantedTrial, chance: () => number): boolean {
  const { isChallenger, outcomes } = simulateTrial(trial, chance)
  const sums = [0, 0]
  const counts = [0, 0]
  return outcomes[1].some((outcome, at) => {
    const arm = isChallenger[at]!
    sums[arm]! += outcome
    counts[arm]! += 1
    if ((at + 1) % trial.casesPerDay !== 0 || counts.some((count) => count < 30)) return false
    const means = sums.map((sum, one) => sum / counts[one]!)
    const variance = means.reduce((sum, mean, one) => sum + (mean * (1 - mean)) / counts[one]!, 0)
    return Math.abs(means[1]! - means[0]! - trial.effect) > 1.96 * Math.sqrt(variance)
  })
}

test('the usual interval of one look fails in more than a fifth of the runs when it is looked at daily', () => {
  const chance = drawFrom(7)
  const missed = Array.from({ length: 500 }, () => missesOnceDaily(drawTrial(chance), chance))
  assert.ok(missed.filter(Boolean).length > 100)
})

for (const [share, casesPerDay] of [
  [0.5, 10],
  [0.5, 50],
  [0.2, 30],
] as const)
  test(`the stated power holds: share ${share}, ${casesPerDay * 100} cases`, () => {
    const inFull = 0.4
    const terms = { share, error: error / 3 }
    const effect = detectableEffect(casesPerDay * 100, { ...terms, variance: inFull * (1 - inFull) })
    const chance = drawFrom(casesPerDay)
    const trial = { share, casesPerDay, days: 100, inFull, inPart: 0, effect }
    const runs = Array.from({ length: 600 }, () => lookDaily(trial, chance))
    const shown = runs.filter((run) => run.shown).length / runs.length
    assert.ok(shown > 0.74 && shown < 0.88, `${shown} of the runs show ${effect}`)
  })

test('the table of the power in the rules is current', async () => {
  const page = await readFile(new URL('../../docs/domain/strategies.md', import.meta.url), 'utf8')
  for (const cases of [500, 1000, 2500, 5000, 10_000, 25_000]) {
    const points = [0.5, 0.2, 0.1].map((share) =>
      (100 * detectableEffect(cases, { share, error: error / 3, variance: 0.24 })).toFixed(1),
    )
    const row = page
      .split('\n')
      .find((line) => line.startsWith('|') && line.includes(` ${cases.toLocaleString('en')} |`))
    assert.deepEqual(row?.match(/\d+\.\d/g), points)
  }
})

test('the interval is that of the boundary around the mean, and holds what it says', () => {
  const sequence = new EffectSequence({ share: 0.5, error })
  assert.deepEqual(sequence.interval(), { estimate: 0, from: -1, to: 1 })
  const chance = drawFrom(3)
  for (let at = 0; at < 2000; at++) {
    const isChallenger = chance() < 0.5
    sequence.add(isChallenger, chance() < (isChallenger ? 0.5 : 0.3) ? 1 : 0)
  }
  const { estimate, from, to } = sequence.interval()
  assert.ok(Math.abs(estimate - 0.2) < 0.06)
  assert.ok(from < estimate && estimate < to && to - from < 0.2)
  assert.ok(sequence.holds(from + 1e-6) && sequence.holds(to - 1e-6))
  assert.ok(!sequence.holds(from - 1e-6) && !sequence.holds(to + 1e-6))
})

test('outcomes, shares and errors outside their range are refused', () => {
  const sequence = new EffectSequence({ share: 0.5, error })
  for (const outcome of [-0.01, 1.01, Number.NaN])
    assert.throws(() => sequence.add(true, outcome), RangeError)
  for (const share of [0, 1, Number.NaN])
    assert.throws(() => new EffectSequence({ share, error }), RangeError)
  for (const wrong of [0, 0.5])
    assert.throws(() => new EffectSequence({ share: 0.5, error: wrong }), RangeError)
})

test('the needed cases are the fewest that show the effect', () => {
  const terms = { share: 0.2, error: error / 3, variance: 0.24 }
  for (const effect of [0.02, 0.05, 0.1, 0.9]) {
    const cases = neededCases(effect, terms)!
    assert.ok(detectableEffect(cases, terms) <= effect, `${effect}: ${cases}`)
    assert.ok(detectableEffect(cases - 1, terms) > effect, `${effect}: ${cases - 1}`)
  }
  assert.equal(neededCases(1e-6, terms), null)
})
