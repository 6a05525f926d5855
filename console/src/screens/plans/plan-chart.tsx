import { Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatMoney } from '../../format/format.ts'

export interface ChartRow {
  paymentNo: number
  instalment: number
  interest: number
  fee: number
  amount: number
  balance: number
}

const width = 800
const height = 220
const parts = ['instalment', 'interest', 'fee'] as const

/** Each payment by component, and the debt after it. The table below has the same numbers. */
export function PlanChart({ rows, currency }: { rows: readonly ChartRow[]; currency: string }) {
  const { t } = useTranslation()
  const most = Math.max(1, ...rows.map(({ amount }) => amount))
  const debt = Math.max(1, ...rows.map(({ balance, instalment }) => balance + instalment))
  const step = width / Math.max(1, rows.length)
  const bar = Math.max(0.6, step * 0.72)
  const line = rows
    .map(({ balance }, index) => `${(index + 0.5) * step},${height - (balance / debt) * (height - 8)}`)
    .join(' ')
  return (
    <figure style={{ margin: 0 }}>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        width="100%"
        height={height}
        role="img"
        aria-label={t('plan.chart', { count: rows.length, amount: formatMoney(most, currency) })}
      >
        {rows.map((row, index) => {
          let top = height
          return parts.map((part) => {
            const tall = (row[part] / most) * (height - 8)
            top -= tall
            return (
              <rect
                key={`${row.paymentNo} ${part}`}
                className={`plan-${part}`}
                x={index * step + (step - bar) / 2}
                y={top}
                width={bar}
                height={Math.max(0, tall)}
              />
            )
          })
        })}
        <polyline points={line} className="plan-balance" vectorEffect="non-scaling-stroke" />
      </svg>
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
