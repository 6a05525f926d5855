import { Document } from '../../../contract/collection/documents.ts'
import type { Language } from '../../../contract/platform/languages.ts'
import { owed } from '../../claims/remaining-amounts.ts'
import { memberColumns, selectList } from '../../platform/database/columns.ts'
import { findRow } from '../../platform/database/find-row.ts'
import {
  listRows,
  type ListContext,
  type ListSource,
  type Page,
  type PageQuery,
} from '../../platform/database/list.ts'
import { rowParameters, rowsFrom } from '../../platform/database/row-text.ts'
import { runStatement } from '../../platform/database/statement.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { visibleDocuments, visibleDebtorDocuments } from './documents.scope.ts'
import type { VisibleGuid } from '../../platform/database/row-scope.ts'
import { filterableProperties } from '../../platform/odata/properties.ts'
import type { LetterData } from './letter-data.ts'
import { attemptsMax } from '../../platform/messages/messages.store.ts'

const columns = {
  ...memberColumns(['kind', 'title', 'createdAt'], 'o', {}),
  documentGuid: 'o.id',
  debtorGuid: 'o.debtor_id',
  caseGuid: 'o.case_id',
  caseNumber: 'c.case_number',
  languageCode: 'o.language',
  businessDate: 'o.business_date::timestamptz',
  dueDate: 'o.due_date::timestamptz',
  channel: 'm.channel',
  state: `(case when m.id is null then 'WRITTEN' when m.sent_at is not null then 'SENT'
    when m.held_reason is not null then 'HELD' when m.attempts >= ${attemptsMax} or m.expires_at <= now() then 'FAILED'
    else 'WAITING' end)`,
  sentAt: 'm.sent_at',
  heldReason: 'm.held_reason',
  sendsAt: `(case when m.sent_at is null and m.expires_at > now() and (m.held_until is not null or m.attempts = 0)
    then nullif(greatest(coalesce(m.held_until, m.next_try_at), now()), now()) end)`,
  text: `(case when m.channel = 'sms' then o.data -> 'before' ->> 0 end)`,
  createdBy: 'u.full_name',
} satisfies Record<keyof Document, string>
const source: ListSource<'document'> = {
  entity: 'document',
  from: `document o left join message m on m.document_id = o.id left join debt_case c on c.id = o.case_id
    left join app_user u on u.id = o.created_by`,
  key: 'o.id',
  select: selectList(columns),
  properties: filterableProperties(Document, columns),
  defaultOrder: { terms: [], keyDescending: true, text: 'o.id desc', reversedText: 'o.id' },
}

export const listDocuments = (
  db: Db,
  caller: Caller,
  debtor: VisibleGuid<'debtor'>,
  query: PageQuery,
  context: ListContext,
): Promise<Page<Document>> =>
  listRows<Document, 'document'>(db, source, visibleDebtorDocuments(caller, debtor), query, context)

export const findDocument = (db: Db, caller: Caller, guid: string): Promise<Document | undefined> =>
  findRow<Document, 'document'>(db, source, guid, visibleDocuments(caller))

export interface StoredLetter {
  data: LetterData
  content: Buffer | null
  createdAt: string
}

export async function findLetter(db: Db, guid: string): Promise<StoredLetter> {
  const [row] = await db<StoredLetter[]>`
    select data, content, created_at as "createdAt" from document where id = ${guid}`
  return row!
}

export async function findHeading(db: Db, guid: string): Promise<{ title: string; date: string }> {
  const [row] = await db<{ title: string; date: string }[]>`
    select title, to_char(business_date, 'YYYY-MM-DD') as date from document where id = ${guid}`
  return row!
}

/** Stores the PDF of a letter, unless a concurrent request has already stored it. */
export async function keepContent(db: Db, guid: string, content: Buffer): Promise<void> {
  await db`update document set content = ${content} where id = ${guid} and content is null`
}

export interface NewDocument {
  id: string
  debtorGuid: string
  /** The guardian to whom it is addressed. Null for the debtor. */
  addresseeGuid: string | null
  caseGuid: string | null
  clientGuids: string[]
  kind: Document['kind']
  language: Language
  businessDate: string
  /** The deadline that it names. Null when it has none. */
  dueDate: string | null
  data: LetterData
  createdBy: string | null
}

