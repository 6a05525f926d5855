import { useState } from 'react'
import { useUser } from '../../session/session.ts'
import { translateLabel } from '../../texts/labels.ts'
import type { ListField } from '../list-fields.ts'
import { rowForms, type RowForm } from './row-forms.data.ts'

/** What a cell of a list changes. */
export interface CellTarget {
  form: RowForm
  /** The record of the form. */
  id: string
  /** The code of the form's field. */
  field: string
}

export interface CellPlace {
  row: string
  column: string
}

/** Where the user goes when a cell is left: it, or the next or previous one. */
export type Leaving = 'stay' | 'next' | 'previous'

interface InlineRows<Row> {
  operation: string | undefined
  rows: readonly Row[]
  columns: readonly string[]
  getKey: (row: Row) => string
  /** The column with the row's link, which is never edited. */
  link: string | undefined
}

/** The name of a cell's button, by which the focus finds it. */
export const cellName = ({ row, column }: CellPlace): string => `${row}/${column}`

/** Which cells of a list the user may edit, and the one being edited. */
export function useInline<Row extends object>({ operation, rows, columns, getKey, link }: InlineRows<Row>) {
  const { accessCodes } = useUser()
  const [edited, setEdited] = useState<CellPlace>()
  const forms = (rowForms[operation ?? ''] ?? []).filter(({ access }) =>
    access.every((codes) => codes.some((code) => (accessCodes as readonly string[]).includes(code))),
  )
  const find = (row: Row, column: string): CellTarget | undefined => {
    const form = column === link ? undefined : forms.find(({ cells }) => column in cells)
    const id = form && (row as Record<string, unknown>)[form.key]
    return form && typeof id === 'string' ? { form, id, field: form.cells[column]! } : undefined
  }
  const places = () =>
    rows.flatMap((row) =>
      columns.filter((column) => find(row, column)).map((column) => ({ row: getKey(row), column })),
    )
  const leave = (to: Leaving) => {
    const step = { stay: 0, next: 1, previous: -1 }[to]
    const all = places()
    const from = all.findIndex((place) => edited && cellName(place) === cellName(edited))
    const next = step === 0 ? undefined : all[from + step]
    setEdited(next)
    if (!next && edited) focusCell(edited)
  }
  return { forms, find, edited, begin: setEdited, leave }
}

export type Inline<Row extends object> = ReturnType<typeof useInline<Row>>

/** A form of a card's fields. */
export interface CardPart {
  form: RowForm
  id: string
  /** The names of the columns that it changes. */
  labels: readonly string[]
}

/** The forms of what a card shows. */
export function cardParts<Row extends object>(
  { forms, find }: Inline<Row>,
  row: Row,
  shown: readonly ListField[],
): CardPart[] {
  const targets = shown.flatMap((field) => {
    const target = find(row, field.name)
    return target ? [{ ...target, label: translateLabel(`field.${field.name}`, field.title) }] : []
  })
  return forms.flatMap((form) => {
    const own = targets.filter((target) => target.form === form)
    return own.length === 0 ? [] : [{ form, id: own[0]!.id, labels: own.map(({ label }) => label) }]
  })
}

/** Returns the focus to the button of a cell, which is drawn again first. */
function focusCell(place: CellPlace): void {
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>(`[data-edits="${CSS.escape(cellName(place))}"]`)?.focus(),
  )
}
