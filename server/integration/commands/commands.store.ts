import type { CommandName } from '../../../contract/platform/commands.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { insertJob } from '../../platform/jobs/jobs.store.ts'
import type { CommandArguments } from '../../platform/jobs/command.ts'

/**
 * Maximum attempts per command. Each step of a command is done once, so a retry continues after the last completed
 * step.
 */
const commandAttempts = 5

/** The unique job key: it keeps a command from running twice at the same time. */
const commandKey = (command: string) => `command:${command}`

interface CommandRequest {
  command: CommandName
  given: CommandArguments
  /** Both are null for a scheduled run. */
  askedBy: string | null
  requestId: string | null
}

/** Enqueues the job of a command. Returns undefined while another job of the same command has not ended. */
export const insertCommandJob = (
  tx: Db,
  { command, given, askedBy, requestId }: CommandRequest,
): Promise<string | undefined> =>
  insertJob(tx, {
    kind: 'command',
    name: command,
    payload: { arguments: given.map((one) => one ?? null) },
    askedBy,
    requestId,
    attemptsMax: commandAttempts,
    uniqueKey: commandKey(command),
  })

export async function findRunningCommand(db: Db, command: string): Promise<string | undefined> {
  const [row] = await db<{ id: string }[]>`
    select id from job_run where unique_key = ${commandKey(command)} and status in ('waiting', 'running')`
  return row?.id
}

/**
 * Rebuilds the search items and their descriptions. Returns how many were wrong or missing. A debtor's item may name more
 * clients than have a case of the debtor.
 */
export async function rebuildItems(tx: Db): Promise<{ written: number; removed: number }> {
  const [row] = await tx<{ written: number; removed: number }[]>`
    with wanted as (
      select id as guid, 3 as type, full_name as primary_description, debtor_reference as secondary_description,
        id as debtor_id, null::uuid as party_id,
        array_remove(debtor_search_keys(debtor), '3c:') || debtor_client_keys(id) as search_keys from debtor
      union all
      select id, 2, name, reference_code, null, id, '{}' from party where parent_id is not null
    ),
    written as (
      insert into item as i (guid, type, primary_description, secondary_description, debtor_id, party_id, search_keys)
      select * from wanted
      on conflict (guid) do update set type = excluded.type, primary_description = excluded.primary_description,
        secondary_description = excluded.secondary_description, debtor_id = excluded.debtor_id, party_id = excluded.party_id,
        search_keys = excluded.search_keys
      where (i.type, i.primary_description, i.secondary_description, i.debtor_id, i.party_id)
        is distinct from (excluded.type, excluded.primary_description, excluded.secondary_description, excluded.debtor_id, excluded.party_id)
        or not i.search_keys @> excluded.search_keys
        or exists (select from unnest(i.search_keys) key where key not like '3c:%' and key <> all (excluded.search_keys))
      returning 1
    ),
    removed as (
      delete from item i where i.type in (2, 3) and not exists (select from wanted w where w.guid = i.guid) returning 1
    )
    select (select count(*) from written) as written, (select count(*) from removed) as removed`
  return row!
}
