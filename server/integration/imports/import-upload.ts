/**
 * The command `import`: imports an uploaded file like the command line does, and can be restarted without duplicates.
 */
import { createWriteStream } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { besideModule } from '../../platform/beside-module.ts'
import type { Language } from '../../../contract/platform/languages.ts'
import type { CommandHandler } from '../../platform/jobs/command.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { ApiError, notFound } from '../../platform/http/errors.ts'
import { JobCancelled, JobFailure, type JobResult, type RunningJob } from '../../platform/jobs/job.ts'
import type { ImportReport, ImportRequest } from './import-file.ts'
import { requireImportAsker, requireImportRights, requireNoLimit } from './import-rights.ts'
import { runImportThread } from './import-thread.ts'
import type { UploadWork } from './import-asked.ts'
import * as store from './uploads.store.ts'

const worker = besideModule('upload-worker', import.meta.url)
const partBytes = 1024 * 1024
const nameBytesMax = 200

type Environment = Pick<UploadWork, 'countryCode' | 'currencyCode'>

export const importCommands = (environment: Environment): CommandHandler[] => [
  { command: 'import', check, run: (job, [fileGuid]) => runImport(job, fileGuid!, environment, importWhole) },
  {
    command: 'check-import',
    check,
    run: (job, [fileGuid]) => runImport(job, fileGuid!, environment, tryWhole),
  },
]

const check: NonNullable<CommandHandler['check']> = async ([fileGuid], db, caller) => {
  const found = await store.findUpload(db, fileGuid!)
  if (!found) throw notFound('uploaded file')
  requireImportRights(caller, found.what)
  await requireNoLimit(db, caller, found.what)
  if (found.importedAt !== null)
    throw new ApiError(
      'unprocessable',
      'The file has been imported completely, so its contents were deleted. Upload it again to import it again.',
      { errors: { 'argument[0]': ['must be a file that is not imported yet.'] } },
    )
}

type RunOnFile = (
  folder: string,
  job: RunningJob,
  upload: store.StoredUpload,
  environment: Environment & { language: Language },
) => Promise<JobResult>

