import * as contract from '../../../contract/access/approvals.ts'
import { selectList } from '../../platform/database/columns.ts'
import { listRows, type ListSource } from '../../platform/database/list.ts'
import { unrestricted } from '../../platform/database/row-scope.ts'
import { filterableProperties } from '../../platform/odata/properties.ts'
import { serve } from '../serve/route.ts'
import type { ServerContext } from '../serve/server-context.ts'
import { approveRequest, rejectRequest, requestApproval } from './approvals.changes.ts'
import { listApprovals, requireApproval } from './approvals.store.ts'

const limitColumns = {
  approvalLimitGuid: 'l.id',
  act: 'l.act',
  userRole: 'l.user_role',
  currencyCode: 'l.currency_code',
  periodDays: 'l.period_days',
  daysBack: 'l.days_back',
}
const limits: ListSource<'approvallimit'> = {
  entity: 'approvallimit',
  from: 'approval_limit l',
  key: 'l.id',
  select: selectList({
    ...limitColumns,
    amount: 'case when l.currency_code is not null then l.amount / l.minor_per_unit::float8 end',
    userAmount: 'l.user_amount / l.minor_per_unit::float8',
  }),
  properties: filterableProperties(contract.ApprovalLimit, {
    ...limitColumns,
    amount: 'l.amount::numeric / l.minor_per_unit',
    userAmount: 'l.user_amount::numeric / l.minor_per_unit',
  }),
}
const allLimits = unrestricted('approvallimit', 'Limits are read by unrestricted administrators alone.')

export function serveApprovals(service: ServerContext): void {
  const { clock, totals, operations } = service
  const context = () => ({ totals, today: clock.today() })

  serve(service, contract.listApprovals, async ({ db, caller, query }) => ({
    body: await listApprovals(db, caller, query, context()),
  }))

  serve(service, contract.listApprovalLimits, async ({ db, query }) => ({
    body: await listRows<contract.ApprovalLimit, 'approvallimit'>(db, limits, allLimits, query, context()),
  }))

  serve(service, contract.getApproval, async ({ db, caller, params }) => ({
    body: await requireApproval(db, caller, params.approvalGuid),
  }))

  serve(service, contract.requestApproval, async ({ db, caller, body, origin }) => {
    const guid = await requestApproval(db, { operations, caller, origin }, body)
    return { body: await requireApproval(db, caller, guid), location: `/approvals/${guid}` }
  })

  serve(
    service,
    contract.approveRequest,
    async ({ db, caller, params: { approvalGuid: guid }, body, origin }) => {
      await approveRequest(db, { operations, caller, origin }, { guid, decision: body })
      return { body: await requireApproval(db, caller, guid) }
    },
  )

  serve(
    service,
    contract.rejectRequest,
    async ({ db, caller, params: { approvalGuid: guid }, body, origin }) => {
      await rejectRequest(db, { operations, caller, origin }, { guid, decision: body })
      return { body: await requireApproval(db, caller, guid) }
    },
  )
}
