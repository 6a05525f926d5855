/** The kinds of exports. They use the same sources, row restrictions and access codes as the API's lists. */
import type { Sql } from '../../platform/database/driver/pool.ts'
import type { AccessCode } from '../../../contract/access/access.ts'
import { caseRows } from '../../cases/all-cases.store.ts'
import { clientRows } from '../../parties/clients/clients.store.ts'
import type { ListSource } from '../../platform/database/list.ts'
import { streamRows, type StreamContext, type StreamQuery } from '../../platform/database/stream-rows.ts'
import { addressRows } from '../../parties/debtors/addresses.store.ts'
import { debtorListRows, debtorRows } from '../../parties/debtors/debtors.store.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { visiblePlans } from '../../plans/plans.scope.ts'
import { visibleCases } from '../../claims/cases.scope.ts'
import { visibleClients } from '../../parties/clients/clients.scope.ts'
import { visibleDebtors } from '../../parties/debtors/debtors.scope.ts'
import { visibleUsers } from '../../access/users/users.scope.ts'
import type { Scope } from '../../platform/database/row-scope.ts'
import { filterableProperties } from '../../platform/odata/properties.ts'
import { planRows } from '../../plans/plans.store.ts'
import { userRows } from '../../access/users/users.store.ts'
import { ExportedInvoice, ExportedPayment } from './exported-rows.ts'

type RowSink = (rows: Record<string, unknown>[]) => Promise<void>

export interface ExportKind {
  access: AccessCode
  /** The entity whose custom fields a filter may name, and its SQL alias. */
  customFields?: [entity: string, alias: string]
  /** The list of the API; `stream` may give more members. */
  source: ListSource
  visible(caller: Caller): Scope<string>
  stream(sql: Sql, caller: Caller, query: StreamQuery, context: StreamContext, take: RowSink): Promise<number>
}

const kind = <E extends string>(
  access: AccessCode,
  source: ListSource<E>,
  makeScope: (caller: Caller) => Scope<NoInfer<E>>,
  customFields?: [entity: string, alias: string],
): ExportKind => ({
  access,
  ...(customFields && { customFields }),
  source,
  visible: makeScope,
  stream: (sql, caller, query, context, take) =>
    streamRows<E>(sql, { source, visible: makeScope(caller) }, query, context, take),
})

const caseColumns = {
  caseGuid: 'c.id',
  caseNumber: 'c.case_number',
  clientReferenceNumber: 'c.client_reference_number',
  clientName: 'p.name',
  debtorGuid: 'c.main_debtor_id',
  currencyCode: 'c.currency_code',
}
const paymentColumns = {
  paymentGuid: 'm.payment_id',
  movementGuid: 'm.id',
  ...caseColumns,
  kind: 'm.kind',
  valueDate: 'm.value_date::timestamptz',
  bookedDate: 'm.booked_date::timestamptz',
  reversed: 'exists (select from movement r where r.reverses_id = m.id)',
}
const invoiceColumns = {
  invoiceGuid: 'i.id',
  ...caseColumns,
  invoiceNumber: 'i.invoice_number',
  invoiceDate: 'i.invoice_date::timestamptz',
  dueDate: 'i.due_date::timestamptz',
  description: 'i.description',
}
const select = (columns: Record<string, string>) =>
  Object.entries(columns)
    .map(([name, column]) => `${column} as "${name}"`)
    .join(', ')
const joined = 'join debt_case c on c.id = {}.case_id join party p on p.id = c.client_id'

/** The part of a payment that was allocated to one case. A divided payment has several rows. */
const paymentRows: ListSource<'case'> = {
  entity: 'case',
  from: `(select * from movement where kind in ('payment', 'thirdPartyPayment')) m ${joined.replace('{}', 'm')}`,
  key: 'm.id',
  select: select({ ...paymentColumns, amount: 'm.amount / c.minor_per_unit::float8' }),
  properties: filterableProperties(ExportedPayment, {
    ...paymentColumns,
    amount: 'm.amount::numeric / c.minor_per_unit',
  }),
}
const invoiceRows: ListSource<'case'> = {
  entity: 'case',
  from: `invoice i ${joined.replace('{}', 'i')}`,
  key: 'i.id',
  select: select({ ...invoiceColumns, principal: 'i.principal / c.minor_per_unit::float8' }),
  properties: filterableProperties(ExportedInvoice, {
    ...invoiceColumns,
    principal: 'i.principal::numeric / c.minor_per_unit',
  }),
}

export const exportKinds = {
  clients: kind('client.read', clientRows, visibleClients, ['client', 'p']),
  users: kind('user.read', userRows, visibleUsers, ['user', 'u']),
  debtors: {
    ...kind('debtor.read', debtorRows, visibleDebtors, ['debtor', 'd']),
    source: debtorListRows,
  },
  addresses: kind('debtor.read', addressRows, visibleDebtors, ['address', 'a']),
  cases: kind('case.read', caseRows, visibleCases, ['case', 'c']),
  invoices: kind('case.read', invoiceRows, visibleCases),
  payments: kind('payment.read', paymentRows, visibleCases),
  paymentplans: kind('paymentplan.read', planRows, visiblePlans),
} as const satisfies Record<string, ExportKind>

export type ExportName = keyof typeof exportKinds
export const exportNames = Object.keys(exportKinds) as ExportName[]

/** Throws a 403 when the caller lacks the access code of the corresponding list. */
export function requireExport(caller: Caller, name: ExportName): ExportKind {
  const found = exportKinds[name]
  if (caller.accessCodes.has(found.access)) return found
  throw new ApiError(
    'forbidden',
    `Exporting ${name} needs the access code ${found.access}, which this user does not have.`,
  )
}
