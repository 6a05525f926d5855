import type { Order } from '../../odata/order.ts'
import type { Property } from '../../odata/properties.ts'
import type { ScopePart } from '../row-scope.ts'
import type { Parameter } from '../statement.ts'
import type { SqlText } from '../../odata/writer.ts'
import type { ListJoin, ListSource } from './list-source.ts'

/** The query of a list, compiled. */
export interface Listing {
  source: ListSource
  /**
   * Conditions of which each matching row fulfils one: mostly a single one. A restriction that has several parts has one
   * for each, as the planner knows how many rows one condition leaves, and nothing of several.
   */
  branches: readonly string[]
  parameters: readonly Parameter[]
  /** The filter alone, without the restriction. */
  condition: string | undefined
  /** Follows from each branch and helps where all matching rows are read; its parameters come after the others. */
  narrowing: SqlText | undefined
  /** Whether the branches drop nothing. */
  everything: boolean
  /** The properties that the filter names. */
  filtered: ReadonlySet<Property>
  /** What texts must begin with, by property, as far as the whole filter demands it. */
  prefixes: ReadonlyMap<Property, string>
  /** What texts must contain, by property, as far as the whole filter demands it. */
  pieces: ReadonlyMap<Property, readonly string[]>
  /** Whether the restriction names no column but the key. */
  isByKey: boolean
  /** The rows in parts whose indexes have the order asked for and the columns of the filter; none where these do not. */
  parts: readonly ScopePart[]
  order: Order
  skip: number
  top: number
  /** What is known of the total; only for rows that are never changed. */
  settled?: Settled | undefined
}

/** The matching rows of the transactions below a number, all of which had ended. */
export interface Settled {
  rows: number
  below: string
  /** The number of all matching rows when it was last looked at. */
  total: number
}

export const ordered = ({ order }: Listing): Property[] => order.terms.map(({ property }) => property)

/** The branches where all matching rows are read, and their parameters. */
export const matchAll = ({
  branches,
  parameters,
  narrowing,
}: Listing): Pick<Listing, 'branches' | 'parameters'> =>
  narrowing
    ? {
        branches: branches.map((where) => `${where} and ${narrowing.text}`),
        parameters: [...parameters, ...narrowing.parameters],
      }
    : { branches, parameters }

export const joinBranches = ({ branches }: Listing): string => branches.join(' or ')

export const collate = ({ type }: Property): string => (type === 'string' ? ' COLLATE fordra_order' : '')

/**
 * The table of the list with those of its joins that the properties' columns or the condition need; without properties,
 * with all of them.
 */
export function writeTables(source: ListSource, properties?: Iterable<Property>, where = ''): string {
  return [source.from, ...findJoins(source, properties, where).map(({ join }) => join)].join(' ')
}

function findJoins(
  { joins = {} }: ListSource,
  properties: Iterable<Property> | undefined,
  where: string,
): ListJoin[] {
  const texts = properties && [where, ...[...properties].map(({ column }) => column)]
  const named = Object.entries(joins).filter(
    ([alias]) => !texts || texts.some((text) => new RegExp(`\\b${alias}\\.`).test(text)),
  )
  const needed = new Set(
    named.flatMap(([alias, { after }]) => [...(after === undefined ? [] : [after]), alias]),
  )
  return Object.entries(joins).flatMap(([alias, join]) => (needed.has(alias) ? [join] : []))
}
