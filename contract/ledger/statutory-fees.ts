/** Statutory fees: shipped ones with sources, and the installation's changes. */
import type { Static } from 'typebox'
import { date, flag, guid, inputSchema, money, outputSchema, text } from '../metadata/fields.ts'
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

export const StatutoryFee = outputSchema(feeFields, Object.keys(feeFields) as (keyof typeof feeFields)[], {
  $id: 'StatutoryFee',
})
export type StatutoryFee = Static<typeof StatutoryFee>

/** The members that identify a fee, besides its first day. */
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
/** The members of a version that can be corrected. */
export const correctedMembers = ['validTo', 'amount', 'secondAmount', 'condition', 'source'] as const

export const StatutoryFeeInput = inputSchema(feeFields, [...slotMembers, 'validFrom', ...correctedMembers], {
  $id: 'StatutoryFeeInput',
})
export type StatutoryFeeInput = Static<typeof StatutoryFeeInput>

export const StatutoryFeeCorrection = inputSchema(feeFields, correctedMembers, {
  $id: 'StatutoryFeeCorrection',
})
export type StatutoryFeeCorrection = Static<typeof StatutoryFeeCorrection>

export const listStatutoryFees = operation({
  id: 'listStatutoryFees',
  name: 'listStatutoryFees',
  method: 'GET',
  path: '/system/statutoryfees',
  area: 'System',
  summary: 'List statutory fees',
  description:
    'The maximum that a debtor can be charged for collection, by country, kind of debtor and principal. A version ends on its last day or before the next version of the same fee. `unverified` means that nobody checked its source; `edited` means that an administrator set it. Not legal advice.',
  access: ['system.read'],
  query: pageQuery,
  status: 200,
  response: page(StatutoryFee),
  example: {
    query: { $filter: "countryCode eq 'SE' and feeType eq 'reminder'", $orderby: 'validFrom desc' },
  },
})
