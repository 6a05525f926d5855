/** What a list shows is in its address, so that it can be gone back to, kept and passed on. */
export interface ListSearch {
  filter?: string
  sort?: string
  page?: number
  size?: number
}

export const pageSizes = [25, 50, 100] as const

export function readListSearch({ filter, sort, page, size }: Record<string, unknown>): ListSearch {
  return {
    ...(typeof filter === 'string' && filter !== '' && { filter }),
    ...(typeof sort === 'string' && sort !== '' && { sort }),
    ...(Number.isInteger(page) && (page as number) > 1 && { page: page as number }),
    ...(pageSizes.includes(size as 50) && size !== pageSizes[0] && { size: size as number }),
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
