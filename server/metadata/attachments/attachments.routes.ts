import type { Readable } from 'node:stream'
import * as contract from '../../../contract/metadata/attachments.ts'
import type { HandlerRequest } from '../../access/serve/handler-request.ts'
import { serve } from '../../access/serve/route.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import { ApiError, done, notFound } from '../../platform/http/errors.ts'
import {
  addAttachment,
  changeAttachment,
  removeAttachment,
  requireAttachmentItem,
  type AttachmentItem,
} from './attachments.changes.ts'
import { checkFile, readFileName } from './attachments.rules.ts'
import { visibleAttachments, visibleCaseAttachments, visibleDebtorAttachments } from './attachments.scope.ts'
import { findAttachment, listAttachments, readContent } from './attachments.store.ts'

export function serveAttachments(service: ServerContext): void {
  serveAttaching(service)
  serveAttachmentLists(service)

  serve(service, contract.getAttachment, async ({ db, caller, params: { attachmentGuid } }) => {
    if (!(await findAttachment(db, attachmentGuid, visibleAttachments(caller)))) throw notFound('attachment')
    const { fileName, content } = await readContent(db, attachmentGuid)
    return { body: content, file: { type: 'application/octet-stream', bytes: content, name: fileName } }
  })

  serve(service, contract.updateAttachment, async ({ db, caller, params, body, origin }) => {
    const guid = params.attachmentGuid
    await changeAttachment(db, caller, { guid, input: body }, origin)
    return { body: (await findAttachment(db, guid, visibleAttachments(caller)))! }
  })

  serve(service, contract.deleteAttachment, async ({ db, caller, params, origin, path }) => {
    await removeAttachment(db, caller, params.attachmentGuid, origin)
    return { body: done('The file is deleted.', path) }
  })
}

function serveAttachmentLists(service: ServerContext): void {
  const { clock, totals } = service
  const context = () => ({ totals, today: clock.today() })

  serve(service, contract.listCaseAttachments, async ({ db, caller, params: { caseGuid }, query }) => {
    await requireAttachmentItem(db, caller, { guid: caseGuid, type: 1 })
    return { body: await listAttachments(db, visibleCaseAttachments(caller, caseGuid), query, context()) }
  })

  serve(service, contract.listDebtorAttachments, async ({ db, caller, params: { debtorGuid }, query }) => {
    await requireAttachmentItem(db, caller, { guid: debtorGuid, type: 3 })
    return { body: await listAttachments(db, visibleDebtorAttachments(caller, debtorGuid), query, context()) }
  })
}

/** The files arrive as streams, so these paths have their own content type parser. */
function serveAttaching(service: ServerContext): void {
  const megabytes = service.settings.FORDRA_ATTACHMENT_MB
  void service.app.register((app, _options, ready) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('application/octet-stream', (_request, payload, parsed) => parsed(null, payload))
    app.addContentTypeParser('*', (_request, _payload, parsed) => parsed(wrongType()))
    const own = { ...service, app }
    serve(own, contract.attachToCase, (served) =>
      takeFile(served, { guid: served.params.caseGuid, type: 1 }, megabytes),
    )
    serve(own, contract.attachToDebtor, (served) =>
      takeFile(served, { guid: served.params.debtorGuid, type: 3 }, megabytes),
    )
    ready()
  })
}

const wrongType = () =>
  new ApiError('unsupported-media-type', 'Send the file as Content-Type: application/octet-stream.')

type Attaching = HandlerRequest<typeof contract.attachToCase> | HandlerRequest<typeof contract.attachToDebtor>

async function takeFile(
  { db, caller, query, body: stream, headers, origin }: Attaching,
  item: AttachmentItem,
  megabytes: number,
) {
  const content = await readAll(stream, megabytes, async () => {
    await requireAttachmentItem(db, caller, item)
    readFileName(query.fileName)
    if (Number(headers['content-length'] ?? 0) > megabytes * 1024 * 1024) throw tooLarge(megabytes)
  })
  const file = {
    ...checkFile(query.fileName, content),
    content,
    shownToClient: query.shownToClient ?? false,
    draft: query.draft ?? false,
  }
  const guid = await addAttachment(db, caller, { item, file }, origin)
  const body = (await findAttachment(db, guid, visibleAttachments(caller)))!
  return { body, location: `/attachments/${guid}` }
}

const tooLarge = (megabytes: number) =>
  new ApiError('payload-too-large', `The file is larger than ${megabytes} MB (FORDRA_ATTACHMENT_MB).`)

/** What is left of a refused file is read and dropped, so that the client can read the answer. */
async function readAll(stream: Readable, megabytes: number, check: () => Promise<void>): Promise<Buffer> {
  try {
    await check()
    const parts: Buffer[] = []
    let bytes = 0
    for await (const part of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += part.length
      if (bytes > megabytes * 1024 * 1024) throw tooLarge(megabytes)
      parts.push(part)
    }
    return Buffer.concat(parts)
  } catch (error) {
    stream.resume()
    throw error
  }
}
