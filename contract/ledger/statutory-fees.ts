/** Statutory fees: what is shipped with its sources, and what the installation made of it. */
import type { Static } from 'typebox'
import { date, flag, guid, inputOf, money, outputOf, text } from '../metadata/fields.ts'
import { operation } from '../platform/operation.ts'
import { page, pageQuery } from '../platform/page.ts'

const feeFields = {
  statutoryFeeGuid: guid('Statutory fee', { readOnly: true }),
  countryCode: text(2, 'Country', { lookup: 'country' }),
  feeType: text(40, 'Kind of fee', { lookup: 'feetype' }),
  debtorKind: text(10, 'Debtors', { lookup: 'debtorkind' }),
  currencyCode: text(3, 'Currency', { lookup: 'currency' }),
  validFrom: date('First day'),
  validTo: date('Last day'),
  principalAbove: money('Principal above'),
  principalUpTo: money('Principal up to'),
  amount: money('At most'),
  secondAmount: money('A second one at most'),
  stage: text(40, 'Stage'),
  creditorDeductsVat: flag('The creditor deducts VAT'),
  condition: text(500, 'When it may be charged'),
  source: text(500, 'Where it is published'),
  unverified: flag('Nobody has seen it in its source', { readOnly: true }),
  edited: flag('Set by an administrator', { readOnly: true }),
}
/** The dictionary of a statutory fee: every field once. */
export const statutoryFeeFields = feeFields

export const StatutoryFee = outputOf(feeFields, Object.keys(feeFields) as (keyof typeof feeFields)[], {
  $id: 'StatutoryFee',
})
export type StatutoryFee = Static<typeof StatutoryFee>

/** What tells a fee from others, apart from the day from which it is so. */
export const slotMembers = [
  'countryCode',
  'feeType',
  'debtorKind',
  'currencyCode',
  'principalAbove',
  'principalUpTo',
  'stage',
  'creditorDeductsVat',
] as const
/** What may be corrected of a version. */
export const correctedMembers = ['validTo', 'amount', 'secondAmount', 'condition', 'source'] as const

export const StatutoryFeeInput = inputOf(feeFields, [...slotMembers, 'validFrom', ...correctedMembers], {
  $id: 'StatutoryFeeInput',
})
export type StatutoryFeeInput = Static<typeof StatutoryFeeInput>

export const StatutoryFeeCorrection = inputOf(feeFields, correctedMembers, { $id: 'StatutoryFeeCorrection' })
export type StatutoryFeeCorrection = Static<typeof StatutoryFeeCorrection>

export const listStatutoryFees = operation({
  id: 'listStatutoryFees',
  name: 'listStatutoryFees',
  method: 'GET',
  path: '/system/statutoryfees',
  area: 'System',
  summary: 'List statutory fees',
  description:
    'What collection may cost the debtor at most, by country, kind of debtor and principal. A version ends on its last day or before the next one of the same fee. What was not looked up in its source is `unverified`; what an administrator set is `edited`. Not legal advice.',
  access: ['system.read'],
  query: pageQuery,
  status: 200,
  response: page(StatutoryFee),
  example: {
    query: { $filter: "countryCode eq 'SE' and feeType eq 'reminder'", $orderby: 'validFrom desc' },
  },
})
