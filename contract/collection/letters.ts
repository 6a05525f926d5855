/** Letters that a person writes and sends: operations that the specification does not have. */
import { Type, type Static } from 'typebox'
import { date, guid, inputSchema, integer, nullable, text } from '../metadata/fields.ts'
import { ofDebtor } from '../parties/debtors.ts'
import { operation } from '../platform/operation.ts'
import { Problem } from '../platform/problem.ts'
import {
  Document,
  documentKinds,
  letterChannels,
  type DocumentKind,
  type LetterChannel,
} from './documents.ts'

/** The longest time for which a letter waits before it leaves, in minutes. */
export const delayMinutesMax = 24 * 60

const fields = {
  caseGuid: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'uuid',
    title: 'Case',
    description: 'Null for all that the debtor owes, which only a statement can be about.',
    'x-field': {},
  }),
  paymentPlanGuid: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'uuid',
    title: 'Payment plan',
    description: 'For a letter of kind `plan`, which is about the cases of the plan.',
    'x-field': {},
  }),
  objectionGuid: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'uuid',
    title: 'Objection',
    description:
      'For a letter of kind `answer`: the objection, complaint or hardship that was answered or decided.',
    'x-field': {},
  }),
  kind: text(20, 'Kind of letter', { lookup: 'letterkind' }),
  languageCode: text(2, 'Language', { lookup: 'language' }),
  dueDate: date('To be paid by'),
  channel: text(10, 'Channel', { lookup: 'messagechannel' }),
  delayMinutes: integer('Minutes to wait before it leaves', { minimum: 0, maximum: delayMinutesMax }),
}

const content = [
  'caseGuid',
  'paymentPlanGuid',
  'objectionGuid',
  'kind',
  'languageCode',
  'dueDate',
  'channel',
] as const
const required = { required: ['kind'] }

export const LetterPreviewInput = inputSchema(fields, content, {
  $id: 'LetterPreviewInput',
  'x-demands': required,
})
export type LetterPreviewInput = Static<typeof LetterPreviewInput>
export const LetterInput = inputSchema(fields, [...content, 'delayMinutes'], {
  $id: 'LetterInput',
  'x-demands': required,
})
export type LetterInput = Static<typeof LetterInput>

const reason = nullable<string>({
  type: ['string', 'null'],
  description: 'Why not, in the caller’s language, with the rule. Null when nothing stands in the way.',
})
const rule = nullable<string>({ type: ['string', 'null'], description: 'The rule that refuses.' })
const from = nullable<string>({
  type: ['string', 'null'],
  format: 'date-time',
  description: 'From when it is allowed, when only time is missing.',
})

export const LetterChannelOption = Type.Object(
  {
    channel: Type.Unsafe<LetterChannel>({ type: 'string', enum: [...letterChannels] }),
    allowed: Type.Boolean({
      description: 'True also when it only has to wait: it is accepted, and leaves at `from`.',
    }),
    reason,
    rule,
    from,
    recipient: nullable<string>({
      type: ['string', 'null'],
      description: 'The address or number that it goes to. Null for post.',
    }),
  },
  { $id: 'LetterChannelOption' },
)
export type LetterChannelOption = Static<typeof LetterChannelOption>

export const LetterOption = Type.Object(
  {
    kind: Type.Unsafe<DocumentKind>({ type: 'string', enum: [...documentKinds] }),
    allowed: Type.Boolean(),
    reason,
    rule,
    from,
    dueDate: nullable<string>({
      type: ['string', 'null'],
      format: 'date-time',
      description: 'The proposed date of payment. Null for a letter without one.',
    }),
    channel: nullable<LetterChannel>({
      type: ['string', 'null'],
      enum: [...letterChannels, null],
      description: 'The channel that is used when none is given. Null when there is none.',
    }),
    channels: Type.Array(LetterChannelOption),
  },
  { $id: 'LetterOption' },
)
export type LetterOption = Static<typeof LetterOption>
export const LetterOptions = Type.Object(
  {
    languageCode: Type.String({ description: 'The recipient’s language.' }),
    letters: Type.Array(LetterOption),
  },
  { $id: 'LetterOptions' },
)
export type LetterOptions = Static<typeof LetterOptions>

