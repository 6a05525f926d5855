import { Type } from 'typebox'
import { listAllCases } from '../../cases/all-cases.ts'
import * as inputs from '../../cases/case-inputs.ts'
import { amounts, caseFields } from '../../cases/cases.ts'
import * as planTerms from '../../plans/plan-terms.ts'
import { form, type Access } from './form.ts'

const read: Access = { access: ['case.read'] }
const write: Access = { access: ['case.write'] }
const nothing = Type.Object({}, { additionalProperties: false })

const life = ['status', 'subStatus', 'hold', 'closureCode'] as const

export const caseRegister = form({
  entity: 'case',
  type: 'register',
  fields: inputs.caseInputFields,
  groups: [
    {
      code: 'parties',
      columns: 2,
      noTopDivider: true,
      fields: ['clientGuid', 'clientReferenceNumber', 'debtorGuid', 'debtorRole', 'service', 'claimKind'],
    },
    {
      code: 'law',
      columns: 2,
      fields: ['reminderFeeAgreed', 'noticeDeadline'],
    },
    {
      code: 'claim',
      columns: 2,
      fields: ['invoiceNumber', 'invoiceDate', 'dueDate', 'currencyCode', 'principal', 'interest'],
    },
    { code: 'costs', columns: 2, fields: ['fee', 'feeType', 'feeDate', 'courtCosts'] },
    { code: 'interest', columns: 3, fields: ['interestRate', 'dueDateBasis', 'interestFromDate'] },
    {
      code: 'more',
      columns: 1,
      fields: ['description', 'remainingInterest', 'remainingSum', 'paymentReferenceNumber', 'warnings'],
    },
  ],
  keys: ['caseGuid', 'caseNumber'],
  takes: {},
  open: write,
  submit: { ...write, method: 'POST', body: inputs.RegisterCaseInput },
  required: ['clientGuid', 'debtorGuid', 'principal'],
  recalculations: [
    {
      code: 'totals',
      fields: [
        'clientGuid',
        'debtorGuid',
        'claimKind',
        'invoiceDate',
        'currencyCode',
        'principal',
        'interest',
        'fee',
        'courtCosts',
        'interestRate',
        'interestFromDate',
        'dueDate',
        'dueDateBasis',
      ],
    },
    { code: 'paymentreference', fields: ['clientGuid', 'currencyCode'] },
  ],
})

const ofCase = {
  entity: 'case',
  noun: 'case',
  keys: ['caseGuid'],
  takes: { id: 'case' },
  record: 'id',
  open: read,
} as const
const caseAndInput = { ...caseFields, ...inputs.caseInputFields }

export const caseEdit = form({
  ...ofCase,
  type: 'edit',
  fields: {
    ...caseFields,
    clientReferenceNumber: inputs.caseInputFields.clientReferenceNumber,
    service: inputs.caseInputFields.service,
    description: inputs.caseInputFields.description,
    claimKind: inputs.caseInputFields.claimKind,
  },
  groups: [
    {
      code: 'details',
      columns: 2,
      noTopDivider: true,
      fields: ['caseNumber', 'clientName', 'clientReferenceNumber', 'service', 'claimKind', 'description'],
    },
    {
      code: 'record',
      columns: 2,
      fields: [
        ...life,
        'mainDebtorName',
        'paymentReferenceNumber',
        'registrationDate',
        'closureDate',
        'limitationDate',
        'interruptedBy',
        'interruptedDate',
      ],
    },
    { code: 'amounts', columns: 3, fields: ['currencyCode', ...amounts] },
  ],
  submit: { ...write, method: 'PATCH', body: inputs.ChangeCaseInput },
  rows: [
    {
      list: listAllCases,
      key: 'caseGuid',
      cells: { clientReferenceNumber: 'clientReferenceNumber', service: 'service' },
    },
  ],
})

export const caseDebtor = form({
  entity: 'case',
  noun: 'debtor of the case',
  type: 'debtor',
  fields: inputs.caseInputFields,
  groups: [{ code: 'debtor', columns: 2, noTopDivider: true, fields: ['debtorGuid', 'debtorRole'] }],
  keys: ['debtorGuid'],
  takes: { id: 'case', subId: 'debtor' },
  removes: 'subId',
  open: write,
  submit: { ...write, method: 'POST', body: inputs.CaseDebtorInput },
  remove: write,
  required: ['debtorGuid'],
})

