/** Figures of one client: read as by a caller who is restricted to it. */
import { visibleClients } from '../../parties/clients/clients.scope.ts'
import { findRow } from '../../platform/database/find-row.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { notFound } from '../../platform/http/errors.ts'

const source = { entity: 'client', from: 'party p', key: 'p.id', select: 'p.id' } as const

/** The caller with a further restriction to the client. Throws a 404 for a client that the caller may not see. */
export async function findFilteredCaller(
  db: Db,
  caller: Caller,
  clientGuid: string | undefined,
): Promise<Caller> {
  if (clientGuid === undefined) return caller
  const found = await findRow<{ id: string }, 'client'>(db, source, clientGuid, visibleClients(caller))
  if (!found) throw notFound('client')
  return { ...caller, partyIds: [found.id] }
}
