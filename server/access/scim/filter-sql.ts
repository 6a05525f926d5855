/** Compiles filters to conditions of SQL. Values reach the database as parameters. */
import { isGuid } from '../../../core/text/guid.ts'
import type { Parameter } from '../../platform/database/statement.ts'
import type { SqlText } from '../../platform/odata/writer.ts'
import { findAttribute } from './attribute-path.ts'
import { badFilter, type Comparison, type Filter } from './filter-syntax.ts'
import type { ResourceType } from './schemas.ts'

export interface FilterColumn {
  /** An expression; of a `set` the condition that one of its values is the identifier `$value`. */
  sql: string
  /** `login` compares as sign-in does, `text` in any letter case, `exact` as it is written. */
  kind: 'login' | 'text' | 'exact' | 'flag' | 'moment' | 'guid' | 'set'
}

/** By path: attribute and sub-attribute. An attribute alone stands for its value. */
export type FilterColumns = Readonly<Record<string, FilterColumn>>

type Compare = Extract<Filter, { kind: 'compare' }>

export function compileFilter(
  filter: Filter,
  type: ResourceType,
  columns: FilterColumns,
  firstParameter: number,
): SqlText {
  const parameters: Parameter[] = []
  const bind = (value: Parameter, cast: string) => {
    parameters.push(value)
    return `$${firstParameter + parameters.length - 1}::${cast}`
  }
  const findColumn = (path: string): FilterColumn => {
    const found = findAttribute(type, path)
    const name = found && found.attribute.name + (found.sub ? `.${found.sub.name}` : '')
    const column = name ? columns[name] : undefined
    if (!column) throw badFilter(`${path.slice(0, 100)} cannot be filtered by.`)
    return column
  }
  const write = (one: Filter, inside: string): string => {
    switch (one.kind) {
      case 'and':
      case 'or':
        return `(${one.parts.map((part) => write(part, inside)).join(` ${one.kind} `)})`
      case 'not':
        return `(${write(one.part, inside)}) is not true`
      case 'within':
        if (inside !== '') throw badFilter('[ ] cannot stand within [ ].')
        return write(one.part, `${one.path}.`)
      case 'present': {
        const { sql, kind } = findColumn(inside + one.path)
        if (kind === 'set') throw badFilter(`${one.path} can be compared by eq only.`)
        return `(${sql}) is not null`
      }
      case 'compare':
        return writeComparison(findColumn(inside + one.path), one, bind)
    }
  }
  const text = write(filter, '')
  return { text, parameters }
}

function writeComparison(
  { sql, kind }: FilterColumn,
  { path, comparison, value }: Compare,
  bind: (value: Parameter, cast: string) => string,
): string {
  if (value === null) return `(${sql}) is ${comparison === 'ne' ? 'not ' : ''}null`
  if (kind === 'flag') {
    const flag = typeof value === 'string' ? value.toLowerCase() : String(value)
    if ((flag !== 'true' && flag !== 'false') || (comparison !== 'eq' && comparison !== 'ne'))
      throw badFilter(`${path} is compared by eq or ne with true or false.`)
    return `(${sql}) ${comparison === 'eq' ? '=' : '<>'} ${flag}`
  }
  const text = String(value)
  if (kind === 'guid' || kind === 'set') {
    if (comparison !== 'eq') throw badFilter(`${path} is compared by eq only.`)
    if (!isGuid(text)) return 'false'
    const given = bind(text, 'uuid')
    return kind === 'set' ? sql.replaceAll('$value', given) : `${sql} = ${given}`
  }
  if (kind === 'moment') return writeMoment(sql, path, comparison, text, bind)
  const fold = kind === 'login' ? 'folded_login' : kind === 'text' ? 'lower' : ''
  return writeTextComparison(`${fold}(${sql})`, `${fold}(${bind(text, 'text')})`, path, comparison)
}

const orders: Partial<Record<Comparison, string>> = {
  eq: '=',
  ne: '<>',
  gt: '>',
  ge: '>=',
  lt: '<',
  le: '<=',
}

function writeMoment(
  sql: string,
  path: string,
  comparison: Comparison,
  text: string,
  bind: (value: Parameter, cast: string) => string,
): string {
  const at = new Date(text)
  const order = orders[comparison]
  if (!order || Number.isNaN(at.getTime()))
    throw badFilter(
      `${path} is compared by eq, ne, gt, ge, lt or le with a moment such as "2026-06-30T12:00:00Z".`,
    )
  return `${sql} ${order} ${bind(at.toISOString(), 'timestamptz')}`
}

function writeTextComparison(column: string, given: string, path: string, comparison: Comparison): string {
  switch (comparison) {
    case 'eq':
      return `${column} = ${given}`
    case 'ne':
      return `${column} is distinct from ${given}`
    case 'co':
      return `position(${given} in ${column}) > 0`
    case 'sw':
      return `starts_with(${column}, ${given})`
    case 'ew':
      return `right(${column}, length(${given})) = ${given}`
    default:
      throw badFilter(`${path} is a text: it is compared by eq, ne, co, sw or ew.`)
  }
}
