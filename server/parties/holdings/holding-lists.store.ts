/** The lists of what clients have besides cases. */
import type { TObject } from 'typebox'
import * as contract from '../../../contract/parties/holding-lists.ts'
import { currenciesWith } from '../../../core/identity/codes.ts'
import { memberColumns, selectList } from '../../platform/database/columns.ts'
import {
  listRows,
  type ListContext,
  type ListSource,
  type Page,
  type PageQuery,
} from '../../platform/database/list.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { visibleHoldings } from './holdings.scope.ts'
import { filterableProperties } from '../../platform/odata/properties.ts'
import * as kinds from './holding-kinds.ts'
import type { HoldingKind } from './holding-kinds.ts'

/** A list's rows, and the alias of its table for custom fields. */
export interface HoldingList<Row> {
  entity: string
  read(db: Db, caller: Caller, query: PageQuery, context: ListContext): Promise<Page<Row>>
}

/** How many minor units a currency's own one has, as a whole number in SQL. */
const minorPerUnit = `case ${[0, 3, 4]
  .map((digits) => `when h.currency_code in (${quoted(currenciesWith(digits))}) then ${10 ** digits}`)
  .join(' ')} else 100 end`
function quoted(codes: readonly string[]): string {
  return codes.map((code) => `'${code}'`).join(', ')
}

/** Besides the table's own columns. `exact` is for comparing, `select` for answering. */
const joined: Record<string, { exact: string; select?: string }> = {
  clientName: { exact: 'p.name' },
  customerName: { exact: 'k.name' },
  amount: {
    exact: `(h.amount_minor::numeric / (${minorPerUnit}))`,
    select: `(h.amount_minor / (${minorPerUnit})::float8)`,
  },
}

function defineList<Row extends object>(kind: HoldingKind, item: TObject, joins = ''): HoldingList<Row> {
  const own = memberColumns(Object.keys(item.properties), 'h', { ...kind.columns, [kind.guidName]: 'id' })
  const write = (how: 'exact' | 'select') =>
    Object.fromEntries(
      Object.entries(own).map(([name, column]) => [
        name,
        joined[name]?.[how] ?? joined[name]?.exact ?? column,
      ]),
    )
  const source: ListSource<'holding'> = {
    entity: 'holding',
    from: `${kind.table} h join party p on p.id = h.client_id${joins}`,
    key: 'h.id',
    select: selectList(write('select')),
    properties: filterableProperties(item, write('exact')),
    ...('amount' in item.properties && {
      amounts: { currency: 'h.currency_code', perUnit: minorPerUnit, minor: { amount: 'h.amount_minor' } },
    }),
  }
  return {
    entity: kind.entity,
    read: (db, caller, query, context) =>
      listRows<Row, 'holding'>(db, source, visibleHoldings(caller), query, context),
  }
}

export const thirdParties = defineList<contract.ThirdPartyListItem>(
  kinds.thirdParty,
  contract.ThirdPartyListItem,
)
export const accounts = defineList<contract.AccountListItem>(kinds.account, contract.AccountListItem)
export const customers = defineList<contract.CustomerListItem>(kinds.customer, contract.CustomerListItem)
export const purchases = defineList<contract.PurchaseListItem>(
  kinds.purchase,
  contract.PurchaseListItem,
  ' left join customer k on k.id = h.customer_id',
)
export const objects = defineList<contract.ObjectListItem>(kinds.object, contract.ObjectListItem)
