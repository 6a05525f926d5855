/** Erases what the database keeps of a debtor's personal data beside the debtor's own records. */
import type { PartKind } from '../../integration/imports/uploads.store.ts'
import type { Db } from '../../platform/database/transaction.ts'

/** Entries of the audit trail, and their members that are erased. */
export interface EntryRule {
  subjects: readonly string[]
  entity: string
  /** Null erases every member that is not in `plain`. */
  personal: readonly string[] | null
  plain: readonly string[]
}

const isErased = (db: Db, { personal, plain }: EntryRule) =>
  personal === null
    ? db`(jsonb_typeof(m.value) <> 'object' and m.key <> all(${[...plain]}::text[]))`
    : db`(jsonb_typeof(m.value) <> 'object' and m.key = any(${[...personal]}::text[]))`

/** Every text among the values of the members. */
export async function listErasedTexts(tx: Db, rule: EntryRule): Promise<string[]> {
  const rows = await tx<{ text: string }[]>`
    select distinct v #>> '{}' as text
    from audit_entry e, jsonb_each(e.changes) m, jsonb_path_query(m.value, 'strict $.**') v
    where e.subject = any(${[...rule.subjects]}::uuid[]) and e.entity = ${rule.entity}
      and ${isErased(tx, rule)} and jsonb_typeof(v) = 'string'`
  return rows.map(({ text }) => text)
}

/** Replaces the members by their digests, and the salt by those of the other members. Returns the number of entries. */
export async function eraseEntries(
  tx: Db,
  rule: EntryRule,
  { erasureId, position }: { erasureId: string; position: number },
): Promise<number> {
  const { count } = await tx`
    update audit_entry e set
      changes = (
        select jsonb_object_agg(m.key, case when ${isErased(tx, rule)} then jsonb_build_object('erased',
          audit_member_digest(e.salt, e.member_salts, m.key, m.value)) else m.value end)
        from jsonb_each(e.changes) m),
      member_salts = (
        select coalesce(jsonb_object_agg(m.key, encode(audit_member_salt(e.salt, e.member_salts, m.key), 'base64')), '{}')
        from jsonb_each(e.changes) m where jsonb_typeof(m.value) <> 'object' and not ${isErased(tx, rule)}),
      salt = null, erasure_id = ${erasureId}
    where e.subject = any(${[...rule.subjects]}::uuid[]) and e.entity = ${rule.entity} and e.position <= ${position}
      and exists (select from jsonb_each(e.changes) m where ${isErased(tx, rule)})`
  return count
}

/** The text of answers in its place. */
export interface Replacement {
  status: number
  headers: object
  body: string
}

/** Replaces stored answers that contain one of the texts. */
export async function eraseAnswers(
  tx: Db,
  texts: readonly string[],
  { status, headers, body }: Replacement,
): Promise<number> {
  const { count } = await tx`
    update idempotency_key set status = ${status}, headers = ${tx.json(headers as never)}, body = ${body}
    where exists (select from unnest(${[...texts]}::text[]) v where strpos(body || headers::text, v) > 0)`
  return count
}

/** Empties input, result and error of ended jobs that contain one of the texts. Such a job is not retried. */
export async function eraseJobs(tx: Db, texts: readonly string[]): Promise<number> {
  const { count } = await tx`
    update job_run set payload = '{}', result = null, last_error = null,
      status = case status when 'failed' then 'cancelled' else status end
    where status in ('completed', 'failed', 'cancelled') and exists (
      select from unnest(${[...texts]}::text[]) v
      where strpos(concat(payload::text, ' ', result::text, ' ', last_error), v) > 0)`
  return count
}

/** Empties filter and input of ended bulk actions that contain one of the texts, and what would write it again. */
export async function eraseBulkActions(tx: Db, texts: readonly string[]): Promise<void> {
  await tx`
    update bulk_action b set input = '{}', filter = null
    from job_run j where j.id = b.job_id and j.status in ('completed', 'failed', 'cancelled') and exists (
      select from unnest(${[...texts]}::text[]) v where strpos(concat(b.input::text, ' ', b.filter), v) > 0)`
  await tx`
    update bulk_action_row r set undo = null, reason = null
    where exists (select from unnest(${[...texts]}::text[]) v where strpos(concat(r.undo::text, ' ', r.reason), v) > 0)`
}

/** Deletes unsent messages to the debtor, and empties recipient and free subject of the others. */
export async function eraseMessages(tx: Db, debtorGuid: string): Promise<number> {
  const unsent = await tx`delete from message where debtor_id = ${debtorGuid} and sent_at is null`
  const sent = await tx`
    update message set recipient = '', body = null, last_error = null,
      subject = case kind when 'service' then 'Erased' else subject end
    where debtor_id = ${debtorGuid}`
  return unsent.count + sent.count
}

export const eraseFavorites = (tx: Db, debtorGuid: string) => tx`
  update favorite set primary_description = null, secondary_description = null where target = ${debtorGuid}`

/** Forgets the words of the texts, by which the search corrects typing errors, that no item has any more. */
export async function eraseWords(tx: Db, texts: readonly string[]): Promise<void> {
  await tx`
    delete from search_word w where w.word in (
      select substr(lexeme, 4) from unnest(${[...texts]}::text[]) given, unnest(word_lexemes('3', fold_text(given))) lexeme)
    and not exists (
      select from unnest(array(select n || 'w:' || w.word from generate_series(1, 9) n)) wanted
      join item i on i.lexemes @@ quote_literal(wanted)::tsquery)`
}

/** Deletes reports of rejected rows, and these rows, where one of both contains one of the texts. */
export async function eraseReports(tx: Db, texts: readonly string[]): Promise<number> {
  const found = await tx<{ id: string }[]>`
    select distinct file_id as id from (
      select file_id, string_agg(content, ''::bytea order by number) as content
      from uploaded_part where kind = any(${rejectedKinds}) group by file_id, kind) f
    where exists (
      select from unnest(${[...texts]}::text[]) v where position(convert_to(v, 'UTF8') in f.content) > 0)`
  const ids = found.map(({ id }) => id)
  await tx`delete from uploaded_part where kind = any(${rejectedKinds}) and file_id = any(${ids}::uuid[])`
  await tx`update uploaded_file set has_rejected = false where id = any(${ids}::uuid[])`
  return ids.length
}

const rejectedKinds: PartKind[] = ['rejected', 'rejected-rows']
