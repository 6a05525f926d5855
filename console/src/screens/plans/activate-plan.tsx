import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { reading } from '../../api/queries.ts'
import { PlanActivation } from './plan-activation.tsx'
import { refreshPlan } from './plan-changes.ts'

interface ActivatePlanProps {
  debtorGuid: string
  planGuid: string
  onClose: () => void
}

/** Activates a proposal. The service reckons it anew on the day of the activation. */
export function ActivatePlan({ debtorGuid, planGuid, onClose }: ActivatePlanProps) {
  const paymentplanGuid = planGuid
  const { data } = useQuery(reading('getPaymentPlan', { debtorGuid, paymentplanGuid }))
  if (!data) return null
  const plan = data.body
  return (
    <PlanActivation
      debtorGuid={debtorGuid}
      promise={{
        type: plan.paymentPlanType,
        payments: plan.payments,
        total: plan.totalAmount,
        registrationFee: plan.registrationFee,
        left: 0,
        cases: plan.cases.length,
        currency: plan.currencyCode,
      }}
      activate={async () => {
        await api.activatePaymentPlan({ debtorGuid, paymentplanGuid })
        await refreshPlan()
        return planGuid
      }}
      wanted={{ paymentplanGuid }}
      onDone={onClose}
      onClose={onClose}
    />
  )
}
