import { useNavigate } from '@tanstack/react-router'
import { useMay } from '../../session/session.ts'
import { caseKeys, useKey } from '../../shell/keys/use-key.ts'

/** Opens the workshop of the debtor's payment plans, also by its key. Undefined for a user without the right. */
export function useOpenPlan(debtorGuid: string, active: boolean): (() => void) | undefined {
  const mayPlan = useMay('paymentplan.write')
  const navigate = useNavigate()
  const open = () => void navigate({ to: '/debtors/$debtorGuid/plan', params: { debtorGuid } })
  useKey(caseKeys.plan, open, mayPlan && active)
  return mayPlan && active ? open : undefined
}
