/** Portfolio and aging as of a day: each case is derived, in chunks. */
import { toDayNumber } from '../../../core/calendar/calendar.ts'
import { sumComponents, type ByComponent } from '../../../core/ledger/case-transaction.ts'
import { visibleCasesOn } from '../../claims/cases.scope.ts'
import { loadPasts, type CasePast } from '../../ledger/as-of/case-past.ts'
import type { PastDay } from '../../ledger/as-of/past-day.ts'
import { runStatement } from '../../platform/database/statement.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/errors.ts'
import type { ReportRange, ReportRow } from './report-queries.ts'

/** More cases would hold a request for minutes: the cost grows with each case. */
const casesMax = 20_000
const chunkRows = 500

interface CaseOnDay {
  client: string
  clientGuid: string
  currencyCode: string
  status: string
  isOpen: boolean
  past: CasePast
}

interface CaseRow {
  id: string
  client: string
  clientGuid: string
  currencyCode: string
  status: string
  closureCode: string | null
}

function casesOn(caller: Caller, day: PastDay, clientGuid: string | null, first: number) {
  const scope = visibleCasesOn(caller, day).at(first + 1)
  return {
    text: `${scope.text} and ($${first}::uuid is null or c.client_id = $${first}::uuid)`,
    parameters: [clientGuid, ...scope.parameters],
  }
}

/** Throws a 422 where the caller sees too many cases. */
async function requireFew(db: Db, caller: Caller, clientGuid: string | null, day: PastDay): Promise<void> {
  const where = casesOn(caller, day, clientGuid, 1)
  const [row] = await runStatement<{ count: number }>(
    db,
    `select count(*)::int as count from (select from debt_case c where ${where.text} limit ${casesMax + 1}) few`,
    where.parameters,
  )
  if (row!.count > casesMax)
    throw new ApiError(
      'unprocessable',
      `As of a day this report derives each case, and takes at most ${casesMax} cases. Ask for one client (clientGuid).`,
    )
}

/** Every case that existed on the day, one chunk after the other. */
async function* eachCaseOn(
  db: Db,
  caller: Caller,
  clientGuid: string | null,
  day: PastDay,
): AsyncGenerator<CaseOnDay> {
  const where = casesOn(caller, day, clientGuid, 2)
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const rows = await runStatement<CaseRow>(
      db,
      `select c.id, p.name as client, c.client_id as "clientGuid", c.currency_code as "currencyCode", c.status,
         c.closure_code as "closureCode"
       from debt_case c join party p on p.id = c.client_id
       where c.id > $1::uuid and ${where.text} order by c.id limit ${chunkRows}`,
      [after, ...where.parameters],
    )
    const pasts = await loadPasts(
      db,
      rows.map(({ id }) => id),
      day,
    )
    for (const { id, closureCode, ...row } of rows) {
      const past = pasts.get(id)!
      const { state } = past
      const code = 'closureCode' in state ? state.closureCode : closureCode
      yield {
        ...row,
        status: (state.status as string | undefined) ?? row.status,
        isOpen: code === null,
        past,
      }
    }
    if (rows.length < chunkRows) return
    after = rows.at(-1)!.id
  }
}

const statusOrder = ['NEW', 'PRECOLLECTION', 'AMICABLE', 'LEGAL', 'ENFORCEMENT', 'SURVEILLANCE', 'CLOSED']

type Sums = { key: string[]; row: ReportRow; cases: number; sums: Map<string, bigint> }

/** Adds amounts to the row of a group. */
function addTo(
  groups: Map<string, Sums>,
  one: CaseOnDay,
  status: string | null,
  added: Record<string, bigint>,
): void {
  const order = status === null ? '' : String(statusOrder.indexOf(status))
  const key = [one.client, one.clientGuid, one.currencyCode, order]
  const name = key.join('\n')
  const found = groups.get(name) ?? {
    key,
    row: { client: one.client, currencyCode: one.currencyCode, ...(status !== null && { status }) },
    cases: 0,
    sums: new Map(),
  }
  found.cases += 1
  for (const [code, amount] of Object.entries(added))
    found.sums.set(code, (found.sums.get(code) ?? 0n) + amount)
  groups.set(name, found)
}

const toRows = (groups: Map<string, Sums>): ReportRow[] =>
  [...groups.values()]
    .toSorted((a, b) => compareKeys(a.key, b.key))
    .map(({ row, cases, sums }) => ({
      ...row,
      cases,
      ...Object.fromEntries([...sums].map(([code, minor]) => [code, String(minor)])),
    }))

function compareKeys(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((part, index) => part !== b[index])
  if (at < 0) return 0
  return at === 0 ? a[0]!.localeCompare(b[0]!, 'en') : a[at]! < b[at]! ? -1 : 1
}

const sum = (amounts: ByComponent) => sumComponents(amounts)

export async function listPastPortfolio(
  db: Db,
  caller: Caller,
  { clientGuid }: ReportRange,
  day: PastDay,
): Promise<ReportRow[]> {
  await requireFew(db, caller, clientGuid, day)
  const groups = new Map<string, Sums>()
  for await (const one of eachCaseOn(db, caller, clientGuid, day)) {
    const { original, paid, writtenOff, remaining } = one.past.ledger.balances
    addTo(groups, one, one.status, {
      original: sum(original),
      paid: sum(paid),
      writtenOff: sum(writtenOff),
      principal: remaining.principal,
      interest: remaining.interest,
      fee: remaining.cost,
      sum: sum(remaining),
    })
  }
  return toRows(groups)
}

/** The columns of aging, by the last day overdue of each. */
const buckets: readonly (readonly [code: string, last: number])[] = [
  ['notDue', 0],
  ['days30', 30],
  ['days60', 60],
  ['days90', 90],
  ['days180', 180],
  ['days365', 365],
  ['older', Number.POSITIVE_INFINITY],
]

export async function listPastAging(
  db: Db,
  caller: Caller,
  { clientGuid }: ReportRange,
  day: PastDay,
): Promise<ReportRow[]> {
  await requireFew(db, caller, clientGuid, day)
  const groups = new Map<string, Sums>()
  const empty = Object.fromEntries([...buckets.map(([code]) => [code, 0n]), ['noDueDate', 0n]])
  for await (const one of eachCaseOn(db, caller, clientGuid, day)) {
    if (!one.isOpen) continue
    const owed = sum(one.past.ledger.balances.remaining)
    addTo(groups, one, null, { ...empty, [findBucket(one.past, day.asOf)]: owed, sum: owed })
  }
  return toRows(groups)
}

function findBucket({ history: { input } }: CasePast, asOf: string): string {
  const added = input.movements.flatMap((one) =>
    one.kind === 'claim' && one.valueDate <= asOf ? one.claim : [],
  )
  const dueDates = [...input.opening.claims, ...added].flatMap(({ dueDate }) => dueDate ?? []).toSorted()
  if (dueDates.length === 0) return 'noDueDate'
  const days = toDayNumber(asOf) - toDayNumber(dueDates[0]!)
  return buckets.find(([, last]) => days <= last)![0]
}
