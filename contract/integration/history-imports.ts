/** The columns of files of cases with their history. */
import { Type, type Static } from 'typebox'
import { date, flag, money, text } from '../metadata/fields.ts'
import { all, closed, count, decimal, facts, list, note } from './carried-fields.ts'

const references = {
  partyReferenceCode: text(200, "Client: the source's own reference, or the client's code"),
  debtorReference: text(200, "Debtor: the source's own reference, or our reference number"),
}

const terms = {
  interestRate: decimal('Interest, percent a year'),
  interestSeries: text(5, 'Series of reference rates'),
  interestPoints: decimal('Percentage points above the reference rate'),
}

export const CarriedInvoice = Type.Object(
  all({
    invoiceNumber: text(50, 'Invoice number'),
    invoiceDate: date('Invoice date'),
    dueDate: date('Due date'),
    description: note('Description'),
    principal: money('Principal'),
    ...terms,
    interestFromDate: date('Interest from'),
    interestStartRule: text(40, 'The rule of law by which interest begins'),
    opening: flag('Part of the registration; others come with a movement'),
  }),
  closed,
)
export type CarriedInvoice = Static<typeof CarriedInvoice>

export const CarriedPayment = Type.Object(
  all({
    paymentReference: text(100, "The source's own reference"),
    amount: money('The whole amount, also of a payment shared among cases'),
    valueDate: date('Value date'),
    registeredDate: date('Registered'),
    payerReference: text(100, "Payer's reference"),
    toThirdParty: flag('Paid straight to the client or another party'),
    debtorReference: references.debtorReference,
    caseReference: text(200, 'The case that it was registered on, if on one'),
    reversedDate: date('Reversed'),
    reversalReason: text(200, 'Reason of the reversal'),
    bounced: flag('The bank took the money back'),
  }),
  closed,
)
export type CarriedPayment = Static<typeof CarriedPayment>

export const carriedMovementKinds = [
  'payment',
  'thirdPartyPayment',
  'creditUse',
  'refund',
  'fee',
  'writeOff',
  'creditNote',
  'claim',
  'terms',
  'close',
  'reopen',
  'pause',
  'resume',
  'reversal',
] as const
export const CarriedMovement = Type.Object(
  {
    kind: Type.Union(carriedMovementKinds.map((kind) => Type.Literal(kind))) as unknown as ReturnType<
      typeof Type.Unsafe<(typeof carriedMovementKinds)[number]>
    >,
    ...all({
      valueDate: date('Value date'),
      bookedDate: date('Booked'),
      amount: money('Amount'),
      invoice: count('Number of the invoice in the case, from 1'),
      paymentReference: text(100, 'The payment that it is a share of'),
      reverses: count('Number of the movement that it undoes, from 1'),
      allocationOrder: text(30, 'Order in which money is used'),
      tolerance: money('What may remain when a case counts as paid'),
      details: facts('Kind of fee, new terms, component of a write-off and the like'),
    }),
  },
  closed,
)
export type CarriedMovement = Static<typeof CarriedMovement>

const CarriedDebtor = Type.Object(
  all({
    debtorReference: references.debtorReference,
    debtorRole: text(20, 'Role'),
    addedDate: date('Added'),
  }),
  closed,
)
const CarriedInterruption = Type.Object(
  all({
    interruption: text(20, 'What interrupted the limitation'),
    interruptedDate: date('Interrupted on'),
    inWriting: flag('Of an acknowledgement: in writing, with the amount'),
  }),
  closed,
)

export const CaseHistoryRow = Type.Object(
  all({
    ...references,
    service: text(20, 'Service'),
    clientReferenceNumber: text(50, "Client's reference"),
    currencyCode: text(3, 'Currency'),
    registrationDate: date('Registered'),
    description: note('Description'),
    claimKind: text(20, 'What the claim is for'),
    ...terms,
    interest: money('Interest up to the registration'),
    fee: money('Costs up to the registration that are demanded'),
    courtCosts: money('Costs that a court or an enforcement authority set'),
    feeType: text(40, 'Kind of fee'),
    feeDate: date('Costs charged on'),
    withheldFee: money('Costs above the ceiling of the law, which are not demanded'),
    allocationOrder: text(30, 'Order in which money is used'),
    tolerance: money('What may remain when a case counts as paid'),
    dayCount: list(facts('A term'), 20, 'Days of a year by contract'),
    governingCountry: text(2, 'Governing country'),
    governingFrom: date('Governed from'),
    limitationCountry: text(2, 'Country of the limitation'),
    reminderFeeAgreed: flag('A fee for reminders was agreed when the debt arose'),
    dueDateBasis: text(10, 'What the due date rests on; none for AGREED'),
    noticeDeadline: date('Deadline of the collection notice that the creditor sent'),
    minorClaimChecked: flag('The ground of a claim on a minor was examined'),
    demandedAlone: flag('Demanded by itself, apart from other claims'),
    status: text(20, 'Status, also behind a closure'),
    subStatus: text(30, 'Sub-status, also behind a hold or a closure'),
    statusSince: date('Status since'),
    hold: text(30, 'Hold'),
    holdReference: text(36, 'What ties a hold to its movements'),
    holdFrom: date('First day of the hold'),
    holdUntil: date('Last day of the hold'),
    beforePlanStatus: text(20, 'Status before the payment plan'),
    beforePlanSubStatus: text(30, 'Sub-status before the payment plan'),
    closureCode: text(30, 'Closure code'),
    closureDate: date('Closed'),
    invoices: list(CarriedInvoice, 1000, 'Invoices, in order'),
    payments: list(CarriedPayment, 5000, 'Payments with a share in the case'),
    movements: list(CarriedMovement, 10_000, 'Movements, in the order of their booking'),
    debtors: list(CarriedDebtor, 100, 'Debtors besides the main one'),
    interruptions: list(CarriedInterruption, 1000, 'Interruptions of the limitation'),
  }),
  closed,
)
export type CaseHistoryRow = Static<typeof CaseHistoryRow>
