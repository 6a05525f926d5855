/** All rows of a list that its filter matches, as a person has selected them. */
import { useState } from 'react'
import type { CurrencySum } from '../sums/use-sums.ts'

export interface Matching {
  /** The filter of the list; empty for all. */
  filter: string
  /** How many the person was told. */
  total: number
  /** Their amounts, as far as they are known. */
  sums?: readonly CurrencySum[] | null | undefined
}

/** Whether all matching rows are selected. Another filter ends the selection. */
export function useMatching(filter: string) {
  const [chosen, setChosen] = useState<Matching>()
  return {
    matching: chosen?.filter === filter ? chosen : undefined,
    choose: (total: number) => setChosen({ filter, total }),
    clear: () => setChosen(undefined),
  }
}
