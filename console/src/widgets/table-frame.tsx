import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

/** A frame for wide tables, which scrolls by keyboard too. */
export function TableFrame({ title, children }: { title: string; children: ReactNode }) {
  const { t } = useTranslation()
  return (
    <div
      style={{ overflowX: 'auto', position: 'relative' }}
      tabIndex={0}
      role="region"
      aria-label={t('list.rowsOf', { title })}
    >
      <table className="data-table">{children}</table>
    </div>
  )
}
