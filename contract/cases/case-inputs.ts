/** The input of the forms of cases: the field codes of the contract's section 13, for the forms and for imports. */
import { Type, type Static } from 'typebox'
import { date, flag, inputSchema, key, lines, money, text, type FieldMeta } from '../metadata/fields.ts'

const nullable = <T>(schema: object, meta: FieldMeta = {}) =>
  Type.Unsafe<T | null>({ ...schema, 'x-field': meta })
const guid = (title: string, lookup: string) =>
  nullable<string>({ type: ['string', 'null'], format: 'uuid', title }, { lookup })
const amount = (title: string) => nullable<number>({ type: ['number', 'null'], title }, { kind: 'money' })
const percent = (title: string) => nullable<number>({ type: ['number', 'null'], title })

const strings = (title: string, schema: object) =>
  nullable<string[]>({ type: ['array', 'null'], title, ...schema })

/** PostgreSQL cannot store NUL in a text. */
const withoutNul = '^[^\\u0000]*$'
const longText = (title: string) =>
  nullable<string>(
    { type: ['string', 'null'], maxLength: 2000, pattern: withoutNul, title },
    { kind: 'text' },
  )

const fields = {
  clientGuid: guid('Client', 'client'),
  debtorGuid: guid('Debtor', 'debtor'),
  debtorRole: text(20, 'Role', { lookup: 'debtorrole' }),
  service: text(20, 'Service', { lookup: 'caseservice' }),
  clientReferenceNumber: text(50, "Client's reference"),
  currencyCode: text(3, 'Currency', { lookup: 'currency' }),
  principal: amount('Principal'),
  interest: amount('Interest up to the registration'),
  fee: amount('Costs up to the registration'),
  courtCosts: amount('Costs that a court or an enforcement authority set'),
  feeDate: date('Costs charged on; none for the registration'),
  interestRate: percent("Interest, percent a year; none for the client's terms"),
  interestFromDate: date('Interest from; that day itself has none'),
  invoiceNumber: text(50, 'Invoice number'),
  invoiceDate: date('Invoice date'),
  dueDate: date('Due date'),
  description: longText('Description'),
  status: text(20, 'Status', { lookup: 'casestatus' }),
  subStatus: text(30, 'Sub-status', { lookup: 'casesubstatus' }),
  reason: text(30, 'Reason', { lookup: 'holdreason' }),
  holdFrom: date('First day of the hold'),
  holdUntil: date('Last day of the hold'),
  interestPaused: flag('Interest pauses during the hold'),
  closureCode: text(30, 'Closure code', { lookup: 'closurecode' }),
  caseGuid: guid('Case', 'case'),
  paymentReferenceNumber: text(30, 'Payment reference'),
  amount: amount('Amount'),
  valueDate: date('Value date; none for the business date'),
  payerReference: text(100, "Payer's reference", { personalData: 'name' }),
  toThirdParty: flag('Paid straight to the client or another party'),
  feeType: text(40, 'Kind of fee', { lookup: 'feetype' }),
  component: text(10, 'Component: principal, interest or cost; none for all', { lookup: 'claimcomponent' }),
  reversalReason: text(200, 'Reason'),
  bounced: flag('The bank took the money back'),
  interestSeries: text(5, 'Series of reference rates', { lookup: 'rateseries' }),
  interestPoints: percent('Percentage points above the reference rate'),
  interestDayCount: text(20, 'Days of a year by contract; none for the law', { lookup: 'daycount' }),
  bankAccountNo: text(40, 'Bank account'),
  lettersByEmail: flag('Letters go by e-mail to debtors who have an address'),
  reminderFeeAgreed: flag('A fee for reminders was agreed when the debt arose'),
  dueDateBasis: text(10, 'What the due date rests on', { lookup: 'duedatebasis' }),
  bundleClaims: flag('Claims on one debtor are demanded together'),
  demandedAlone: flag('Demanded by itself, apart from other claims'),
  demandedWith: guid('Demanded together with', 'case'),
  demandReason: text(500, 'Reason', { personalData: 'name' }),
  governingCountry: text(2, 'Governing country', { lookup: 'country' }),
  countryReason: text(500, 'Reason for another governing country', { personalData: 'name' }),
  noticeDeadline: date('Deadline of the collection notice that the creditor sent'),
  minorClaimChecked: flag('The ground of a claim on a minor was examined'),
  overrideReason: text(500, 'Reason for going beyond a rule of law that leaves it to agreement'),
  validFrom: date('Valid from'),
  rate: percent('Percent a year; may be below zero'),
  source: text(500, 'Where it is published'),
  claimKind: text(20, 'What the claim is for', { lookup: 'claimkind' }),
  services: strings('Services bought', { maxItems: 10, items: { type: 'string', maxLength: 20 } }),
  fees: strings('Fees of its own: the kind and the amount, one a line', {
    maxItems: 50,
    items: { type: 'string', maxLength: 80 },
  }),
  interruption: text(20, 'What interrupted the limitation', { lookup: 'interruption' }),
  interruptedDate: date('Interrupted on'),
  inWriting: flag('Acknowledged in writing, with the amount'),
  allocationOrder: text(30, 'Order in which money is used', { lookup: 'allocationorder' }),
  tolerance: amount('What may remain when a case counts as paid'),
  // Results of recalculations.
  remainingInterest: money('Interest, remaining', { readOnly: true }),
  remainingSum: money('Sum, remaining', { readOnly: true }),
  allocatedPrincipal: money('To principal', { readOnly: true }),
  allocatedInterest: money('To interest', { readOnly: true }),
  allocatedFee: money('To costs', { readOnly: true }),
  credit: money('Left over', { readOnly: true }),
  allocation: lines(2000, 'Per case', { readOnly: true }),
  warnings: lines(4000, 'Warnings', { readOnly: true }),
  limitationDate: date('Time-barred on', { readOnly: true }),
  reversedDate: date('Reversed on', { readOnly: true }),
  caseNumber: key(20, 'Case number', { readOnly: true }),
}
/** The dictionary of the input of the forms of cases. */
export const caseInputFields = fields

