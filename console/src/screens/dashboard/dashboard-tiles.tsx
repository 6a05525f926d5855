import { SimpleGrid, Stack } from '@mantine/core'
import type { DashboardTile } from '../../../../contract/insight/dashboards.ts'
import { CollectedPanel } from './collected-panel.tsx'
import { CostPanel } from './cost-panel.tsx'
import { LiquidityPanel } from './liquidity-panel.tsx'
import { PlanPanel } from './plan-panel.tsx'
import { PortfolioPanel } from './portfolio-panel.tsx'
import { RecoveryByAge, RecoveryByClient } from './recovery-panels.tsx'
import { isFigureTile, Tiles } from './tiles.tsx'
import type { ShownDashboard } from './use-dashboards.ts'
import type { Figures } from './use-figures.ts'

interface DashboardTilesProps {
  shown: ShownDashboard
  figures: Figures
  currency: string
}

/** Two of these stand beside each other. */
const narrow: readonly DashboardTile[] = ['collectedByMonth', 'expectedPayments']

/** The figures first, then the charts, both in the order of the dashboard. */
export function DashboardTiles({ shown, figures, currency }: DashboardTilesProps) {
  const { clientGuid, months } = shown
  const figureTiles = figures.tiles.filter(isFigureTile)
  const data = {
    collected: figures.collected.data?.body,
    promises: figures.promises.data?.body,
    plans: figures.plans.data?.body,
    recovery: figures.recovery.data?.body,
    costs: figures.costs.data?.body,
  }
  const panels = pairNarrow(figures.tiles.filter((tile) => !isFigureTile(tile)))
  const draw = (tile: DashboardTile) => (
    <Chart key={tile} tile={tile} figures={figures} place={{ currency, clientGuid, months }} />
  )
  return (
    <Stack gap="md">
      {figureTiles.length > 0 && <Tiles tiles={figureTiles} {...{ currency, clientGuid, months, data }} />}
      {panels.map((row) =>
        row.length === 1 ? (
          draw(row[0]!)
        ) : (
          <SimpleGrid key={row[0]} cols={{ base: 1, lg: 2 }} spacing="md">
            {row.map(draw)}
          </SimpleGrid>
        ),
      )}
    </Stack>
  )
}

function pairNarrow(tiles: readonly DashboardTile[]): DashboardTile[][] {
  const rows: DashboardTile[][] = []
  for (const tile of tiles) {
    const last = rows.at(-1)
    if (last?.length === 1 && narrow.includes(last[0]!) && narrow.includes(tile)) last.push(tile)
    else rows.push([tile])
  }
  return rows
}

interface ChartProps {
  tile: DashboardTile
  figures: Figures
  place: { currency: string; clientGuid: string | null; months: number }
}

function Chart({ tile, figures, place }: ChartProps) {
  switch (tile) {
    case 'openCases':
      return <PortfolioPanel {...figures.portfolio} {...place} />
    case 'collectedByMonth':
      return <CollectedPanel {...figures.collected} {...place} />
    case 'expectedPayments':
      return <LiquidityPanel {...figures.liquidity} {...place} />
    case 'planPerformance':
      return <PlanPanel {...figures.plans} {...place} />
    case 'recoveryByAge':
      return <RecoveryByAge {...figures.recovery} {...place} />
    case 'recoveryByClient':
      return <RecoveryByClient {...figures.recovery} {...place} />
    case 'costs':
      return <CostPanel {...figures.costs} {...place} />
    default:
      return null
  }
}
