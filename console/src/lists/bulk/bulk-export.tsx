/** The export among the actions on selected rows: of these, or of all that the filter matches. */
import { createContext, lazy, useContext } from 'react'
import { useTranslation } from 'react-i18next'
import type { ExportButtonProps } from '../../exports/export-button.tsx'
import { OnDemand } from '../../widgets/on-demand.tsx'
import { ToolButton } from '../tools/tool-button.tsx'

const loadExport = () => import('../../exports/export-button.tsx')
const ExportButton = lazy(loadExport)

/** What the list around the actions would export. Null outside of a list. */
export const BulkExportContext = createContext<ExportButtonProps | null>(null)

export function BulkExport() {
  const { t } = useTranslation()
  const exported = useContext(BulkExportContext)
  if (exported === null) return null
  return (
    <OnDemand
      load={loadExport}
      button={(events) => (
        <ToolButton icon="download" size="xs" aria-haspopup="menu" {...events}>
          {t('export.selected')}
        </ToolButton>
      )}
    >
      <ExportButton {...exported} />
    </OnDemand>
  )
}
