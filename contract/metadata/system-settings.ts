import type { Static } from 'typebox'
import { flag, inputSchema, integer, money, text } from './fields.ts'

const days = { minimum: 0, maximum: 3650 }
const fields = {
  countryCode: text(2, 'Country', { lookup: 'country' }),
  currencyCode: text(3, 'Currency', { lookup: 'currency' }),
  languageCode: text(2, 'Language', { lookup: 'language' }),
  tolerance: money('Small balance written off up to'),
  firstDueDays: integer('First payment due after days', days),
  graceDays: integer('Days of grace', days),
  missesToBreach: integer('Missed payments until breach', { minimum: 1, maximum: 600 }),
  registrationFee: money('Registration fee'),
  invoiceFee: money('Invoice fee'),
  reminderFee: money('Reminder fee'),
  contactsPerWeek: integer('Contacts within a week at most', { minimum: 0, maximum: 100 }),
  answerDays: integer('Days to answer an objection', { minimum: 1, maximum: 365 }),
  contactsUnlimited: flag('No limit to the contacts within a week'),
  proposedContactRules: flag('Keep to proposed contact rules'),
  letterPrice: money('Cost of a posted letter'),
  emailPrice: money('Cost of an e-mail'),
  smsPrice: money('Cost of an SMS'),
  callPrice: money('Cost of a call'),
}
/** The dictionary of the installation's settings: the defaults for clients and cases without their own terms. */
export const systemSettingFields = fields

export const SystemSettings = inputSchema(fields, [
  'countryCode',
  'currencyCode',
  'languageCode',
  'tolerance',
  'firstDueDays',
  'graceDays',
  'missesToBreach',
  'registrationFee',
  'invoiceFee',
  'reminderFee',
  'contactsPerWeek',
  'contactsUnlimited',
  'proposedContactRules',
  'answerDays',
  'letterPrice',
  'emailPrice',
  'smsPrice',
  'callPrice',
])
export type SystemSettings = Static<typeof SystemSettings>
