/** The forms of payments and other movements of cases. */
import * as layout from '../../contract/metadata/forms/movements.ts'
import type { InterruptionInput } from '../../contract/cases/case-inputs.ts'
import type { Form } from '../../contract/metadata/forms/form.ts'
import { fromMinor } from '../../core/money/money.ts'
import { handle, type FormCall, type FormHandler } from '../platform/dictionary/handler.ts'
import type { CaseChange } from '../cases/case-status.ts'
import { toMidnightOrNull } from '../../core/calendar/date-time.ts'
import { formContext } from '../cases/cases.forms.ts'
import { requireCase } from '../cases/all-cases.store.ts'
import { refundCredit, useCredit } from './credit.ts'
import { findInvoiceCase } from '../claims/invoices.store.ts'
import { interruptLimitation } from '../cases/limitation/interrupt-limitation.ts'
import { addFee, addInvoice, creditInvoice, registerWriteOff } from '../cases/movements.ts'
import { enterPayment } from './batched-payments.ts'
import { previewPayment, type PaymentPart } from './payments.ts'
import { requirePayment } from './payments.store.ts'
import { reversePayment } from './reverse-payment.ts'
import { notFound } from '../platform/http/errors.ts'

const location = (caseGuid: string) => `/cases/${caseGuid}/movements`

export const movementForms = (): FormHandler[] => [
  caseForm(layout.invoiceCreate, addInvoice),
  handle(layout.invoiceCredit, {
    defaults: async ({ db, caller, id }) => {
      if (id !== '') await requireInvoiceCase(db, caller, id)
      return {}
    },
    create: async ({ db, caller, id, body, ...call }) => {
      const caseGuid = await requireInvoiceCase(db, caller, id)
      const made = await creditInvoice(db, caller, { invoiceGuid: id, input: body }, formContext(call))
      return { record: { ...body, ...made }, location: location(caseGuid) }
    },
  }),
  ...paymentForms(),
  caseForm(layout.feeAdd, addFee),
  caseForm(layout.writeOffRegister, registerWriteOff),
  caseForm(layout.creditRefund, refundCredit),
  caseForm(layout.creditUse, useCredit),
  caseForm(layout.limitationInterrupt, async (db, caller, change: CaseChange<InterruptionInput>, context) => {
    const made = await interruptLimitation(db, caller, change, context)
    return { ...made, limitationDate: toMidnightOrNull(made.limitationDate) }
  }),
]

async function requireInvoiceCase(
  db: FormCall['db'],
  caller: FormCall['caller'],
  invoiceGuid: string,
): Promise<string> {
  const caseGuid = await findInvoiceCase(db, invoiceGuid)
  if (caseGuid === undefined) throw notFound('invoice')
  await requireCase(db, caller, caseGuid, 'invoice')
  return caseGuid
}

/** A form that adds something to a case through the function `add`. */
function caseForm<I extends object>(
  form: Form,
  add: (
    db: FormCall['db'],
    caller: FormCall['caller'],
    change: { caseGuid: string; input: I },
    context: ReturnType<typeof formContext>,
  ) => Promise<object>,
): FormHandler {
  return {
    form,
    defaults: async ({ db, caller, id }) => {
      if (id !== '') await requireCase(db, caller, id)
      return {}
    },
    create: async ({ db, caller, id, body, ...call }: FormCall<I>) => {
      const made = await add(db, caller, { caseGuid: id, input: body }, formContext(call))
      return { record: { ...body, ...made }, location: location(id) }
    },
  }
}

const paymentForms = (): FormHandler[] => [
  handle(layout.paymentRegister, {
    defaults: async ({ db, caller, id }) => {
      if (id !== '') await requireCase(db, caller, id)
      return { toThirdParty: false }
    },
    recalculate: async (_code, { db, caller, body, origin }) =>
      summarizeAllocation(await previewPayment(db, caller, body, { origin })),
    create: async ({ db, caller, body, origin }) => {
      const { paymentGuid, parts } = await enterPayment(db, { caller, input: body, origin })
      const record = { ...body, ...summarizeAllocation(parts), paymentGuid }
      return { record, version: 1, location: location(parts[0]!.caseGuid) }
    },
  }),
  handle(layout.paymentReverse, {
    find: async ({ db, caller, id }) => {
      const found = await requirePayment(db, caller, id)
      const record = {
        ...found,
        amount: fromMinor(BigInt(found.amount), found.currencyCode),
        valueDate: toMidnightOrNull(found.valueDate),
        reversedDate: toMidnightOrNull(found.reversedDate),
        bounced: found.bounced === true,
      }
      return { record, version: found.version }
    },
    store: async ({ db, caller, id, body, ...call }) => {
      await reversePayment(db, caller, { paymentGuid: id, input: body }, formContext(call))
      return (await requirePayment(db, caller, id)).version
    },
  }),
]

/** The allocation of a payment: totals, and a line per case. */
function summarizeAllocation(parts: readonly PaymentPart[]) {
  // The amounts are exact decimals. Rounding removes the binary error of their sum.
  const total = (name: 'principal' | 'interest' | 'fee' | 'credit' | 'remainingSum') =>
    Number(parts.reduce((sum, part) => sum + part[name], 0).toFixed(4))
  return {
    allocatedPrincipal: total('principal'),
    allocatedInterest: total('interest'),
    allocatedFee: total('fee'),
    credit: total('credit'),
    remainingSum: total('remainingSum'),
    allocation: parts
      .map((part) => `${part.caseNumber}: −${totalPart(part)} → ${part.remainingSum}`)
      .join('\n'),
  }
}

const totalPart = ({ principal, interest, fee, credit }: PaymentPart) =>
  Number((principal + interest + fee + credit).toFixed(4))
