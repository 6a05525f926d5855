/** Reads the figures that a dashboard's tiles need, and no other. */
import { useQuery } from '@tanstack/react-query'
import type { DashboardTile } from '../../../../contract/insight/dashboards.ts'
import { reading } from '../../api/queries.ts'
import { useDashboardRights, visibleTiles, type ShownDashboard } from './use-dashboards.ts'

export type Figures = ReturnType<typeof useFigures>

export function useFigures({ tiles, months, clientGuid }: ShownDashboard) {
  const { seesCosts } = useDashboardRights()
  const shown = visibleTiles(tiles, seesCosts)
  const needs = (...codes: DashboardTile[]) => codes.some((code) => shown.includes(code))
  const clientInput = clientGuid === null ? {} : { clientGuid }
  // The month of the business date, and the whole ones before it.
  const span = { months: months + 1, ...clientInput }
  const portfolio = useQuery({ ...reading('getPortfolio', clientInput), enabled: needs('openCases') })
  const collected = useQuery({
    ...reading('getCollected', span),
    enabled: needs('collected', 'collectedByMonth', 'costPerCase'),
  })
  const promises = useQuery({ ...reading('getPromisePerformance', span), enabled: needs('promised', 'kept') })
  const plans = useQuery({
    ...reading('getPlanPerformance', span),
    enabled: needs('inTime', 'planPerformance'),
  })
  const recovery = useQuery({
    ...reading('getRecovery', { months, ...clientInput }),
    enabled: needs('recovery', 'recoveryByAge', 'recoveryByClient'),
  })
  const costs = useQuery({ ...reading('getCaseCosts', span), enabled: needs('costPerCase', 'costs') })
  const liquidity = useQuery({
    ...reading('getLiquidityForecast', clientInput),
    enabled: needs('expectedPayments'),
  })
  const rows = [
    ...(portfolio.data?.body.value ?? []).map((row) => ({ ...row, weight: row.cases })),
    ...(collected.data?.body.value ?? []).map((row) => ({ ...row, weight: row.payments })),
    ...(promises.data?.body.value ?? []).map((row) => ({ ...row, weight: row.promises })),
    ...(plans.data?.body.states ?? []).map((row) => ({ ...row, weight: row.plans })),
    ...(recovery.data?.body.months ?? []).map((row) => ({ ...row, weight: row.cases })),
    ...(costs.data?.body.value ?? []).map((row) => ({ ...row, weight: row.workedCases })),
    ...(liquidity.data?.body.value ?? []).map((row) => ({ ...row, weight: row.payments })),
  ]
  const asOf = (
    portfolio.data ??
    collected.data ??
    promises.data ??
    plans.data ??
    recovery.data ??
    costs.data ??
    liquidity.data
  )?.body.asOf
  return {
    tiles: shown,
    asOf,
    currencies: countByCurrency(rows),
    portfolio,
    collected,
    promises,
    plans,
    recovery,
    costs,
    liquidity,
  }
}

/** The currency with the most rows first. */
function countByCurrency(rows: readonly { currencyCode: string; weight: number }[]): string[] {
  const counts = new Map<string, number>()
  for (const { currencyCode, weight } of rows)
    counts.set(currencyCode, (counts.get(currencyCode) ?? 0) + weight)
  return [...counts].toSorted(([, a], [, b]) => b - a).map(([currencyCode]) => currencyCode)
}
