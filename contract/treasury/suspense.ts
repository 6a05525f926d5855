/** Money in suspense: operations that the specification does not have. */
import { Type, type Static } from 'typebox'
import { guid, inputSchema, key, outputSchema } from '../metadata/fields.ts'
import { operation } from '../platform/operation.ts'
import { pageQuery } from '../platform/page.ts'
import { pageWithSums, withSums } from '../platform/sums.ts'
import { paymentFileFields } from './payment-files.ts'

export const Suspense = outputSchema(
  paymentFileFields,
  [
    'suspenseGuid',
    'paymentFileGuid',
    'account',
    'currencyCode',
    'amount',
    'valueDate',
    'references',
    'payerName',
    'message',
    'reason',
    'status',
    'paymentGuid',
    'settledDate',
    'settledBy',
    'note',
    'dividedFrom',
  ],
  { $id: 'Suspense' },
)
export type Suspense = Static<typeof Suspense>

export const SuspenseAllocation = inputSchema(
  paymentFileFields,
  ['caseGuid', 'debtorGuid', 'paymentReferenceNumber', 'valueDate'],
  { $id: 'SuspenseAllocation' },
)
export type SuspenseAllocation = Static<typeof SuspenseAllocation>

const divisionPart = Type.Object(
  {
    caseGuid: Type.Optional(paymentFileFields.caseGuid),
    debtorGuid: Type.Optional(paymentFileFields.debtorGuid),
    paymentReferenceNumber: Type.Optional(paymentFileFields.paymentReferenceNumber),
    amount: Type.Number({ title: 'Amount, above zero', 'x-field': { kind: 'money' } }),
  },
  { $id: 'SuspenseDivisionPart', additionalProperties: false },
)
export const SuspenseDivision = Type.Object(
  {
    parts: Type.Array(divisionPart, { minItems: 1, maxItems: 100, title: 'What each case or debtor gets' }),
    valueDate: Type.Optional(paymentFileFields.valueDate),
  },
  { $id: 'SuspenseDivision', additionalProperties: false },
)
export type SuspenseDivision = Static<typeof SuspenseDivision>
export const DividedSuspense = Type.Object(
  { suspense: Suspense, parts: Type.Array(Suspense, { title: 'The parts, each with its payment' }) },
  { $id: 'DividedSuspense' },
)
export type DividedSuspense = Static<typeof DividedSuspense>

export const SuspenseRefund = inputSchema(paymentFileFields, ['note'], { $id: 'SuspenseRefund' })
export type SuspenseRefund = Static<typeof SuspenseRefund>

/** Why a case is proposed for money in suspense, the strongest first. */
export const proposalReasons = [
  'REFERENCE',
  'REFERENCE_NEAR',
  'AMOUNT',
  'AMOUNT_OF_ALL',
  'PAYER_BEFORE',
  'PAYER_NAME',
] as const
export type ProposalReason = (typeof proposalReasons)[number]

const ProposalPart = Type.Object(
  {
    caseGuid: guid('Case'),
    caseNumber: key(20, 'Case'),
    debtorGuid: guid('Debtor'),
    debtorName: key(200, 'Main debtor', { personalData: 'name' }),
    clientName: key(200, 'Client'),
    remainingSum: Type.Number({ title: 'Remaining', 'x-field': { kind: 'money' } }),
    amount: Type.Number({ title: 'What the case would get', 'x-field': { kind: 'money' } }),
  },
  { $id: 'SuspenseProposalPart' },
)
export const SuspenseProposals = Type.Object(
  {
    proposals: Type.Array(
      Type.Object(
        {
          reasons: Type.Array(
            Type.Unsafe<ProposalReason>({ type: 'string', enum: [...proposalReasons], title: 'Reason' }),
            { title: 'Why, the strongest reason first' },
          ),
          parts: Type.Array(ProposalPart, { title: 'One case, or the open cases of one debtor' }),
        },
        { $id: 'SuspenseProposal' },
      ),
      { title: 'At most five, the best first' },
    ),
  },
  { $id: 'SuspenseProposals' },
)
export type SuspenseProposals = Static<typeof SuspenseProposals>
export type SuspenseProposal = SuspenseProposals['proposals'][number]

const area = 'Debtors'
const ofSuspense = Type.Object({ suspenseGuid: guid('Suspense') })

export const listSuspense = operation({
  id: 'listSuspense',
  method: 'GET',
  area,
  access: ['payment.read'],
  status: 200,
  name: 'listSuspense',
  path: '/suspense',
  summary: 'List money in suspense',
  description:
    'Money received whose case is unknown. It belongs to the agency: a restricted caller sees none.',
  query: withSums(pageQuery, ['amount']),
  response: pageWithSums(Suspense, ['amount']),
  example: { query: { $filter: "status eq 'OPEN'", $orderby: 'valueDate asc' } },
})
export const listSuspenseProposals = operation({
  id: 'listSuspenseProposals',
  name: 'listSuspenseProposals',
  method: 'GET',
  path: '/suspense/:suspenseGuid/proposals',
  area,
  summary: 'Propose cases for money in suspense',
  description:
    'Open cases in the currency of the money, with the reasons: a reference in the payer’s message, also with one wrong or two exchanged digits; an earlier payment of the same payer; the name of the payer; an amount that is what remains on a case, or on all open cases of a debtor. A proposal of several cases is booked by `divideSuspense`, another by `allocateSuspense`.',
  access: ['payment.write'],
  params: ofSuspense,
  status: 200,
  response: SuspenseProposals,
})
export const allocateSuspense = operation({
  id: 'allocateSuspense',
  name: 'allocateSuspense',
  method: 'POST',
  path: '/suspense/:suspenseGuid/allocate',
  area,
  summary: 'Allocate money in suspense',
  description:
    'Registers it as a payment for one of: a case, a payment reference, a debtor. The default value date is the bank’s.',
  access: ['payment.write'],
  params: ofSuspense,
  body: SuspenseAllocation,
  status: 200,
  response: Suspense,
  problems: ['conflict'],
  example: { body: { paymentReferenceNumber: '10000817' } },
})
export const divideSuspense = operation({
  id: 'divideSuspense',
  name: 'divideSuspense',
  method: 'POST',
  path: '/suspense/:suspenseGuid/divide',
  area,
  summary: 'Divide money in suspense',
  description:
    'Registers a payment for each part, in the currency of the money: each for one of a case, a payment reference, a debtor. All of them or, when one is refused, none. What the parts leave stays in suspense: `suspense.amount` is then the rest.',
  access: ['payment.write'],
  params: ofSuspense,
  body: SuspenseDivision,
  status: 200,
  response: DividedSuspense,
  problems: ['conflict'],
  example: {
    body: {
      parts: [
        { paymentReferenceNumber: '10000817', amount: 150 },
        { debtorGuid: '0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70', amount: 49.5 },
      ],
    },
  },
})
export const refundSuspense = operation({
  id: 'refundSuspense',
  name: 'refundSuspense',
  method: 'POST',
  path: '/suspense/:suspenseGuid/refund',
  area,
  summary: 'Refund money in suspense',
  description: 'Books a refund to the sender. The transfer itself is made at the bank.',
  access: ['payment.write'],
  params: ofSuspense,
  body: SuspenseRefund,
  status: 200,
  response: Suspense,
  problems: ['conflict'],
  example: { body: { note: 'Sent to us by mistake; refunded to the same account.' } },
})
