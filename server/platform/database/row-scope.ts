/**
 * The row condition of a list or single read. Only the rooms' `*.scope.ts` files define scopes, so a read without the
 * caller's restriction does not compile. A list without restriction says so by `unrestricted`.
 */
import type { SqlText } from '../odata/writer.ts'
import type { Parameter } from './statement.ts'

/** Adds a parameter to the condition and returns its placeholder with a cast: `$3::uuid`. */
export type Bind = (value: Parameter, cast: string) => string

/** A part of the visible rows that an index has in order. Parts do not overlap. */
export interface ScopePart {
  from: string
  /** The row's key in the part; it occurs several times if it `repeats`. */
  key: string
  where: string
  repeats: boolean
  /** Replacements for the columns of the listed table by which the index orders. */
  columns: Readonly<Record<string, string>>
}

type Write = (bind: Bind) => string
type WriteParts = (bind: Bind) => readonly ScopePart[]

/** The one record that all visible rows belong to, and the rest of the condition. */
export interface ScopeParent {
  /** The column with the record's GUID, such as `cd.debtor_id`. */
  column: string
  guid: string
  /** The condition without the record, with its first parameter at the given number. */
  restAt(firstParameter: number): SqlText
}

/**
 * The condition for the rows of an entity that a caller may see. The private member prevents other code from making
 * one.
 */
class RowScope<E extends string> {
  readonly entity: E
  /** Where all rows belong to one record. */
  readonly parent: ScopeParent | undefined
  readonly #write: Write
  readonly #parts: WriteParts

  constructor(entity: E, write: Write, parts: WriteParts, parent?: ScopeParent) {
    this.entity = entity
    this.#write = write
    this.#parts = parts
    this.parent = parent
  }

  /** The condition, with its first parameter at the given number. `true` if everything is visible. */
  at(firstParameter: number): SqlText {
    const { written, parameters } = bindFrom(firstParameter, this.#write)
    return { text: written, parameters }
  }

  /** The same rows as ordered parts, with the parameters of `at`. Empty without such indexes. */
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

/** The GUID of a row found within its caller's restriction; `findVisible` creates it. */
export type VisibleGuid<E extends string> = string & { readonly visible: E }

/**
 * Only for `*.scope.ts` files (checked by `test/restriction.test.ts`). The condition uses the table alias of the
 * entity's lists.
 */
export const defineScope = <E extends string>(
  entity: E,
  write: Write,
  parts: WriteParts = () => [],
): Scope<E> => new RowScope(entity, write, parts)

/** Only for `*.scope.ts` files: the rows that belong to one record, such as a debtor's cases. */
export const defineChildScope = <E extends string>(
  entity: E,
  { column, guid }: { column: string; guid: string },
  write: Write = () => 'true',
): Scope<E> =>
  new RowScope(
    entity,
    (bind) => `${column} = ${bind(guid, 'uuid')} and ${write(bind)}`,
    () => [],
    {
      column,
      guid,
      restAt: (firstParameter) => {
        const { written, parameters } = bindFrom(firstParameter, write)
        return { text: written, parameters }
      },
    },
  )

/** Every row. `test/restriction.test.ts` lists the callers and their reasons. */
export const unrestricted = <E extends string>(entity: E, _reason: string): Scope<E> =>
  defineScope(entity, () => 'true')
