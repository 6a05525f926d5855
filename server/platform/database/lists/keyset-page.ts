/**
 * Pages of a list that go on after the last row of the page before (keyset). Each page costs the same however far it is,
 * and rows that come or go between two pages neither repeat others nor hide them.
 */
import { compileFilter } from '../../odata/filter.ts'
import { compileOrder, type Order, type OrderTerm } from '../../odata/order.ts'
import { columnExpression, type Properties } from '../../odata/properties.ts'
import { castFor } from '../../odata/writer.ts'
import type { Scope } from '../row-scope.ts'
import { runStatement, type Parameter } from '../statement.ts'
import type { Db } from '../transaction.ts'
import type { ListSource } from './list-source.ts'
import { writeTables } from './listing.ts'

/** Where a page ended: the row's values of the order's terms, and its key, as texts of the database. */
export interface Position {
  values: readonly (string | null)[]
  key: string
}

export interface KeysetQuery {
  $filter?: string | undefined
  $orderby?: string | undefined
  after?: Position | undefined
  skip: number
  top: number
}

export interface KeysetContext {
  /** The members that the filter and the order may name. */
  properties: Properties
  /** What is selected. */
  select: string
  /** The business date. */
  today: string
}

export interface KeysetPage {
  rows: Record<string, unknown>[]
  /** Undefined for the last page. */
  next: Position | undefined
}

/** A position of another order. */
export class WrongPosition extends Error {}

const collation = 'fordra_order'

export async function readKeysetPage<E extends string>(
  db: Db,
  { source, visible }: { source: ListSource<E>; visible: Scope<NoInfer<E>> },
  { $filter, $orderby, after, skip, top }: KeysetQuery,
  { properties, select, today }: KeysetContext,
): Promise<KeysetPage> {
  const scope = visible.at(1)
  const parameters: Parameter[] = [...scope.parameters]
  const conditions = [scope.text]
  if ($filter?.trim()) {
    const now = `${today}T${new Date().toISOString().slice(11)}`
    const filter = compileFilter(properties, $filter, {
      collation,
      firstParameter: parameters.length + 1,
      now,
    })
    parameters.push(...filter.parameters)
    conditions.push(`(${filter.text})`)
  }
  const order = compileOrder(properties, $orderby?.trim() || undefined, { collation, key: source.key })
  if (after) {
    if (after.values.length !== order.terms.length)
      throw new WrongPosition('The position is of another order.')
    const bind = (value: string, cast: string) => `$${parameters.push(value)}::text::${cast}`
    conditions.push(writeAfter(order, source.key, after, bind))
  }
  if (top === 0) return { rows: [], next: undefined }
  const places = order.terms.map(
    ({ property }, index) => `, ${columnExpression(property)}::text as "$${index}"`,
  )
  const rows = await runStatement<Record<string, unknown>>(
    db,
    `select ${select}, ${source.key}::text as "$key"${places.join('')} from ${writeTables(source)}
     where ${conditions.join(' and ')} order by ${order.text} limit ${top + 1} offset ${skip}`,
    parameters,
  )
  const last = rows.length > top ? rows[top - 1]! : undefined
  const next = last && {
    values: order.terms.map((_, index) => last[`$${index}`] as string | null),
    key: last['$key'] as string,
  }
  return { rows: rows.slice(0, top), next }
}

type Bind = (value: string, cast: string) => string

/** The rows after a position in the order. */
function writeAfter(
  { terms, keyDescending }: Order,
  key: string,
  { values, key: at }: Position,
  bind: Bind,
): string {
  const rest = terms.reduceRight(
    (after, term, index) => writeAfterTerm(term, values[index]!, after, bind),
    `${key} ${keyDescending ? '<' : '>'} ${bind(at, 'uuid')}`,
  )
  return `(${rest})`
}

/** Nulls are first ascending and last descending. */
function writeAfterTerm(
  { property, descending }: OrderTerm,
  value: string | null,
  after: string,
  bind: Bind,
): string {
  const column = columnExpression(property)
  if (value === null) {
    const tie = `${column} is null and (${after})`
    return descending ? `(${tie})` : `(${column} is not null or ${tie})`
  }
  const collate = property.type === 'string' ? ` collate ${collation}` : ''
  const bound = bind(value, castFor(property.type))
  const beyond = `${column}${collate} ${descending ? '<' : '>'} ${bound}`
  const tie = `(${column} = ${bound} and (${after}))`
  if (descending) return `(${beyond} or ${column} is null or ${tie})`
  // The first condition lets an index start at the position.
  return `(${column}${collate} >= ${bound} and (${beyond} or ${tie}))`
}
