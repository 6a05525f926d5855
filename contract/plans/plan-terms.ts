/**
 * A client's own terms for payment plans. Null inherits the term from the parent party, finally from the installation.
 */
import { Type, type Static } from 'typebox'
import { code, flag, guid, inputSchema, integer, lines, money } from '../metadata/fields.ts'
import { planSettings } from './payment-plan-inputs.ts'

export const planTermFields = {
  clientGuid: guid('Client', { readOnly: true }),
  firstDueDays: integer('First payment due after days', { minimum: 0, maximum: 365 }),
  intervalType: code('Interval', { 1: 'day', 2: 'week', 3: 'month', 4: 'year' }, { lookup: 'intervaltype' }),
  graceDays: integer('Days of grace', { minimum: 0, maximum: 365 }),
  missesToBreach: integer('Missed payments until breach', { minimum: 1, maximum: 100 }),
  registrationFee: money('Registration fee'),
  invoiceFee: money('Fee per payment'),
  reminderFee: money('Fee for a late payment'),
  freeMonths: Type.Unsafe<string[] | null>({
    type: ['array', 'null'],
    items: { type: 'string', enum: ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12'] },
    maxItems: 11,
    title: 'Months without a payment in debt relief',
  }),
  ...planSettings,
  warnings: lines(4000, 'Warnings', { readOnly: true }),
  planTermsOfParent: flag('All as the party above has them'),
}

export const planTermNames = [
  'firstDueDays',
  'intervalType',
  'graceDays',
  'missesToBreach',
  'registrationFee',
  'invoiceFee',
  'reminderFee',
  'freeMonths',
  'businessDays',
  'evenPayments',
  'closingPayment',
] as const

/** Omitted and null members stay. `planTermsOfParent` resets all terms before the other members apply. */
export const PlanTermsInput = inputSchema(planTermFields, [...planTermNames, 'planTermsOfParent'], {
  $id: 'PlanTermsInput',
})
export type PlanTermsInput = Static<typeof PlanTermsInput>
