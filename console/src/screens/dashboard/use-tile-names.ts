import { useTranslation } from 'react-i18next'
import type { DashboardTile } from '../../../../contract/insight/dashboards.ts'

/** The names of the tiles, as they stand on the dashboard. */
export function useTileNames(): Record<DashboardTile, string> {
  const { t } = useTranslation()
  return {
    collected: t('dashboard.tileCollected'),
    promised: t('dashboard.tilePromised'),
    kept: t('dashboard.tileKept'),
    inTime: t('dashboard.tileInTime'),
    costPerCase: t('dashboard.tileCost'),
    openCases: t('dashboard.portfolio'),
    collectedByMonth: t('dashboard.collected'),
    expectedPayments: t('dashboard.liquidity'),
    planPerformance: t('dashboard.plans'),
    costs: t('dashboard.costs'),
  }
}
