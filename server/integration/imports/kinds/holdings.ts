/**
 * Imports of third parties, accounts, customers, purchases and objects: the fields and checks of their forms; client,
 * debtor and customer by reference. A record without a source reference is identified by its client and number.
 */
import type { TObject } from 'typebox'
import * as rows from '../../../../contract/integration/holding-imports.ts'
import type { ImportedKind } from '../../../../contract/integration/imported-kinds.ts'
import type { Db } from '../../../platform/database/transaction.ts'
import * as kinds from '../../../parties/holdings/holding-kinds.ts'
import type { HoldingKind, HoldingRecord } from '../../../parties/holdings/holding-kinds.ts'
import { insertHoldings } from '../../../parties/holdings/holdings.changes.ts'
import { applyHoldingInput, noHolding } from '../../../parties/holdings/holdings.rules.ts'
import { findNumbers, numberKey } from '../../../parties/holdings/holdings.store.ts'
import { FieldErrors } from '../../../platform/http/errors.ts'
import { findReferenced } from './case-references.store.ts'
import { sourceName } from './cases.ts'
import { findKeys, type ImportKind, type KeyedTable, type Outcome, type ReadyRow } from '../import-kind.ts'
import { existingOutcome } from '../prepare-rows.ts'
import type { Fault } from '../reading/row.ts'
import { compareTexts } from '../../../../core/text/compare-texts.ts'

interface HoldingRow {
  source: string
  client: string
  debtor: string | null
  customer: string | null
  /** Without the GUIDs of related records, which the database looks up. */
  record: HoldingRecord
}
type ReadyHolding = ReadyRow<HoldingRow>

const readText = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

function holdingImport(kind: HoldingKind, what: ImportedKind, schema: TObject): ImportKind<HoldingRow> {
  const numberIn = (members: Record<string, unknown>) => readText(members[kind.number?.member ?? ''])
  return {
    what,
    own: { entity: kind.entity, table: kind.table, guidName: kind.guidName },
    schema,
    readReference: (members) => {
      const [client, number] = [readText(members['partyReferenceCode']).toLowerCase(), numberIn(members)]
      return client === '' || number === '' ? null : `${client}/${number}`
    },
    findPresent: (db, keys) => findKeys(db, kind.table as KeyedTable, keys),
    prepare: (members, key, context) => {
      const input = Object.fromEntries(
        Object.entries(members).filter(([name]) => kind.members.includes(name)),
      )
      const referenceTo = (member: string, name: string) =>
        kind.members.includes(member) ? readText(members[name]) || null : null
      const checks = new FieldErrors()
      const client = readText(members['partyReferenceCode'])
      if (client === '') checks.add('partyReferenceCode', 'is required.')
      const record = applyHoldingInput(kind, noHolding(kind), input, context, checks)
      checks.throwIfAny()
      return {
        source: sourceName(key),
        client,
        debtor: referenceTo('debtorGuid', 'debtorReference'),
        customer: referenceTo('customerGuid', 'customerNumber'),
        record,
      }
    },
    ...(kind.number && {
      distinct: { field: kind.number.member, reason: 'is on an earlier row of the file too.' },
    }),
    listNames: ({ client, record }) => [`${kind.entity} ${client.toLowerCase()}/${numberIn(record)}`],
    insert: async (tx, ready, _run, origin) => {
      const chunk = await startChunk(tx, kind, ready)
      const outcomes = ready.map((one) => chunk.take(one))
      const made = outcomes.flatMap((one) => (isMade(one) ? [one] : []))
      // In one order, so that two imports with the same numbers wait for each other one way only.
      const sorted = made.toSorted((one, other) => compareTexts(insertKey(one), insertKey(other)))
      if (sorted.length > 0) await insertHoldings(tx, kind, sorted, origin)
      return outcomes.map((one) => (isMade(one) ? 'inserted' : one))
    },
  }
}

interface Made {
  record: HoldingRecord
  sourceReference: string
  number: string | null
}

const insertKey = ({ number, sourceReference }: Made) => number ?? sourceReference
const isMade = (outcome: Outcome | Made): outcome is Made =>
  typeof outcome === 'object' && 'record' in outcome

