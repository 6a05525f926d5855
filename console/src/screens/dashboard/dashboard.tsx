import { SegmentedControl, SimpleGrid, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { creditorRoles } from '../../../../contract/access/access.ts'
import { reading } from '../../api/queries.ts'
import { formatDateTime } from '../../format/format.ts'
import { Page } from '../../widgets/page.tsx'
import { useUser } from '../../session/session.ts'
import { CollectedPanel } from './collected-panel.tsx'
import { CostPanel } from './cost-panel.tsx'
import { LiquidityPanel } from './liquidity-panel.tsx'
import { PlanPanel } from './plan-panel.tsx'
import { PortfolioPanel } from './portfolio-panel.tsx'
import { Tiles } from './tiles.tsx'

/** The month of the business date, and twelve whole ones before it. */
const span = { months: 13 } as const

/** The portfolio and its results in one currency: amounts of different currencies cannot be added. */
export default function Dashboard() {
  const { t } = useTranslation()
  const portfolio = useQuery(reading('getPortfolio'))
  const collected = useQuery(reading('getCollected', span))
  const plans = useQuery(reading('getPlanPerformance', span))
  const promises = useQuery(reading('getPromisePerformance', span))
  const seesCosts = useSeesCosts()
  const costs = useQuery({ ...reading('getCaseCosts', span), enabled: seesCosts })
  const liquidity = useQuery(reading('getLiquidityForecast'))
  const rows = [
    ...(portfolio.data?.body.value ?? []).map((row) => ({ ...row, weight: row.cases })),
    ...(collected.data?.body.value ?? []).map((row) => ({ ...row, weight: row.payments })),
    ...(promises.data?.body.value ?? []).map((row) => ({ ...row, weight: row.promises })),
    ...(plans.data?.body.states ?? []).map((row) => ({ ...row, weight: row.plans })),
  ]
  const currencies = countByCurrency(rows)
  const [chosen, setChosen] = useState<string>()
  const currency = chosen ?? currencies[0] ?? ''
  const asOf = portfolio.data?.body.asOf
  return (
    <Page
      title={t('navigation.dashboard')}
      about={asOf ? t('home.systemDate', { date: formatDateTime(asOf) }) : ' '}
      actions={
        currencies.length > 1 && (
          <SegmentedControl
            aria-label={t('field.currencyCode')}
            data={currencies}
            value={currency}
            onChange={setChosen}
          />
        )
      }
    >
      <Stack gap="md">
        <Tiles
          currency={currency}
          collected={collected.data?.body}
          promises={promises.data?.body}
          plans={plans.data?.body}
          costs={costs.data?.body}
        />
        <PortfolioPanel {...portfolio} currency={currency} />
        <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
          <CollectedPanel {...collected} currency={currency} />
          <LiquidityPanel {...liquidity} currency={currency} />
        </SimpleGrid>
        <PlanPanel {...plans} currency={currency} />
        {seesCosts && <CostPanel {...costs} currency={currency} />}
      </Stack>
    </Page>
  )
}

/** Costs are the agency's: users who are restricted to clients do not see them. */
function useSeesCosts(): boolean {
  const { userRole, clientRestriction } = useUser()
  return clientRestriction.length === 0 && creditorRoles.every((role) => role !== userRole)
}

/** The currency with the most rows first. */
function countByCurrency(rows: readonly { currencyCode: string; weight: number }[]): string[] {
  const counts = new Map<string, number>()
  for (const { currencyCode, weight } of rows)
    counts.set(currencyCode, (counts.get(currencyCode) ?? 0) + weight)
  return [...counts].toSorted(([, a], [, b]) => b - a).map(([currencyCode]) => currencyCode)
}