export const LetterImage = Type.Object(
  {
    title: Type.String(),
    languageCode: Type.String(),
    channel: nullable<LetterChannel>({ type: ['string', 'null'], enum: [...letterChannels, null] }),
    text: Type.String({ description: 'What it says, without layout: also the text of an SMS.' }),
    image: nullable<string>({
      type: ['string', 'null'],
      description: 'The pages as one SVG image, one below the other. Null for an SMS.',
    }),
  },
  { $id: 'LetterImage' },
)
export type LetterImage = Static<typeof LetterImage>

const area = 'Debtors'
const example = { body: { kind: 'statement', languageCode: 'sv', channel: 'letter' } }

export const getLetterOptions = operation({
  id: 'getLetterOptions',
  name: 'getLetterOptions',
  method: 'GET',
  path: '/debtors/:debtorGuid/letters/options',
  area,
  summary: 'Ask which letters can be sent, and how',
  description:
    'For each kind of letter: whether the law of the case allows it on the business date, and by which channels it can go. What is refused has its reason, the rule, and from when it is allowed. Without a case only statements are listed; with `paymentPlanGuid` only the letter about that plan; with `objectionGuid` only the answer to it.',
  access: ['case.write'],
  params: ofDebtor,
  query: Type.Object(
    {
      caseGuid: Type.Optional(guid('Case')),
      paymentPlanGuid: Type.Optional(guid('Payment plan')),
      objectionGuid: Type.Optional(guid('Objection')),
    },
    { additionalProperties: false },
  ),
  status: 200,
  response: LetterOptions,
})
export const previewLetter = operation({
  id: 'previewLetter',
  name: 'previewLetter',
  method: 'POST',
  path: '/debtors/:debtorGuid/letters/preview',
  area,
  summary: 'Preview a letter',
  description: 'The letter as `sendLetter` would write it now, with the same refusals. Nothing is stored.',
  access: ['case.write'],
  params: ofDebtor,
  body: LetterPreviewInput,
  status: 200,
  response: LetterImage,
  example,
})
export const getDocumentImage = operation({
  id: 'getDocumentImage',
  name: 'getDocumentImage',
  method: 'GET',
  path: '/documents/:documentGuid/image',
  area,
  summary: 'Get a document as text and image',
  description: 'The same pages as in the PDF, to show them in a page.',
  access: ['case.read'],
  params: Type.Object({ documentGuid: guid('Document') }),
  status: 200,
  response: LetterImage,
})
export const sendLetter = operation({
  id: 'sendLetter',
  name: 'sendLetter',
  method: 'POST',
  path: '/debtors/:debtorGuid/letters',
  area,
  summary: 'Write a letter and send it',
  description:
    'Stores the letter and hands it over for sending: by post, as a PDF attached to an e-mail, or as an SMS (statements only). A letter of kind `plan` has the schedule of a payment plan that is proposed or active. One of kind `answer` tells the debtor what an objection, a complaint or hardship was answered and how it was decided; it demands nothing. Without `channel` it goes as the letters of strategies do. Refused with 422, the rule and the day from which it is allowed when the law or the debtor’s contact permission forbids it. What only has to wait is accepted and held. `delayMinutes` leaves time to withdraw it.',
  access: ['case.write'],
  params: ofDebtor,
  body: LetterInput,
  status: 201,
  response: Document,
  example,
})
export const withdrawLetter = operation({
  id: 'withdrawLetter',
  name: 'withdrawLetter',
  method: 'POST',
  path: '/documents/:documentGuid/withdraw',
  area,
  summary: 'Withdraw a letter that has not left',
  description:
    'Deletes the letter and its message. Refused with 409 once somebody has tried to send it: from then on it may have reached the debtor.',
  access: ['case.write'],
  params: Type.Object({ documentGuid: guid('Document') }),
  status: 200,
  response: Problem,
  problems: ['conflict'],
})
