/** What a list is made of. */
import type { Order } from '../../odata/order.ts'
import type { Properties } from '../../odata/properties.ts'
import type { RowSource } from '../find-row.ts'

export interface ListJoin {
  /** `join party p on p.id = c.client_id` */
  join: string
  /** The entity under which `list_total` keeps the joined table's change count. */
  changesKeptAs: string
  /** Its column of names, if `list_total` counts their changes apart. */
  named?: string
  /** The columns in whose order an index gives the rows, such as `m.full_name`. */
  indexed: readonly string[]
  /** The alias of the join that this one needs before it. */
  after?: string
  /**
   * For a joined table of few rows, each with an index of its rows in the list in the order of the list's key:
   * the table itself, and the condition by which the index finds them.
   */
  few?: { from: string; condition: string }
}

/** Amounts that can be added up. All amounts of a row are in its currency. */
export interface ListAmounts {
  /** The column of the currency. */
  currency: string
  /** How many minor units the currency's own one has. */
  perUnit: string
  /** The amounts in minor units, by member. */
  minor: Readonly<Record<string, string>>
}

export interface ListSource<E extends string = string> extends RowSource<E> {
  properties: Properties
  /**
   * Tables of which each row of `from` has one, or with a left join at most one, by alias. A condition or an order joins those that its columns
   * name; counting without the others is several times faster.
   */
  joins?: Readonly<Record<string, ListJoin>>
  /** The order without `$orderby`, when it is not that of the key. */
  defaultOrder?: Order
  /** The entity under which `list_total` keeps this table's row and change counts; counted each time without. */
  totalsKeptAs?: string
  /** If rows are only added and never change: the column of the transaction that added one. */
  addedBy?: string
  /** The column of names, if `list_total` counts their changes apart. */
  named?: string
  /** What `sums` of the query can name. */
  amounts?: ListAmounts
}
