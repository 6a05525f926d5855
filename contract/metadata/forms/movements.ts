/** Movements of money on cases that users enter. */
import * as inputs from '../../cases/case-inputs.ts'
import { form, type Access } from './form.ts'

const write: Access = { access: ['case.write'] }
const pay: Access = { access: ['payment.write'] }
const fields = inputs.caseInputFields
const onCase = { fields, takes: { id: 'case' } } as const

export const invoiceCreate = form({
  ...onCase,
  entity: 'invoice',
  type: 'create',
  groups: [
    {
      code: 'claim',
      columns: 2,
      noTopDivider: true,
      fields: ['invoiceNumber', 'invoiceDate', 'dueDate', 'principal', 'description'],
    },
    { code: 'interest', columns: 3, fields: ['interestRate', 'dueDateBasis', 'interestFromDate'] },
  ],
  keys: ['invoiceGuid'],
  open: write,
  submit: { ...write, method: 'POST', body: inputs.InvoiceInput },
  required: ['principal'],
})

const amountAndDate = {
  code: 'amount',
  columns: 2,
  noTopDivider: true,
  fields: ['amount', 'valueDate'],
} as const

export const invoiceCredit = form({
  entity: 'invoice',
  type: 'credit',
  fields,
  groups: [amountAndDate],
  keys: ['movementGuid'],
  takes: { id: 'invoice' },
  open: write,
  submit: { ...write, method: 'POST', body: inputs.CreditInput },
  required: ['amount'],
})

export const paymentRegister = form({
  entity: 'payment',
  type: 'register',
  fields,
  groups: [
    {
      code: 'payment',
      columns: 2,
      noTopDivider: true,
      fields: ['caseGuid', 'paymentReferenceNumber', 'debtorGuid'],
    },
    {
      code: 'amount',
      columns: 2,
      fields: ['amount', 'currencyCode', 'valueDate', 'payerReference', 'toThirdParty'],
    },
    {
      code: 'allocation',
      columns: 2,
      fields: [
        'allocatedPrincipal',
        'allocatedInterest',
        'allocatedFee',
        'credit',
        'remainingSum',
        'allocation',
      ],
    },
  ],
  keys: ['paymentGuid'],
  takes: {},
  idGives: { field: 'caseGuid', noun: 'case' },
  open: pay,
  submit: { ...pay, method: 'POST', body: inputs.PaymentInput },
  required: ['amount'],
  recalculations: [
    {
      code: 'allocation',
      fields: [
        'caseGuid',
        'paymentReferenceNumber',
        'debtorGuid',
        'amount',
        'currencyCode',
        'valueDate',
        'toThirdParty',
      ],
    },
  ],
})

export const paymentReverse = form({
  entity: 'payment',
  noun: 'payment',
  type: 'reverse',
  fields: { ...fields, reason: fields.reversalReason },
  groups: [
    {
      code: 'payment',
      columns: 2,
      noTopDivider: true,
      fields: ['amount', 'currencyCode', 'valueDate', 'payerReference', 'reversedDate', 'reason', 'bounced'],
    },
  ],
  keys: ['paymentGuid'],
  takes: { id: 'payment' },
  record: 'id',
  open: { access: ['payment.read'] },
  submit: { ...pay, method: 'PATCH', body: inputs.ReversalInput },
  required: ['reason'],
})

export const feeAdd = form({
  ...onCase,
  entity: 'fee',
  type: 'add',
  groups: [
    {
      code: 'fee',
      columns: 2,
      noTopDivider: true,
      fields: ['feeType', 'amount', 'valueDate', 'overrideReason'],
    },
  ],
  keys: ['feeGuid'],
  open: write,
  submit: { ...write, method: 'POST', body: inputs.FeeInput },
  required: ['feeType'],
})

export const writeOffRegister = form({
  ...onCase,
  entity: 'writeoff',
  type: 'register',
  groups: [
    { code: 'writeoff', columns: 2, noTopDivider: true, fields: ['amount', 'component', 'valueDate'] },
  ],
  keys: ['writeoffGuid'],
  open: write,
  submit: { ...write, method: 'POST', body: inputs.WriteOffInput },
  required: ['amount'],
})

const ofCredit = {
  ...onCase,
  entity: 'credit',
  groups: [amountAndDate],
  keys: ['movementGuid'],
  open: write,
  submit: { ...write, method: 'POST', body: inputs.CreditMoveInput },
  required: ['amount'],
} as const
export const creditRefund = form({ ...ofCredit, type: 'refund' })
export const creditUse = form({ ...ofCredit, type: 'use' })

export const limitationInterrupt = form({
  ...onCase,
  entity: 'limitation',
  type: 'interrupt',
  groups: [
    {
      code: 'limitation',
      columns: 2,
      noTopDivider: true,
      fields: ['interruption', 'interruptedDate', 'inWriting', 'limitationDate'],
    },
  ],
  keys: ['interruptionGuid'],
  open: write,
  submit: { ...write, method: 'POST', body: inputs.InterruptionInput },
  required: ['interruption'],
})
