import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { LinesSkeleton, Panel } from '../widgets/page.tsx'
import { ProblemAlert } from '../widgets/problem-alert.tsx'
import { TableFrame } from '../widgets/table-frame.tsx'

interface ChartPanelProps {
  title: string
  about?: string
  actions?: ReactNode
  error: unknown
  /** True while the data is loading. */
  loading: boolean
  empty: boolean
  chart: ReactNode
  /** The same data as a table. */
  table: ReactNode
}

/** A chart with its data as a table. */
export function ChartPanel({ title, about, actions, error, loading, empty, chart, table }: ChartPanelProps) {
  const { t } = useTranslation()
  return (
    <Panel title={title} actions={actions}>
      {about !== undefined && (
        <Text size="xs" c="dimmed" mb="xs">
          {about}
        </Text>
      )}
      <ProblemAlert error={error} />
      {loading && error === null && <LinesSkeleton lines={9} />}
      {!loading && empty && (
        <Text size="sm" c="dimmed">
          {t('dashboard.empty')}
        </Text>
      )}
      {!loading && !empty && (
        <>
          {chart}
          <details className="chart-table">
            <summary>{t('dashboard.table')}</summary>
            <TableFrame title={title}>{table}</TableFrame>
          </details>
        </>
      )}
    </Panel>
  )
}
