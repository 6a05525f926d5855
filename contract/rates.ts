/** Reference rates and statutory fees: what is shipped with its sources, and what the installation made of it. */
import { Type, type Static, type TSchema } from 'typebox'
import { date, flag, guid, inputOf, key, money, outputOf, text } from './fields.ts'
import { operation } from './operation.ts'
import { page, pageQuery } from './page.ts'

const percent = (title: string) =>
  Type.Unsafe<number>({ type: 'number', title, 'x-field': {} } as unknown as TSchema)

const rateFields = {
  interestRateGuid: guid('Reference rate'),
  interestSeries: key(5, 'Series of reference rates'),
  validFrom: date('First day'),
  rate: percent('Percent a year; may be below zero'),
  source: text(500, 'Where it is published'),
  unverified: flag('Nobody has seen it in its source'),
  edited: flag('Set by an administrator'),
}
export const ReferenceRate = outputOf(rateFields, Object.keys(rateFields) as (keyof typeof rateFields)[], {
  $id: 'ReferenceRate',
})
export type ReferenceRate = Static<typeof ReferenceRate>

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

const list = {
  method: 'GET',
  area: 'System',
  access: ['case.read'],
  query: pageQuery,
  status: 200,
} as const

export const listReferenceRates = operation({
  ...list,
  id: 'listReferenceRates',
  name: 'listReferenceRates',
  path: '/referencerates',
  summary: 'List reference rates',
  description:
    'Each holds from its first day until the next of its series. What was not looked up in its source is `unverified`; what an administrator set is `edited`. Not legal advice.',
  response: page(ReferenceRate),
  example: { query: { $filter: "interestSeries eq 'SE'", $orderby: 'validFrom desc' } },
})
export const listStatutoryFees = operation({
  ...list,
  id: 'listStatutoryFees',
  name: 'listStatutoryFees',
  path: '/statutoryfees',
  summary: 'List statutory fees',
  description:
    'What collection may cost the debtor at most, by country, kind of debtor and principal. A version ends on its last day or before the next one of the same fee. What was not looked up in its source is `unverified`; what an administrator set is `edited`. Not legal advice.',
  response: page(StatutoryFee),
  example: {
    query: { $filter: "countryCode eq 'SE' and feeType eq 'reminder'", $orderby: 'validFrom desc' },
  },
})