async function runImport(
  job: RunningJob,
  fileGuid: string,
  environment: Environment,
  run: RunOnFile,
): Promise<JobResult> {
  const upload = await store.findUpload(job.sql, fileGuid)
  if (!upload || upload.importedAt !== null) throw new JobFailure('The file no longer exists.')
  const asker = await requireImportAsker(job.sql, job.askedBy, upload.what)
  const folder = await mkdtemp(join(tmpdir(), 'fordra-import-'))
  try {
    return await run(folder, job, upload, { ...environment, language: asker?.language ?? 'en' })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const importWhole: RunOnFile = async (folder, job, upload, environment) => {
  await store.markImporting(job.sql, upload.fileGuid, job.id)
  const path = join(folder, '.rejected-rows')
  const reports = {
    rejectedFile: join(folder, '.rejected'),
    rejectedRows: { path, language: environment.language },
  }
  const report = await importFrom(folder, job, upload, { environment, reports })
  await keepOutcome(job, upload, report, path)
  return toResult(upload, report)
}

const tryWhole: RunOnFile = async (folder, job, upload, environment) => {
  const reports = { rejectedFile: join(folder, '.rejected'), dryRun: true }
  const report = await importFrom(folder, job, upload, { environment, reports })
  return { ...countResult(upload, report), firstRejections: report.firstRejections }
}

async function importFrom(
  folder: string,
  job: RunningJob,
  { fileGuid, what, source, fileName, options, bytes }: store.StoredUpload,
  {
    environment,
    reports,
  }: {
    environment: Environment
    reports: Pick<ImportRequest, 'rejectedFile' | 'rejectedRows' | 'dryRun'>
  },
): Promise<ImportReport> {
  const file = join(folder, nameOnDisk(fileName))
  const parts = Readable.from(store.readParts(job.sql, fileGuid, 'content'))
  await pipeline(parts, createWriteStream(file, { mode: 0o600 }))
  const request = { file, source, ...options, ...reports }
  const stop = new AbortController()
  const abort = () => stop.abort()
  job.signal.addEventListener('abort', abort)
  let told: Promise<void> = Promise.resolve()
  let inserted = 0
  try {
    const { databaseUrl: url, askedBy } = job
    const { countryCode, currencyCode } = environment
    const work: UploadWork = { url, countryCode, currencyCode, what, request, askedBy }
    const { result, failure } = await runImportThread(worker, work, stop.signal, ({ progress }) => {
      if (!progress) return
      inserted = progress.inserted
      told = told.then(() => job.progress(Math.round(progress.share * bytes), bytes)).catch(abort)
    })
    await told
    if (failure) throw toFailure(failure, folder, reports.dryRun ? 0 : inserted)
    if (stop.signal.aborted) throw new JobCancelled()
    return result!
  } finally {
    job.signal.removeEventListener('abort', abort)
  }
}

/**
 * Keeps the end of a name, as long as file systems allow. It never begins with a dot: the report of rejected rows does.
 */
function nameOnDisk(fileName: string): string {
  const signs = [...fileName.replace(/^\.+/, '_')]
  while (Buffer.byteLength(signs.join('')) > nameBytesMax) signs.shift()
  return signs.join('').replace(/^\.+/, '_')
}

/**
 * A refusal would repeat, so the job fails; other failures are retried. The message must not show the server's folder.
 */
function toFailure(
  { message, isRefusal }: { message: string; isRefusal: boolean },
  folder: string,
  inserted: number,
): Error {
  const said = message.replaceAll(`${folder}/`, '').replaceAll(/\s*\n\s*/g, ' ')
  const kept = inserted > 0 ? ` The first ${inserted} rows are imported and stay.` : ''
  return isRefusal
    ? new JobFailure(said + kept)
    : new Error('The import ended before the end of its file.', { cause: said })
}

/** Stores the report of rejected rows. Deletes the contents of a completely imported file. */
async function keepOutcome(
  { sql }: RunningJob,
  { fileGuid }: store.StoredUpload,
  { complete, rejectedFile }: ImportReport,
  rejectedRowsFile: string,
): Promise<void> {
  await inTransaction(sql, async (tx) => {
    const hasRejected = rejectedFile !== null
    for (const [kind, path] of [
      ['rejected', rejectedFile ?? ''],
      ['rejected-rows', rejectedRowsFile],
    ] as const) {
      await store.deleteParts(tx, fileGuid, kind)
      let number = 0
      if (hasRejected)
        for await (const content of readBlocks(path))
          await store.insertPart(tx, fileGuid, { kind, number: number++, content })
    }
    if (complete) await store.deleteParts(tx, fileGuid, 'content')
    await store.markImported(tx, fileGuid, { complete, hasRejected })
  })
}

async function* readBlocks(path: string): AsyncGenerator<Buffer> {
  const file = await open(path)
  try {
    for (;;) {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(partBytes), 0, partBytes)
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}

const countResult = (
  { fileGuid, fileName, what }: store.StoredUpload,
  {
    complete,
    rows,
    inserted,
    withheld,
    barred,
    firstBarred,
    alreadyThere,
    rejected,
    withoutReference,
  }: ImportReport,
): JobResult => ({
  fileGuid,
  fileName,
  what,
  complete,
  rows,
  inserted,
  alreadyThere,
  rejected,
  withoutReference,
  ...(withheld > 0 && { withheld }),
  ...(barred > 0 && { barred, firstBarred }),
})

const toResult = (upload: store.StoredUpload, report: ImportReport): JobResult => ({
  ...countResult(upload, report),
  ...(report.rejected > 0 && { rejectedRows: `/system/files/${upload.fileGuid}/rejected` }),
})
