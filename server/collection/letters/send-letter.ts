/** Writes and sends the letters of a person: checked against the law and the debtor's contact permission. */
import {
  documentKinds,
  letterChannels,
  type DocumentKind,
  type LetterChannel,
} from '../../../contract/collection/documents.ts'
import type { LetterImage, LetterInput } from '../../../contract/collection/letters.ts'
import { languages } from '../../../contract/platform/languages.ts'
import { daysBetween } from '../../../core/calendar/calendar.ts'
import { fillPlaceholders } from '../../../core/text/fill-in.ts'
import { nonOwingRoles } from '../../cases/case-overview.ts'
import { readDate } from '../../claims/case-inputs.rules.ts'
import { describeRefusal } from '../../ledger/lawful-fees.ts'
import { lockDebtor, requireDebtor } from '../../parties/debtors/debtor-lock.ts'
import { makeId } from '../../platform/database/make-id.ts'
import { inTransaction, type Db } from '../../platform/database/transaction.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import { findReader } from '../../platform/dictionary/reader.ts'
import { ApiError, FieldErrors, notFound } from '../../platform/http/errors.ts'
import { queueLetter } from '../../platform/messages/messages.store.ts'
import { letterMailText } from '../../platform/messages/texts.ts'
import { findLetterAnswer } from './answer-letter.ts'
import { toPlainText, toShortText } from './compose-letter.ts'
import { insertLetterCases } from '../demands/demand-groups.store.ts'
import { findJointLetter, findReference, keepGroup, lockJointLetter } from '../demands/joint-letters.ts'
import { insertDocuments, type NewDocument } from './documents.store.ts'
import { chooseChannel, findChannels, type ChannelAnswer } from './letter-channels.ts'
import { findLetterLaw, kindsWithDeadline } from './letter-options.ts'
import { findTemplateSource } from '../templates/published-templates.ts'
import { toTemplateText } from '../templates/template-text.ts'
import { findLetterPlan } from './plan-letter.ts'
import { drawLetter } from './typeset.ts'
import { buildDocument, documentNote, readMatter, type LetterRequest } from './write-letter.ts'

interface Order {
  debtorGuid: string
  input: LetterInput
}

/** The letter as it would be written now. Throws as `sendLetter` does. */
export async function previewLetter(
  db: Db,
  caller: Caller,
  order: Order,
  origin: Origin,
): Promise<LetterImage> {
  await requireDebtor(db, caller, order.debtorGuid)
  const request = await withSubject(db, caller, readRequest(order, caller, origin))
  const joint = await findJointLetter(db, caller, request, origin.businessDate)
  const together = joint && {
    caseGuids: joint.caseGuids,
    reference: (await findReference(db, joint)) ?? unknownReference,
  }
  const { document, answer } = await draftLetter(db, caller, { ...request, together }, origin)
  return showLetter(db, document, answer.channel)
}

/** The cases of the letter as it would be sent now. Throws as `sendLetter` does. */
export async function foreseeLetter(
  db: Db,
  caller: Caller,
  order: Order,
  origin: Origin,
): Promise<readonly string[]> {
  await requireDebtor(db, caller, order.debtorGuid)
  const request = await withSubject(db, caller, readRequest(order, caller, origin))
  const joint = await findJointLetter(db, caller, request, origin.businessDate)
  const together = joint && { caseGuids: joint.caseGuids, reference: unknownReference }
  await draftLetter(db, caller, { ...request, together }, origin)
  return joint?.caseGuids ?? (request.caseGuid === null ? [] : [request.caseGuid])
}

/** A letter as text and image, to be shown in a page. */
export async function showLetter(
  db: Db,
  { language, data }: Pick<NewDocument, 'language' | 'data'>,
  channel: LetterChannel | null,
): Promise<LetterImage> {
  const source = await findTemplateSource(db, data)
  return {
    title: data.title,
    languageCode: language,
    channel,
    text: source === undefined ? toPlainText(data) : toTemplateText(source, data),
    image: channel === 'sms' ? null : await drawLetter(data, source),
  }
}

