import { SimpleGrid } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { CaseCosts } from '../../../../contract/insight/case-costs.ts'
import type { Collected, PlanPerformance } from '../../../../contract/insight/dashboard.ts'
import type { DashboardTile } from '../../../../contract/insight/dashboards.ts'
import type { Recovery } from '../../../../contract/insight/recovery.ts'
import type { PromisePerformance } from '../../../../contract/insight/promise-performance.ts'
import { formatMoney } from '../../format/format.ts'
import { CostTile } from './cost-tile.tsx'
import { FigureTile, type Tile } from './figure-tile.tsx'
import { formatShare, listAt, addMonths, monthsBetween, clientCondition } from './months.ts'
import { RecoveryTile } from './recovery-tile.tsx'
import { useTileNames } from './use-tile-names.ts'

/** The tiles that are figures of the last whole month. */
export const figureTiles = ['collected', 'promised', 'kept', 'inTime', 'recovery', 'costPerCase'] as const
export type FigureTileCode = (typeof figureTiles)[number]
export const isFigureTile = (tile: DashboardTile): tile is FigureTileCode =>
  figureTiles.some((one) => one === tile)

export interface FigureData {
  collected: Collected | undefined
  promises: PromisePerformance | undefined
  plans: PlanPerformance | undefined
  recovery: Recovery | undefined
  costs: CaseCosts | undefined
}

interface TilesProps {
  /** In their order. */
  tiles: readonly FigureTileCode[]
  currency: string
  clientGuid: string | null
  /** Whole months of the trend. */
  months: number
  data: FigureData
}

/** The last whole month in figures: each with its trend, the month before it, and the list behind it. */
export function Tiles({ tiles, currency, clientGuid, months: count, data }: TilesProps) {
  const { t } = useTranslation()
  const names = useTileNames()
  const { collected, promises, plans, recovery, costs } = data
  const asOf = (collected ?? promises ?? plans ?? recovery ?? costs)?.asOf
  if (asOf === undefined) return null
  const thisMonth = addMonths(asOf, 0)
  const months = monthsBetween(addMonths(thisMonth, -count), thisMonth)
  return (
    <section aria-label={t('dashboard.tiles')}>
      <SimpleGrid cols={{ base: 1, xs: 2, lg: tiles.length === 4 ? 4 : 3 }} spacing="md">
        {tiles.map((code) => {
          if (code === 'costPerCase')
            return costs && <CostTile key={code} {...{ costs, collected, currency, clientGuid, months }} />
          if (code === 'recovery')
            return recovery && <RecoveryTile key={code} {...{ recovery, currency, clientGuid, count }} />
          const figure = makeFigure(code, data, { currency, clientGuid, months, thisMonth })
          return figure && <FigureTile key={code} tile={{ ...figure, title: names[code] }} months={months} />
        })}
      </SimpleGrid>
    </section>
  )
}

interface TileSpan {
  currency: string
  clientGuid: string | null
  months: readonly string[]
  thisMonth: string
}

/** Undefined until its data is there. */
function makeFigure(
  code: Exclude<FigureTileCode, 'costPerCase' | 'recovery'>,
  { collected, promises, plans }: FigureData,
  { currency, clientGuid, months, thisMonth }: TileSpan,
): Omit<Tile, 'title'> | undefined {
  const within = (member: string) => [
    `currencyCode eq '${currency}'`,
    clientCondition(clientGuid),
    `${member} ge ${months.at(-1)!}`,
    `${member} lt ${thisMonth}`,
  ]
  const money = (amount: number) => formatMoney(amount, currency)
  switch (code) {
    case 'collected':
      return (
        collected && {
          values: byMonth(months, currency, collected.value, ({ amount }) => amount),
          format: money,
          to: listAt('/payments', 'reversed eq false', ...within('valueDate')),
        }
      )
    case 'promised':
      return (
        promises && {
          values: byMonth(months, currency, promises.value, ({ amount }) => amount),
          format: money,
          to: listAt('/promises', "promiseStatus ne 'REPLACED'", ...within('promisedDate')),
        }
      )
    case 'kept':
      return (
        promises && {
          values: shares(months, currency, promises.value, ({ kept, broken }) => [kept, kept + broken]),
          format: formatShare,
          to: listAt('/promises', "promiseStatus eq 'KEPT'", ...within('promisedDate')),
        }
      )
    case 'inTime':
      return (
        plans && {
          values: shares(months, currency, plans.months, ({ inTime, payments }) => [inTime, payments]),
          format: formatShare,
          to: listAt('/plans/payments', ...within('dueDate')),
        }
      )
  }
}

interface MonthRow {
  currencyCode: string
  month: string
}

/** Zero for a month without rows. */
const byMonth = <R extends MonthRow>(
  months: readonly string[],
  currency: string,
  rows: readonly R[],
  read: (row: R) => number,
): number[] =>
  months.map((month) => {
    const row = rows.find((one) => one.month === month && one.currencyCode === currency)
    return row ? read(row) : 0
  })

/** Parts of wholes; null for a month without a whole. */
const shares = <R extends MonthRow>(
  months: readonly string[],
  currency: string,
  rows: readonly R[],
  read: (row: R) => readonly [part: number, whole: number],
): (number | null)[] =>
  months.map((month) => {
    const row = rows.find((one) => one.month === month && one.currencyCode === currency)
    const [part, whole] = row ? read(row) : [0, 0]
    return whole === 0 ? null : part / whole
  })
