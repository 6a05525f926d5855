/** A cell of a list: its value, the link to its record, or a value that can be edited where it stands. */
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLabels } from '../texts/labels.ts'
import { InlineCell } from './inline/inline-cell.tsx'
import { cellName, type CellPlace, type Inline } from './inline/use-inline.ts'
import type { ListField } from './list-fields.ts'
import { recordCurrency, showValue } from './show-value.ts'

interface CellProps<Row extends object> {
  record: Row
  field: ListField
  link?: { member: string; to: (row: Row) => string }
  cells?: Record<string, (row: Row) => ReactNode>
  /** Which cells can be edited. */
  inline?: Inline<Row>
  place: CellPlace
  rowName: string
}

export function Cell<Row extends object>(props: CellProps<Row>) {
  const { record: row, field, link, cells, inline, place, rowName } = props
  const { t } = useTranslation()
  const label = useLabels()
  const value = (row as Record<string, unknown>)[field.name]
  const text =
    cells?.[field.name]?.(row) ??
    showValue(field, value, { yes: t('value.yes'), no: t('value.no'), ...recordCurrency(row) })
  if (link?.member === field.name)
    return (
      <td data-title>
        <Link to={link.to(row) as '/'}>{text === '' ? '–' : text}</Link>
      </td>
    )
  const target = inline?.find(row, field.name)
  const isEdited = inline?.edited !== undefined && cellName(inline.edited) === cellName(place)
  return (
    <td
      title={typeof text === 'string' && !isEdited ? text : undefined}
      className={[field.money ? 'amount' : '', isEdited ? 'edited' : ''].join(' ').trim() || undefined}
    >
      {inline && target ? (
        <InlineCell
          target={target}
          place={place}
          label={label(`field.${field.name}`, field.title)}
          rowName={rowName}
          isEdited={isEdited}
          onBegin={inline.begin}
          onLeave={inline.leave}
        >
          {text}
        </InlineCell>
      ) : (
        text
      )}
    </td>
  )
}
