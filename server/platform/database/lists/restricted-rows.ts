/** The rows that a caller may see, written so that the planner knows how many they are. */
import type { CompiledFilter } from '../../odata/filter.ts'
import type { Order } from '../../odata/order.ts'
import type { Properties, Property } from '../../odata/properties.ts'
import type { Scope, ScopePart } from '../row-scope.ts'

/**
 * A condition for each part of the restriction. Of the rows in several parts together the planner expects 200 different
 * ones; for a client with 80,000 debtors it then looked up each of them.
 */
export function writeBranches(visible: Scope<string>, key: string, filter: string | undefined): string[] {
  const parts = visible.partsAt(1)
  const conditions =
    parts.length > 1
      ? parts.map((part) => `${key} in (select ${part.key} from ${part.from} where ${part.where})`)
      : [visible.at(1).text]
  return filter === undefined ? conditions : conditions.map((condition) => `${condition} and (${filter})`)
}

interface PartFilter {
  /** The properties that the filter names. */
  named: ReadonlySet<Property>
  properties: Properties
  compile(properties: Properties): CompiledFilter | undefined
}

/** The parts, if each has the columns of the order and the filter; else none. */
export function orderParts(
  visible: Scope<string>,
  { terms }: Order,
  filter: PartFilter | undefined,
): readonly ScopePart[] {
  const [term, further] = terms
  if (term === undefined || further) return []
  const parts = visible.partsAt(1)
  const columns = [term.property, ...(filter?.named ?? [])].map(({ column }) => column)
  if (!parts.every((part) => columns.every((column) => column in part.columns))) return []
  if (!filter) return parts
  return parts.map((part) => {
    const replaced = [...filter.properties].map(
      ([name, property]) =>
        [name, { ...property, column: part.columns[property.column] ?? property.column }] as const,
    )
    return { ...part, where: `${part.where} and (${filter.compile(new Map(replaced))!.text})` }
  })
}
