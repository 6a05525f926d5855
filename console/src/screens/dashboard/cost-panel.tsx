import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { CaseCosts } from '../../../../contract/insight/case-costs.ts'
import { ChartPanel } from '../../charts/chart-panel.tsx'
import { FigureTable } from '../../charts/figure-table.tsx'
import { StackedChart } from '../../charts/stacked-chart.tsx'
import { formatMoney, formatNumber } from '../../format/format.ts'
import { closedBetween, formatShort, longMonth, shortMonth, listMonths } from './months.ts'
import type { Answer } from './portfolio-panel.tsx'

const none = {
  outlays: 0,
  letters: 0,
  emails: 0,
  sms: 0,
  calls: 0,
  unpriced: 0,
  cost: 0,
  workedCases: 0,
  closedCases: 0,
  perWorkedCase: null,
  perClosedCase: null,
}

/** What collection costs the agency by month, up to the business date. */
export function CostPanel({ data, error, currency, clientGuid }: Answer<CaseCosts>) {
  const { t } = useTranslation()
  const months = listMonths(data?.body, data?.body.value ?? [], currency)
  const columns = months.map(({ month, before, row }) => ({
    ...none,
    ...row,
    month,
    to: closedBetween({ currency, clientGuid }, month, before),
  }))
  const money = (amount: number | null) => (amount === null ? '–' : formatMoney(amount, currency))
  return (
    <ChartPanel
      title={t('dashboard.costs')}
      about={t('dashboard.costsAbout')}
      error={error}
      loading={!data}
      empty={months.every(({ row }) => row === undefined)}
      chart={
        <StackedChart
          parts={[
            { name: t('dashboard.contacts'), colour: 'chart-main' },
            { name: t('dashboard.outlays'), colour: 'chart-other' },
          ]}
          columns={columns.map(({ month, cost, outlays, to }) => ({
            key: month,
            label: shortMonth(month),
            values: [cost - outlays, outlays],
            about: `${longMonth(month)}: ${formatMoney(cost, currency)}`,
            to,
          }))}
          format={formatShort}
        />
      }
      table={
        <FigureTable
          heads={[
            t('dashboard.month'),
            t('dashboard.letters'),
            t('dashboard.emails'),
            t('dashboard.sms'),
            t('dashboard.calls'),
            t('dashboard.unpriced'),
            t('dashboard.outlays'),
            t('dashboard.cost'),
            t('dashboard.workedCases'),
            t('dashboard.perWorkedCase'),
            t('dashboard.closedCases'),
            t('dashboard.perClosedCase'),
          ]}
          rows={columns.map((column) => ({
            key: column.month,
            name: <Link to={column.to as '/'}>{longMonth(column.month)}</Link>,
            figures: [
              formatNumber(column.letters),
              formatNumber(column.emails),
              formatNumber(column.sms),
              formatNumber(column.calls),
              formatNumber(column.unpriced),
              money(column.outlays),
              money(column.cost),
              formatNumber(column.workedCases),
              money(column.perWorkedCase),
              formatNumber(column.closedCases),
              money(column.perClosedCase),
            ],
          }))}
        />
      }
    />
  )
}
