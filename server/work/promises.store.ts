/** Lists promises to pay. */
import { PromiseToPay } from '../../contract/work/promises.ts'
import { selectList } from '../platform/database/columns.ts'
import {
  listRows,
  type ListContext,
  type ListSource,
  type Page,
  type PageQuery,
} from '../platform/database/list.ts'
import type { Db } from '../platform/database/transaction.ts'
import type { Caller } from '../platform/http/caller.ts'
import { filterableProperties } from '../platform/odata/properties.ts'
import { visiblePromises } from './calls.scope.ts'
import { promiseStatus } from './promises.ts'

const columns = {
  callGuid: 'k.id',
  caseGuid: 'k.case_id',
  caseNumber: 'c.case_number',
  debtorGuid: 'k.debtor_id',
  debtorName: 'd.full_name',
  promisedDate: 'k.promised_date::timestamptz',
  promiseStatus,
  currencyCode: 'c.currency_code',
  clientGuid: 'c.client_id',
  createdAt: 'k.created_at',
  createdBy: 'u.full_name',
}
const source: ListSource<'call'> = {
  entity: 'call',
  from: `phone_call k join debt_case c on c.id = k.case_id join debtor d on d.id = k.debtor_id
    left join app_user u on u.id = k.created_by`,
  key: 'k.id',
  select: selectList({
    ...columns,
    promisedAmount: 'k.promised_amount / c.minor_per_unit::float8',
  } satisfies Record<keyof PromiseToPay, string>),
  properties: filterableProperties(PromiseToPay, {
    ...columns,
    promisedAmount: 'k.promised_amount::numeric / c.minor_per_unit',
  }),
  amounts: {
    currency: 'c.currency_code',
    perUnit: 'c.minor_per_unit',
    minor: { promisedAmount: 'k.promised_amount' },
  },
  defaultOrder: {
    terms: [],
    keyDescending: true,
    text: 'k.promised_date desc, k.id desc',
    reversedText: 'k.promised_date, k.id',
  },
}

export const listPromises = (
  db: Db,
  caller: Caller,
  query: PageQuery,
  context: ListContext,
): Promise<Page<PromiseToPay>> =>
  listRows<PromiseToPay, 'call'>(db, source, visiblePromises(caller), query, context)
