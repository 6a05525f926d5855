import { Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { PaymentPlan as ServedPlan } from '../../../../contract/plans/payment-plans.ts'
import type { PaymentPlan } from '../../../../core/plans/plan-terms.ts'
import { formatDateTime, formatMoney, formatNumber } from '../../format/format.ts'
import { describeInstalments } from './instalment-amount.ts'
import type { ScheduleRow } from './plan-table.tsx'
import { toMajor } from './plan-terms.ts'
import { regularAmount } from './use-plan.ts'

interface PlanFactsProps {
  plan: PaymentPlan
  /** The answer of the service, which counts. */
  served: ServedPlan | undefined
  rows: readonly ScheduleRow[]
  currency: string
  type: number
}

/** The outcome of a plan in a line. */
export function PlanFacts({ plan, served, rows, currency, type }: PlanFactsProps) {
  const { t } = useTranslation()
  const money = (amount: number) => formatMoney(amount, currency)
  const each = (served && regularAmount(served)) ?? toMajor(plan.levelAmount, currency)
  const total = served?.totalAmount ?? toMajor(plan.totals.amount, currency)
  const annual = served ? served.annualPercentage : plan.annualPercentage
  const facts: (readonly [string, string] | false)[] = [
    [
      t('plan.each'),
      describeInstalments(rows, { type: served?.paymentPlanType ?? type, regular: each }, money),
    ],
    [t('plan.number'), formatNumber(rows.length)],
    [t('plan.first'), formatDateTime(rows[0]?.dueDate ?? null)],
    [t('plan.last'), formatDateTime(rows.at(-1)?.dueDate ?? null)],
    [t('plan.total'), money(total)],
    plan.left.total > 0n && [t('plan.left'), money(toMajor(plan.left.total, currency))],
    annual !== null && [t('plan.annual'), `${formatNumber(annual)} %`],
  ]
  return (
    <Group gap="xl" mb="md" role="status" style={{ rowGap: '0.5rem' }}>
      {facts
        .filter((fact) => fact !== false)
        .map(([name, value]) => (
          <div key={name}>
            <Text size="xs" c="dimmed">
              {name}
            </Text>
            <Text fw={600}>{value}</Text>
          </div>
        ))}
    </Group>
  )
}
