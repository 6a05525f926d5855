/** The forms of reference rates and statutory fees, for administrators. */
import * as inputs from '../../cases/case-inputs.ts'
import { listInterestRates } from '../../ledger/interest-rates.ts'
import * as fees from '../../ledger/statutory-fees.ts'
import { form, type Access } from './form.ts'

const administer: Access = { access: ['system.admin'], unrestricted: true }

const ofRate = {
  entity: 'interestrate',
  noun: 'reference rate',
  fields: inputs.caseInputFields,
  groups: [
    {
      code: 'rate',
      columns: 2,
      noTopDivider: true,
      fields: ['interestSeries', 'validFrom', 'rate', 'source'],
    },
  ],
  keys: ['interestRateGuid'],
  open: administer,
  list: listInterestRates,
} as const

export const interestRateCreate = form({
  ...ofRate,
  type: 'create',
  takes: {},
  submit: { ...administer, method: 'POST', body: inputs.InterestRateInput },
  required: ['interestSeries', 'validFrom', 'rate'],
})

/** Corrects a rate; its series and first day cannot change. */
export const interestRateEdit = form({
  ...ofRate,
  type: 'edit',
  takes: { id: 'interestrate' },
  record: 'id',
  submit: { ...administer, method: 'PATCH', body: inputs.InterestRateCorrection },
  remove: administer,
})

const ofFee = {
  entity: 'statutoryfee',
  noun: 'statutory fee',
  fields: fees.statutoryFeeFields,
  keys: ['statutoryFeeGuid'],
  open: administer,
  list: fees.listStatutoryFees,
} as const
const fee = {
  code: 'fee',
  columns: 2,
  noTopDivider: true,
  fields: ['amount', 'secondAmount', 'validFrom', 'validTo', 'condition', 'source'],
} as const
const slot = { code: 'applies', columns: 2, fields: fees.slotMembers } as const

/** A fee from a given day on. It replaces a version with the same first day. */
export const statutoryFeeCreate = form({
  ...ofFee,
  type: 'create',
  groups: [fee, slot],
  takes: {},
  submit: { ...administer, method: 'POST', body: fees.StatutoryFeeInput },
  required: ['countryCode', 'feeType', 'currencyCode', 'validFrom', 'amount'],
})

/** Corrects a version; its fee and first day cannot change. */
export const statutoryFeeEdit = form({
  ...ofFee,
  type: 'edit',
  groups: [fee, slot],
  takes: { id: 'statutoryfee' },
  record: 'id',
  submit: { ...administer, method: 'PATCH', body: fees.StatutoryFeeCorrection },
  remove: administer,
})
