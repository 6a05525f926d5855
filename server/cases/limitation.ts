/** What interrupts the time after which a claim can no longer be enforced (core/limitation.ts). */
import type { InterruptionInput } from '../../contract/case-inputs.ts'
import { interruptions, limitationOf, type InterruptionEvent } from '../../core/limitation.ts'
import { makeId } from '../database/make-id.ts'
import { inTransaction, type Db } from '../database/transaction.ts'
import type { Caller } from '../http/caller.ts'
import { MemberChecks } from '../http/errors.ts'
import { readChoice, readDate } from './case-inputs.rules.ts'
import { lockCase, updateCase, type CaseContext } from './case-lock.ts'
import type { CaseChange } from './case-status.ts'
import { findClientTerms } from './client-terms.ts'
import { countryOfCurrency } from './payment-reference.rules.ts'

/** Notes an interruption, and returns the date on which the claim then becomes time-barred. */
export async function interruptLimitation(
  db: Db,
  caller: Caller,
  { caseGuid, input }: CaseChange<InterruptionInput>,
  context: CaseContext,
): Promise<{ interruptionGuid: string; limitationDate: string | null }> {
  const checks = new MemberChecks()
  const kind = readChoice(input.interruption, 'interruption', interruptions, checks)
  if (!input.interruption) checks.add('interruption', `is required: one of ${interruptions.join(', ')}.`)
  const today = context.origin.businessDate
  const date = readDate(input.interruptedDate, 'interruptedDate', checks) ?? today
  if (date > today) checks.add('interruptedDate', `must not be after the system date, ${today}.`)
  checks.throwIfAny()
  return inTransaction(db, async (tx) => {
    const row = await lockCase(tx, caller, caseGuid, context)
    const terms = await findClientTerms(tx, row.clientGuid)
    const country = terms?.countryCode ?? countryOfCurrency(row.currencyCode)
    const [claim] = await tx<{ dueDate: string | null }[]>`
      select min(due_date) as "dueDate" from invoice where case_id = ${caseGuid}`
    const before = await tx<InterruptionEvent[]>`
      select kind, interrupted_date as date from limitation_interruption where case_id = ${caseGuid}`
    const dueDate = claim!.dueDate ?? row.registrationDate
    const limitation = limitationOf(country, 'general', dueDate, [...before, { kind: kind!, date }])
    const limitationDate = limitation?.date ?? null
    const interruptionGuid = makeId()
    await tx`
      insert into limitation_interruption (id, case_id, interrupted_date, kind)
      values (${interruptionGuid}, ${caseGuid}, ${date}, ${kind!})`
    const note = {
      type: 'case.limitation_interrupted',
      entityId: caseGuid,
      data: { interruption: kind, date },
      changes: { limitationDate: [row.limitationDate, limitationDate] as [string | null, string | null] },
    }
    await updateCase(tx, row, { columns: { limitation_date: limitationDate }, notes: [note] }, context.origin)
    return { interruptionGuid, limitationDate }
  })
}
