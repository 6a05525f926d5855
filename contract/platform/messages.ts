import { Type, type Static } from 'typebox'
import { dateTime, guid, key, outputSchema, text } from '../metadata/fields.ts'
import { operation } from './operation.ts'
import { page, pageQuery } from './page.ts'

const fields = {
  messageGuid: guid('Message'),
  kind: key(50, 'Kind'),
  channel: Type.Unsafe<'email' | 'sms' | 'letter'>({
    type: 'string',
    enum: ['email', 'sms', 'letter'],
    title: 'Channel',
  }),
  recipient: key(254, 'Recipient', { personalData: 'contact' }),
  languageCode: key(2, 'Language', { lookup: 'language' }),
  subject: key(200, 'Subject'),
  body: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    maxLength: 2000,
    title: 'Text',
    'x-field': { unfilterable: true },
  }),
  createdAt: dateTime('Written at'),
  expiresAt: dateTime('Not sent after'),
  sentAt: dateTime('Sent at'),
  attempts: Type.Integer({ title: 'Attempts to send it' }),
  lastError: text(200, 'Why the last attempt failed'),
  heldReason: text(30, 'Held because', { lookup: 'contactreason' }),
  heldUntil: dateTime('Held until'),
}

export const Message = outputSchema(
  fields,
  [
    'messageGuid',
    'kind',
    'channel',
    'recipient',
    'languageCode',
    'subject',
    'body',
    'createdAt',
    'expiresAt',
    'sentAt',
    'attempts',
    'lastError',
    'heldReason',
    'heldUntil',
  ],
  { $id: 'Message' },
)
export type Message = Static<typeof Message>

export const listMessages = operation({
  id: 'listMessages',
  name: 'listMessages',
  method: 'GET',
  path: '/system/outbox',
  area: 'System',
  summary: 'List the outbox',
  description:
    'E-mails and text messages of the service, newest first. A message that the debtor’s contact permission does not allow is held: `heldReason` says why, `heldUntil` until when. Without a configured mail server or SMS gateway they stay here. `body` is present until the message is sent or expires, except for messages with a code or token: nobody reads those here. Messages to debtors need `debtor.read`; a restricted caller sees the letters about their own clients.',
  access: ['system.admin'],
  query: pageQuery,
  status: 200,
  response: page(Message),
  example: { query: { $filter: 'sentAt eq null', $orderby: 'createdAt desc' } },
})
