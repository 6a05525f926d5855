import { useState } from 'react'

export interface Selection<Row> {
  rows: readonly Row[]
  has: (row: Row) => boolean
  set: (rows: readonly Row[], chosen: boolean) => void
  clear: () => void
}

/** The selected rows. They stay selected when the list shows another page. */
export function useSelection<Row>(getKey: (row: Row) => string): Selection<Row> {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Row>>(new Map())
  return {
    rows: [...chosen.values()],
    has: (row) => chosen.has(getKey(row)),
    set: (rows, isChosen) =>
      setChosen((former) => {
        const next = new Map(former)
        for (const row of rows) {
          if (isChosen) next.set(getKey(row), row)
          else next.delete(getKey(row))
        }
        return next
      }),
    clear: () => setChosen(new Map()),
  }
}
