/** What texts must begin with for a whole condition to be true, and how rows are found by it. */
import type { SqlText } from './writer.ts'
import type { Property } from './properties.ts'
import type { Expression } from './tree.ts'

const containing: ReadonlySet<string> = new Set(['contains', 'startswith', 'endswith'])

/** The texts that a conjunction demands properties to contain, as a whole or at an end. */
export function findPieces(condition: Expression): Map<Property, string[]> {
  const pieces = new Map<Property, string[]>()
  for (const term of condition.kind === 'and' ? condition.terms : [condition]) {
    if (term.kind !== 'call' || !containing.has(term.name)) continue
    const [text, piece] = term.takes
    if (text?.kind !== 'property' || piece?.kind !== 'literal') continue
    pieces.set(text.property, [...(pieces.get(text.property) ?? []), String(piece.value)])
  }
  return pieces
}

/** The prefixes that a conjunction demands by `startswith(property, 'literal')`. */
export function findPrefixes(condition: Expression): Map<Property, string> {
  const terms = condition.kind === 'and' ? condition.terms : [condition]
  return new Map(
    terms.flatMap((term): [Property, string][] => {
      if (term.kind !== 'call' || term.name !== 'startswith') return []
      const [text, prefix] = term.takes
      if (text?.kind !== 'property' || prefix?.kind !== 'literal' || prefix.value === '') return []
      return [[text.property, String(prefix.value)]]
    }),
  )
}

/** A join rather than a list of keys, since a short prefix may match many rows. */
export function writePrefixLookups(
  prefixes: ReadonlyMap<Property, string>,
  firstParameter: number,
): SqlText | undefined {
  const found = [...prefixes].flatMap(([{ lookup }, prefix]) =>
    lookup && prefix.length >= (lookup.shortestBeginning ?? 1) ? [{ lookup, prefix }] : [],
  )
  if (found.length === 0) return undefined
  const texts = found.map(
    ({ lookup: { key, select } }, index) =>
      `${key} IN (${select(`ARRAY[$${firstParameter + index}::text]`, 'beginning')})`,
  )
  return { text: texts.join(' AND '), parameters: found.map(({ prefix }) => prefix) }
}
