/** The forms of objections, complaints and hardship. */
import * as objections from '../../cases/objections.ts'
import { form, type Access } from './form.ts'

const write: Access = { access: ['case.write'] }
const about = {
  code: 'objection',
  columns: 2,
  noTopDivider: true,
  fields: ['matter', 'kind', 'amount', 'receivedDate', 'receivedBy', 'answerBy'],
} as const
const words = { code: 'grounds', columns: 1, fields: ['reason', 'evidence'] } as const

export const objectionCreate = form({
  entity: 'objection',
  type: 'create',
  fields: objections.objectionFields,
  groups: [about, words],
  keys: ['objectionGuid'],
  takes: { id: 'case' },
  open: write,
  submit: { ...write, method: 'POST', body: objections.ObjectionInput },
  list: objections.listObjections,
  required: ['matter', 'reason'],
})

const ofObjection = {
  entity: 'objection',
  fields: objections.objectionFields,
  keys: ['objectionGuid', 'caseGuid'],
  takes: { id: 'objection' },
  record: 'id',
  open: { access: ['case.read'] },
  list: objections.listObjections,
} as const

export const objectionAnswer = form({
  ...ofObjection,
  type: 'answer',
  groups: [{ code: 'answer', columns: 1, noTopDivider: true, fields: ['reason', 'answer', 'answeredDate'] }],
  submit: { ...write, method: 'PATCH', body: objections.ObjectionAnswer },
  required: ['answer'],
})

export const objectionDecide = form({
  ...ofObjection,
  type: 'decide',
  groups: [
    { code: 'objection', columns: 1, noTopDivider: true, fields: ['reason', 'answer'] },
    { code: 'decision', columns: 2, fields: ['decision', 'amount'] },
    { code: 'grounds', columns: 1, fields: ['decisionReason'] },
    { code: 'forbearance', columns: 2, fields: ['measure', 'referredDate'] },
  ],
  submit: { ...write, method: 'PATCH', body: objections.ObjectionRuling },
  required: ['decision', 'decisionReason'],
})