/** Stores a letter and queues its message. Returns its GUID. Throws a 400, 404 or 422. */
export async function sendLetter(db: Db, caller: Caller, order: Order, origin: Origin): Promise<string> {
  return inTransaction(db, async (tx) => {
    await requireDebtor(tx, caller, order.debtorGuid)
    const request = await withSubject(tx, caller, readRequest(order, caller, origin))
    // Cases are locked before their debtor.
    const joint = await lockJointLetter(tx, caller, request, origin.businessDate)
    const held = await lockDebtor(tx, caller, order.debtorGuid, origin)
    const together = joint && {
      caseGuids: joint.caseGuids,
      reference: await keepGroup(tx, joint, origin.businessDate),
    }
    const { document, answer } = await draftLetter(tx, caller, { ...request, together }, origin)
    const { language, data, id: documentGuid, debtorGuid } = document
    await insertDocuments(tx, [document])
    await insertLetterCases(tx, [{ documentGuid, caseGuids: joint?.caseGuids ?? [] }])
    await queueLetter(tx, {
      documentGuid,
      debtorGuid,
      language,
      channel: answer.channel,
      recipient: answer.option.recipient ?? answer.fullName,
      subject: data.title,
      body: {
        letter: null,
        email: fillPlaceholders(letterMailText(language), { sender: data.sender }),
        sms: data.before[0]!,
      }[answer.channel],
      delayMinutes: order.input.delayMinutes ?? 0,
    })
    await held.note([documentNote(document)])
    return documentGuid
  })
}

/** In a preview, where the common payment reference is only made when the letter is sent. */
const unknownReference = '…'

type Request = LetterRequest & {
  channel: LetterChannel | null
  planGuid: string | null
  objectionGuid: string | null
}

const readRequest = ({ debtorGuid, input }: Order, caller: Caller, { businessDate }: Origin): Request => ({
  debtorGuid,
  ...readInput(input, businessDate, caller),
})

/** With the plan or the objection that the letter is about, if it is about one. */
async function withSubject(db: Db, caller: Caller, request: Request): Promise<Request> {
  const { planGuid, objectionGuid } = request
  if (planGuid !== null)
    return { ...request, plan: await findLetterPlan(db, caller, { ...request, planGuid }) }
  if (objectionGuid === null) return request
  const answer = await findLetterAnswer(db, caller, objectionGuid)
  return { ...request, answer, caseGuid: answer.caseGuid }
}

interface Draft {
  document: NewDocument
  answer: ChannelAnswer
}

async function draftLetter(
  db: Db,
  caller: Caller,
  { channel, ...request }: Request,
  origin: Origin,
): Promise<Draft> {
  const date = origin.businessDate
  const { debtorGuid, caseGuid, kind } = request
  const matter = await readMatter(db, caller, request, null)
  await requireLawfulLetter(db, caller, request, { cases: matter.cases, date })
  const clientGuids = matter.cases.map(({ shown }) => shown.clientGuid)
  const answers = (await findChannels(db, { debtorGuid, caseGuid, clientGuids, date }, caller.language))(kind)
  const answer = requireChannel(answers, channel)
  const addresseeGuid = answer.addresseeGuid === debtorGuid ? null : answer.addresseeGuid
  const addressed = addresseeGuid === null ? matter : await readMatter(db, caller, request, addresseeGuid)
  const document = buildDocument(makeId(), request, { ...addressed, origin })
  return {
    answer,
    document: answer.channel === 'sms' ? { ...document, data: toShortText(document.data) } : document,
  }
}

