import { useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCards } from './use-cards.ts'

/** A frame for wide tables, which scrolls by keyboard too. On a telephone their rows are cards. */
export function TableFrame({ title, children }: { title: string; children: ReactNode }) {
  const { t } = useTranslation()
  const frame = useRef<HTMLDivElement>(null)
  useCards(frame)
  return (
    <div
      ref={frame}
      style={{ overflowX: 'auto', position: 'relative' }}
      tabIndex={0}
      role="region"
      aria-label={t('list.rowsOf', { title })}
    >
      <table className="data-table">{children}</table>
    </div>
  )
}
