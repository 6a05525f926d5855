/** What an import gives the rows that do not say it: their client, and the country of their addresses. */
import { kindsOfParties, type ImportedKind } from '../../../contract/integration/imported-kinds.ts'
import { isCountry } from '../../../core/identity/codes.ts'
import type { Sql } from '../../platform/database/driver/pool.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { ImportRefused } from './reading/import-refused.ts'
import type { SourceRow } from './reading/row.ts'

export interface RowFilling {
  /** The client of the rows that name none, of users also the agency: its code or GUID. */
  client?: string
  /** The country of the debtors' addresses that name none, or `none`; that of the system settings unless given. */
  countryCode?: string
}

/** Throws ImportRefused for what a file of the kind does not take. */
export function checkFilling(what: ImportedKind, { client, countryCode }: RowFilling): void {
  if (client !== undefined && !kindsOfParties.includes(what))
    throw new ImportRefused(
      `A client for all rows goes with files of ${kindsOfParties.join(', ')}, not of ${what}.`,
    )
  if (countryCode !== undefined && what !== 'debtors')
    throw new ImportRefused(`A country for all addresses goes with files of debtors, not of ${what}.`)
}

/** Throws ImportRefused when there is no such client. */
export async function findRowFiller(
  db: Db | Sql,
  what: ImportedKind,
  { client }: RowFilling,
): Promise<(row: SourceRow) => SourceRow> {
  if (client === undefined) return (row) => row
  const code = await findClientCode(db, what, client)
  return (row) =>
    row.members['partyReferenceCode'] === undefined
      ? { ...row, members: sortMembers({ ...row.members, partyReferenceCode: code }) }
      : row
}

/** The key of a row without a reference is a hash of its members in alphabetical order. */
const sortMembers = (members: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).toSorted(([one], [other]) => (one < other ? -1 : 1)))

/** The code of a client that is given by code or GUID; users may belong to the agency too. Throws ImportRefused. */
export async function findClientCode(db: Db | Sql, what: ImportedKind, client: string): Promise<string> {
  const mayBeAgency = what === 'users'
  const wanted = client.trim().toLowerCase()
  const [found] = await db<{ code: string }[]>`
    select reference_code as code from party
    where (${mayBeAgency} or parent_id is not null) and (lower(reference_code) = ${wanted} or id::text = ${wanted})
    order by lower(reference_code) = ${wanted} desc limit 1`
  if (!found)
    throw new ImportRefused(
      `'${client}' is not the code or GUID of ${mayBeAgency ? 'the agency or a client' : 'a client'}.`,
    )
  return found.code
}

/**
 * The country of the debtors' addresses that name none. It is no part of what identifies a row, so that a file from
 * before finds its debtors again. Throws ImportRefused for what is no country.
 */
export async function findAddressCountry(
  db: Db | Sql,
  { countryCode }: RowFilling,
  ofEnvironment: string,
): Promise<string | null> {
  return countryCode === undefined ? findUsualCountry(db, ofEnvironment) : readAddressCountry(countryCode)
}

/** The country of the system settings, or else of the environment. */
export async function findUsualCountry(db: Db | Sql, ofEnvironment: string): Promise<string> {
  const [row] = await db<{ code: string | null }[]>`
    select settings ->> 'countryCode' as code from system_setting`
  return row?.code ?? ofEnvironment
}

/** Null for `none`. */
export function readAddressCountry(countryCode: string): string | null {
  const code = countryCode.trim().toUpperCase()
  if (code === 'NONE') return null
  if (isCountry(code)) return code
  throw new ImportRefused(
    `'${countryCode}' is not a country of ISO 3166-1 such as SE. Use none for no country.`,
  )
}
