/** Bank files with payments, and money in suspense: operations that the specification does not have. */
import { Type, type Static } from 'typebox'
import { date, dateTime, guid, inputSchema, key, outputSchema, text } from '../metadata/fields.ts'
import { operation } from '../platform/operation.ts'
import { page, pageQuery } from '../platform/page.ts'

/** Maximum bytes of a file over HTTP; the command line accepts larger ones. */
export const paymentFileBytesMax = 64 * 1_048_576

const counted = (title: string) => Type.Integer({ title, minimum: 0 })
const nullableGuid = (title: string) =>
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'uuid',
    title,
    'x-field': { readOnly: true },
  })
const strings = (title: string) =>
  Type.Unsafe<string[]>({
    type: 'array',
    items: { type: 'string' },
    title,
    'x-field': { unfilterable: true, readOnly: true },
  })
const enumField = <const T extends string>(values: readonly T[], title: string) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], title, 'x-field': { readOnly: true } })

export const paymentFileFormats = ['CAMT053', 'CAMT054', 'BGMAX', 'OCRGIRO'] as const
export const entryOutcomes = ['WAITING', 'BOOKED', 'SUSPENSE', 'ALREADY_THERE', 'NOT_BOOKED'] as const
export const entryReasons = [
  'NO_REFERENCE',
  'SEVERAL_REFERENCES',
  'UNKNOWN_REFERENCE',
  'OTHER_CURRENCY',
  'VALUE_DATE',
  'REFUSED',
  'DEBIT',
  'REVERSAL',
  'PENDING',
  'BATCH_WITHOUT_DETAILS',
  'ZERO',
] as const
export type EntryReason = (typeof entryReasons)[number]
export const suspenseStatuses = ['OPEN', 'ALLOCATED', 'REFUNDED'] as const

const EntryPart = Type.Object(
  {
    paymentReferenceNumber: key(35, 'Payment reference'),
    amount: Type.Number({ title: 'Amount', 'x-field': { kind: 'money' } }),
    paymentGuid: nullableGuid('Payment'),
    reason: Type.Unsafe<EntryReason | null>({
      type: ['string', 'null'],
      enum: [...entryReasons, null],
      title: 'Why the part is in suspense',
    }),
  },
  { $id: 'PaymentFileEntryPart' },
)

const fields = {
  paymentFileGuid: guid('File', { readOnly: true }),
  format: enumField(paymentFileFormats, 'Format'),
  fileName: text(255, 'Name of the file'),
  messageId: text(35, 'What the sender calls it'),
  bytes: counted('Bytes'),
  businessDate: date('Received on the business date'),
  receivedAt: dateTime('Received at'),
  receivedBy: nullableGuid('User who sent it; null for the command line'),
  postedAt: dateTime('All booked at; null while entries wait'),
  entries: counted('Entries'),
  booked: counted('Booked as payments'),
  suspended: counted('Put into suspense'),
  alreadyThere: counted('In an earlier file already'),
  notBooked: counted('No payments: money out, reversals, not booked by the bank yet'),
  entryGuid: guid('Entry', { readOnly: true }),
  number: Type.Integer({ title: 'Place in the file, from 1 on' }),
  account: key(34, 'Our account'),
  currencyCode: key(3, 'Currency'),
  amount: Type.Number({ title: 'Amount', 'x-field': { kind: 'money' } }),
  bookingDate: date('Booked by the bank on'),
  valueDate: date('Value date'),
  references: strings('References of the payer'),
  payerName: text(140, 'Payer', { personalData: 'name' }),
  message: text(500, "Payer's message", { personalData: 'name' }),
  outcome: enumField(entryOutcomes, 'What became of it'),
  reason: Type.Unsafe<EntryReason | null>({
    type: ['string', 'null'],
    enum: [...entryReasons, null],
    title: 'Why it is in suspense or no payment',
    'x-field': { readOnly: true },
  }),
  paymentGuid: nullableGuid('Payment'),
  parts: Type.Array(EntryPart, {
    title: 'Amounts that the payer gave for several references',
    'x-field': { unfilterable: true, readOnly: true },
  }),
  dividedFrom: nullableGuid('The money that it was a part of'),
  suspenseGuid: guid('Suspense', { readOnly: true }),
  status: enumField(suspenseStatuses, 'Status'),
  settledDate: date('Allocated or paid back on'),
  settledBy: nullableGuid('By which user'),
  note: text(200, 'Whereto and why it was paid back'),
  caseGuid: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'uuid',
    title: 'Case',
    'x-field': { lookup: 'case' },
  }),
  debtorGuid: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'uuid',
    title: 'Debtor',
    'x-field': { lookup: 'debtor' },
  }),
  paymentReferenceNumber: text(30, 'Payment reference'),
}

export const PaymentFile = outputSchema(
  fields,
  [
    'paymentFileGuid',
    'format',
    'fileName',
    'messageId',
    'bytes',
    'businessDate',
    'receivedAt',
    'receivedBy',
    'postedAt',
    'entries',
    'booked',
    'suspended',
    'alreadyThere',
    'notBooked',
  ],
  { $id: 'PaymentFile' },
)
export type PaymentFile = Static<typeof PaymentFile>

