/** The import of cases with their whole history, as `export --for-import` writes them. */
import { CaseHistoryRow } from '../../../../contract/integration/history-imports.ts'
import { findClientTerms, type ClientTerms } from '../../../claims/client-terms.ts'
import { emptyRows, insertMoney, type MoneyRows } from '../../../claims/money-rows.store.ts'
import { holdDate } from '../../../ledger/ledger.store.ts'
import { findRatesNow } from '../../../ledger/rates/reference-rates.store.ts'
import { makeId } from '../../../platform/database/make-id.ts'
import type { Db } from '../../../platform/database/transaction.ts'
import type { Origin } from '../../../platform/http/caller.ts'
import { ApiError, FieldErrors } from '../../../platform/http/errors.ts'
import { findKeys, type ImportKind, type Outcome, type ReadyRow } from '../import-kind.ts'
import { findReferenced } from '../kinds/case-references.store.ts'
import { sourceName } from '../kinds/cases.ts'
import { existingOutcome } from '../prepare-rows.ts'
import { toFaults } from '../reading/json-row.ts'
import { readJsonCell } from '../reading/list-cell.ts'
import type { Fault } from '../reading/row.ts'
import { buildHistory, debtorRow, type BuiltHistory } from './build-history.ts'
import * as store from './case-histories.store.ts'
import type { HistoryContext } from './history-rows.ts'
import { CarriedPayments } from './carried-payments.ts'
import { day, readHistory, type ReadHistory } from './read-history.ts'

const lists = ['invoices', 'payments', 'movements', 'debtors', 'interruptions', 'dayCount']

export const caseHistoryImport: ImportKind<ReadHistory> = {
  what: 'casehistories',
  own: { entity: 'case', table: 'debt_case', guidName: 'caseGuid' },
  schema: CaseHistoryRow,
  cells: Object.fromEntries(lists.map((name) => [name, readJsonCell])),
  rowsInChunk: 100,
  findPresent: (db, keys) => findKeys(db, 'debt_case', keys),
  prepare: (members, _key, { today }) => {
    const checks = new FieldErrors()
    const read = readHistory(members as CaseHistoryRow, checks)
    if (read.registeredOn > today)
      checks.add('registrationDate', `must not be after the business date, ${today}.`)
    checks.throwIfAny()
    return read
  },
  // Case numbers are assigned one after the other.
  listNames: () => ['case numbers'],
  insert: async (tx, ready, _run, origin) => {
    await holdDate(tx)
    const chunk = await startChunk(tx, ready, origin.businessDate)
    const taken = ready.map((one) => chunk.take(one))
    let number = await store.takeNumbers(tx, taken.filter((one) => 'client' in one).length)
    const outcomes: Outcome[] = []
    const built: BuiltHistory[] = []
    for (const [index, one] of taken.entries()) {
      if (!('client' in one)) {
        outcomes.push(one.outcome)
        continue
      }
      built.push(chunk.build(ready[index]!, one, number++))
      outcomes.push('inserted')
    }
    await writeHistories(tx, built, chunk.payments, origin)
    return outcomes
  },
}

interface Taken {
  client: ClientTerms
  debtorGuid: string
}

