import { handlingFields, HandlingInput, listWork } from '../../work/work.ts'
import { form } from './form.ts'

export const caseHandling = form({
  entity: 'case',
  noun: 'case',
  type: 'handling',
  fields: handlingFields,
  groups: [
    {
      code: 'handling',
      columns: 2,
      noTopDivider: true,
      fields: ['ownerGuid', 'teamGuid', 'nextAction', 'nextActionDate'],
    },
  ],
  keys: ['caseGuid'],
  takes: { id: 'case' },
  record: 'id',
  open: { access: ['case.write'] },
  submit: { access: ['case.write'], method: 'PATCH', body: HandlingInput },
  rows: [
    {
      list: listWork,
      key: 'caseGuid',
      cells: {
        ownerName: 'ownerGuid',
        teamName: 'teamGuid',
        nextAction: 'nextAction',
        nextActionDate: 'nextActionDate',
      },
    },
  ],
})
