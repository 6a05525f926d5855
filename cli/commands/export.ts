/** Exports records to a file or standard output, with or without a running server. */
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import type { Sql } from '../../server/platform/database/driver/pool.ts'
import type { Settings } from '../../server/platform/config.ts'
import { asyncApiDocument } from '../../contract/asyncapi/asyncapi.ts'
import { openApiDocument } from '../../contract/openapi/openapi.ts'
import { withServices } from '../../contract/openapi/openapi-services.ts'
import { withCustomFields } from '../../contract/openapi/openapi-custom-fields.ts'
import { openConfigured } from '../../server/main.ts'
import { csvCell } from '../../server/integration/exports/csv-cell.ts'
import { exportNames, requireExport, type ExportName } from '../../server/integration/exports/export-kinds.ts'
import { CustomFields } from '../../server/platform/dictionary/custom-fields.ts'
import { customProperties } from '../../server/platform/dictionary/custom-properties.ts'
import { openOutbound } from '../../server/platform/outbound/post.ts'
import { loadServices, shippedServices } from '../../server/integration/services/load-services.ts'
import { version } from '../../server/platform/version.ts'
import { actingAs, readBusinessDate } from './acting-user.ts'
import { startProgressBar } from '../progress-bar.ts'
import { loadSettings, report } from '../settings.ts'

export interface ExportOptions {
  out?: string
  format?: string
  filter?: string
  orderby?: string
  as?: string
  delimiter?: string
  excel?: boolean
  url?: string
  json?: boolean
  forImport?: boolean
}

const isRecords = (what: string): what is ExportName => (exportNames as readonly string[]).includes(what)

export async function runExport(what: string, options: ExportOptions): Promise<void> {
  if (options.forImport) return (await import('./export-for-import.ts')).runExportForImport(what, options)
  if (what === 'all')
    throw new Error("'all' is exported for import: fordra export all --for-import --out FOLDER.")
  if (what === 'asyncapi') return writeTo(options.out, (out) => writeEvents(out, options.url))
  if (!isRecords(what) && what !== 'openapi')
    throw new Error(
      `'${what}' cannot be exported. What can is ${[...exportNames, 'openapi', 'asyncapi'].join(', ')}.`,
    )
  const format = readFormat(options)
  const settings = loadSettings()
  const database = await openConfigured(settings, report, { beside: true, existing: isRecords(what) })
  try {
    if (!isRecords(what))
      return await writeTo(options.out, (out) =>
        writeDocument(out, { sql: database.sql, settings, url: options.url }),
      )
    const caller = await actingAs(database.sql, options.as)
    const kind = requireExport(caller, what)
    const customFields =
      kind.customFields &&
      customProperties(await new CustomFields(database.sql).of(kind.customFields[0]), kind.customFields[1])
    const context = {
      today: await readBusinessDate(database.sql, settings),
      ...(customFields && { customFields }),
    }
    const query = { $filter: options.filter ?? '', $orderby: options.orderby ?? '' }
    const started = performance.now()
    let rows = 0
    const progress = startCount(options)
    const work = async (out: Writable) => {
      const write = createWriter(out, format)
      rows = await kind.stream(
        database.sql,
        caller,
        query,
        { ...context, ...progress.wanted },
        async (some) => {
          await write(some)
          progress.add(some.length)
        },
      )
    }
    await writeTo(options.out, work).finally(progress.end)
    const seconds = Math.round(performance.now() - started) / 1000
    if (options.json)
      process.stderr.write(`${JSON.stringify({ what, rows, seconds, out: options.out ?? null })}\n`)
    else report(`${rows} ${what} written${options.out === undefined ? '' : ` to ${options.out}`}.`)
  } finally {
    await database.close()
  }
}

/** Progress on a terminal, for which the rows are counted first. The records may go to the same terminal. */
function startCount({ out, json }: ExportOptions) {
  const isShown = process.stderr.isTTY && out !== undefined && !json
  const bar = startProgressBar(process.stderr, isShown)
  let [count, total] = [0, 0]
  return {
    wanted: isShown ? { onTotal: (rows: number) => void (total = rows) } : {},
    add: (rows: number): void => {
      count += rows
      bar.show(count / total, `${count} of ${total} rows`)
    },
    end: bar.end,
  }
}

interface Format {
  isCsv: boolean
  delimiter: string
  /** A byte order mark, by which Excel recognises UTF-8. */
  mark: string
}

function readFormat({ format, out, delimiter, excel }: ExportOptions): Format {
  const named = format ?? (out !== undefined && /\.(ndjson|jsonl)$/.test(out) ? 'ndjson' : 'csv')
  if (named !== 'csv' && named !== 'ndjson')
    throw new Error(`'${named}' is no format of an export. Use csv or ndjson.`)
  const sign = delimiter === 'tab' ? '\t' : (delimiter ?? (excel ? ';' : ','))
  if (![',', ';', '|', '\t'].includes(sign))
    throw new Error(`'${sign}' is no delimiter of CSV. Use ',', ';', '|' or tab.`)
  return { isCsv: named === 'csv', delimiter: sign, mark: excel ? '\uFEFF' : '' }
}

/** Writes rows as they arrive, and waits while the receiver is busy. */
function createWriter(out: Writable, { isCsv, delimiter, mark }: Format) {
  let names: string[] | undefined
  return async (rows: Record<string, unknown>[]): Promise<void> => {
    const lines = isCsv ? [] : rows.map((row) => JSON.stringify(row))
    if (isCsv && rows.length > 0) {
      if (!names) {
        names = Object.keys(rows[0]!)
        lines.push(mark + names.join(delimiter))
      }
      for (const row of rows) lines.push(names.map((name) => csvCell(row[name], delimiter)).join(delimiter))
    }
    if (lines.length > 0 && !out.write(`${lines.join('\n')}\n`)) await once(out, 'drain')
  }
}

/** A file gets its name when complete. A reader that closes early (`| head`) ends the export without an error. */
async function writeTo(file: string | undefined, work: (out: Writable) => Promise<void>): Promise<void> {
  if (file === undefined) {
    process.stdout.once('error', (error: NodeJS.ErrnoException) =>
      process.exit(error.code === 'EPIPE' ? 0 : 1),
    )
    return work(process.stdout)
  }
  const part = `${file}.part`
  const out = createWriteStream(part, { mode: 0o600 })
  const broken = once(out, 'error').then(([error]) => Promise.reject(error as Error))
  try {
    await Promise.race([once(out, 'open'), broken])
    await Promise.race([work(out), broken])
    out.end()
    await Promise.race([once(out, 'close'), broken])
    await rename(part, file)
  } catch (error) {
    broken.catch(() => {})
    out.destroy()
    await rm(part, { force: true })
    throw error
  }
}

const localUrl = 'http://127.0.0.1:3000'

/** The document of the events, which is the same in every installation. */
async function writeEvents(out: Writable, serverUrl = localUrl): Promise<void> {
  out.write(`${JSON.stringify(asyncApiDocument({ version, serverUrl }), null, 2)}\n`)
}

async function writeDocument(
  out: Writable,
  { sql, settings, url = localUrl }: { sql: Sql; settings: Settings; url: string | undefined },
): Promise<void> {
  const own = await new CustomFields(sql).schemas()
  const outbound = openOutbound({ allowPrivate: settings.FORDRA_PRIVATE_TARGETS === 1 })
  const services = await loadServices(settings.FORDRA_SERVICES ?? shippedServices, outbound)
  outbound.close()
  const document = withCustomFields(withServices(openApiDocument({ version, serverUrl: url }), services), own)
  out.write(`${JSON.stringify(document, null, 2)}\n`)
}
