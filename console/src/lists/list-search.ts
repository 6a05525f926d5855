/** The state of a list is in its address, so that it can be bookmarked and shared. */
export interface ListSearch {
  filter?: string | undefined
  sort?: string | undefined
  page?: number | undefined
  size?: number | undefined
}

export const pageSizes = [25, 50, 100] as const
const [, ...otherSizes] = pageSizes

export function readListSearch({ filter, sort, page, size }: Record<string, unknown>): ListSearch {
  return {
    ...(typeof filter === 'string' && filter !== '' && { filter }),
    ...(typeof sort === 'string' && sort !== '' && { sort }),
    ...(typeof page === 'number' && Number.isInteger(page) && page > 1 && { page }),
    ...(otherSizes.some((one) => one === size) && { size: Number(size) }),
  }
}

export interface Sort {
  member: string
  descending: boolean
}

export function readSort(text: string | undefined): Sort | undefined {
  const [, member, direction] = /^(\w+)(?: (asc|desc))?$/.exec(text ?? '') ?? []
  return member === undefined ? undefined : { member, descending: direction === 'desc' }
}

export const writeSort = ({ member, descending }: Sort): string => (descending ? `${member} desc` : member)
