import { readListSearch, type ListSearch } from '../../lists/list-search.ts'

/** Whose work is shown. */
export const whose = ['mine', 'free', 'all', 'coming'] as const
export type Whose = (typeof whose)[number]

export interface WorkSearch extends ListSearch {
  /** The user's own work where it is left out. */
  whose?: Whose | undefined
}

export const readWorkSearch = (search: Record<string, unknown>): WorkSearch => ({
  ...readListSearch(search),
  ...(whose.some((one) => one === search['whose']) && { whose: search['whose'] as Whose }),
})

export const dueWork = (today: string): string => `dueDate le ${today.slice(0, 10)}T00:00:00Z`
export const ownDueWork = (today: string, userGuid: string): string =>
  `${dueWork(today)} and ownerGuid eq '${userGuid}'`