export const PaymentFileEntry = outputSchema(
  fields,
  [
    'entryGuid',
    'number',
    'account',
    'currencyCode',
    'amount',
    'bookingDate',
    'valueDate',
    'references',
    'payerName',
    'message',
    'outcome',
    'reason',
    'paymentGuid',
    'parts',
  ],
  { $id: 'PaymentFileEntry' },
)
export type PaymentFileEntry = Static<typeof PaymentFileEntry>

export const Suspense = outputSchema(
  fields,
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
  fields,
  ['caseGuid', 'debtorGuid', 'paymentReferenceNumber', 'valueDate'],
  { $id: 'SuspenseAllocation' },
)
export type SuspenseAllocation = Static<typeof SuspenseAllocation>

const divisionPart = Type.Object(
  {
    caseGuid: Type.Optional(fields.caseGuid),
    debtorGuid: Type.Optional(fields.debtorGuid),
    paymentReferenceNumber: Type.Optional(fields.paymentReferenceNumber),
    amount: Type.Number({ title: 'Amount, above zero', 'x-field': { kind: 'money' } }),
  },
  { $id: 'SuspenseDivisionPart', additionalProperties: false },
)
export const SuspenseDivision = Type.Object(
  {
    parts: Type.Array(divisionPart, { minItems: 1, maxItems: 100, title: 'What each case or debtor gets' }),
    valueDate: Type.Optional(fields.valueDate),
  },
  { $id: 'SuspenseDivision', additionalProperties: false },
)
export type SuspenseDivision = Static<typeof SuspenseDivision>
export const DividedSuspense = Type.Object(
  { suspense: Suspense, parts: Type.Array(Suspense, { title: 'The parts, each with its payment' }) },
  { $id: 'DividedSuspense' },
)
export type DividedSuspense = Static<typeof DividedSuspense>

export const SuspenseRefund = inputSchema(fields, ['note'], { $id: 'SuspenseRefund' })
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

const checkedAmount = fields.amount
export const PaymentFileCheck = Type.Object(
  {
    format: fields.format,
    messageId: fields.messageId,
    receivedBefore: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'uuid',
      title: 'The same file, when it was received before',
    }),
    entries: fields.entries,
    booked: counted('Would be booked as payments'),
    suspended: counted('Would go into suspense'),
    alreadyThere: fields.alreadyThere,
    returned: counted('Returns by the bank'),
    notBooked: counted('Other entries that are no payments'),
    untried: counted('Not tried: only the first 5,000 payments are'),
    needsApproval: Type.Boolean({ title: 'Its sum is above the limit of the caller’s role for bank files' }),
    accounts: Type.Array(
      Type.Object({
        account: fields.account,
        currencyCode: fields.currencyCode,
        entries: fields.entries,
        booked: Type.Number({ title: 'Amount that would be booked' }),
        suspended: Type.Number({ title: 'Amount that would go into suspense' }),
        owner: Type.Unsafe<string | null>({
          type: ['string', 'null'],
          title: 'Whose account it is: the agency or a client; null when no party has it',
        }),
        isKnown: Type.Boolean({ title: 'A party has it, or an earlier file was of it' }),
      }),
      { title: 'The accounts of the file' },
    ),
    problems: Type.Array(
      Type.Object({
        number: fields.number,
        amount: checkedAmount,
        currencyCode: fields.currencyCode,
        valueDate: fields.valueDate,
        payerName: fields.payerName,
        outcome: fields.outcome,
        reason: fields.reason,
      }),
      { title: 'The first 20 entries that would not be booked, those for suspense first' },
    ),
  },
  { $id: 'PaymentFileCheck' },
)
export type PaymentFileCheck = Static<typeof PaymentFileCheck>

const heldFields = {
  heldFileGuid: guid('Held file', { readOnly: true }),
  fileName: fields.fileName,
  sha256: key(64, 'SHA-256 of the file, hexadecimal'),
  bytes: fields.bytes,
  heldAt: dateTime('Held at'),
  heldBy: guid('User who sent it'),
}
export const HeldPaymentFile = outputSchema(
  heldFields,
  ['heldFileGuid', 'fileName', 'sha256', 'bytes', 'heldAt', 'heldBy'],
  { $id: 'HeldPaymentFile' },
)
export type HeldPaymentFile = Static<typeof HeldPaymentFile>

const area = 'Debtors'
const ofFile = Type.Object({ paymentFileGuid: guid('File') })
const ofSuspense = Type.Object({ suspenseGuid: guid('Suspense') })
const read = { area, method: 'GET', access: ['payment.read'], status: 200 } as const

const sentFile = {
  query: Type.Object(
    { fileName: Type.Optional(text(255, 'Name of the file, to know it by')) },
    { additionalProperties: false },
  ),
  body: Type.Unsafe<Uint8Array>({ type: 'string', contentMediaType: 'application/octet-stream' }),
  bodyType: 'application/octet-stream',
  bodyBytesMax: paymentFileBytesMax,
} as const

