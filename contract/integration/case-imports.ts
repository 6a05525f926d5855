/**
 * The columns of import files of cases, invoices, payments and payment plans: the field codes of the forms, with
 * references instead of GUIDs.
 */
import { Type, type Static } from 'typebox'
import { InvoiceInput, PaymentInput, RegisterCaseInput } from '../cases/case-inputs.ts'
import { date, text } from '../metadata/fields.ts'
import { PaymentPlanInput } from '../plans/payment-plan-inputs.ts'

const references = {
  partyReferenceCode: Type.Optional(text(200, "Client: the source's own reference, or the client's code")),
  debtorReference: Type.Optional(text(200, "Debtor: the source's own reference, or our reference number")),
  caseReference: Type.Optional(text(200, "Case: the source's own reference, or our case number")),
}
const { clientGuid: _client, debtorGuid: _debtor, ...caseMembers } = RegisterCaseInput.properties
const { caseGuid: _case, debtorGuid: _payer, ...paymentMembers } = PaymentInput.properties

export const CaseRow = Type.Object(
  {
    ...caseMembers,
    partyReferenceCode: references.partyReferenceCode,
    debtorReference: references.debtorReference,
    registrationDate: Type.Optional(date('Registered; none for the business date')),
  },
  { additionalProperties: false },
)
export type CaseRow = Static<typeof CaseRow>

export const InvoiceRow = Type.Object(
  { ...InvoiceInput.properties, caseReference: references.caseReference },
  { additionalProperties: false },
)
export type InvoiceRow = Static<typeof InvoiceRow>

export const PaymentRow = Type.Object(
  {
    ...paymentMembers,
    caseReference: references.caseReference,
    debtorReference: references.debtorReference,
  },
  { additionalProperties: false },
)
export type PaymentRow = Static<typeof PaymentRow>

const { payments: _deviations, cases: _cases, ...planMembers } = PaymentPlanInput.properties

export const PlanRow = Type.Object(
  {
    ...planMembers,
    debtorReference: references.debtorReference,
    caseReferences: Type.Optional(
      Type.Unsafe<string[] | null>({
        type: ['array', 'null'],
        items: { type: 'string', maxLength: 200 },
        maxItems: 1000,
        title:
          "Cases: the source's own references, or our case numbers; none for every open case without a plan",
      }),
    ),
    firstDueDate: Type.Optional(date('First payment due on; none for the days of the terms')),
  },
  { additionalProperties: false },
)
export type PlanRow = Static<typeof PlanRow>
