import * as contract from '../../../contract/collection/documents.ts'
import { languages } from '../../../contract/platform/languages.ts'
import { requireDebtor } from '../../parties/debtors/debtor-lock.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { done, invalid, notFound } from '../../platform/http/errors.ts'
import { serve } from '../../access/serve/route.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import { findDocument, listDocuments } from './documents.store.ts'
import { removeDocument } from './delete-letter.ts'
import { readPdf, writeLetter } from './write-letter.ts'

export function serveDocuments(service: ServerContext): void {
  const { clock, totals } = service

  serve(service, contract.createStatement, async ({ db, caller, params: { debtorGuid }, body, origin }) => {
    const request = { debtorGuid, caseGuid: null, kind: 'statement', dueDate: null } as const
    const language = readLanguage(body.language)
    const documentGuid = await writeLetter(db, caller, { ...request, language }, origin)
    const made = await findDocument(db, caller, documentGuid)
    return { body: made!, location: `/documents/${documentGuid}` }
  })

  serve(service, contract.listDocuments, async ({ db, caller, params, query }) => {
    const debtor = await requireDebtor(db, caller, params.debtorGuid)
    return { body: await listDocuments(db, caller, debtor, query, { totals, today: clock.today() }) }
  })

  serve(service, contract.deleteDocument, async ({ db, caller, params, origin, path }) => {
    const found = await findDocument(db, caller, params.documentGuid)
    if (!found) throw notFound('document')
    await inTransaction(db, (tx) => removeDocument(tx, caller, found, origin))
    return { body: done('The document is deleted.', path) }
  })

  serve(service, contract.getDocument, async ({ db, caller, params: { documentGuid } }) => {
    if (!(await findDocument(db, caller, documentGuid))) throw notFound('document')
    return { body: await readPdf(db, documentGuid) }
  })
}

function readLanguage(given: string | null | undefined) {
  if (!given) return null
  const found = languages.find((language) => language === given.toLowerCase())
  if (found) return found
  throw invalid({
    language: [`must be one of ${languages.join(', ')}, or left out for the debtor’s language.`],
  })
}
