/**
 * Random numbers that depend on their keys alone, so that the n-th debtor of a seed is the same however many are
 * made. The mixing step is the 32-bit finaliser of MurmurHash3, the stream adds the golden ratio like splitmix.
 */

const goldenRatio = 0x9e3779b9 | 0

/** Signed 32-bit numbers stay unboxed in V8, so all steps but the last keep to them. */
function mix(value: number): number {
  let mixed = value ^ (value >>> 16)
  mixed = Math.imul(mixed, 0x85ebca6b)
  mixed ^= mixed >>> 13
  mixed = Math.imul(mixed, 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}

/** Mixes one more key, a safe integer, into a hash; the result is a signed 32-bit number. */
export function hashKey(hash: number, key: number): number {
  const low = mix(((hash ^ key) + goldenRatio) | 0)
  const high = Math.floor(key / 2 ** 32)
  return high === 0 ? low : mix((low ^ high) + goldenRatio)
}

/** A hash of a text. */
export const hashText = (hash: number, text: string): number =>
  Array.from(text).reduce((sum, letter) => hashKey(sum, letter.codePointAt(0)!), hash)

export interface Random {
  /** A number of at least 0 and below 1. */
  fraction(): number
  /** A whole number of at least 0 and below `limit`. */
  below(limit: number): number
  /** True with the given chance between 0 and 1. */
  chance(probability: number): boolean
}

/** A stream of random numbers that starts at the given hash. */
export function startRandom(hash: number): Random {
  let state = hash | 0
  const fraction = () => {
    state = (state + goldenRatio) | 0
    return (mix(state) >>> 0) / 2 ** 32
  }
  return {
    fraction,
    below: (limit) => Math.floor(fraction() * limit),
    chance: (probability) => fraction() < probability,
  }
}

/** Fills `indexes` with 0, 1, 2, … in an order that the hash decides (Fisher and Yates). */
export function shuffleIndexes(indexes: Uint16Array, hash: number): void {
  for (let index = 0; index < indexes.length; index++) indexes[index] = index
  let state = hash | 0
  for (let last = indexes.length - 1; last > 0; last--) {
    state = (state + goldenRatio) | 0
    const other = (mix(state) >>> 0) % (last + 1)
    const kept = indexes[last]!
    indexes[last] = indexes[other]!
    indexes[other] = kept
  }
}

/** Primes between one hundred thousand and ten million. */
const steps = [
  104_729, 224_737, 350_377, 479_909, 611_953, 746_773, 882_377, 1_020_379, 1_159_523, 1_299_709, 2_750_159,
  4_256_233, 5_800_079, 7_368_787, 8_960_453, 9_576_227,
]

/**
 * Maps the ranks 0 to size − 1 one to one onto 0 to size − 1, without any memory: multiplication by a number that
 * has no divisor in common with the size. The size is at most 2^26, so that the product stays exact, and must have
 * no prime divisor above 100,000.
 */
export function scatterRank(rank: number, size: number, hash: number): number {
  const unsigned = hash >>> 0
  return (rank * steps[unsigned & 15]! + (unsigned >>> 4)) % size
}

/** Draws values by weight in constant time (the alias method of Walker and Vose). */
export function weighValues<T>(
  values: readonly T[],
  getWeight: (value: T, index: number) => number,
): (random: Random) => T {
  if (values.length === 0) throw new Error('weighValues: needs at least one value.')
  const weights = values.map(getWeight)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const shares = weights.map((weight) => (weight * values.length) / total)
  const aliases = shares.map((_, index) => index)
  const small = shares.flatMap((share, index) => (share < 1 ? [index] : []))
  const large = shares.flatMap((share, index) => (share < 1 ? [] : [index]))
  while (small.length > 0 && large.length > 0) {
    const poor = small.pop()!
    const rich = large.pop()!
    aliases[poor] = rich
    shares[rich] = shares[rich]! - (1 - shares[poor]!)
    if (shares[rich]! < 1) small.push(rich)
    else large.push(rich)
  }
  return (random) => {
    const at = random.fraction() * values.length
    const index = Math.floor(at)
    return values[at - index < shares[index]! ? index : aliases[index]!]!
  }
}

/** Draws from a list whose order is its frequency: the n-th value weighs 1 ÷ (n + 4), as names do in a population. */
export const weighByRank = <T>(values: readonly T[]) => weighValues(values, (_, index) => 1 / (index + 5))
