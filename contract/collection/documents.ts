import { Type, type Static } from 'typebox'
import { ofDebtor } from '../parties/debtors.ts'
import { date, dateTime, guid, inputSchema, key, outputSchema, text } from '../metadata/fields.ts'
import { operation } from '../platform/operation.ts'
import { page, pageQuery } from '../platform/page.ts'
import { Problem } from '../platform/problem.ts'

/** The kinds of letters. */
export const letterKinds = ['statement', 'reminder', 'notice', 'demand', 'legal', 'surveillance'] as const
export type LetterKind = (typeof letterKinds)[number]
/** Letters whose text an administrator can write: of collection, and about a payment plan. */
export const templateKinds = [...letterKinds, 'plan'] as const
export type TemplateKind = (typeof templateKinds)[number]
/** What a document can be: also the answer to an objection, a complaint or hardship. */
export const documentKinds = [...templateKinds, 'answer'] as const
export type DocumentKind = (typeof documentKinds)[number]

/** `WRITTEN`: stored, but never handed over for sending. */
export const letterStates = ['WRITTEN', 'WAITING', 'HELD', 'SENT', 'FAILED'] as const
export type LetterState = (typeof letterStates)[number]
/** `letter`: printed and posted. */
export const letterChannels = ['letter', 'email', 'sms'] as const
export type LetterChannel = (typeof letterChannels)[number]

const fields = {
  documentGuid: guid('Document', { readOnly: true }),
  debtorGuid: guid('Debtor', { readOnly: true }),
  caseGuid: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'uuid',
    title: 'The case that it is about; null for all of the debtor',
    'x-field': { readOnly: true },
  }),
  kind: Type.Unsafe<DocumentKind>({ type: 'string', enum: documentKinds, title: 'Kind of letter' }),
  languageCode: key(2, 'Language', { lookup: 'language', readOnly: true }),
  title: key(200, 'Title', { readOnly: true }),
  businessDate: date('The date that it bears', { readOnly: true }),
  dueDate: date('The date by which it asks to be paid', { readOnly: true }),
  caseNumber: text(20, 'Case', { readOnly: true }),
  channel: Type.Unsafe<LetterChannel | null>({
    type: ['string', 'null'],
    enum: [...letterChannels, null],
    title: 'Channel',
    'x-field': { readOnly: true, lookup: 'messagechannel' },
  }),
  state: Type.Unsafe<LetterState>({
    type: 'string',
    enum: letterStates,
    title: 'State',
    'x-field': { readOnly: true, lookup: 'letterstate' },
  }),
  sentAt: dateTime('Sent at', { readOnly: true }),
  heldReason: text(30, 'Held because', { readOnly: true, lookup: 'contactreason' }),
  sendsAt: dateTime('Leaves not before', { readOnly: true }),
  text: text(2000, 'Text of the SMS', { readOnly: true, unfilterable: true }),
  createdAt: dateTime('Made at', { readOnly: true }),
  createdBy: text(200, 'Written by', { readOnly: true, personalData: 'name' }),
  language: text(2, 'Language; none for that of the debtor', { lookup: 'language' }),
}

export const Document = outputSchema(
  fields,
  [
    'documentGuid',
    'debtorGuid',
    'caseGuid',
    'caseNumber',
    'kind',
    'languageCode',
    'title',
    'businessDate',
    'dueDate',
    'channel',
    'state',
    'sentAt',
    'heldReason',
    'sendsAt',
    'text',
    'createdAt',
    'createdBy',
  ],
  { $id: 'Document' },
)
export type Document = Static<typeof Document>

export const StatementInput = inputSchema(fields, ['language'], { $id: 'StatementInput' })
export type StatementInput = Static<typeof StatementInput>

const area = 'Debtors'

export const createStatement = operation({
  id: 'createStatement',
  name: 'createStatement',
  method: 'POST',
  path: '/debtors/:debtorGuid/documents',
  area,
  summary: 'Write a statement of account',
  description:
    'A letter with the open cases that the debtor owes, of the clients that the caller may see, as of the business date: amounts by component, payment reference and account. It is stored as a document.',
  access: ['case.write'],
  params: ofDebtor,
  body: StatementInput,
  bodyOptional: true,
  status: 201,
  response: Document,
  example: { body: { language: 'sv' } },
})
export const listDocuments = operation({
  id: 'listDocuments',
  name: 'listDocuments',
  method: 'GET',
  path: '/debtors/:debtorGuid/documents',
  area,
  summary: "List a debtor's documents",
  description:
    'The latest first, each with how it was sent: `state` says whether it waits, is held, has left or failed. A document about cases of several clients is visible only to callers who may see all of them.',
  access: ['case.read'],
  params: ofDebtor,
  query: pageQuery,
  status: 200,
  response: page(Document),
})
export const deleteDocument = operation({
  id: 'deleteDocument',
  name: 'deleteDocument',
  method: 'DELETE',
  path: '/documents/:documentGuid',
  area,
  summary: 'Delete a document',
  description:
    'Refused while the debtor’s data must be kept (`getLegalHold`): until then a letter is evidence.',
  access: ['debtor.write'],
  params: Type.Object({ documentGuid: guid('Document') }),
  status: 200,
  response: Problem,
  problems: ['conflict'],
})
export const getDocument = operation({
  id: 'getDocument',
  name: 'getDocument',
  method: 'GET',
  path: '/documents/:documentGuid',
  area,
  summary: 'Get a document as PDF',
  access: ['case.read'],
  params: Type.Object({ documentGuid: guid('Document') }),
  status: 200,
  responseType: 'application/pdf',
  response: Type.Unsafe<Uint8Array>({ type: 'string', contentMediaType: 'application/pdf' }),
})
