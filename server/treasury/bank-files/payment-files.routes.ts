import * as heldContract from '../../../contract/treasury/held-payment-files.ts'
import * as contract from '../../../contract/treasury/payment-files.ts'
import * as suspenseContract from '../../../contract/treasury/suspense.ts'
import type { ActOrigin } from '../../access/approvals/second-person.ts'
import { inTransaction, type Db } from '../../platform/database/transaction.ts'
import { toApiError } from '../../platform/http/app.ts'
import { ApiError, notFound } from '../../platform/http/errors.ts'
import { serve } from '../../access/serve/route.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { BadPaymentFile } from './bank-entry.ts'
import { checkPaymentFile } from './check-file.ts'
import * as store from './payment-files.store.ts'
import { insertPaymentFileJob } from '../posting/payment-file-jobs.ts'
import { receiveWithinLimit, type SentFile } from '../held-files/file-limit.ts'
import { holdFile, requireHeldFile, takeHeldFile } from '../held-files/held-files.ts'
import { allocateSuspense, divideSuspense, refundSuspense } from './suspense.changes.ts'
import { proposeForSuspense } from '../proposals/proposals.ts'
import { listSuspense, requireSuspense } from '../../payments/suspense.store.ts'

export function servePaymentFiles(service: ServerContext): void {
  // File uploads arrive as raw bytes, so these paths have their own content type parser.
  service.app.register((app, _options, ready) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser(
      ['application/octet-stream', 'application/xml', 'text/xml', 'text/plain'],
      { parseAs: 'buffer', bodyLimit: contract.paymentFileBytesMax },
      (_request, body, parsed) => parsed(null, body),
    )
    app.setErrorHandler((error) => {
      throw rewordFileError(error)
    })
    serveUpload({ ...service, app })
    ready()
  })
  serveHeld(service)
  serveReading(service)
  serveSuspense(service)
}

/** Rewords errors about JSON bodies for file uploads. */
function rewordFileError(error: unknown): unknown {
  const { kind } = toApiError(error)
  if (kind === 'unsupported-media-type')
    return new ApiError(kind, 'Send the file as Content-Type: application/octet-stream, not compressed.')
  if (kind === 'payload-too-large')
    return new ApiError(
      kind,
      `The file has more than ${contract.paymentFileBytesMax / 1_048_576} MiB. Ask the bank for smaller files, or use the command line.`,
    )
  return error
}

function requireAgency({ partyIds }: Caller): void {
  if (partyIds !== null)
    throw new ApiError(
      'forbidden',
      'Payment files belong to the agency. A user restricted to clients cannot upload one.',
    )
}

function serveUpload(service: ServerContext): void {
  serve(service, contract.checkPaymentFile, async ({ caller, body, origin }) => {
    requireAgency(caller)
    return { body: await checkPaymentFile(service.sql, caller, body, origin).catch(throwRefusal) }
  })

  serve(service, contract.uploadPaymentFile, async ({ db, caller, query, body, origin }) => {
    requireAgency(caller)
    const file = { fileName: query.fileName ?? null, content: body }
    const fileGuid = await inTransaction(db, (tx) => bookContent(tx, caller, file, origin))
    return answerFile(db, caller, fileGuid)
  })

  serve(service, heldContract.holdPaymentFile, async ({ db, caller, query, body }) => {
    requireAgency(caller)
    const held = await holdFile(db, caller, { fileName: query.fileName ?? null, content: body }).catch(
      throwRefusal,
    )
    return { body: held, location: `/payment-files/held/${held.heldFileGuid}` }
  })
}

/** Receives a file, by the limit of the caller's role, and has it booked in the background. */
async function bookContent(tx: Db, caller: Caller, file: SentFile, origin: ActOrigin): Promise<string> {
  const received = await receiveWithinLimit(tx, caller, file, origin).catch(throwRefusal)
  const { fileGuid } = received
  await insertPaymentFileJob(tx, { fileGuid, askedBy: caller.userId, requestId: origin.requestId })
  return fileGuid
}

