import { lazy, Suspense, type ReactNode } from 'react'
import { useStore } from '../../store.ts'
import type { Selection } from '../use-selection.ts'
import type { CurrencySum } from '../sums/use-sums.ts'
import type { ExportButtonProps } from '../../exports/export-button.tsx'
import { BulkExportContext } from './bulk-export.tsx'
import { lastRun } from './last-run.ts'
import { useMatching, type Matching } from './matching.ts'
import { SelectMatching } from './select-matching.tsx'

const LastRunNote = lazy(() => import('./last-run-note.tsx'))

/** The actions for the chosen rows; for all that the filter matches when `matching` is given. */
export type BulkActions<Row> = (
  rows: readonly Row[],
  clear: () => void,
  matching: Matching | undefined,
) => ReactNode

interface BulkAreaProps<Row extends object> {
  rows: readonly Row[]
  total: number
  filter: string
  /** The chosen rows as they are now. */
  chosen: readonly Row[]
  selection: Selection<Row>
  /** Whether the actions are also for all rows that the filter matches. */
  isMatching: boolean
  /** The sums of all that the filter matches. */
  sums: readonly CurrencySum[] | null | undefined
  /** What the list exports. */
  exported: ExportButtonProps
  children: BulkActions<Row>
}

/** What stands between a list's tools and its rows: the last bulk action, the offer of all rows, the actions. */
export function BulkArea<Row extends object>({
  rows,
  total,
  filter,
  chosen,
  selection,
  ...on
}: BulkAreaProps<Row>) {
  const all = useMatching(filter)
  const last = useStore(lastRun)
  const isPageChosen = rows.length > 0 && rows.every(selection.has)
  const matching = all.matching && isPageChosen ? { ...all.matching, sums: on.sums } : undefined
  const clear = () => {
    all.clear()
    selection.clear()
  }
  return (
    <>
      {on.isMatching && last && (
        <Suspense fallback={null}>
          <LastRunNote key={last.bulkActionGuid} {...last} />
        </Suspense>
      )}
      {on.isMatching && isPageChosen && total > rows.length && (
        <SelectMatching
          count={rows.length}
          total={total}
          matching={all.matching}
          onChoose={() => all.choose(total)}
          onClear={clear}
        />
      )}
      {chosen.length > 0 && (
        <BulkExportContext
          value={{ ...on.exported, size: 'xs', chosen: matching === undefined ? chosen : undefined }}
        >
          {on.children(chosen, clear, matching)}
        </BulkExportContext>
      )}
    </>
  )
}
