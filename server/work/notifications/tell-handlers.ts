/** Tells handlers of cases that are assigned to them, and of promises to pay. */
import { isOpen } from '../../claims/remaining-amounts.ts'
import type { DateStep } from '../../platform/clock/business-clock.ts'
import { makeId } from '../../platform/database/make-id.ts'
import { runStatement } from '../../platform/database/statement.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Origin } from '../../platform/http/caller.ts'
import { notify, toldUsers } from '../../platform/notifications/notify.ts'
import type { HandlingUpdate } from '../case-handling.ts'
import { promiseStatus } from '../promises.ts'

/** One notification for each new handler. A bulk action assigns case by case in one request, so it is one too. */
export async function tellOwners(tx: Db, updates: readonly HandlingUpdate[], origin: Origin): Promise<void> {
  const assigned = updates.filter(
    ({ before, after }) => after.ownerGuid !== null && after.ownerGuid !== before.ownerGuid,
  )
  const mergeKey = origin.requestId ?? makeId()
  const byOwner = [...Map.groupBy(assigned, ({ after }) => after.ownerGuid!)]
  await notify(
    tx,
    byOwner.map(([userId, own]) => ({
      userId,
      kind: 'ASSIGNED',
      mergeKey,
      count: own.length,
      ...(own.length === 1 && { caseId: own[0]!.row.caseGuid, clientId: own[0]!.row.clientGuid }),
      actorId: origin.actorId,
    })),
  )
}

/** Parameters: kind, key, first and last promised date. A promise is its handler's; without one, of who logged the call. */
const promisesText = `
  insert into notification (user_id, kind, merge_key, count, case_id, client_id)
  select due.user_id, $1, $2, count(*)::int, case count(*) when 1 then (array_agg(due.case_id))[1] end,
    case count(*) when 1 then (array_agg(due.client_id))[1] end
  from (
    select distinct coalesce(c.owner_user_id, k.created_by) as user_id, c.id as case_id, c.client_id
    from phone_call k join debt_case c on c.id = k.case_id
    where k.promised_date between $3::date and $4::date and ${isOpen} and ${promiseStatus} in ('OPEN', 'BROKEN')
  ) due ${toldUsers('due.user_id')}
  group by due.user_id
  on conflict (user_id, kind, merge_key) do nothing`

/**
 * When the date goes on: the promises for the new date are due, and those for the dates before it that were not kept are
 * broken. The stored date is still the old one, on which none of them is broken yet.
 */
export const tellOfPromises: DateStep = async (tx, { from, to }) => {
  if (from >= to) return
  const tell = (kind: string, first: string, last: string) =>
    runStatement(tx, promisesText, [kind, to, first, last])
  await tell('PROMISE_DUE', to, to)
  await tell('PROMISE_BROKEN', from, dayBefore(to))
}

const dayMs = 86_400_000
const dayBefore = (date: string) => new Date(Date.parse(date) - dayMs).toISOString().slice(0, 10)
