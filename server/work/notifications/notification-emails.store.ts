/** Which notifications a user gets by e-mail, and those that are due. */
import {
  dailyHour,
  type NotificationChoice,
  type NotificationDelivery,
} from '../../../contract/platform/notification-emails.ts'
import type { NotificationKind } from '../../../contract/platform/notifications.ts'
import { runStatement } from '../../platform/database/statement.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ownNotifications } from './notifications.scope.ts'

export const findChoices = (db: Db, userId: string): Promise<NotificationChoice[]> => db<
  NotificationChoice[]
>`
  select kind, delivery from notification_choice where user_id = ${userId}`

/** A kind that is chosen anew is sent from now on. Needs its transaction. */
export async function storeChoices(
  tx: Db,
  userId: string,
  choices: readonly { kind: NotificationKind; delivery: NotificationDelivery }[],
): Promise<void> {
  const unwanted = choices.filter(({ delivery }) => delivery === 'NONE').map(({ kind }) => kind)
  const wanted = choices.filter(({ delivery }) => delivery !== 'NONE')
  await tx`delete from notification_choice where user_id = ${userId} and kind = any(${unwanted}::text[])`
  await tx`
    insert into notification_choice (user_id, kind, delivery)
    select ${userId}, given.* from unnest(${wanted.map(({ kind }) => kind)}::text[],
      ${wanted.map(({ delivery }) => delivery)}::text[]) given (kind, delivery) order by 2
    on conflict (user_id, kind) do update set delivery = excluded.delivery`
  await tx`insert into notification_email (user_id) values (${userId}) on conflict do nothing`
}

/** What is older stays in the console only: nobody wants a week's news when a mail server is back. */
const oldestDays = 7
/** Events of one act reach one notification one after the other: `created_at` is that of the last. */
const settledAfter = `interval '1 minute'`
/** At most one e-mail to a user in this time. */
const restTime = `interval '5 minutes'`

/** Notifications `nt` that are due. `$1` is the time zone in which the day has hours. */
const isDue = `nt.read_at is null and nt.emailed_at is null and nt.created_at > now() - interval '${oldestDays} days'
  and exists (select from notification_choice ch
    where ch.user_id = nt.user_id and ch.kind = nt.kind and nt.created_at >= ch.since
      and nt.created_at < case ch.delivery when 'AT_ONCE' then now() - ${settledAfter}
        else ((now() at time zone $1 - interval '${dailyHour} hours')::date + time '${dailyHour}:00') at time zone $1 end)`

export interface EmailReader {
  userId: string
  email: string
  cultureCode: string | null
  countryFormat: string | null
}

/**
 * Takes a user to whom an e-mail is due, locked for the rest of the transaction, and puts the next e-mail off. Another
 * node takes another user. Nobody who is disabled or has not confirmed the present address.
 */
export async function takeReader(tx: Db, timeZone: string): Promise<EmailReader | undefined> {
  const [reader] = await runStatement<EmailReader>(
    tx,
    `update notification_email m set next_at = now() + ${restTime}
     from app_user u
     where u.id = m.user_id and m.user_id = (
       select due.user_id from notification_email due join app_user r on r.id = due.user_id
       where due.next_at <= now() and not r.disabled and not r.api_user and r.confirmed_email = r.email
         and exists (select from notification nt where nt.user_id = due.user_id and ${isDue})
       order by due.next_at limit 1 for update of due skip locked)
     returning u.id as "userId", u.email, u.culture_code as "cultureCode", u.country_format as "countryFormat"`,
    [timeZone],
    { prepare: true },
  )
  return reader
}

export interface DueCounts {
  notificationGuids: string[]
  counts: { kind: NotificationKind; count: number }[]
}

/** Marks what is due and the caller may see now as sent, and counts it. */
export async function markEmailed(tx: Db, caller: Caller, timeZone: string): Promise<DueCounts> {
  const scope = ownNotifications(caller).at(2)
  const rows = await runStatement<{ id: string; kind: NotificationKind }>(
    tx,
    `update notification nt set emailed_at = now() where ${isDue} and ${scope.text} returning nt.id, nt.kind`,
    [timeZone, ...scope.parameters],
  )
  const byKind = Map.groupBy(rows, ({ kind }) => kind)
  return {
    notificationGuids: rows.map(({ id }) => id),
    counts: [...byKind].map(([kind, own]) => ({ kind, count: own.length })),
  }
}

export async function noteSent(db: Db, userId: string): Promise<void> {
  await db`update notification_email set refusals = 0 where user_id = ${userId} and refusals > 0`
}

/** The mail server has refused the e-mail: it is due again, after 5 minutes first and 10 hours at most. */
export async function takeBack(db: Db, userId: string, notificationGuids: readonly string[]): Promise<void> {
  await db`update notification set emailed_at = null where id = any(${[...notificationGuids]}::uuid[])`
  await db`
    update notification_email set refusals = refusals + 1,
      next_at = now() + power(2, least(refusals, 7)) * interval '5 minutes'
    where user_id = ${userId}`
}
