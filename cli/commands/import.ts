import { basename } from 'node:path'
import { importedKinds, type ImportedKind } from '../../contract/integration/imported-kinds.ts'
import type { ImportReport, ImportRequest } from '../../server/integration/imports/import-file.ts'
import { checkFilling } from '../../server/integration/imports/row-filler.ts'
import { ImportRefused } from '../../server/integration/imports/reading/import-refused.ts'
import { runImportThread } from '../../server/integration/imports/import-thread.ts'
import {
  encodings,
  inspectFile,
  type Encoding,
} from '../../server/integration/imports/reading/inspect-file.ts'
import { startImportProgress } from './import-progress.ts'
import { besideModule } from '../../server/platform/beside-module.ts'
import { importable } from '../program-help.ts'

export interface ImportOptions {
  map?: string[]
  source?: string
  allowDuplicates?: boolean
  client?: string
  country?: string
  rejected?: string
  delimiter?: string
  encoding?: string
  json?: boolean
}

const worker = besideModule('import-worker', import.meta.url)
const [someRejected, interrupted] = [3, 130]
const isKind = (what: string): what is ImportedKind => (importedKinds as readonly string[]).includes(what)

/** Sets the exit code: 0 when every row is imported, 3 when some were rejected, 130 when interrupted. */
export async function runImport(what: string, file: string, options: ImportOptions): Promise<void> {
  if (!isKind(what)) {
    throw new ImportRefused(`'${what}' cannot be imported. What can is ${importable.join(', ')}.`)
  }
  if (what !== 'debtors' && options.allowDuplicates === true) {
    throw new ImportRefused(
      '--allow-duplicates goes with debtors alone: only an identity number may be there twice.',
    )
  }
  const request = readRequest(file, options)
  checkFilling(what, request)
  // Before a database is looked for, or even made.
  await inspectFile(file, { encoding: request.encoding })
  const stop = listenForStop()
  const progress = startImportProgress(process.stderr)
  let started = performance.now()
  try {
    let began = false
    const { result, failure } = await runImportThread(worker, { what, request }, stop.signal, (message) => {
      if (message.isOpen) [began, started] = [true, performance.now()]
      if (message.progress) progress.show(message.progress)
    })
    progress.end()
    if (!result) throw describeFailure(what, failure!, began ? progress.inserted() : null)
    printReport(file, result, { seconds: (performance.now() - started) / 1000, json: options.json === true })
    if (!result.complete) process.exitCode = interrupted
    else if (result.rejected > 0) process.exitCode = someRejected
  } finally {
    stop.end()
  }
}

const delimiterNames: Record<string, string> = { ',': ',', ';': ';', '|': '|', '\t': '\t', tab: '\t' }
const encodingNames: Record<string, Encoding> = {
  ...(Object.fromEntries(encodings.map((name) => [name, name])) as Record<Encoding, Encoding>),
  'utf-16': 'utf-16le',
  utf16: 'utf-16le',
  latin9: 'iso-8859-15',
  utf8: 'utf-8',
  cp1252: 'windows-1252',
  latin1: 'windows-1252',
  'iso-8859-1': 'windows-1252',
}

function readRequest(file: string, options: ImportOptions): ImportRequest {
  const delimiter = options.delimiter === undefined ? undefined : delimiterNames[options.delimiter]
  if (options.delimiter !== undefined && delimiter === undefined) {
    throw new ImportRefused(`'${options.delimiter}' is no delimiter of CSV. Use ',', ';', '|' or tab.`)
  }
  const encoding = encodingNames[(options.encoding ?? 'utf-8').toLowerCase()]
  if (encoding === undefined) {
    throw new ImportRefused(
      `'${options.encoding}' is no encoding this command reads. Use one of ${encodings.join(', ')}.`,
    )
  }
  return {
    file,
    source: options.source ?? 'import',
    mappings: options.map ?? [],
    allowDuplicates: options.allowDuplicates === true,
    rejectedFile: options.rejected ?? `${file}.rejected.csv`,
    encoding,
    ...(delimiter !== undefined && { delimiter }),
    ...(options.client !== undefined && { client: options.client }),
    ...(options.country !== undefined && { countryCode: options.country }),
  }
}

/** The first Ctrl-C or SIGTERM ends the import after the chunks in flight, the second one at once. */
function listenForStop() {
  const controller = new AbortController()
  const stop = () => {
    if (controller.signal.aborted) process.exit(interrupted)
    process.stderr.write(
      '\nStopping after the rows that are on their way. Once more stops at once; nothing gets in by halves.\n',
    )
    controller.abort()
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  return {
    signal: controller.signal,
    end: () => {
      process.off('SIGINT', stop)
      process.off('SIGTERM', stop)
    },
  }
}

function describeFailure(
  what: ImportedKind,
  failure: { message: string; isRefusal: boolean },
  /** As far as reported; null when the import did not start. */
  inserted: number | null,
): Error {
  if (failure.isRefusal || inserted === null) return new Error(failure.message)
  return new Error(
    `The import failed: ${failure.message}\nAt least ${inserted} ${what} are in and stay. Run the same command again: it goes on where this one ended.`,
  )
}

function printReport(
  file: string,
  result: ImportReport,
  { seconds, json }: { seconds: number; json: boolean },
): void {
  const rowsPerSecond = Math.round(result.rows / Math.max(seconds, 0.001))
  if (json) {
    const {
      runId,
      source,
      complete,
      rows,
      inserted,
      withheld,
      barred,
      firstBarred,
      alreadyThere,
      rejected,
      withoutReference,
      rejectedFile,
    } = result
    const counts = {
      rows,
      inserted,
      alreadyThere,
      rejected,
      withoutReference,
      ...(withheld > 0 && { withheld }),
      ...(barred > 0 && { barred, firstBarred }),
    }
    const figures = { seconds: Math.round(seconds * 1000) / 1000, rowsPerSecond }
    process.stdout.write(
      `${JSON.stringify({ runId, file, source, complete, ...counts, rejectedFile, ...figures })}\n`,
    )
    return
  }
  const lines = [
    `${basename(file)}, source '${result.source}': ${formatCount(result.rows)} rows in ${seconds.toFixed(1)} s, ${formatCount(rowsPerSecond)} rows/s`,
    `  inserted       ${formatCount(result.inserted)}`,
    ...(result.withheld === 0
      ? []
      : [`  costs withheld ${formatCount(result.withheld)}, above the ceiling of the law`]),
    ...(result.barred === 0 ? [] : [describeBarred(result)]),
    `  already there  ${formatCount(result.alreadyThere)}`,
    `  rejected       ${formatCount(result.rejected)}${result.rejectedFile === null ? '' : `, see ${result.rejectedFile}`}`,
    ...(result.withoutReference === 0 ? [] : [withoutReferenceNote(result.withoutReference)]),
    ...(result.complete
      ? []
      : ['Interrupted before the end of the file. Run the same command again: it goes on from here.']),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

const barredLinesMax = 10
function describeBarred({ barred, firstBarred }: ImportReport): string {
  const lines = firstBarred.slice(0, barredLinesMax).map(({ line }) => line)
  const more = barred > lines.length ? ' and others' : ''
  return `  time-barred    ${formatCount(barred)}, lines ${lines.join(', ')}${more}`
}

const withoutReferenceNote = (count: number) =>
  `${formatCount(count)} rows have no sourceReference and are known by what they hold: run again, the same row makes no double, a changed one does.`

const formatCount = (count: number) => count.toLocaleString('en-US')