const documentTypes = {
  id: 'uuid',
  debtor_id: 'uuid',
  addressee_id: 'uuid',
  case_id: 'uuid',
  client_ids: 'uuid[]',
  kind: 'text',
  language: 'text',
  title: 'text',
  business_date: 'date',
  due_date: 'date',
  created_by: 'uuid',
  data: 'jsonb',
}
const insertText = `
  insert into document (${Object.keys(documentTypes).join(', ')}) select * from ${rowsFrom(documentTypes, 1)} n`

export async function insertDocuments(tx: Db, made: readonly NewDocument[]): Promise<void> {
  const rows = made.map((one) => ({
    id: one.id,
    debtor_id: one.debtorGuid,
    addressee_id: one.addresseeGuid,
    case_id: one.caseGuid,
    client_ids: one.clientGuids,
    kind: one.kind,
    language: one.language,
    title: one.data.title,
    business_date: one.businessDate,
    due_date: one.dueDate,
    created_by: one.createdBy,
    data: one.data,
  }))
  await runStatement(tx, insertText, rowParameters(documentTypes, rows), { prepare: true })
}

export interface LetterParties {
  debtorGuid: string
  sender: string
  senderCountry: string | null
  fullName: string
  /** The name at the address, if it is another one: care of. */
  addressName: string | null
  idNumber: string | null
  debtorReference: string
  languageCode: string | null
  currencyCode: string | null
  countryCode: string | null
  street: string | null
  houseNo: string | null
  houseNoExtension: string | null
  city: string | null
  zipCode: string | null
  stateCode: string | null
  bankAccountNo: string | null
  /** Of a debtor with a protected identity: the authority that forwards the letter. */
  forwardingAddress: string | null
  hasProtectedIdentity: boolean
}

/** Sender and recipient by debtor. The caller checks the right to see the debtors. */
export async function findLetterParties(
  db: Db,
  debtorGuids: readonly string[],
): Promise<Map<string, LetterParties>> {
  const rows = await db<LetterParties[]>`
    select d.id as "debtorGuid", a.name as sender, a.country_code as "senderCountry", a.bank_account_no as "bankAccountNo", d.full_name as "fullName",
      m.full_name as "addressName", d.id_number as "idNumber", d.debtor_reference as "debtorReference", d.language_code as "languageCode",
      d.currency_code as "currencyCode", d.country_code as "countryCode", d.street, d.house_no as "houseNo",
      d.house_no_extension as "houseNoExtension", d.city, d.zip_code as "zipCode", d.state_code as "stateCode",
      d.forwarding_address as "forwardingAddress", d.protected_identity is true as "hasProtectedIdentity"
    from debtor d
    left join address m on m.debtor_id = d.id and m.default_address and m.full_name <> d.full_name
      and (m.street, m.zip_code) is not distinct from (d.street, d.zip_code)
    cross join (select name, country_code, bank_account_no from party where parent_id is null order by id limit 1) a
    where d.id = any(${[...debtorGuids]}::uuid[])`
  return new Map(rows.map((row) => [row.debtorGuid, row]))
}

/** The payment references of cases, by case. */
export async function findCaseReferences(db: Db, caseGuids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db<{ id: string; reference: string }[]>`
    select id, payment_reference_number as reference from debt_case where id = any(${[...caseGuids]}::uuid[])`
  return new Map(rows.map(({ id, reference }) => [id, reference]))
}

export interface Mailbox {
  fullName: string
  email: string | null
  phone: string | null
  countryCode: string | null
  /** True if every client in the letter allows e-mail. */
  clientsAllowEmail: boolean
}

/** Where the letters of a debtor go. The caller checks the right to see the debtor. */
export async function findMailbox(
  db: Db,
  debtorGuid: string,
  clientGuids: readonly string[],
): Promise<Mailbox> {
  const [row] = await db<Mailbox[]>`
    select d.full_name as "fullName", d.email, d.cellular_phone as phone, d.country_code as "countryCode",
      coalesce((select bool_and(sends_letters_by_email(k.id)) from unnest(${[...clientGuids]}::uuid[]) k (id)), false)
        as "clientsAllowEmail"
    from debtor d where d.id = ${debtorGuid}`
  return row!
}

