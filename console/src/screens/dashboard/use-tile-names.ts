import { useTranslation } from 'react-i18next'
import type { DashboardTile } from '../../../../contract/insight/dashboards.ts'
import { tileNames } from '../../texts/tile-names.ts'

/** The names of the tiles, following a change of language. */
export function useTileNames(): Record<DashboardTile, string> {
  useTranslation()
  return tileNames()
}