function readInput(input: LetterInput, today: string, caller: Caller): Omit<Request, 'debtorGuid'> {
  const checks = new FieldErrors(caller.language)
  const choose = <T extends string>(member: 'kind' | 'channel' | 'languageCode', values: readonly T[]) => {
    const given = input[member]?.trim().toLowerCase()
    if (!given) return null
    const found = values.find((value) => value === given)
    if (found === undefined) checks.add(member, `must be one of ${values.join(', ')}.`)
    return found ?? null
  }
  const kind = choose('kind', documentKinds)
  const channel = choose('channel', letterChannels)
  const language = choose('languageCode', languages)
  const dueDate = readDate(input.dueDate, 'dueDate', checks)
  const caseGuid = input.caseGuid?.toLowerCase() ?? null
  if (!input.kind?.trim()) checks.add('kind', `is required: one of ${documentKinds.join(', ')}.`)
  checkSubject(kind, input, checks)
  if (kind !== null && !kindsWithoutCase.has(kind) && caseGuid === null)
    checks.add('caseGuid', 'is required: only a statement is about all that the debtor owes.')
  if (dueDate !== null && dueDate < today) checks.add('dueDate', 'must not be before the business date.')
  if (kind !== null && kindsWithDeadline.has(kind) && dueDate === null && !input.dueDate)
    checks.add('dueDate', 'is required: this letter names the date by which to pay.')
  checks.throwIfAny()
  const planGuid = kind === 'plan' ? input.paymentPlanGuid!.toLowerCase() : null
  const objectionGuid = kind === 'answer' ? input.objectionGuid!.toLowerCase() : null
  return { kind: kind!, channel, language, dueDate, caseGuid, planGuid, objectionGuid }
}

const subjects = {
  plan: {
    member: 'paymentPlanGuid',
    missing: 'is required for a letter about a payment plan.',
    noCase: 'must be left out: the letter is about the cases of the plan.',
    noDueDate: 'must be left out: the plan has the due dates.',
  },
  answer: {
    member: 'objectionGuid',
    missing: 'is required for the answer to an objection, a complaint or hardship.',
    noCase: 'must be left out: the letter is about the case of the objection.',
    noDueDate: 'must be left out: an answer demands nothing.',
  },
} as const
const kindsWithoutCase: ReadonlySet<DocumentKind> = new Set(['statement', 'plan', 'answer'])

/** A letter about a plan or an objection names it alone, and no other letter names one. */
function checkSubject(kind: string | null, input: LetterInput, checks: FieldErrors): void {
  for (const [of, { member, ...words }] of Object.entries(subjects)) {
    const isNamed = input[member] !== null && input[member] !== undefined
    if (kind !== of) {
      if (isNamed && kind !== null) checks.add(member, `is only for a letter of kind ${of}. Leave it out.`)
      continue
    }
    if (!isNamed) checks.add(member, words.missing)
    if (input.caseGuid) checks.add('caseGuid', words.noCase)
    if (input.dueDate) checks.add('dueDate', words.noDueDate)
  }
}

/** Throws a 404 or 422 when the letter is not of this debtor, or not allowed on this date. */
async function requireLawfulLetter(
  db: Db,
  caller: Caller,
  { caseGuid, kind, dueDate }: LetterRequest,
  { cases, date }: { cases: Awaited<ReturnType<typeof readMatter>>['cases']; date: string },
): Promise<void> {
  if (caseGuid === null) return
  const found = cases.find(({ shown }) => shown.caseGuid === caseGuid)
  if (!found) throw notFound('case')
  if (kind === 'statement' || kind === 'answer') return
  if (found.shown.status === 'CLOSED')
    throw new ApiError('unprocessable', 'The case is closed: only a statement can be sent.')
  if (nonOwingRoles.has(found.shown.debtorRole))
    throw new ApiError('unprocessable', 'This person does not owe the case: only a statement can be sent.')
  const law = await findLetterLaw(db, caseGuid, date)
  const verdict = law.judge(kind, dueDate === null ? null : daysBetween(date, dueDate))
  if (verdict.allowed) return
  const detail = describeRefusal(verdict, {
    reader: findReader(caller.language),
    currency: law.one.currency,
  })
  throw new ApiError('unprocessable', detail, {
    errors: { [verdict.reason === 'deadline' ? 'dueDate' : 'kind']: [detail] },
    members: {
      reasonCode: verdict.reason,
      rule: verdict.rule?.code ?? null,
      ...(verdict.from !== null && { allowedFrom: verdict.from }),
    },
  })
}

/** Throws a 422 when the letter cannot go by the channel, or by any. */
function requireChannel(answers: readonly ChannelAnswer[], wanted: LetterChannel | null): ChannelAnswer {
  const answer = wanted === null ? chooseChannel(answers) : answers.find(({ channel }) => channel === wanted)!
  if (answer?.option.allowed) return answer
  const { reason, rule } = (answer ?? answers[0]!).option
  throw new ApiError('unprocessable', reason!, {
    errors: { channel: [reason!] },
    members: { rule },
  })
}
