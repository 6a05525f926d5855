/** The operations of the forms of debtors, cases and money. */
import * as cases from '../forms/cases.ts'
import * as debtors from '../forms/debtors.ts'
import * as movements from '../forms/movements.ts'
import * as objections from '../forms/objections.ts'
import * as plans from '../forms/payment-plans.ts'
import * as work from '../forms/work.ts'
import { formOperations as of } from './form-operation.ts'

const debtorGuid = '0198f2c4-7c1e-7a3b-9d52-3f60c1a2b4e1'
const caseGuid = '0198f2c4-7d02-7b61-8c0f-6a1e5b9d3f24'
const clientGuid = '0198f2c4-7b90-7f12-9e44-1c7d2a5b8e03'

export const casework = [
  of(
    debtors.debtorCreate,
    { read: 'getDebtorCreateValues', submit: 'createDebtorByForm' },
    { idNumber: '19900101-2385', firstname: 'Åsa', lastname: 'Lindqvist', city: 'Malmö', countryCode: 'SE' },
  ),
  of(
    debtors.debtorEdit,
    { read: 'getDebtorEditValues', submit: 'updateDebtorByForm', remove: 'deleteDebtor' },
    { email: 'asa.lindqvist@example.com' },
  ),
  of(
    debtors.addressCreate,
    { read: 'getAddressCreateValues', submit: 'createAddressByForm' },
    { addressType: 'LEGAL', street: 'Kungsgatan', houseNo: '4', zipCode: '111 43', city: 'Stockholm' },
  ),
  of(
    debtors.addressEdit,
    { read: 'getAddressEditValues', submit: 'updateAddressByForm', remove: 'deleteAddressByForm' },
    { zipCode: '222 22', city: 'Lund' },
  ),
  of(
    debtors.extraFieldCreate,
    { read: 'getExtraFieldCreateValues', submit: 'createExtraFieldByForm' },
    { name: 'employer', value: 'Skåne Bageri AB' },
  ),
  of(
    debtors.extraFieldEdit,
    { read: 'getExtraFieldEditValues', submit: 'updateExtraFieldByForm', remove: 'deleteExtraFieldByForm' },
    { value: 'Lunds Bageri AB' },
  ),
  of(
    cases.caseRegister,
    { read: 'getCaseRegisterValues', submit: 'registerCase' },
    {
      clientGuid,
      debtorGuid,
      principal: 1250.5,
      currencyCode: 'SEK',
      invoiceNumber: 'F-2026-118',
      invoiceDate: '2026-01-02',
      dueDate: '2026-02-01',
      clientReferenceNumber: 'K-4711',
    },
  ),
  of(
    cases.caseEdit,
    { read: 'getCaseEditValues', submit: 'updateCase' },
    { clientReferenceNumber: 'K-4712', description: 'Broadband, January' },
  ),
  of(
    cases.caseDebtor,
    { read: 'getCaseDebtorValues', submit: 'addCaseDebtor', remove: 'removeCaseDebtor' },
    { debtorGuid, debtorRole: 'CO_DEBTOR' },
  ),
  of(cases.caseStatus, { read: 'getCaseStatusValues', submit: 'setCaseStatus' }, { status: 'AMICABLE' }),
  of(cases.caseHold, { read: 'getCaseHoldValues', submit: 'holdCase' }, { reason: 'HOLD_DISPUTE' }),
  of(cases.caseResume, { read: 'getCaseResumeValues', submit: 'resumeCase' }, {}),
  of(
    cases.caseClose,
    { read: 'getCaseCloseValues', submit: 'closeCase' },
    { closureCode: 'RECALLED_BY_CLIENT' },
  ),
  of(cases.caseReopen, { read: 'getCaseReopenValues', submit: 'reopenCase' }, {}),
  of(
    cases.caseTerms,
    { read: 'getCaseTermsValues', submit: 'setCaseTerms' },
    { interestSeries: 'SE', interestPoints: 8, valueDate: '2026-03-01' },
  ),
  of(
    cases.caseLaw,
    { read: 'getCaseLawValues', submit: 'setCaseLaw' },
    {
      governingCountry: 'SE',
      countryReason: 'The debtor moved before the debt arose.',
      reminderFeeAgreed: true,
    },
  ),
  of(
    cases.caseDemand,
    { read: 'getCaseDemandValues', submit: 'setCaseDemand' },
    { demandedAlone: true, demandReason: 'A court decides on this claim' },
  ),
  of(
    work.caseHandling,
    { read: 'getCaseHandlingValues', submit: 'setCaseHandling' },
    { nextAction: 'Call the debtor’s employer', nextActionDate: '2027-03-01T00:00:00Z' },
  ),
  of(
    cases.clientTerms,
    { read: 'getClientTermsValues', submit: 'setClientTerms' },
    { interestSeries: 'SE', interestPoints: 8, tolerance: 10, lettersByEmail: true },
  ),
  of(
    cases.clientPlanTerms,
    { read: 'getClientPlanTermsValues', submit: 'setClientPlanTerms' },
    { firstDueDays: 14, intervalType: 3, graceDays: 5, freeMonths: '7,12' },
  ),
  of(
    movements.invoiceCreate,
    { read: 'getInvoiceCreateValues', submit: 'addInvoice' },
    { invoiceNumber: 'F-2026-131', invoiceDate: '2026-02-02', dueDate: '2026-03-04', principal: 480 },
  ),
  of(
    movements.invoiceCredit,
    { read: 'getInvoiceCreditValues', submit: 'creditInvoice' },
    { amount: 100, valueDate: '2026-03-02' },
  ),
  of(
    movements.paymentRegister,
    { read: 'getPaymentRegisterValues', submit: 'registerPayment' },
    { caseGuid, amount: 500, currencyCode: 'SEK', valueDate: '2026-03-02', payerReference: 'Åsa Lindqvist' },
  ),
  of(
    movements.paymentReverse,
    { read: 'getPaymentReverseValues', submit: 'reversePayment' },
    { reason: 'Paid by mistake', bounced: false },
  ),
  of(
    movements.feeAdd,
    { read: 'getFeeAddValues', submit: 'addFee' },
    { feeType: 'reminder', amount: 60, valueDate: '2026-03-02' },
  ),
  of(
    movements.writeOffRegister,
    { read: 'getWriteOffRegisterValues', submit: 'registerWriteOff' },
    { amount: 12.4, component: 'interest', valueDate: '2026-03-02' },
  ),
  of(movements.creditRefund, { read: 'getCreditRefundValues', submit: 'refundCredit' }, { amount: 75 }),
  of(movements.creditUse, { read: 'getCreditUseValues', submit: 'useCredit' }, { amount: 75 }),
  of(
    movements.limitationInterrupt,
    { read: 'getLimitationInterruptValues', submit: 'interruptLimitation' },
    { interruption: 'ACKNOWLEDGEMENT', interruptedDate: '2026-02-20' },
  ),
  of(
    objections.objectionCreate,
    { read: 'getObjectionCreateValues', submit: 'recordObjection' },
    { matter: 'OBJECTION', kind: 'PAID', amount: 300, reason: 'Paid on 3 March; see the receipt.' },
  ),
  of(
    objections.objectionAnswer,
    { read: 'getObjectionAnswerValues', submit: 'answerObjection' },
    { answer: 'We have asked the creditor for the payment.', answeredDate: '2026-03-05' },
  ),
  of(
    objections.objectionDecide,
    { read: 'getObjectionDecideValues', submit: 'decideObjection' },
    { decision: 'PARTLY', amount: 200, decisionReason: 'The receipt covers a part.' },
  ),
  of(
    plans.paymentPlanCreate,
    { read: 'getPaymentPlanCreateValues', submit: 'createPaymentPlanByForm' },
    { paymentPlanType: 1, numberOfPayments: 12, currencyCode: 'SEK', cases: caseGuid },
  ),
] as const
