/** Synthetic trials with a planted effect, drawn from a seed. */

export interface PlantedTrial {
  /** The challenger's part of the cases. */
  share: number
  casesPerDay: number
  days: number
  /** The champion's probability that a case is paid in full, and that a part of it is. */
  inFull: number
  inPart: number
  /** What the challenger adds to the probability that a case is paid in full. */
  effect: number
}

export interface SimulatedOutcomes {
  isChallenger: Uint8Array
  /** By case: collected share of the claim, paid in full, and money up to the highest amount counted, as its part. */
  outcomes: readonly [Float64Array, Float64Array, Float64Array]
  /** The true effect on each outcome. */
  effects: readonly [number, number, number]
}

/** Marsaglia's xorshift128: the same numbers on every machine. */
export function drawFrom(seed: number): () => number {
  const state = new Uint32Array([seed ^ 0x9e3779b9, 362436069, 521288629, 88675123])
  const next = () => {
    const mixed = state[0]! ^ (state[0]! << 11)
    state.copyWithin(0, 1)
    state[3] = state[2]! ^ (state[2]! >>> 19) ^ mixed ^ (mixed >>> 8)
    return state[3] / 2 ** 32
  }
  for (let at = 0; at < 20; at++) next()
  return next
}

/** Amounts of claims from 50 to 40,000 with a long tail, of which money counts at most 10,000. */
const claims = Float64Array.from({ length: 200 }, (_, at) => 50 * 800 ** (at / 199))
const moneyMax = 10_000
const meanCounted = claims.reduce((sum, claim) => sum + Math.min(claim, moneyMax), 0) / claims.length

/** A trial as `chance` gives it: no effect in one of four, else up to 15 percentage points either way. */
export function drawTrial(chance: () => number): PlantedTrial {
  const inFull = 0.2 + 0.4 * chance()
  return {
    share: [0.1, 0.2, 0.5, 0.5, 0.7][Math.floor(chance() * 5)]!,
    casesPerDay: 5 + Math.floor(chance() * 21),
    days: 180,
    inFull,
    inPart: 0.2 * chance(),
    effect: chance() < 0.25 ? 0 : 0.3 * (chance() - 0.5),
  }
}

/** The outcomes of a planted trial. A case that is paid in part is paid evenly between nothing and all. */
export function simulateTrial(trial: PlantedTrial, chance: () => number): SimulatedOutcomes {
  const cases = trial.casesPerDay * trial.days
  const isChallenger = new Uint8Array(cases)
  const outcomes = [new Float64Array(cases), new Float64Array(cases), new Float64Array(cases)] as const
  for (let at = 0; at < cases; at++) {
    isChallenger[at] = chance() < trial.share ? 1 : 0
    const inFull = trial.inFull + isChallenger[at]! * trial.effect
    const drawn = chance()
    const paid = drawn < inFull ? 1 : drawn < inFull + trial.inPart ? chance() : 0
    outcomes[0][at] = paid
    outcomes[1][at] = paid === 1 ? 1 : 0
    const claim = claims[Math.floor(chance() * claims.length)]!
    outcomes[2][at] = Math.min(claim * paid, moneyMax) / moneyMax
  }
  const { effect } = trial
  return { isChallenger, outcomes, effects: [effect, effect, (effect * meanCounted) / moneyMax] }
}
