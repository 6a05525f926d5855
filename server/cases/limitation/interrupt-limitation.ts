/** Records events that interrupt the limitation period (core/limitation/limitation.ts). */
import type { InterruptionInput } from '../../../contract/cases/case-inputs.ts'
import { interruptions as kinds } from '../../../core/limitation/limitation.ts'
import { fillPlaceholders } from '../../../core/text/fill-in.ts'
import { texts } from '../../../core/text/texts.ts'
import { makeId } from '../../platform/database/make-id.ts'
import type { Reader } from '../../platform/dictionary/reader.ts'
import { inTransaction, type Db } from '../../platform/database/transaction.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { FieldErrors } from '../../platform/http/errors.ts'
import { findBookedCase } from '../../ledger/booked-case.ts'
import { readChoice, readDate } from '../../claims/case-inputs.rules.ts'
import { lockCase, updateCase, type CaseChangeNote, type CaseContext } from '../../claims/case-lock.ts'
import type { CaseChange } from '../case-status.ts'
import { limitationColumns } from '../../claims/limitation.rules.ts'

/** Records an interruption. Returns the new limitation date. */
export async function interruptLimitation(
  db: Db,
  caller: Caller,
  { caseGuid, input }: CaseChange<InterruptionInput>,
  context: CaseContext,
): Promise<{ interruptionGuid: string; limitationDate: string | null }> {
  const checks = new FieldErrors(caller.language)
  const kind = readChoice(input.interruption, 'interruption', kinds, checks)
  if (!input.interruption) checks.add('interruption', `is required: choose one of ${kinds.join(', ')}.`)
  const today = context.origin.businessDate
  const date = readDate(input.interruptedDate, 'interruptedDate', checks) ?? today
  if (date > today)
    checks.add('interruptedDate', `must not be after the business date, ${checks.day(today)}.`)
  const inWriting = input.inWriting === true
  if (inWriting && kind !== null && kind !== 'ACKNOWLEDGEMENT')
    checks.add('inWriting', 'is of an acknowledgement alone. Leave it out.')
  checks.throwIfAny()
  return inTransaction(db, async (tx) => {
    const row = await lockCase(tx, caller, caseGuid, context)
    const { limitation, input: booked } = await findBookedCase(tx, row)
    const interruptions = [...limitation.interruptions, { kind: kind!, date, inWriting }]
    const columns = limitationColumns({ ...limitation, interruptions }, booked)
    const limitationDate = columns.limitation_date
    const interruptionGuid = makeId()
    await tx`
      insert into limitation_interruption (id, case_id, interrupted_date, kind, in_writing)
      values (${interruptionGuid}, ${caseGuid}, ${date}, ${kind!}, ${inWriting})`
    const note: CaseChangeNote = {
      type: 'case.limitation_interrupted',
      entityId: caseGuid,
      data: { interruption: kind, date },
      changes: {
        limitationDate: [row.limitationDate, limitationDate],
        ...(inWriting && { inWriting: [null, true] }),
      },
    }
    await updateCase(tx, row, { columns, notes: [note] }, context.origin)
    return { interruptionGuid, limitationDate }
  })
}

/** The warning that a claim is barred, for its reader. */
export const describeBarred = (date: string, { language, formats }: Reader): string =>
  fillPlaceholders(texts[language].law.barredSince, { date: formats.day(date) })
