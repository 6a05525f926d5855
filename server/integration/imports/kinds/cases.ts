/** The import of cases: the fields and checks of the form `case/register`; client and debtor by reference. */
import { CaseRow } from '../../../../contract/integration/case-imports.ts'
import { readDate } from '../../../claims/case-inputs.rules.ts'
import { findClientTerms, type ClientTerms } from '../../../claims/client-terms.ts'
import { insertCases } from '../../../cases/insert-cases.ts'
import { holdDate } from '../../../ledger/ledger.store.ts'
import { findRatesNow } from '../../../ledger/rates/reference-rates.store.ts'
import type { PreparedCase } from '../../../cases/prepared-case.ts'
import { readCase } from '../../../cases/register-case.ts'
import type { Db } from '../../../platform/database/transaction.ts'
import { ApiError, FieldErrors } from '../../../platform/http/errors.ts'
import { findReferenced } from './case-references.store.ts'
import { findKeys, type ImportKind, type Outcome, type ReadyRow } from '../import-kind.ts'
import { toFaults } from '../reading/json-row.ts'
import { existingOutcome } from '../prepare-rows.ts'
import type { Fault } from '../reading/row.ts'

interface CaseFileRow extends CaseRow {
  source: string
  registeredOn: string | null
}

export const caseImport: ImportKind<CaseFileRow> = {
  what: 'cases',
  own: { entity: 'case', table: 'debt_case', guidName: 'caseGuid' },
  schema: CaseRow,
  findPresent: (db, keys) => findKeys(db, 'debt_case', keys),
  prepare: (members, key, { today }) => {
    const row = members as CaseRow
    const checks = new FieldErrors()
    for (const name of ['partyReferenceCode', 'debtorReference'] as const)
      if (!row[name]?.trim()) checks.add(name, 'is required.')
    const registeredOn = readDate(row.registrationDate, 'registrationDate', checks)
    if (registeredOn !== null && registeredOn > today)
      checks.add('registrationDate', `must not be after the business date, ${today}.`)
    checks.throwIfAny()
    return { ...row, registeredOn, source: sourceName(key) }
  },
  // Case numbers are assigned one after the other, so chunks cannot overlap anyway.
  listNames: () => ['case numbers'],
  insert: async (tx, ready, { feeTypes }, origin) => {
    await holdDate(tx)
    const chunk = await startChunk(tx, ready, { businessDate: origin.businessDate, feeTypes })
    const outcomes = ready.map((one): Outcome | PreparedCase => chunk.prepare(one))
    const prepared = outcomes.filter((one): one is PreparedCase => typeof one === 'object' && 'claim' in one)
    const made = prepared.length > 0 ? await insertCases(tx, prepared, { origin }) : []
    const registered = new Map(prepared.map((one, index) => [one, made[index]!]))
    return outcomes.map((one) => {
      if (typeof one !== 'object' || !('claim' in one)) return one
      const { withheld, barredOn } = registered.get(one)!
      return withheld > 0n || barredOn !== null ? { withheld: withheld > 0n, barredOn } : 'inserted'
    })
  },
}

/** A key is `source/reference`. A source name has no slash. */
export const sourceName = (key: string): string => key.slice(0, key.indexOf('/'))

async function startChunk(
  tx: Db,
  ready: readonly ReadyRow<CaseFileRow>[],
  { businessDate, feeTypes: all }: { businessDate: string; feeTypes: readonly string[] },
) {
  const keys = ready.map(({ row }) => row.key)
  const source = ready[0]!.made.source
  const trimmed = (name: 'partyReferenceCode' | 'debtorReference') =>
    ready.map(({ made }) => made[name]!.trim())
  const present = await findKeys(tx, 'debt_case', keys)
  const clients = await findReferenced(tx, 'client', source, trimmed('partyReferenceCode'))
  const debtors = await findReferenced(tx, 'debtor', source, trimmed('debtorReference'))
  const rates = await findRatesNow(tx)
  const terms = new Map<string, ClientTerms | undefined>()
  for (const guid of new Set(clients.values())) terms.set(guid, await findClientTerms(tx, guid))
  const read = ({ row, made }: ReadyRow<CaseFileRow>): PreparedCase => {
    const checks = new FieldErrors()
    const client = terms.get(clients.get(made.partyReferenceCode!.trim()) ?? '')
    const debtorGuid = debtors.get(made.debtorReference!.trim())
    if (!client) checks.add('partyReferenceCode', 'is not a client.')
    if (debtorGuid === undefined) checks.add('debtorReference', 'is not a debtor.')
    const today = made.registeredOn ?? businessDate
    const feeTypes = [...all, ...Object.keys(client?.fees ?? {})]
    const prepared = readCase(made, { client, today, rates, feeTypes }, checks)
    checks.throwIfAny()
    return {
      ...prepared,
      client: client!,
      debtorGuid: debtorGuid!,
      registrationDate: made.registeredOn,
      sourceReference: row.key,
    }
  }
  return {
    prepare: (one: ReadyRow<CaseFileRow>): Outcome | PreparedCase => {
      if (present.has(one.row.key)) return existingOutcome(one)
      const made = faultsOrMade(() => read(one))
      if (!Array.isArray(made)) present.add(one.row.key)
      return made
    },
  }
}

function faultsOrMade<T extends object>(make: () => T): T | Fault[] {
  try {
    return make()
  } catch (error) {
    if (error instanceof ApiError) return toFaults(error)
    throw error
  }
}
