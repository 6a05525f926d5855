import { Type, type Static } from 'typebox'
import { ofDebtor } from './debtors.ts'
import { date, dateTime, erasedMembers, guid, key, lines, outputSchema, text } from '../metadata/fields.ts'
import { operation } from '../platform/operation.ts'
import { page, pageQuery } from '../platform/page.ts'

const fields = {
  entryId: key(60, 'Entry'),
  occurredAt: dateTime('When, by the real clock'),
  businessDate: date('When, by the business clock; null for notes and messages'),
  entity: key(
    50,
    'What it is about: debtor, address, extrafield, case, invoice, payment, paymentplan, service, note, attachment or message',
  ),
  action: key(50, 'What was done; of a message its channel'),
  entityGuid: guid('To which record'),
  caseGuid: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'uuid',
    title: 'The case that it belongs to',
    'x-field': {},
  }),
  caseNumber: text(30, 'Its number'),
  actorGuid: text(36, 'Who; null for the system itself'),
  actor: text(200, 'Their name', { personalData: 'name' }),
  text: lines(10_000, 'A note, the name of an attached file, or the subject of a message'),
  sentAt: dateTime('When a message was sent; null while it waits'),
  currencyCode: text(3, 'In which amounts are; null for a record without any'),
  changes: Type.Record(
    Type.String(),
    Type.Unsafe<[before: unknown, after: unknown]>({ type: 'array', items: {}, minItems: 2, maxItems: 2 }),
    {
      description:
        'From a member to its value before and after; amounts in main units of `currencyCode`. Personal data is masked for callers without `audit.read`.',
      'x-field': { unfilterable: true },
    },
  ),
  erased: erasedMembers,
}
export const TimelineEntry = outputSchema(fields, Object.keys(fields) as (keyof typeof fields)[], {
  $id: 'TimelineEntry',
})
export type TimelineEntry = Static<typeof TimelineEntry>

export const listTimeline = operation({
  id: 'listTimeline',
  name: 'listTimeline',
  method: 'GET',
  path: '/debtors/:debtorGuid/timeline',
  area: 'Debtors',
  summary: "List a debtor's timeline",
  description:
    'All events of a debtor, their cases, payments and plans, with notes, attached files and messages; newest first unless `$orderby` is given. Only cases that the caller may see, and only the kinds that the caller’s access codes allow.',
  access: ['debtor.read'],
  params: ofDebtor,
  query: pageQuery,
  status: 200,
  response: page(TimelineEntry),
  example: { query: { $filter: "entity eq 'payment' or entity eq 'message'" } },
})
