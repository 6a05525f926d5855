import { toJson } from '../../platform/database/statement.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { insertRecords, toRecords, type Change } from '../../platform/events/record.ts'
import type { Origin } from '../../platform/http/caller.ts'

export interface ServiceItem {
  type: 'user' | 'debtor'
  guid: string
}

/**
 * Writes the event and audit entry of an invocation's end: under its debtor or user, else under its job, whose
 * row must exist.
 */
export async function recordInvocation(
  tx: Db,
  invocation: { id: string; code: string; item: ServiceItem | null; origin: Origin },
  action: 'completed' | 'failed',
): Promise<void> {
  const { id, code, item, origin } = invocation
  const data = { service: code, jobId: id, ...(item && { [`${item.type}Guid`]: item.guid }) }
  const sequence = await nextSequence(tx, item ?? { type: 'job', guid: id })
  // The item was deleted: no one follows its events.
  if (sequence === undefined) return
  const change: Change = {
    type: `service.${action}`,
    entityId: id,
    subject: item?.guid ?? id,
    sequence,
    data,
    changes: {},
  }
  await insertRecords(tx, toRecords(origin, [change]))
}

const sequenceTables = { debtor: 'debtor', user: 'app_user', job: 'job_run' }

async function nextSequence(
  tx: Db,
  { type, guid }: { type: keyof typeof sequenceTables; guid: string },
): Promise<number | undefined> {
  const [row] = await tx<{ sequence: number }[]>`
    update ${tx(sequenceTables[type])} set event_sequence = event_sequence + 1
    where id = ${guid} returning event_sequence as sequence`
  return row?.sequence
}

export interface EndedInvocation {
  id: string
  code: string
  payload: object
  askedBy: string
  requestId: string | null
  startedAt: string
  result: object | null
  lastError: string | null
}

/** Stores the history of a synchronous invocation: like a job that ended in one attempt. */
export async function insertEndedInvocation(tx: Db, ended: EndedInvocation): Promise<void> {
  const { id, code, payload, askedBy, requestId, startedAt, result, lastError } = ended
  await tx`
    insert into job_run (id, kind, name, payload, status, attempts, attempts_max, result, last_error, asked_by, request_id,
      created_at, started_at, ended_at)
    values (${id}, 'service', ${code}, ${toJson(tx, payload)}, ${lastError === null ? 'completed' : 'failed'}, 1, 1,
      ${result === null ? null : toJson(tx, result)}, ${lastError}, ${askedBy}, ${requestId}, ${startedAt}, ${startedAt}, now())`
}

/** Deletes input and results of services after a week: they may be personal data. */
export async function purgeServiceData(db: Db): Promise<void> {
  await db`
    update job_run set result = null, payload = '{}'
    where kind = 'service' and status in ('completed', 'cancelled') and ended_at < now() - interval '7 days'
      and (result is not null or payload <> '{}')`
}

/** The e-mail address and language of an item; undefined without an address. */
export async function findMailbox(
  tx: Db,
  { type, guid }: ServiceItem,
): Promise<{ recipient: string; languageCode: string | null } | undefined> {
  const [row] =
    type === 'debtor'
      ? await tx<{ recipient: string; languageCode: string | null }[]>`
          select email as recipient, language_code as "languageCode" from debtor where id = ${guid} and email <> ''`
      : await tx<{ recipient: string; languageCode: string | null }[]>`
          select email as recipient, language_code as "languageCode" from app_user where id = ${guid}`
  return row
}
