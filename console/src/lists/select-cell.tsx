/** Native checkboxes, because a page has a hundred of them and they must render fast. */
import { useRef, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { Selection } from './use-selection.ts'

/** Selects all rows of the page, or none. */
export function SelectPage<Row>({ rows, selection }: { rows: readonly Row[]; selection: Selection<Row> }) {
  const { t } = useTranslation()
  const chosen = rows.filter(selection.has).length
  return (
    <input
      type="checkbox"
      ref={(box) => {
        if (box) box.indeterminate = chosen > 0 && chosen < rows.length
      }}
      aria-label={t('bulk.selectPage')}
      // Of a page that is still being read there is nothing to select.
      disabled={rows.length === 0}
      checked={rows.length > 0 && chosen === rows.length}
      onChange={(event) => selection.set(rows, event.currentTarget.checked)}
    />
  )
}

interface SelectRowProps<Row> {
  row: Row
  rows: readonly Row[]
  name: string
  selection: Selection<Row>
}

const findBoxes = (box: HTMLElement) => [
  ...box.closest('tbody')!.querySelectorAll<HTMLInputElement>('input[data-select]'),
]

/** Selects a row. Arrow keys move to the next row; with Shift they select it too, as does a click with Shift. */
export function SelectRow<Row>({ row, rows, name, selection }: SelectRowProps<Row>) {
  const { t } = useTranslation()
  const box = useRef<HTMLInputElement>(null)
  const index = rows.indexOf(row)
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const next = rows[index + step]
    if (step === 0 || next === undefined) return
    event.preventDefault()
    if (event.shiftKey) selection.set([row, next], true)
    findBoxes(event.currentTarget)[index + step]?.focus()
  }
  /** Selects from the row selected last to this one. */
  const extend = () => {
    const boxes = findBoxes(box.current!)
    const last = boxes.findIndex((one) => one.dataset['last'] !== undefined)
    if (last < 0) return selection.set([row], true)
    selection.set(rows.slice(Math.min(last, index), Math.max(last, index) + 1), true)
  }
  return (
    <input
      type="checkbox"
      ref={box}
      data-select
      aria-label={t('bulk.select', { name })}
      checked={selection.has(row)}
      onKeyDown={onKeyDown}
      onChange={(event) => {
        const { checked } = event.currentTarget
        if (checked && (event.nativeEvent as MouseEvent).shiftKey) extend()
        else selection.set([row], checked)
        for (const one of findBoxes(event.currentTarget)) delete one.dataset['last']
        event.currentTarget.dataset['last'] = ''
      }}
    />
  )
}
