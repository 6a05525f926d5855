import { Box, Skeleton } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef, useState, type MouseEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLabels } from '../texts/labels.ts'
import { Icon } from '../widgets/icons.tsx'
import { useCards, useIsTelephone } from '../widgets/use-cards.ts'
import { useInline } from './inline/use-inline.ts'
import { ListRow, rowName, type RowProps } from './list-row.tsx'
import type { ListField } from './list-fields.ts'
import { readSort, writeSort } from './list-search.ts'
import { expectRows, noteRows } from './skeleton-rows.ts'
import { SelectPage } from './select-cell.tsx'
import { SumRows } from './sums/sum-rows.tsx'
import type { CurrencySum } from './sums/use-sums.ts'
import { useRowKeys } from './use-row-keys.ts'
import type { Selection } from './use-selection.ts'

const PeekDialog = lazy(() => import('./peek-dialog.tsx'))

interface DataTableProps<Row> extends RowProps<Row> {
  /** The list's operation, by which its rows may be edited. */
  operation?: string
  fields: readonly ListField[]
  columns: string[]
  rows: Row[] | undefined
  sort: string | undefined
  onSort: (sort: string | undefined) => void
  busy: boolean
  failed: boolean
  /** Shown in place of rows. */
  nothing: ReactNode
  selection?: Selection<Row>
  /** Rows with less space. */
  dense?: boolean
  /** The sums of amounts over all matching rows. */
  sums?: readonly CurrencySum[] | null | undefined
}

const none: never[] = []

export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { fields, columns, rows, getKey, rowAction, busy, failed, nothing, selection, sums } = props
  const { t } = useTranslation()
  const span = columns.length + (rowAction ? 1 : 0) + (selection ? 1 : 0)
  const records = rows ?? none
  const shownFields = columns.map((name) => fields.find((field) => field.name === name)!)
  const frame = useRef<HTMLDivElement>(null)
  useCards(frame)
  const [peeked, setPeeked] = useState<Row>()
  useRowKeys(frame, (row) => setPeeked(records[row]))
  const { link } = props
  const openRow = useOpenRow(link)
  const isCards = useIsTelephone()
  const expected = useExpectedRows(props.operation, rows?.length)
  const inline = useInline({ operation: props.operation, rows: records, columns, getKey, link: link?.member })
  return (
    <Box
      ref={frame}
      style={{ overflowX: 'auto', position: 'relative' }}
      tabIndex={0}
      role="region"
      aria-label={t('list.rows')}
    >
      <table className={props.dense ? 'data-table dense' : 'data-table'} aria-busy={busy}>
        <thead>
          <tr>
            {selection && (
              <th className="select">
                <SelectPage rows={records} selection={selection} />
              </th>
            )}
            {shownFields.map((field) => (
              <Heading key={field.name} field={field} sort={props.sort} onSort={props.onSort} />
            ))}
            {rowAction && (
              <th>
                <span className="visually-hidden">{t('list.actions')}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows === undefined && !failed && <SkeletonRows columns={span} rows={expected} />}
          {rows?.length === 0 && (
            <tr>
              <td colSpan={span}>{nothing}</td>
            </tr>
          )}
          {records.map((row) => (
            <ListRow
              key={getKey(row)}
              {...props}
              row={row}
              rows={records}
              shown={shownFields}
              inline={inline}
              isCard={isCards}
              onOpen={openRow}
            />
          ))}
        </tbody>
        {sums && sums.length > 0 && (
          <SumRows
            fields={shownFields}
            sums={sums}
            isSelectable={selection !== undefined}
            hasActions={rowAction !== undefined}
          />
        )}
      </table>
      {peeked !== undefined && (
        <Suspense fallback={null}>
          <PeekDialog
            title={rowName(peeked, link?.member)}
            record={peeked}
            fields={fields}
            to={link?.to(peeked)}
            onClose={() => setPeeked(undefined)}
          />
        </Suspense>
      )}
    </Box>
  )
}

/** A press beside the row's own links and buttons opens its record. One in a list that a cell has opened is none of the row. */
function useOpenRow<Row>(link: RowProps<Row>['link']) {
  const navigate = useNavigate()
  return (event: MouseEvent, row: Row) => {
    const target = event.target as Element
    const isBeside = !event.currentTarget.contains(target)
    const isOwn = target.closest('a, button, input, label, summary, form') !== null
    if (!link || isBeside || isOwn || event.defaultPrevented || String(window.getSelection()) !== '') return
    void navigate({ to: link.to(row) as '/' })
  }
}

interface HeadingProps {
  field: ListField
  sort: string | undefined
  onSort: (sort: string | undefined) => void
}

/** Toggles ascending, descending and the default order. */
function Heading({ field, sort, onSort }: HeadingProps) {
  const label = useLabels()
  const current = readSort(sort)
  const sorted = current?.member === field.name ? (current.descending ? 'descending' : 'ascending') : 'none'
  const text = label(`field.${field.name}`, field.title)
  const side = field.money ? 'amount' : undefined
  if (!field.filterable)
    return (
      <th scope="col" className={side}>
        {text}
      </th>
    )
  const next =
    sorted === 'none'
      ? writeSort({ member: field.name, descending: false })
      : sorted === 'ascending'
        ? writeSort({ member: field.name, descending: true })
        : undefined
  return (
    <th scope="col" aria-sort={sorted} className={side}>
      <button type="button" className="sort" onClick={() => onSort(next)}>
        {text}
        {sorted !== 'none' && <Icon name={sorted === 'ascending' ? 'up' : 'down'} size={13} />}
      </button>
    </th>
  )
}

function useExpectedRows(operation = '', count: number | undefined): number {
  const [expected] = useState(() => expectRows(operation))
  useEffect(() => {
    if (operation !== '' && count !== undefined) noteRows(operation, count)
  }, [operation, count])
  return expected
}

function SkeletonRows({ columns, rows }: { columns: number; rows: number }) {
  return Array.from({ length: rows }, (_, row) => (
    <tr key={row} aria-hidden="true" data-skeleton>
      {Array.from({ length: columns }, (_cell, column) => (
        <td key={column}>
          <Skeleton height={12} my={4} width={`${60 + ((row * 7 + column * 13) % 35)}%`} />
        </td>
      ))}
    </tr>
  ))
}