export const RegisterCaseInput = inputSchema(
  fields,
  [
    'clientGuid',
    'debtorGuid',
    'debtorRole',
    'service',
    'clientReferenceNumber',
    'currencyCode',
    'principal',
    'interest',
    'fee',
    'feeType',
    'feeDate',
    'courtCosts',
    'interestRate',
    'interestFromDate',
    'invoiceNumber',
    'invoiceDate',
    'dueDate',
    'dueDateBasis',
    'description',
    'claimKind',
    'reminderFeeAgreed',
    'noticeDeadline',
  ],
  { $id: 'RegisterCaseInput' },
)
export type RegisterCaseInput = Static<typeof RegisterCaseInput>

export const ChangeCaseInput = inputSchema(
  fields,
  ['clientReferenceNumber', 'service', 'description', 'claimKind'],
  {
    $id: 'ChangeCaseInput',
  },
)
export type ChangeCaseInput = Static<typeof ChangeCaseInput>

export const CaseLawInput = inputSchema(
  fields,
  ['governingCountry', 'countryReason', 'reminderFeeAgreed', 'noticeDeadline', 'minorClaimChecked'],
  {
    $id: 'CaseLawInput',
  },
)
export type CaseLawInput = Static<typeof CaseLawInput>

export const CaseDemandInput = inputSchema(fields, ['demandedAlone', 'demandedWith', 'demandReason'], {
  $id: 'CaseDemandInput',
})
export type CaseDemandInput = Static<typeof CaseDemandInput>

export const CaseDebtorInput = inputSchema(fields, ['debtorGuid', 'debtorRole'], { $id: 'CaseDebtorInput' })
export type CaseDebtorInput = Static<typeof CaseDebtorInput>

