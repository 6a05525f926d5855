import type {
  LetterTemplate,
  LetterTemplateItem,
  LetterTemplateVersion,
} from '../../../contract/collection/letter-templates.ts'
import type { TemplateKind } from '../../../contract/collection/documents.ts'
import type { Language } from '../../../contract/platform/languages.ts'
import { makeId } from '../../platform/database/make-id.ts'
import { runStatement } from '../../platform/database/statement.ts'
import type { Db } from '../../platform/database/transaction.ts'

const versionsMax = 200

const select = `t.id as "letterTemplateGuid", t.kind, t.language as "languageCode", t.client_id as "clientGuid",
  p.name as "clientName", t.version_in_force as "versionInForce", v.published_at as "publishedAt",
  b.full_name as "publishedBy", v.source is distinct from t.draft as "hasDraft", t.draft_at as "draftAt", a.full_name as "draftBy"`
const from = `letter_template t left join party p on p.id = t.client_id
  left join letter_template_version v on v.template_id = t.id and v.number = t.version_in_force
  left join app_user b on b.id = v.published_by left join app_user a on a.id = t.draft_by`

/** By kind, language and client. They are few. */
export const listTemplates = (db: Db): Promise<LetterTemplateItem[]> =>
  runStatement<LetterTemplateItem>(
    db,
    `select ${select} from ${from} order by t.kind, t.language, p.name nulls first, t.id`,
    [],
  )

export interface FoundTemplate {
  item: LetterTemplate
  version: number
}

export async function findTemplate(db: Db, templateGuid: string): Promise<FoundTemplate | undefined> {
  const [row] = await runStatement<LetterTemplate & { version: number }>(
    db,
    `select ${select}, t.draft as source, t.version,
      (select coalesce(jsonb_agg(to_jsonb(k) order by k.number desc), '[]') from (
        select w.number, to_char(w.published_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "publishedAt",
          u.full_name as "publishedBy", w.note
        from letter_template_version w left join app_user u on u.id = w.published_by
        where w.template_id = t.id order by w.number desc limit ${versionsMax}) k) as versions
     from ${from} where t.id = $1`,
    [templateGuid],
    { prepare: true },
  )
  if (!row) return undefined
  const { version, ...item } = row
  return { item, version }
}

export async function findTemplateVersion(
  db: Db,
  templateGuid: string,
  number: number,
): Promise<LetterTemplateVersion | undefined> {
  const [row] = await db<LetterTemplateVersion[]>`
    select v.number, v.published_at as "publishedAt", u.full_name as "publishedBy", v.note, v.source
    from letter_template_version v left join app_user u on u.id = v.published_by
    where v.template_id = ${templateGuid} and v.number = ${number}`
  return row
}

export interface HeldTemplate {
  kind: TemplateKind
  language: Language
  clientGuid: string | null
  draft: string
  versionInForce: number | null
  version: number
  eventSequence: number
  /** Of the newest version. Zero when there is none. */
  newest: number
}

export async function lockTemplate(tx: Db, templateGuid: string): Promise<HeldTemplate | undefined> {
  const [row] = await tx<HeldTemplate[]>`
    select t.kind, t.language, t.client_id as "clientGuid", t.draft, t.version_in_force as "versionInForce", t.version,
      t.event_sequence as "eventSequence",
      (select coalesce(max(v.number), 0) from letter_template_version v where v.template_id = t.id) as newest
    from letter_template t where t.id = ${templateGuid} for update of t`
  return row
}

export interface NewTemplate {
  kind: TemplateKind
  language: Language
  clientGuid: string | null
  draft: string
}

export async function insertTemplate(tx: Db, made: NewTemplate, userGuid: string | null): Promise<string> {
  const id = makeId()
  await tx`
    insert into letter_template (id, kind, language, client_id, draft, draft_by)
    values (${id}, ${made.kind}, ${made.language}, ${made.clientGuid}, ${made.draft}, ${userGuid})`
  return id
}

export async function updateDraft(
  tx: Db,
  templateGuid: string,
  { draft, userGuid }: { draft: string; userGuid: string | null },
): Promise<void> {
  await tx`
    update letter_template set draft = ${draft}, draft_by = ${userGuid}, draft_at = now(), version = version + 1,
      event_sequence = event_sequence + 1
    where id = ${templateGuid}`
}

export async function insertVersion(
  tx: Db,
  templateGuid: string,
  made: { number: number; source: string; note: string | null; userGuid: string | null },
): Promise<void> {
  await tx`
    insert into letter_template_version (id, template_id, number, source, note, published_by)
    values (${makeId()}, ${templateGuid}, ${made.number}, ${made.source}, ${made.note}, ${made.userGuid})`
}

/** `number` is null when letters are to have the shipped text. */
export async function setVersionInForce(
  tx: Db,
  templateGuid: string,
  { number, draft }: { number: number | null; draft: string },
): Promise<void> {
  await tx`
    update letter_template set version_in_force = ${number}, draft = ${draft}, version = version + 1,
      event_sequence = event_sequence + 1
    where id = ${templateGuid}`
}

export async function deleteTemplate(tx: Db, templateGuid: string): Promise<void> {
  await tx`delete from letter_template where id = ${templateGuid}`
}

export async function findClientName(db: Db, clientGuid: string): Promise<string | undefined> {
  const [row] = await db<{ name: string }[]>`select name from party where id = ${clientGuid}`
  return row?.name
}

/** The agency's name and account, as letters have them. */
export async function findSender(db: Db): Promise<{ name: string; bankAccountNo: string | null }> {
  const [row] = await db<{ name: string; bankAccountNo: string | null }[]>`
    select name, bank_account_no as "bankAccountNo" from party where parent_id is null order by id limit 1`
  return row!
}
