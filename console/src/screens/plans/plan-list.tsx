import { Badge } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { AllPlansItem } from '../../../../contract/plans/all-plans.ts'
import { DataList } from '../../lists/data-list.tsx'
import { Page } from '../../widgets/page.tsx'
import { PlanBadge } from './plan-badge.tsx'

/** Plans of all debtors, with a filter for overdue ones. */
export default function PlanList() {
  const { t } = useTranslation()
  return (
    <Page title={t('plan.plans')}>
      <DataList<AllPlansItem>
        operation="listAllPlans"
        sums={['unpaid']}
        name="plans"
        row={AllPlansItem}
        getKey={({ paymentPlanGuid }) => paymentPlanGuid}
        columns={[
          'debtorName',
          'active',
          'paymentPlanType',
          'amount',
          'unpaid',
          'nextDueDate',
          'latePayments',
        ]}
        link={{ member: 'debtorName', to: ({ paymentPlanGuid }) => `/plans/${paymentPlanGuid}` }}
        quick="debtorName"
        sort="nextDueDate"
        cells={{
          active: (plan) => <PlanBadge {...plan} />,
          latePayments: ({ latePayments }) =>
            latePayments > 0 ? (
              <Badge size="sm" color="red" variant="light">
                {latePayments}
              </Badge>
            ) : (
              ''
            ),
        }}
        quickFilters={[
          { label: t('worklist.all') },
          { label: t('plan.state.ACTIVE'), filter: 'active eq 1' },
          { label: t('plan.state.LATE'), filter: 'latePayments gt 0' },
          { label: t('plan.state.PROPOSED'), filter: 'active eq 2' },
          { label: t('plan.state.BREACHED'), filter: "endReason eq 'BREACHED'" },
        ]}
        empty={t('plan.none')}
      />
    </Page>
  )
}
