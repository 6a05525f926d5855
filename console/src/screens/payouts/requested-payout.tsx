import { useQuery } from '@tanstack/react-query'
import type { PayoutDue } from '../../../../contract/treasury/payouts.ts'
import type { Approval } from '../../../../contract/access/approvals.ts'
import { reading } from '../../api/queries.ts'
import { LinesSkeleton } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { PaidClients } from './payout-tables.tsx'

/** Whom a requested payout pays: its approval pays exactly them. */
export function RequestedPayout({
  approvalGuid,
  amount,
  currencyCode,
}: Pick<Approval, 'approvalGuid' | 'amount' | 'currencyCode'>) {
  const { data, error } = useQuery(reading('getApproval', { approvalGuid }))
  const lines = (data?.body.input['lines'] ?? []) as PayoutDue['lines']
  if (error) return <ProblemAlert error={error} />
  if (!data) return <LinesSkeleton lines={3} />
  return <PaidClients lines={lines} currency={currencyCode ?? ''} amount={amount ?? 0} />
}
