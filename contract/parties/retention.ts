import { Type, type Static } from 'typebox'
import { Note } from '../cases/all-cases.ts'
import { ofDebtor } from './debtors.ts'
import { dateTime, guid, personalDataTypes } from '../metadata/fields.ts'
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
const kindIds = Object.values(personalDataTypes)

export const ErasureInput = Type.Object(
  {
    personalDataTypeIds: Type.Optional(
      Type.Array(Type.Integer({ enum: kindIds }), {
        minItems: 1,
        description:
          'The kinds of personal data: 1 identity, 2 name, 3 contact, 4 address, 5 birth. Default: all.',
      }),
    ),
  },
  { $id: 'ErasureInput', additionalProperties: false },
)

export const ErasedData = Type.Object(
  {
    erasureGuid: guid('Erasure'),
    entries: whole('Audit entries of which values were erased.'),
    answers: whole('Stored answers of idempotency keys that were replaced.'),
    jobs: whole('Ended jobs whose input and result were emptied.'),
    messages: whole('Messages whose recipient was emptied, or that were not sent.'),
    reports: whole('Reports of rejected import rows that were deleted.'),
  },
  { $id: 'ErasedData' },
)

export const eraseDebtor = operation({
  id: 'eraseDebtor',
  name: 'eraseDebtor',
  method: 'POST',
  path: '/debtors/:debtorGuid/erasures',
  area: 'Debtors',
  summary: "Erase a debtor's personal data",
  description:
    'Erases the kinds in the debtor, its addresses, letters and free text, and in what is kept of them: the audit trail, stored answers, jobs, messages, the search and reports of imports. Refused under a legal hold. The erasure is recorded outside the database and replayed after a restore.',
  access: ['debtor.write'],
  params: ofDebtor,
  body: ErasureInput,
  bodyOptional: true,
  status: 200,
  response: ErasedData,
  problems: ['conflict'],
  example: { body: { personalDataTypeIds: [2, 3] } },
})
export const listDebtorNotes = operation({
  ...read,
  id: 'listDebtorNotes',
  name: 'listDebtorNotes',
  path: '/debtors/:debtorGuid/notes',
  summary: "List a debtor's notes",
  description:
    'The latest first. The form `note/create` adds a note. Creditors see those with `shownToClient`.',
  access: ['debtor.read'],
  query: pageQuery,
  response: page(Note),
})
