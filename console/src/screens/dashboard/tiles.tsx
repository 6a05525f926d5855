import { SimpleGrid } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { CaseCosts } from '../../../../contract/insight/case-costs.ts'
import type { Collected, PlanPerformance } from '../../../../contract/insight/dashboard.ts'
import type { PromisePerformance } from '../../../../contract/insight/promise-performance.ts'
import { formatMoney } from '../../format/format.ts'
import { CostTile } from './cost-tile.tsx'
import { FigureTile, type Tile } from './figure-tile.tsx'
import { formatShare, listAt, monthAfter, monthsBetween } from './months.ts'

interface TilesProps {
  currency: string
  collected: Collected | undefined
  promises: PromisePerformance | undefined
  plans: PlanPerformance | undefined
  /** Left out for users who may not see it. */
  costs: CaseCosts | undefined
}

/** The last whole month in figures: each with its trend, the month before it, and the list behind it. */
export function Tiles({ currency, collected, promises, plans, costs }: TilesProps) {
  const { t } = useTranslation()
  const asOf = collected?.asOf ?? promises?.asOf ?? plans?.asOf
  if (asOf === undefined) return null
  const thisMonth = monthAfter(asOf, 0)
  const months = monthsBetween(monthAfter(thisMonth, -12), thisMonth)
  const last = months.at(-1)!
  const within = (member: string) => [
    `currencyCode eq '${currency}'`,
    `${member} ge ${last}`,
    `${member} lt ${thisMonth}`,
  ]
  const money = (amount: number) => formatMoney(amount, currency)
  const promised = within('promisedDate')
  const tiles: (Tile | undefined)[] = [
    collected && {
      title: t('dashboard.tileCollected'),
      values: byMonth(months, currency, collected.value, ({ amount }) => amount),
      format: money,
      to: listAt('/payments', 'reversed eq false', ...within('valueDate')),
    },
    promises && {
      title: t('dashboard.tilePromised'),
      values: byMonth(months, currency, promises.value, ({ amount }) => amount),
      format: money,
      to: listAt('/promises', "promiseStatus ne 'REPLACED'", ...promised),
    },
    promises && {
      title: t('dashboard.tileKept'),
      values: shares(months, currency, promises.value, ({ kept, broken }) => [kept, kept + broken]),
      format: formatShare,
      to: listAt('/promises', "promiseStatus eq 'KEPT'", ...promised),
    },
    plans && {
      title: t('dashboard.tileInTime'),
      values: shares(months, currency, plans.months, ({ inTime, payments }) => [inTime, payments]),
      format: formatShare,
      to: listAt('/plans/payments', ...within('dueDate')),
    },
  ]
  return (
    <section aria-label={t('dashboard.tiles')}>
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="md">
        {tiles.map((tile) => tile && <FigureTile key={tile.title} tile={tile} months={months} />)}
        {costs && <CostTile costs={costs} collected={collected} currency={currency} months={months} />}
      </SimpleGrid>
    </section>
  )
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
