import { lazy, Suspense, type MouseEvent, type ReactNode } from 'react'
import { Cell } from './cell.tsx'
import { cardParts, type Inline } from './inline/use-inline.ts'
import type { ListField } from './list-fields.ts'
import { SelectRow } from './select-cell.tsx'
import type { Selection } from './use-selection.ts'

const CardEdit = lazy(() => import('./inline/card-edit.tsx'))

export type MemberName<Row> = keyof Row & string

/** How rows of a kind of record are shown. */
export interface RowProps<Row> {
  getKey: (row: Row) => string
  /** The member with the link to the record; its column stays visible when the table is scrolled. */
  link?: { member: MemberName<Row>; to: (row: Row) => string }
  /** Renders members that the default format does not suit. */
  cells?: Record<string, (row: Row) => ReactNode>
  /** Shown at the end of each row. */
  rowAction?: (row: Row) => ReactNode
}

interface ListRowProps<Row extends object> extends RowProps<Row> {
  row: Row
  rows: readonly Row[]
  shown: readonly ListField[]
  selection?: Selection<Row>
  inline: Inline<Row>
  /** On a telephone, where the row is a card with an action of its own. */
  isCard: boolean
  onOpen: (event: MouseEvent, row: Row) => void
}

export function ListRow<Row extends object>(props: ListRowProps<Row>) {
  const { row, rows, shown, selection, inline, isCard, getKey, link, cells, rowAction, onOpen } = props
  const name = rowName(row, link?.member)
  return (
    <tr
      data-row={link ? 'opens' : ''}
      data-chosen={selection?.has(row) || undefined}
      onClick={(event) => onOpen(event, row)}
    >
      {selection && (
        <td className="select">
          <SelectRow row={row} rows={rows} name={name} selection={selection} />
        </td>
      )}
      {shown.map((field) => (
        <Cell
          key={field.name}
          record={row}
          field={field}
          {...(link && { link })}
          {...(cells && { cells })}
          {...(!isCard && { inline })}
          place={{ row: getKey(row), column: field.name }}
          rowName={name}
        />
      ))}
      {rowAction && (
        <td data-row-action style={{ textAlign: 'end' }}>
          {rowAction(row)}
        </td>
      )}
      {isCard && inline.forms.length > 0 && (
        <td>
          <Suspense fallback={null}>
            <CardEdit parts={cardParts(inline, row, shown)} rowName={name} />
          </Suspense>
        </td>
      )}
    </tr>
  )
}

export const rowName = (row: object, member: string | undefined): string =>
  String((row as Record<string, unknown>)[member ?? ''] ?? '')
