import * as contract from '../../../contract/collection/letter-templates.ts'
import { serve } from '../../access/serve/route.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import { findClient } from '../../parties/clients/clients.store.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { done, notFound } from '../../platform/http/errors.ts'
import { composeCaseLetter } from './case-letter.ts'
import { describeTemplate, findSample, previewTemplate } from './preview-template.ts'
import {
  changeDraft,
  createTemplate,
  publishTemplate,
  readCaseGuid,
  readPlace,
  readSource,
  removeTemplate,
  withdrawTemplate,
} from './templates.changes.ts'
import { findTemplate, findTemplateVersion, listTemplates, type FoundTemplate } from './templates.store.ts'

async function requireTemplate(db: Db, templateGuid: string): Promise<FoundTemplate> {
  const found = await findTemplate(db, templateGuid)
  if (!found) throw notFound('letter template')
  return found
}

export function serveLetterTemplates(service: ServerContext): void {
  serve(service, contract.createLetterTemplate, async ({ db, caller, body, origin }) => {
    const templateGuid = await createTemplate(db, caller, { input: body, origin })
    const { item } = await requireTemplate(db, templateGuid)
    return { body: item, location: `/lettertemplates/${templateGuid}` }
  })

  serve(service, contract.updateLetterTemplate, async ({ db, params, body, origin, ifMatch }) => {
    const { letterTemplateGuid } = params
    const version = await changeDraft(db, letterTemplateGuid, { source: body.source, origin, ifMatch })
    return { body: (await requireTemplate(db, letterTemplateGuid)).item, version }
  })

  serve(service, contract.publishLetterTemplate, async ({ db, params, body, origin }) => {
    await publishTemplate(db, params.letterTemplateGuid, { input: body, origin })
    return { body: (await requireTemplate(db, params.letterTemplateGuid)).item }
  })

  serve(service, contract.withdrawLetterTemplate, async ({ db, params, origin, path }) => {
    await withdrawTemplate(db, params.letterTemplateGuid, origin)
    return { body: done('Letters are written without the template.', path) }
  })

  serve(service, contract.deleteLetterTemplate, async ({ db, params, origin, ifMatch, path }) => {
    await removeTemplate(db, params.letterTemplateGuid, { origin, ifMatch })
    return { body: done('The template is deleted.', path) }
  })

  serveReading(service)
}

function serveReading(service: ServerContext): void {
  const { clock } = service

  serve(service, contract.listLetterTemplates, async ({ db }) => ({
    body: { value: await listTemplates(db) },
  }))

  serve(service, contract.getLetterTemplate, async ({ db, params }) => {
    const { item, version } = await requireTemplate(db, params.letterTemplateGuid)
    return { body: item, version }
  })

  serve(service, contract.getLetterTemplateVersion, async ({ db, params, query }) => {
    await requireTemplate(db, params.letterTemplateGuid)
    const found = await findTemplateVersion(db, params.letterTemplateGuid, query.number)
    if (!found) throw notFound('version of the template')
    return { body: found }
  })

  serve(service, contract.getTemplateHelp, async ({ db, caller, query }) => {
    const { kind, languageCode: language } = query
    const subject = { kind, language, clientGuid: null, today: clock.today() }
    return { body: await describeTemplate(db, subject, caller.language) }
  })

  serve(service, contract.previewLetterTemplate, async ({ db, caller, body, origin }) => {
    const place = readPlace(body)
    const caseGuid = readCaseGuid(body.caseGuid)
    if (place.clientGuid !== null && !(await findClient(db, caller, place.clientGuid)))
      throw notFound('client')
    const source = readSource(body.source)
    const sample =
      caseGuid === null
        ? await findSample(db, { ...place, today: clock.today() })
        : await composeCaseLetter(db, caller, { ...place, caseGuid, origin })
    return { body: await previewTemplate(sample, { kind: place.kind, source }) }
  })
}