async function startChunk(tx: Db, kind: HoldingKind, ready: readonly ReadyHolding[]) {
  const source = ready[0]!.made.source
  const keys = ready.map(({ row }) => row.key)
  const present = await findKeys(tx, kind.table as KeyedTable, keys)
  const clients = await findReferenced(
    tx,
    'client',
    source,
    ready.map(({ made }) => made.client),
  )
  const debtors = await findReferenced(
    tx,
    'debtor',
    source,
    ready.map(({ made }) => made.debtor),
  )
  const customers = await findCustomers(tx, clients, ready)
  const makeNumberKey = ({ record }: HoldingRow, clientGuid: string) =>
    kind.number && { clientGuid, number: String(record[kind.number.member]) }
  const wanted = ready.flatMap(({ made }) => makeNumberKey(made, clients.get(made.client) ?? '') ?? [])
  const taken = await findNumbers(
    tx,
    kind,
    wanted.filter(({ clientGuid }) => clientGuid !== ''),
  )
  return {
    /** The record to insert, whose number is then taken; or why it is rejected. */
    take: (one: ReadyHolding): Outcome | Made => {
      const { row, made } = one
      if (present.has(row.key)) return existingOutcome(one)
      const clientGuid = clients.get(made.client)
      const debtorGuid = made.debtor === null ? null : debtors.get(made.debtor)
      const customerGuid = made.customer === null ? null : customers.get(customerKey(made))
      const number = clientGuid === undefined ? undefined : makeNumberKey(made, clientGuid)
      const faults: Fault[] = []
      if (clientGuid === undefined) faults.push(noClient)
      if (debtorGuid === undefined) faults.push(noDebtor)
      if (customerGuid === undefined) faults.push(noCustomer)
      if (number && taken.has(numberKey(number))) {
        const reason = `belongs to another ${kind.noun} of the client.`
        faults.push({ field: kind.number!.member, reason })
      }
      if (faults.length > 0) return faults
      present.add(row.key)
      if (number) taken.set(numberKey(number), row.key)
      const points = { clientGuid: clientGuid!, debtorGuid: debtorGuid!, customerGuid: customerGuid! }
      const members = kind.members.map((name) => [
        name,
        name in points ? points[name as keyof typeof points] : made.record[name]!,
      ])
      return {
        record: Object.fromEntries(members) as HoldingRecord,
        sourceReference: row.key,
        number: number ? numberKey(number) : null,
      }
    },
  }
}

const noClient: Fault = { field: 'partyReferenceCode', reason: 'is not a client.' }
const noDebtor: Fault = { field: 'debtorReference', reason: 'is not a debtor.' }
const noCustomer: Fault = {
  field: 'customerNumber',
  reason: 'is not a customer of the client. Import customers before their purchases.',
}

const customerKey = ({ client, customer }: HoldingRow) => `${client} ${customer}`

/** Finds the customers that purchases name: by the client's number, else by source reference. */
async function findCustomers(
  tx: Db,
  clients: ReadonlyMap<string, string>,
  ready: readonly ReadyHolding[],
): Promise<Map<string, string>> {
  const asked = ready.flatMap(({ made }) => {
    const clientGuid = clients.get(made.client)
    if (made.customer === null || clientGuid === undefined) return []
    const key = `${made.source}/${made.customer}`
    return [{ name: customerKey(made), clientGuid, number: made.customer, key }]
  })
  if (asked.length === 0) return new Map()
  const numbered = await findNumbers(tx, kinds.customer, asked)
  const referenced = await tx<{ key: string; guid: string; clientGuid: string }[]>`
    select source_reference as key, id as guid, client_id as "clientGuid" from customer
    where source_reference = any(${asked.map(({ key }) => key)}::text[])`
  const byReference = new Map(referenced.map(({ key, clientGuid, guid }) => [`${clientGuid} ${key}`, guid]))
  return new Map(
    asked.flatMap((one) => {
      const guid = numbered.get(numberKey(one)) ?? byReference.get(`${one.clientGuid} ${one.key}`)
      return guid === undefined ? [] : [[one.name, guid] as const]
    }),
  )
}

export const thirdPartyImport = holdingImport(kinds.thirdParty, 'thirdparties', rows.ThirdPartyRow)
export const accountImport = holdingImport(kinds.account, 'accounts', rows.AccountRow)
export const customerImport = holdingImport(kinds.customer, 'customers', rows.CustomerRow)
export const purchaseImport = holdingImport(kinds.purchase, 'purchases', rows.PurchaseRow)
export const objectImport = holdingImport(kinds.object, 'objects', rows.ObjectRow)
