/** A statement's result columns, as PostgreSQL describes them, against the type that the program gives its rows. */
import type { Sql } from '../../platform/database/driver/pool.ts'
import { SymbolFlags, TypeFlags, type Type } from 'typescript/unstable/sync'
import type { Source } from './source.ts'
import { parameter, rows } from './values.ts'

export interface Column {
  name: string
  type: number
  /** True of a column of a table, given as it is, that may be null. */
  mayBeNull: boolean
}

/** Describes the results of statements, on one connection so that they see its temporary tables. */
export async function openDescriber(sql: Sql): Promise<(text: string) => Promise<Column[]>> {
  const rowsOfCatalog = await sql<{ key: string }[]>`
    select attrelid::bigint || '.' || attnum as key from pg_attribute join pg_class c on c.oid = attrelid
    where not attnotnull and attnum > 0 and relkind = 'r'`
  const nullable = new Set(rowsOfCatalog.map(({ key }) => key))
  return async (text) => {
    const { columns } = await sql.unsafe(forParser(text)).describe()
    return (columns ?? []).map((column) => {
      const { name, type, table, number } = column as {
        name: string
        type: number
        table: number
        number: number
      }
      return { name, type, mayBeNull: nullable.has(`${table}.${number}`) }
    })
  }
}

/** The text with parameters numbered from 1 without gaps, and rows whose columns are known only at run time left out. */
export function forParser(text: string): string {
  let count = 0
  const numbers = new Map<string, string>()
  return text
    .replaceAll(new RegExp(`(insert into \\S+\\s+)${rows}`, 'gi'), '$1default values')
    .replaceAll(new RegExp(`(update (\\S+)\\s.*?set\\s+)${rows}`, 'gis'), '$1id = id')
    .replaceAll(rows, `(${parameter})`)
    .replaceAll(new RegExp(`${parameter}|\\$(\\d+)`, 'g'), (found, number?: string) => {
      if (number === undefined) return `$${++count}`
      if (!numbers.has(number)) numbers.set(number, `$${++count}`)
      return numbers.get(number)!
    })
}

/** What is wrong with a row type for these columns: members that the statement lacks, values of another kind, and values that may be null where it has none. */
export function findMismatches({ checker }: Source, type: Type, columns: readonly Column[]): string[] {
  const byName = new Map(columns.map((column) => [column.name, column]))
  return checker.getPropertiesOfType(type).flatMap((member) => {
    const column = byName.get(member.name)
    const isOptional = (member.flags & SymbolFlags.Optional) !== 0
    if (!column) return isOptional ? [] : [`has no column ${member.name}`]
    const wanted = checker.getTypeOfSymbol(member)
    const kind = kinds[column.type]
    const given = wanted ? listKinds(wanted) : []
    if (!wanted || !kind || given.length === 0) return []
    if (!given.includes(kind)) return [`gives ${member.name} as ${kind}, not ${checker.typeToString(wanted)}`]
    return column.mayBeNull && !given.includes('null') ? [`may give null as ${member.name}`] : []
  })
}

/** What the driver makes of PostgreSQL's types (`column-types.ts`, `array-types.ts`); JSON may be anything. */
const kinds: Record<number, string> = {
  16: 'boolean',
  17: 'object',
  20: 'number',
  21: 'number',
  23: 'number',
  25: 'string',
  700: 'number',
  701: 'number',
  1000: 'object',
  1007: 'object',
  1009: 'object',
  1016: 'object',
  1043: 'string',
  1082: 'string',
  1114: 'string',
  1182: 'object',
  1184: 'string',
  1700: 'string',
  2951: 'object',
  2950: 'string',
}

/** Empty where a type allows anything. */
function listKinds(type: Type): string[] {
  if (type.isUnionType()) {
    const all = type.getTypes().map(listKinds)
    return all.some((one) => one.length === 0) ? [] : all.flat()
  }
  if (type.flags & TypeFlags.Null) return ['null']
  if (type.flags & TypeFlags.Undefined) return ['undefined']
  if (type.flags & TypeFlags.StringLike) return ['string']
  if (type.flags & TypeFlags.NumberLike) return ['number']
  if (type.flags & TypeFlags.BooleanLike) return ['boolean']
  return type.isObjectType() ? ['object'] : []
}
