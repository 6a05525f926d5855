/** Logs a call with a debtor, with the promise and the next action that came of it. */
import type { Language } from '../../contract/platform/languages.ts'
import { callOutcomes, type CallInput } from '../../contract/work/calls.ts'
import { readChoice, readDate, readMoney } from '../claims/case-inputs.rules.ts'
import { makeId } from '../platform/database/make-id.ts'
import { inTransaction, type Db } from '../platform/database/transaction.ts'
import type { Caller, Origin } from '../platform/http/caller.ts'
import { FieldErrors } from '../platform/http/errors.ts'
import * as store from './calls.store.ts'
import { holdCases, writeHandling } from './case-handling.ts'

const unprintable = /[\p{Cc}--[\t\n\r]]/v

/** Returns the call's GUID. Throws a 400 or 404. */
export async function logCall(
  db: Db,
  caller: Caller,
  { caseGuid, input }: { caseGuid: string; input: CallInput },
  origin: Origin,
): Promise<string> {
  return inTransaction(db, async (tx) => {
    const [held] = await holdCases(tx, caller, [caseGuid])
    const { row, before } = held!
    const { followUp, ...call } = readCall(input, {
      currencyCode: row.currencyCode,
      today: origin.businessDate,
      language: caller.language,
    })
    const callGuid = makeId()
    await store.insertCall(tx, {
      id: callGuid,
      case_id: row.caseGuid,
      debtor_id: row.mainDebtorGuid,
      ...call,
      movements_before: row.movementCount,
      business_date: origin.businessDate,
      created_by: origin.actorId,
    })
    const after = { ...before, ...followUp }
    await writeHandling(tx, [{ row, before, after, action: 'call_logged', data: { callGuid } }], origin)
    return callGuid
  })
}

function readCall(
  input: CallInput,
  { currencyCode, today, language }: { currencyCode: string; today: string; language: Language },
) {
  const checks = new FieldErrors(language)
  const outcome = readChoice(input.outcome, 'outcome', callOutcomes, checks)
  if (!input.outcome?.trim()) checks.add('outcome', 'is required: say how the call ended.')
  const amount = readMoney(
    input.promisedAmount,
    'promisedAmount',
    { currency: currencyCode, least: 'above zero', required: false },
    checks,
  )
  const promisedDate = readDate(input.promisedDate, 'promisedDate', checks)
  const followUpDate = readDate(input.followUpDate, 'followUpDate', checks)
  const nextAction = input.followUp?.trim() || null
  const text = input.text?.trim() || null
  const isPromise = (input.promisedAmount ?? null) !== null || promisedDate !== null
  if (isPromise && (input.promisedAmount ?? null) === null)
    checks.add('promisedAmount', 'is required with promisedDate: say what was promised.')
  if (isPromise && promisedDate === null)
    checks.add('promisedDate', 'is required with promisedAmount: say until when.')
  if (isPromise && input.rightParty !== true)
    checks.add('rightParty', 'must be true: only the debtor can promise to pay.')
  for (const [member, date] of Object.entries({ promisedDate, followUpDate }))
    if (date !== null && date < today) checks.add(member, 'must not be before the business date.')
  if (nextAction !== null && followUpDate === null)
    checks.add('followUpDate', 'is required with followUp: say when the case shall come back.')
  if (text !== null && unprintable.test(text)) checks.add('text', 'must not have control characters.')
  checks.throwIfAny()
  return {
    inbound: input.inbound ?? false,
    outcome: outcome!,
    right_party: input.rightParty ?? false,
    text,
    shown_to_client: input.shownToClient ?? false,
    promised_amount: amount === null ? null : Number(amount),
    promised_date: promisedDate,
    followUp: followUpDate === null ? {} : { nextAction, nextActionDate: followUpDate },
  }
}
