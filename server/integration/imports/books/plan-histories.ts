/** The import of payment plans as they stand, as `export --for-import` writes them. Their cases come before. */
import { PlanHistoryRow } from '../../../../contract/integration/plan-history-imports.ts'
import { emptyRows, insertMoney } from '../../../claims/money-rows.store.ts'
import { holdDate } from '../../../ledger/ledger.store.ts'
import { rowParameters, rowsFrom } from '../../../platform/database/row-text.ts'
import { runStatement } from '../../../platform/database/statement.ts'
import type { Db } from '../../../platform/database/transaction.ts'
import { initialChanges, type Change } from '../../../platform/events/record.ts'
import type { Origin } from '../../../platform/http/caller.ts'
import { lockCases } from '../../../plans/locked-plans.ts'
import type { PlanRecord } from '../../../plans/plan-record.ts'
import { insertPlan } from '../../../plans/write-plans.store.ts'
import { findKeys, type ImportKind, type Outcome, type ReadyRow } from '../import-kind.ts'
import { findReferenced } from '../kinds/case-references.store.ts'
import { sourceName } from '../kinds/cases.ts'
import { existingOutcome } from '../prepare-rows.ts'
import { readJsonCell } from '../reading/list-cell.ts'
import type { Fault } from '../reading/row.ts'
import { day } from './read-history.ts'
import { readPlan, type ReadPlan } from './read-plan.ts'

const lists = ['freeMonths', 'deviations', 'periods', 'payments', 'cases']

export const planHistoryImport: ImportKind<ReadPlan> = {
  what: 'planhistories',
  schema: PlanHistoryRow,
  cells: Object.fromEntries(lists.map((name) => [name, readJsonCell])),
  rowsInChunk: 50,
  findPresent: (db, keys) => findKeys(db, 'payment_plan', keys),
  prepare: (members) => readPlan(members as PlanHistoryRow),
  // Two chunks that lock the same cases in different order would deadlock, so they go one after the other.
  listNames: () => ['plans'],
  insert: async (tx, ready, _run, origin) => {
    await holdDate(tx)
    const chunk = await startChunk(tx, ready)
    const outcomes: Outcome[] = []
    for (const one of ready) outcomes.push(await chunk.insert(one, origin))
    return outcomes
  },
}

async function startChunk(tx: Db, ready: readonly ReadyRow<ReadPlan>[]) {
  const source = sourceName(ready[0]!.row.key)
  const keys = ready.map(({ row }) => row.key)
  const rows = ready.map(({ made }) => made.row)
  const present = await findKeys(tx, 'payment_plan', keys)
  const guids = await findTaken(
    tx,
    ready.map(({ made }) => made.record.planGuid!),
  )
  const debtors = await findReferenced(
    tx,
    'debtor',
    source,
    rows.map(({ debtorReference }) => debtorReference?.trim()),
  )
  const cases = await findReferenced(
    tx,
    'case',
    source,
    rows.flatMap((row) => row.cases!.map(({ caseReference }) => caseReference?.trim())),
  )
  const clients = await findCases(tx, [...cases.values()])
  await lockCases(tx, [...clients.keys()])
  return {
    insert: async (one: ReadyRow<ReadPlan>, origin: Origin): Promise<Outcome> => {
      if (present.has(one.row.key)) return existingOutcome(one)
      const { row, record, claims } = one.made
      const faults: Fault[] = []
      const debtorGuid = debtors.get(row.debtorReference!.trim())
      if (!debtorGuid) faults.push({ field: 'debtorReference', reason: 'is not a debtor.' })
      if (guids.has(record.planGuid!))
        faults.push({ field: 'paymentPlanGuid', reason: 'belongs to another payment plan.' })
      const found = row.cases!.map(({ caseReference }) =>
        clients.get(cases.get(caseReference?.trim() ?? '') ?? ''),
      )
      for (const [index, known] of found.entries()) {
        const { caseReference, active } = row.cases![index]!
        const fault = (reason: string) =>
          faults.push({ field: 'cases', reason: `'${caseReference}' ${reason}` })
        if (!known) fault('is not a case.')
        else if (known.currencyCode !== record.currencyCode) fault('has another currency.')
        else if (active && known.isPlanned) fault('is in another active plan.')
      }
      if (new Set(found).size < found.length) faults.push({ field: 'cases', reason: 'name a case twice.' })
      if (faults.length > 0) return faults
      const planned = found.map((known, index) => ({ ...known!, claim: claims[index]! }))
      await insertOne(tx, { ...record, debtorGuid: debtorGuid!, cases: planned }, one, origin)
      for (const [index, known] of found.entries())
        if (row.cases![index]!.active === true) known!.isPlanned = true
      guids.add(record.planGuid!)
      present.add(one.row.key)
      return 'inserted'
    },
  }
}

async function findTaken(tx: Db, guids: readonly string[]): Promise<Set<string>> {
  const rows = await tx<{ id: string }[]>`select id from payment_plan where id = any(${[...guids]}::uuid[])`
  return new Set(rows.map(({ id }) => id))
}

async function findCases(tx: Db, guids: readonly string[]) {
  const rows = await tx<
    {
      caseGuid: string
      caseNumber: string
      clientReference: string | null
      clientGuid: string
      currencyCode: string
      isPlanned: boolean
    }[]
  >`
    select c.id as "caseGuid", c.case_number as "caseNumber", c.client_reference_number as "clientReference",
      c.client_id as "clientGuid", c.currency_code as "currencyCode",
      exists (select from payment_plan_case pc where pc.case_id = c.id and pc.active) as "isPlanned"
    from debt_case c where c.id = any(${[...guids]}::uuid[])`
  return new Map(rows.map((row) => [row.caseGuid, { ...row, movementsBefore: null }]))
}

const placeTypes = {
  case_id: 'uuid',
  active: 'boolean',
  movements_before: 'int',
  movements_through: 'int',
}

async function insertOne(
  tx: Db,
  record: PlanRecord,
  { made, row }: ReadyRow<ReadPlan>,
  origin: Origin,
): Promise<void> {
  const planGuid = record.planGuid!
  await insertPlan(tx, { ...record, eventSequence: 1 })
  const places = record.cases.map(({ caseGuid }, index) => {
    const one = made.row.cases![index]!
    return {
      case_id: caseGuid,
      active: one.active === true,
      movements_before: one.movementsBefore ?? null,
      movements_through: one.movementsThrough ?? null,
    }
  })
  await runStatement(
    tx,
    `update payment_plan_case pc set active = n.active, movements_before = n.movements_before,
       movements_through = n.movements_through
     from ${rowsFrom(placeTypes, 2)} n where pc.plan_id = $1 and pc.case_id = n.case_id`,
    [planGuid, ...rowParameters(placeTypes, places)],
  )
  await tx`
    update payment_plan set source_reference = ${row.key}, next_check = ${day(made.row.nextCheck)}
    where id = ${planGuid}`
  const change: Change = {
    type: 'paymentplan.proposed',
    entityId: planGuid,
    subject: planGuid,
    sequence: 1,
    data: { debtorGuid: record.debtorGuid, paymentPlanGuid: planGuid },
    changes: initialChanges({
      paymentPlanType: record.planType,
      active: record.active,
      numberOfPayments: record.numberOfPayments,
      minorAmount: Number(record.levelAmount),
      currencyCode: record.currencyCode,
    }),
  }
  await insertMoney(tx, { ...emptyRows(), changes: [change] }, origin)
}
