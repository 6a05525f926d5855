/** Programs that may ask to connect: they registered themselves, or publish a document. Neither gives a right. */
import { makeId } from '../../platform/database/make-id.ts'
import type { Db } from '../../platform/database/transaction.ts'

export interface AssistantClient {
  clientId: string
  name: string
  redirectUris: string[]
  /** The address of its metadata document, by which the program names itself; null for one that registered. */
  document: string | null
}

/** So many that no user allowed are kept. Beyond it the oldest goes: strangers cannot fill the table, nor close it. */
export const unusedClientsMax = 1000

export async function insertClient(
  db: Db,
  { name, redirectUris }: Pick<AssistantClient, 'name' | 'redirectUris'>,
): Promise<{ clientId: string; issuedAt: number }> {
  const [made] = await db<{ clientId: string; issuedAt: number }[]>`
    insert into assistant_client (id, name, redirect_uris) values (${makeId()}, ${name}, ${redirectUris}::text[])
    returning id as "clientId", extract(epoch from created_at)::int as "issuedAt"`
  await db`
    delete from assistant_client where id in (
      select id from assistant_client where used_at is null order by created_at desc offset ${unusedClientsMax})`
  return made!
}

/** A program that registered. */
export async function findClient(db: Db, clientId: string): Promise<AssistantClient | undefined> {
  const [client] = await db<AssistantClient[]>`
    select id as "clientId", name, redirect_uris as "redirectUris", document_url as document
    from assistant_client where id = ${clientId} and document_url is null`
  return client
}

/** What a document says, as long as it need not be read again. */
export async function findDocumentClient(db: Db, document: string): Promise<AssistantClient | undefined> {
  const [client] = await db<AssistantClient[]>`
    select id as "clientId", name, redirect_uris as "redirectUris", document_url as document
    from assistant_client where document_url = ${document} and fresh_until > now()`
  return client
}

export async function storeDocumentClient(
  db: Db,
  { name, redirectUris, document }: Omit<AssistantClient, 'clientId'>,
  secondsFresh: number,
): Promise<AssistantClient> {
  const [stored] = await db<{ clientId: string }[]>`
    insert into assistant_client (id, name, redirect_uris, document_url, fresh_until)
    values (${makeId()}, ${name}, ${redirectUris}::text[], ${document}, now() + ${secondsFresh} * interval '1 second')
    on conflict (document_url) do update
      set name = excluded.name, redirect_uris = excluded.redirect_uris, fresh_until = excluded.fresh_until
    returning id as "clientId"`
  return { ...stored!, name, redirectUris, document }
}

/** Deletes registrations that nobody allowed for a day, and those without a connection that were not for half a year. */
export async function deleteUnusedClients(db: Db): Promise<void> {
  await db`
    delete from assistant_client c
    where coalesce(c.used_at + interval '180 days', c.created_at + interval '1 day') < now()
      and not exists (select from session s where s.assistant_client_id = c.id)`
}
