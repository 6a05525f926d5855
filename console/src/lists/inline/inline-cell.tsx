/** A cell that can be edited where it stands. Its editor is loaded by a press, or before, when the pointer reaches it. */
import { lazy, Suspense, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../widgets/icons.tsx'
import { cellName, type CellPlace, type CellTarget, type Leaving } from './use-inline.ts'

const loadEditor = () => import('./cell-editor.tsx')
const CellEditor = lazy(loadEditor)
const prepare = () => void loadEditor().catch(() => {})

interface InlineCellProps {
  target: CellTarget
  place: CellPlace
  /** The name of the column. */
  label: string
  /** The name of the row. */
  rowName: string
  isEdited: boolean
  onBegin: (place: CellPlace) => void
  onLeave: (to: Leaving) => void
  /** The value as the list shows it. */
  children: ReactNode
}

export function InlineCell(props: InlineCellProps) {
  const { target, place, label, rowName, isEdited, onBegin, onLeave, children } = props
  const { t } = useTranslation()
  if (isEdited)
    return (
      <Suspense fallback={children}>
        <CellEditor target={target} label={label} onLeave={onLeave} />
      </Suspense>
    )
  return (
    <>
      {children}
      <button
        type="button"
        className="cell-edit no-print"
        data-edits={cellName(place)}
        aria-label={t('inline.edit', { field: label, name: rowName })}
        onPointerEnter={prepare}
        onFocus={prepare}
        onClick={() => onBegin(place)}
      >
        <Icon name="edit" size={14} />
      </button>
    </>
  )
}
