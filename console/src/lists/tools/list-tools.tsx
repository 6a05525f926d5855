/** The buttons above a list. The code of their menus is loaded by a press. */
import { Group } from '@mantine/core'
import { lazy } from 'react'
import { useTranslation } from 'react-i18next'
import type { ExportButtonProps } from '../../exports/export-button.tsx'
import { OnDemand } from '../../widgets/on-demand.tsx'
import type { ColumnChooserProps } from '../column-chooser.tsx'
import type { SavedViewsProps } from '../saved-views.tsx'
import { findView } from '../settings.ts'
import { ToolButton } from './tool-button.tsx'

const loadViews = () => import('../saved-views.tsx')
const loadColumns = () => import('../column-chooser.tsx')
const loadExport = () => import('../../exports/export-button.tsx')
const SavedViews = lazy(loadViews)
const ColumnChooser = lazy(loadColumns)
const ExportButton = lazy(loadExport)

export function ViewsTool(props: SavedViewsProps) {
  const { t } = useTranslation()
  return (
    <OnDemand
      load={loadViews}
      button={(events) => (
        <ToolButton icon="bookmark" aria-expanded={false} {...events}>
          {findView(props.settings, props.search)?.name ?? t('views.title')}
        </ToolButton>
      )}
    >
      <SavedViews {...props} />
    </OnDemand>
  )
}

interface TableToolsProps {
  chooser: ColumnChooserProps
  exported: ExportButtonProps
}

export function TableTools({ chooser, exported }: TableToolsProps) {
  const { t } = useTranslation()
  return (
    <Group gap="xs">
      <OnDemand
        load={loadColumns}
        button={(events) => (
          <ToolButton icon="columns" aria-haspopup="dialog" {...events}>
            {t('columns.title')}
          </ToolButton>
        )}
      >
        <ColumnChooser {...chooser} />
      </OnDemand>
      <OnDemand
        load={loadExport}
        button={(events) => (
          <ToolButton icon="download" aria-haspopup="menu" disabled={exported.total === 0} {...events}>
            {t('export.title')}
          </ToolButton>
        )}
      >
        <ExportButton {...exported} />
      </OnDemand>
    </Group>
  )
}
