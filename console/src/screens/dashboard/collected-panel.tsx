import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Collected } from '../../../../contract/dashboard.ts'
import { ChartPanel } from '../../charts/chart-panel.tsx'
import { StackedChart } from '../../charts/stacked-chart.tsx'
import { formatMoney, formatNumber } from '../../format/format.ts'
import { dayAfter, formatShort, listAt, longMonth, monthAfter, monthsBetween, shortMonth } from './months.ts'
import type { Answer } from './portfolio-panel.tsx'

/** What came in by month, as far as the business date. */
export function CollectedPanel({ data, error, currency }: Answer<Collected>) {
  const { t } = useTranslation()
  const rows = (data?.body.value ?? []).filter(({ currencyCode }) => currencyCode === currency)
  const end = data ? dayAfter(data.body.asOf) : ''
  const columns = (data ? monthsBetween(data.body.from, end) : []).map((month) => {
    const { payments = 0, amount = 0, toThirdParty = 0 } = rows.find((row) => row.month === month) ?? {}
    const next = monthAfter(month)
    return {
      month,
      payments,
      amount,
      toThirdParty,
      to: listAt(
        '/payments',
        'reversed eq false',
        `currencyCode eq '${currency}'`,
        `valueDate ge ${month}`,
        `valueDate lt ${next < end ? next : end}`,
      ),
    }
  })
  return (
    <ChartPanel
      title={t('dashboard.collected')}
      about={t('dashboard.collectedAbout')}
      error={error}
      loading={!data}
      empty={rows.length === 0}
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
        <>
          <thead>
            <tr>
              <th scope="col">{t('dashboard.month')}</th>
              <th scope="col" className="amount">
                {t('dashboard.payments')}
              </th>
              <th scope="col" className="amount">
                {t('dashboard.toThirdParty')}
              </th>
              <th scope="col" className="amount">
                {t('amounts.Sum')}
              </th>
            </tr>
          </thead>
          <tbody>
            {columns.map(({ month, payments, amount, toThirdParty, to }) => (
              <tr key={month}>
                <th scope="row">
                  <Link to={to as '/'}>{longMonth(month)}</Link>
                </th>
                <td className="amount">{formatNumber(payments)}</td>
                <td className="amount">{formatMoney(toThirdParty, currency)}</td>
                <td className="amount">{formatMoney(amount, currency)}</td>
              </tr>
            ))}
          </tbody>
        </>
      }
    />
  )
}
