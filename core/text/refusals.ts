/**
 * What the service says is wrong, in a reader's words. The service speaks English, which programs read too; `data/refusals.json`
 * has the patterns of its messages, and the area `refusal` of the texts says the same to readers in each language.
 */
import patterns from '../../data/refusals.json' with { type: 'json' }

export type RefusalKey = keyof typeof patterns
export const refusalKeys = Object.keys(patterns) as RefusalKey[]

export interface Refusal {
  key: RefusalKey
  /** What the message has in the places of its pattern. */
  values: Readonly<Record<string, string>>
}

const place = /\{(\w+)\}/g
const escape = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

interface Pattern {
  key: RefusalKey
  form: RegExp
  /** Characters that are not places: of two patterns that fit, the one with more of them says more. */
  fixed: number
}

function readPattern(key: RefusalKey, pattern: string): Pattern {
  const parts = pattern.split(place)
  const form = parts.map((part, index) => (index % 2 === 0 ? escape(part) : `(?<${part}>.*?)`)).join('')
  return { key, form: new RegExp(`^${form}$`, 's'), fixed: pattern.replaceAll(place, '').length }
}

const known: readonly Pattern[] = Object.entries(patterns)
  .flatMap(([key, all]) => all.map((pattern) => readPattern(key as RefusalKey, pattern)))
  .toSorted((one, other) => other.fixed - one.fixed)

/** The pattern that a message of the service follows. Undefined for a message that has none. */
export function findRefusal(message: string): Refusal | undefined {
  for (const { key, form } of known) {
    const found = form.exec(message)
    if (found) return { key, values: { ...found.groups } }
  }
  return undefined
}
