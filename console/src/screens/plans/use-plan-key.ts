import { useNavigate } from '@tanstack/react-router'
import { useMay } from '../../session/session.ts'
import { caseKeys, useKey } from '../../shell/keys/use-key.ts'

/** The key that opens the workshop of the debtor's payment plans. */
export function usePlanKey(debtorGuid: string, active: boolean): void {
  const mayPlan = useMay('paymentplan.write')
  const navigate = useNavigate()
  const open = () => void navigate({ to: '/debtors/$debtorGuid/plan', params: { debtorGuid } })
  useKey(caseKeys.plan, open, mayPlan && active)
}
