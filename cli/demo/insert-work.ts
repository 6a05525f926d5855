/** Writes what the demo's handlers have to do: next actions, calls, objections, and a limit for write-offs. */
import { addDays } from '../../core/calendar/calendar.ts'
import type { ObjectionInput } from '../../contract/cases/objections.ts'
import type { CallInput } from '../../contract/work/calls.ts'
import { addLimit } from '../../server/access/approvals/approval-limits.changes.ts'
import { recordObjection } from '../../server/cases/objections/objections.changes.ts'
import type { Db } from '../../server/platform/database/transaction.ts'
import type { Origin } from '../../server/platform/http/caller.ts'
import { logCall } from '../../server/work/calls.changes.ts'
import { assignCases, setNextAction } from '../../server/work/work.changes.ts'
import { demoCaller } from './insert-cases.ts'

/** Those who sign in to look at the demo. */
const handlers = ['admin@demo.example', 'handler@demo.example']

/** What is done next, and in how many days. */
const actions: [task: string, days: number][] = [
  ['Call again after work hours', 0],
  ['Ask for the new address', 0],
  ['Read the reply about the invoice', 0],
  ['Check whether the employer has answered', 1],
  ['Offer a payment plan', 3],
]

const calls: Omit<CallInput, 'promisedDate'>[] = [
  { outcome: 'REACHED', rightParty: true, text: 'Will pay on payday.', promisedAmount: 300 },
  { outcome: 'REACHED', rightParty: true, inbound: true, text: 'Asked to pay later.', promisedAmount: 500 },
]

const objections: ObjectionInput[] = [
  { matter: 'OBJECTION', kind: 'PAID', reason: 'Says that the invoice was paid to the client in spring.' },
  { matter: 'OBJECTION', kind: 'DEFECT', reason: 'The goods were sent back and never replaced.' },
  { matter: 'COMPLAINT', kind: 'CONDUCT', reason: 'Was called twice on one day.' },
]

/** Above it case handlers need a second person. */
const writeOffLimit = { act: 'WRITE_OFF', userRole: 3, currencyCode: 'SEK', amount: 500 }

/** For some of the open cases; nobody but the demo's own users gets work. Returns the number of cases. */
export async function insertDemoWork(db: Db, origin: Origin): Promise<number> {
  const users = await db<
    { id: string }[]
  >`select id from app_user where email = any(${handlers}) order by email`
  const each = actions.length + calls.length + objections.length
  const cases = await db<{ id: string }[]>`
    select id from debt_case where status in ('AMICABLE', 'NEW') and remaining_principal > 0
    order by case_number limit ${each * users.length}`
  await addLimit(db, writeOffLimit, origin)
  const guids = cases.map(({ id }) => id)
  for (const [place, { id }] of users.entries()) {
    const own = guids.slice(place * each, (place + 1) * each)
    if (own.length < each) return place * each
    await assignCases(db, demoCaller, { caseGuids: own, ownerGuid: id }, origin)
    await insertWork(db, own, origin)
  }
  return users.length * each
}

async function insertWork(db: Db, caseGuids: readonly string[], origin: Origin): Promise<void> {
  const today = origin.businessDate
  const next = caseGuids.values()
  for (const [nextAction, days] of actions) {
    const input = { nextAction, nextActionDate: addDays(today, days) }
    await setNextAction(db, demoCaller, { caseGuid: next.next().value!, input, ifMatch: undefined }, origin)
  }
  for (const [days, call] of calls.entries()) {
    const input = { ...call, promisedDate: addDays(today, days) }
    await logCall(db, demoCaller, { caseGuid: next.next().value!, input }, origin)
  }
  for (const input of objections) {
    const received = { ...input, receivedDate: addDays(today, -14) }
    await recordObjection(db, demoCaller, { caseGuid: next.next().value!, input: received }, { origin })
  }
}
