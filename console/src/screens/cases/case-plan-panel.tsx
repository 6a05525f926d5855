import { Anchor, Badge, Group, Progress, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { CasePlan } from '../../../../contract/cases/all-cases.ts'
import { formatDateTime, formatMoney } from '../../format/format.ts'
import { translateLabel } from '../../texts/labels.ts'
import { Panel } from '../../widgets/page.tsx'

/** The next payment of the plan, and how far the plan is paid. */
export function CasePlanPanel({ plan }: { plan: CasePlan }) {
  const { t } = useTranslation()
  const money = (amount: number) => formatMoney(amount, plan.currencyCode)
  const progress = t('plan.paidOf', { paid: plan.paidPayments, all: plan.numberOfPayments })
  return (
    <Panel
      title={t('plan.title')}
      actions={
        <Anchor component={Link} to={`/plans/${plan.paymentPlanGuid}` as '/'} size="sm">
          {t('plan.show')}
        </Anchor>
      }
    >
      <Group gap="xs" mb="xs">
        <Badge variant="light" tt="none" color={plan.active === 1 ? 'teal' : 'gray'}>
          {translateLabel(`lookup.paymentplanactive.${plan.active}`, String(plan.active))}
        </Badge>
        {plan.latePayments > 0 && (
          <Badge variant="light" tt="none" color="red">
            {t('plan.lateCount', { count: plan.latePayments })}
          </Badge>
        )}
      </Group>
      {plan.nextAmount !== null && (
        <Text size="sm" fw={500}>
          {t('plan.next', { amount: money(plan.nextAmount), date: formatDateTime(plan.nextDueDate) })}
        </Text>
      )}
      <Progress
        my="xs"
        value={plan.planned === 0 ? 0 : (100 * plan.paid) / plan.planned}
        aria-label={progress}
      />
      <Text size="xs" c="dimmed">
        {progress} · {t('plan.paidSum', { paid: money(plan.paid), all: money(plan.planned) })}
      </Text>
    </Panel>
  )
}
