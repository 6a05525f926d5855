import { useTranslation } from 'react-i18next'
import type { Recovery } from '../../../../contract/insight/recovery.ts'
import { FigureTile } from './figure-tile.tsx'
import { formatShare, addMonths } from './months.ts'
import { findAgeTrend, registeredBetween } from './recovery.ts'

interface RecoveryTileProps {
  recovery: Recovery
  currency: string
  clientGuid: string | null
  /** Months of the trend. */
  count: number
}

/** The age that the tile shows: the panel shows all. */
const days = 90

/** What was paid within 90 days of the principal of the newest month whose cases are so old. */
export function RecoveryTile({ recovery, currency, clientGuid, count }: RecoveryTileProps) {
  const { t } = useTranslation()
  const { months, rates } = findAgeTrend(recovery, days, { currency, count })
  const newest = months.at(-1)!
  const tile = {
    title: t('dashboard.tileRecovery'),
    values: rates,
    format: formatShare,
    to: registeredBetween({ currency, clientGuid }, newest, addMonths(newest)),
  }
  return <FigureTile tile={tile} months={months} />
}
