/** Addresses and extra fields that a file of debtors brings in lists. */
import type { DebtorRow } from '../../../../contract/integration/book-imports.ts'
import { isLuhn } from '../../../../core/identity/check-digit.ts'
import { addReadyAddress } from '../../../parties/debtors/addresses.changes.ts'
import { applyAddressInput, noAddress, type AddressRecord } from '../../../parties/debtors/addresses.rules.ts'
import { findAddressType } from '../../../parties/debtors/addresses.store.ts'
import { findReferenceFaults } from './carried-references.store.ts'
import { addExtraField } from '../../../parties/debtors/extra-fields.changes.ts'
import type { Db } from '../../../platform/database/transaction.ts'
import { agencyItself, type Origin } from '../../../platform/http/caller.ts'
import type { FieldErrors } from '../../../platform/http/errors.ts'
import type { Fault } from '../reading/row.ts'

export interface DebtorExtras {
  debtorReference: string | null
  regDate: string | null
  addresses: AddressRecord[]
  extraFields: { name: string; value: string[] }[]
}

/** What is wrong is added to `checks`. */
export function readExtras(
  row: Pick<DebtorRow, 'addresses' | 'extraFields' | 'keptReference' | 'regDate'>,
  { countryCode, today }: { countryCode: string; today: string },
  checks: FieldErrors,
): DebtorExtras {
  const { addresses, extraFields } = row
  const debtorReference = row.keptReference?.trim() || null
  if (debtorReference !== null && !(/^\d{7,14}$/.test(debtorReference) && isLuhn(debtorReference)))
    checks.add('keptReference', 'must be a reference as Fordra gives them, with its check digit.')
  const regDate = row.regDate?.slice(0, 10) || null
  if (regDate !== null && regDate > today)
    checks.add('regDate', `must not be after the business date, ${today}.`)
  const names = new Set<string>()
  for (const { name } of extraFields ?? []) {
    if (name.trim() === '' || names.has(name.trim().toLowerCase()))
      checks.add('extraFields', `have the name '${name}' twice, or none.`)
    names.add(name.trim().toLowerCase())
  }
  return {
    debtorReference,
    regDate,
    addresses: (addresses ?? []).map(({ fullAddress, ...parts }) => {
      const record = applyAddressInput(noAddress, parts, countryCode, checks)
      return {
        ...record,
        fullAddress: record.street ? record.fullAddress : (fullAddress ?? record.fullAddress),
      }
    }),
    extraFields: extraFields ?? [],
  }
}

/** Spells types of addresses as the lookup does. Returns the faults of each debtor, or none. */
export async function findExtraFaults(db: Db, made: readonly DebtorExtras[]): Promise<Fault[][]> {
  const references = await findReferenceFaults(
    db,
    made.map(({ debtorReference }) => debtorReference),
  )
  const known = new Map<string, string | undefined>()
  const faults: Fault[][] = []
  for (const [index, { addresses }] of made.entries()) {
    const taken = references[index]!
    const own: Fault[] = taken === null ? [] : [{ field: 'keptReference', reason: taken }]
    for (const address of addresses) {
      const { addressType: type } = address
      if (!known.has(type)) known.set(type, await findAddressType(db, type))
      const spelt = known.get(type)
      if (spelt === undefined)
        own.push({ field: 'addresses', reason: `'${type}' is no value of the lookup addresstype.` })
      else address.addressType = spelt
    }
    faults.push(own)
  }
  return faults
}

/** Adds addresses and extra fields of debtors that were inserted just now, by their keys. */
export async function insertExtras(
  tx: Db,
  inserted: ReadonlyMap<string, DebtorExtras>,
  origin: Origin,
): Promise<void> {
  const keys = [...inserted.keys()]
  if (keys.length === 0) return
  const rows = await tx<{ key: string; debtorGuid: string }[]>`
    select source_reference as key, id as "debtorGuid" from debtor where source_reference = any(${keys}::text[])
    order by id`
  for (const { key, debtorGuid } of rows) {
    const { addresses, extraFields } = inserted.get(key)!
    for (const record of addresses) await addReadyAddress(tx, agencyItself, { debtorGuid, record }, origin)
    for (const input of extraFields) await addExtraField(tx, agencyItself, { debtorGuid, input }, origin)
  }
}
