/** Reads requests for a second person. */
import { Approval, type ApprovalDetail } from '../../../contract/access/approvals.ts'
import { selectList } from '../../platform/database/columns.ts'
import {
  listRows,
  type ListContext,
  type ListSource,
  type Page,
  type PageQuery,
} from '../../platform/database/list.ts'
import { runStatement } from '../../platform/database/statement.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { notFound } from '../../platform/http/errors.ts'
import { filterableProperties } from '../../platform/odata/properties.ts'
import { allowedApprovals, visibleApprovals } from './approvals.scope.ts'

const columns = {
  approvalGuid: 'ap.id',
  act: 'ap.act',
  status: 'ap.status',
  caseGuid: 'ap.case_id',
  caseNumber: 'c.case_number',
  clientGuid: 'coalesce(c.client_id, ap.client_id)',
  clientName: 'p.name',
  objectionGuid: 'ap.objection_id',
  invoiceGuid: 'ap.invoice_id',
  debtorGuid: 'ap.debtor_id',
  currencyCode: 'ap.currency_code',
  reason: 'ap.reason',
  requestedAt: 'ap.requested_at',
  requestedBy: 'ru.full_name',
  requestedByGuid: 'ap.requested_by',
  decidedAt: 'ap.decided_at',
  decidedBy: 'du.full_name',
  decisionText: 'ap.decision_text',
  endReason: 'ap.end_reason',
}
const from = `approval ap left join debt_case c on c.id = ap.case_id
  left join party p on p.id = coalesce(c.client_id, ap.client_id)
  left join app_user ru on ru.id = ap.requested_by left join app_user du on du.id = ap.decided_by`
const select = selectList({ ...columns, amount: 'ap.amount / ap.minor_per_unit::float8' })
const source: ListSource<'approval'> = {
  entity: 'approval',
  from,
  key: 'ap.id',
  select,
  properties: filterableProperties(Approval, {
    ...columns,
    amount: 'ap.amount::numeric / ap.minor_per_unit',
  }),
  defaultOrder: { terms: [], keyDescending: true, text: 'ap.id desc', reversedText: 'ap.id' },
}

export const listApprovals = (
  db: Db,
  caller: Caller,
  query: PageQuery,
  context: ListContext,
): Promise<Page<Approval>> =>
  listRows<Approval, 'approval'>(db, source, visibleApprovals(caller), query, context)

/** Whether all that the request is about is still the caller's. */
export async function mayStillRequest(db: Db, caller: Caller, guid: string): Promise<boolean> {
  const scope = allowedApprovals(caller).at(2)
  const parameters = [guid, ...scope.parameters]
  const text = `select ap.id from ${from} where ap.id = $1 and ${scope.text}`
  const rows = await runStatement<{ id: string }>(db, text, parameters, { prepare: true })
  return rows.length > 0
}

/** Throws a 404. */
export async function requireApproval(db: Db, caller: Caller, guid: string): Promise<ApprovalDetail> {
  const scope = visibleApprovals(caller).at(2)
  const [row] = await runStatement<ApprovalDetail>(
    db,
    `select ${select}, ap.request as input from ${from} where ap.id = $1 and ${scope.text}`,
    [guid, ...scope.parameters],
    { prepare: true },
  )
  if (!row) throw notFound('approval')
  return row
}