export const caseStatus = form({
  ...ofCase,
  type: 'status',
  fields: caseAndInput,
  groups: [
    { code: 'status', columns: 2, noTopDivider: true, fields: ['status', 'subStatus', 'overrideReason'] },
  ],
  submit: { ...write, method: 'PATCH', body: inputs.CaseStatusInput },
})
export const caseHold = form({
  ...ofCase,
  type: 'hold',
  fields: caseAndInput,
  groups: [
    {
      code: 'hold',
      columns: 2,
      noTopDivider: true,
      fields: ['reason', 'interestPaused', 'holdFrom', 'holdUntil'],
    },
  ],
  submit: { ...write, method: 'PATCH', body: inputs.HoldCaseInput },
  required: ['reason'],
})
export const caseClose = form({
  ...ofCase,
  type: 'close',
  fields: inputs.caseInputFields,
  groups: [{ code: 'closure', columns: 1, noTopDivider: true, fields: ['closureCode', 'remainingSum'] }],
  submit: { ...write, method: 'PATCH', body: inputs.CloseCaseInput },
  required: ['closureCode'],
})
export const caseResume = form({
  ...ofCase,
  type: 'resume',
  fields: caseFields,
  groups: [{ code: 'hold', columns: 2, noTopDivider: true, fields: ['status', 'hold'] }],
  submit: { ...write, method: 'PATCH', body: nothing },
})
export const caseReopen = form({
  ...ofCase,
  type: 'reopen',
  fields: caseFields,
  groups: [{ code: 'closure', columns: 2, noTopDivider: true, fields: ['closureCode', 'closureDate'] }],
  submit: { ...write, method: 'PATCH', body: nothing },
})
export const caseTerms = form({
  ...ofCase,
  type: 'terms',
  fields: inputs.caseInputFields,
  groups: [
    {
      code: 'interest',
      columns: 2,
      noTopDivider: true,
      fields: ['interestRate', 'interestSeries', 'interestPoints', 'valueDate'],
    },
    { code: 'use', columns: 2, fields: ['allocationOrder', 'tolerance'] },
  ],
  submit: { ...write, method: 'PATCH', body: inputs.TermsInput },
})

export const caseLaw = form({
  ...ofCase,
  type: 'law',
  fields: inputs.caseInputFields,
  groups: [
    {
      code: 'law',
      columns: 2,
      noTopDivider: true,
      fields: [
        'governingCountry',
        'countryReason',
        'reminderFeeAgreed',
        'noticeDeadline',
        'minorClaimChecked',
      ],
    },
  ],
  submit: { ...write, method: 'PATCH', body: inputs.CaseLawInput },
})

export const caseDemand = form({
  ...ofCase,
  type: 'demand',
  fields: inputs.caseInputFields,
  groups: [
    {
      code: 'demand',
      columns: 2,
      noTopDivider: true,
      fields: ['demandedAlone', 'demandedWith', 'demandReason'],
    },
  ],
  submit: { ...write, method: 'PATCH', body: inputs.CaseDemandInput },
  required: ['demandReason'],
})

export const clientPlanTerms = form({
  entity: 'client',
  type: 'planterms',
  fields: planTerms.planTermFields,
  groups: [
    {
      code: 'payments',
      columns: 2,
      noTopDivider: true,
      fields: ['firstDueDays', 'intervalType', 'graceDays', 'missesToBreach'],
    },
    { code: 'plansettings', columns: 3, fields: ['businessDays', 'evenPayments', 'closingPayment'] },
    { code: 'planfees', columns: 3, fields: ['registrationFee', 'invoiceFee', 'reminderFee'] },
    { code: 'law', columns: 1, fields: ['warnings'] },
    { code: 'relief', columns: 2, fields: ['freeMonths', 'planTermsOfParent'] },
  ],
  keys: ['clientGuid'],
  takes: { id: 'client' },
  record: 'id',
  open: { access: ['client.read'] },
  submit: { access: ['client.write'], method: 'PATCH', body: planTerms.PlanTermsInput },
  recalculations: [{ code: 'law', fields: ['registrationFee', 'invoiceFee', 'reminderFee'] }],
  lists: { freeMonths: ',' },
})

export const clientTerms = form({
  entity: 'client',
  type: 'terms',
  fields: inputs.caseInputFields,
  groups: [
    {
      code: 'interest',
      columns: 2,
      noTopDivider: true,
      fields: ['interestRate', 'interestSeries', 'interestPoints', 'interestDayCount'],
    },
    { code: 'use', columns: 2, fields: ['allocationOrder', 'tolerance', 'bankAccountNo', 'lettersByEmail'] },
    {
      code: 'business',
      columns: 2,
      fields: ['claimKind', 'services', 'fees', 'reminderFeeAgreed', 'dueDateBasis', 'bundleClaims'],
    },
  ],
  keys: ['clientGuid'],
  takes: { id: 'client' },
  record: 'id',
  open: { access: ['client.read'] },
  submit: { access: ['client.write'], method: 'PATCH', body: inputs.ClientTermsInput },
  lists: { services: ',', fees: '\n' },
})