export const uploadPaymentFile = operation({
  id: 'uploadPaymentFile',
  name: 'uploadPaymentFile',
  method: 'POST',
  path: '/payment-files',
  area,
  summary: 'Send a file of payments',
  description:
    'A bank file: camt.053 or camt.054 (ISO 20022, versions 02 to 13), BgMax, or OCR giro, detected by its contents. Maximum 64 MiB (the command line accepts larger ones). ' +
    'The whole file is checked, and refused if anything in it is wrong. Its entries are then booked in the background, each by its reference, and `postedAt` is set. Payments without a known case go to suspense. ' +
    'Sending the same file again returns its current state; an entry of an earlier file is not booked again. Where the caller’s role has a limit of `BANK_FILE`, a sum above it is refused with `needs-approval`: send the file to `holdPaymentFile` then. For callers who are not restricted to clients.',
  access: ['payment.write'],
  ...sentFile,
  status: 201,
  response: PaymentFile,
  example: { body: 'NY000010…' },
})
export const checkPaymentFile = operation({
  id: 'checkPaymentFile',
  name: 'checkPaymentFile',
  method: 'POST',
  path: '/payment-files/check',
  area,
  summary: 'Check a file of payments',
  description:
    'Reads and books the file as `uploadPaymentFile` would, and takes everything back: nothing is stored. The answer has the format, the accounts, the counts and the first entries that would not be booked. A file that is wrong is refused with the same 422.',
  access: ['payment.write'],
  body: Type.Unsafe<Uint8Array>({ type: 'string', contentMediaType: 'application/octet-stream' }),
  bodyType: 'application/octet-stream',
  bodyBytesMax: paymentFileBytesMax,
  status: 200,
  response: PaymentFileCheck,
  example: { body: 'NY000010…' },
})
export const holdPaymentFile = operation({
  id: 'holdPaymentFile',
  name: 'holdPaymentFile',
  method: 'POST',
  path: '/payment-files/held',
  area,
  summary: 'Hold a file of payments for a second person',
  description:
    'For a file whose upload was answered `needs-approval`. It is read as a whole, and kept as it is; nothing is booked. Then request its booking: `requestApproval` with the act `BANK_FILE` and the `heldFileGuid` as input. Somebody else approves it, and it is booked with their rights. It is deleted when it is booked, when the request is rejected or withdrawn, after a day without a request, and after 30 days at the latest. 409 for a file that waits for its decision already, and for the eleventh held file of a user.',
  access: ['payment.write'],
  ...sentFile,
  status: 201,
  problems: ['conflict'],
  response: HeldPaymentFile,
  example: { body: 'NY000010…' },
})
const ofHeldFile = Type.Object({ heldFileGuid: guid('Held file') })
export const checkHeldPaymentFile = operation({
  id: 'checkHeldPaymentFile',
  name: 'checkHeldPaymentFile',
  method: 'POST',
  path: '/payment-files/held/:heldFileGuid/check',
  area,
  summary: 'Check a held file of payments',
  description: 'What its booking would do now, as `checkPaymentFile` says of a file. Nothing is stored.',
  access: ['payment.write'],
  params: ofHeldFile,
  status: 200,
  response: PaymentFileCheck,
})
export const bookHeldPaymentFile = operation({
  id: 'bookHeldPaymentFile',
  name: 'bookHeldPaymentFile',
  method: 'POST',
  path: '/payment-files/held/:heldFileGuid/book',
  area,
  summary: 'Book a held file of payments',
  description:
    'As `uploadPaymentFile` of the same file by the caller, whose own limit holds. An approval of `BANK_FILE` does it. 409 when its request was rejected or withdrawn.',
  access: ['payment.write'],
  params: ofHeldFile,
  status: 201,
  problems: ['conflict'],
  response: PaymentFile,
})
export const listPaymentFiles = operation({
  ...read,
  id: 'listPaymentFiles',
  name: 'listPaymentFiles',
  path: '/payment-files',
  summary: 'List files of payments',
  description: 'The latest first, with the outcomes of their entries.',
  query: pageQuery,
  response: page(PaymentFile),
})
export const getPaymentFile = operation({
  ...read,
  id: 'getPaymentFile',
  name: 'getPaymentFile',
  path: '/payment-files/:paymentFileGuid',
  summary: 'Get a file of payments',
  params: ofFile,
  response: PaymentFile,
})
export const listPaymentFileEntries = operation({
  ...read,
  id: 'listPaymentFileEntries',
  name: 'listPaymentFileEntries',
  path: '/payment-files/:paymentFileGuid/entries',
  summary: "List a file's entries",
  description: 'In the order of the file, each with its outcome.',
  params: ofFile,
  query: pageQuery,
  response: page(PaymentFileEntry),
  example: { query: { $filter: "outcome eq 'SUSPENSE'" } },
})
export const listSuspense = operation({
  ...read,
  id: 'listSuspense',
  name: 'listSuspense',
  path: '/suspense',
  summary: 'List money in suspense',
  description:
    'Money received whose case is unknown. It belongs to the agency: a restricted caller sees none.',
  query: pageQuery,
  response: page(Suspense),
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
