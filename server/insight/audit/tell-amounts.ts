/**
 * The trail keeps amounts in minor units, as whole numbers that nothing rounds, each by its member's name with `minor`
 * before it: `minorAmount`. Who reads it is told amounts as everywhere else: `amount`, in the main unit.
 */
import { fromMinor } from '../../../core/money/money.ts'
import type { Changes } from './masking.ts'

/** Changes of a record whose amounts are in `currency`; null where it has none, and then nothing is an amount. */
export const tellAmounts = (changes: Changes, currency: string | null): Changes =>
  currency === null ? changes : (tell(changes, currency) as Changes)

function tell(value: unknown, currency: string): unknown {
  if (Array.isArray(value)) return value.map((one) => tell(one, currency))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, held]) => {
      const [, initial, rest] = /^minor([A-Z])(\w*)$/.exec(name) ?? []
      return initial === undefined
        ? [name, tell(held, currency)]
        : [initial.toLowerCase() + rest, inMainUnit(held, currency)]
    }),
  )
}

function inMainUnit(held: unknown, currency: string): unknown {
  if (Array.isArray(held)) return held.map((one) => inMainUnit(one, currency))
  return typeof held === 'number' ? fromMinor(BigInt(held), currency) : held
}
