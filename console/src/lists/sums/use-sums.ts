/** The sums of a list's amounts over all rows that its filter matches. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ListName } from '../../../../client/operations.ts'
import { readingByName } from '../../api/queries.ts'

/** The sums of the rows in one currency. */
export interface CurrencySum {
  currencyCode: string | null
  count: number
  amounts: Readonly<Record<string, number>>
}

export interface ListSums {
  /** Undefined until they are known, and null when there are too many rows to add up in time. */
  sums: readonly CurrencySum[] | null | undefined
  isBusy: boolean
  /** Adds up. Undefined when there is nothing to ask for. */
  ask: (() => void) | undefined
}

/** Up to so many rows are added up without being asked to. */
const rowsMax = 10_000

/** Rows without an amount, such as objections to whole claims, have no sum to show. */
const isNothing = (sums: ListSums['sums']): boolean =>
  !!sums && sums.every(({ amounts }) => Object.values(amounts).every((amount) => amount === 0))

interface SummedList {
  operation: ListName
  input?: object
  /** The amounts that can be added up. */
  sums?: readonly string[]
}

interface Shown {
  columns: readonly string[]
  filter: string
  total: number | undefined
}

export function useSums({ operation, input, sums: summed = [] }: SummedList, shown: Shown): ListSums {
  const { columns, filter, total = 0 } = shown
  const members = columns.filter((column) => summed.includes(column))
  const [askedFilter, setAskedFilter] = useState<string>()
  const isWanted = members.length > 0 && total > 0
  const enabled = isWanted && (total <= rowsMax || askedFilter === filter)
  const query = useQuery({
    ...readingByName(operation, {
      ...input,
      ...(filter !== '' && { $filter: filter }),
      $top: 0,
      sums: members.join(','),
    }),
    enabled,
  })
  const { sums } = (query.data?.body ?? {}) as Pick<Partial<ListSums>, 'sums'>
  return {
    sums: isWanted && !isNothing(sums) ? sums : undefined,
    isBusy: enabled && query.isFetching && sums === undefined,
    ask: isWanted && !enabled && sums === undefined ? () => setAskedFilter(filter) : undefined,
  }
}