export const CaseStatusInput = inputSchema(fields, ['status', 'subStatus', 'overrideReason'], {
  $id: 'CaseStatusInput',
})
export type CaseStatusInput = Static<typeof CaseStatusInput>

export const HoldCaseInput = inputSchema(fields, ['reason', 'holdFrom', 'holdUntil', 'interestPaused'], {
  $id: 'HoldCaseInput',
})
export type HoldCaseInput = Static<typeof HoldCaseInput>

export const CloseCaseInput = inputSchema(fields, ['closureCode'], { $id: 'CloseCaseInput' })
export type CloseCaseInput = Static<typeof CloseCaseInput>

export const InvoiceInput = inputSchema(
  fields,
  [
    'invoiceNumber',
    'invoiceDate',
    'dueDate',
    'dueDateBasis',
    'principal',
    'interestRate',
    'interestFromDate',
    'description',
  ],
  { $id: 'InvoiceInput' },
)
export type InvoiceInput = Static<typeof InvoiceInput>

export const CreditInput = inputSchema(fields, ['amount', 'valueDate'], { $id: 'CreditInput' })
export type CreditInput = Static<typeof CreditInput>

export const PaymentInput = inputSchema(
  fields,
  [
    'caseGuid',
    'debtorGuid',
    'paymentReferenceNumber',
    'amount',
    'currencyCode',
    'valueDate',
    'payerReference',
    'toThirdParty',
  ],
  { $id: 'PaymentInput' },
)
export type PaymentInput = Static<typeof PaymentInput>

export const FeeInput = inputSchema(fields, ['feeType', 'amount', 'valueDate', 'overrideReason'], {
  $id: 'FeeInput',
})
export type FeeInput = Static<typeof FeeInput>

export const WriteOffInput = inputSchema(fields, ['amount', 'component', 'valueDate'], {
  $id: 'WriteOffInput',
})
export type WriteOffInput = Static<typeof WriteOffInput>

export const TermsInput = inputSchema(
  fields,
  ['interestRate', 'interestSeries', 'interestPoints', 'allocationOrder', 'tolerance', 'valueDate'],
  { $id: 'TermsInput' },
)
export type TermsInput = Static<typeof TermsInput>

export const InterestRateInput = inputSchema(fields, ['interestSeries', 'validFrom', 'rate', 'source'], {
  $id: 'InterestRateInput',
})
export type InterestRateInput = Static<typeof InterestRateInput>

export const InterestRateCorrection = inputSchema(fields, ['rate', 'source'], {
  $id: 'InterestRateCorrection',
})
export type InterestRateCorrection = Static<typeof InterestRateCorrection>

export const ClientTermsInput = inputSchema(
  fields,
  [
    'interestRate',
    'interestSeries',
    'interestPoints',
    'interestDayCount',
    'allocationOrder',
    'tolerance',
    'bankAccountNo',
    'claimKind',
    'services',
    'fees',
    'lettersByEmail',
    'bundleClaims',
    'reminderFeeAgreed',
    'dueDateBasis',
  ],
  { $id: 'ClientTermsInput' },
)
export type ClientTermsInput = Static<typeof ClientTermsInput>

export const ReversalInput = Type.Object(
  { reason: Type.Optional(fields.reversalReason), bounced: Type.Optional(fields.bounced) },
  { $id: 'ReversalInput', additionalProperties: false },
)
export type ReversalInput = Static<typeof ReversalInput>

export const CreditMoveInput = inputSchema(fields, ['amount', 'valueDate'], { $id: 'CreditMoveInput' })
export type CreditMoveInput = Static<typeof CreditMoveInput>

export const InterruptionInput = inputSchema(fields, ['interruption', 'interruptedDate', 'inWriting'], {
  $id: 'InterruptionInput',
})
export type InterruptionInput = Static<typeof InterruptionInput>