async function startChunk(tx: Db, ready: readonly ReadyRow<ReadHistory>[], today: string) {
  const source = sourceName(ready[0]!.row.key)
  const present = await findKeys(
    tx,
    'debt_case',
    ready.map(({ row }) => row.key),
  )
  const found = await findChunk(tx, source, ready)
  const payments = await CarriedPayments.load(tx, source, { ready, ...found })
  const rates = await findRatesNow(tx)
  const make = (one: ReadyRow<ReadHistory>, taken: Taken, number: number): BuiltHistory => {
    const context: HistoryContext = {
      ...taken,
      caseGuid: makeId(),
      number,
      today,
      rates,
      sourceReference: one.row.key,
      payments: payments.guids,
    }
    const built = buildHistory(one.made, context)
    for (const other of one.made.row.debtors ?? []) {
      const guid = found.debtors.get(other.debtorReference!.trim())!
      const added = day(other.addedDate) ?? one.made.registeredOn
      built.rows.caseDebtors.push(debtorRow(context, guid, other.debtorRole!, added))
    }
    return built
  }
  return {
    payments,
    take: (one: ReadyRow<ReadHistory>): Taken | { outcome: Outcome } => {
      if (present.has(one.row.key)) return { outcome: existingOutcome(one) }
      const { row } = one.made
      const { client, debtorGuid, faults } = resolve(row, found)
      faults.unshift(...payments.listFaults(one))
      if (faults.length > 0) return { outcome: faults }
      const taken = { client: client!, debtorGuid: debtorGuid! }
      const wrong = faultsIn(() => make(one, taken, 1))
      if (wrong) return { outcome: wrong }
      present.add(one.row.key)
      payments.note(one)
      return taken
    },
    build: (one: ReadyRow<ReadHistory>, taken: Taken, number: number) => {
      const built = make(one, taken, number)
      payments.addRows(one, built)
      return built
    },
  }
}

/** Whom a row names, or who is not there. */
function resolve(row: CaseHistoryRow, { clients, debtors }: Awaited<ReturnType<typeof findChunk>>) {
  const client = clients.get(row.partyReferenceCode!.trim())
  const debtorGuid = debtors.get(row.debtorReference!.trim())
  const faults: Fault[] = []
  if (!client) faults.push({ field: 'partyReferenceCode', reason: 'is not a client.' })
  if (!debtorGuid) faults.push({ field: 'debtorReference', reason: 'is not a debtor.' })
  const others = (row.debtors ?? []).map(({ debtorReference }) => debtorReference?.trim() ?? '')
  for (const reference of others)
    if (!debtors.has(reference)) faults.push({ field: 'debtors', reason: `'${reference}' is not a debtor.` })
  const guids = [debtorGuid, ...others.map((reference) => debtors.get(reference))]
  if (faults.length === 0 && new Set(guids).size < guids.length)
    faults.push({ field: 'debtors', reason: 'name a debtor twice.' })
  return { client, debtorGuid, faults }
}

async function findChunk(tx: Db, source: string, ready: readonly ReadyRow<ReadHistory>[]) {
  const rows = ready.map(({ made }) => made.row)
  const codes = await findReferenced(
    tx,
    'client',
    source,
    rows.map((row) => row.partyReferenceCode?.trim()),
  )
  const debtors = await findReferenced(
    tx,
    'debtor',
    source,
    rows.flatMap((row) => [
      row.debtorReference?.trim(),
      ...(row.debtors ?? []).map((one) => one.debtorReference?.trim()),
      ...(row.payments ?? []).map((one) => one.debtorReference?.trim()),
    ]),
  )
  const clients = new Map<string, ClientTerms>()
  for (const [code, guid] of codes) clients.set(code, (await findClientTerms(tx, guid))!)
  return { clients, debtors }
}

/** Why the history of a case cannot be derived. */
function faultsIn(build: () => unknown): Fault[] | null {
  try {
    build()
    return null
  } catch (error) {
    if (error instanceof ApiError) return toFaults(error)
    if (error instanceof RangeError) return [{ field: 'movements', reason: error.message }]
    throw error
  }
}

async function writeHistories(
  tx: Db,
  built: readonly BuiltHistory[],
  payments: CarriedPayments,
  origin: Origin,
): Promise<void> {
  if (built.length === 0) return
  const rows = emptyRows()
  for (const one of built)
    for (const name of Object.keys(rows) as (keyof MoneyRows)[])
      (rows[name] as unknown[]).push(...(one.rows[name] as unknown[]))
  await insertMoney(tx, rows, origin)
  await store.finishCases(
    tx,
    built.map(({ extras }) => extras),
    built.flatMap(({ interruptions }) => interruptions),
  )
  await payments.finish(tx)
}
