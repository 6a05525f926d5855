/** The answer to a write with `?dryRun=true`: what it would answer and leave behind. */
import { Type, type Static } from 'typebox'
import { dateTime, guid, money } from '../metadata/fields.ts'

export const dryRunMediaType = 'application/vnd.fordra.dry-run+json'

const nullableGuid = (title: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'uuid', title })
const text = (title: string) => Type.String({ title })

export const DryRunEvent = Type.Object(
  {
    type: text('Type, such as payment.registered'),
    subject: guid('The record whose events are numbered'),
    sequence: Type.Integer({ description: 'The number that the event would have.' }),
    data: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
  },
  { $id: 'DryRunEvent' },
)

export const DryRunMoneyRow = Type.Object(
  {
    book: Type.Unsafe<'case' | 'trust'>({
      type: 'string',
      enum: ['case', 'trust'],
      title: 'The ledger of a case, or the books of client money',
    }),
    caseGuid: nullableGuid('Case'),
    kind: text('Kind of the transaction'),
    valueDate: dateTime('Value date', { kind: 'date' }),
    account: text('Account'),
    amount: money('Amount: debit is positive'),
    currencyCode: text('Currency'),
  },
  { $id: 'DryRunMoneyRow' },
)
export type DryRunMoneyRow = Static<typeof DryRunMoneyRow>

export const DryRunMessage = Type.Object(
  {
    kind: text('Kind'),
    channel: text('Channel: email, sms or letter'),
    debtorGuid: nullableGuid('Debtor'),
  },
  { $id: 'DryRunMessage' },
)

export const DryRun = Type.Object(
  {
    status: Type.Integer({ description: 'The status that the answer would have.' }),
    answer: Type.Unsafe<unknown>({ description: 'The body that the answer would have, without secrets.' }),
    events: Type.Array(DryRunEvent),
    money: Type.Array(DryRunMoneyRow, { description: 'The rows that would be booked, in order.' }),
    messages: Type.Array(DryRunMessage, { description: 'What would be sent, without recipients.' }),
  },
  {
    $id: 'DryRun',
    description: 'Nothing was stored and nothing is sent. GUIDs and times are those of this try.',
  },
)
export type DryRun = Static<typeof DryRun>
