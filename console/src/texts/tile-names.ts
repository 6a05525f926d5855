import type { DashboardTile } from '../../../contract/insight/dashboards.ts'
import { i18n } from './languages.ts'

/** The names of the tiles, as they stand on the dashboard. */
export const tileNames = (): Record<DashboardTile, string> => ({
  collected: i18n.t('dashboard.tileCollected'),
  promised: i18n.t('dashboard.tilePromised'),
  kept: i18n.t('dashboard.tileKept'),
  inTime: i18n.t('dashboard.tileInTime'),
  recovery: i18n.t('dashboard.tileRecovery'),
  costPerCase: i18n.t('dashboard.tileCost'),
  openCases: i18n.t('dashboard.portfolio'),
  collectedByMonth: i18n.t('dashboard.collected'),
  expectedPayments: i18n.t('dashboard.liquidity'),
  planPerformance: i18n.t('dashboard.plans'),
  recoveryByAge: i18n.t('dashboard.recoveryByAge'),
  recoveryByClient: i18n.t('dashboard.recoveryByClient'),
  costs: i18n.t('dashboard.costs'),
})
