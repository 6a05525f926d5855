/** Which of what clients have is listed is in the address too. */
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
