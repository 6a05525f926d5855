/** The import of payment plans: created and activated by the functions of D14; debtor and cases by reference. */
import { PlanRow } from '../../../../contract/integration/case-imports.ts'
import type { PaymentInput } from '../../../../contract/cases/case-inputs.ts'
import { holdDate } from '../../../ledger/ledger.store.ts'
import { lockTargets } from '../../../payments/payment-target.ts'
import { inSavepoint, type Db } from '../../../platform/database/transaction.ts'
import { ApiError, FieldErrors } from '../../../platform/http/errors.ts'
import { createPlan, type PlanContext } from '../../../plans/plans.changes.ts'
import { findReferenced, importCaller } from './case-references.store.ts'
import { sourceName } from './cases.ts'
import { findKeys, type ImportKind, type Outcome, type ReadyRow } from '../import-kind.ts'
import { toFaults } from '../reading/json-row.ts'
import { splitCell } from '../reading/list-cell.ts'
import { existingOutcome } from '../prepare-rows.ts'
import type { Fault } from '../reading/row.ts'

interface PlanFileRow {
  row: PlanRow
  environment: PlanContext['environment']
}

export const planImport: ImportKind<PlanFileRow> = {
  what: 'plans',
  schema: PlanRow,
  cells: { caseReferences: splitCell },
  // Each plan locks its cases until the chunk is inserted.
  rowsInChunk: 50,
  findPresent: (db, keys) => findKeys(db, 'payment_plan', keys),
  prepare: (members, _key, { countryCode, currencyCode }) => {
    const row = members as PlanRow
    const checks = new FieldErrors()
    if (!row.debtorReference?.trim()) checks.add('debtorReference', 'is required.')
    checks.throwIfAny()
    return { row, environment: { countryCode, currencyCode } }
  },
  // Two concurrent chunks that lock the same cases in different order would deadlock, so they go one after the other.
  listNames: () => ['plans'],
  insert: async (tx, ready, _run, origin) => {
    await holdDate(tx)
    const chunk = await startChunk(tx, ready)
    // All cases of the chunk in one order, before the plans are made in the order of the file.
    await lockTargets(tx, importCaller, listTargets(ready, chunk))
    const outcomes: Outcome[] = []
    for (const one of ready) outcomes.push(await insertOne(tx, one, chunk, origin))
    return outcomes
  },
}

interface Chunk {
  present: Set<string>
  debtors: Map<string, string>
  cases: Map<string, string>
}

const wanted = (list: readonly (string | null | undefined)[]) => list.map((one) => one?.trim())

async function startChunk(tx: Db, ready: readonly ReadyRow<PlanFileRow>[]): Promise<Chunk> {
  const keys = ready.map(({ row }) => row.key)
  const source = sourceName(keys[0]!)
  const rows = ready.map(({ made }) => made.row)
  return {
    present: await findKeys(tx, 'payment_plan', keys),
    debtors: await findReferenced(
      tx,
      'debtor',
      source,
      wanted(rows.map(({ debtorReference }) => debtorReference)),
    ),
    cases: await findReferenced(
      tx,
      'case',
      source,
      wanted(rows.flatMap(({ caseReferences }) => caseReferences ?? [])),
    ),
  }
}

/** The cases of active plans: those named, else all open ones of the debtor. */
function listTargets(ready: readonly ReadyRow<PlanFileRow>[], { debtors, cases }: Chunk): PaymentInput[] {
  return ready.flatMap(({ made: { row } }): PaymentInput[] => {
    if (row.active !== 1) return []
    const named = row.caseReferences?.map((reference) => cases.get(reference.trim()))
    const debtorGuid = debtors.get(row.debtorReference!.trim())
    if (named) return named.flatMap((caseGuid) => (caseGuid === undefined ? [] : { caseGuid }))
    return debtorGuid === undefined ? [] : [{ debtorGuid }]
  })
}

async function insertOne(
  tx: Db,
  one: ReadyRow<PlanFileRow>,
  { present, debtors, cases }: Chunk,
  origin: PlanContext['origin'],
): Promise<Outcome> {
  const { key } = one.row
  if (present.has(key)) return existingOutcome(one)
  const { debtorReference, caseReferences, firstDueDate, ...members } = one.made.row
  const debtorGuid = debtors.get(debtorReference!.trim())
  if (debtorGuid === undefined) return [{ field: 'debtorReference', reason: 'is not a debtor.' }]
  const named = caseReferences?.map((reference) => cases.get(reference.trim()))
  const unknown = named?.indexOf(undefined) ?? -1
  if (unknown >= 0)
    return [{ field: 'caseReferences', reason: `'${caseReferences![unknown]}' is not a case.` }]
  const input = {
    ...members,
    ...(named && { cases: named as string[] }),
    ...(firstDueDate && { payments: [{ paymentNo: 1, specifiedDueDate: firstDueDate }] }),
  }
  // A plan that is refused when it is to be activated leaves no proposal behind.
  try {
    await inSavepoint(tx, async () => {
      const { environment } = one.made
      const { planGuid } = await createPlan(tx, importCaller, { debtorGuid, input }, { origin, environment })
      await tx`update payment_plan set source_reference = ${key} where id = ${planGuid}`
    })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return toFaults(error).map(toFileFault)
  }
  present.add(key)
  return 'inserted'
}

/** Renames members of D14 to the columns of the file. */
const toFileFault = ({ field, reason }: Fault): Fault => ({
  field: field.startsWith('cases') ? 'caseReferences' : field.startsWith('payments') ? 'firstDueDate' : field,
  reason,
})
