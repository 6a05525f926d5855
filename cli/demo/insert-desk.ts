/** What stands on a desk after some weeks: letters that have left, promises kept and broken, a decided objection, files. */
import { addDays } from '../../core/calendar/calendar.ts'
import {
  answerObjection,
  decideObjection,
  recordObjection,
} from '../../server/cases/objections/objections.changes.ts'
import { sendLetter } from '../../server/collection/letters/send-letter.ts'
import {
  addAttachment,
  changeAttachment,
  type AttachmentItem,
} from '../../server/metadata/attachments/attachments.changes.ts'
import { addNote } from '../../server/metadata/search/notes.changes.ts'
import { registerPayment } from '../../server/payments/payments.ts'
import type { Db } from '../../server/platform/database/transaction.ts'
import type { Caller, Origin } from '../../server/platform/http/caller.ts'
import { ApiError } from '../../server/platform/http/errors.ts'
import { logCall } from '../../server/work/calls.changes.ts'
import { demoCaller } from './insert-cases.ts'
import { makeSmallPdf } from './small-pdf.ts'

interface Desk {
  db: Db
  caller: Caller
  origin: Origin
}

interface DeskCase {
  caseGuid: string
  debtorGuid: string
  caseNumber: string
}

/** On the open cases of which most is paid. Returns how many there were. */
export async function insertDemoDesk(db: Db, given: Origin): Promise<number> {
  const [handler] = await db<{ id: string }[]>`select id from app_user where email = 'handler@demo.example'`
  const cases = await db<DeskCase[]>`
    select id as "caseGuid", main_debtor_id as "debtorGuid", case_number as "caseNumber" from debt_case
    where closure_date is null and currency_code = 'SEK' and paid_principal + paid_interest + paid_fee > 0
      and remaining_principal > 100000
    order by paid_principal + paid_interest + paid_fee desc, case_number limit 4`
  const [kept, broken, disputed] = cases
  if (!handler || !kept || !broken || !disputed) return 0
  const caller = { ...demoCaller, userId: handler.id }
  const desk = { db, caller, origin: { ...given, actorId: handler.id } }
  for (const [place, one] of cases.entries()) await sendDemoLetter(desk, one, 24 - 5 * place)
  const callGuid = await promise(desk, kept, { amount: 450, paid: true })
  await promise(desk, broken, { amount: 600, paid: false })
  await decideDemoObjection(desk, disputed)
  await attachDemoFiles(desk, kept, callGuid)
  return cases.length
}

/** Left some days ago. Where the law lets no demand be sent, there is none. */
async function sendDemoLetter({ db, caller, origin }: Desk, one: DeskCase, daysAgo: number): Promise<void> {
  const { caseGuid, debtorGuid } = one
  const businessDate = addDays(origin.businessDate, -daysAgo)
  const input = { caseGuid, kind: 'demand', channel: 'letter', dueDate: addDays(businessDate, 20) }
  try {
    const documentGuid = await sendLetter(db, caller, { debtorGuid, input }, { ...origin, businessDate })
    await db`
      update message set sent_at = now(), body = null, held_reason = null, held_until = null
      where document_id = ${documentGuid}`
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
}

/** A call three weeks ago with a promise for last week. Returns the call's GUID. */
async function promise(
  { db, caller, origin }: Desk,
  { caseGuid }: DeskCase,
  { amount, paid }: { amount: number; paid: boolean },
): Promise<string> {
  const [called, until] = [addDays(origin.businessDate, -21), addDays(origin.businessDate, -8)]
  const call = {
    outcome: 'REACHED',
    rightParty: true,
    text: paid ? 'Pays a part after the salary.' : 'Expects money from the insurance.',
    promisedAmount: amount,
    promisedDate: `${until}T00:00:00Z`,
  } as const
  const then = { ...origin, businessDate: called }
  const callGuid = await logCall(db, caller, { caseGuid, input: call }, then)
  await db`update phone_call set created_at = ${`${called}T09:40:00Z`} where id = ${callGuid}`
  if (paid) {
    const payment = { caseGuid, amount, valueDate: `${addDays(until, -2)}T00:00:00Z` }
    await registerPayment(db, caller, payment, { origin })
  }
  return callGuid
}

async function decideDemoObjection({ db, caller, origin }: Desk, { caseGuid }: DeskCase): Promise<void> {
  const input = {
    matter: 'OBJECTION',
    kind: 'WRONG_AMOUNT',
    reason: 'Says that the invoice is for more hours than were ordered.',
    evidence: 'The order, sent by e-mail.',
    receivedDate: addDays(origin.businessDate, -18),
  } as const
  const objectionGuid = await recordObjection(db, caller, { caseGuid, input }, { origin })
  const at = { objectionGuid, ifMatch: undefined }
  const answered = {
    answer: 'The order and the invoice name the same hours.',
    answeredDate: addDays(origin.businessDate, -6),
  }
  await answerObjection(db, caller, { ...at, input: answered }, { origin })
  const ruling = { decision: 'REJECTED', decisionReason: 'The order says 40 hours, and so does the invoice.' }
  await decideObjection(db, caller, { ...at, input: ruling }, { origin })
}

async function attachDemoFiles(desk: Desk, { caseGuid, debtorGuid, caseNumber }: DeskCase, callGuid: string) {
  const ofCase: AttachmentItem = { guid: caseGuid, type: 1 }
  const agreement = ['Agreement', '', `Case ${caseNumber}`, 'I pay 450 SEK after the salary of this month.']
  await attach(desk, ofCase, { name: 'Signed agreement.pdf', lines: agreement, shownToClient: true })
  const payslip = await attach(desk, ofCase, {
    name: 'Payslip.pdf',
    lines: ['Payslip', '', 'Net: 21,400 SEK'],
    draft: true,
  })
  await changeAttachment(desk.db, desk.caller, { guid: payslip, input: { callGuid } }, desk.origin)
  const text = 'Sent a receipt of the rent, and asks for another day of the month.'
  const { noteGuid } = await addNote(
    desk.db,
    desk.caller,
    { itemGuid: caseGuid, input: { text } },
    desk.origin,
  )
  const receipt = await attach(desk, ofCase, {
    name: 'Receipt of the rent.pdf',
    lines: ['Receipt', '', 'Rent: 7,850 SEK'],
    draft: true,
  })
  await changeAttachment(desk.db, desk.caller, { guid: receipt, input: { noteGuid } }, desk.origin)
  const ofDebtor: AttachmentItem = { guid: debtorGuid, type: 3 }
  await attach(desk, ofDebtor, { name: 'Power of attorney.pdf', lines: ['Power of attorney'] })
  const then = addDays(desk.origin.businessDate, -20)
  await desk.db`update attachment set created_at = ${`${then}T10:05:00Z`}`
  await desk.db`update note set created_at = ${`${then}T10:05:00Z`} where id = ${noteGuid}`
}

interface DemoFile {
  name: string
  lines: readonly string[]
  shownToClient?: boolean
  draft?: boolean
}

function attach(
  { db, caller, origin }: Desk,
  item: AttachmentItem,
  { name, lines, shownToClient = false, draft = false }: DemoFile,
): Promise<string> {
  const file = { name, mediaType: 'application/pdf', content: makeSmallPdf(lines), shownToClient, draft }
  return addAttachment(db, caller, { item, file }, origin)
}
