/** Reads cases as of the business date: lists, the overview and the single case. */
import { CaseListItem, type amounts, type CaseDetail, type OverviewCase } from '../../contract/cases/cases.ts'
import { selectList } from '../platform/database/columns.ts'
import { runStatement } from '../platform/database/statement.ts'
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
import { visibleCases, visibleDebtorCases } from '../claims/cases.scope.ts'
import { owed, owedFee, owedInterest, owedPrincipal } from '../claims/remaining-amounts.ts'

const componentSum = (what: string) => `(c.${what}_principal + c.${what}_interest + c.${what}_fee)`

/** Every amount of a case in minor units. */
const minorColumns = {
  originalPrincipal: 'c.original_principal',
  originalFee: 'c.original_fee',
  originalInterest: 'c.original_interest',
  originalSum: componentSum('original'),
  paidPrincipal: 'c.paid_principal',
  paidFee: 'c.paid_fee',
  paidInterest: 'c.paid_interest',
  paidToThirdParty: 'c.paid_to_third_party',
  paidSum: componentSum('paid'),
  remainingPrincipal: owedPrincipal,
  remainingFee: owedFee,
  remainingInterest: owedInterest,
  remainingSum: owed,
} satisfies Record<AmountName, string>
type AmountName = (typeof amounts)[number]
const mapColumns = (write: (minor: string) => string) =>
  Object.fromEntries(Object.entries(minorColumns).map(([name, minor]) => [name, write(minor)])) as Record<
    AmountName,
    string
  >
/** For the API: dividing two exact doubles gives the double nearest to the decimal amount. */
export const amountsOut = mapColumns((minor) => `${minor} / c.minor_per_unit::float8`)
/** For filters and sorting: exact. */
export const amountsExact = mapColumns((minor) => `${minor}::numeric / c.minor_per_unit`)

/** What the lists of cases can add up. */
export const caseAmounts = {
  currency: 'c.currency_code',
  perUnit: 'c.minor_per_unit',
  minor: minorColumns,
}

/** The client and the main debtor of a case `c`. */
export const caseJoins = {
  p: { join: 'join party p on p.id = c.client_id', changesKeptAs: 'party', indexed: [] },
  m: {
    join: 'join debtor m on m.id = c.main_debtor_id',
    changesKeptAs: 'debtor',
    named: 'm.full_name',
    indexed: ['m.full_name', 'm.date_of_birth'],
  },
}

export const caseColumns = {
  caseNumber: 'c.case_number',
  clientReferenceNumber: 'c.client_reference_number',
  clientName: 'p.name',
  currencyCode: 'c.currency_code',
  service: 'c.service',
  status: 'c.status',
  subStatus: 'c.sub_status',
  closureCode: 'c.closure_code',
  registrationDate: 'c.registration_date::timestamptz',
  closureDate: 'c.closure_date::timestamptz',
}
export const listColumns = {
  caseGuid: 'c.id',
  ...caseColumns,
  mainDebtorName: 'm.full_name',
  placeOfBirth: 'm.place_of_birth',
  naceCode: 'm.nace_code',
  workPhone: 'm.work_phone',
  cellularPhone: 'm.cellular_phone',
  email: 'm.email',
  birthDate: 'm.date_of_birth',
  juridicalType: 'm.juridical_type',
}
export const caseListRows: ListSource<'debtorcase'> = {
  entity: 'debtorcase',
  from: 'case_debtor cd join debt_case c on c.id = cd.case_id',
  joins: caseJoins,
  key: 'c.id',
  select: selectList({ ...listColumns, ...amountsOut } satisfies Record<keyof CaseListItem, string>),
  properties: filterableProperties(CaseListItem, { ...listColumns, ...amountsExact }),
  amounts: caseAmounts,
}

/** The cases of a debtor that the caller may see. */
export function listCases(
  db: Db,
  caller: Caller,
  debtorGuid: string,
  query: PageQuery,
  context: ListContext,
): Promise<Page<CaseListItem>> {
  return listRows<CaseListItem, 'debtorcase'>(
    db,
    caseListRows,
    visibleDebtorCases(caller, debtorGuid),
    query,
    context,
  )
}

export type StoredCase = Omit<CaseDetail, 'links' | 'asOf' | 'knownAt'> & {
  version: number
  clientGuid: string
}

