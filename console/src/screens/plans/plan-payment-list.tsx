import { useTranslation } from 'react-i18next'
import { AllPlanPaymentsItem } from '../../../../contract/plans/all-plans.ts'
import { DataList } from '../../lists/data-list.tsx'
import { Page } from '../../widgets/page.tsx'
import { PlanBadge } from './plan-badge.tsx'

/** Payments of plans, due and past. */
export default function PlanPaymentList() {
  const { t } = useTranslation()
  return (
    <Page title={t('plan.payments')} about={t('plan.paymentsAbout')}>
      <DataList<AllPlanPaymentsItem>
        operation="listAllPlanPayments"
        sums={['amount', 'unpaid']}
        name="plan-payments"
        row={AllPlanPaymentsItem}
        getKey={({ paymentPlanGuid, paymentNo }) => `${paymentPlanGuid} ${paymentNo}`}
        columns={['dueDate', 'debtorName', 'paymentNo', 'active', 'amount', 'unpaid', 'paidDate']}
        link={{ member: 'debtorName', to: ({ paymentPlanGuid }) => `/plans/${paymentPlanGuid}` }}
        quick="debtorName"
        sort="dueDate"
        cells={{ active: (payment) => <PlanBadge {...payment} /> }}
        quickFilters={[
          { label: t('worklist.all') },
          { label: t('plan.open'), filter: 'active eq 1 and unpaid gt 0' },
        ]}
        empty={t('plan.none')}
      />
    </Page>
  )
}
