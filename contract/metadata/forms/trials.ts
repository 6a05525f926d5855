/** The forms of a trial of strategies. */
import { TrialForm, trialFields } from '../../collection/trials.ts'
import { form, type Access } from './form.ts'

const administer: Access = { access: ['system.admin'], unrestricted: true }
const trial = {
  entity: 'trial',
  fields: trialFields,
  keys: ['trialGuid'],
  open: administer,
  groups: [
    { code: 'trial', columns: 1, noTopDivider: true, fields: ['name', 'clientGuid', 'champion'] },
    {
      code: 'arms',
      columns: 2,
      fields: [
        'challenger',
        'challengerShare',
        'secondChallenger',
        'secondShare',
        'thirdChallenger',
        'thirdShare',
      ],
    },
    { code: 'outcome', columns: 2, fields: ['outcomeDays', 'plannedCases', 'highestAmount', 'currencyCode'] },
  ],
  required: [
    'name',
    'champion',
    'challenger',
    'challengerShare',
    'outcomeDays',
    'highestAmount',
    'currencyCode',
    'plannedCases',
  ],
} as const

export const trialCreate = form({
  ...trial,
  type: 'create',
  takes: {},
  submit: { ...administer, method: 'POST', body: TrialForm },
})
export const trialEdit = form({
  ...trial,
  type: 'edit',
  takes: { id: 'trial' },
  record: 'id',
  submit: { ...administer, method: 'PATCH', body: TrialForm },
  remove: administer,
})
