import { Type, type Static } from 'typebox'
import { Note } from '../cases/all-cases.ts'
import { ofDebtor } from './debtors.ts'
import { dateTime } from '../metadata/fields.ts'
import { operation } from '../platform/operation.ts'
import { page, pageQuery } from '../platform/page.ts'

const whole = (description: string) => Type.Integer({ minimum: 0, description })

export const LegalHold = Type.Object(
  {
    held: Type.Boolean({ description: 'Whether anything keeps the personal data from being erased.' }),
    openCases: whole('Cases that are not closed, of any client.'),
    keptCases: whole('Closed cases whose records the law still has kept.'),
    unpaidCredits: whole(
      'Cases with credit of a main debtor that is not settled: owed to the debtor or, below zero, by them.',
    ),
    keptUntil: dateTime('The last day for which closed cases are kept; null for none.'),
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
  summary: "Get what forbids erasing a debtor's personal data",
  description:
    'Counts the cases of all clients, also of those that the caller may not see: erasing concerns them too.',
  access: ['debtor.write'],
  response: LegalHold,
})
export const listDebtorNotes = operation({
  ...read,
  id: 'listDebtorNotes',
  name: 'listDebtorNotes',
  path: '/debtors/:debtorGuid/notes',
  summary: "List a debtor's notes",
  description: 'The latest first. A note is written with the form `note/create`.',
  access: ['debtor.read'],
  query: pageQuery,
  response: page(Note),
})
