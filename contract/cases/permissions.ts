/** What the law lets be done to a case today. */
import { Type, type Static } from 'typebox'
import { guid, nullable } from '../metadata/fields.ts'
import { culture } from '../platform/culture.ts'
import { operation } from '../platform/operation.ts'

type ContactChannel = 'telephone' | 'sms' | 'email' | 'letter'

const text = (description: string) => nullable<string>({ type: ['string', 'null'], description })

export const Permission = Type.Object(
  {
    action: Type.String({ description: '`fee:<type>`, `letter:<kind>` or `status:<status>`.' }),
    allowed: Type.Boolean(),
    reason: text('Why not, in the caller’s language. Null when it is allowed.'),
    reasonCode: text('A stable code of the reason, such as `waiting`, `ceiling` or `minor`.'),
    rule: text('The rule that refuses, or that sets the highest amount.'),
    source: text('Where the rule is published.'),
    verified: Type.Boolean({ description: 'True if the text of the source was read.' }),
    overridable: Type.Boolean({ description: 'True if an administrator may go beyond the rule.' }),
    from: nullable<string>({
      type: ['string', 'null'],
      format: 'date-time',
      description: 'The first day on which it is allowed, when only time is missing.',
    }),
    highest: nullable<number>({
      type: ['number', 'null'],
      description: 'The most that the fee may be. Null when no rule limits it.',
    }),
  },
  { $id: 'Permission' },
)
export type Permission = Static<typeof Permission>

export const ContactPermission = Type.Object(
  {
    channel: Type.Unsafe<ContactChannel>({ type: 'string', enum: ['telephone', 'sms', 'email', 'letter'] }),
    allowed: Type.Boolean(),
    reason: text('Why not, in the caller’s language. Null when it is allowed.'),
    reasonCode: text('`minor`, `deceased`, `optOut`, `protectedIdentity`, `hours` or `frequency`.'),
    rule: text('The rule that refuses. Null when the debtor or the agency does.'),
    source: text('Where the rule is published.'),
    from: nullable<string>({
      type: ['string', 'null'],
      format: 'date-time',
      description: 'The first instant at which it is allowed, when only time is missing.',
    }),
    recipient: Type.Unsafe<'debtor' | 'guardian' | 'nobody'>({
      type: 'string',
      enum: ['debtor', 'guardian', 'nobody'],
      description: 'Who is addressed.',
    }),
    recipientGuid: nullable<string>({
      type: ['string', 'null'],
      format: 'uuid',
      description: 'The debtor record of the recipient. Null for nobody.',
    }),
    languageCode: text('The recipient’s language. Null when it is unknown.'),
    timeZone: Type.String({ description: 'The recipient’s time zone, in which hours are counted.' }),
  },
  { $id: 'ContactPermission' },
)
export type ContactPermission = Static<typeof ContactPermission>

export const AnswerDue = Type.Object(
  {
    objectionGuid: guid('Objection'),
    matter: Type.String({ description: '`OBJECTION`, `COMPLAINT` or `HARDSHIP`.' }),
    answerBy: Type.String({
      format: 'date-time',
      description: 'The day by which the debtor gets an answer.',
    }),
    isOverdue: Type.Boolean({ description: 'True if that day has passed: then nothing is demanded.' }),
    rule: text('The rule about the answer. Null where no law pack has one.'),
    source: text('Where the rule is published.'),
    verified: Type.Boolean({ description: 'True if the text of the source was read.' }),
  },
  { $id: 'AnswerDue' },
)
export type AnswerDue = Static<typeof AnswerDue>

export const CasePermissions = Type.Object(
  {
    caseGuid: guid('Case'),
    date: Type.String({ format: 'date-time', description: 'The business date.' }),
    governingCountry: text('The country whose law applies. Null when it is unknown.'),
    governingFrom: nullable<string>({
      type: ['string', 'null'],
      format: 'date-time',
      description: 'Since when that country’s law applies to the case.',
    }),
    asOf: text('The day of the law pack. Null when there is no pack: then nothing is refused.'),
    currencyCode: Type.String(),
    actions: Type.Array(Permission),
    contacts: Type.Array(ContactPermission, { description: 'May the debtor be contacted now, and who?' }),
    answers: Type.Array(AnswerDue, { description: 'What the debtor still waits for an answer to.' }),
  },
  { $id: 'CasePermissions' },
)
export type CasePermissions = Static<typeof CasePermissions>

export const getCasePermissions = operation({
  id: 'getCasePermissions',
  name: 'getCasePermissions',
  method: 'GET',
  path: '/debtors/:debtorGuid/cases/:caseGuid/permissions',
  area: 'Debtors',
  summary: 'Ask what the law lets be done to a case',
  description:
    'For each letter, each fee and each status of legal action: whether the law of the governing country allows it on the business date, and if not, why, under which rule, and from when. `contacts` says the same of a call, an SMS, an e-mail and a letter at this moment, and who is addressed. `answers` names the days by which objections, complaints and hardship are answered; once one has passed, nothing is demanded.',
  access: ['case.read'],
  params: Type.Object({ debtorGuid: guid('Debtor'), caseGuid: guid('Case') }),
  query: Type.Object({ culture }, { additionalProperties: false }),
  status: 200,
  response: CasePermissions,
})
