import * as contract from '../../../../contract/integration/inspections.ts'
import { importedKinds } from '../../../../contract/integration/imported-kinds.ts'
import { workbookType } from '../../../../core/spreadsheet/workbook.ts'
import { serve } from '../../../access/serve/route.ts'
import type { ServerContext } from '../../../access/serve/server-context.ts'
import { toApiError } from '../../../platform/http/app.ts'
import { ApiError, invalid } from '../../../platform/http/errors.ts'
import { mayImport } from '../import-rights.ts'
import { ImportRefused } from '../reading/import-refused.ts'
import { inspectUpload } from './inspect-upload.ts'
import { templateHeadings, writeCsvTemplate, writeWorkbookTemplate } from './template.ts'

export function serveInspections(service: ServerContext): void {
  void service.app.register((app, _options, ready) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser(
      'application/octet-stream',
      { parseAs: 'buffer', bodyLimit: contract.inspectedBytesMax },
      (_request, body, parsed) => parsed(null, body),
    )
    app.setErrorHandler((error) => {
      throw rewordFileError(error)
    })
    serveInspection({ ...service, app })
    ready()
  })

  serve(service, contract.getImportTemplate, async ({ caller, params: { what }, query: { format } }) => {
    const { language } = caller
    const body = { what, headings: templateHeadings(what, language) }
    if (format === 'csv')
      return {
        body,
        file: { type: 'text/csv', bytes: writeCsvTemplate(what, language), name: `${what}.csv` },
      }
    if (format !== 'xlsx') return { body }
    return {
      body,
      file: { type: workbookType, bytes: await writeWorkbookTemplate(what, language), name: `${what}.xlsx` },
    }
  })
}

function serveInspection(service: ServerContext): void {
  const { clock, settings } = service
  serve(service, contract.inspectFile, async ({ db, caller, query, body }) => {
    if (body.length === 0) throw invalid({ '': ['must not be empty: send the contents of the file.'] })
    const kinds = importedKinds.filter((what) => mayImport(caller, what))
    const context = {
      today: clock.today(),
      countryCode: settings.FORDRA_COUNTRY,
      language: caller.language,
      kinds,
    }
    try {
      return { body: await inspectUpload(db, body, query, context) }
    } catch (error) {
      if (error instanceof ImportRefused) throw invalid({ '': [error.message] })
      throw error
    }
  })
}

function rewordFileError(error: unknown): unknown {
  const { kind } = toApiError(error)
  if (kind === 'unsupported-media-type')
    return new ApiError(kind, 'Send the file as Content-Type: application/octet-stream.')
  if (kind === 'payload-too-large')
    return new ApiError(
      kind,
      `At most ${contract.inspectedBytesMax / 1_048_576} MiB are inspected. Send the beginning of the file, and save a larger workbook as CSV.`,
    )
  return error
}
