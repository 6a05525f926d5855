/**
 * How much better a challenger does than the champion, with an interval that holds at all looks at once.
 *
 * Each case in either arm gives an unbiased estimate of the effect: its outcome, less what was expected from former
 * cases of the arm, divided by the arm's share. Their mean has an empirical Bernstein confidence sequence. The cases
 * need not be alike: the interval is about the mean effect on the cases so far.
 *
 * Source: Howard, Ramdas, McAuliffe and Sekhon, Annals of Statistics 49(2), 2021: theorem 4 and corollary 2, with
 * the means of former cases as in Waudby-Smith et al., Time-uniform central limit theory and asymptotic confidence
 * sequences, Annals of Statistics 52(6), 2024, section 3.
 */
import { mixtureBoundary, type MixtureBoundary } from './mixture-boundary.ts'

export interface Interval {
  estimate: number
  from: number
  to: number
}

/** Cases at which the interval is narrowest, and the variance of an outcome there. It is valid at every number. */
const tunedCases = 3000
const tunedVariance = 0.15
/** The standard normal quantile of 80%. */
const power80 = 0.8416212335729143

export interface EffectTerms {
  /** The challenger's part of the cases of both arms, above 0 and below 1. */
  share: number
  /** The probability, at most, that the interval ever fails to hold. */
  error: number
}

const boundaryFor = ({ share, error }: EffectTerms): MixtureBoundary =>
  mixtureBoundary(error / 2, {
    scale: 1 / Math.min(share, 1 - share),
    tunedFor: (tunedCases * tunedVariance) / (share * (1 - share)),
  })

/** Outcomes are added in an order that is fixed without them, such as the date on which they are counted. */
export class EffectSequence {
  readonly #share: number
  readonly #boundary: MixtureBoundary
  #cases = 0
  #sum = 0
  #variance = 0
  /** The sum of outcomes and their number, of the champion and of the challenger, beginning with one case of ½. */
  readonly #sums = new Float64Array([0.5, 0.5])
  readonly #counts = new Float64Array([1, 1])

  constructor(terms: EffectTerms) {
    const { share, error } = terms
    if (!(share > 0 && share < 1)) throw new RangeError('The share must be above 0 and below 1.')
    if (!(error > 0 && error < 0.5)) throw new RangeError('The error must be above 0 and below 0.5.')
    this.#share = share
    this.#boundary = boundaryFor(terms)
  }

  /** Adds the outcome of a case, from 0 to 1. Throws a RangeError for another. */
  add(isChallenger: boolean, outcome: number): void {
    if (!(outcome >= 0 && outcome <= 1)) throw new RangeError('An outcome must be from 0 to 1.')
    const arm = isChallenger ? 1 : 0
    const champion = this.#sums[0]! / this.#counts[0]!
    const challenger = this.#sums[1]! / this.#counts[1]!
    const surprise = isChallenger
      ? (outcome - challenger) / this.#share
      : (champion - outcome) / (1 - this.#share)
    this.#cases += 1
    this.#sum += challenger - champion + surprise
    this.#variance += surprise * surprise
    this.#sums[arm]! += outcome
    this.#counts[arm]! += 1
  }

  /** The interval now; from −1 to 1 before the first case. */
  interval(): Interval {
    return computeInterval({ cases: this.#cases, sum: this.#sum, variance: this.#variance }, this.#boundary)
  }

  /** Whether the interval holds an effect, without computing its ends. */
  holds(effect: number): boolean {
    const off = Math.abs(this.#sum - this.#cases * effect)
    return this.#boundary.logWealth(off, this.#variance) < this.#boundary.threshold
  }
}

/** What a sequence knows after its last case: the sums of the estimates and of the squares of their surprises. */
export interface EffectTotals {
  cases: number
  sum: number
  variance: number
}

/** The interval of a sequence by its totals, for those that the database computes. */
export const effectInterval = (totals: EffectTotals, terms: EffectTerms): Interval =>
  computeInterval(totals, boundaryFor(terms))

function computeInterval({ cases, sum, variance }: EffectTotals, boundary: MixtureBoundary): Interval {
  if (cases === 0) return { estimate: 0, from: -1, to: 1 }
  const estimate = sum / cases
  const width = boundary.bound(variance) / cases
  return {
    estimate: clamp(estimate),
    from: clamp(estimate - width),
    to: clamp(estimate + width),
  }
}

const clamp = (value: number) => Math.min(1, Math.max(-1, value))

/**
 * The power: the least effect that a trial of so many cases in both arms shows with a probability of 80%, if
 * outcomes have the given variance in each arm. An interval shows an effect when it does not hold 0.
 */
export function detectableEffect(
  cases: number,
  { variance, ...terms }: EffectTerms & { variance: number },
): number {
  const total = (cases * variance) / (terms.share * (1 - terms.share))
  return (boundaryFor(terms).bound(total) + power80 * Math.sqrt(total)) / cases
}

/** A trial of more cases than this is not planned. */
const neededMax = 10_000_000

/** The least number of cases of both arms by which a trial shows an effect with a probability of 80%; null for too many. */
export function neededCases(effect: number, terms: EffectTerms & { variance: number }): number | null {
  let enough = 2
  while (detectableEffect(enough, terms) > effect) if ((enough *= 2) > neededMax) return null
  let tooFew = enough / 2
  while (enough - tooFew > 1) {
    const middle = Math.floor((tooFew + enough) / 2)
    if (detectableEffect(middle, terms) > effect) tooFew = middle
    else enough = middle
  }
  return enough
}
