import type { ImportedKind } from '../../../contract/integration/imported-kinds.ts'
import { UploadedFile } from '../../../contract/integration/uploads.ts'
import { memberColumns, selectList } from '../../platform/database/columns.ts'
import {
  listRows,
  type ListContext,
  type ListSource,
  type Page,
  type PageQuery,
} from '../../platform/database/list.ts'
import { makeId } from '../../platform/database/make-id.ts'
import { toJson, runStatement } from '../../platform/database/statement.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { unrestricted } from '../../platform/database/row-scope.ts'
import { filterableProperties } from '../../platform/odata/properties.ts'
import type { ImportRequest } from './import-file.ts'

/** The options for reading an uploaded file. */
export type UploadOptions = Pick<
  ImportRequest,
  | 'mappings'
  | 'allowDuplicates'
  | 'delimiter'
  | 'encoding'
  | 'columns'
  | 'dates'
  | 'decimals'
  | 'client'
  | 'countryCode'
>

export interface NewUpload {
  what: ImportedKind
  source: string
  fileName: string
  options: UploadOptions
  uploadedBy: string | null
}

/** Inserts a file, which others see once it is complete. Returns its GUID. */
export async function insertUpload(db: Db, made: NewUpload): Promise<string> {
  const id = makeId()
  await db`
    insert into uploaded_file (id, what, source, file_name, options, uploaded_by)
    values (${id}, ${made.what}, ${made.source}, ${made.fileName}, ${toJson(db, made.options)}, ${made.uploadedBy})`
  return id
}

/** `rejected` is the report, `rejected-rows` the rows themselves. */
export type PartKind = 'content' | 'rejected' | 'rejected-rows'

export async function insertPart(
  db: Db,
  fileGuid: string,
  { kind, number, content }: { kind: PartKind; number: number; content: Buffer },
): Promise<void> {
  await db`
    insert into uploaded_part (file_id, kind, number, content) values (${fileGuid}, ${kind}, ${number}, ${content})`
}

/** The parts of a file in order, one at a time. */
export async function* readParts(db: Db, fileGuid: string, kind: PartKind): AsyncGenerator<Buffer> {
  for (let number = 0; ; number++) {
    const [row] = await db<{ content: Buffer }[]>`
      select content from uploaded_part where file_id = ${fileGuid} and kind = ${kind} and number = ${number}`
    if (!row) return
    yield row.content
  }
}

export async function deleteParts(db: Db, fileGuid: string, kind: PartKind): Promise<void> {
  await db`delete from uploaded_part where file_id = ${fileGuid} and kind = ${kind}`
}

export async function markComplete(db: Db, fileGuid: string, bytes: number): Promise<void> {
  await db`update uploaded_file set is_whole = true, bytes = ${bytes} where id = ${fileGuid}`
}

/** Records the job that imports the file. */
export async function markImporting(db: Db, fileGuid: string, jobId: string): Promise<void> {
  await db`update uploaded_file set job_id = ${jobId} where id = ${fileGuid}`
}

export async function markImported(
  db: Db,
  fileGuid: string,
  { complete, hasRejected }: { complete: boolean; hasRejected: boolean },
): Promise<void> {
  await db`
    update uploaded_file set has_rejected = ${hasRejected}, imported_at = case when ${complete} then now() end
    where id = ${fileGuid}`
}

export interface StoredUpload {
  fileGuid: string
  what: ImportedKind
  source: string
  fileName: string
  options: UploadOptions
  bytes: number
  importedAt: string | null
}

/** A complete file; undefined when there is none. */
export async function findUpload(db: Db, fileGuid: string): Promise<StoredUpload | undefined> {
  const [row] = await db<StoredUpload[]>`
    select id as "fileGuid", what, source, file_name as "fileName", options, bytes, imported_at as "importedAt"
    from uploaded_file where id = ${fileGuid} and is_whole`
  return row
}

/** Complete files that were not imported. */
export const listUnimported = (db: Db): Promise<Pick<StoredUpload, 'fileGuid' | 'fileName'>[]> => db<
  Pick<StoredUpload, 'fileGuid' | 'fileName'>[]
>`
  select id as "fileGuid", file_name as "fileName" from uploaded_file where is_whole and imported_at is null`

/** Returns whether the file existed. */
export async function deleteUpload(db: Db, fileGuid: string): Promise<boolean> {
  return (await db`delete from uploaded_file where id = ${fileGuid} and is_whole returning id`).length > 0
}

/** True while a job imports the file or waits to. */
export async function isBeingImported(db: Db, fileGuid: string): Promise<boolean> {
  const rows = await db`
    select from job_run where status in ('waiting', 'running') and kind = 'command' and name in ('import', 'check-import')
      and lower(payload -> 'arguments' ->> 0) = ${fileGuid.toLowerCase()} limit 1`
  return rows.length > 0
}

/** Deletes old files and incomplete uploads. */
export async function purgeUploads(db: Db): Promise<void> {
  await db`
    delete from uploaded_file where created_at < now() - interval '30 days'
      or (not is_whole and created_at < now() - interval '1 hour')`
}

const columns = memberColumns(Object.keys(UploadedFile.properties), 'uf', { fileGuid: 'id' })
const source: ListSource<'upload'> = {
  entity: 'upload',
  from: '(select * from uploaded_file where is_whole) uf',
  key: 'uf.id',
  select: selectList(columns),
  properties: filterableProperties(UploadedFile, columns),
  defaultOrder: { terms: [], keyDescending: true, text: 'uf.id desc', reversedText: 'uf.id' },
}

/** Newest first, without row restriction. */
export const listUploads = (db: Db, query: PageQuery, context: ListContext): Promise<Page<UploadedFile>> =>
  listRows<UploadedFile, 'upload'>(
    db,
    source,
    unrestricted('upload', 'Files are listed by system.admin alone, which no restricted role brings.'),
    query,
    context,
  )

export async function findUploadItem(db: Db, fileGuid: string): Promise<UploadedFile | undefined> {
  const [row] = await runStatement<UploadedFile>(
    db,
    `select ${source.select} from ${source.from} where uf.id = $1`,
    [fileGuid],
  )
  return row
}
