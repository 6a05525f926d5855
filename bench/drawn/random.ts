/** Below 1, and at least 0. */
export type Random = () => number

/** Numbers that depend on the seed alone (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export const draw = <T>(random: Random, items: readonly T[]): T => {
  if (items.length === 0) throw new Error('There is nothing to draw from.')
  return items[Math.floor(random() * items.length)]!
}
