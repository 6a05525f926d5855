import { Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { recoveryAges, type Recovery, type RecoveryClient } from '../../../../contract/insight/recovery.ts'
import { FigureTable } from '../../charts/figure-table.tsx'
import { TrendLine } from '../../charts/trend-line.tsx'
import { formatMoney, formatNumber } from '../../format/format.ts'
import { LinesSkeleton, Panel } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { TableFrame } from '../../widgets/table-frame.tsx'
import { formatShare, longMonth, addMonths } from './months.ts'
import type { Answer } from './portfolio-panel.tsx'
import { findAgeTrend, registeredBetween } from './recovery.ts'

interface RecoveryAnswer extends Answer<Recovery> {
  /** Months of the trend. */
  months: number
}

/** `43 %`, or a dash where nothing was registered. */
const showRate = (rate: number | null) => (rate === null ? '–' : formatShare(rate))

/** How a rate stands against the one before it, in percentage points. */
function Change({ latest, former }: { latest: number | null; former: number | null }) {
  const { t } = useTranslation()
  if (latest === null || former === null) return '–'
  const points = Math.round((latest - former) * 100)
  const sign = points > 0 ? '+' : points < 0 ? '−' : '±'
  return t('dashboard.points', { points: `${sign}${formatNumber(Math.abs(points))}` })
}

interface TableProps {
  title: string
  about: string
  error: unknown
  loading: boolean
  empty: boolean
  children: ReactNode
}

function RecoveryTable({ title, about, error, loading, empty, children }: TableProps) {
  const { t } = useTranslation()
  return (
    <Panel title={title}>
      <Text size="xs" c="dimmed" mb="xs">
        {about}
      </Text>
      <ProblemAlert error={error} />
      {loading && error === null && <LinesSkeleton lines={5} />}
      {!loading && empty && (
        <Text size="sm" c="dimmed">
          {t('dashboard.empty')}
        </Text>
      )}
      {!loading && !empty && <TableFrame title={title}>{children}</TableFrame>}
    </Panel>
  )
}

/** The rate after 30 days to a year: the newest month that is so old, the month before it, and the trend. */
export function RecoveryByAge({ data, error, currency, clientGuid, months }: RecoveryAnswer) {
  const { t } = useTranslation()
  const recovery = data?.body
  const trends = recovery
    ? recoveryAges.map((days) => findAgeTrend(recovery, days, { currency, count: months }))
    : []
  const rows = trends.map(({ days, months: shown, rates }) => {
    const [former, latest] = [rates.at(-2) ?? null, rates.at(-1) ?? null]
    const newest = shown.at(-1)!
    return {
      key: String(days),
      name: t('dashboard.withinDays', { days }),
      figures: [
        <Link key="to" to={registeredBetween({ currency, clientGuid }, newest, addMonths(newest)) as '/'}>
          {longMonth(newest)}
        </Link>,
        showRate(latest),
        showRate(former),
        <Change key="change" latest={latest} former={former} />,
        <TrendLine key="trend" values={rates} />,
      ],
    }
  })
  return (
    <RecoveryTable
      title={t('dashboard.recoveryByAge')}
      about={t('dashboard.recoveryAbout')}
      error={error}
      loading={!data}
      empty={trends.every(({ rates }) => rates.every((rate) => rate === null))}
    >
      <FigureTable
        heads={[
          t('dashboard.age'),
          t('dashboard.registered'),
          t('dashboard.rate'),
          t('dashboard.monthBefore'),
          t('dashboard.change'),
          t('dashboard.trend'),
        ]}
        rows={rows}
      />
    </RecoveryTable>
  )
}

/** The rate of each client after 90 days, beside that of the period before. */
export function RecoveryByClient({ data, error, currency, months }: RecoveryAnswer) {
  const { t } = useTranslation()
  const clients = (data?.body.clients ?? []).filter(({ currencyCode }) => currencyCode === currency)
  return (
    <RecoveryTable
      title={t('dashboard.recoveryByClient')}
      about={t('dashboard.recoveryClientAbout', { count: months })}
      error={error}
      loading={!data}
      empty={clients.length === 0}
    >
      <FigureTable
        heads={[
          t('field.clientName'),
          t('dashboard.placed'),
          t('dashboard.recovered'),
          t('dashboard.rate'),
          t('dashboard.periodBefore'),
          t('dashboard.change'),
          t('dashboard.trend'),
        ]}
        rows={clients.map((client) => ({
          key: client.clientGuid,
          name: <ClientLink client={client} />,
          figures: [
            formatMoney(client.latest.principal, currency),
            formatMoney(client.latest.collected, currency),
            showRate(client.latest.rate),
            showRate(client.former.rate),
            <Change key="change" latest={client.latest.rate} former={client.former.rate} />,
            <TrendLine key="trend" values={client.trend} />,
          ],
        }))}
      />
    </RecoveryTable>
  )
}

function ClientLink({ client }: { client: RecoveryClient }) {
  const { clientGuid, clientName, currencyCode: currency, latest } = client
  return (
    <Group gap="xs" wrap="nowrap">
      <Link to={registeredBetween({ currency, clientGuid }, latest.from, latest.before) as '/'}>
        {clientName}
      </Link>
    </Group>
  )
}
