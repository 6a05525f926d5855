/** Uploaded files for imports: received as streams and stored in the database, where every node can read them. */
import type { Readable } from 'node:stream'
import * as contract from '../../../contract/integration/uploads.ts'
import type { FileEncoding, ImportedKind } from '../../../contract/integration/imported-kinds.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { insertAuditEntry } from '../../platform/events/audit-entry.ts'
import { ApiError, done, invalid, notFound } from '../../platform/http/errors.ts'
import { serve } from '../../access/serve/route.ts'
import type { HandlerRequest } from '../../access/serve/handler-request.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import { requireImportRights, requireNoLimit } from './import-rights.ts'
import { isSourceName, sourceSigns } from './import-file.ts'
import { ImportRefused } from './reading/import-refused.ts'
import type { DateOrder, DecimalSign } from './reading/value-style.ts'
import { findClientCode, readAddressCountry, checkFilling } from './row-filler.ts'
import * as store from './uploads.store.ts'

const partBytes = 1024 * 1024

export function serveUploads(service: ServerContext): void {
  const { clock, totals, settings } = service
  void service.app.register((app, _options, ready) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('application/octet-stream', (_request, payload, parsed) => parsed(null, payload))
    app.addContentTypeParser('*', (_request, _payload, parsed) => parsed(wrongType()))
    serve({ ...service, app }, contract.uploadFile, (served) => takeFile(served, settings.FORDRA_UPLOAD_MB))
    ready()
  })

  serve(service, contract.listFiles, async ({ db, query }) => ({
    body: await store.listUploads(db, query, { totals, today: clock.today() }),
  }))

  serve(service, contract.getRejectedRows, async ({ db, caller, params, query }) => {
    const found = await store.findUploadItem(db, params.fileGuid)
    if (!found?.hasRejected) throw notFound('report of rejected rows')
    requireImportRights(caller, found.what as ImportedKind)
    const parts: Buffer[] = []
    for await (const part of store.readParts(
      db,
      params.fileGuid,
      query.rows === true ? 'rejected-rows' : 'rejected',
    ))
      parts.push(part)
    return { body: Buffer.concat(parts) }
  })

  serve(service, contract.deleteFile, async ({ db, params, origin, path }) => {
    const { fileGuid } = params
    if (await store.isBeingImported(db, fileGuid))
      throw new ApiError('conflict', 'The file is being imported. Wait for its job, or cancel it.')
    const found = await store.findUploadItem(db, fileGuid)
    if (!found || !(await store.deleteUpload(db, fileGuid))) throw notFound('file')
    const changes = { fileName: [found.fileName, null] as [unknown, unknown] }
    await insertAuditEntry(db, origin, { ...auditEntry(fileGuid), action: 'deleted', changes })
    return { body: done('The file is deleted.', path) }
  })
}

const wrongType = () =>
  new ApiError('unsupported-media-type', 'Send the file as Content-Type: application/octet-stream.')

const auditEntry = (fileGuid: string) => ({ entity: 'file', entityId: fileGuid, subject: fileGuid })

async function takeFile(
  { db, caller, query, body: stream, headers, origin }: HandlerRequest<typeof contract.uploadFile>,
  megabytes: number,
) {
  requireImportRights(caller, query.what as ImportedKind)
  await requireNoLimit(db, caller, query.what as ImportedKind)
  const bytesMax = megabytes * 1024 * 1024
  if (Number(headers['content-length'] ?? 0) > bytesMax) throw refuseSize(stream, megabytes)
  if (query.allowDuplicates === true && query.what !== 'debtors')
    throw invalid({ allowDuplicates: ['applies only to debtors, which have identity numbers.'] })
  if (query.source !== undefined && !isSourceName(query.source))
    throw invalid({ source: [`must be ${sourceSigns}`] })
  await requireFilling(db, query)
  const fileGuid = await store.insertUpload(db, {
    what: query.what,
    source: query.source ?? 'import',
    fileName: query.fileName,
    options: readOptions(query),
    uploadedBy: origin.actorId,
  })
  let bytes = 0
  let number = 0
  for await (const content of splitParts(stream)) {
    bytes += content.length
    if (bytes > bytesMax) throw refuseSize(stream, megabytes)
    await store.insertPart(db, fileGuid, { kind: 'content', number: number++, content })
  }
  if (bytes === 0) throw invalid({ '': ['must not be empty: send the contents of the file.'] })
  await store.markComplete(db, fileGuid, bytes)
  const { what, fileName } = query
  const changes = { file: [null, { what, fileName, bytes }] as [unknown, unknown] }
  await insertAuditEntry(db, origin, { ...auditEntry(fileGuid), action: 'uploaded', changes })
  return { body: (await store.findUploadItem(db, fileGuid))!, location: `/system/files/${fileGuid}/rejected` }
}

/** Throws a 400 when the client or the country for all rows is none, or does not go with the kind. */
async function requireFilling(
  db: Db,
  { what, client, countryCode }: HandlerRequest<typeof contract.uploadFile>['query'],
): Promise<void> {
  const kind = what as ImportedKind
  if (client !== undefined)
    await refusedAs('client', () => {
      checkFilling(kind, { client })
      return findClientCode(db, kind, client)
    })
  if (countryCode !== undefined)
    await refusedAs('countryCode', () => {
      checkFilling(kind, { countryCode })
      return readAddressCountry(countryCode)
    })
}

async function refusedAs(member: string, check: () => unknown): Promise<void> {
  try {
    await check()
  } catch (error) {
    if (error instanceof ImportRefused) throw invalid({ [member]: [error.message] })
    throw error
  }
}

function readOptions({
  delimiter,
  encoding,
  mappings,
  columns,
  dates,
  decimals,
  client,
  countryCode,
  allowDuplicates,
}: HandlerRequest<typeof contract.uploadFile>['query']): store.UploadOptions {
  return {
    mappings: (mappings ?? '')
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean),
    allowDuplicates: allowDuplicates === true,
    ...(delimiter !== undefined && { delimiter: delimiter === 'tab' ? '\t' : delimiter }),
    ...(encoding !== undefined && { encoding: encoding as FileEncoding }),
    ...(columns !== undefined && { columns: columns.split(',').map((name) => name.trim()) }),
    ...(dates !== undefined && { dates: dates as DateOrder }),
    ...(decimals !== undefined && { decimals: decimals as DecimalSign }),
    ...(client !== undefined && { client }),
    ...(countryCode !== undefined && { countryCode }),
  }
}

/** Reads and drops the rest of the stream: a sender that is still writing does not read the answer. */
function refuseSize(stream: Readable, megabytes: number): ApiError {
  stream.resume()
  return new ApiError(
    'payload-too-large',
    `The file is larger than ${megabytes} MB (FORDRA_UPLOAD_MB). Split it, or import it by npx fordra import.`,
  )
}

/** Blocks of equal size, except the last. */
async function* splitParts(stream: Readable): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = []
  let size = 0
  const iterator = stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
  for await (const chunk of iterator) {
    waiting.push(chunk)
    size += chunk.length
    if (size < partBytes) continue
    yield Buffer.concat(waiting)
    waiting = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(waiting)
}