/** What decides where a message to a person goes at the moment when it leaves. */
export interface Address {
  email: string | null
  phone: string | null
  isProtected: boolean
  forwardingAddress: string | null
  /** Of the letter, if it is one. */
  letter: { addresseeGuid: string; printed: string[] } | null
}

export async function findAddress(
  db: Db,
  { personGuid, documentGuid }: { personGuid: string; documentGuid: string | null },
): Promise<Address> {
  const [row] = await db<Address[]>`
    select d.email, d.cellular_phone as phone, d.protected_identity is true as "isProtected",
      d.forwarding_address as "forwardingAddress",
      case when o.id is not null then jsonb_build_object('addresseeGuid', coalesce(o.addressee_id, o.debtor_id),
        'printed', o.data -> 'recipient') end as letter
    from debtor d left join document o on o.id = ${documentGuid} where d.id = ${personGuid}`
  return row!
}

export interface WrittenLetter {
  kind: Document['kind']
  dueDate: string | null
  /** True if it is about a plan that has ended. */
  planEnded: boolean
  /** True if a payment of that plan was changed or paid since. */
  planChanged: boolean
}

export async function findWrittenLetter(db: Db, guid: string): Promise<WrittenLetter> {
  const [row] = await db<WrittenLetter[]>`
    select o.kind, o.due_date as "dueDate",
      exists (select from payment_plan k where k.id = (o.data ->> 'planGuid')::uuid and k.active = 0) as "planEnded",
      coalesce(o.data ->> 'planDigest' <> (
        select encode(sha256(convert_to(string_agg(concat_ws(':', y.payment_no, to_char(y.due_date, 'YYYY-MM-DD'), y.amount, y.paid),
          ',' order by y.payment_no), 'UTF8')), 'hex')
        from payment_plan_payment y where y.plan_id = (o.data ->> 'planGuid')::uuid), false) as "planChanged"
    from document o where o.id = ${guid}`
  return row!
}

/** A case that a letter demands, as it is now. Amounts in minor units. */
export interface LetterCaseNow {
  caseGuid: string
  /** Null in letters stored before amounts were kept. */
  demanded: string | null
  owed: string
  /** Its fee that was reversed while it was held, and is charged anew before it leaves. */
  returning: string
  isClosed: boolean
  /** True if it was put on hold after the letter was written. */
  isOnHold: boolean
  /** True if another country governs it than when the letter was written. */
  isOtherLaw: boolean
}

/** The country that governed `debt_case c` when `document w` was written: the one that the first change since left. */
const countryThen = `coalesce((select a.changes -> 'governingCountry' ->> 0 from audit_entry a
  where a.entity_id = c.id and a.changes ? 'governingCountry' and a.occurred_at > w.created_at
  order by a.position limit 1), c.governing_country)`

export const listLetterCases = (db: Db, guid: string): Promise<LetterCaseNow[]> => db<LetterCaseNow[]>`
  with demanded as (
    select (d.value ->> 'caseGuid')::uuid as case_id, (d.value ->> 'minor')::numeric::bigint as minor
    from document o, lateral jsonb_array_elements(o.data -> 'demanded') d (value) where o.id = ${guid}
  ), of_letter as (
    select case_id from demanded
    union select o.case_id from document o where o.id = ${guid} and o.kind not in ('statement', 'plan', 'answer')
    union select l.case_id from demand_letter_case l where l.document_id = ${guid}
  )
  select c.id as "caseGuid", d.minor::text as demanded, ${db.unsafe(owed)}::text as owed,
    (select coalesce(sum(m.amount), 0)::text from letter_fee f join movement m on m.id = f.movement_id
      where f.document_id = ${guid} and m.case_id = c.id
        and exists (select from movement r where r.reverses_id = m.id)) as returning,
    c.closure_code is not null as "isClosed", c.hold is not null and c.hold_id > ${guid}::uuid as "isOnHold",
    ${db.unsafe(countryThen)} is distinct from c.governing_country as "isOtherLaw"
  from of_letter l join document w on w.id = ${guid} join debt_case c on c.id = l.case_id left join demanded d on d.case_id = c.id
  order by c.id`

export async function deleteDocument(tx: Db, guid: string): Promise<void> {
  await tx`delete from message where document_id = ${guid}`
  await tx`delete from document where id = ${guid}`
}
