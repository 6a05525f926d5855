import { Message } from '../../../contract/platform/messages.ts'
import { resolveLanguage, languages, type Language } from '../../../contract/platform/languages.ts'
import { makeId } from '../database/make-id.ts'
import { memberColumns, selectList } from '../database/columns.ts'
import { listRows, type ListContext, type ListSource, type Page, type PageQuery } from '../database/list.ts'
import { batchQueries } from '../database/query-batcher.ts'
import { rowsIn } from '../database/row-text.ts'
import { anyUuid, runStatement } from '../database/statement.ts'
import type { Db } from '../database/transaction.ts'
import type { Scope } from '../database/row-scope.ts'
import { filterableProperties } from '../odata/properties.ts'
import { letterMailText, composeMessage, messageKinds, type MessageKind } from './texts.ts'

export type Channel = Message['channel']

export interface NewMessage {
  kind: MessageKind
  channel: Channel
  /** An e-mail address or a phone number in E.164. */
  recipient: string
  /** The user to whom it is. */
  userGuid?: string
  /** The recipient's language; null if unknown. */
  languageCode: string | null
  /** The code, token or address in the message; deleted with the body. */
  secret: string
  /** The secret's validity in minutes; the message is not sent later. */
  minutes: number
  /** The name of the agency, in an invitation. */
  agency?: string
}

/** Puts a message into the outbox, in the caller's transaction. */
export async function queueMessage(tx: Db, message: NewMessage): Promise<void> {
  const language = resolveLanguage(message.languageCode)
  const { subject, body } = composeMessage(message.kind, language, message)
  await tx`
    insert into message (id, kind, channel, recipient, language, subject, body, expires_at, user_id)
    values (${makeId()}, ${message.kind}, ${message.channel}, ${message.recipient}, ${language}, ${subject}, ${body},
      now() + ${message.minutes} * interval '1 minute', ${message.userGuid ?? null})`
}

export interface NewLetter {
  recipient: string
  languageCode: string | null
  subject: string
  text: string
  /** The debtor whose timeline shows it; null for none. */
  debtorGuid: string | null
  /** The user to whom it is; null for a debtor. */
  userGuid?: string | null
}

/** Puts an e-mail with given text into the outbox, in the caller's transaction. It is sent within three days. */
export async function queueEmail(
  tx: Db,
  { recipient, languageCode, subject, text, debtorGuid, userGuid }: NewLetter,
): Promise<void> {
  await tx`
    insert into message (id, kind, channel, recipient, language, subject, body, expires_at, debtor_id, user_id)
    values (${makeId()}, 'service', 'email', ${recipient}, ${resolveLanguage(languageCode)}, ${subject}, ${text},
      now() + interval '3 days', ${debtorGuid}, ${userGuid ?? null})`
}

/**
 * Queues documents for their debtors: by e-mail if the debtor has an address and the clients of all its cases allow it,
 * otherwise printed and posted. Notices before legal action are always posted. So is every letter to a debtor in
 * Norway, because a client's country may be unknown. They wait for at most 30 days.
 */
export async function queueLetters(tx: Db, documentGuids: readonly string[]): Promise<void> {
  const letters = documentGuids.map((documentGuid, position) => ({ id: makeId(), documentGuid, position }))
  const types = { id: 'uuid', documentGuid: 'uuid', position: 'int' }
  const texts = Object.fromEntries(languages.map((language) => [language, letterMailText(language)]))
  await tx`
    with client as materialized (
      select c.id, sends_letters_by_email(c.id) as by_email from (
        select distinct unnest(client_ids) as id from document where id = any(${[...documentGuids]}::uuid[])) c
    )
    insert into message (id, kind, channel, recipient, language, subject, body, expires_at, document_id,
      debtor_id)
    select n.id, 'letter', w.channel, case w.channel when 'email' then d.email else d.full_name end, o.language, o.title,
      case w.channel when 'email' then replace(${JSON.stringify(texts)}::text::jsonb ->> o.language, '{sender}', a.name) end,
      now() + interval '30 days', o.id, o.debtor_id
    from ${rowsIn(tx, types, letters)} n
      join document o on o.id = n.documentGuid join debtor d on d.id = coalesce(o.addressee_id, o.debtor_id),
      (select name from party where parent_id is null order by id limit 1) a,
      lateral (select case when d.email is not null and o.kind <> 'legal' and d.country_code is distinct from 'NO'
          and cardinality(o.client_ids) > 0
          and (select bool_and(by_email) from client where client.id = any(o.client_ids))
        then 'email' else 'letter' end as channel) w
    order by n.position`
}

