import { listUserFields, UserFieldChange, userFieldFields, UserFieldInput } from '../../access/user-fields.ts'
import { form, type Access } from './form.ts'

const administer: Access = { access: ['form.admin'], unrestricted: true }
const field = {
  entity: 'field',
  fields: userFieldFields,
  groups: [
    {
      code: 'field',
      columns: 2,
      noTopDivider: true,
      fields: ['entity', 'code', 'type', 'required', 'hidden', 'fieldOrder', 'defaultValue', 'indexed'],
    },
    {
      code: 'labels',
      columns: 2,
      fields: ['textEn', 'textSv', 'textNo', 'textDa', 'textFi', 'textDe'],
    },
    {
      code: 'limits',
      columns: 2,
      fields: [
        'length',
        'minValue',
        'maxValue',
        'specificValues',
        'lookupCode',
        'mustMatchLookup',
        'audit',
        'personalDataTypeId',
      ],
    },
  ],
  keys: ['fieldGuid'],
  open: administer,
  list: listUserFields,
  required: ['entity', 'code'],
} as const

export const fieldCreate = form({
  ...field,
  type: 'create',
  takes: {},
  submit: { ...administer, method: 'POST', body: UserFieldInput },
})
export const fieldEdit = form({
  ...field,
  type: 'edit',
  takes: { id: 'field' },
  record: 'id',
  submit: { ...administer, method: 'PATCH', body: UserFieldChange },
  remove: administer,
})
