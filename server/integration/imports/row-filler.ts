/** Fills the rows of a file that do not name their client with the client of the import. */
import { kindsOfClients, type ImportedKind } from '../../../contract/integration/imported-kinds.ts'
import type { Sql } from '../../platform/database/driver/pool.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { ImportRequest } from './import-file.ts'
import { ImportRefused } from './reading/import-refused.ts'
import type { SourceRow } from './reading/row.ts'

type Filling = Pick<ImportRequest, 'client'>

/** Throws ImportRefused when the kind has no clients, or there is no such client. */
export async function findRowFiller(
  db: Db | Sql,
  what: string,
  { client }: Filling,
): Promise<(row: SourceRow) => SourceRow> {
  if (client === undefined) return (row) => row
  const code = await findClientCode(db, what, client)
  return (row) =>
    row.members['partyReferenceCode'] === undefined
      ? { ...row, members: sortMembers({ ...row.members, partyReferenceCode: code }) }
      : row
}

/** The code of a client that is given by code or GUID. */
export async function findClientCode(db: Db | Sql, what: string, client: string): Promise<string> {
  if (!kindsOfClients.includes(what as ImportedKind))
    throw new ImportRefused(
      `A client for all rows goes with files of ${kindsOfClients.join(', ')}, not of ${what}.`,
    )
  const [found] = await db<{ code: string }[]>`
    select reference_code as code from party
    where parent_id is not null and lower(${client.trim()}) in (lower(reference_code), id::text)
    order by lower(reference_code) = lower(${client.trim()}) desc limit 1`
  if (!found) throw new ImportRefused(`'${client}' is not the code or GUID of a client.`)
  return found.code
}

/** The key of a row without a reference is a hash of its members in alphabetical order. */
const sortMembers = (members: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).toSorted(([one], [other]) => (one < other ? -1 : 1)))
