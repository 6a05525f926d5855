import { SegmentedControl } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Portfolio, PortfolioAge } from '../../../../contract/insight/dashboard.ts'
import { caseStatusCodes } from '../../../../core/cases/case-lifecycle.ts'
import { ChartPanel } from '../../charts/chart-panel.tsx'
import { FigureTable } from '../../charts/figure-table.tsx'
import { StackedChart } from '../../charts/stacked-chart.tsx'
import { formatMoney, formatNumber } from '../../format/format.ts'
import { statusLabel } from '../cases/status-badge.tsx'
import { formatShort, listAt, clientCondition } from './months.ts'

export interface Answer<T> {
  data: { body: T } | undefined
  error: unknown
  currency: string
  /** Of this client alone. */
  clientGuid: string | null
}

type Measure = 'sum' | 'cases'

/** The amounts open, by status and age. */
export function PortfolioPanel({ data, error, currency, clientGuid }: Answer<Portfolio>) {
  const { t } = useTranslation()
  const [measure, setMeasure] = useState<Measure>('sum')
  const { ages = [], value = [] } = data?.body ?? {}
  const rows = value.filter(({ currencyCode }) => currencyCode === currency)
  const statuses = caseStatusCodes.filter((code) => rows.some(({ status }) => status === code))
  const show = (amount: number) => (measure === 'sum' ? formatMoney(amount, currency) : formatNumber(amount))
  const find = (status: string | null, age: PortfolioAge | null) =>
    rows
      .filter((row) => (status === null || row.status === status) && (age === null || row.age === age.age))
      .reduce((sum, row) => sum + row[measure], 0)
  const linkToCases = (status: string | null, age: PortfolioAge | null) =>
    listAt(
      '/cases',
      'closureDate eq null',
      `currencyCode eq '${currency}'`,
      clientCondition(clientGuid),
      status && `status eq '${status}'`,
      age?.registeredFrom ? `registrationDate ge ${age.registeredFrom}` : null,
      age?.registeredBefore ? `registrationDate lt ${age.registeredBefore}` : null,
    )
  const sayAge = ({ fromDays, toDays }: PortfolioAge) =>
    toDays === null
      ? t('dashboard.daysOver', { days: fromDays - 1 })
      : t('dashboard.days', { from: fromDays, to: toDays })
  const cell = (status: string | null, age: PortfolioAge | null) => {
    const found = find(status, age)
    return found === 0 ? '' : <Link to={linkToCases(status, age) as '/'}>{show(found)}</Link>
  }
  return (
    <ChartPanel
      title={t('dashboard.portfolio')}
      about={t('dashboard.portfolioAbout')}
      actions={
        <SegmentedControl
          size="xs"
          aria-label={t('dashboard.measure')}
          data={[
            { value: 'sum', label: t('dashboard.bySum') },
            { value: 'cases', label: t('dashboard.byCases') },
          ]}
          value={measure}
          onChange={setMeasure}
        />
      }
      error={error}
      loading={!data}
      empty={rows.length === 0}
      chart={
        <StackedChart
          parts={ages.map((age) => ({ name: sayAge(age), colour: `chart-age-${age.age}` }))}
          columns={statuses.map((status) => ({
            key: status,
            label: statusLabel(status),
            values: ages.map((age) => find(status, age)),
            about: `${statusLabel(status)}: ${show(find(status, null))}`,
            to: linkToCases(status, null),
          }))}
          format={formatShort}
        />
      }
      table={
        <FigureTable
          heads={[t('field.status'), ...ages.map(sayAge), t('amounts.Sum')]}
          rows={[...statuses, null].map((status) => ({
            key: status ?? 'sum',
            name: status === null ? t('amounts.Sum') : statusLabel(status),
            figures: [...ages, null].map((age) => cell(status, age)),
            isSum: status === null,
          }))}
        />
      }
    />
  )
}
