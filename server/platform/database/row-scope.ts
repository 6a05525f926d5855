/**
 * The condition that a list or a single read is restricted by. Only the `*.scope.ts` files of the rooms define scopes, so
 * a read without the caller's restriction does not compile. A list that has no restriction says so by `unrestricted`.
 */
import type { SqlText } from '../odata/filter.ts'
import type { Parameter } from './statement.ts'

/** Adds a parameter to the condition and returns its placeholder with the cast: `$3::uuid`. */
export type Bind = (value: Parameter, cast: string) => string

/** A part of the visible rows that an index holds in an order. No row is in two of them. A scope in parts names the key alone. */
export interface ScopePart {
  from: string
  /** The row's key in it; several times where it `repeats`. */
  key: string
  where: string
  repeats: boolean
  /** What stands for the columns of the listed table by which the index orders. */
  columns: Readonly<Record<string, string>>
}

type Write = (bind: Bind) => string
type WriteParts = (bind: Bind) => readonly ScopePart[]

/** The condition that holds for the rows of an entity that a caller may see. Its private member makes it unforgeable. */
class RowScope<E extends string> {
  readonly entity: E
  readonly #write: Write
  readonly #parts: WriteParts

  constructor(entity: E, write: Write, parts: WriteParts) {
    this.entity = entity
    this.#write = write
    this.#parts = parts
  }

  /** The condition, its first parameter being the given one. `true` where everything may be seen. */
  at(firstParameter: number): SqlText {
    const { written, parameters } = bindFrom(firstParameter, this.#write)
    return { text: written, parameters }
  }

  /** The same rows as parts that are read in order, with the parameters of `at`; none where there are no such indexes. */
  partsAt(firstParameter: number): readonly ScopePart[] {
    return bindFrom(firstParameter, this.#parts).written
  }
}

function bindFrom<T>(firstParameter: number, write: (bind: Bind) => T) {
  const parameters: Parameter[] = []
  const written = write((value, cast) => {
    parameters.push(value)
    return `$${firstParameter + parameters.length - 1}::${cast}`
  })
  return { written, parameters }
}

export type Scope<E extends string> = RowScope<E>

/** The guid of a row that was found within its caller's restriction: `findVisible` makes it of what it has read. */
export type VisibleGuid<E extends string> = string & { readonly visible: E }

/** For `*.scope.ts` files alone (`test/restriction.test.ts`). The condition names the columns by the alias of the entity's lists. */
export const defineScope = <E extends string>(
  entity: E,
  write: Write,
  parts: WriteParts = () => [],
): Scope<E> => new RowScope(entity, write, parts)

/** Every row. `test/restriction.test.ts` lists who asks for it, and why: the reason is for whoever reads. */
export const unrestricted = <E extends string>(entity: E, _reason: string): Scope<E> =>
  defineScope(entity, () => 'true')
