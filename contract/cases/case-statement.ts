/** The ledger of a case as a statement of account. Not in the specification. */
import { Type, type Static } from 'typebox'
import { guid } from '../metadata/fields.ts'
import { pastDays } from '../platform/as-of.ts'
import { culture } from '../platform/culture.ts'
import { operation } from '../platform/operation.ts'

const day = (description: string) =>
  Type.String({ format: 'date-time', description, 'x-field': { kind: 'date' } })
const inputDay = (description: string) => Type.Optional(day(description))
const nullable = <T>(schema: object) => Type.Unsafe<T | null>(schema)

export const ledgerAccount = Type.String({
  description:
    'The account of the ledger, such as `receivable:principal` (owed by the debtor), its counter-account `claim:principal`, `bank` or `credit`.',
})

export const StatementLine = Type.Object(
  {
    transactionGuid: guid('Transaction'),
    number: Type.Integer({ description: 'Within the case, in the order of booking.' }),
    kind: Type.String({ description: '`registration`, `interest`, `payment`, `fee` and the like.' }),
    text: Type.String({ description: 'What it is, in the caller’s language.' }),
    detail: Type.String({
      description:
        'Way of payment, fee type, component and invoice as far as it has them, in words. Empty where it has none.',
    }),
    valueDate: day('The value date.'),
    bookedDate: day('The business date on which it was booked.'),
    amount: Type.Number({
      description:
        'Positive raises what is owed on the case, negative lowers it. A transaction that changes neither this nor `surplus` has no line.',
    }),
    balance: Type.Number({ description: 'What is owed after it, without interest that is not booked yet.' }),
    surplus: Type.Number({
      description:
        'The part that no open balance absorbed: it became credit of the debtor. Negative where credit was used or refunded.',
    }),
    reversesNumber: nullable<number>({
      type: ['integer', 'null'],
      description: 'The number of the transaction that it reverses.',
    }),
    reversed: Type.Boolean({ description: 'True if another transaction reverses it.' }),
    paymentGuid: nullable<string>({
      type: ['string', 'null'],
      format: 'uuid',
      description: 'The payment that it books or takes back.',
    }),
    entries: Type.Array(
      Type.Object({
        account: ledgerAccount,
        amount: Type.Number({ description: 'Debit is positive, credit negative; the entries sum to zero.' }),
      }),
      { description: 'The entries that it consists of.' },
    ),
  },
  { $id: 'StatementLine' },
)
export type StatementLine = Static<typeof StatementLine>

export const StatementEvent = Type.Object(
  {
    movementGuid: guid('Movement'),
    kind: Type.String({ description: '`close`, `reopen`, `pause`, `resume`, `terms` or `reversal`.' }),
    text: Type.String({ description: 'What it is, in the caller’s language.' }),
    valueDate: day('The value date.'),
    bookedDate: day('The business date on which it was booked.'),
    reversed: Type.Boolean({ description: 'True if it was reversed.' }),
  },
  { $id: 'StatementEvent' },
)
export type StatementEvent = Static<typeof StatementEvent>

export const CaseStatement = Type.Object(
  {
    caseNumber: Type.String(),
    debtorName: nullable<string>({ type: ['string', 'null'], 'x-field': { personalData: 'name' } }),
    clientName: nullable<string>({ type: ['string', 'null'] }),
    currencyCode: Type.String({ maxLength: 3 }),
    from: nullable<string>({ type: ['string', 'null'], format: 'date-time', 'x-field': { kind: 'date' } }),
    to: day('The last value date.'),
    openingBalance: Type.Number({ description: 'Before the first day. 0 when `from` is left out.' }),
    closingBalance: Type.Number({
      description:
        'After the last day, without interest that is not booked yet. It counts every kind, also those that `kind` leaves out.',
    }),
    unbookedInterest: Type.Number({ description: 'Interest up to the last day that is not booked yet.' }),
    owed: Type.Number({
      description: 'Closing balance and unbooked interest: the `remainingSum` of the case on the last day.',
    }),
    debit: Type.Number({
      description: 'The sum of the positive amounts of the period and kinds, not of this page alone.',
    }),
    credit: Type.Number({
      description: 'The sum of the negative amounts of the period and kinds, not of this page alone.',
    }),
    kinds: Type.Array(Type.String(), { description: 'The kinds that the case has, for the filter.' }),
    count: Type.Integer({ description: 'The number of items in `lines`.' }),
    skip: Type.Integer({ description: 'Echoes `$skip`.' }),
    total: Type.Integer({ description: 'The number of lines of the period and kinds.' }),
    lines: Type.Array(StatementLine, { description: 'By value date, then in the order of booking.' }),
    events: Type.Array(StatementEvent, {
      description:
        'What happened in the period without an amount of its own, such as a closing or new interest terms. Each page has all of them, whatever `kind` says.',
    }),
  },
  { $id: 'CaseStatement' },
)
export type CaseStatement = Static<typeof CaseStatement>

/** The largest number of lines of a PDF: some hundred pages. */
export const printedLinesMax = 5000

export const getCaseStatement = operation({
  id: 'getCaseStatement',
  name: 'getCaseStatement',
  method: 'GET',
  path: '/cases/:caseGuid/statement',
  area: 'Debtors',
  summary: "Get a case's statement of account",
  description:
    'The transactions of the ledger with signed amounts and a running balance. The balance counts every transaction, also those that `kind` leaves out. Interest that is not booked yet stands apart, so that `owed` is the `remainingSum` of the case. ' +
    `\`format=pdf\` returns all lines, at most ${printedLinesMax}, as a file in the caller’s language. \`asOf\` and \`knownAt\` give the statement as it was (docs/domain/as-of.md).`,
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
          description:
            'Only these kinds, separated by commas: `payment,fee`. Upper and lower case are the same.',
        }),
      ),
      $orderby: Type.Optional(
        Type.Unsafe<'valueDate asc' | 'valueDate desc'>({
          type: 'string',
          enum: ['valueDate asc', 'valueDate desc'],
          default: 'valueDate asc',
          description:
            '`valueDate desc` has the latest line first. A PDF always has the earliest line first.',
        }),
      ),
      $skip: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 2147483647,
          default: 0,
          description: 'The number of lines to skip.',
        }),
      ),
      $top: Type.Optional(
        Type.Integer({ minimum: 0, maximum: 500, default: 100, description: 'The maximum number of lines.' }),
      ),
      ...pastDays,
      format: Type.Optional(
        Type.Unsafe<'json' | 'pdf'>({ type: 'string', enum: ['json', 'pdf'], default: 'json' }),
      ),
      culture,
    },
    { additionalProperties: false },
  ),
  status: 200,
  response: CaseStatement,
  formats: ['application/pdf'],
  example: { query: { from: '2026-01-01', kind: 'payment,fee' } },
})
