import { Type, type Static } from 'typebox'
import { Note } from '../cases/all-cases.ts'
import { ofDebtor } from './debtors.ts'
import { dateTime } from '../metadata/fields.ts'
import { operation } from '../platform/operation.ts'
import { page, pageQuery } from '../platform/page.ts'

const whole = (description: string) => Type.Integer({ minimum: 0, description })

export const LegalHold = Type.Object(
  {
    held: Type.Boolean({ description: 'True if anything prevents erasing the personal data.' }),
    openCases: whole('Open cases, of any client.'),
    keptCases: whole('Closed cases within the legal retention period.'),
    unpaidCredits: whole(
      'Cases with unsettled credit of a main debtor: owed to the debtor or, if negative, by the debtor.',
    ),
    keptUntil: dateTime('The end of the retention period of closed cases; null for none.'),
  },
  { $id: 'LegalHold' },
)
export type LegalHold = Static<typeof LegalHold>

const read = { area: 'Debtors', method: 'GET', params: ofDebtor, status: 200 } as const

export const getLegalHold = operation({
  ...read,
  id: 'getLegalHold',
  name: 'getLegalHold',
  path: '/debtors/:debtorGuid/legalhold',
  summary: "Get what prevents erasing a debtor's personal data",
  description:
    'Counts the cases of all clients, also those that the caller may not see, because erasing affects them too.',
  access: ['debtor.write'],
  response: LegalHold,
})
export const listDebtorNotes = operation({
  ...read,
  id: 'listDebtorNotes',
  name: 'listDebtorNotes',
  path: '/debtors/:debtorGuid/notes',
  summary: "List a debtor's notes",
  description: 'The latest first. The form `note/create` adds a note.',
  access: ['debtor.read'],
  query: pageQuery,
  response: page(Note),
})
