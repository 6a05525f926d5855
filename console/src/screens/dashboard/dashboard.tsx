import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDateTime } from '../../format/format.ts'
import { LinesSkeleton, Page } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { DashboardTools } from './dashboard-tools.tsx'
import { DashboardTiles } from './dashboard-tiles.tsx'
import { toShown, useDashboards, type ShownDashboard } from './use-dashboards.ts'
import { useFigures } from './use-figures.ts'

/** The dashboard that the user chose: the portfolio and its results in one currency. */
export default function Dashboard() {
  const dashboards = useDashboards()
  const { t } = useTranslation()
  if (dashboards.loading)
    return (
      <Page title={t('navigation.dashboard')} about=" ">
        <LinesSkeleton lines={9} />
      </Page>
    )
  return <ChosenDashboard dashboards={dashboards} shown={toShown(dashboards.saved)} />
}

interface ChosenDashboardProps {
  dashboards: ReturnType<typeof useDashboards>
  shown: ShownDashboard
}

/** Amounts of different currencies cannot be added, so that one is chosen. */
function ChosenDashboard({ dashboards, shown }: ChosenDashboardProps) {
  const { t } = useTranslation()
  const figures = useFigures(shown)
  const [chosen, setChosen] = useState<string>()
  const currency = chosen ?? figures.currencies[0] ?? ''
  const date = figures.asOf === undefined ? '' : t('home.systemDate', { date: formatDateTime(figures.asOf) })
  return (
    <Page
      title={t('navigation.dashboard')}
      about={[date, shown.clientName].filter(Boolean).join(' · ') || ' '}
      actions={
        <>
          {figures.currencies.length > 1 && (
            <SegmentedControl
              aria-label={t('field.currencyCode')}
              data={figures.currencies}
              value={currency}
              onChange={setChosen}
            />
          )}
          <DashboardTools {...dashboards} />
        </>
      }
    >
      <ProblemAlert error={dashboards.error} />
      <DashboardTiles shown={shown} figures={figures} currency={currency} />
    </Page>
  )
}
