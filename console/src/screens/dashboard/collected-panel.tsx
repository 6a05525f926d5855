import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Collected } from '../../../../contract/insight/dashboard.ts'
import { ChartPanel } from '../../charts/chart-panel.tsx'
import { FigureTable } from '../../charts/figure-table.tsx'
import { StackedChart } from '../../charts/stacked-chart.tsx'
import { formatMoney, formatNumber } from '../../format/format.ts'
import { formatShort, listAt, longMonth, clientCondition, shortMonth, listMonths } from './months.ts'
import type { Answer } from './portfolio-panel.tsx'

/** Collected payments by month, up to the business date. */
export function CollectedPanel({ data, error, currency, clientGuid }: Answer<Collected>) {
  const { t } = useTranslation()
  const months = listMonths(data?.body, data?.body.value ?? [], currency)
  const columns = months.map(({ month, before, row }) => {
    const { payments = 0, amount = 0, toThirdParty = 0 } = row ?? {}
    return {
      month,
      payments,
      amount,
      toThirdParty,
      to: listAt(
        '/payments',
        'reversed eq false',
        `currencyCode eq '${currency}'`,
        clientCondition(clientGuid),
        `valueDate ge ${month}`,
        `valueDate lt ${before}`,
      ),
    }
  })
  return (
    <ChartPanel
      title={t('dashboard.collected')}
      about={t('dashboard.collectedAbout')}
      error={error}
      loading={!data}
      empty={months.every(({ row }) => row === undefined)}
      chart={
        <StackedChart
          parts={[
            { name: t('dashboard.toUs'), colour: 'chart-good' },
            { name: t('dashboard.toThirdParty'), colour: 'chart-other' },
          ]}
          columns={columns.map(({ month, amount, toThirdParty, to }) => ({
            key: month,
            label: shortMonth(month),
            values: [amount - toThirdParty, toThirdParty],
            about: `${longMonth(month)}: ${formatMoney(amount, currency)}`,
            to,
          }))}
          format={formatShort}
        />
      }
      table={
        <FigureTable
          heads={[
            t('dashboard.month'),
            t('dashboard.payments'),
            t('dashboard.toThirdParty'),
            t('amounts.Sum'),
          ]}
          rows={columns.map(({ month, payments, amount, toThirdParty, to }) => ({
            key: month,
            name: <Link to={to as '/'}>{longMonth(month)}</Link>,
            figures: [
              formatNumber(payments),
              formatMoney(toThirdParty, currency),
              formatMoney(amount, currency),
            ],
          }))}
        />
      }
    />
  )
}
