/** The forms of reference rates and statutory fees, for administrators. */
import * as inputs from '../case-inputs.ts'
import * as rates from '../rates.ts'
import { form, type Access } from './form.ts'

const administer: Access = { access: ['system.admin'] }

export const interestRateCreate = form({
  entity: 'interestrate',
  type: 'create',
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
  takes: {},
  open: administer,
  submit: { ...administer, method: 'POST', body: inputs.InterestRateInput },
  list: rates.listReferenceRates,
  required: ['interestSeries', 'validFrom', 'rate'],
})

const ofFee = {
  entity: 'statutoryfee',
  noun: 'statutory fee',
  fields: rates.statutoryFeeFields,
  keys: ['statutoryFeeGuid'],
  open: administer,
  list: rates.listStatutoryFees,
} as const
const fee = {
  code: 'fee',
  columns: 2,
  noTopDivider: true,
  fields: ['amount', 'secondAmount', 'validFrom', 'validTo', 'condition', 'source'],
} as const
const slot = { code: 'applies', columns: 2, fields: rates.slotMembers } as const

/** A version of a fee from a day on; one of the same day stands in the place of the one before. */
export const statutoryFeeCreate = form({
  ...ofFee,
  type: 'create',
  groups: [fee, slot],
  takes: {},
  submit: { ...administer, method: 'POST', body: rates.StatutoryFeeInput },
  required: ['countryCode', 'feeType', 'currencyCode', 'validFrom', 'amount'],
})

/** A version corrected. Which fee it is of and its first day stay. */
export const statutoryFeeEdit = form({
  ...ofFee,
  type: 'edit',
  groups: [fee, slot],
  takes: { id: 'statutoryfee' },
  record: 'id',
  submit: { ...administer, method: 'PATCH', body: rates.StatutoryFeeCorrection },
  remove: administer,
})
