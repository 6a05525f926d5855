import { Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ticksUpTo } from '../../charts/ticks.ts'
import { formatDateTime, formatMoney, formatNumber } from '../../format/format.ts'

export interface ChartRow {
  paymentNo: number
  dueDate: string
  instalment: number
  interest: number
  fee: number
  amount: number
  balance: number
}

const width = 800
const height = 192
const parts = ['instalment', 'interest', 'fee'] as const

/** Each payment by component, and the debt after it. The table below has the same numbers. */
export function PlanChart({ rows, currency }: { rows: readonly ChartRow[]; currency: string }) {
  const { t } = useTranslation()
  const most = Math.max(1, ...rows.map(({ amount }) => amount))
  const paymentTicks = ticksUpTo(most)
  const debtTicks = ticksUpTo(Math.max(1, ...rows.map(({ balance, instalment }) => balance + instalment)))
  return (
    <figure style={{ margin: 0 }}>
      <div className="plan-chart">
        <Axis title={t('plan.axisPayment', { currency })} ticks={paymentTicks} />
        <div className="plan-plot">
          <div className="chart-lines">
            {paymentTicks.map((tick) => (
              <hr key={tick} style={{ bottom: `${(tick / paymentTicks.at(-1)!) * 100}%` }} />
            ))}
          </div>
          <svg
            viewBox={`0 0 ${width} ${height}`}
            preserveAspectRatio="none"
            role="img"
            aria-label={t('plan.chart', { count: rows.length, amount: formatMoney(most, currency) })}
          >
            <Bars rows={rows} top={paymentTicks.at(-1)!} />
            <DebtLine rows={rows} top={debtTicks.at(-1)!} />
          </svg>
          <div className="plan-dates" aria-hidden="true">
            <span>{formatDateTime(rows[0]?.dueDate ?? null)}</span>
            {rows.length > 1 && <span>{formatDateTime(rows.at(-1)!.dueDate)}</span>}
          </div>
        </div>
        <Axis title={t('plan.axisDebt', { currency })} ticks={debtTicks} right />
      </div>
      <Group gap="lg" component="figcaption" mt="xs">
        {[...parts, 'balance' as const].map((part) => (
          <Group key={part} gap={6}>
            <svg width={14} height={10} aria-hidden="true">
              {part === 'balance' ? (
                <line x1={0} y1={5} x2={14} y2={5} className="plan-balance" />
              ) : (
                <rect width={14} height={10} className={`plan-${part}`} />
              )}
            </svg>
            <Text size="xs">{t(`plan.${part}`)}</Text>
          </Group>
        ))}
      </Group>
    </figure>
  )
}

interface AxisProps {
  title: string
  ticks: readonly number[]
  right?: boolean
}

/** A y-axis with its unit: the payments have one on the left, the debt has its own on the right. */
function Axis({ title, ticks, right }: AxisProps) {
  return (
    <div className="plan-axis" data-right={right} aria-hidden="true">
      <span className="plan-axis-title">{title}</span>
      <div className="chart-ticks">
        {ticks.map((tick) => (
          <span key={tick} style={{ bottom: `${(tick / ticks.at(-1)!) * 100}%` }}>
            {formatNumber(tick)}
          </span>
        ))}
      </div>
    </div>
  )
}

function Bars({ rows, top }: { rows: readonly ChartRow[]; top: number }) {
  const step = width / Math.max(1, rows.length)
  const bar = Math.min(Math.max(0.6, step * 0.72), 72)
  return rows.map((row, index) => {
    let y = height
    return parts.map((part) => {
      const tall = Math.max(0, (row[part] / top) * height)
      y -= tall
      return (
        <rect
          key={`${row.paymentNo} ${part}`}
          className={`plan-${part}`}
          x={(index + 0.5) * step - bar / 2}
          y={y}
          width={bar}
          height={tall}
        />
      )
    })
  })
}

function DebtLine({ rows, top }: { rows: readonly ChartRow[]; top: number }) {
  const step = width / Math.max(1, rows.length)
  const points = rows.map(
    ({ balance }, index) => `${(index + 0.5) * step},${height - (balance / top) * height}`,
  )
  return <polyline points={points.join(' ')} className="plan-balance" vectorEffect="non-scaling-stroke" />
}
