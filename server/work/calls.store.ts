/** Reads and writes calls with debtors. */
import { Call } from '../../contract/work/calls.ts'
import { selectList } from '../platform/database/columns.ts'
import {
  listRows,
  type ListContext,
  type ListSource,
  type Page,
  type PageQuery,
} from '../platform/database/list.ts'
import type { Scope } from '../platform/database/row-scope.ts'
import { rowHelper } from '../platform/database/statement.ts'
import type { Db } from '../platform/database/transaction.ts'
import { filterableProperties } from '../platform/odata/properties.ts'
import { promiseStatus } from './promises.ts'

const columns = {
  callGuid: 'k.id',
  caseGuid: 'k.case_id',
  caseNumber: 'c.case_number',
  debtorGuid: 'k.debtor_id',
  outcome: 'k.outcome',
  inbound: 'k.inbound',
  rightParty: 'k.right_party',
  text: 'k.text',
  promisedDate: 'k.promised_date::timestamptz',
  promiseStatus,
  currencyCode: 'c.currency_code',
  shownToClient: 'k.shown_to_client',
  createdAt: 'k.created_at',
  createdBy: 'u.full_name',
}
const source: ListSource<'call'> = {
  entity: 'call',
  from: 'phone_call k join debt_case c on c.id = k.case_id left join app_user u on u.id = k.created_by',
  key: 'k.id',
  select: selectList({
    ...columns,
    promisedAmount: 'k.promised_amount / c.minor_per_unit::float8',
  } satisfies Record<keyof Call, string>),
  properties: filterableProperties(Call, {
    ...columns,
    promisedAmount: 'k.promised_amount::numeric / c.minor_per_unit',
  }),
  defaultOrder: { terms: [], keyDescending: true, text: 'k.id desc', reversedText: 'k.id' },
}

export const listCalls = (
  db: Db,
  visible: Scope<'call'>,
  query: PageQuery,
  context: ListContext,
): Promise<Page<Call>> => listRows<Call, 'call'>(db, source, visible, query, context)

export interface NewCall {
  id: string
  case_id: string
  debtor_id: string
  inbound: boolean
  outcome: string
  right_party: boolean
  text: string | null
  shown_to_client: boolean
  promised_amount: number | null
  promised_date: string | null
  movements_before: number
  business_date: string
  created_by: string | null
}

export async function insertCall(tx: Db, row: NewCall): Promise<void> {
  await tx`insert into phone_call ${rowHelper(tx, { ...row })}`
}
