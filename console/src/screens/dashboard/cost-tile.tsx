import { Paper, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { CaseCosts } from '../../../../contract/insight/case-costs.ts'
import type { Collected } from '../../../../contract/insight/dashboard.ts'
import { formatMoney } from '../../format/format.ts'
import { useMay } from '../../session/session.ts'
import { FigureTile } from './figure-tile.tsx'
import { closedBetween, formatShare, addMonths } from './months.ts'

interface CostTileProps {
  costs: CaseCosts
  collected: Collected | undefined
  currency: string
  clientGuid: string | null
  months: readonly string[]
}

/** The cost per case: of a month, divided by the cases closed in it. Without prices it leads to where they are set. */
export function CostTile({ costs, collected, currency, clientGuid, months }: CostTileProps) {
  const { t } = useTranslation()
  const rows = costs.value.filter(({ currencyCode }) => currencyCode === currency)
  const { letter, email, sms, call } = costs.prices
  const hasPrices = [letter, email, sms, call].some((price) => price !== null)
  if (!hasPrices && rows.every(({ outlays }) => outlays === 0)) return <UnpricedTile />
  const latest = months.at(-1)!
  const row = rows.find(({ month }) => month === latest)
  const taken = collected?.value.find((one) => one.month === latest && one.currencyCode === currency)?.amount
  const worked = row?.perWorkedCase ?? null
  const tile = {
    title: t('dashboard.tileCost'),
    values: months.map((month) => rows.find((one) => one.month === month)?.perClosedCase ?? null),
    format: (amount: number) => formatMoney(amount, currency),
    to: closedBetween({ currency, clientGuid }, latest, addMonths(latest)),
    about: t('dashboard.tileCostAbout', {
      worked: worked === null ? '–' : formatMoney(worked, currency),
      share: row && taken ? formatShare(row.cost / taken) : '–',
    }),
  }
  return <FigureTile tile={tile} months={months} />
}

function UnpricedTile() {
  const { t } = useTranslation()
  const isAdministrator = useMay('system.admin')
  return (
    <Paper
      {...(isAdministrator && { component: Link, to: '/settings', className: 'figure-tile' })}
      withBorder
      p="md"
    >
      <Text size="sm" fw={500}>
        {t('dashboard.tileCost')}
      </Text>
      <Text size="xs" c="dimmed">
        {t('dashboard.tileNoPrices')}
      </Text>
      {isAdministrator && (
        <Text size="sm" mt="xs" td="underline">
          {t('dashboard.tileSetPrices')}
        </Text>
      )}
    </Paper>
  )
}
