import { Document } from '../../contract/documents.ts'
import { columnsOf, selectOf } from '../database/columns.ts'
import { findRow } from '../database/find-row.ts'
import { listRows, type ListContext, type ListSource, type Page, type PageQuery } from '../database/list.ts'
import { jsonOf } from '../database/statement.ts'
import type { Db } from '../database/transaction.ts'
import type { Caller } from '../http/caller.ts'
import { documentsOf, documentsOfDebtor, type VisibleGuid } from '../http/restriction.ts'
import { propertiesOf } from '../odata/properties.ts'
import type { LetterData } from './letter-data.ts'

const columns = {
  ...columnsOf(Object.keys(Document.properties), 'o', {
    documentGuid: 'id',
    debtorGuid: 'debtor_id',
    caseGuid: 'case_id',
    languageCode: 'language',
  }),
  businessDate: 'o.business_date::timestamptz',
}
const source: ListSource<'document'> = {
  entity: 'document',
  from: 'document o',
  key: 'o.id',
  select: selectOf(columns),
  properties: propertiesOf(Document, columns),
  defaultOrder: { terms: [], keyDescending: true, text: 'o.id desc', reversedText: 'o.id' },
}

export const listDocuments = (
  db: Db,
  caller: Caller,
  debtor: VisibleGuid<'debtor'>,
  query: PageQuery,
  context: ListContext,
): Promise<Page<Document>> =>
  listRows<Document, 'document'>(db, source, documentsOfDebtor(caller, debtor), query, context)

export const findDocument = (db: Db, caller: Caller, guid: string): Promise<Document | undefined> =>
  findRow<Document, 'document'>(db, source, guid, documentsOf(caller))

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

/** Keeps the PDF of a letter, unless another request has done so meanwhile. */
export async function keepContent(db: Db, guid: string, content: Buffer): Promise<void> {
  await db`update document set content = ${content} where id = ${guid} and content is null`
}

export interface NewDocument {
  id: string
  debtorGuid: string
  caseGuid: string | null
  clientGuids: string[]
  kind: Document['kind']
  language: string
  businessDate: string
  data: LetterData
  createdBy: string | null
}

export async function insertDocument(tx: Db, made: NewDocument): Promise<void> {
  await tx`
    insert into document (id, debtor_id, case_id, client_ids, kind, language, title, business_date, data, created_by)
    values (${made.id}, ${made.debtorGuid}, ${made.caseGuid}, ${made.clientGuids}, ${made.kind}, ${made.language},
      ${made.data.title}, ${made.businessDate}, ${jsonOf(tx, made.data)}, ${made.createdBy})`
}

export interface LetterParties {
  sender: string
  fullName: string
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
}

/** Who writes to whom; the caller's right to see the debtor is checked before. */
export async function findLetterParties(db: Db, debtorGuid: string): Promise<LetterParties> {
  const [row] = await db<LetterParties[]>`
    select a.name as sender, a.bank_account_no as "bankAccountNo", d.full_name as "fullName", d.id_number as "idNumber",
      d.debtor_reference as "debtorReference", d.language_code as "languageCode", d.currency_code as "currencyCode",
      d.country_code as "countryCode", d.street, d.house_no as "houseNo", d.house_no_extension as "houseNoExtension",
      d.city, d.zip_code as "zipCode", d.state_code as "stateCode"
    from debtor d, (select name, bank_account_no from party where parent_id is null order by id limit 1) a
    where d.id = ${debtorGuid}`
  return row!
}

export async function findCaseReference(db: Db, caseGuid: string): Promise<string> {
  const [row] = await db<{ reference: string }[]>`
    select payment_reference_number as reference from debt_case where id = ${caseGuid}`
  return row!.reference
}

export async function deleteDocument(tx: Db, guid: string): Promise<void> {
  await tx`delete from message where document_id = ${guid}`
  await tx`delete from document where id = ${guid}`
}
