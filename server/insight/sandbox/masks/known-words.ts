/** Texts that say nothing of a person: codes, names of members, events. */
import { allAccessCodes } from '../../../../contract/access/access.ts'
import { operations } from '../../../../contract/api.ts'
import { eventTypes } from '../../../../contract/platform/event-types.ts'
import { languages } from '../../../../contract/platform/languages.ts'
import { columnKinds, listKinds } from './column-kinds.ts'
import type { MaskKind } from './mask-kinds.ts'

/** The codes and members that the contract declares, and those given, such as keys of lookups. */
export function collectKnownWords(more: Iterable<string>): Set<string> {
  const words = new Set<string>([...languages, ...allAccessCodes, ...eventTypes, ...more])
  for (const type of eventTypes) for (const part of type.split('.')) words.add(part)
  for (const { name, id, params, query, body, response } of operations) {
    words.add(name).add(id)
    for (const schema of [params, query, body, response]) collect(schema, words)
  }
  return words
}

/** Examples and descriptions are not among them: they hold names. */
function collect(schema: unknown, words: Set<string>): void {
  if (Array.isArray(schema)) for (const one of schema) collect(one, words)
  if (schema === null || typeof schema !== 'object') return
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'enum' || key === 'x-extensible-enum')
      for (const one of value as unknown[]) words.add(String(one))
    else if (key === 'const') words.add(String(value))
    else if (key === 'properties') for (const name of Object.keys(value as object)) words.add(name)
    if (key !== 'example' && key !== 'examples' && key !== 'default') collect(value, words)
  }
}

const camelCase = (column: string) => column.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())

/**
 * What becomes of a member of a document, by the columns of its name. A name that only some tables keep is masked.
 */
export function collectMembers(): Map<string, MaskKind> {
  const members = new Map<string, MaskKind>()
  for (const table of Object.keys(columnKinds))
    for (const { column, kind } of listKinds(table)) {
      const name = camelCase(column)
      if (kind !== 'keep' || !members.has(name)) members.set(name, kind)
    }
  return members
}
