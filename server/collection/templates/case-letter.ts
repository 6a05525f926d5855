/** The letter about a real case, to try a template on. Nothing is stored or sent. */
import type { TemplateKind } from '../../../contract/collection/documents.ts'
import type { Language } from '../../../contract/platform/languages.ts'
import { addDays } from '../../../core/calendar/calendar.ts'
import { requireCase } from '../../cases/all-cases.store.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/errors.ts'
import type { LetterData } from '../letters/letter-data.ts'
import { buildDocument, readMatter } from '../letters/write-letter.ts'

interface CaseLetter {
  caseGuid: string
  kind: TemplateKind
  language: Language
  origin: Origin
}

/** Throws a 403 or 404 for a case that the caller may not see, and a 422 for one about which there is no such letter. */
export async function composeCaseLetter(
  db: Db,
  caller: Caller,
  { caseGuid, kind, language, origin }: CaseLetter,
): Promise<LetterData> {
  if (!caller.accessCodes.has('case.read') || !caller.accessCodes.has('debtor.read'))
    throw new ApiError('forbidden', 'A preview with a case needs the access codes case.read and debtor.read.')
  const { mainDebtorGuid: debtorGuid } = await requireCase(db, caller, caseGuid)
  if (kind === 'plan')
    throw new ApiError(
      'unprocessable',
      'A letter about a payment plan has an invented case in the preview. Leave out caseGuid.',
    )
  const request = {
    debtorGuid,
    caseGuid,
    kind,
    language,
    dueDate: kind === 'statement' || kind === 'surveillance' ? null : addDays(origin.businessDate, 14),
  }
  const matter = await readMatter(db, caller, request, null)
  const { data } = buildDocument('', request, { ...matter, chooseTemplate: () => '', origin })
  if (data.template === undefined)
    throw new ApiError(
      'unprocessable',
      'Nothing is owed on this case. Such a letter has the shipped text: choose a case on which something is owed.',
    )
  return data
}
