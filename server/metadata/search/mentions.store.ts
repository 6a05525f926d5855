/** Users who are mentioned in notes: `@` and the full name. */
import { creditorRoles } from '../../../contract/access/access.ts'
import { visibleUsers } from '../../access/users/users.scope.ts'
import { makeId } from '../../platform/database/make-id.ts'
import { runStatement } from '../../platform/database/statement.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import { notify } from '../../platform/notifications/notify.ts'

/** Stores whom a note mentions, and tells them. Who was mentioned before stays as they are; who no longer is, is forgotten. */
export async function storeMentions(
  tx: Db,
  caller: Caller,
  { noteGuid, text }: { noteGuid: string; text: string },
  origin: Origin,
): Promise<void> {
  const users = text.includes('@') ? await findMentioned(tx, caller, text) : []
  await tx`delete from note_mention where note_id = ${noteGuid} and user_id <> all(${users}::uuid[])`
  if (users.length === 0) return
  const added = await tx<{ userId: string }[]>`
    insert into note_mention (note_id, user_id, mentioned_date)
    select ${noteGuid}, k.id, ${origin.businessDate} from unnest(${users}::uuid[]) k (id)
    on conflict do nothing returning user_id as "userId"`
  if (added.length > 0) await tellMentioned(tx, { noteGuid, users: added }, origin)
}

async function tellMentioned(
  tx: Db,
  { noteGuid, users }: { noteGuid: string; users: readonly { userId: string }[] },
  origin: Origin,
): Promise<void> {
  const [subject] = await tx<{ caseId: string | null; debtorId: string | null; clientId: string | null }[]>`
    select c.id as "caseId", case when c.id is null then i.debtor_id end as "debtorId",
      coalesce(c.client_id, i.party_id) as "clientId"
    from note n join item i on i.guid = n.item_guid left join debt_case c on c.id = i.guid where n.id = ${noteGuid}`
  const mergeKey = origin.requestId ?? makeId()
  await notify(
    tx,
    users.map(({ userId }) => ({ userId, kind: 'MENTION', mergeKey, ...subject, actorId: origin.actorId })),
  )
}

/** Users of the agency who handle cases. Of names that begin alike the longest counts. */
async function findMentioned(db: Db, caller: Caller, text: string): Promise<string[]> {
  const scope = visibleUsers(caller).at(2)
  const users = await runStatement<{ id: string; name: string }>(
    db,
    `select u.id, lower(u.full_name) as name from app_user u
     where not u.disabled and not u.api_user and u.user_role <> all($1::int[]) and ${scope.text}
     order by length(u.full_name) desc`,
    [[...creditorRoles], ...scope.parameters],
    { prepare: true },
  )
  const found: string[] = []
  for (const part of text.toLowerCase().split('@').slice(1)) {
    const named = users.find(
      ({ name }) => part.startsWith(name) && !/^[\p{L}\p{N}]/u.test(part.slice(name.length)),
    )
    if (named) found.push(...users.filter(({ name }) => name === named.name).map(({ id }) => id))
  }
  return [...new Set(found)]
}