export interface SentLetter {
  documentGuid: string
  debtorGuid: string
  channel: Channel
  /** An e-mail address, a phone number, or the name on a posted letter. */
  recipient: string
  language: Language
  subject: string
  /** The text of an SMS, or of the e-mail to which the letter is attached. Null for post. */
  body: string | null
  /** Minutes to wait before it leaves. */
  delayMinutes: number
}

/** Queues a letter by the channel that a person chose. An SMS waits for at most three days, others for 30. */
export async function queueLetter(tx: Db, letter: SentLetter): Promise<void> {
  const days = letter.channel === 'sms' ? 3 : 30
  await tx`
    insert into message (id, kind, channel, recipient, language, subject, body, expires_at, next_try_at, document_id,
      debtor_id)
    values (${makeId()}, 'letter', ${letter.channel}, ${letter.recipient}, ${letter.language}, ${letter.subject},
      ${letter.body}, now() + ${days} * interval '1 day', now() + ${letter.delayMinutes} * interval '1 minute',
      ${letter.documentGuid}, ${letter.debtorGuid})`
}

/** Deletes the message of a letter, unless somebody has tried to send it. Returns whether it did. */
export async function deleteUnsentLetter(tx: Db, documentGuid: string): Promise<boolean> {
  const deleted = await tx`
    delete from message where document_id = ${documentGuid} and sent_at is null and attempts = 0 returning id`
  return deleted.length > 0
}

const columns = {
  ...memberColumns(Object.keys(Message.properties), 'm', { messageGuid: 'id', languageCode: 'language' }),
  // Whoever reads the code or token of another user could sign in as that user.
  body: `case when m.sent_at is null and m.expires_at > now() and m.kind not in (${messageKinds.map((kind) => `'${kind}'`).join(', ')}) then m.body end`,
}
const source: ListSource<'message'> = {
  entity: 'message',
  from: 'message m',
  key: 'm.id',
  select: selectList(columns),
  properties: filterableProperties(Message, columns),
  defaultOrder: {
    terms: [],
    keyDescending: true,
    text: 'm.created_at desc, m.id desc',
    reversedText: 'm.created_at, m.id',
  },
}

/** The outbox, newest first. Messages with a secret have no body. */
export const listMessages = (
  db: Db,
  scope: Scope<'message'>,
  query: PageQuery,
  context: ListContext,
): Promise<Page<Message>> => listRows<Message, 'message'>(db, source, scope, query, context)

export interface DueMessage {
  id: string
  recipient: string
  subject: string
  /** Empty for a posted letter, whose content is its document. */
  body: string
  documentId: string | null
  /** The debtor to whom it is, or whose guardian gets it. Null for a message to a user. */
  debtorId: string | null
  /** The case of its document. */
  caseId: string | null
}

export const attemptsMax = 5

/**
 * Takes the next due message. Its next attempt is scheduled before this one starts, so that no other node takes it, and
 * it is retried if this node ends. Undefined when none is due.
 */
export async function takeMessage(db: Db, channel: Channel): Promise<DueMessage | undefined> {
  const [message] = await db<DueMessage[]>`
    update message set attempts = attempts + 1,
      next_try_at = now() + power(2, attempts) * interval '1 minute'
    where id = (
      select id from message
      where sent_at is null and next_try_at <= now() and attempts < ${attemptsMax} and expires_at > now()
        and channel = ${channel}
      order by next_try_at limit 1 for update skip locked
    )
    returning id, recipient, subject, coalesce(body, '') as body, document_id as "documentId",
      debtor_id as "debtorId", (select o.case_id from document o where o.id = document_id) as "caseId"`
  return message
}

/** Marks a message as sent and deletes its body, so that the secret does not remain. */
export async function markSent(db: Db, id: string): Promise<void> {
  await db`update message set sent_at = now(), body = null, last_error = null, held_reason = null, held_until = null where id = ${id}`
}

/** A message has its permission and leaves next, to this recipient: it counts as a contact from now on. */
export async function permitMessage(db: Db, id: string, recipient: string): Promise<void> {
  await db`update message set permitted_at = now(), recipient = ${recipient} where id = ${id}`
}

/** Why a message must not be sent now. `from` is the first instant at which it may be; null when that is unknown. */
export interface Hold {
  reason: string
  from: string | null
}

