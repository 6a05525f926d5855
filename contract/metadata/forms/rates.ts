/** The forms of reference rates and statutory fees, for administrators. */
import * as inputs from '../../cases/case-inputs.ts'
import { listInterestRates } from '../../ledger/interest-rates.ts'
import * as fees from '../../ledger/statutory-fees.ts'
import { form, type Access } from './form.ts'

const administer: Access = { access: ['system.admin'] }

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

/** A rate corrected; its series and first day stay. */
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

/** A version of a fee from a day on; one of the same day stands in the place of the one before. */
export const statutoryFeeCreate = form({
  ...ofFee,
  type: 'create',
  groups: [fee, slot],
  takes: {},
  submit: { ...administer, method: 'POST', body: fees.StatutoryFeeInput },
  required: ['countryCode', 'feeType', 'currencyCode', 'validFrom', 'amount'],
})

/** A version corrected. Which fee it is of and its first day stay. */
export const statutoryFeeEdit = form({
  ...ofFee,
  type: 'edit',
  groups: [fee, slot],
  takes: { id: 'statutoryfee' },
  record: 'id',
  submit: { ...administer, method: 'PATCH', body: fees.StatutoryFeeCorrection },
  remove: administer,
})
