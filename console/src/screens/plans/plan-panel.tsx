import { Anchor, Badge, Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PaymentPlanListItem } from '../../../../contract/plans/payment-plans.ts'
import { api } from '../../api/client.ts'
import { reading } from '../../api/queries.ts'
import { formatDateTime, formatMoney } from '../../format/format.ts'
import { useMay } from '../../session/session.ts'
import { translateLabel } from '../../texts/labels.ts'
import { ConfirmDialog } from '../../widgets/confirm-dialog.tsx'
import { ListPanel } from '../../widgets/list-panel.tsx'
import { ActivatePlan } from './activate-plan.tsx'
import { refreshPlan } from './plan-changes.ts'

/** The plans of a debtor. */
export function PlanPanel({ debtorGuid }: { debtorGuid: string }) {
  const { t } = useTranslation()
  const mayWrite = useMay('paymentplan.write')
  const [asking, setAsking] = useState<{ step: 'activate' | 'cancel'; plan: PaymentPlanListItem }>()
  const { data, error } = useQuery(
    reading('listPaymentPlans', { debtorGuid, $top: 50, $orderby: 'startDate desc' }),
  )
  return (
    <ListPanel
      title={t('plan.plans')}
      rows={data?.body.value}
      error={error}
      empty={t('plan.none')}
      getKey={({ paymentPlanGuid }) => paymentPlanGuid}
      after={
        <>
          {asking?.step === 'activate' && (
            <ActivatePlan
              debtorGuid={debtorGuid}
              planGuid={asking.plan.paymentPlanGuid}
              onClose={() => setAsking(undefined)}
            />
          )}
          {asking?.step === 'cancel' && (
            <ConfirmDialog
              title={t('plan.cancel')}
              about={t('plan.cancelAbout')}
              confirm={t('plan.cancel')}
              onConfirm={async () => {
                await api.cancelPaymentPlan({ debtorGuid, paymentplanGuid: asking.plan.paymentPlanGuid })
                await refreshPlan()
              }}
              onClose={() => setAsking(undefined)}
            />
          )}
        </>
      }
    >
      {(plan) => (
        <>
          <div>
            <Anchor component={Link} to={`/plans/${plan.paymentPlanGuid}` as '/'} size="sm" fw={500}>
              {translateLabel(`lookup.paymentplantype.${plan.paymentPlanType}`, '')}{' '}
              {formatMoney(plan.amount, plan.currencyCode)}
            </Anchor>
            <Text size="xs" c="dimmed">
              {formatDateTime(plan.startDate)} ·{' '}
              {t('plan.paidOf', {
                paid: plan.numberOfPayments - plan.remainingNumberOfPayments,
                all: plan.numberOfPayments,
              })}
            </Text>
          </div>
          <Group gap="xs" wrap="nowrap">
            <Badge variant="light" tt="none" color={plan.active === 1 ? 'teal' : 'gray'}>
              {translateLabel(`lookup.paymentplanactive.${plan.active}`, String(plan.active))}
            </Badge>
            {mayWrite && plan.active === 2 && (
              <Button size="compact-xs" onClick={() => setAsking({ step: 'activate', plan })}>
                {t('plan.activate')}
              </Button>
            )}
            {mayWrite && plan.active !== 0 && (
              <Button size="compact-xs" variant="default" onClick={() => setAsking({ step: 'cancel', plan })}>
                {t('plan.cancel')}
              </Button>
            )}
          </Group>
        </>
      )}
    </ListPanel>
  )
}
