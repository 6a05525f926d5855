/** What a bulk action would send: letters, debtors, and why others are refused. */
import {
  foreseenCasesMax,
  type BulkLetters,
  type BulkLettersInput,
} from '../../../contract/work/bulk-letters.ts'
import { foreseeLetter } from '../../collection/letters/send-letter.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { toApiError } from '../../platform/http/app.ts'
import type { BulkContext } from './bulk-actions.changes.ts'
import { listMatchingCases } from './bulk-actions.store.ts'
import { requireBulkInput } from './bulk-inputs.rules.ts'
import { matchBulkRows } from './bulk-lists.ts'
import { describeReason } from './describe-reason.ts'

/** Asks case by case, as the run does. Throws a 400 or 403. */
export async function foreseeLetters(
  db: Db,
  { caller, origin, customFields }: BulkContext,
  { filter = null, caseGuids, ...letter }: BulkLettersInput,
): Promise<BulkLetters> {
  const asked = { list: 'cases', action: 'letter', filter, expected: 1, input: letter } as const
  const input = { ...letter, ...requireBulkInput(caller, asked) }
  const matching = matchBulkRows(caller, asked, {
    today: origin.businessDate,
    customFields,
    firstParameter: 3,
  })
  const rows = await listMatchingCases(db, { caseGuids: caseGuids ?? null, most: foreseenCasesMax }, matching)
  const covered = new Set<string>()
  const debtors = new Set<string>()
  const refused = new Map<string, number>()
  const together: string[] = []
  for (const { caseGuid, debtorGuid } of rows) {
    if (covered.has(caseGuid)) {
      together.push(caseGuid)
      continue
    }
    try {
      const order = { debtorGuid, input: { ...input, caseGuid } }
      for (const one of await foreseeLetter(db, caller, order, origin)) covered.add(one)
      debtors.add(debtorGuid)
    } catch (error) {
      const known = toApiError(error)
      if (known.kind === 'internal') throw error
      const reason = describeReason(known)
      refused.set(reason, (refused.get(reason) ?? 0) + 1)
    }
  }
  const counted = [...refused].map(([reason, cases]) => ({ reason, cases }))
  const left = counted.reduce((sum, { cases }) => sum + cases, 0) + together.length
  return {
    cases: rows[0]?.total ?? 0,
    examined: rows.length,
    letters: rows.length - left,
    debtors: debtors.size,
    together,
    refused: counted.toSorted((one, other) => other.cases - one.cases),
  }
}
