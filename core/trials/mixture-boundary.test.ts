import assert from 'node:assert/strict'
import { test } from 'node:test'
import { logGamma, lowerGamma, mixtureBoundary } from './mixture-boundary.ts'

const near = (actual: number, expected: number) =>
  assert.ok(
    Math.abs(actual - expected) < 1e-10 * Math.max(1, Math.abs(expected)),
    `${actual}, not ${expected}`,
  )

test('the logarithm of the gamma function is that of factorials and of the root of pi', () => {
  near(logGamma(1), 0)
  near(logGamma(11), Math.log(3_628_800))
  near(logGamma(0.5), Math.log(Math.PI) / 2)
  near(logGamma(0.25), Math.log(3.625609908221908))
})

test('the incomplete gamma function is that of the exponential and of the Erlang distribution', () => {
  for (const x of [0.1, 1, 3, 20]) near(lowerGamma(1, x), 1 - Math.exp(-x))
  for (const x of [0.5, 2, 6, 30]) near(lowerGamma(3, x), 1 - Math.exp(-x) * (1 + x + (x * x) / 2))
  near(lowerGamma(0.5, 1), 0.8427007929497149)
})

test('the bound is where the wealth reaches its threshold, and grows with the variance', () => {
  const boundary = mixtureBoundary(0.025, { scale: 2, tunedFor: 1000 })
  const bounds = [1, 10, 100, 1000, 100_000].map(boundary.bound)
  assert.ok(bounds.every((bound, at) => at === 0 || bound > bounds[at - 1]!))
  for (const [at, variance] of [1, 10, 100, 1000, 100_000].entries())
    assert.ok(Math.abs(boundary.logWealth(bounds[at]!, variance) - boundary.threshold) < 1e-5)
})

test('the wealth begins at one', () => {
  near(mixtureBoundary(0.025, { scale: 2, tunedFor: 1000 }).logWealth(0, 0), 0)
})

/** With a small scale a case can do little harm, and the boundary is near the normal mixture of proposition 5. */
test('a small scale gives about the boundary of the one-sided normal mixture', () => {
  const probability = 0.025
  const two = 2 * Math.log(1 / (2 * probability))
  const rho = 1000 / (two + Math.log(1 + two))
  const { bound } = mixtureBoundary(probability, { scale: 0.05, tunedFor: 1000 })
  for (const variance of [500, 1000, 5000]) {
    const sum = variance + rho
    const normal = Math.sqrt(2 * sum * Math.log((1 / (2 * probability)) * Math.sqrt(sum / rho) + 1))
    assert.ok(Math.abs(bound(variance) / normal - 1) < 0.02, `${bound(variance)}, not ${normal}`)
  }
})
