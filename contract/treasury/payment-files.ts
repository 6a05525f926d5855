/** Bank files with payments: operations that the specification does not have. */
import { Type, type Static } from 'typebox'
import { date, dateTime, guid, key, outputSchema, text } from '../metadata/fields.ts'
import { operation } from '../platform/operation.ts'
import { page, pageQuery } from '../platform/page.ts'
import { pageWithSums, withSums } from '../platform/sums.ts'

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

/** The dictionary of bank files, their entries and money in suspense: every field once. */
export const paymentFileFields = {
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
  paymentFileFields,
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
  paymentFileFields,
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

const checkedAmount = paymentFileFields.amount
export const PaymentFileCheck = Type.Object(
  {
    format: paymentFileFields.format,
    messageId: paymentFileFields.messageId,
    receivedBefore: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'uuid',
      title: 'The same file, when it was received before',
    }),
    entries: paymentFileFields.entries,
    booked: counted('Would be booked as payments'),
    suspended: counted('Would go into suspense'),
    alreadyThere: paymentFileFields.alreadyThere,
    returned: counted('Returns by the bank'),
    notBooked: counted('Other entries that are no payments'),
    untried: counted('Not tried: only the first 5,000 payments are'),
    needsApproval: Type.Boolean({ title: 'Its sum is above the limit of the caller’s role for bank files' }),
    accounts: Type.Array(
      Type.Object({
        account: paymentFileFields.account,
        currencyCode: paymentFileFields.currencyCode,
        entries: paymentFileFields.entries,
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
        number: paymentFileFields.number,
        amount: checkedAmount,
        currencyCode: paymentFileFields.currencyCode,
        valueDate: paymentFileFields.valueDate,
        payerName: paymentFileFields.payerName,
        outcome: paymentFileFields.outcome,
        reason: paymentFileFields.reason,
      }),
      { title: 'The first 20 entries that would not be booked, those for suspense first' },
    ),
  },
  { $id: 'PaymentFileCheck' },
)
export type PaymentFileCheck = Static<typeof PaymentFileCheck>

const area = 'Debtors'
const ofFile = Type.Object({ paymentFileGuid: guid('File') })

const read = { area, method: 'GET', access: ['payment.read'], status: 200 } as const

const content = {
  body: Type.Unsafe<Uint8Array>({ type: 'string', contentMediaType: 'application/octet-stream' }),
  bodyType: 'application/octet-stream',
  bodyBytesMax: paymentFileBytesMax,
} as const
/** The request of an operation that takes a file. */
export const sentFile = {
  query: Type.Object(
    { fileName: Type.Optional(text(255, 'Name of the file, to know it by')) },
    { additionalProperties: false },
  ),
  ...content,
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
    'The whole file is checked, and refused if anything in it is wrong: a 422 with `unreadableFile`, and with the `line` where there is one. Its entries are then booked in the background, each by its reference, and `postedAt` is set. Payments without a known case go to suspense. ' +
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
  ...content,
  status: 200,
  response: PaymentFileCheck,
  example: { body: 'NY000010…' },
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
  query: withSums(pageQuery, ['amount']),
  response: pageWithSums(PaymentFileEntry, ['amount']),
  example: { query: { $filter: "outcome eq 'SUSPENSE'" } },
})
