import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { LiquidityForecast } from '../../../../contract/insight/dashboard.ts'
import { ChartPanel } from '../../charts/chart-panel.tsx'
import { FigureTable } from '../../charts/figure-table.tsx'
import { StackedChart } from '../../charts/stacked-chart.tsx'
import { formatMoney, formatNumber } from '../../format/format.ts'
import {
  formatShort,
  listAt,
  longMonth,
  addMonths,
  monthsBetween,
  clientCondition,
  shortMonth,
} from './months.ts'
import type { Answer } from './portfolio-panel.tsx'

interface Line {
  key: string
  label: string
  name: string
  overdue: boolean
  payments: number
  amount: number
  to: string
}

/** Expected payments of active plans: overdue, per month, and later. */
export function LiquidityPanel({ data, error, currency, clientGuid }: Answer<LiquidityForecast>) {
  const { t } = useTranslation()
  const lines = data
    ? forecastLines(
        data.body,
        { currency, clientGuid },
        { overdueName: t('dashboard.overdue'), laterName: t('dashboard.later') },
      )
    : []
  return (
    <ChartPanel
      title={t('dashboard.liquidity')}
      about={t('dashboard.liquidityAbout')}
      error={error}
      loading={!data}
      empty={lines.every(({ payments }) => payments === 0)}
      chart={
        <StackedChart
          parts={[
            { name: t('dashboard.expected'), colour: 'chart-main' },
            { name: t('dashboard.overdue'), colour: 'chart-bad' },
          ]}
          columns={lines
            .filter(({ key, overdue, payments }) => key !== 'later' && (!overdue || payments > 0))
            .map(({ key, label, name, overdue, amount, to }) => ({
              key,
              label,
              values: overdue ? [0, amount] : [amount, 0],
              about: `${name}: ${formatMoney(amount, currency)}`,
              to,
            }))}
          format={formatShort}
        />
      }
      table={
        <FigureTable
          heads={[t('dashboard.month'), t('dashboard.payments'), t('dashboard.expected')]}
          rows={lines.map(({ key, name, payments, amount, to }) => ({
            key,
            name: <Link to={to as '/'}>{name}</Link>,
            figures: [formatNumber(payments), formatMoney(amount, currency)],
          }))}
        />
      }
    />
  )
}

function forecastLines(
  { asOf, before, overdue, value, later }: LiquidityForecast,
  { currency, clientGuid }: Pick<Answer<LiquidityForecast>, 'currency' | 'clientGuid'>,
  { overdueName, laterName }: { overdueName: string; laterName: string },
): Line[] {
  const of = (rows: readonly { currencyCode: string; payments: number; amount: number }[]) => {
    const { payments = 0, amount = 0 } = rows.find(({ currencyCode }) => currencyCode === currency) ?? {}
    return { payments, amount }
  }
  const rowsBetween = (from: string | null, end: string | null) =>
    listAt(
      '/plans/payments',
      'active eq 1',
      'unpaid gt 0',
      `currencyCode eq '${currency}'`,
      clientCondition(clientGuid),
      from && `dueDate ge ${from}`,
      end && `dueDate lt ${end}`,
    )
  const months = monthsBetween(asOf, before).map((month, index): Line => ({
    key: month,
    label: shortMonth(month),
    name: longMonth(month),
    overdue: false,
    ...of(value.filter((row) => row.month === month)),
    to: rowsBetween(index === 0 ? asOf : month, addMonths(month)),
  }))
  return [
    {
      key: 'overdue',
      // The legend names its colour.
      label: '←',
      name: overdueName,
      overdue: true,
      ...of(overdue),
      to: rowsBetween(null, asOf),
    },
    ...months,
    {
      key: 'later',
      label: laterName,
      name: laterName,
      overdue: false,
      ...of(later),
      to: rowsBetween(before, null),
    },
  ]
}
