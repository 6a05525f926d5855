/**
 * The gamma-exponential mixture boundary, by which a sum with a known scale stays at all times at once.
 *
 * Source: Howard, Ramdas, McAuliffe and Sekhon, Time-uniform, nonparametric, nonasymptotic confidence sequences,
 * Annals of Statistics 49(2), 2021: proposition 9 and section 3.5. Formulas as in the authors' library confseq.
 */

/** Lanczos approximation with nine terms: relative error below 1e-13 for positive numbers. */
const lanczos = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
]

/** The logarithm of the gamma function of a positive number. */
export function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x)
  const shifted = x + 6.5
  let sum = lanczos[0]!
  for (let term = 1; term < 9; term++) sum += lanczos[term]! / (x + term - 1)
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(shifted) - shifted + Math.log(sum)
}

const precision = 1e-12
const termsMax = 100_000

/** The regularized lower incomplete gamma function P(a, x), for positive a and x. */
export function lowerGamma(a: number, x: number): number {
  const factor = Math.exp(a * Math.log(x) - x - logGamma(a))
  return x < a + 1 ? factor * lowerSeries(a, x) : 1 - factor * upperFraction(a, x)
}

function lowerSeries(a: number, x: number): number {
  let term = 1 / a
  let sum = term
  for (let at = 1; at < termsMax && term > sum * precision; at++) {
    term *= x / (a + at)
    sum += term
  }
  return sum
}

/** The continued fraction of the upper function, by Lentz's method. */
function upperFraction(a: number, x: number): number {
  let b = x + 1 - a
  let c = 1e300
  let d = 1 / b
  let value = d
  for (let at = 1; at < termsMax; at++) {
    const term = -at * (at - a)
    b += 2
    d = 1 / nonZero(term * d + b)
    c = nonZero(b + term / c)
    value *= d * c
    if (Math.abs(d * c - 1) < precision) break
  }
  return value
}

const nonZero = (x: number) => (Math.abs(x) < 1e-300 ? 1e-300 : x)

export interface MixtureBoundary {
  /** The logarithm of the supermartingale, for a sum of at least 0 and its variance. */
  logWealth: (sum: number, variance: number) => number
  /** What the sum stays below at all times, except with the probability of the boundary. */
  bound: (variance: number) => number
  /** The logarithm of the wealth at which the boundary is crossed. */
  threshold: number
}

/**
 * A one-sided boundary that is crossed with at most the given probability. It is narrowest about where the
 * variance is `tunedFor`, and valid everywhere. `scale` is the largest step down.
 */
export function mixtureBoundary(
  probability: number,
  { scale, tunedFor }: { scale: number; tunedFor: number },
): MixtureBoundary {
  const threshold = Math.log(1 / probability)
  const twoSided = 2 * Math.log(1 / (2 * probability))
  const square = scale * scale
  const rho = tunedFor / (twoSided + Math.log(1 + twoSided)) / square
  const constant = rho * Math.log(rho) - logGamma(rho) - Math.log(lowerGamma(rho, rho))
  const logWealth = (sum: number, variance: number) => {
    const shape = variance / square + rho
    const at = shape + sum / scale
    return constant + logGamma(shape) + Math.log(lowerGamma(shape, at)) - shape * Math.log(at) + at - rho
  }
  const bound = (variance: number) => {
    let low = 0
    let high = scale
    while (logWealth(high, variance) < threshold) high *= 2
    for (let step = 0; step < 50 && high - low > 1e-9 * high; step++) {
      const middle = (low + high) / 2
      if (logWealth(middle, variance) < threshold) low = middle
      else high = middle
    }
    return high
  }
  return { logWealth, bound, threshold }
}