/**
 * Holds a message. It is due again at `from`; without one it is checked again after as long as it has waited since it was
 * written, at least an hour and at most a day, or a tenth of that time if it is more. It does not expire while it is held.
 */
export async function holdMessage(db: Db, id: string, { reason, from }: Hold): Promise<void> {
  await db`
    update message set held_reason = ${reason}, held_until = ${from}, attempts = greatest(attempts - 1, 0),
      next_try_at = coalesce(${from}::timestamptz,
        now() + least(greatest(now() - created_at, interval '1 hour'), greatest(interval '1 day', (now() - created_at) / 10))),
      expires_at = greatest(expires_at, coalesce(${from}::timestamptz, now()) + interval '30 days')
    where id = ${id} and sent_at is null`
}

const isHeldWithoutEnd = 'sent_at is null and held_reason is not null and held_until is null'

/** Makes the messages to a debtor due that are held without an end: the record on which they were held has changed. */
export async function wakeHeldMessages(db: Db, debtorGuid: string): Promise<void> {
  if (!(await hasHeldMessages(db, debtorGuid))) return
  const text = `update message set next_try_at = created_at where debtor_id = $1 and ${isHeldWithoutEnd}`
  await runStatement(db, text, [debtorGuid], { prepare: true })
}

/** Nearly no debtor has any. The debtors that one batch changed are looked up by one statement. */
const hasHeldMessages = batchQueries<string, boolean>(
  async (db, debtorGuids) => {
    const rows = await runStatement<{ debtorGuid: string | null }>(
      db,
      `select debtor_id as "debtorGuid" from message where debtor_id = ${anyUuid('$1')} and ${isHeldWithoutEnd}`,
      [[...debtorGuids]],
      { prepare: true },
    )
    const found = new Set(rows.map((row) => row.debtorGuid))
    return debtorGuids.map((guid) => found.has(guid.toLowerCase()))
  },
  { delaysFirst: true },
)

/**
 * A letter that e-mail could not deliver is printed and posted after its last attempt: it must reach its debtor. Unless
 * it was certainly refused, it may have arrived, and goes on counting as a contact.
 */
export async function markFailed(
  db: Db,
  id: string,
  { error, isRefused }: { error: string; isRefused: boolean },
): Promise<void> {
  await db`
    update message set last_error = ${error.slice(0, 200)}, permitted_at = case when not ${isRefused} then permitted_at end
    where id = ${id} and sent_at is null`
  await postLetters(db, { id, attempts: attemptsMax })
}

/** Posts letters that wait for e-mail and have used up their attempts: one message or all. */
export async function postLetters(
  db: Db,
  { id, attempts }: { id: string | null; attempts: number },
): Promise<void> {
  await db`
    update message m set channel = 'letter', recipient = d.full_name, body = null, attempts = 0, next_try_at = now(), held_reason = null, held_until = null
    from document o join debtor d on d.id = coalesce(o.addressee_id, o.debtor_id)
    where (${id}::uuid is null or m.id = ${id}) and m.attempts >= ${attempts} and m.sent_at is null
      and m.channel = 'email' and o.id = m.document_id`
}

/**
 * Empties expired unsent messages and removes them from the queue. Deletes those older than 30 days; of those on a
 * timeline only the recipient.
 */
export async function purgeMessages(db: Db): Promise<void> {
  await db`
    update message set body = null, next_try_at = 'infinity'
    where sent_at is null and expires_at < now() and (body is not null or next_try_at < 'infinity')`
  await db`delete from message where debtor_id is null and created_at < now() - interval '30 days'`
  await db`
    update message set recipient = '' where debtor_id is not null and recipient <> '' and created_at < now() - interval '30 days'`
}

export interface UnsentCount {
  channel: Channel
  unsent: number
  /** Seconds since the oldest counted message was written; 0 without any. */
  oldestSeconds: number
}

/** Counts unsent, unexpired messages per channel, up to `max`, including those that failed for good. */
export const countUnsent = (db: Db, max: number): Promise<UnsentCount[]> => db<UnsentCount[]>`
  select c.channel, n.unsent, n.oldest as "oldestSeconds"
  from unnest(array['email', 'sms', 'letter']) as c (channel), lateral (
    select count(*)::int as unsent,
      coalesce(greatest(0, extract(epoch from now() - min(m.created_at))), 0)::float8 as oldest
    from (
      select created_at from message
      where sent_at is null and held_reason is null and message.channel = c.channel and expires_at > now() limit ${max}
    ) m
  ) n`
