/** What a seed is about: which operations it draws often, how its clients meet, what fails around the service. */
import type { Operation } from './operations/operation.ts'
import { operations } from './operations/operations.ts'
import type { Random } from './random.ts'
import type { Tempo } from './scheduling/chooser.ts'
import type { Faults, World } from './world.ts'

export function drawFaults(random: Random, mayCrash: boolean): Faults {
  return {
    lost: random.pick([0, 0.05, 0.25]),
    doubled: random.pick([0, 0.05, 0.3]),
    crashes: random.chance(0.4) && mayCrash,
    receivers: random.pick([0, 0.3, 0.8]),
    twins: random.pick([0, 0.15, 0.5]),
  }
}

export function drawTempo(random: Random): Tempo {
  return {
    clients: random.pick([1, 3, 4, 8]),
    eagerness: random.pick([0.2, 1, 5]),
    lag: random.pick([0, 0.03, 0.15]),
    // What runs now and then must meet transactions that are open.
    haste: random.pick([0.002, 0.01, 0.03]),
    stickiness: random.pick([0, 0.5, 0.9]),
    demotion: random.chance(0.5) ? random.pick([0, 0.01, 0.05]) : undefined,
  }
}

/** Whatever else needs. */
const foundations = new Set(['create debtor', 'register case', 'register payment'])

/**
 * The weights of a seed. Each seed leaves some operations out and has others often (swarm testing): what happens only
 * when few kinds meet many times does not happen where every kind comes once.
 */
export class Swarm {
  readonly #weights = new Map<Operation, number>()
  readonly #only: ReadonlySet<string> | undefined

  constructor(random: Random, only: readonly string[] | undefined) {
    this.#only = only && new Set(only)
    const isPlain = random.chance(0.2)
    for (const operation of operations) {
      const factor = random.pick([0, 0, 0.3, 1, 1, 6])
      const least = foundations.has(operation.name) ? 1 : 0
      this.#weights.set(operation, operation.weight * (isPlain ? 1 : Math.max(least, factor)))
    }
  }

  draw(random: Random, world: World): Operation {
    const isDrawn = ({ name }: Operation) => !this.#only || this.#only.has(name)
    const able = operations.filter((one) => isDrawn(one) && (!one.needs || one.needs(world)))
    if (able.length === 0) throw new Error('None of the operations that are to be drawn can begin.')
    // Whoever names operations wants to see each of them.
    if (this.#only) return random.pick(able)
    const findWeight = (operation: Operation) => this.#weights.get(operation)!
    let place = random.next() * able.reduce((sum, one) => sum + findWeight(one), 0)
    for (const operation of able) {
      place -= findWeight(operation)
      if (place < 0) return operation
    }
    return able[0]!
  }
}
