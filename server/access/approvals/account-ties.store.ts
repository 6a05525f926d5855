/**
 * Finds in the audit trail whether one account created another, or gave it rights or a way to sign in. One person may then
 * use both accounts, so an approval needs somebody else (docs/domain/approvals.md).
 */
import { runStatement } from '../../platform/database/statement.ts'
import type { Db } from '../../platform/database/transaction.ts'

/** What was done to an account, as a verb phrase before the account's name. */
const deeds = {
  created: 'created',
  invited: 'invited',
  role: 'set the role of',
  group: 'gave an access group to',
  codes: 'gave access codes to a group of',
  clients: 'set the clients of',
  password: 'set the password of',
  email: 'changed the e-mail address of',
  secondFactor: 'reset the second factor of',
  enabled: 'enabled',
} as const

/** SQL: an audit entry `e` added an item to a member that is a list. `e.changes` has `[before, after]` of each member. */
const hasAdded = (member: string) => `exists (
  select from jsonb_array_elements(case jsonb_typeof(e.changes #> '{${member},1}')
    when 'array' then e.changes #> '{${member},1}' else '[]' end) item
  where not coalesce(e.changes #> '{${member},0}' @> item, false))`

const has = (member: string) => `e.changes -> '${member}' is not null`

/** Audit entries by other accounts that created the account $1 or gave it something. */
const grants = `
  select e.actor_id as actor, e."position", case
      when e.action in ('created', 'invited') then e.action
      when ${has('userRole')} then 'role'
      when ${hasAdded('accessGroups')} then 'group'
      when ${has('clientRestriction')} then 'clients'
      when ${has('password')} then 'password'
      when ${has('email')} then 'email'
      when ${has('secondFactor')} then 'secondFactor'
      when e.changes #>> '{disabled,1}' = 'false' then 'enabled'
    end as deed
  from audit_entry e where e.entity = 'user' and e.entity_id = $1 and e.actor_id <> e.entity_id`

/** SQL: the audit position at which the account $1 was last added to group `g`. */
const joined = `coalesce((
  select max(j."position") from audit_entry j
  where j.entity = 'user' and j.entity_id = $1 and j.changes #> '{accessGroups,1}' @> to_jsonb(g.code)
    and not coalesce(j.changes #> '{accessGroups,0}' @> to_jsonb(g.code), false)), 0)`

/** Audit entries by other accounts that gave access codes to a group while the account $1 was in it. */
const groupGrants = `
  select e.actor_id, e."position", 'codes'
  from user_access_group x join access_group g on g.id = x.access_group_id
    join audit_entry e on e.entity = 'accessgroup' and e.entity_id = g.id and e.action = 'updated'
  where x.user_id = $1 and e.actor_id <> $1 and ${hasAdded('accessCodes')} and e."position" > ${joined}`

/**
 * Follows each deed back to those behind its actor: whoever created the actor's account before the deed, or had set its
 * password or client secret, counts as having done it too. Example: an administrator made an API user for a directory, and
 * the directory created the account by SCIM. `depth` counts the accounts in between.
 */
const text = `
  with recursive tie (actor, "position", deed, depth) as (
    select given.actor, given."position", given.deed, 0
    from (${grants} union all ${groupGrants}) given where given.deed is not null
    union
    select e.actor_id, e."position", t.deed, t.depth + 1
    from tie t join audit_entry e on e.entity = 'user' and e.entity_id = t.actor and e."position" < t."position"
    where e.actor_id <> e.entity_id
      and (e.action = 'created' or e.changes #>> '{clientSecret,1}' is not null or ${has('password')})
  )
  select deed, depth from tie where actor = $2 order by depth, "position" limit 1`

/**
 * What `maker`, or an account that `maker` set up, did to `account` at any time, as a verb phrase before the account's name:
 * `created`. Null when it did nothing of the kind. It asks one direction only: call it again with the two exchanged.
 */
export async function findTie(
  db: Db,
  { account, maker }: { account: string; maker: string },
): Promise<string | null> {
  const [found] = await runStatement<{ deed: keyof typeof deeds; depth: number }>(
    db,
    text,
    [account, maker],
    {
      prepare: true,
    },
  )
  if (!found) return null
  const deed = deeds[found.deed]
  return found.depth === 0 ? deed : `set up the account that ${deed}`
}
