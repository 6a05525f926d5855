/** Cases as of a day: single ones, lists and the overview. */
import { AllCasesItem, type CaseByGuid } from '../../../contract/cases/all-cases.ts'
import { CaseListItem, type amounts } from '../../../contract/cases/cases.ts'
import { visibleCasesOn, visibleDebtorCasesOn } from '../../claims/cases.scope.ts'
import { loadPasts, type CasePast } from '../../ledger/as-of/case-past.ts'
import { requireRegistered, statusDay, type PastDay } from '../../ledger/as-of/past-day.ts'
import {
  listRows,
  type ListContext,
  type ListSource,
  type Page,
  type PageQuery,
} from '../../platform/database/list.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { invalid } from '../../platform/http/errors.ts'
import type { Properties } from '../../platform/odata/properties.ts'
import { caseRows } from '../all-cases.store.ts'
import { caseListRows, type OverviewRow } from '../cases.store.ts'
import { showPast } from './show-past.ts'

/** Throws a 400 where the case did not exist on the day. */
export async function requirePast(db: Db, caseGuid: string, day: PastDay): Promise<CasePast> {
  const past = (await loadPasts(db, [caseGuid], day)).get(caseGuid)!
  requireRegistered(day, past)
  return past
}

const changing: ReadonlySet<string> = new Set<
  keyof AllCasesItem | keyof CaseListItem | (typeof amounts)[number]
>([
  'status',
  'subStatus',
  'hold',
  'closureCode',
  'closureDate',
  'limitationDate',
  ...(Object.keys(CaseListItem.properties) as (keyof CaseListItem)[]).filter((name) =>
    /^(original|paid|remaining)/.test(name),
  ),
])

const changingNames = new Set([...changing].map((name) => name.toLowerCase()))

/** A list that is filtered and sorted by members that do not change with the day. */
const fixed = <E extends string>(source: ListSource<E>): ListSource<E> => ({
  ...source,
  properties: new Map([...source.properties].filter(([, { name }]) => !changing.has(name))) as Properties,
})
const allRows = fixed(caseRows)
const debtorRows = fixed(caseListRows)

/** Throws a 400 for a condition or an order by what changes with the day: it would need every case derived. */
function refuseChanging(query: PageQuery): void {
  for (const name of ['$filter', '$orderby'] as const) {
    const words = query[name]?.replace(/'(?:[^']|'')*'/g, '').match(/[A-Za-z]+/g) ?? []
    const found = words.find((word) => changingNames.has(word.toLowerCase()))
    if (found !== undefined)
      throw invalid({
        [name]: [
          `names ${found}, which changes with the day. With asOf or knownAt use members that do not, such as registrationDate or clientName.`,
        ],
      })
  }
  if (query.sums !== undefined)
    throw invalid({ sums: ['are those of the business date. Leave out asOf and knownAt.'] })
}

export async function listPastCases(
  db: Db,
  caller: Caller,
  { query, day }: { query: PageQuery; day: PastDay },
  context: ListContext,
): Promise<Page<AllCasesItem>> {
  refuseChanging(query)
  const found = await listRows<AllCasesItem, 'case'>(db, allRows, visibleCasesOn(caller, day), query, context)
  return showPage(db, found, day)
}

export async function listPastDebtorCases(
  db: Db,
  caller: Caller,
  { debtorGuid, query, day }: { debtorGuid: string; query: PageQuery; day: PastDay },
  context: ListContext,
): Promise<Page<CaseListItem>> {
  refuseChanging(query)
  const scope = visibleDebtorCasesOn(caller, debtorGuid, day)
  const found = await listRows<CaseListItem, 'debtorcase'>(db, debtorRows, scope, query, context)
  return showPage(db, found, day)
}

async function showPage<T extends AllCasesItem | CaseListItem>(
  db: Db,
  page: Page<T>,
  day: PastDay,
): Promise<Page<T>> {
  const pasts = await loadPasts(
    db,
    page.value.map(({ caseGuid }) => caseGuid),
    day,
  )
  return { ...page, value: page.value.map((row) => showPast(row, pasts.get(row.caseGuid)!)) }
}

/** The rows of an overview as of a day, without cases that nobody had recorded by then. */
export async function showPastOverview(
  db: Db,
  rows: readonly OverviewRow[],
  day: PastDay,
): Promise<OverviewRow[]> {
  const pasts = await loadPasts(
    db,
    rows.map(({ shown }) => shown.caseGuid),
    day,
  )
  return rows.flatMap(({ shown }) => {
    const past = pasts.get(shown.caseGuid)!
    if (day.asOf < past.registeredOn || (day.knownAt !== null && day.knownAt < past.recordedOn)) return []
    const { principal, interest, cost } = past.ledger.balances.remaining
    const row = { shown: showPast(shown, past), principal: Number(principal), interest: Number(interest) }
    return [{ ...row, fee: Number(cost) }]
  })
}

/** The invoices that were booked by then. */
export function keepInvoices(
  invoices: CaseByGuid['invoices'],
  { history: { input } }: CasePast,
  { asOf }: PastDay,
): CaseByGuid['invoices'] {
  const undone = new Set(input.movements.flatMap((one) => (one.kind === 'reversal' ? one.of : [])))
  const known = new Set([
    ...input.opening.claims.map(({ id }) => id),
    ...input.movements.flatMap((one) =>
      one.kind === 'claim' && one.valueDate <= asOf && !undone.has(one.id) ? one.claim.id : [],
    ),
  ])
  return invoices.filter(({ invoiceGuid }) => known.has(invoiceGuid))
}

/** The debtors less those who were added later. */
export const keepDebtors = (
  debtors: readonly (CaseByGuid['debtors'][number] & { addedDate: string })[],
  past: CasePast,
  day: PastDay,
): CaseByGuid['debtors'] => {
  const last = statusDay(day) < past.recordedOn ? past.recordedOn : statusDay(day)
  return debtors.flatMap(({ addedDate, ...one }) => (addedDate <= last ? one : []))
}