const detailSelect = selectList({
  ...caseColumns,
  description: 'c.description',
  paymentReferenceNumber: 'c.payment_reference_number',
  ...amountsOut,
  clientGuid: 'c.client_id',
  version: 'c.version',
} satisfies Record<keyof StoredCase, string>)

export async function findCase(
  db: Db,
  caller: Caller,
  { debtorGuid, caseGuid }: { debtorGuid: string; caseGuid: string },
): Promise<StoredCase | undefined> {
  const scope = visibleCases(caller).at(3)
  const [row] = await runStatement<StoredCase>(
    db,
    `select ${detailSelect}
     from case_debtor cd join debt_case c on c.id = cd.case_id join party p on p.id = c.client_id
     where cd.debtor_id = $1 and cd.case_id = $2 and ${scope.text}`,
    [debtorGuid, caseGuid, ...scope.parameters],
    { prepare: true },
  )
  return row
}

const { clientReferenceNumber, clientName, currencyCode, service, status, subStatus, registrationDate } =
  caseColumns
const overviewSelect = selectList({
  caseGuid: 'c.id',
  caseNumber: caseColumns.caseNumber,
  clientReferenceNumber,
  clientName,
  clientGuid: 'c.client_id',
  debtorRole: 'cd.debtor_role',
  currencyCode,
  service,
  status,
  subStatus,
  regDate: registrationDate,
  remainingSum: amountsOut.remainingSum,
} satisfies Record<keyof OverviewCase, string>)

export interface OverviewRow {
  shown: OverviewCase
  /** Minor units. */
  principal: number
  interest: number
  fee: number
}

type FlatOverview = OverviewCase & Omit<OverviewRow, 'shown'>

// Interest can exceed the exact integers of a double. The overview then shows the nearest double.
const overviewText = `select ${overviewSelect}, (${owedPrincipal})::float8 as principal, (${owedInterest})::float8 as interest,
  (${owedFee})::float8 as fee
  from case_debtor cd join debt_case c on c.id = cd.case_id join party p on p.id = c.client_id`

const toOverviewRow = ({ principal, interest: minor, fee, ...shown }: FlatOverview): OverviewRow => ({
  shown,
  principal,
  interest: minor,
  fee,
})

/** A debtor's cases, the one registered first first. */
export async function listOverviewCases(db: Db, caller: Caller, debtorGuid: string): Promise<OverviewRow[]> {
  const scope = visibleCases(caller).at(2)
  const rows = await runStatement<FlatOverview>(
    db,
    `${overviewText} where cd.debtor_id = $1 and ${scope.text} order by c.running_number`,
    [debtorGuid, ...scope.parameters],
    { prepare: true },
  )
  return rows.map(toOverviewRow)
}

/** Overview rows of the main debtors of many cases. */
export async function findMainOverviews(
  db: Db,
  caller: Caller,
  caseGuids: readonly string[],
): Promise<Map<string, OverviewRow>> {
  const scope = visibleCases(caller).at(2)
  const rows = await runStatement<FlatOverview>(
    db,
    `${overviewText} and cd.debtor_id = c.main_debtor_id where c.id = any($1::uuid[]) and ${scope.text}`,
    [[...caseGuids], ...scope.parameters],
    { prepare: true },
  )
  return new Map(rows.map(toOverviewRow).map((row) => [row.shown.caseGuid, row]))
}

export interface OverviewDebtor {
  fullName: string
  idNumber: string | null
  debtorReference: string
  currencyCode: string | null
  countryCode: string | null
  bankAccountNo: string | null
}

/**
 * The debtor's part of the overview, including where to pay. The caller checks the right to see the debtor.
 */
export async function findOverviewDebtor(db: Db, debtorGuid: string): Promise<OverviewDebtor> {
  const [row] = await runStatement<OverviewDebtor>(
    db,
    `select d.full_name as "fullName", d.id_number as "idNumber", d.debtor_reference as "debtorReference",
       d.currency_code as "currencyCode", d.country_code as "countryCode",
       (select bank_account_no from party where parent_id is null order by id limit 1) as "bankAccountNo"
     from debtor d where d.id = $1`,
    [debtorGuid],
    { prepare: true },
  )
  return row!
}
