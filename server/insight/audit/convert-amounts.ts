/**
 * Converts amounts in audit entries. The trail stores exact whole minor units under names with the prefix
 * `minor`, such as `minorAmount`. Readers get `amount` in units of the currency, as everywhere in the API.
 */
import { fromMinor } from '../../../core/money/money.ts'
import type { Changes } from './masking.ts'

/**
 * Converts the changes of a record with amounts in `currency`. A record without a currency has no amounts.
 */
export const convertAmounts = (changes: Changes, currency: string | null): Changes =>
  currency === null ? changes : (convertValue(changes, currency) as Changes)

function convertValue(value: unknown, currency: string): unknown {
  if (Array.isArray(value)) return value.map((one) => convertValue(one, currency))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, held]) => {
      const [, initial, rest] = /^minor([A-Z])(\w*)$/.exec(name) ?? []
      return initial === undefined
        ? [name, convertValue(held, currency)]
        : [initial.toLowerCase() + rest, toMainUnit(held, currency)]
    }),
  )
}

function toMainUnit(held: unknown, currency: string): unknown {
  if (Array.isArray(held)) return held.map((one) => toMainUnit(one, currency))
  return typeof held === 'number' ? fromMinor(BigInt(held), currency) : held
}
