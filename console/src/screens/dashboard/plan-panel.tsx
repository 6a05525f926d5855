import { Anchor, SimpleGrid, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { PlanPerformance } from '../../../../contract/insight/dashboard.ts'
import { ChartPanel } from '../../charts/chart-panel.tsx'
import { FigureTable } from '../../charts/figure-table.tsx'
import { StackedChart } from '../../charts/stacked-chart.tsx'
import { formatMoney, formatNumber } from '../../format/format.ts'
import { formatShort, listAt, longMonth, clientCondition, shortMonth, listMonths } from './months.ts'
import type { Answer } from './portfolio-panel.tsx'

const states = ['PROPOSED', 'ACTIVE', 'LATE', 'COMPLETED', 'BREACHED', 'CANCELLED'] as const
const colours = { inTime: 'chart-good', late: 'chart-warn', unpaid: 'chart-bad' } as const
const outcomes = ['inTime', 'late', 'unpaid'] as const

/** Payment plans by state, and how due payments were met. */
export function PlanPanel({ data, error, currency, clientGuid }: Answer<PlanPerformance>) {
  const { t } = useTranslation()
  const body = data?.body
  const none = { payments: 0, amount: 0, paid: 0, inTime: 0, late: 0, unpaid: 0 }
  const months = listMonths(body, body?.months ?? [], currency)
  const columns = months.map(({ month, before, row }) => ({
    ...none,
    ...row,
    month,
    to: listAt(
      '/plans/payments',
      `currencyCode eq '${currency}'`,
      clientCondition(clientGuid),
      `dueDate ge ${month}`,
      `dueDate lt ${before}`,
    ),
  }))
  const isEmpty =
    months.every(({ row }) => row === undefined) &&
    !body?.states.some(({ currencyCode }) => currencyCode === currency)
  return (
    <ChartPanel
      title={t('dashboard.plans')}
      about={t('dashboard.plansAbout')}
      error={error}
      loading={!data}
      empty={isEmpty}
      chart={
        <>
          {body && <States body={body} currency={currency} clientGuid={clientGuid} />}
          <StackedChart
            parts={outcomes.map((outcome) => ({
              name: t(`dashboard.${outcome}`),
              colour: colours[outcome],
            }))}
            columns={columns.map((column) => ({
              key: column.month,
              label: shortMonth(column.month),
              values: outcomes.map((outcome) => column[outcome]),
              about: `${longMonth(column.month)}: ${formatNumber(column.payments)}, ${formatMoney(column.amount, currency)}`,
              to: column.to,
            }))}
            format={formatShort}
          />
        </>
      }
      table={
        <FigureTable
          heads={[
            t('dashboard.month'),
            t('dashboard.payments'),
            ...outcomes.map((outcome) => t(`dashboard.${outcome}`)),
            t('dashboard.due'),
            t('dashboard.paid'),
          ]}
          rows={columns.map((column) => ({
            key: column.month,
            name: <Link to={column.to as '/'}>{longMonth(column.month)}</Link>,
            figures: [
              formatNumber(column.payments),
              ...outcomes.map((outcome) => formatNumber(column[outcome])),
              formatMoney(column.amount, currency),
              formatMoney(column.paid, currency),
            ],
          }))}
        />
      }
    />
  )
}

interface StatesProps {
  body: PlanPerformance
  currency: string
  clientGuid: string | null
}

/** The number of plans by state, each a link to them. */
function States({ body, currency, clientGuid }: StatesProps) {
  const { t } = useTranslation()
  const conditions = {
    PROPOSED: ['active eq 2'],
    ACTIVE: ['active eq 1', 'latePayments eq 0'],
    LATE: ['active eq 1', 'latePayments gt 0'],
    COMPLETED: ["endReason eq 'COMPLETED'", `endDate ge ${body.from}`],
    BREACHED: ["endReason eq 'BREACHED'", `endDate ge ${body.from}`],
    CANCELLED: ["endReason eq 'CANCELLED'", `endDate ge ${body.from}`],
  }
  return (
    <SimpleGrid cols={{ base: 2, xs: 3, md: 6 }} mb="md">
      {states.map((state) => {
        const row = body.states.find((one) => one.state === state && one.currencyCode === currency)
        return (
          <div key={state}>
            <Text fz="xl" fw={600}>
              {formatNumber(row?.plans ?? 0)}
            </Text>
            <Anchor
              component={Link}
              size="sm"
              to={
                listAt(
                  '/plans',
                  `currencyCode eq '${currency}'`,
                  clientCondition(clientGuid),
                  ...conditions[state],
                ) as '/'
              }
            >
              {t(`plan.state.${state}`)}
            </Anchor>
          </div>
        )
      })}
    </SimpleGrid>
  )
}
