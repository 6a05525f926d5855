import * as contract from '../../../contract/metadata/attachments.ts'
import type { HandlerRequest } from '../../access/serve/handler-request.ts'
import { serve } from '../../access/serve/route.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import { ApiError, done, notFound } from '../../platform/http/errors.ts'
import { openByteBudget, type ByteBudget, type HeldBytes } from '../../platform/http/limits/byte-budget.ts'
import {
  addAttachment,
  caseItem,
  changeAttachment,
  debtorItem,
  removeAttachment,
  requireAttachmentItem,
  type AttachmentItem,
} from './attachments.changes.ts'
import { checkFile, readFileName } from './attachments.rules.ts'
import { visibleAttachments, visibleCaseAttachments, visibleDebtorAttachments } from './attachments.scope.ts'
import { findAttachment, listAttachments, readContent } from './attachments.store.ts'

/** How many files of the largest size fit into a node's memory for files, and into one user's part of it. */
const filesHeldMax = 16
const filesPerUserMax = 6

export function serveAttachments(service: ServerContext): void {
  const bytesMax = service.settings.FORDRA_ATTACHMENT_MB * 1024 * 1024
  const budget = openByteBudget(filesHeldMax * bytesMax, filesPerUserMax * bytesMax)
  serveAttaching(service, budget)
  serveAttachmentLists(service)

  serve(service, contract.getAttachment, async ({ db, caller, params: { attachmentGuid }, onClose }) => {
    const found = await findAttachment(db, attachmentGuid, visibleAttachments(caller))
    if (!found) throw notFound('attachment')
    const held = budget.open(caller.userId)
    held.add(found.bytes)
    // The file stays in memory until a slow caller has read it.
    onClose(held.release)
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
    await requireAttachmentItem(db, caller, caseItem(caseGuid))
    return { body: await listAttachments(db, visibleCaseAttachments(caller, caseGuid), query, context()) }
  })

  serve(service, contract.listDebtorAttachments, async ({ db, caller, params: { debtorGuid }, query }) => {
    await requireAttachmentItem(db, caller, debtorItem(debtorGuid))
    return { body: await listAttachments(db, visibleDebtorAttachments(caller, debtorGuid), query, context()) }
  })
}

/** Uploads arrive as streams, so these paths have their own content type parser. */
function serveAttaching(service: ServerContext, budget: ByteBudget): void {
  const megabytes = service.settings.FORDRA_ATTACHMENT_MB
  void service.app.register((app, _options, ready) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('application/octet-stream', (_request, payload, parsed) => parsed(null, payload))
    app.addContentTypeParser('*', (_request, _payload, parsed) => parsed(wrongType()))
    const own = { ...service, app }
    serve(own, contract.attachToCase, (served) =>
      takeFile(served, caseItem(served.params.caseGuid), { megabytes, budget }),
    )
    serve(own, contract.attachToDebtor, (served) =>
      takeFile(served, debtorItem(served.params.debtorGuid), { megabytes, budget }),
    )
    ready()
  })
}

const wrongType = () =>
  new ApiError('unsupported-media-type', 'Send the file as Content-Type: application/octet-stream.')

interface Limits {
  megabytes: number
  budget: ByteBudget
}

type Attaching = HandlerRequest<typeof contract.attachToCase> | HandlerRequest<typeof contract.attachToDebtor>

async function takeFile(served: Attaching, item: AttachmentItem, { megabytes, budget }: Limits) {
  const { db, caller, query, origin } = served
  const held = budget.open(caller.userId)
  try {
    const content = await readAll(served, { megabytes, held }, async () => {
      await requireAttachmentItem(db, caller, item)
      readFileName(query.fileName)
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
  } finally {
    held.release()
  }
}

const tooLarge = (megabytes: number) =>
  new ApiError('payload-too-large', `The file is larger than ${megabytes} MB (FORDRA_ATTACHMENT_MB).`)

/**
 * Reads the whole upload. The rest of a refused upload is read and dropped: a sender that is still writing does not read the
 * answer.
 */
async function readAll(
  { body: stream, headers }: Pick<Attaching, 'body' | 'headers'>,
  { megabytes, held }: { megabytes: number; held: HeldBytes },
  check: () => Promise<void>,
): Promise<Buffer> {
  const bytesMax = megabytes * 1024 * 1024
  try {
    await check()
    if (Number(headers['content-length'] ?? 0) > bytesMax) throw tooLarge(megabytes)
    const parts: Buffer[] = []
    let bytes = 0
    for await (const part of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += part.length
      if (bytes > bytesMax) throw tooLarge(megabytes)
      held.add(part.length)
      parts.push(part)
    }
    return Buffer.concat(parts)
  } catch (error) {
    stream.resume()
    throw error
  }
}
