/** How many letters a bulk action would send: an operation that the specification does not have. */
import { Type, type Static } from 'typebox'
import { LetterPreviewInput } from '../collection/letters.ts'
import { guid, type Demands } from '../metadata/fields.ts'
import { operation } from '../platform/operation.ts'

/** The cases that are looked at, one by one. */
export const foreseenCasesMax = 500

const {
  caseGuid: _caseGuid,
  paymentPlanGuid: _paymentPlanGuid,
  objectionGuid: _objectionGuid,
  ...letter
} = LetterPreviewInput.properties

export const BulkLettersInput = Type.Object(
  {
    filter: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        maxLength: 4000,
        title: 'Filter',
        description: 'As `$filter` of `listAllCases`. Null for all.',
      }),
    ),
    caseGuids: Type.Optional(
      Type.Array(guid('Case'), {
        minItems: 1,
        maxItems: foreseenCasesMax,
        description: 'Only these of the cases that the filter matches.',
      }),
    ),
    ...letter,
  },
  {
    $id: 'BulkLettersInput',
    additionalProperties: false,
    'x-demands': { required: ['kind'] } satisfies Demands,
  },
)
export type BulkLettersInput = Static<typeof BulkLettersInput>

export const BulkLetters = Type.Object(
  {
    cases: Type.Integer({ description: 'The cases that match.' }),
    examined: Type.Integer({ description: `The cases that were looked at: the first ${foreseenCasesMax}.` }),
    letters: Type.Integer({ description: 'The letters that would be sent.' }),
    debtors: Type.Integer({ description: 'The debtors to whom they would go.' }),
    together: Type.Array(guid('Case'), {
      description: 'The cases without a letter of their own: the letter of another case demands them too.',
    }),
    refused: Type.Array(
      Type.Object(
        {
          reason: Type.String({ description: 'Why not, in the caller’s language.' }),
          cases: Type.Integer({ description: 'The number of cases.' }),
        },
        { $id: 'RefusedLetters' },
      ),
      { description: 'The reasons of refused letters, the most frequent first.' },
    ),
  },
  { $id: 'BulkLetters' },
)
export type BulkLetters = Static<typeof BulkLetters>

export const foreseeBulkLetters = operation({
  id: 'foreseeBulkLetters',
  name: 'foreseeBulkLetters',
  method: 'POST',
  path: '/bulkactions/letters/preview',
  area: 'Debtors',
  access: ['case.write'],
  summary: 'Count the letters that a bulk action would send',
  description:
    'What `startBulkAction` with the action `letter` would do now. Claims that are demanded together get one letter. Nothing is stored.',
  body: BulkLettersInput,
  status: 200,
  response: BulkLetters,
  example: { body: { filter: "status eq 'AMICABLE'", kind: 'statement', channel: 'letter' } },
})