const answerFile = async (db: Db, caller: Caller, fileGuid: string) => ({
  body: await store.requirePaymentFile(db, caller, fileGuid),
  location: `/payment-files/${fileGuid}`,
})

/** A held file is not shown to users who are restricted to clients: for them there is none. */
function requireSeen({ partyIds }: Caller): void {
  if (partyIds !== null) throw notFound('held payment file')
}

function serveHeld(service: ServerContext): void {
  serve(service, heldContract.checkHeldPaymentFile, async ({ db, caller, params, origin }) => {
    requireSeen(caller)
    const { content } = await requireHeldFile(db, params.heldFileGuid)
    return { body: await checkPaymentFile(service.sql, caller, content, origin).catch(throwRefusal) }
  })

  serve(service, heldContract.bookHeldPaymentFile, async ({ db, caller, params, origin }) => {
    requireSeen(caller)
    const fileGuid = await inTransaction(db, async (tx) => {
      const file = await takeHeldFile(tx, params.heldFileGuid)
      return bookContent(tx, caller, file, origin)
    })
    return answerFile(db, caller, fileGuid)
  })
}

function serveReading(service: ServerContext): void {
  const { clock, totals } = service

  serve(service, contract.listPaymentFiles, async ({ db, caller, query }) => ({
    body: await store.listPaymentFiles(db, caller, query, { totals, today: clock.today() }),
  }))

  serve(service, contract.getPaymentFile, async ({ db, caller, params }) => ({
    body: await store.requirePaymentFile(db, caller, params.paymentFileGuid),
  }))

  serve(service, contract.listPaymentFileEntries, async ({ db, caller, params, query }) => {
    const file = await store.requireFileGuid(db, caller, params.paymentFileGuid)
    return { body: await store.listPaymentFileEntries(db, file, query, { totals, today: clock.today() }) }
  })
}

function serveSuspense(service: ServerContext): void {
  const { clock, totals } = service

  serve(service, suspenseContract.listSuspense, async ({ db, caller, query }) => ({
    body: await listSuspense(db, caller, query, { totals, today: clock.today() }),
  }))

  serve(service, suspenseContract.listSuspenseProposals, async ({ db, caller, params: { suspenseGuid } }) => {
    await requireSuspense(db, caller, suspenseGuid)
    return { body: await proposeForSuspense(db, caller, suspenseGuid) }
  })

  serve(
    service,
    suspenseContract.allocateSuspense,
    async ({ db, caller, params: { suspenseGuid }, body, origin }) => {
      await allocateSuspense(db, caller, { suspenseGuid, input: body }, origin)
      return { body: await requireSuspense(db, caller, suspenseGuid) }
    },
  )

  serve(
    service,
    suspenseContract.divideSuspense,
    async ({ db, caller, params: { suspenseGuid }, body, origin }) => {
      const guids = await divideSuspense(db, caller, { suspenseGuid, input: body }, origin)
      const parts = await Promise.all(guids.map((guid) => requireSuspense(db, caller, guid)))
      return { body: { suspense: await requireSuspense(db, caller, suspenseGuid), parts } }
    },
  )

  serve(
    service,
    suspenseContract.refundSuspense,
    async ({ db, caller, params: { suspenseGuid }, body, origin }) => {
      await refundSuspense(db, caller, { suspenseGuid, input: body }, origin)
      return { body: await requireSuspense(db, caller, suspenseGuid) }
    },
  )
}

function throwRefusal(error: unknown): never {
  if (error instanceof BadPaymentFile)
    throw new ApiError('unprocessable', `${error.message} Nothing of the file was booked.`, {
      errors: { '': [error.message] },
      members: { unreadableFile: true, ...(error.line !== null && { line: error.line }) },
    })
  throw error
}
