import * as contract from '../../../contract/collection/letters.ts'
import type { Language } from '../../../contract/platform/languages.ts'
import { serve } from '../../access/serve/route.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import { requireDebtor } from '../../parties/debtors/debtor-lock.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { done, notFound } from '../../platform/http/errors.ts'
import { withdrawLetter } from './delete-letter.ts'
import { findDocument, findLetter } from './documents.store.ts'
import { findLetterOptions } from './letter-options.ts'
import { previewLetter, sendLetter, showLetter } from './send-letter.ts'

export function serveLetters(service: ServerContext): void {
  const { clock } = service

  serve(service, contract.getLetterOptions, async ({ db, caller, params: { debtorGuid }, query }) => {
    await requireDebtor(db, caller, debtorGuid)
    const planGuid = query.paymentPlanGuid?.toLowerCase() ?? null
    const caseGuid = planGuid === null ? (query.caseGuid?.toLowerCase() ?? null) : null
    const objectionGuid = query.objectionGuid?.toLowerCase() ?? null
    const asked = { debtorGuid, caseGuid, planGuid, objectionGuid }
    return { body: await findLetterOptions(db, caller, asked, clock.today()) }
  })

  serve(
    service,
    contract.previewLetter,
    async ({ db, caller, params: { debtorGuid }, body: input, origin }) => ({
      body: await previewLetter(db, caller, { debtorGuid, input }, origin),
    }),
  )

  serve(service, contract.sendLetter, async ({ db, caller, params: { debtorGuid }, body: input, origin }) => {
    const documentGuid = await sendLetter(db, caller, { debtorGuid, input }, origin)
    const made = await findDocument(db, caller, documentGuid)
    return { body: made!, location: `/documents/${documentGuid}` }
  })

  serve(service, contract.getDocumentImage, async ({ db, caller, params: { documentGuid } }) => {
    const found = await findDocument(db, caller, documentGuid)
    if (!found) throw notFound('document')
    const { data } = await findLetter(db, documentGuid)
    const language = found.languageCode as Language
    return { body: await showLetter(db, { data, language }, found.channel) }
  })

  serve(service, contract.withdrawLetter, async ({ db, caller, params, origin, path }) => {
    const found = await findDocument(db, caller, params.documentGuid)
    if (!found) throw notFound('document')
    await inTransaction(db, (tx) => withdrawLetter(tx, caller, found, origin))
    return { body: done('The letter is withdrawn.', path) }
  })
}
