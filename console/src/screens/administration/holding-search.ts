/** The kind of client records is part of the address. */
import { readListSearch, type ListSearch } from '../../lists/list-search.ts'

const holdingEntities = ['thirdparty', 'account', 'customer', 'purchase', 'object'] as const
export type HoldingEntity = (typeof holdingEntities)[number]

export interface HoldingSearch extends ListSearch {
  kind?: HoldingEntity
}

export function readHoldingSearch(search: Record<string, unknown>): HoldingSearch {
  const kind = holdingEntities.find((one) => one === search['kind'])
  return { ...readListSearch(search), ...(kind && { kind }) }
}
