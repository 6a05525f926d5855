/** The ledger of a case as a statement of account: an operation that the specification does not have. */
import { Type, type Static } from 'typebox'
import { guid } from '../metadata/fields.ts'
import { pastDays } from '../platform/as-of.ts'
import { operation } from '../platform/operation.ts'

const day = (description: string) =>
  Type.String({ format: 'date-time', description, 'x-field': { kind: 'date' } })
const nullable = <T>(schema: object) => Type.Unsafe<T | null>(schema)
const inputDay = (description: string) =>
  Type.Optional(Type.String({ pattern: String.raw`^\d{4}-\d{2}-\d{2}([Tt].*)?$`, maxLength: 40, description }))

export const StatementLine = Type.Object(
  {
    transactionGuid: guid('Transaction'),
    number: Type.Integer({ description: 'Within the case, in the order of booking.' }),
    kind: Type.String({ description: '`registration`, `interest`, `payment`, `fee` and the like.' }),
    text: Type.String({ description: 'What it is, in the caller’s language.' }),
    valueDate: day('The value date.'),
    bookedDate: day('The business date on which it was booked.'),
    amount: Type.Number({ description: 'Positive raises what the debtor owes, negative lowers it.' }),
    balance: Type.Number({ description: 'What is owed after it, less the credit of the debtor.' }),
    reversesNumber: nullable<number>({
      type: ['integer', 'null'],
      description: 'The number of the transaction that it reverses.',
    }),
    reversed: Type.Boolean({ description: 'True if another transaction reverses it.' }),
    paymentGuid: nullable<string>({ type: ['string', 'null'], format: 'uuid' }),
  },
  { $id: 'StatementLine' },
)
export type StatementLine = Static<typeof StatementLine>

export const CaseStatement = Type.Object(
  {
    caseNumber: Type.String(),
    debtorName: Type.String({ 'x-field': { personalData: 'name' } }),
    clientName: Type.String(),
    currencyCode: Type.String({ maxLength: 3 }),
    from: nullable<string>({ type: ['string', 'null'], format: 'date-time', 'x-field': { kind: 'date' } }),
    to: day('The last value date.'),
    openingBalance: Type.Number({ description: 'Before the first day. 0 when `from` is left out.' }),
    closingBalance: Type.Number({ description: 'After the last day, whatever kinds are shown.' }),
    debit: Type.Number({ description: 'The sum of the positive amounts that are shown.' }),
    credit: Type.Number({ description: 'The sum of the negative amounts that are shown.' }),
    kinds: Type.Array(Type.String(), { description: 'The kinds that the case has, for the filter.' }),
    lines: Type.Array(StatementLine, { description: 'By value date, then in the order of booking.' }),
  },
  { $id: 'CaseStatement' },
)
export type CaseStatement = Static<typeof CaseStatement>

export const getCaseStatement = operation({
  id: 'getCaseStatement',
  name: 'getCaseStatement',
  method: 'GET',
  path: '/cases/:caseGuid/statement',
  area: 'Debtors',
  summary: "Get a case's statement of account",
  description:
    'The transactions of the ledger with signed amounts and a running balance. Interest that is not booked yet is not in it. The balance counts every transaction, also those that `kind` leaves out. `format=pdf` returns the statement as a file in the caller’s language. `asOf` and `knownAt` give it as it was.',
  access: ['case.read'],
  params: Type.Object({ caseGuid: guid('Case') }),
  query: Type.Object(
    {
      from: inputDay('First value date. Default: from the registration on.'),
      to: inputDay('Last value date. Default: the business date, or `asOf`.'),
      kind: Type.Optional(
        Type.String({
          maxLength: 200,
          pattern: '^[A-Za-z]+(,[A-Za-z]+)*$',
          description: 'Only these kinds, separated by commas: `payment,fee`.',
        }),
      ),
      ...pastDays,
      format: Type.Optional(
        Type.Unsafe<'json' | 'pdf'>({ type: 'string', enum: ['json', 'pdf'], default: 'json' }),
      ),
    },
    { additionalProperties: false },
  ),
  status: 200,
  response: CaseStatement,
  formats: ['application/pdf'],
  example: { query: { from: '2026-01-01', kind: 'payment,fee' } },
})
