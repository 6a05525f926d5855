/** Programs that registered themselves as assistants. A registration gives no right. */
import { makeId } from '../../platform/database/make-id.ts'
import type { Db } from '../../platform/database/transaction.ts'

export interface AssistantClient {
  clientId: string
  name: string
  redirectUris: string[]
}

/** So many that no user allowed are kept. Beyond it the oldest goes: strangers cannot fill the table, nor close it. */
export const unusedClientsMax = 1000

export async function insertClient(
  db: Db,
  { name, redirectUris }: Omit<AssistantClient, 'clientId'>,
): Promise<{ clientId: string; issuedAt: number }> {
  const [made] = await db<{ clientId: string; issuedAt: number }[]>`
    insert into assistant_client (id, name, redirect_uris) values (${makeId()}, ${name}, ${redirectUris}::text[])
    returning id as "clientId", extract(epoch from created_at)::int as "issuedAt"`
  await db`
    delete from assistant_client where id in (
      select id from assistant_client where used_at is null order by created_at desc offset ${unusedClientsMax})`
  return made!
}

export async function findClient(db: Db, clientId: string): Promise<AssistantClient | undefined> {
  const [client] = await db<AssistantClient[]>`
    select id as "clientId", name, redirect_uris as "redirectUris" from assistant_client where id = ${clientId}`
  return client
}

/** Deletes registrations that nobody allowed for a day, and those without a connection that were not for half a year. */
export async function deleteUnusedClients(db: Db): Promise<void> {
  await db`
    delete from assistant_client c
    where coalesce(c.used_at + interval '180 days', c.created_at + interval '1 day') < now()
      and not exists (select from session s where s.assistant_client_id = c.id)`
}
